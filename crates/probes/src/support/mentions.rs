//! What the parts that move the sentences of a document share: which sentences may go, and what happens to mentions.

use fissure_core::{Change, Dice, Donors, Piece, Sample, Skip, Span, layer};

use super::sentences;

/// How often a donor is drawn before a sentence is left alone.
const TRIES: usize = 200;

/// The attribute of a mention that the format of the file needs exactly once (GAP: the pronoun, A and B).
const WHO: &str = "who";

/// The sentences of a document that may be edited.
pub(crate) fn sentences_of(sample: &Sample) -> Result<Vec<Span>, Skip> {
    let open = sample.fields.first().is_some_and(|field| field.open);
    if !open {
        return Err(Skip("the text may not be edited".into()));
    }
    let found = sentences::spans(sample, 0);
    // The border of a sentence may run through a mention: then it cannot move.
    let whole = |sentence: &Span| {
        let cuts = |mark: Span| sentence.overlaps(mark) && !sentence.covers(mark);
        !sample.layer(layer::MENTION).any(|(_, mark)| mark.field == 0 && cuts(mark.span))
    };
    if found.iter().all(whole) { Ok(found) } else { Err(Skip("a mention goes over the end of a sentence".into())) }
}

/// Whether a sentence has a mention that the file needs exactly once.
pub(crate) fn is_pinned(sample: &Sample, sentence: Span) -> bool {
    let pins = |(_, mark): (usize, &fissure_core::Mark)| {
        mark.field == 0 && sentence.overlaps(mark.span) && mark.attributes.iter().any(|(name, _)| &**name == WHO)
    };
    sample.layer(layer::MENTION).any(pins)
}

/// How many of `n` sentences a rate is, at least one.
pub(crate) fn share(rate: f64, n: usize) -> usize {
    if rate <= 0.0 { 0 } else { ((rate * n as f64).round() as usize).clamp(1.min(n), n) }
}

/// Takes the mark off every mention that is alone in its cluster when the mentions of the `gone` sentences are: it means
/// the same as nothing.
pub(crate) fn without_singles(mut change: Change, sample: &Sample, gone: &[Span]) -> Change {
    let is_gone = |span: Span| gone.iter().any(|sentence| sentence.covers(span));
    let stays: Vec<(usize, &str)> = sample
        .layer(layer::MENTION)
        .filter(|(_, mark)| !(mark.field == 0 && is_gone(mark.span)))
        .map(|(index, mark)| (index, &*mark.value))
        .collect();
    let was = |value: &str| sample.layer(layer::MENTION).filter(|(_, mark)| mark.value == value).count();
    for (index, value) in &stays {
        let alone = stays.iter().filter(|(_, other)| other == value).count() == 1;
        let pinned = sample.marks[*index].attributes.iter().any(|(name, _)| &**name == WHO);
        if alone && was(value) > 1 && !pinned {
            change = change.without_mark(*index);
        }
    }
    change
}

/// A sentence of another document, without mentions and without a pronoun that could refer to ours.
pub(crate) fn foreign(sample: &Sample, donors: &Donors, dice: &mut Dice) -> Option<Piece> {
    let is_list = |sample: &Sample| sample.layer(layer::TOKEN).next().is_some();
    let usable = |donor: &Sample, span: &Span| {
        let text = span.of(&donor.fields[0].text);
        !text.trim().is_empty() && !sentences::refers(text) && !sentences::links_back(text)
    };
    let fits = |donor: &Sample| {
        donor.fields.len() == 1
            && is_list(donor) == is_list(sample)
            && sentences::spans(donor, 0).iter().any(|span| usable(donor, span))
    };
    let donor = donors.draw(sample, dice, TRIES, fits)?;
    let spans: Vec<Span> = sentences::spans(donor, 0).into_iter().filter(|span| usable(donor, span)).collect();
    let mut piece = Piece::of_donor(donor, 0, *dice.pick(&spans)?);
    piece.labels.marks.retain(|brought| brought.mark.layer != layer::MENTION);
    // Links of tokens would point at places that have moved.
    piece.labels.links.clear();
    Some(piece)
}
