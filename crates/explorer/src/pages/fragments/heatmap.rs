//! The text with its words painted by how much they count: by colour, by the line below them, and in numbers.

use fissure_core::Language;
use maud::{Markup, html};

use crate::inspection::{Draft, Heat, Inspection};
use crate::pages::number;

/// Words that can be clicked; of a longer text the rest is shown plainly.
const MOST: usize = 1500;
/// Steps of colour.
const STEPS: f64 = 5.0;

pub fn painted(model: usize, draft: &Draft, look: &Inspection, heat: Heat) -> Markup {
    let values = look.heat(heat).unwrap_or_else(|| vec![0.0; look.words.len()]);
    let strongest = values.iter().map(|value| value.abs()).filter(|value| value.is_finite()).fold(0.0, f64::max);
    let class = |value: f64| {
        let step = if strongest > 0.0 { (STEPS * value.abs() / strongest).ceil() } else { 0.0 };
        let sign = if heat == Heat::EMax {
            "share"
        } else if value < 0.0 {
            "neg"
        } else {
            "pos"
        };
        format!("word {sign} h{step:.0}")
    };
    let title = Heat::ALL
        .iter()
        .find(|(one, ..)| *one == heat)
        .map_or("without it, the answer falls by", |(_, _, title)| title);
    let field = |field: u8| {
        let text = draft.field(field);
        let mut done = 0;
        let mut parts = Vec::new();
        for (at, word) in look.words.iter().enumerate().filter(|(_, word)| word.field == field).take(MOST) {
            let (Some(before), Some(written)) = (text.get(done..word.range.start), text.get(word.range.clone())) else {
                continue;
            };
            parts.push(html! {
                (before)
                button type="button" tabindex="-1" class=(class(values[at])) data-field=(field)
                    data-start=(word.range.start) data-end=(word.range.end)
                    title=(format!("{title} {}", number(values[at]))) { (written) }
            });
            done = word.range.end;
        }
        let rest = text.get(done..).unwrap_or("");
        let shown = rest.char_indices().nth(20_000).map_or(rest.len(), |(at, _)| at);
        html! {
            @for part in parts { (part) } (rest[..shown])
            @if shown < rest.len() { span.note { " … " (rest.len() - shown) " more bytes" } }
        }
    };
    html! {
        p.text role="toolbar" aria-label="The words of the text: arrow keys move, Enter opens" dir="auto"
            lang=[Language::of(&draft.text).tag()] data-model=(model) {
            (field(0)) @if draft.text.trim().is_empty() { i { "(no text)" } }
        }
        @if draft.pair.is_some() {
            p.text.pair role="toolbar" aria-label="The words of the second text" dir="auto"
                lang=[draft.pair.as_deref().and_then(|pair| Language::of(pair).tag())] data-model=(model) {
                (field(1))
            }
        }
        @if look.row.truncated { p.note.warn { "The text is longer than the model reads; the end plays no part." } }
    }
}

/// The same as a table.
pub fn word_numbers(draft: &Draft, look: &Inspection) -> Markup {
    let measured: Vec<(&str, Vec<f64>)> =
        Heat::ALL.into_iter().filter_map(|(heat, _, title)| Some((title, look.heat(heat)?))).collect();
    html! {
        details.numbers { summary { "Numbers of the words" }
            div.scroll { table {
                thead {
                    tr {
                        th scope="col" { "word" }
                        @for (title, _) in &measured { th.number scope="col" { (title) } }
                    }
                }
                tbody {
                    @for (at, word) in look.words.iter().enumerate().take(MOST) { tr {
                        td { (word.text(&draft.input())) }
                        @for (_, values) in &measured { td.number { (number(values[at])) } }
                    } }
                }
            } }
            @if look.row.tokens.is_none() {
                @if let Some(left) = look.heat(Heat::LeaveOneOut) {
                    p.note { "By leaving each word out: the largest fall of the answer is " (number(left.iter().copied().fold(0.0, f64::max))) "." }
                } @else {
                    p.note { "Scores of words need gradients; colour them by leaving each out." }
                }
            } @else if measured.len() < Heat::ALL.len() {
                p.note { "Integrated gradients take fifty passes: they are measured when they colour the words." }
            }
            @if look.words.len() > MOST { p.note { "The first " (MOST) " of " (look.words.len()) " words." } }
        }
    }
}
