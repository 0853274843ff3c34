//! The catalog: parts found by name, built with checked knobs.

use crate::{Card, Error, KnobCard, Result, Settings};

/// A part on the shelf: what it says about itself, and how to build it.
pub struct Entry<T: ?Sized + 'static> {
    pub card: Card,
    /// Its knobs, in the order of declaration.
    pub knobs: fn() -> Vec<KnobCard>,
    pub build: Build<T>,
}

/// Builds a part from settings; comes with the values of all its knobs, for the trail.
pub type Build<T> = fn(&Settings) -> Result<(Box<T>, Vec<(&'static str, String)>)>;

/// All parts of one trait, from however many shelves.
#[derive(Debug)]
pub struct Catalog<T: ?Sized + 'static> {
    shelves: &'static [&'static [&'static Entry<T>]],
    kind: &'static str,
    /// Parts that this build cannot run, and why.
    absent: &'static [&'static str],
    why: &'static str,
}

impl<T: ?Sized> Catalog<T> {
    /// A catalog of things called `kind` in messages.
    pub const fn new(kind: &'static str, shelves: &'static [&'static [&'static Entry<T>]]) -> Self {
        Self { shelves, kind, absent: &[], why: "" }
    }

    /// The same without the parts of these names; who asks for one is told `why`.
    #[must_use]
    pub const fn without(self, absent: &'static [&'static str], why: &'static str) -> Self {
        Self { absent, why, ..self }
    }

    /// The names of the parts that this build cannot run.
    pub fn absent(&self) -> &'static [&'static str] {
        self.absent
    }

    /// Every entry, in the order of the shelves.
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry<T>> + use<T> {
        let absent = self.absent;
        self.all().filter(move |entry| !absent.contains(&entry.card.name))
    }

    fn all(&self) -> impl Iterator<Item = &'static Entry<T>> + use<T> {
        self.shelves.iter().flat_map(|shelf| shelf.iter().copied())
    }

    /// The entry called `name`, or known by that alias; case does not matter.
    pub fn find(&self, name: &str) -> Result<&'static Entry<T>> {
        let found = self.all().find(|entry| entry.card.is_called(name));
        match found {
            Some(entry) if self.absent.contains(&entry.card.name) => {
                Err(Error::Absent { kind: self.kind, name: entry.card.name, why: self.why })
            }
            Some(entry) => Ok(entry),
            None => Err(Error::unknown_name(self.kind, name, self.entries().map(|entry| entry.card.name))),
        }
    }
}

impl<T: ?Sized> std::fmt::Debug for Entry<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("card", &self.card).finish_non_exhaustive()
    }
}

impl Card {
    /// Whether a user who writes `name` means this part.
    pub fn is_called(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Up to three names that are like `name`, most alike first.
pub fn nearest<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = name.to_lowercase();
    let mut found: Vec<(f64, &str)> = among
        .map(|known| {
            // A name that begins like the wanted one is near, however long it goes on.
            let begins = wanted.len() >= 3 && (known.starts_with(&wanted) || wanted.starts_with(known));
            let like = strsim::normalized_damerau_levenshtein(&wanted, known);
            (if begins { like.max(0.9) } else { like }, known)
        })
        .filter(|(like, _)| *like >= 0.5)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    found.dedup_by_key(|(_, known)| *known);
    found.into_iter().take(3).map(|(_, known)| known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names_are_alike() {
        let known = ["keyboard", "typos", "ocr", "word_case", "swap_num", "swap_name"];
        assert_eq!(nearest("keybord", known.into_iter()), ["keyboard"]);
        assert_eq!(nearest("swap", known.into_iter()), ["swap_name", "swap_num"]);
        assert_eq!(nearest("zzz", known.into_iter()), [""; 0]);
    }
}
