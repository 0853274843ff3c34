//! Small models on disk.
//!
//! `config.json` holds `format` (always `fissure-golden-1`), `architecture`, `num_classes`, `labels`, `vocab` (0 is
//! `<pad>` with a zero row, 1 is `<unk>`; `<sep>` where the model reads pairs; for fasttext also bigrams as `"w1 w2"`),
//! `max_words` and `embedding_dim`. Other keys are notes: they are kept and written back. `model.safetensors` holds
//! `emb.weight`, `fc.weight`, `fc.bias` and the tensors of the body under PyTorch's names and in its layout.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::reader::MARKS;
use super::{BiLstm, Body, Cnn, FastText, Reader, Small, SmallModel};
use crate::layers::Linear;
use crate::weights::{self, Config, Tensor, Weights};
use crate::{Error, Model, Offers, Result};

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
        let mut notes = config.object().clone();
        notes.retain(|key, _| !KEYS.contains(&key.as_str()));
        let offers = Offers { labels, probabilities: true, gradients: true };
        Ok(Self { reader, width, table, body, head, offers, notes })
    }

    fn config(&self) -> Map<String, Value> {
        let values = [
            json!(FORMAT),
            json!(B::ARCHITECTURE),
            json!(self.offers.labels.len()),
            json!(self.reader.vocabulary()),
            json!(self.reader.max_words()),
            json!(self.offers.labels),
            json!(self.width),
        ];
        let own = KEYS.map(str::to_owned).into_iter().zip(values);
        own.chain(self.notes.clone()).collect()
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
}
