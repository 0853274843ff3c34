//! New words with the labels of tokens: a tag of the tag set of the file, its further columns, and a head if it has trees.

use fissure_core::{Anchor, BroughtLink, End, Mark, Piece, Sample, Skip, Span, layer};
use fissure_text::{Penn, Tag, Upos};

/// What the tokens of a sample have that new words need as well.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenLabels<'s> {
    sample: &'s Sample,
    /// A token to take the names of the columns from.
    like: &'s Mark,
    /// `None` if the tokens have no tags.
    set: Option<TagSet>,
}

/// A tag set that every word of ours has a tag in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagSet {
    Universal,
    Penn,
}

impl<'s> TokenLabels<'s> {
    /// The labels of tokens with parts of speech or heads; `None` for texts without tokens, and for tokens of which only some
    /// are labelled (names, mentions), where new words need none.
    ///
    /// # Errors
    /// Tags of a tag set that is not known.
    pub fn of(sample: &'s Sample) -> Result<Option<Self>, Skip> {
        let tokens = || sample.layer(layer::TOKEN).map(|(_, mark)| mark);
        let Some(like) = tokens().next() else { return Ok(None) };
        let names = sample.layer(layer::ENTITY).next().is_some() || tokens().any(|mark| mark.value == "O");
        let tagged = tokens().any(|mark| !mark.value.is_empty() && mark.value != "_");
        let has_heads = sample.links.iter().any(|link| link.layer == layer::HEAD || link.layer == layer::ROOT);
        if names || (!tagged && !has_heads) {
            return Ok(None);
        }
        let all = |known: fn(&str) -> bool| tokens().all(|mark| known(&mark.value));
        let set = match tagged {
            false => None,
            true if all(|tag| Upos::from_name(tag).is_some()) => Some(TagSet::Universal),
            true if all(|tag| Penn::from_name(tag).is_some()) => Some(TagSet::Penn),
            true => return Err(Skip("the tags are of a tag set that is not known, and new words need tags".into())),
        };
        Ok(Some(Self { sample, like, set }))
    }

    /// Whether every token hangs on another.
    pub fn has_heads(&self) -> bool {
        self.sample.links.iter().any(|link| link.layer == layer::HEAD || link.layer == layer::ROOT)
    }

    /// The token that begins at a byte of the text, by the index of its mark.
    pub fn token_at(&self, start: usize) -> Option<usize> {
        self.sample.layer(layer::TOKEN).find(|(_, mark)| mark.span.start == start).map(|(index, _)| index)
    }

    /// Whether the token with this mark is one of these words.
    pub fn is_any(&self, mark: usize, words: &[&str]) -> bool {
        let is = |mark: &Mark| words.contains(&mark.span.of(&self.sample.fields[mark.field].text));
        self.sample.marks.get(mark).is_some_and(is)
    }

    /// The token behind the one with this mark.
    pub fn next(&self, mark: usize) -> Option<usize> {
        let here = self.sample.marks.get(mark)?;
        let behind = self
            .sample
            .layer(layer::TOKEN)
            .filter(|(_, other)| other.field == here.field && other.span.start >= here.span.end);
        behind.min_by_key(|(_, other)| other.span.start).map(|(index, _)| index)
    }

    /// Words with a space before each, or behind each.
    pub fn words(&self, words: &[(&str, Tag)], space_first: bool) -> Piece {
        let mut piece = Piece::words("");
        for (word, tag) in words {
            if space_first {
                piece.text.push(' ');
            }
            let span = Span::new(piece.text.len(), piece.text.len() + word.len());
            piece.text += word;
            if !space_first {
                piece.text.push(' ');
            }
            piece = piece.mark(self.mark(span, word, *tag));
        }
        piece
    }

    /// One word that hangs on the token with this mark, if the tokens have heads.
    pub fn hung(&self, word: &str, tag: Tag, on: usize, relation: &str) -> Piece {
        let mut piece = self.words(&[(word, tag)], false);
        if self.has_heads() {
            let link = BroughtLink {
                layer: layer::HEAD,
                from: End::Brought(0),
                to: End::Kept(on),
                value: relation.to_owned(),
            };
            piece.labels.links.push(link);
        }
        piece
    }

    fn mark(&self, span: Span, word: &str, tag: Tag) -> Mark {
        let value = match self.set {
            Some(TagSet::Universal) => tag.upos.as_str(),
            Some(TagSet::Penn) => tag.penn.as_str(),
            None => "",
        };
        let mut mark = Mark::new(layer::TOKEN, 0, span, value, Anchor::Elastic);
        tell_more(&mut mark, self.like, word, tag);
        mark
    }
}

/// Further columns of a new token that are known: its tags and its lemma.
pub(crate) fn tell_more(mark: &mut Mark, like: &Mark, word: &str, tag: Tag) {
    let lemma = fissure_text::lemma(word, tag);
    let told = |name: &str| match name {
        "upos" => Some(tag.upos.as_str().to_owned()),
        "xpos" => Some(tag.penn.as_str().to_owned()),
        "lemma" => Some(lemma.to_string()),
        _ => None,
    };
    mark.attributes = like.attributes.iter().filter_map(|(name, _)| Some((name.clone(), told(name)?.into()))).collect();
}

#[cfg(test)]
mod tests {
    use fissure_core::example;

    use super::*;

    #[test]
    fn tags_are_those_of_the_file() {
        let adverb = Tag { upos: Upos::Adv, penn: Penn::Rb };
        for (tokens, tag) in [("[He|token:PRON] [left|token:VERB]", "ADV"), ("[He|token:PRP] [left|token:VBD]", "RB")] {
            let sample = example::read(tokens).expect("an example");
            let labels = TokenLabels::of(&sample).expect("known tags").expect("tags");
            assert_eq!(labels.words(&[("really", adverb)], false).labels.marks[0].mark.value, tag);
        }
        let plain = example::read("[Ann|token:O] [left|token:O]").expect("an example");
        assert!(matches!(TokenLabels::of(&plain), Ok(None)));
        let strange = example::read("[Ann|token:NP1] [left|token:VVD]").expect("an example");
        assert!(TokenLabels::of(&strange).is_err());
    }
}
