//! Words that have but one tag, whatever stands around them: `the`, `said`, a comma. Nothing has to be scored for them.

use std::sync::OnceLock;

use super::{Penn, Tag, Upos};
use crate::perceptron::{Hash, mix};
use crate::share_alike;
use crate::word_features::WordFeatures;

/// The tags of words that have but one, by the hashes of the words.
#[derive(Debug, Clone)]
pub struct Certain {
    /// An open-addressed table, at most a quarter full.
    slots: Vec<Option<(Hash, Tag)>>,
    bits: u32,
}

/// The words that are part of the program.
pub fn shipped() -> &'static Certain {
    static LOADED: OnceLock<Certain> = OnceLock::new();
    share_alike::used();
    #[cfg(feature = "share-alike")]
    const LIST: &str = include_str!("../../../../lexicons/certain_tags.txt");
    #[cfg(not(feature = "share-alike"))]
    const LIST: &str = "";
    LOADED.get_or_init(|| Certain::read(LIST))
}

impl Certain {
    /// Reads a word and its two tags from each line, with tabs between them. Lines that say something else are passed over.
    pub fn read(list: &str) -> Self {
        let words: Vec<(Hash, Tag)> = list.lines().filter_map(word).collect();
        let bits = (4 * words.len()).next_power_of_two().trailing_zeros().max(1);
        let mut certain = Self { slots: vec![None; 1 << bits], bits };
        for (form, tag) in words {
            let slot = certain.slot(form);
            certain.slots[slot] = Some((form, tag));
        }
        certain
    }

    /// The tag of a word that can have no other.
    pub fn tag(&self, word: &WordFeatures) -> Option<Tag> {
        self.slots[self.slot(word.form)].map(|(_, tag)| tag)
    }

    /// The slot that holds a word, or the empty one where it would go.
    fn slot(&self, form: Hash) -> usize {
        let mut slot = mix(0, form, Hash::default()).bucket(self.bits);
        while self.slots[slot].is_some_and(|(other, _)| other != form) {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }
}

fn word(line: &str) -> Option<(Hash, Tag)> {
    let mut fields = line.split('\t');
    let (form, upos, penn) = (fields.next()?, fields.next()?, fields.next()?);
    Some((WordFeatures::of(form).form, Tag { upos: Upos::from_name(upos)?, penn: Penn::from_name(penn)? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_find_their_tags_again() {
        let certain = Certain::read("the\tDET\tDT\nhe\tPRON\tPRP\nodd line\nthem\tNO\tPRP\n");
        let tag = |word: &str| certain.tag(&WordFeatures::of(word));
        assert_eq!(tag("the"), Some(Tag { upos: Upos::Det, penn: Penn::Dt }));
        assert_eq!(tag("he").map(|tag| tag.penn), Some(Penn::Prp));
        assert_eq!([tag("The"), tag("them"), tag("")], [None; 3]);
        assert_eq!(Certain::read("").tag(&WordFeatures::of("the")), None);
    }

    #[test]
    fn the_words_in_the_program_are_read() {
        let read = shipped().slots.iter().flatten().count();
        assert_eq!(read, include_str!("../../../../lexicons/certain_tags.txt").lines().count());
        assert!(read > 300, "{read}");
    }
}
