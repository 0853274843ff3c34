use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Span, Transform, choices, layer, transform};
use fissure_text::Penn;
use fissure_text::names::instances::{self, Kind};

use crate::support::annotated::Annotated;
use crate::support::known_names;

transform! {
    /// Adds a clause behind the subject or the object of a relation, which says nothing about the relation.
    ///
    /// A well-known person or place gets a description from WordNet (`Paris, the capital of France, signed ...`), anything
    /// else a clause that says no more than that it exists (`which had been mentioned before`). Nothing is added inside a
    /// longer phrase, or if the description names the other argument.
    pub struct InsertClause {
        /// What is added.
        kind: What = What::Either;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Kept),
        does: &[Rewrites],
        requires: &[Has::Layer(layer::SUBJECT), Has::Layer(layer::OBJECT)],
        languages: &[English],
        aliases: &["InsertClause", "ReInsertClause"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.37, 3.40), grammaticality: (3.89, 3.95) }),
    }
    examples: [
        "[Lisbon|subject] signed [Anna Keller|object]. // label:: member" => "[Lisbon|subject], the capital and largest city and economic and cultural center of Portugal, signed [Anna Keller|object]. // label:: member",
        { kind = "mention" } "The [child|subject] was wrapped in a [cradle|object]. // label:: content" => "The [child|subject], who was named in the report, was wrapped in a [cradle|object]. // label:: content",
        "They aged [maize|subject] [spirits|object]. // label:: product" => "They aged [maize|subject] [spirits|object]. // label:: product",
        { seed = "2" } "The [child|subject] was wrapped in a [cradle|object]. // label:: content" => "The [child|subject], who was named in the report, was wrapped in a [cradle|object]. // label:: content",
    ]
}

choices! {
    /// What is added behind an argument.
    pub enum What { Either = "either", Description = "description", Mention = "mention" }
}

/// Clauses that say nothing of a thing but that it is spoken of.
const THINGS: &[&str] = &[
    "which had been mentioned before",
    "which was mentioned again later",
    "which was described in the report",
    "which several people mentioned",
];
const PEOPLE: &[&str] = &[
    "who had been mentioned before",
    "who was mentioned again later",
    "who was named in the report",
    "whom several people mentioned",
];

impl Transform for InsertClause {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let argument = |layer: &str| sample.layer(layer).find(|(_, mark)| mark.field == 0).map(|(_, mark)| mark.span);
        let (Some(subject), Some(object)) = (argument(layer::SUBJECT), argument(layer::OBJECT)) else {
            return Err(Skip("subject or object is not marked".into()));
        };
        let annotated = Annotated::of(&field.text);
        let mut found: Vec<(usize, String)> = Vec::new();
        for (here, other, column) in [(subject, object, "subj_type"), (object, subject, "obj_type")] {
            let kind = sample.extra.iter().find(|(name, _)| **name == *column).and_then(|(_, kind)| kind.as_str());
            let said = self.aside(&annotated, here, (other.of(&field.text), kind), dice);
            found.extend(said.filter(|_| takes(&annotated, here, other)).map(|said| (here.end, said)));
        }
        let Some((at, said)) = dice.pick(&found) else { return Ok(Change::default()) };
        let rest = field.text[*at..].trim_start();
        let spaced = if field.from_tokens { " ," } else { "," };
        let closes = if rest.is_empty() || rest.starts_with(['.', '!', '?', ',', ';', ':', ')']) { "" } else { spaced };
        Ok(Edit::insert(*at, format!("{spaced} {said}{closes}")).into())
    }
}

impl InsertClause {
    /// What to say of the argument at `here`, which a column may say the type of.
    fn aside(
        &self,
        annotated: &Annotated,
        here: Span,
        (other, kind): (&str, Option<&str>),
        dice: &mut Dice,
    ) -> Option<String> {
        let name = here.of(annotated.analysis().text());
        let known = instances::find(name).filter(|one| one.kind == Kind::Place || name.contains(' '));
        // `Paris` of the type PERSON is no town.
        let described =
            known.filter(|_| kind.is_none_or(|kind| kind != "PERSON")).map(|one| one.said()).filter(|said| {
                !other
                    .split_whitespace()
                    .any(|word| word.len() > 2 && said.to_lowercase().contains(&word.to_lowercase()))
            });
        match self.kind {
            What::Description => described,
            What::Either if described.is_some() => described,
            _ => {
                // London is a surname as well, and where the data say `CITY` a city.
                let person = kind.map_or_else(|| is_person(annotated, here), |kind| ["PERSON", "PER"].contains(&kind));
                dice.pick(if person { PEOPLE } else { THINGS }).map(|clause| (*clause).to_owned())
            }
        }
    }
}

fn is_person(annotated: &Annotated, here: Span) -> bool {
    let name = here.of(annotated.analysis().text());
    let words: Vec<&str> = name.split_whitespace().collect();
    let last = words.last().map_or(String::new(), |word| word.to_lowercase());
    let lemma = fissure_text::inflection::lemma(&last, "NNS").map_or(last.clone(), |lemma| lemma.into_owned());
    let topic =
        fissure_text::wordnet::senses(&lemma, fissure_text::inflection::Kind::Noun).next().map(|sense| sense.topic());
    crate::support::names::is_plain_person(&words) || topic == Some("noun.person")
}

/// Whether a clause can stand behind the argument: it ends a phrase before a verb or a mark, and is not inside the other.
fn takes(annotated: &Annotated, here: Span, other: Span) -> bool {
    let tokens = annotated.analysis().tokens();
    let Some(last) = tokens.iter().position(|token| token.span.end == here.end) else { return false };
    let Some(first) = tokens.iter().position(|token| token.span.start == here.start) else { return false };
    let next = last + 1;
    let ends = annotated.word(next).is_empty() || [".", "!", "?", ";"].contains(&annotated.word(next));
    let verb = matches!(annotated.penn(next), Some(Penn::Vbd | Penn::Vbz | Penn::Vbp | Penn::Md));
    let noun = matches!(annotated.penn(last), Some(Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps));
    // Behind `of the child` the clause could be about what comes before.
    let heads_phrase = first == 0 || !matches!(annotated.penn(first - 1), Some(Penn::In)) || ends;
    let bare_plural = matches!(annotated.penn(last), Some(Penn::Nns));
    // `aged maize spirits`: the other argument goes on with the phrase, whatever its tag.
    let goes_on = tokens.get(next).is_some_and(|token| other.covers(token.span.clone().into()));
    noun && !bare_plural
        && !goes_on
        && (ends || verb)
        && heads_phrase
        && !here.overlaps(other)
        && known_names::takes_aside(annotated, &(first..next))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use fissure_core::{Anchor, Mark};

    use super::*;

    #[test]
    fn the_type_of_the_data_says_who_is_a_person() {
        let mut sample = Sample::of_text("1", "London signed Mbappe");
        for (layer, start, end) in [(layer::SUBJECT, 0, 6), (layer::OBJECT, 14, 20)] {
            sample.marks.push(Mark::new(layer, 0, Span::new(start, end), "", Anchor::Rigid));
        }
        let types = [("subj_type", "CITY"), ("obj_type", "PERSON")];
        sample.extra.extend(types.map(|(name, kind)| (Arc::from(name), kind.into())));
        let part = InsertClause { kind: What::Mention };
        let annotated = Annotated::of(&sample.fields[0].text);
        for seed in 0..10 {
            let mut dice = Dice::new(seed, &["types"]);
            let said = part.aside(&annotated, Span::new(0, 6), ("Mbappe", Some("CITY")), &mut dice).unwrap_or_default();
            assert!(said.starts_with("which"), "{said}");
            let change = part.propose(&sample, &mut dice, &Resources::default()).unwrap_or_default();
            assert!(change.edits.iter().all(|edit| edit.span.start != 6 || edit.with.contains("which")), "{change:?}");
        }
    }
}
