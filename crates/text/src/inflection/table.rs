//! The compiled inflection table.

use super::slot::{Kind, SLOTS, Slot};
use crate::lexicon::{LexiconError, Lists, Reader, Words, Writer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// What the table is compiled from: for each lemma its kinds, and its forms, the usual one first.
#[derive(Debug, Default)]
pub struct Source {
    /// By lemma; a kind without a form is in the table all the same.
    pub lemmas: BTreeMap<String, Entry>,
}

/// One lemma.
#[derive(Debug, Default)]
pub struct Entry {
    /// The kinds of word it is.
    pub kinds: BTreeSet<Kind>,
    /// Its forms; the order within a slot is the order of use.
    pub forms: Vec<(Slot, String)>,
    /// How rare it is, 0 for the most frequent: of two lemmas with the same form, the less rare is named first.
    pub rarity: u8,
}

/// A form that is its own lemma (`sports` as the plural of `sports`) waits for another lemma (`sport`), unless that is
/// rarer by this many doublings (`person` for `people`).
const SELF_WAITS: u8 = 3;

impl Source {
    /// The table, packed.
    pub fn pack(&self) -> Vec<u8> {
        let forms = self.lemmas.values().flat_map(|entry| &entry.forms).map(|(_, form)| form);
        let words: Vec<&String> = self.lemmas.keys().chain(forms).collect::<BTreeSet<_>>().into_iter().collect();
        let id = |word: &String| words.binary_search(&word).expect("every word was put in") as i64;
        let mut writer = Writer::default();
        writer.words(&words);
        writer.number(self.lemmas.len() as u64);
        let mut last = 0;
        for (lemma, entry) in &self.lemmas {
            let lemma = id(lemma);
            writer.signed(lemma - last);
            last = lemma;
            writer.number(u64::from(entry.rarity));
            writer.number(entry.kinds.iter().map(|kind| 1 << *kind as u64).sum());
            writer.number(entry.forms.len() as u64);
            for (slot, form) in &entry.forms {
                writer.number(*slot as u64);
                writer.signed(id(form) - lemma);
            }
        }
        writer.finish()
    }
}

pub(super) struct Table {
    words: Words,
    /// A bit per kind, by word.
    kinds: Vec<u8>,
    forms: Lists<(u8, u32)>,
    lemmas: Lists<(u8, u32)>,
}

impl Table {
    /// The built-in table, unpacked when it is first asked for.
    pub(super) fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            Table::read(include_bytes!("../../../../lexicons/inflection.bin"))
                .expect("the built-in table is sound, a test reads it")
        })
    }

    fn read(table: &[u8]) -> Result<Table, LexiconError> {
        let mut reader = Reader::new(table)?;
        let words = reader.words()?;
        let mut kinds = vec![0; words.len()];
        let (mut forms, mut lemmas) = (Vec::new(), Vec::new());
        let mut lemma = 0;
        for _ in 0..reader.count()? {
            lemma = word_at(&mut reader, lemma, words.len())?;
            let rarity = reader.number()?;
            kinds[lemma as usize] = reader.number()? as u8;
            for _ in 0..reader.count()? {
                let slot = reader.index(SLOTS.len())? as u8;
                let form = word_at(&mut reader, lemma, words.len())?;
                forms.push((lemma, (slot, form)));
                let waits = if form == lemma { u64::from(SELF_WAITS) } else { 0 };
                lemmas.push((rarity.saturating_add(waits), (form, (slot, lemma))));
            }
        }
        reader.finish()?;
        lemmas.sort_by_key(|(order, _)| *order);
        let lemmas: Vec<_> = lemmas.into_iter().map(|(_, pair)| pair).collect();
        let count = words.len();
        Ok(Table { words, kinds, forms: Lists::from_pairs(count, &forms), lemmas: Lists::from_pairs(count, &lemmas) })
    }

    pub(super) fn is(&self, word: &str, kind: Kind) -> bool {
        self.words.find(word).is_some_and(|id| self.kinds[id as usize] & (1 << kind as u8) != 0)
    }

    /// The forms of a lemma in a slot, the usual one first.
    pub(super) fn forms(&self, lemma: &str, slot: Slot) -> impl Iterator<Item = &str> {
        self.linked(&self.forms, lemma, slot)
    }

    /// The lemmas that have this form in a slot.
    pub(super) fn lemmas(&self, form: &str, slot: Slot) -> impl Iterator<Item = &str> {
        self.linked(&self.lemmas, form, slot)
    }

    /// Everything that a word can be: the Penn tag and the lemma of each form that is written so.
    pub(super) fn readings(&self, form: &str) -> impl Iterator<Item = (&'static str, &str)> {
        let id = self.words.find(form);
        let bits = id.map_or(0, |id| self.kinds[id as usize]);
        let kinds = [Kind::Noun, Kind::Verb, Kind::Adjective, Kind::Adverb];
        let base = kinds.into_iter().filter(move |kind| bits & (1 << *kind as u8) != 0);
        let base = base.map(move |kind| (kind.penn(), id.map_or("", |id| self.words.get(id))));
        let links = id.map_or(&[][..], |id| self.lemmas.get(id));
        let inflected =
            links.iter().filter_map(|(slot, id)| Some((SLOTS.get(usize::from(*slot))?.penn(), self.words.get(*id))));
        base.chain(inflected)
    }

    fn linked<'a>(&'a self, links: &'a Lists<(u8, u32)>, word: &str, slot: Slot) -> impl Iterator<Item = &'a str> {
        let links = self.words.find(word).map_or(&[][..], |id| links.get(id));
        links.iter().filter(move |(other, _)| *other == slot as u8).map(|(_, id)| self.words.get(*id))
    }
}

/// A word by its distance from another.
fn word_at(reader: &mut Reader, from: u32, count: usize) -> Result<u32, LexiconError> {
    let word = reader.signed()?.checked_add(i64::from(from)).and_then(|word| u32::try_from(word).ok());
    word.filter(|word| (*word as usize) < count).ok_or_else(|| reader.damaged("a distance leads to no word"))
}
