//! Classification of every piece of a text: named entities, parts of speech.

use std::ops::Range;
use std::path::Path;

use super::Encoder;
use super::classifier::labels;
use super::head::TagHead;
use super::layout::Reach;
use super::network::{Keep, Trace};
use crate::kernels::log_softmax;
use crate::small::best;
use crate::tagging::{TokenTagger, Tokenised};
use crate::{Input, Piece, Result};

/// An encoder with a head that gives every piece a label (`...ForTokenClassification`).
#[derive(Debug)]
pub struct Tagger {
    pub(super) encoder: Encoder,
    pub(super) head: TagHead,
    pub(super) labels: Vec<String>,
}

/// A piece of the text and what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedPiece {
    pub piece: Piece,
    /// Natural logarithms of the probabilities of [`Tagger::labels`].
    pub log_probs: Vec<f32>,
}

impl Tagger {
    pub fn open(directory: &Path) -> Result<Self> {
        let (encoder, (head, labels)) = Encoder::open(directory, |reader, network| {
            reader.require("ForTokenClassification")?;
            let classes = reader.classes("classifier")?;
            let head = TagHead(reader.head_linear("classifier", classes, network.width)?);
            Ok((head, labels(reader.config, classes)?))
        })?;
        Ok(Self { encoder, head, labels })
    }

    /// Reads at most `limit` pieces of a text.
    pub fn with_max_length(mut self, limit: usize) -> Result<Self> {
        self.encoder.set_max_length(limit)?;
        Ok(self)
    }

    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The pieces of every text with their labels; marks such as `[CLS]` are left out. A text that is too long for the
    /// model ends early: its last pieces have no labels.
    pub fn tag(&self, inputs: &[Input<'_>]) -> Result<Vec<Vec<TaggedPiece>>> {
        let points = self.encoder.embed(inputs)?;
        let tag = |texts: Range<usize>, trace: &Trace| {
            let (layout, width) = (&trace.batch.layout, self.encoder.network.width);
            let tag_text = |text: usize| {
                let pieces = &points[texts.start + text].pieces;
                let rows = pieces.iter().zip(trace.hidden[layout.text(text).start * width..].chunks_exact(width));
                let in_text = rows.filter(|(piece, _)| piece.source.is_some());
                in_text.map(|(piece, row)| TaggedPiece { piece: piece.clone(), log_probs: self.label(row) }).collect()
            };
            Ok((0..layout.texts()).map(tag_text).collect())
        };
        self.encoder.over_batches(&points, Reach::All, Keep::Nothing, tag)
    }

    fn label(&self, row: &[f32]) -> Vec<f32> {
        let mut logits = vec![0.0; self.head.0.outputs()];
        self.head.0.forward_row(row, &mut logits);
        log_softmax(&logits)
    }
}

impl TokenTagger for Tagger {
    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn tag_tokens(&self, texts: &[Tokenised<'_>]) -> Result<Vec<Vec<Option<usize>>>> {
        let inputs: Vec<Input<'_>> = texts.iter().map(|text| Input::from(text.text)).collect();
        let label = |(tagged, text): (Vec<TaggedPiece>, &Tokenised<'_>)| {
            let (pieces, labels): (Vec<Piece>, Vec<usize>) =
                tagged.into_iter().map(|tagged| (tagged.piece, best(&tagged.log_probs))).unzip();
            first_pieces(&pieces, text.tokens).into_iter().map(|piece| piece.map(|piece| labels[piece])).collect()
        };
        Ok(self.tag(&inputs)?.into_iter().zip(texts).map(label).collect())
    }
}

/// For each token, which stand in the order of the text, the first piece that has bytes of it; `None` if the model does
/// not read as far.
pub(super) fn first_pieces(pieces: &[Piece], tokens: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut from = 0;
    let first = |token: &Range<usize>| {
        let ends_before = |piece: &Piece| piece.source.as_ref().is_none_or(|(_, bytes)| bytes.end <= token.start);
        while pieces.get(from).is_some_and(ends_before) {
            from += 1;
        }
        let starts_in = |piece: &Piece| piece.source.as_ref().is_some_and(|(_, bytes)| bytes.start < token.end);
        pieces.get(from).is_some_and(starts_in).then_some(from)
    };
    tokens.iter().map(first).collect()
}
