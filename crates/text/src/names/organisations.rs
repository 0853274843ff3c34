//! Well-known organisations by kind: companies, banks, media, agencies, bodies, universities, parties, teams.

use std::sync::OnceLock;

const FILE: &str = include_str!("../../../../lexicons/organisations.txt");

/// The kinds with their organisations, roughly the most often mentioned first.
pub fn kinds() -> &'static [(&'static str, Vec<&'static str>)] {
    static KINDS: OnceLock<Kinds> = OnceLock::new();
    KINDS.get_or_init(|| read(|line| if line.starts_with(['#', '~']) { None } else { Some(line) }))
}

/// The organisations of the same trade or sport, this one among them; empty if it has no trade.
pub fn peers(name: &str) -> &'static [&'static str] {
    static TRADES: OnceLock<Kinds> = OnceLock::new();
    let trades = TRADES.get_or_init(|| read(|line| line.strip_prefix("~ ")));
    trades.iter().find(|(_, names)| names.contains(&name)).map_or(&[], |(_, names)| names)
}

fn read(pick: impl Fn(&'static str) -> Option<&'static str>) -> Kinds {
    let lines = FILE.lines().filter_map(pick).filter_map(|line| line.split_once(": "));
    lines.map(|(kind, names)| (kind, names.split("; ").collect())).collect()
}

/// Kinds with their names.
type Kinds = Vec<(&'static str, Vec<&'static str>)>;

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
    fn peers_are_of_one_trade_and_kind() {
        assert!(peers("Pepsi").contains(&"Coca-Cola") && peers("Chicago Cubs").contains(&"Boston Red Sox"));
        assert!(peers("NASA").is_empty() && peers("").is_empty());
        for (_, names) in kinds() {
            for name in names {
                let all = peers(name);
                assert!(all.is_empty() || all.len() > 1 && all.contains(name), "{name}");
                assert!(all.iter().all(|other| find(other).is_some() && peers(other) == all), "{name}");
            }
        }
    }

    #[test]
    fn every_name_stands_once() {
        let names: Vec<_> = kinds().iter().flat_map(|(_, names)| names).collect();
        assert!(names.len() > 250 && kinds().len() == 8, "{}", names.len());
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        assert!(names.iter().all(|name| !name.is_empty() && name.trim() == **name && !name.contains([':', ';'])));
    }
}
