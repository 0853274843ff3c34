use fissure_core::{Change, Dice, Edit, Piece, Resources, Sample, Skip, Span, Text, Transform, transform};
use fissure_text::chinese::sentences;

use crate::support::annotated::Annotated;
use crate::support::chinese;

transform! {
    /// Puts the sentences of a text into another order.
    ///
    /// Every sentence stays as it is, with its labels; a last one without a full stop keeps its place. A text of one sentence is
    /// left alone.
    pub struct SentenceOrderSwap {}
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Kept),
        requires: &[Has::Class, Has::Sense(Sense::Positive)],
        languages: &[English, Chinese],
        aliases: &["SentenceOrderSwap", "CnSentenceOrderSwap"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "The food was good. We will come again. // label:: positive" => "We will come again. The food was good. // label:: positive",
        "房间很大。服务也好！ // label:: positive" => "服务也好！房间很大。 // label:: positive",
        "一楼吵。二楼安静。早餐不错 // label:: positive" => "二楼安静。一楼吵。早餐不错 // label:: positive",
        "价格便宜。&#20013;服务好。 // label:: positive" => "&#20013;服务好。价格便宜。 // label:: positive",
        "房间很大 // label:: positive" => "房间很大 // label:: positive",
    ]
}

impl Transform for SentenceOrderSwap {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let mut spans = spans(&field.text);
        if spans.last().is_some_and(|last| last.of(&field.text).ends_with(char::is_alphanumeric)) {
            spans.pop();
        }
        let mut order: Vec<usize> = (0..spans.len()).collect();
        // A few throws find another order; two equal sentences have none.
        let changes = |order: &[usize]| {
            order.iter().zip(&spans).any(|(at, span)| spans[*at].of(&field.text) != span.of(&field.text))
        };
        for _ in 0..8 {
            dice.shuffle(&mut order);
            if changes(&order) {
                break;
            }
        }
        // What would take the place of an equal sentence stays instead.
        for at in 0..order.len() {
            if spans[order[at]].of(&field.text) == spans[at].of(&field.text)
                && let Some(place) = order.iter().position(|other| *other == at)
            {
                order.swap(at, place);
            }
        }
        let moved = order.iter().zip(&spans).filter(|(at, span)| spans[**at] != **span);
        let edits = moved.map(|(at, span)| Edit::put(*span, Piece::cut(sample, 0, spans[*at])));
        Ok(if changes(&order) { edits.collect::<Vec<_>>().into() } else { Change::default() })
    }
}

/// The sentences of a text.
fn spans(text: &Text) -> Vec<Span> {
    if chinese::is_chinese(text) {
        return sentences(text).into_iter().map(Span::from).collect();
    }
    let annotated = Annotated::of(text);
    let analysis = annotated.analysis();
    analysis
        .sentences()
        .iter()
        .map(|tokens| Span::from(analysis.bytes(tokens.clone())))
        // A quote or an ellipsis that stands alone belongs to its neighbour.
        .filter(|span| span.of(text).contains(char::is_alphabetic))
        .collect()
}
