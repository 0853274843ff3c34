use fissure_core::{Change, Dice, Resources, Sample, Skip, Span, Transform, layer, transform};

use crate::clauses::is_any;
use crate::support::annotated::Annotated;
use crate::support::opinions::{self, How, Turns};

transform! {
    /// Turns the opinion of one aspect of a review round, and its polarity with it.
    ///
    /// `Tasty burgers` becomes `Tasteless burgers`; `and` and `but` between it and what is said of others are set right.
    /// All aspects that the same words judge turn together. An aspect whose opinions cannot all be turned with certainty is
    /// left alone, and so are neutral ones, those in a sentence that weighs one thing against another (`although`, `if`), and
    /// those that other words of the sentence judge once more: 555 of the 847 aspects with opinions of SemEval-2014
    /// restaurants can be turned.
    pub struct RevTgt {
        /// The aspect to turn, by its key in the file or by its term; empty for one that can be turned, drawn.
        aspect: String = String::new();
        /// How to turn an opinion.
        how: How = How::Either;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::ASPECT)],
        languages: &[English],
        aliases: &["RevTgt", "AbsaRevTgt"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Xing et al. 2020 (ARTS)"),
    }
    examples: [
        { aspect = "burgers" } "[Tasty|opinion #1] [burgers|aspect:positive >opinion=1], and [crispy|opinion #2] [fries|aspect:positive >opinion=2]."
            => "[Tasteless|opinion #1] [burgers|aspect:negative >opinion=1], but [crispy|opinion #2] [fries|aspect:positive >opinion=2].",
        "The [staff|aspect:positive >opinion=1] was [attentive|opinion #1]." => "The [staff|aspect:negative >opinion=1] was [inattentive|opinion #1].",
        { how = "negation" } "The [staff|aspect:positive >opinion=1] was very [kind|opinion #1]." => "The [staff|aspect:negative >opinion=1] was not very [kind|opinion #1].",
        "I [recommend|opinion #1] the [soup|aspect:positive >opinion=1]." => "I don't [recommend|opinion #1] the [soup|aspect:negative >opinion=1].",
        "I [trust|opinion #1] the [people|aspect:positive >opinion=1] at Go Sushi, it never disappoints." => "I [trust|opinion #1] the [people|aspect:positive >opinion=1] at Go Sushi, it never disappoints.",
        "Although the [soup|aspect:positive >opinion=1] was [good|opinion #1], we left." => "Although the [soup|aspect:positive >opinion=1] was [good|opinion #1], we left.",
    ]
}

impl Transform for RevTgt {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let aspects = opinions::judged_aspects(sample)?;
        if praises_by_denial(sample) {
            return Ok(Change::default());
        }
        let mut turns = Turns::new(sample, self.how);
        for target in opinions::targets(sample, &aspects, &self.aspect, dice) {
            let group = opinions::sharing(sample, &aspects, target);
            turns.guard(&aspects, &group);
            let Some(edits) = opinions::turn_group(&turns, &aspects, &group) else { continue };
            let change = opinions::change(&turns.annotated, sample, &aspects, &group, edits);
            return Ok(change.on_trial(group.iter().map(|at| aspects[*at].mark).collect()));
        }
        Ok(Change::default())
    }
}

/// Whether a text praises once more in words that no mark has: `it never disappoints`.
fn praises_by_denial(sample: &Sample) -> bool {
    let Some(field) = sample.fields.first() else { return false };
    let annotated = Annotated::of(&field.text);
    let tokens = annotated.analysis().tokens();
    let marked = |at: usize| {
        let span = Span::from(tokens[at].span.clone());
        sample.layer(layer::OPINION).any(|(_, mark)| mark.field == 0 && mark.span.overlaps(span))
    };
    let failing = ["disappoint", "fail", "regret", "complain", "miss"];
    (0..annotated.len()).any(|at| {
        let denied = (1..=3).any(|back| {
            at.checked_sub(back)
                .is_some_and(|before| is_any(annotated.word(before), &["never", "not", "n't", "n\u{2019}t"]))
        });
        denied && failing.contains(&&*annotated.lemma(at)) && !marked(at)
    })
}
