//! The page of the basket: what was kept, and how to download it.

use fissure_geometry::input_of;
use maud::{Markup, html};

use super::{beginning, frame};
use crate::selection::Selection;
use crate::session::Session;

pub fn basket(session: &Session, selection: &Selection) -> Markup {
    let kept = session.basket().kept.clone();
    let flips = kept.iter().filter(|kept| kept.flipped).count();
    let body = html! {
        div.heading { h1 { "Basket" } }
        (place(session))
        @if kept.is_empty() {
            p.empty {
                "Nothing is kept yet. Open "
                a href=(selection.link("/list", |s| s.view = "flips".into())) { "an example" }
                ", change it until the answer flips, and keep it."
            }
        } @else {
            p { b { (kept.len()) } " kept, " b { (flips) } " of them flip the answer." }
            div.actions.export {
                a.button.strong href="/basket.jsonl" download="fissure-basket.jsonl" { "JSON lines" }
                a.button href="/basket.csv" download="fissure-basket.csv" { "CSV" }
            }
            p.note {
                "The files are in the shape of your data, with a column " code { "fissure" }
                " that says where each came from: what " code { "fissure repair testset" } " reads."
            }
            div.scroll { table.examples {
                thead {
                    tr {
                        th scope="col" { "Text" } th scope="col" { "Label" } th scope="col" { "Answer" }
                        th scope="col" { span.hidden { "Remove" } }
                    }
                }
                tbody { @for kept in kept.iter().rev() { tr {
                    td.text {
                        @match kept.example {
                            Some(at) => a href=(selection.link(&format!("/example/{at}"), |_| ())) {
                                (beginning(input_of(&kept.sample).text, 300))
                            },
                            None => (beginning(input_of(&kept.sample).text, 300)),
                        }
                        @if let Some(pair) = input_of(&kept.sample).pair { div.pair { (beginning(pair, 300)) } }
                        div.id { (kept.sample.id)
                            @if kept.changed { span.tag { "made by hand" } }
                            @if kept.example.is_none() { span.tag { "from other data" } } } }
                    td data-name="Label" {
                        (kept.sample.label.as_ref().map_or_else(|| "none".into(), ToString::to_string))
                    }
                    td data-name="Answer" {
                        @if kept.flipped {
                            (kept.was) " → " b { (kept.is) } " " span.tag.flip { "turned" }
                        } @else {
                            (kept.is)
                        }
                    }
                    td {
                        form method="post" action="/basket/remove" {
                            input type="hidden" name="number" value=(kept.number);
                            button aria-label=(format!("Remove {}", kept.sample.id)) { "Remove" }
                        }
                    }
                } } }
            } }
        }
    };
    frame(session, selection, "/basket", "Basket", &body)
}

/// Where the basket lives.
fn place(session: &Session) -> Markup {
    html! {
        @match &session.setup.shelf {
            Some(shelf) => p.note { "Saved in " code { (shelf.name()) } " as you go." },
            None => p.note.warn {
                "This basket is lost when the program ends: save it first, or start with "
                code { "fissure explore --basket FILE" } " to have it saved as you go."
            },
        }
    }
}
