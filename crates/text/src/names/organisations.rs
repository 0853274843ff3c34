//! Well-known organisations by kind: companies, banks, media, agencies, bodies, universities, parties, teams.

use std::sync::OnceLock;

const FILE: &str = include_str!("../../../../lexicons/organisations.txt");

/// The kinds with their organisations, roughly the most often mentioned first.
pub fn kinds() -> &'static [(&'static str, Vec<&'static str>)] {
    static KINDS: OnceLock<Vec<(&'static str, Vec<&'static str>)>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let lines = FILE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
        lines.map(|(kind, names)| (kind, names.split("; ").collect())).collect()
    })
}

/// The organisations of a kind; none if there is no such kind.
pub fn of_kind(kind: &str) -> &'static [&'static str] {
    kinds().iter().find(|(name, _)| *name == kind).map_or(&[], |(_, names)| names)
}

/// The kind of an organisation, and its place in the list of that kind.
pub fn find(name: &str) -> Option<(&'static str, usize)> {
    kinds().iter().find_map(|(kind, names)| names.iter().position(|other| *other == name).map(|place| (*kind, place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn known_organisations() {
        assert_eq!(find("Microsoft"), Some(("company", 0)));
        assert_eq!(find("Harvard").map(|(kind, _)| kind), Some("university"));
        assert!(find("").is_none() && find("microsoft").is_none() && of_kind("shop").is_empty());
    }

    #[test]
    fn every_name_stands_once() {
        let names: Vec<_> = kinds().iter().flat_map(|(_, names)| names).collect();
        assert!(names.len() > 250 && kinds().len() == 8, "{}", names.len());
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        assert!(names.iter().all(|name| !name.is_empty() && name.trim() == **name && !name.contains([':', ';'])));
    }
}
