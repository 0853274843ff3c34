//! Models that give every token of a text a label, and what they are trained on.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use crate::encoder::Tagger;
use crate::weights::Config;
use crate::{Error, Result, small};

/// A text and the bytes of its tokens, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokenised<'a> {
    pub text: &'a str,
    pub tokens: &'a [Range<usize>],
}

/// A model that gives every token a label.
pub trait TokenTagger: fmt::Debug + Send + Sync {
    /// The names of the labels.
    fn labels(&self) -> &[String];

    /// For each text, the numbers of the labels of its tokens; `None` for tokens behind what the model reads. The labels
    /// of a text depend on that text alone, bit for bit.
    fn tag_tokens(&self, texts: &[Tokenised<'_>]) -> Result<Vec<Vec<Option<usize>>>>;
}

/// A text to learn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedText {
    pub text: String,
    /// The bytes of each token, in the order of the text.
    pub tokens: Vec<Range<usize>>,
    /// The number of the label of each token.
    pub tags: Vec<usize>,
    /// Texts of one source are never split between training and held-out examples.
    pub source: Option<String>,
}

/// Opens a directory with a tagger: one that `fissure train` wrote, or a Hugging Face `...ForTokenClassification` model.
pub fn open_tagger(directory: &Path) -> Result<Box<dyn TokenTagger>> {
    let config = Config::open(directory)?;
    if config.get("format").is_some() {
        return Ok(Box::new(small::BiLstmTagger::load(&config, directory)?));
    }
    Ok(Box::new(Tagger::open(directory)?))
}

/// Refuses texts whose tags are not among `labels`, of which there must be two, or do not fit their tokens.
pub(crate) fn check_tags(texts: &[TaggedText], labels: &[String]) -> Result<()> {
    if labels.len() < 2 {
        let found = format!("{labels:?}");
        return Err(Error::BadOption { option: "labels", found, expected: "at least two labels" });
    }
    for (example, TaggedText { tokens, tags, text, .. }) in texts.iter().enumerate() {
        let in_text = tokens.iter().all(|token| text.get(token.clone()).is_some());
        if tags.len() != tokens.len() || !in_text {
            return Err(Error::BadTags { example, tags: tags.len(), tokens: tokens.len() });
        }
        if let Some(label) = tags.iter().find(|tag| **tag >= labels.len()) {
            return Err(Error::BadLabel { example, label: *label, labels: labels.len() });
        }
    }
    Ok(())
}
