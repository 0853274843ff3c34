//! The catalog: parts found by name, built with checked knobs.

use std::sync::{PoisonError, RwLock};

use crate::{Card, Error, KnobCard, Part, Result, Settings};

/// A part in the catalog: its card, its knobs, and how to build it.
pub struct Entry<T: ?Sized + 'static> {
    pub card: Card,
    knobs: KnobList,
    build: Build<T>,
}

/// A built part with the values of all its knobs, for the trail.
pub type Built<T> = (Box<T>, Vec<(&'static str, String)>);

enum KnobList {
    Compiled(fn() -> Vec<KnobCard>),
    Added(Vec<KnobCard>),
}

enum Build<T: ?Sized + 'static> {
    Compiled(fn(&Settings) -> Result<Built<T>>),
    Added(BoxedBuild<T>),
}

type BoxedBuild<T> = Box<dyn Fn(&Settings) -> Result<Built<T>> + Send + Sync>;

impl<T: ?Sized> Entry<T> {
    /// A part that is compiled in.
    pub const fn new(card: Card, knobs: fn() -> Vec<KnobCard>, build: fn(&Settings) -> Result<Built<T>>) -> Self {
        Self { card, knobs: KnobList::Compiled(knobs), build: Build::Compiled(build) }
    }

    /// A part that is made at run time: a recipe, a program, a function of another language.
    pub fn added(
        card: Card,
        knobs: Vec<KnobCard>,
        build: impl Fn(&Settings) -> Result<Built<T>> + Send + Sync + 'static,
    ) -> Self {
        Self { card, knobs: KnobList::Added(knobs), build: Build::Added(Box::new(build)) }
    }

    /// Its knobs, in the order of declaration.
    pub fn knobs(&self) -> Vec<KnobCard> {
        match &self.knobs {
            KnobList::Compiled(list) => list(),
            KnobList::Added(list) => list.clone(),
        }
    }
}

impl<T: ?Sized + Part> Entry<T> {
    /// Builds the part from settings, and keeps it off texts in languages that its card does not name.
    pub fn build(&self, settings: &Settings) -> Result<Built<T>> {
        let retired = settings.iter().find_map(|(name, _)| self.card.retired.iter().find(|(old, _)| old == name));
        if let Some((knob, instead)) = retired {
            return Err(Error::RetiredKnob { part: self.card.name, knob, instead });
        }
        let (part, values) = match &self.build {
            Build::Compiled(build) => build(settings)?,
            Build::Added(build) => build(settings)?,
        };
        Ok((part.guarded(&self.card), values))
    }
}

/// All parts of one trait: those that are compiled in, and those that were added at run time.
#[derive(Debug)]
pub struct Catalog<T: ?Sized + 'static> {
    kind: &'static str,
    builtin: &'static [&'static [&'static Entry<T>]],
    added: RwLock<Vec<&'static Entry<T>>>,
    /// Parts that this build cannot run, and why.
    absent: &'static [&'static str],
    why: &'static str,
}

impl<T: ?Sized> Catalog<T> {
    /// A catalog of things called `kind` in messages.
    pub const fn new(kind: &'static str, builtin: &'static [&'static [&'static Entry<T>]]) -> Self {
        Self { kind, builtin, added: RwLock::new(Vec::new()), absent: &[], why: "" }
    }

    /// The same without the parts of these names; an error for one of them says `why`.
    #[must_use]
    pub const fn without(mut self, absent: &'static [&'static str], why: &'static str) -> Self {
        self.absent = absent;
        self.why = why;
        self
    }

    /// The names of the parts that this build cannot run.
    pub fn absent(&self) -> &'static [&'static str] {
        self.absent
    }

    /// Adds a part at run time: a user's table of words, a program, a function of another language. Its name and aliases must
    /// be new.
    ///
    /// A part lives as long as the process, so that chains, trails and reports can name it without owning it. A process
    /// that adds parts keeps about a kilobyte for each.
    pub fn add(&self, entry: Entry<T>) -> Result<()> {
        let mut added = self.added.write().unwrap_or_else(PoisonError::into_inner);
        let builtin = self.builtin.iter().flat_map(|list| list.iter().copied());
        let known: Vec<&'static Entry<T>> = builtin.chain(added.iter().copied()).collect();
        for name in entry.card.aliases.iter().chain([&entry.card.name]) {
            if known.iter().any(|known| known.card.is_called(name)) {
                return Err(Error::NameTaken { kind: self.kind, name: (*name).to_owned() });
            }
        }
        added.push(Box::leak(Box::new(entry)));
        Ok(())
    }

    /// Every entry, in the order of the lists; added ones come last.
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry<T>> + use<'_, T> {
        self.all().filter(|entry| !self.absent.contains(&entry.card.name))
    }

    fn all(&self) -> impl Iterator<Item = &'static Entry<T>> + use<'_, T> {
        let builtin = self.builtin.iter().flat_map(|list| list.iter().copied());
        // What was added so far: a part that comes while somebody looks through the list is not in it.
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner).clone();
        builtin.chain(added)
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
    fn a_part_joins_at_run_time_unless_its_name_is_taken() {
        static MINE: Catalog<dyn crate::Slice> = Catalog::new("slice", &[]);
        let entry = |name: &'static str| {
            let card = Card { aliases: &["Mine"], ..Card::new(crate::Kind::Slice, name, "A slice.", "", 0) };
            Entry::<dyn crate::Slice>::added(card, Vec::new(), |_| {
                Err(Error::NameTaken { kind: "slice", name: "built".into() })
            })
        };
        assert_eq!(MINE.entries().count(), 0);
        MINE.add(entry("my_slice")).unwrap();
        assert!(MINE.find("MY_SLICE").unwrap().build(&[]).is_err_and(|error| error.to_string().contains("built")));
        assert_eq!(MINE.entries().count(), 1);
        let taken = MINE.add(entry("other")).unwrap_err();
        assert_eq!(taken.to_string(), "there is a slice called `Mine` already; give the new one another name");
    }

    #[test]
    fn nearest_names_are_alike() {
        let known = ["keyboard", "typos", "ocr", "word_case", "swap_num", "swap_name"];
        assert_eq!(nearest("keybord", known.into_iter()), ["keyboard"]);
        assert_eq!(nearest("swap", known.into_iter()), ["swap_name", "swap_num"]);
        assert_eq!(nearest("zzz", known.into_iter()), [""; 0]);
    }
}
