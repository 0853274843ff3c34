use fissure_core::{Dice, Edit, EditSample, Mark, Proposal, Resources, Sample, Skip, layer, transform};
use fissure_text::Penn;

use crate::support::annotated::Annotated;
use crate::support::candidates;
use crate::support::known_names;

transform! {
    /// Adds a relative clause behind a person that a text mentions: `Ann, who had just come back, thanked Eve`.
    ///
    /// The clause says nothing that tells who is meant by a pronoun, and mentions nobody. It stands only behind a name that is
    /// the subject of the verb right behind it.
    pub struct InsertRelativeClause {}
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Kept),
        does: &[AddsWords],
        requires: &[Has::Layer(layer::MENTION)],
        languages: &[English],
        aliases: &["InsertRelativeClause", "WscInsertRelativeClause"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020"),
    }
    examples: [
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." => "[Ann|mention:1], who had just come back, thanked [Eve|mention:0] because [she|mention:0] helped.",
        { seed = "1" } "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." => "[Ann|mention:1], who had arrived early, thanked [Eve|mention:0] because [she|mention:0] helped.",
        "The man knew that [Tom Brown|mention:0] left. [He|mention:0] was ill." => "The man knew that [Tom Brown|mention:0], who had just come back, left. [He|mention:0] was ill.",
        "[Ann|mention:1] and [Eve|mention:0] left." => "[Ann|mention:1] and [Eve|mention:0] left.",
    ]
}

/// Clauses that anybody may be said to, beside what happened. Written for this project.
const PAST: &[&str] = &[
    "who had just come back",
    "who was wearing a coat",
    "who had been in town for a week",
    "who had slept well",
    "who was there that day",
    "who had read the news",
    "who had a busy week",
    "who lived nearby at the time",
    "who had arrived early",
    "who was sitting near the window",
];
/// The same beside what happens, as plots tell it.
const PRESENT: &[&str] = &[
    "who has just come back",
    "who is wearing a coat",
    "who has been in town for a week",
    "who has slept well",
    "who is there that day",
    "who has read the news",
    "who has had a busy week",
    "who lives nearby",
    "who has arrived early",
    "who is sitting near the window",
];

impl EditSample for InsertRelativeClause {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        if sample.layer(layer::MENTION).next().is_none() {
            return Err(Skip("there is no mention".into()));
        }
        let annotated = Annotated::of(&field.text);
        let tokens = annotated.analysis().tokens();
        let takes = |mark: &&Mark| {
            let first = tokens.iter().position(|token| token.span.start == mark.span.start);
            let last = tokens.iter().position(|token| token.span.end == mark.span.end);
            let (Some(first), Some(last)) = (first, last) else { return false };
            // A clause about one day does not go with what is always so: `is her best friend`.
            let acts = !["be", "have", "do"].contains(&&*annotated.lemma(last + 1));
            let verb = acts && matches!(annotated.penn(last + 1), Some(Penn::Vbd | Penn::Vbz | Penn::Vbp));
            let free = first == 0
                || !matches!(
                    annotated.penn(first - 1),
                    Some(
                        Penn::In
                            | Penn::Cc
                            | Penn::To
                            | Penn::Nnp
                            | Penn::Nn
                            | Penn::Vbd
                            | Penn::Vbz
                            | Penn::Vbp
                            | Penn::Vbg
                    )
                )
                || ["that", "because", "when", "while", "if"].contains(&annotated.word(first - 1));
            let person = candidates::gender_of(sample.words_of(mark)).is_some();
            let inside = sample.marks.iter().any(|other| {
                other.layer == layer::MENTION && other.span.start < mark.span.end && mark.span.end < other.span.end
            });
            mark.field == 0
                && verb
                && free
                && person
                && !inside
                && known_names::takes_aside(&annotated, &(first..last + 1))
        };
        let places: Vec<usize> =
            sample.layer(layer::MENTION).map(|(_, mark)| mark).filter(takes).map(|mark| mark.span.end).collect();
        let Some(at) = dice.pick(&places) else { return Ok(Vec::new()) };
        let verb = tokens.iter().position(|token| token.span.start >= *at);
        let past = verb.and_then(|verb| annotated.penn(verb)) == Some(Penn::Vbd);
        let Some(clause) = dice.pick(if past { PAST } else { PRESENT }) else { return Ok(Vec::new()) };
        let comma = if field.from_tokens { " ," } else { "," };
        Ok(vec![Edit::insert(*at, format!("{comma} {clause}{comma}"))])
    }
}
