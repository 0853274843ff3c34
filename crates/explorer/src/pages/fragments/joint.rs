//! Several words at once: those that count most, each replaced alone and all together.

use fissure_text::{Kinship, analyse, substitutes};
use maud::{Markup, html};
use serde::Deserialize;

use super::known;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::{Draft, Heat};
use crate::pages::{NEEDS_GRADIENTS, number};
use crate::session::Session;

/// What is asked.
#[derive(Debug, Deserialize)]
pub struct Together {
    #[serde(default)]
    pub model: usize,
    pub kind: String,
    #[serde(flatten)]
    pub draft: Draft,
}

/// How many words are tried together.
const TOGETHER: usize = 6;

pub fn together(session: &Session, visit: &Visit<'_>, asked: &Together) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let kinship = match asked.kind.as_str() {
        "synonym" => Kinship::Synonym,
        "neighbour" => Kinship::Neighbour,
        _ => Kinship::Antonym,
    };
    if session.inside(model).is_none() {
        return Ok(html! { p.empty { (NEEDS_GRADIENTS) } });
    }
    let look = session.look(visit, model, "", &asked.draft)?;
    session.warm(visit, model, &asked.draft, &look, Heat::Ig)?;
    let heat = look.heat(Heat::Ig).unwrap_or_else(|| vec![0.0; look.words.len()]);
    let mut order: Vec<usize> = (0..look.words.len()).collect();
    order.sort_by(|a, b| heat[*b].abs().total_cmp(&heat[*a].abs()).then(a.cmp(b)));
    let texts = [0, 1].map(|field| analyse(asked.draft.field(field)));
    let mut rows = Vec::new();
    // Words far down the list carry nothing; asking for their substitutes would only take time.
    for at in order.into_iter().take(4 * TOGETHER) {
        let word = &look.words[at];
        let found = substitutes(&texts[usize::from(word.field != 0)], word.range.clone());
        let others: Vec<String> =
            found.into_iter().filter(|(kind, _)| *kind == kinship).map(|(_, text)| text).collect();
        if !others.is_empty() {
            rows.push((at, others));
        }
        if rows.len() == TOGETHER {
            break;
        }
    }
    rows.sort_by_key(|(at, _)| *at);
    let predicted = session.labels(model).iter().position(|label| *label == look.row.predicted).unwrap_or(0);
    Ok(html! {
        @if rows.is_empty() { p.empty { "No word that counts has such a substitute." } }
        @else {
            table.together data-model=(model) data-predicted=(predicted) {
                thead {
                    tr {
                        th scope="col" { "word" } th.number.spare scope="col" { "attribution" }
                        th scope="col" { "becomes" } th scope="col" { "alone" }
                    }
                }
                tbody { @for (at, others) in &rows {
                    @let word = &look.words[*at];
                    @let written = word.text(&asked.draft.input());
                    tr data-field=(word.field) data-start=(word.range.start) data-end=(word.range.end) {
                        td { label.take { input type="checkbox" checked; " " (written) } }
                        td.number.spare { (number(heat[*at])) }
                        td {
                            select aria-label=(format!("instead of {written}")) {
                                @for other in others { option value=(other) { (other) } }
                            }
                        }
                        td.checked { "…" }
                    }
                } }
                tfoot { tr { th scope="row" { "all together" } td.spare {} td {} td.checked #all-checked { "…" } } }
            }
            div.actions { button.strong type="button" data-do="put-all" { "Apply all" } }
        }
    })
}
