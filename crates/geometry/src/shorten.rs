//! Reading less of a text than the model would.

use fissure_models::{Embedded, Input, WhiteBox};

use crate::Result;

/// The beginnings of texts that are at most `limit` pieces long (marks such as `[CLS]` count, features such as bigrams
/// do not), and whether something was cut. Of a pair the longer text gives way first.
///
/// The texts themselves are cut, at the end of a piece, so every offset stays an offset into the user's own text.
pub fn shortened<'a>(model: &dyn WhiteBox, inputs: &[Input<'a>], limit: usize) -> Result<Vec<(Input<'a>, bool)>> {
    let points = model.embed(inputs)?;
    Ok(inputs.iter().zip(&points).map(|(input, point)| shorten(model, input, point, limit)).collect())
}

fn shorten<'a>(model: &dyn WhiteBox, input: &Input<'a>, point: &Embedded, limit: usize) -> (Input<'a>, bool) {
    let ends = |wanted: u8| -> Vec<usize> {
        let end = |piece: &fissure_models::Piece| match &piece.source {
            Some((field, range)) if *field == wanted && piece.word.is_some() => Some(range.end),
            _ => None,
        };
        point.pieces.iter().filter_map(end).collect()
    };
    let (first, second) = (ends(0), ends(1));
    let is_mark = |at: &usize| point.pieces[*at].source.is_none() && !is_filling(model, point.rows.row(*at));
    let marks = (0..point.pieces.len()).filter(is_mark).count();
    let room = limit.saturating_sub(marks);
    if first.len() + second.len() <= room {
        return (*input, false);
    }
    let of_second = second.len().min((room / 2).max(room.saturating_sub(first.len())));
    let of_first = first.len().min(room - of_second);
    (
        Input { text: cut(input.text, &first, of_first), pair: input.pair.map(|pair| cut(pair, &second, of_second)) },
        true,
    )
}

/// Whether a row stands for no word: padding of short texts, which is no part of their length.
fn is_filling(model: &dyn WhiteBox, row: &[f32]) -> bool {
    match model.blank() {
        Some(blank) => row == blank,
        None => row.iter().all(|value| *value == 0.0),
    }
}

fn cut<'a>(text: &'a str, ends: &[usize], count: usize) -> &'a str {
    let end = match count.checked_sub(1) {
        None => 0,
        Some(last) if count < ends.len() => ends[last],
        Some(_) => text.len(),
    };
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;

    #[test]
    fn the_longer_text_gives_way() {
        let model = Linear::new(1, vec![1.0, 0.0], vec![0.0, 0.0]).with_words(vec![vec![1.0]; 26]);
        let pair = |text, pair| Input { text, pair: Some(pair) };
        let inputs = ["a b c!".into(), pair("a b c d", "x y"), pair("a b", "w x y z"), pair("a b c d", "w x y z")];
        let found = shortened(&model, &inputs, 4).unwrap();
        assert_eq!(found[0], ("a b c!".into(), false));
        assert_eq!(found[1], (pair("a b", "x y"), true));
        assert_eq!(found[2], (pair("a b", "w x"), true));
        assert_eq!(found[3], (pair("a b", "w x"), true));
        assert_eq!(shortened(&model, &inputs[..1], 2).unwrap(), [("a b".into(), true)]);
        assert_eq!(shortened(&model, &inputs[..1], 0).unwrap(), [("".into(), true)]);
    }
}
