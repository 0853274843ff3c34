//! Encoders of the BERT family, read from Hugging Face directories as they are.
//!
//! Ten families (see `family.rs`) share one network; seven of them can be fine-tuned. On top of it: a [`Classifier`] of texts and pairs, which is a
//! [`WhiteBox`](crate::WhiteBox); a [`Tagger`] of pieces; a [`SpanFinder`] for questions; a [`WordGuesser`] for masked
//! words; and a [`SentenceEncoder`] for vectors of whole texts.

mod activation;
mod attention;
mod batches;
mod classifier;
mod distances;
mod dropout;
mod embeddings;
mod family;
mod growth;
mod head;
mod layer;
mod layout;
mod linear;
mod load;
mod masked;
mod network;
mod norm_first;
mod relative;
mod rotary;
mod save;
mod sentence;
mod span;
mod tagger;
mod tokens;
mod train;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

pub use classifier::Classifier;
pub use masked::WordGuesser;
pub use sentence::SentenceEncoder;
pub use span::{FoundSpan, SpanFinder};
pub use tagger::{TaggedPiece, Tagger};
pub use train::{
    FineTuneOptions, FineTuned, Reading, fine_tune, fine_tune_against, fine_tune_reader, fine_tune_tagger,
};

use self::load::Reader;
use self::network::Network;
use self::tokens::{Cut, Tokens};
use crate::weights::{Config, Weights};
use crate::{Embedded, Error, Input, Matrix, Piece, Result};

/// An encoder without a head: what the models of this module are built on.
#[derive(Debug)]
pub(crate) struct Encoder {
    pub network: Network,
    pub tokens: Tokens,
    pub config: Config,
    pub directory: PathBuf,
}

impl Encoder {
    /// Reads a directory; `head` reads what stands on top of the encoder, from the same files.
    pub fn open<H>(directory: &Path, head: impl FnOnce(&Reader<'_>, &Network) -> Result<H>) -> Result<(Self, H)> {
        let config = Config::open(directory)?;
        // The family is checked first: for a model of another kind "a tensor is missing" would mislead.
        load::family(&config)?;
        let weights = Weights::open(directory)?;
        let reader = Reader::new(&config, &weights)?;
        let network = reader.network()?;
        let head = head(&reader, &network)?;
        let words = network.embeddings.word.len() / network.embeddings.width();
        let tokens = Tokens::open(directory, words, network.embeddings.longest())?;
        Ok((Self { network, tokens, config, directory: directory.to_owned() }, head))
    }

    /// Reads an encoder alone, whatever head its directory has.
    pub fn open_alone(directory: &Path) -> Result<Self> {
        Self::open(directory, |_, _| Ok(())).map(|(encoder, ())| encoder)
    }

    /// Refuses families that only answer.
    pub fn check_trainable(&self) -> Result<()> {
        let family = load::family(&self.config)?;
        if family.kind == family::Kind::Bert {
            return Ok(());
        }
        Err(Error::NotTrainable { family: family.model_types.join(" or ") })
    }

    pub fn set_max_length(&mut self, limit: usize) -> Result<()> {
        self.tokens.set_limit(limit, self.network.embeddings.longest())
    }

    /// The pieces of every input, and their rows of the word table.
    pub fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        let embed = |input: &Input<'_>| {
            let Cut { pieces, truncated } = self.tokens.cut(*input)?;
            Ok(self.place(Embedded { pieces, rows: Matrix::default(), truncated }))
        };
        inputs.par_iter().map(embed).collect()
    }

    /// The point with its rows taken from the word table as it is now.
    pub fn place(&self, mut point: Embedded) -> Embedded {
        let (words, width) = (&self.network.embeddings.word, self.network.embeddings.width());
        // Every id has a row: `Tokens::open` has checked the vocabulary.
        let row = |piece: &Piece| &words[piece.id as usize * width..][..width];
        point.rows = Matrix::new(width, point.pieces.iter().map(row).collect::<Vec<_>>().concat());
        point
    }

    /// Refuses points that are not from this model.
    pub fn check(&self, points: &[Embedded]) -> Result<()> {
        let (width, longest) = (self.network.embeddings.width(), self.network.embeddings.longest());
        for (point, Embedded { pieces, rows, .. }) in points.iter().enumerate() {
            let (count, why) = (rows.count(), |why: String| Err(Error::WrongPoint { point, why }));
            if rows.width != width {
                return why(format!("its rows have {} numbers where the model's have {width}", rows.width));
            }
            if count != pieces.len() {
                return why(format!("it has {count} rows for {} pieces", pieces.len()));
            }
            if count == 0 || count > longest {
                return why(format!("it has {count} pieces where the model reads 1 to {longest}"));
            }
        }
        Ok(())
    }
}
