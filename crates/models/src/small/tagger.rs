//! A tagger of tokens: what a token looks like, an LSTM in each direction, and a linear layer on the two states.
//!
//! A token is four rows side by side: its word in lower case, its last three letters, its first three, and its shape
//! (capitals, digits, marks). Names and rare words are recognised by the last three, which every token has.
//!
//! `config.json` is that of the other small models, with `architecture` `bilstm-tagger` and the lists `endings` and
//! `beginnings` beside `vocab`; `model.safetensors` has a table for each (`emb.weight`, `endings.weight`,
//! `beginnings.weight`, `shapes.weight`), the LSTM's tensors and `fc`.

use std::path::Path;

use hashbrown::HashMap;
use serde_json::{Map, Value, json};

use super::bilstm::BiLstm;
use super::reader::MARKS;
use super::{Body as _, FORMAT, best, in_groups};
use crate::layers::{Linear, Passage};
use crate::tagging::{TokenTagger, Tokenised};
use crate::weights::{self, Config, Tensor, Weights};
use crate::{Error, Result};

/// The name in `config.json`.
pub(super) const ARCHITECTURE: &str = "bilstm-tagger";
/// Letters of an ending or a beginning.
const LETTERS: usize = 3;
/// The tables of a token, in order.
pub(crate) const TABLES: usize = 4;
/// The rows of the table of shapes: row 0, as in every table, is that of `<pad>`, which no token has.
pub(crate) const SHAPES: usize = 11;

/// A tagger with an LSTM in each direction.
#[derive(Debug, Clone)]
pub struct BiLstmTagger {
    pub(crate) features: Features,
    /// One table for each part of a token.
    pub(crate) tables: [Table; TABLES],
    pub(crate) body: BiLstm,
    pub(crate) head: Linear,
    pub(crate) labels: Vec<String>,
    pub(crate) max_words: usize,
    /// What else `config.json` said; it is written back.
    pub(crate) notes: Map<String, Value>,
}

/// Rows of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) width: usize,
    pub(crate) values: Vec<f32>,
}

/// What is known of words and their parts. The first two entries of each list are `<pad>` and `<unk>`.
#[derive(Debug, Clone)]
pub(crate) struct Features {
    /// Words in lower case, endings, beginnings.
    pub(crate) lists: [Vec<String>; 3],
    ids: [HashMap<String, u32>; 3],
}

/// The rows of a token, one in each table.
pub(crate) type TokenIds = [u32; TABLES];

impl Features {
    /// Lists without repetitions; a repeated entry is given back.
    pub(crate) fn new(lists: [Vec<String>; 3]) -> std::result::Result<Self, String> {
        let mut ids: [HashMap<String, u32>; 3] = Default::default();
        for (list, ids) in lists.iter().zip(&mut ids) {
            for (id, entry) in list.iter().enumerate() {
                if ids.insert(entry.clone(), id as u32).is_some() {
                    return Err(entry.clone());
                }
            }
        }
        Ok(Self { lists, ids })
    }

    /// The rows of a token.
    pub(crate) fn read(&self, token: &str) -> TokenIds {
        let parts = parts(token);
        let id = |list: usize| self.ids[list].get(&parts[list]).copied().unwrap_or(super::reader::UNKNOWN);
        [id(0), id(1), id(2), shape(token)]
    }
}

/// A token in lower case, its ending and its beginning.
pub(crate) fn parts(token: &str) -> [String; 3] {
    let lower = token.to_lowercase();
    let count = lower.chars().count();
    let ending: String = lower.chars().skip(count.saturating_sub(LETTERS)).collect();
    let beginning: String = lower.chars().take(LETTERS).collect();
    // Digits are alike: what matters is that they are there.
    let plain = |part: String| part.chars().map(|letter| if letter.is_numeric() { '0' } else { letter }).collect();
    [lower, plain(ending), plain(beginning)]
}

/// What a token looks like, by a number.
fn shape(token: &str) -> u32 {
    let letters = || token.chars().filter(|letter| letter.is_alphabetic());
    let (first, upper) = (token.chars().next(), letters().filter(|letter| letter.is_uppercase()).count());
    let digits = token.chars().filter(|letter| letter.is_numeric()).count();
    match (letters().count(), digits) {
        (0, 0) if token.chars().count() == 1 => 1,
        (0, 0) => 2,
        (0, digits) if digits == token.chars().count() => 3,
        (0, _) => 4,
        (_, 1..) => 5,
        (_, 0) if upper == 0 => 6,
        (1, 0) => 7,
        (letters, 0) if letters == upper => 8,
        _ if upper == 1 && first.is_some_and(char::is_uppercase) => 9,
        _ => 10,
    }
}

impl BiLstmTagger {
    /// The width of a token.
    pub(crate) fn width(&self) -> usize {
        self.tables.iter().map(|table| table.width).sum()
    }

    /// The rows of the tokens that are read.
    pub(crate) fn read(&self, text: Tokenised<'_>) -> Vec<TokenIds> {
        let tokens = text.tokens.iter().take(self.max_words);
        tokens.map(|token| self.features.read(text.text.get(token.clone()).unwrap_or_default())).collect()
    }

    /// The numbers of tokens, row after row.
    pub(crate) fn gather(&self, tokens: &[TokenIds]) -> Vec<f32> {
        let mut rows = Vec::with_capacity(tokens.len() * self.width());
        for ids in tokens {
            for (id, table) in ids.iter().zip(&self.tables) {
                rows.extend_from_slice(&table.values[*id as usize * table.width..][..table.width]);
            }
        }
        rows
    }

    /// Both states at every token of each text, side by side, and what the way back needs. Texts come sorted by falling
    /// length.
    pub(crate) fn states(&self, points: &[&[f32]]) -> ([Vec<Passage>; 2], Vec<Vec<f32>>) {
        let (tape, _) = self.body.forward(points);
        let hidden = self.body.directions[0].hidden();
        let text = |at: usize| {
            let [onward, back] = [0, 1].map(|way| self.body.directions[way].states(&tape[way][at]));
            let rows = onward.chunks_exact(hidden).zip(back.chunks_exact(hidden));
            rows.flat_map(|(onward, back)| [onward, back].concat()).collect()
        };
        let states = (0..points.len()).map(text).collect();
        (tape, states)
    }

    /// Reads a directory that [`BiLstmTagger::save`] wrote.
    pub(crate) fn load(config: &Config, directory: &Path) -> Result<Self> {
        if config.string("format")? != FORMAT {
            return Err(config.bad("format", format!("{FORMAT:?}")));
        }
        if config.string("architecture")? != ARCHITECTURE {
            return Err(Error::UnknownArchitecture {
                path: config.path().to_owned(),
                found: format!("the architecture {:?}", config.string("architecture")?),
                known: format!("only taggers here ({ARCHITECTURE})"),
            });
        }
        let labels = config.strings("labels")?;
        if labels.len() < 2 || labels.len() != config.count("num_classes")? {
            return Err(config.bad("labels", "a list of at least two names, one for each of num_classes"));
        }
        let lists = LISTS.map(|key| config.strings(key).and_then(|list| checked(config, key, list)));
        let [words, endings, beginnings] = lists;
        let features = Features::new([words?, endings?, beginnings?])
            .map_err(|twice| config.bad("vocab", format!("lists without repetition ({twice:?} comes twice)")))?;
        let weights = Weights::open(directory)?;
        let table = |at: usize, rows: usize| {
            let name = format!("{}.weight", TENSORS[at]);
            let width = weights.shape(&name).and_then(|shape| shape.get(1)).copied().unwrap_or(1).max(1);
            weights.get(&name, &[rows, width]).map(|values| Table { width, values })
        };
        let rows = |at: usize| features.lists.get(at).map_or(SHAPES, Vec::len);
        let tables = [table(0, rows(0))?, table(1, rows(1))?, table(2, rows(2))?, table(3, rows(3))?];
        let body = BiLstm::read(&weights, tables.iter().map(|table| table.width).sum())?;
        let head = Linear {
            weight: weights.get("fc.weight", &[labels.len(), body.features()])?,
            bias: weights.get("fc.bias", &[labels.len()])?,
        };
        let mut notes = config.object().clone();
        notes.retain(|key, _| !KEYS.contains(&key.as_str()) && !LISTS.contains(&key.as_str()));
        Ok(Self { features, tables, body, head, labels, max_words: config.count("max_words")?, notes })
    }

    /// Writes `config.json` and `model.safetensors`, which [`crate::tagging::open_tagger`] reads back to the same model,
    /// bit for bit.
    pub fn save(&self, directory: &Path) -> Result<()> {
        let mut config = self.notes.clone();
        let values = [
            json!(FORMAT),
            json!(ARCHITECTURE),
            json!(self.labels.len()),
            json!(self.labels),
            json!(self.max_words),
            json!(self.tables[0].width),
        ];
        config.extend(KEYS.map(str::to_owned).into_iter().zip(values));
        config.extend(LISTS.map(str::to_owned).into_iter().zip(self.features.lists.iter().map(|list| json!(list))));
        let named = TENSORS.iter().zip(&self.tables).map(|(name, table)| Tensor {
            name: format!("{name}.weight"),
            shape: vec![table.values.len() / table.width, table.width],
            values: &table.values,
        });
        let classes = self.labels.len();
        let body = self.body.named();
        let mut tensors: Vec<Tensor<'_>> = named.collect();
        tensors.push(Tensor {
            name: "fc.weight".to_owned(),
            shape: vec![classes, self.body.features()],
            values: &self.head.weight,
        });
        tensors.push(Tensor { name: "fc.bias".to_owned(), shape: vec![classes], values: &self.head.bias });
        let of_body =
            body.iter().map(|(name, shape, values)| Tensor { name: name.clone(), shape: shape.clone(), values });
        tensors.extend(of_body);
        weights::write(directory, &config, &tensors)
    }
}

/// The keys of the lists, and of everything else that is written.
const LISTS: [&str; 3] = ["vocab", "endings", "beginnings"];
const KEYS: [&str; 6] = ["format", "architecture", "num_classes", "labels", "max_words", "embedding_dim"];
/// The names of the tables.
const TENSORS: [&str; TABLES] = ["emb", "endings", "beginnings", "shapes"];

fn checked(config: &Config, key: &str, list: Vec<String>) -> Result<Vec<String>> {
    match list.iter().zip(MARKS).filter(|(found, mark)| found == mark).count() == MARKS.len() {
        true => Ok(list),
        false => Err(config.bad(key, format!("a list that begins with {MARKS:?}"))),
    }
}

impl TokenTagger for BiLstmTagger {
    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn tag_tokens(&self, texts: &[Tokenised<'_>]) -> Result<Vec<Vec<Option<usize>>>> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.tokens.len().min(self.max_words)).collect();
        in_groups(&lengths, BiLstm::GROUP, |group| {
            let rows: Vec<Vec<f32>> = group.iter().map(|text| self.gather(&self.read(texts[*text]))).collect();
            let (_, states) = self.states(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let tag = |(text, states): (&usize, Vec<f32>)| {
                let states = states.chunks_exact(self.body.features());
                let mut tags: Vec<Option<usize>> = states.map(|state| Some(best(&self.head.forward(state)))).collect();
                tags.resize(texts[*text].tokens.len(), None);
                tags
            };
            Ok(group.iter().zip(states).map(tag).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_shapes_by_hand() {
        assert_eq!(parts("Running"), ["running", "ing", "run"]);
        assert_eq!(parts("A1"), ["a1", "a0", "a0"]);
        assert_eq!(parts(""), ["", "", ""]);
        assert_eq!(parts("Ünüb"), ["ünüb", "nüb", "ünü"]);
        let shapes = [".", "...", "1984", "1,984", "B2", "cat", "I", "NATO", "Paris", "iPhone"].map(shape);
        assert_eq!(shapes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(shape(""), 2);
    }
}
