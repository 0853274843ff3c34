//! Reads and writes small models.
//!
//! `config.json` holds `format` (always `fissure-golden-1`), `architecture`, `num_classes`, `labels`, `vocab` (0 is
//! `<pad>` with a zero row, 1 is `<unk>`; `<sep>` where the model reads pairs; for fasttext also bigrams as `"w1 w2"`),
//! `max_words` and `embedding_dim`; `words` is `"han"` for a model that reads Han characters. Other keys are notes: they are kept and written back. `model.safetensors` holds
//! `emb.weight`, `fc.weight`, `fc.bias` and the tensors of the body under PyTorch's names and in its layout.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::reader::MARKS;
use super::words::WordCut;
use super::{BiLstm, Body, Cnn, FastText, Reader, Small, SmallModel};
use crate::layers::Linear;
use crate::weights::{self, Config, Tensor, Weights};
use crate::{Capabilities, Error, Model, Result};

/// The value of `format`.
pub(crate) const FORMAT: &str = "fissure-golden-1";

/// Reads the small model that a `config.json` describes; it reads at most `limit` words of a text.
pub(crate) fn open(config: &Config, directory: &Path, limit: Option<usize>) -> Result<Box<dyn Model>> {
    if config.string("format")? != FORMAT {
        return Err(config.bad("format", format!("{FORMAT:?}")));
    }
    Ok(match config.string("architecture")? {
        FastText::ARCHITECTURE => Box::new(Small::<FastText>::load(config, directory, limit)?),
        Cnn::ARCHITECTURE => Box::new(Small::<Cnn>::load(config, directory, limit)?),
        BiLstm::ARCHITECTURE => Box::new(Small::<BiLstm>::load(config, directory, limit)?),
        super::tagger::ARCHITECTURE => {
            return Err(Error::UnknownArchitecture {
                path: config.path().to_owned(),
                found: "a tagger of tokens".to_owned(),
                known: "only classifiers here; taggers answer the tasks ner and pos".to_owned(),
            });
        }
        other => {
            return Err(Error::UnknownArchitecture {
                path: config.path().to_owned(),
                found: format!("the architecture {other:?}"),
                known: "fasttext, cnn and bilstm in this format".to_owned(),
            });
        }
    })
}

/// The keys that [`Small::save`] writes itself.
const KEYS: [&str; 7] = ["format", "architecture", "num_classes", "vocab", "max_words", "labels", "embedding_dim"];
/// How texts are cut, if not at what is not ASCII.
const WORDS: &str = "words";

impl<B: Body> Small<B> {
    pub(crate) fn load(config: &Config, directory: &Path, limit: Option<usize>) -> Result<Self> {
        let classes = config.count("num_classes")?;
        let labels = match config.get("labels") {
            Some(_) => config.strings("labels")?,
            None => (0..classes).map(|class| class.to_string()).collect(),
        };
        if classes < 2 || labels.len() != classes {
            return Err(
                config.bad("labels", format!("a list of {classes} names, at least two, one for each of num_classes"))
            );
        }
        let vocabulary = config.strings("vocab")?;
        if vocabulary.iter().zip(MARKS).filter(|(found, mark)| found == mark).count() != MARKS.len() {
            return Err(config.bad("vocab", format!("a list of words that begins with {MARKS:?}")));
        }
        let width = config.count("embedding_dim")?;
        let weights = Weights::open(directory)?;
        let table = weights.get("emb.weight", &[vocabulary.len(), width])?;
        let body = B::load(&weights, width)?;
        let head = Linear {
            weight: weights.get("fc.weight", &[classes, body.features()])?,
            bias: weights.get("fc.bias", &[classes])?,
        };
        let most = config.count("max_words")?;
        let max_words = limit.unwrap_or(most).min(most);
        if max_words == 0 {
            return Err(Error::BadLength { limit: max_words, least: 1, most });
        }
        let reader = Reader::new(vocabulary, max_words, body.fewest_rows(), B::BIGRAMS).map_err(|twice| {
            config.bad("vocab", format!("a list of words without repetition (it has {twice:?} twice)"))
        })?;
        let reader = reader.cutting(word_cut(config)?);
        let mut notes = config.object().clone();
        notes.retain(|key, _| !KEYS.contains(&key.as_str()) && key != WORDS);
        let capabilities = Capabilities { labels, probabilities: true, gradients: true };
        Ok(Self { reader, width, table, body, head, capabilities, notes })
    }

    fn config(&self) -> Map<String, Value> {
        let values = [
            json!(FORMAT),
            json!(B::ARCHITECTURE),
            json!(self.capabilities.labels.len()),
            json!(self.reader.vocabulary()),
            json!(self.reader.max_words()),
            json!(self.capabilities.labels),
            json!(self.width),
        ];
        let own = KEYS.map(str::to_owned).into_iter().zip(values);
        let words = self.reader.cut().name().map(|name| (WORDS.to_owned(), json!(name)));
        own.chain(words).chain(self.notes.clone()).collect()
    }
}

/// How a model's texts are cut.
pub(crate) fn word_cut(config: &Config) -> Result<WordCut> {
    match config.get(WORDS) {
        None => Ok(WordCut::Latin),
        Some(name) if name.as_str() == WordCut::Han.name() => Ok(WordCut::Han),
        Some(_) => Err(config.bad(WORDS, "\"han\", or nothing for words in Latin letters".to_owned())),
    }
}

impl<B: Body> SmallModel for Small<B> {
    fn save(&self, directory: &Path) -> Result<()> {
        let (classes, words) = (self.head.bias.len(), self.reader.vocabulary().len());
        let body = self.body.tensors();
        let mut tensors = vec![
            Tensor { name: "emb.weight".to_owned(), shape: vec![words, self.width], values: &self.table },
            Tensor {
                name: "fc.weight".to_owned(),
                shape: vec![classes, self.body.features()],
                values: &self.head.weight,
            },
            Tensor { name: "fc.bias".to_owned(), shape: vec![classes], values: &self.head.bias },
        ];
        tensors.extend(body.iter().map(|(name, shape, values)| Tensor {
            name: name.clone(),
            shape: shape.clone(),
            values,
        }));
        weights::write(directory, &self.config(), &tensors)
    }

    fn vocabulary(&self) -> &[String] {
        self.reader.vocabulary()
    }

    fn word_cut(&self) -> WordCut {
        self.reader.cut()
    }
}
