//! The pages under `docs/reference/`: one for each kind of part, and one for the command line.

use std::fmt::Write as _;

use fissure::catalog::Listed;
use fissure_core::{Card, Kind};

pub(super) const HEAD: &str =
    "<!-- Made by `cargo xtask generate` from the code. Edit the code, not this page. -->\n\n";

/// `(path, text)` of every page.
pub fn pages(cards: &[Listed]) -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = Kind::ALL
        .iter()
        .map(|kind| {
            let of_kind: Vec<&Listed> = cards.iter().filter(|listed| listed.card.kind == *kind).collect();
            (format!("docs/reference/{}.md", kind.plural()), page(*kind, &of_kind))
        })
        .collect();
    pages.push(("docs/reference/commands.md".into(), commands()));
    pages
}

fn page(kind: Kind, cards: &[&Listed]) -> String {
    let mut page = format!("{HEAD}# {}\n\n| name | what it does |\n|---|---|\n", title(kind));
    for Listed { card, .. } in cards {
        let _ = writeln!(page, "| [`{}`](#{}) | {} |", card.name, card.name, cell(&card.summary()));
    }
    for listed in cards {
        section(&mut page, listed);
    }
    page
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Transform => "Transformations",
        Kind::Destroyer => "Destroyers",
        Kind::Slice => "Slices",
        Kind::Validator => "Validators",
        Kind::Reader => "Readers",
        Kind::Task => "Tasks",
        Kind::Attack => "Attacks",
        Kind::Goal => "Goals of attacks",
        Kind::Source => "Sources of candidates",
        Kind::Constraint => "Constraints of attacks",
        Kind::Search => "Searches of attacks",
    }
}

fn section(page: &mut String, Listed { card, knobs }: &Listed) {
    let _ = write!(page, "\n## {}\n\n{}\n", card.name, card.text());
    let facts = facts(card);
    if !facts.is_empty() {
        page.push('\n');
    }
    for (what, value) in facts {
        let _ = writeln!(page, "- {what}: {value}");
    }
    if !knobs.is_empty() {
        page.push_str("\n| knob | default | takes | what it does |\n|---|---|---|---|\n");
        for knob in knobs {
            let docs = knob.docs.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(
                page,
                "| `{}` | `{}` | {} | {} |",
                knob.name,
                cell(&knob.default),
                cell(&knob.shape.describe()),
                cell(&docs)
            );
        }
    }
    if !card.examples.is_empty() {
        page.push_str("\n| before | after | with |\n|---|---|---|\n");
        for example in card.examples {
            let with: Vec<String> = example.settings.iter().map(|(name, value)| format!("`{name}={value}`")).collect();
            let _ =
                writeln!(page, "| {} | {} | {} |", cell(example.before), cell(example.after), cell(&with.join(" ")));
        }
    }
}

fn facts(card: &Card) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(expectation) = fissure_tasks::expectation_in_words(card) {
        facts.push(("label", expectation));
    }
    if card.expectation.is_some() || card.kind == Kind::Slice {
        facts.push(("tasks", fissure_tasks::served_in_words(card)));
    }
    facts.extend(card.facts.iter().map(|(what, value)| (*what, (*value).into())));
    if let Some(human) = card.human {
        let ((p0, p1), (g0, g1)) = (human.plausibility, human.grammaticality);
        let scores = format!("plausibility {p0} before, {p1} after; grammaticality {g0} before, {g1} after (of 5)");
        facts.push(("human scores", scores));
    }
    if !card.aliases.is_empty() {
        facts.push(("also called", card.aliases.join(", ")));
    }
    if let Some(citation) = card.citation {
        facts.push(("from", citation.into()));
    }
    // No line number: a page must not go stale because a line moved.
    facts.push(("source", format!("[`{0}`](../../{0})", card.file)));
    facts
}

fn commands() -> String {
    let mut command = fissure::command().term_width(100);
    command.build();
    let mut page = format!("{HEAD}# The command line\n\n```text\n{}```\n", command.render_long_help());
    for sub in command.get_subcommands_mut().filter(|sub| sub.get_name() != "help") {
        let name = sub.get_name().to_owned();
        let _ = write!(page, "\n## fissure {name}\n\n```text\n{}```\n", sub.render_long_help());
    }
    page
}

/// Text that fits in a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "<br>").replace('\r', "")
}
