//! Well-known people and places with a few words that say who or what they are.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What a description is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Person,
    Place,
}

/// A person or a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instance {
    pub kind: Kind,
    /// Without an article if it is a person: `English comedian and film maker`.
    pub description: &'static str,
}

impl Instance {
    /// The description with its article, as it stands behind a comma.
    pub fn said(&self) -> String {
        let first = self.description.split(' ').next().unwrap_or("");
        let has_article = ["a", "an", "the", "one"].contains(&first.to_lowercase().as_str());
        let only_one = ["capital", "largest", "chief", "second", "third"].contains(&first);
        match has_article {
            true => self.description.to_owned(),
            false if only_one => format!("the {}", self.description),
            false => format!("{} {}", crate::articles::article_before(first, "a"), self.description),
        }
    }
}

/// The person or place of this name; nothing if the name is not known, or is a name of several things.
pub fn find(name: &str) -> Option<Instance> {
    table().get(name).copied()
}

/// The number of words of the longest name.
pub const LONGEST: usize = 4;

/// Every name with what it is a name of.
pub fn all() -> impl Iterator<Item = (&'static str, Instance)> {
    table().iter().map(|(name, instance)| (*name, *instance))
}

fn table() -> &'static HashMap<&'static str, Instance> {
    static TABLE: OnceLock<HashMap<&'static str, Instance>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = HashMap::new();
        for line in include_str!("../../../../lexicons/instances.txt").lines() {
            let mut cells = line.split('\t');
            let (Some(kind), Some(description)) = (cells.next(), cells.next()) else { continue };
            let kind = if kind == "p" { Kind::Person } else { Kind::Place };
            table.extend(cells.map(|name| (name, Instance { kind, description })));
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_places_are_described() {
        let chaplin = find("Charlie Chaplin").unwrap();
        assert_eq!((chaplin.kind, &*chaplin.said()), (Kind::Person, "an English comedian and film maker"));
        assert_eq!(find("Mr Nobody"), None);
        assert!(all().count() > 3_000);
    }

    #[test]
    fn descriptions_are_short_and_neutral() {
        for (name, instance) in all() {
            let words = instance.description.split(' ').count();
            assert!((2..=12).contains(&words), "{name}: {}", instance.description);
            let charged = |word: &str| crate::polarity::is_charged(&word.to_lowercase()) && word != "comedian";
            assert!(!instance.description.split(' ').any(charged), "{name}: {}", instance.description);
        }
    }
}
