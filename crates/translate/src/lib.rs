//! A phrase-based statistical translator (Koehn, Och and Marcu 2003), learned for each label from a user's own texts.
//!
//! The way: words are aligned in both directions ([`ibm`]), the two alignments are joined ([`symmetry`]), phrases that
//! agree with the joined one are counted and scored ([`extract`], [`table`]), an n-gram model of the second texts says
//! what sounds right, and a stack decoder with a beam looks for the best sequence of phrases ([`decode`]).
//!
//! Nothing here is good translation, and that is the point: the destroyer `pbsmt` writes what the words of a label
//! usually go with.

mod decode;
mod error;
mod extract;
mod ibm;
mod learn;
mod phrase_file;
mod symmetry;
mod table;
mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;

use fissure_core::{Skip, Translator};

pub use error::{Error, Result};
pub use learn::{Lesson, learn};

use decode::Decoder;

/// The most tokens of a text that are translated: what comes later in a very long text is left out.
const LONGEST: usize = 400;

/// One translator for each label.
#[derive(Debug)]
pub struct Phrases {
    decoders: BTreeMap<String, Decoder>,
    /// The file it came from, for [`Translator::way`].
    place: Option<PathBuf>,
}

impl Phrases {
    /// The labels that can be translated for.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.decoders.keys().map(String::as_str)
    }

    /// How many pairs of phrases are known for each label.
    pub fn sizes(&self) -> impl Iterator<Item = (&str, usize)> {
        self.decoders.iter().map(|(label, decoder)| (label.as_str(), decoder.table.len()))
    }
}

impl Translator for Phrases {
    fn way(&self) -> String {
        match &self.place {
            Some(place) => format!("phrases of {}", place.display()),
            None => "phrases of the training texts".into(),
        }
    }

    fn translate(&self, text: &str, label: Option<&str>) -> std::result::Result<String, Skip> {
        let Some(label) = label else { return Err(Skip("without a label no phrases can be chosen".into())) };
        let Some(decoder) = self.decoders.get(label) else {
            let known: Vec<&str> = self.labels().collect();
            return Err(Skip(
                format!("no phrases were learned for label `{label}`, only for {}", known.join(", ")).into(),
            ));
        };
        let mut tokens = words::tokens(text);
        tokens.truncate(LONGEST);
        let mut translated: Vec<String> = Vec::with_capacity(tokens.len());
        for part in words::parts(&tokens) {
            translated.extend(decoder.decode(part));
        }
        if translated.is_empty() {
            return Err(Skip("the translator had nothing to say".into()));
        }
        Ok(words::joined(&translated))
    }
}
