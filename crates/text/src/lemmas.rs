//! The dictionary form of a word, given its part of speech: `went` -> `go`, `mice` -> `mouse`, `n't` -> `not`.
//!
//! Rules say what to cut from the end of a word and what to put there. The rule of the longest known ending of a word
//! counts, and that of the whole word before all; the table holds only what does not follow from shorter endings.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use crate::lexicon::hash;
use crate::perceptron::{WeightsError, deflate, inflate};
use crate::share_alike;
use crate::tags::{Penn, Tag};

/// The lemma of `word` when it has the part of speech `tag`.
pub fn lemma(word: &str, tag: Tag) -> Box<str> {
    shipped().lemma(word, tag)
}

/// The rules that are part of the program, inflated when they are first needed.
pub fn shipped() -> &'static Lemmas {
    static LOADED: OnceLock<Lemmas> = OnceLock::new();
    share_alike::used();
    #[cfg(feature = "share-alike")]
    return LOADED.get_or_init(|| {
        let bytes = include_bytes!("../../../lexicons/lemmas.table");
        Lemmas::decode(bytes).expect("the lemmas in the program are the ones that a test has read")
    });
    #[cfg(not(feature = "share-alike"))]
    LOADED.get_or_init(|| Lemmas::new(Vec::new()))
}

/// The rules, by Penn tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lemmas {
    tables: Vec<Table>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    pub words: Rules,
    pub endings: Rules,
}

/// Rules by words or endings of words.
pub type Rules = HashMap<Box<str>, Rule, BuildHasherDefault<WordHasher>>;

/// A hash for short words of the built-in table, which no attacker chooses.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= hash(bytes);
    }

    /// The mark behind a text, which is always the same.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        // The low bits choose the place, the high ones separate what shares it.
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26)
    }
}

/// Takes characters away from the end of a word, and puts others there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Rule {
    pub cut: usize,
    pub put: Box<str>,
}

/// The longest ending, in characters, that rules look at.
pub const LONGEST_ENDING: usize = 6;

impl Rule {
    /// The rule that makes `lemma` of `word`.
    pub fn between(word: &str, lemma: &str) -> Self {
        let same = word.char_indices().zip(lemma.chars()).find(|((_, a), b)| a != b);
        let kept = same.map_or(word.len().min(lemma.len()), |((at, _), _)| at);
        Self { cut: word[kept..].chars().count(), put: lemma[kept..].into() }
    }

    pub fn apply(&self, word: &str) -> Option<Box<str>> {
        let end = if self.cut == 0 { word.len() } else { word.char_indices().rev().nth(self.cut - 1)?.0 };
        let mut lemma = String::with_capacity(end + self.put.len());
        lemma.push_str(&word[..end]);
        lemma.push_str(&self.put);
        Some(lemma.into())
    }
}

impl Table {
    /// The rule for a word: of the whole word, or of its longest known ending.
    pub fn rule(&self, word: &str) -> Option<&Rule> {
        self.words.get(word).or_else(|| endings(word).find_map(|ending| self.endings.get(ending)))
    }
}

/// The endings of a word, the longest first, down to the empty one.
pub fn endings(word: &str) -> impl Iterator<Item = &str> {
    let inner = word.char_indices().rev().take(LONGEST_ENDING).map(|(at, _)| at);
    let mut starts = [word.len(); LONGEST_ENDING + 1];
    let mut count = 1;
    for at in inner {
        starts[count] = at;
        count += 1;
    }
    (0..count).rev().map(move |at| &word[starts[at]..])
}

/// The word that rules are applied to: names keep their capitals, other words lose them.
pub fn base(word: &str, tag: Tag) -> String {
    if matches!(tag.penn, Penn::Nnp | Penn::Nnps) { word.to_owned() } else { word.to_lowercase() }
}

impl Lemmas {
    pub fn new(mut tables: Vec<Table>) -> Self {
        tables.resize(Penn::ALL.len(), Table::default());
        Self { tables }
    }

    pub fn lemma(&self, word: &str, tag: Tag) -> Box<str> {
        let base = base(word, tag);
        let rule = self.tables.get(tag.penn.index()).and_then(|table| table.rule(&base));
        rule.and_then(|rule| rule.apply(&base)).filter(|lemma| !lemma.is_empty()).unwrap_or_else(|| base.into())
    }

    /// The bytes that [`Self::decode`] reads: a line for each rule, deflated.
    pub fn encode(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        for (tag, table) in Penn::ALL.iter().zip(&self.tables) {
            for (kind, rules) in [('=', &table.words), ('-', &table.endings)] {
                lines.extend(rules.iter().map(|(of, rule)| format!("{tag}\t{kind}{of}\t{}\t{}\n", rule.cut, rule.put)));
            }
        }
        lines.sort();
        deflate(lines.concat().as_bytes())
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, WeightsError> {
        let text = String::from_utf8(inflate(bytes)?).map_err(|_| WeightsError::Broken)?;
        let mut lemmas = Self::new(Vec::new());
        for line in text.lines() {
            lemmas.read(line).ok_or(WeightsError::Broken)?;
        }
        Ok(lemmas)
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let mut fields = line.split('\t');
        let table = &mut self.tables[Penn::from_name(fields.next()?)?.index()];
        let of = fields.next()?;
        let rule = Rule { cut: fields.next()?.parse().ok()?, put: fields.next()?.into() };
        let (rules, of) = match of.strip_prefix('=') {
            Some(word) => (&mut table.words, word),
            None => (&mut table.endings, of.strip_prefix('-')?),
        };
        rules.insert(of.into(), rule);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::Upos;

    #[test]
    fn rules_lead_from_word_to_lemma() {
        for (word, lemma) in
            [("flies", "fly"), ("went", "go"), ("same", "same"), ("été", "être"), ("", "x"), ("ab", "abc")]
        {
            assert_eq!(Rule::between(word, lemma).apply(word).as_deref(), Some(lemma));
        }
        assert_eq!(Rule::between("flies", "fly"), Rule { cut: 3, put: "y".into() });
        assert_eq!(Rule { cut: 3, put: "".into() }.apply("ab"), None);
        assert_eq!(endings("été").collect::<Vec<_>>(), ["été", "té", "é", ""]);
        assert_eq!(endings("abcdefgh").next(), Some("cdefgh"));
    }

    #[test]
    fn tables_come_back_and_longer_endings_win() {
        let rule = |cut, put: &str| Rule { cut, put: put.into() };
        let mut table = Table::default();
        table.endings.insert("".into(), rule(0, ""));
        table.endings.insert("ies".into(), rule(3, "y"));
        table.words.insert("ties".into(), rule(1, ""));
        let mut tables = vec![Table::default(); Penn::Nns.index()];
        tables.push(table);
        let lemmas = Lemmas::new(tables);
        assert_eq!(Lemmas::decode(&lemmas.encode()), Ok(lemmas.clone()));
        let tag = Tag { upos: Upos::Noun, penn: Penn::Nns };
        assert_eq!(
            ["Flies", "ties", "sheep"].map(|word| lemmas.lemma(word, tag)),
            ["fly", "tie", "sheep"].map(Box::from)
        );
        assert_eq!(Lemmas::decode(&deflate(b"NN\t-x\tone\ty")), Err(WeightsError::Broken));
    }

    #[test]
    fn irregular_words_have_their_lemmas() {
        let cases = [
            ("went", Upos::Verb, Penn::Vbd, "go"),
            ("left", Upos::Verb, Penn::Vbd, "leave"),
            ("n't", Upos::Part, Penn::Rb, "not"),
            ("children", Upos::Noun, Penn::Nns, "child"),
            ("is", Upos::Aux, Penn::Vbz, "be"),
            ("best", Upos::Adj, Penn::Jjs, "good"),
            ("Flying", Upos::Verb, Penn::Vbg, "fly"),
            ("running", Upos::Verb, Penn::Vbg, "run"),
            ("London", Upos::Propn, Penn::Nnp, "London"),
        ];
        for (word, upos, penn, expected) in cases {
            assert_eq!(&*lemma(word, Tag { upos, penn }), expected, "{word}");
        }
    }
}
