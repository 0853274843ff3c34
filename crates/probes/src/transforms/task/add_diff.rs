use fissure_core::{Change, Dice, Donors, Edit, Piece, Resources, Sample, Skip, Transform, choices, transform};
use fissure_text::casing;
use fissure_text::polarity::Polarity;

use crate::support::opinions::{self, Aspect};
use crate::support::verdicts::{self, Named, Verdict};

transform! {
    /// Adds clauses about other aspects with the opposite polarity, taken from other reviews.
    ///
    /// The aspect on trial keeps its words and its polarity; the new aspects come with their own. A clause has a subject and
    /// a finite verb and names nothing that the review names already. It follows `, but`, or a semicolon if there is a `but`
    /// already; behind a question it is a sentence of its own.
    pub struct AddDiff {
        /// The aspect on trial, by its key in the file or by its term; empty for one that is drawn.
        aspect: String = String::new();
        /// How many clauses to add.
        clauses: usize = 1, in 1..=3;
        /// Where they go.
        place: Place = Place::End;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::ASPECT)],
        needs: &[Donors],
        languages: &[English],
        aliases: &["AddDiff", "AbsaAddDiff"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Xing et al. 2020 (ARTS)"),
    }
    examples: [
        "[Great|opinion #1] [salad|aspect:positive >opinion=1]."
            => "[Great|opinion #1] [salad|aspect:positive >opinion=1], but the [service|aspect:negative >opinion=2] was [slow|opinion #2].",
        { place = "start" } "The [salad|aspect:positive >opinion=1] was [great|opinion #1]."
            => "The [service|aspect:negative >opinion=1] was [slow|opinion #1], but the [salad|aspect:positive >opinion=2] was [great|opinion #2].",
        "Is the [salad|aspect:positive >opinion=1] not [great|opinion #1]?"
            => "Is the [salad|aspect:positive >opinion=1] not [great|opinion #1]? But the [service|aspect:negative >opinion=2] was [slow|opinion #2].",
    ]
}

choices! {
    /// Where clauses are added.
    pub enum Place { End = "end", Start = "start" }
}

/// How often a donor is drawn for a clause.
const TRIES: usize = 400;

impl Transform for AddDiff {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let Some(donors) = &resources.donors else { return Err(Skip("there are no other samples".into())) };
        let aspects = opinions::aspects(sample)?;
        let named = opinions::named(sample, &aspects, &self.aspect);
        let Some(target) = dice.pick(&named).map(|at| &aspects[*at]) else { return Ok(Change::default()) };
        let text = sample.fields[0].text.as_str();
        if text.trim().is_empty() {
            return Ok(Change::default());
        }
        let found = self.verdicts(sample, target, donors, dice);
        if found.is_empty() {
            return Ok(Change::default());
        }
        let edits = match self.place {
            Place::End => vec![at_the_end(text, target, found)],
            Place::Start => at_the_start(sample, found),
        };
        Ok(Change::from(edits).on_trial(vec![target.mark]))
    }
}

impl AddDiff {
    /// Clauses that judge the other way, about things that the review does not name.
    fn verdicts(&self, sample: &Sample, target: &Aspect, donors: &Donors, dice: &mut Dice) -> Vec<Verdict> {
        let wanted = match target.says {
            Some(Polarity::Positive) => Polarity::Negative,
            Some(Polarity::Negative) => Polarity::Positive,
            None if dice.chance(0.5) => Polarity::Negative,
            None => Polarity::Positive,
        };
        let named = Named::of(sample);
        let mut found: Vec<Verdict> = Vec::new();
        for _ in 0..self.clauses {
            let mut drawn = None;
            donors.draw(sample, dice, TRIES, |donor| {
                let fits = |term: &str, says: Polarity| {
                    says == wanted
                        && !named.has(term)
                        && !found.iter().any(|known| verdicts::is_like(&known.term, term))
                };
                drawn = verdicts::of(donor, fits).into_iter().next();
                drawn.is_some()
            });
            found.extend(drawn);
        }
        found
    }
}

/// `, but the service was slow` before the last mark of the text, or a sentence behind it.
fn at_the_end(text: &str, target: &Aspect, found: Vec<Verdict>) -> Edit {
    let whole = text.trim_end();
    let end = whole.trim_end_matches(['.', '!']);
    let stops = whole.len() - end.len();
    let ends_in_word = end.ends_with(|last: char| last.is_alphanumeric() || last == '%');
    let mut piece = Piece::default();
    if !ends_in_word || stops > 1 {
        // Behind a question, a quotation or dots a sentence of its own reads better.
        let starts = if target.says.is_some() { " But " } else { " " };
        for (at, verdict) in found.into_iter().enumerate() {
            let clause = if starts == " " { capital(verdict.clause) } else { verdict.clause };
            piece = piece + if at == 0 { starts } else { " and " } + clause;
        }
        let stop = if whole.ends_with(|last: char| last.is_alphanumeric()) { "." } else { "" };
        return Edit::put(whole.len()..whole.len(), Piece::words(stop) + piece + ".");
    }
    let has_but = crate::clauses::is_any_in(text, &["but", "although", "though", "however"]);
    let joint = if has_but || target.says.is_none() { "; " } else { ", but " };
    for (at, verdict) in found.into_iter().enumerate() {
        piece = piece + if at == 0 { joint } else { " and " } + verdict.clause;
    }
    Edit::put(end.len()..end.len(), piece)
}

/// `The service was slow, but ` before the text, whose first letter becomes small if the word is not a name.
fn at_the_start(sample: &Sample, found: Vec<Verdict>) -> Vec<Edit> {
    let text = sample.fields[0].text.as_str();
    let start = text.len() - text.trim_start().len();
    let mut piece = Piece::default();
    for (at, verdict) in found.into_iter().enumerate() {
        piece = if at == 0 { capital(verdict.clause) } else { piece + " and " + verdict.clause };
    }
    match verdicts::small_first(sample) {
        Some(small) => {
            let piece = piece + ", but ";
            vec![Edit::put(start..start, piece), small]
        }
        None => vec![Edit::put(start..start, piece + ". ")],
    }
}

fn capital(mut clause: Piece) -> Piece {
    clause.text = casing::title(&clause.text).into_owned();
    clause
}
