//! The compiled WordNet: what it is packed from, and how it is unpacked.

use crate::lexicon::{LexiconError, Lists, Reader, Words, Writer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// What the table is compiled from.
#[derive(Debug, Default)]
pub struct Source {
    /// All synsets: nouns, then verbs, adjectives, adverbs. A synset's number is its place here.
    pub synsets: Vec<SynsetSource>,
    /// Where each of the four kinds ends in `synsets`.
    pub ends: [usize; 4],
    /// For a lower-case word its synsets, most frequent first within a kind.
    pub order: BTreeMap<String, Vec<u32>>,
    /// Pairs of opposite senses: synset and place of the word in it, both ways.
    pub antonyms: Vec<[(u32, u8); 2]>,
}

/// One synset.
#[derive(Debug, Default)]
pub struct SynsetSource {
    /// The lexicographer file: its broad topic.
    pub topic: u8,
    /// Its words as they are written, and how often each was met in this sense in WordNet's tagged texts.
    pub members: Vec<(String, u16)>,
    /// More general synsets.
    pub hypernyms: Vec<u32>,
    /// Synsets of similar meaning, for adjectives.
    pub similar: Vec<u32>,
}

impl Source {
    /// The table, packed.
    pub fn pack(&self) -> Vec<u8> {
        let surfaces = self.synsets.iter().flat_map(|synset| &synset.members).map(|(word, _)| word.as_str());
        let words: Vec<&str> =
            surfaces.chain(self.order.keys().map(String::as_str)).collect::<BTreeSet<_>>().into_iter().collect();
        let id = |word: &str| words.binary_search(&word).expect("every word was put in") as u64;
        let mut writer = Writer::default();
        writer.words(&words);
        self.ends.iter().for_each(|end| writer.number(*end as u64));
        writer.bytes(&self.synsets.iter().map(|synset| synset.topic).collect::<Vec<_>>());
        let members = || self.synsets.iter().flat_map(|synset| &synset.members);
        self.synsets.iter().for_each(|synset| writer.number(synset.members.len() as u64));
        members().for_each(|(word, _)| writer.number(id(word)));
        members().for_each(|(_, count)| writer.number(u64::from(*count)));
        let hypernyms: Vec<&[u32]> = self.synsets.iter().map(|synset| &synset.hypernyms[..]).collect();
        let similar: Vec<&[u32]> = self.synsets.iter().map(|synset| &synset.similar[..]).collect();
        for links in [hypernyms, similar] {
            links.iter().for_each(|links| writer.number(links.len() as u64));
            for (number, links) in links.iter().enumerate() {
                links.iter().for_each(|link| writer.signed(i64::from(*link) - number as i64));
            }
        }
        // A word's synsets follow from their members; only their order has to be stored, and only if there are several.
        for (_, order) in self.order.iter().filter(|(_, order)| order.len() > 1) {
            let mut ascending = order.clone();
            ascending.sort();
            ascending
                .iter()
                .for_each(|synset| writer.number(order.iter().position(|other| other == synset).unwrap_or(0) as u64));
        }
        writer.number(self.antonyms.len() as u64);
        let mut last = 0;
        for [(from, from_member), (to, to_member)] in &self.antonyms {
            writer.number(u64::from(*from) - last);
            last = u64::from(*from);
            writer.number(u64::from(*from_member));
            writer.signed(i64::from(*to) - i64::from(*from));
            writer.number(u64::from(*to_member));
        }
        writer.finish()
    }
}

pub(super) struct Table {
    pub words: Words,
    pub ends: [u32; 4],
    pub topics: Vec<u8>,
    /// By synset: the word, and its count in this sense.
    pub members: Lists<(u32, u16)>,
    pub hypernyms: Lists<u32>,
    pub similar: Lists<u32>,
    /// By lower-case word: synset and place in it.
    pub senses: Lists<(u32, u8)>,
    /// Sorted by the first of each pair.
    pub antonyms: Vec<[(u32, u8); 2]>,
}

impl Table {
    /// The built-in table, unpacked when it is first asked for.
    pub(super) fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            Table::read(include_bytes!("../../../../lexicons/wordnet.bin"))
                .expect("the built-in table is sound, a test reads it")
        })
    }

    fn read(table: &[u8]) -> Result<Table, LexiconError> {
        let mut reader = Reader::new(table)?;
        let words = reader.words()?;
        let mut ends = [0; 4];
        for end in &mut ends {
            *end = reader.number32()?;
        }
        let topics = reader.bytes()?.to_vec();
        let count = topics.len();
        let lengths: Vec<u32> = (0..count).map(|_| reader.number32()).collect::<Result<_, _>>()?;
        let total: usize = lengths.iter().map(|length| *length as usize).sum();
        let surfaces: Vec<u32> = (0..total).map(|_| reader.index(words.len())).collect::<Result<_, _>>()?;
        let mut members = Lists::default();
        let mut surface = surfaces.iter();
        for length in &lengths {
            for word in surface.by_ref().take(*length as usize) {
                members.push((*word, reader.number32()?.min(u32::from(u16::MAX)) as u16));
            }
            members.close();
        }
        let hypernyms = links(&mut reader, count)?;
        let similar = links(&mut reader, count)?;
        let senses = senses(&mut reader, &words, &members)?;
        let mut antonyms = Vec::new();
        let mut from = 0;
        for _ in 0..reader.count()? {
            from += reader.number32()?;
            let member = reader.number()? as u8;
            let to = synset_at(&mut reader, from, count)?;
            antonyms.push([(from, member), (to, reader.number()? as u8)]);
        }
        reader.finish()?;
        Ok(Table { words, ends, topics, members, hypernyms, similar, senses, antonyms })
    }
}

fn links(reader: &mut Reader, count: usize) -> Result<Lists<u32>, LexiconError> {
    let lengths: Vec<u32> = (0..count).map(|_| reader.number32()).collect::<Result<_, _>>()?;
    let mut lists = Lists::default();
    for (number, length) in lengths.iter().enumerate() {
        for _ in 0..*length {
            lists.push(synset_at(reader, number as u32, count)?);
        }
        lists.close();
    }
    Ok(lists)
}

/// A synset by its distance from another.
fn synset_at(reader: &mut Reader, from: u32, count: usize) -> Result<u32, LexiconError> {
    let synset = reader.signed()?.checked_add(i64::from(from)).and_then(|number| u32::try_from(number).ok());
    synset.filter(|number| (*number as usize) < count).ok_or_else(|| reader.damaged("a distance leads to no synset"))
}

/// The senses of each word, from the members of the synsets and the stored order.
fn senses(reader: &mut Reader, words: &Words, members: &Lists<(u32, u16)>) -> Result<Lists<(u32, u8)>, LexiconError> {
    let mut lower: Vec<u32> = (0..words.len() as u32).collect();
    for (id, word) in words.iter().enumerate().filter(|(_, word)| word.contains(char::is_uppercase)) {
        lower[id] = words.find(&word.to_lowercase()).ok_or_else(|| reader.damaged("a word has no lower-case entry"))?;
    }
    let mut pairs = Vec::new();
    for synset in 0..members.len() as u32 {
        pairs.extend(
            members
                .get(synset)
                .iter()
                .enumerate()
                .map(|(place, (word, _))| (lower[*word as usize], (synset, place as u8))),
        );
    }
    let ascending = Lists::from_pairs(words.len(), &pairs);
    let mut senses = Lists::default();
    let mut ordered: Vec<(u64, (u32, u8))> = Vec::new();
    for word in 0..words.len() as u32 {
        ordered.clear();
        // Two spellings of a word in one synset (`Turk`, `turk`) are one sense of it.
        ascending.get(word).iter().for_each(|sense| {
            if ordered.last().is_none_or(|(_, last)| last.0 != sense.0) {
                ordered.push((0, *sense));
            }
        });
        if ordered.len() > 1 {
            for (place, _) in &mut ordered {
                *place = reader.number()?;
            }
            ordered.sort_by_key(|(place, _)| *place);
        }
        ordered.iter().for_each(|(_, sense)| senses.push(*sense));
        senses.close();
    }
    Ok(senses)
}
