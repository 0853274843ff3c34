//! The words of an embedded text: what a substitution replaces.

use std::ops::Range;

use fissure_models::{Embedded, Input};

/// A word that the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// 0 = the text, 1 = its pair.
    pub field: u8,
    /// The bytes it covers there.
    pub range: Range<usize>,
    /// Its rows.
    pub pieces: Vec<usize>,
    /// The rows of features that span it with its neighbours (bigrams), and vanish when it is replaced.
    pub features: Vec<usize>,
}

impl Word {
    /// The word as the user wrote it.
    pub fn text<'a>(&self, input: &Input<'a>) -> &'a str {
        let field = if self.field == 0 { Some(input.text) } else { input.pair };
        field.and_then(|text| text.get(self.range.clone())).unwrap_or_default()
    }

    /// The rows of the embedding table it is made of.
    pub fn ids(&self, point: &Embedded) -> Vec<u32> {
        self.pieces.iter().map(|&at| point.pieces[at].id).collect()
    }
}

/// The words of a text, in the order of the model's numbering.
pub fn words_of(point: &Embedded) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut last = None;
    for (at, piece) in point.pieces.iter().enumerate() {
        let (Some((field, range)), Some(number)) = (&piece.source, piece.word) else { continue };
        match words.last_mut() {
            Some(word) if last == Some(number) && word.field == *field => {
                word.range = word.range.start.min(range.start)..word.range.end.max(range.end);
                word.pieces.push(at);
            }
            _ => words.push(Word { field: *field, range: range.clone(), pieces: vec![at], features: Vec::new() }),
        }
        last = Some(number);
    }
    for (at, piece) in point.pieces.iter().enumerate() {
        let (Some((field, range)), None) = (&piece.source, piece.word) else { continue };
        // Words stand in the order of the text, so those under a feature are neighbours.
        let first = words.partition_point(|word| (word.field, word.range.end) <= (*field, range.start));
        for word in words[first..].iter_mut().take_while(|word| word.field == *field && word.range.start < range.end) {
            word.features.push(at);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use fissure_models::{Matrix, Piece};

    use super::*;

    #[test]
    fn pieces_make_words_and_bigrams_span_them() {
        let piece = |source, word| Piece { id: 7, source, word };
        let pieces = vec![
            piece(None, None),
            piece(Some((0, 0..4)), Some(0)),
            piece(Some((0, 4..7)), Some(0)),
            piece(Some((0, 8..10)), Some(1)),
            piece(None, None),
            piece(Some((1, 0..3)), Some(2)),
            piece(Some((0, 0..10)), None),
        ];
        let words = words_of(&Embedded { rows: Matrix::zeros(7, 1), pieces, truncated: false });
        let wanted = |field, range, pieces: &[usize], features: &[usize]| Word {
            field,
            range,
            pieces: pieces.to_vec(),
            features: features.to_vec(),
        };
        assert_eq!(words, [wanted(0, 0..7, &[1, 2], &[6]), wanted(0, 8..10, &[3], &[6]), wanted(1, 0..3, &[5], &[])]);
        let input = Input { text: "playing it", pair: Some("too") };
        assert_eq!(words.iter().map(|word| word.text(&input)).collect::<Vec<_>>(), ["playing", "it", "too"]);
    }
}
