use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Text, Transform, transform};

use crate::support::opinions::{self, How, Turns};

transform! {
    /// Turns what a review says of the other aspects, while one aspect keeps its opinion and its polarity.
    ///
    /// Aspects that are judged like the target turn round, with their polarity; those that are judged the other way already
    /// are judged more strongly (`very`, `really`), and beside a neutral target all are. Words that judge the target too are
    /// never turned, but one judgement of several things can be parted (`great food but terrible service`), or the others are taken
    /// out of it: `The food, but not the service, was great`. Only the target is on trial. Many reviews name one aspect only. And
    /// what a review says besides its judgements often argues for one of them: a reason, advice, a plan, praise of the whole (`I
    /// come back for the food`). So opinions turn round only in reviews that do no more than report (`The food is great and the
    /// staff is friendly`). In others a judgement that is a clause of its own, on which nothing else hangs, turns mildly (`the staff
    /// is not that friendly`), and the rest is made stronger or stays: about one aspect in five of SemEval-2014 restaurants can be
    /// the target.
    pub struct RevNon {
        /// The aspect that keeps its opinion, by its key in the file or by its term; empty for one that is drawn.
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
        aliases: &["RevNon", "AbsaRevNon"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Xing et al. 2020 (ARTS)"),
    }
    examples: [
        { aspect = "staff" } "[Friendly|opinion #1] [staff|aspect:positive >opinion=1] and [good|opinion #2] [beer|aspect:positive >opinion=2]."
            => "[Friendly|opinion #1] [staff|aspect:positive >opinion=1] but [bad|opinion #2] [beer|aspect:negative >opinion=2].",
        { aspect = "staff", seed = "1" } "The [staff|aspect:positive >opinion=1] was [friendly|opinion #1] but the [beer|aspect:negative >opinion=2] was [bad|opinion #2]."
            => "The [staff|aspect:positive >opinion=1] was [friendly|opinion #1] but the [beer|aspect:negative >opinion=2] was really [bad|opinion #2].",
        { aspect = "wine" } "The [wine|aspect:negative >opinion=1] was [awful|opinion #1] and the [soup|aspect:negative >opinion=2] was [cold|opinion #2]."
            => "The [wine|aspect:negative >opinion=1] was [awful|opinion #1] but the [soup|aspect:positive >opinion=2] was [warm|opinion #2].",
        { aspect = "food" } "[[Great|opinion #1]|opinion #2] [food|aspect:positive >opinion=1] and [service|aspect:positive >opinion=2]."
            => "[Great|opinion #1] [food|aspect:positive >opinion=1] but [terrible|opinion #2] [service|aspect:negative >opinion=2].",
        { aspect = "service" } "[[Great|opinion #1]|opinion #2] [food|aspect:positive >opinion=1] and [service|aspect:positive >opinion=2]."
            => "[Terrible|opinion #1] [food|aspect:negative >opinion=1] but [great|opinion #2] [service|aspect:positive >opinion=2].",
        { aspect = "food" } "The [food|aspect:positive >opinion=1] and [service|aspect:positive >opinion=2] were [[great|opinion #1]|opinion #2]."
            => "The [food|aspect:positive >opinion=1] was [great|opinion #1] but the [service|aspect:negative >opinion=2] was [terrible|opinion #2].",
        { aspect = "soup" } "[[Try|opinion #1]|opinion #2] the [soup|aspect:positive >opinion=1] and the [fish|aspect:positive >opinion=2]."
            => "[Try|opinion #1] the [soup|aspect:positive >opinion=1] but [not|opinion #2] the [fish|aspect:negative >opinion=2].",
        { aspect = "wine" } "We were [[impressed|opinion #1]|opinion #2] with the [food|aspect:positive >opinion=1] and [wine|aspect:positive >opinion=2]."
            => "We were [disappointed|opinion #1] with the [food|aspect:negative >opinion=1] but [impressed|opinion #2] with the [wine|aspect:positive >opinion=2].",
        { aspect = "food" } "The [food|aspect:positive >opinion=1] is [great|opinion #1] and the [shakes|aspect:positive >opinion=2] are even [better|opinion #2]!"
            => "The [food|aspect:positive >opinion=1] is [great|opinion #1] but the [shakes|aspect:negative >opinion=2] are [bad|opinion #2]!",
        { aspect = "wine" } "[[Creamy|opinion #1] soup|aspect:positive >opinion=1], [bad|opinion #2] [wine|aspect:negative >opinion=2]."
            => "[[Creamy|opinion #1] soup|aspect:positive >opinion=1], [bad|opinion #2] [wine|aspect:negative >opinion=2].",
        { aspect = "food" } "The [food|aspect:positive >opinion=1] and [drinks|aspect:positive >opinion=2] were [[great|opinion #1]|opinion #2] when we came back."
            => "The [food|aspect:positive >opinion=2], but [not|opinion #1] the [drinks|aspect:negative >opinion=1], was [great|opinion #2] when we came back.",
        { aspect = "drinks" } "The [food|aspect:positive >opinion=1] and [drinks|aspect:positive >opinion=2] were [[great|opinion #1]|opinion #2] when we came back."
            => "The [drinks|aspect:positive >opinion=2], but [not|opinion #1] the [food|aspect:negative >opinion=1], were [great|opinion #2] when we came back.",
        { aspect = "food" } "We [[love|opinion #1]|opinion #2] the [food|aspect:positive >opinion=1] and [drinks|aspect:positive >opinion=2] at this place!"
            => "We [love|opinion #1] the [food|aspect:positive >opinion=1], but [not|opinion #2] the [drinks|aspect:negative >opinion=2], at this place!",
        { aspect = "food" } "The [food|aspect:positive >opinion=1] is [good|opinion #1] and the [staff|aspect:positive >opinion=2] is [friendly|opinion #2], I will be back."
            => "The [food|aspect:positive >opinion=1] is [good|opinion #1] but the [staff|aspect:negative >opinion=2] is not that [friendly|opinion #2], I will be back.",
        { aspect = "food" } "The [food|aspect:positive >opinion=1] is [good|opinion #1] and the [staff|aspect:positive >opinion=2] is [friendly|opinion #2], which makes us come back."
            => "The [food|aspect:positive >opinion=1] is [good|opinion #1] and the [staff|aspect:positive >opinion=2] is [friendly|opinion #2], which makes us come back.",
        { aspect = "soup" } "For a [savory|opinion #1] take on [noodles|aspect:positive >opinion=1], [try|opinion #2] the [soup|aspect:positive >opinion=2]."
            => "For a [savory|opinion #1] take on [noodles|aspect:positive >opinion=1], [try|opinion #2] the [soup|aspect:positive >opinion=2].",
        { aspect = "liver" } "The [tuna|aspect:positive >opinion=1] and [liver|aspect:positive >opinion=2] are my [[favorites|opinion #1]|opinion #2]!"
            => "The [tuna|aspect:positive >opinion=1] and [liver|aspect:positive >opinion=2] are my [[favorites|opinion #1]|opinion #2]!",
        "[Friendly|opinion #1] [staff|aspect:positive >opinion=1]." => "[Friendly|opinion #1] [staff|aspect:positive >opinion=1].",
    ]
}

impl Transform for RevNon {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let aspects = opinions::judged_aspects(sample)?;
        if sample.fields.first().is_some_and(|field| leads_to_advice(&field.text)) {
            return Ok(Change::default());
        }
        for target in opinions::targets(sample, &aspects, &self.aspect, dice) {
            let mut change = self.around(sample, &aspects, target, dice);
            if change.is_empty() {
                let turns = Turns::new(sample, self.how);
                change = opinions::part(&turns, &aspects, target)
                    .or_else(|| opinions::except(&turns, &aspects, target))
                    .unwrap_or_default();
            }
            if !change.is_empty() {
                return Ok(change.on_trial(vec![aspects[target].mark]));
            }
        }
        Ok(Change::default())
    }
}

/// Whether a text says what something is good for and then to try it: `For a savory take on soup, try the hot and sour one`. What is
/// said first is said of what is advised.
fn leads_to_advice(text: &Text) -> bool {
    text.split(['.', '!', '?']).any(|sentence| {
        let mut words = sentence.split_whitespace().map(|word| word.to_lowercase());
        let opens = words.next().is_some_and(|word| word == "for" || word == "if");
        let (_, rest) = sentence.split_once(',').unwrap_or((sentence, ""));
        let next = rest.split_whitespace().next().unwrap_or("").to_lowercase();
        opens && ["try", "get", "order", "go", "have", "visit", "choose"].contains(&&*next)
    })
}

impl RevNon {
    /// The change of everything that is said of others than the target.
    fn around(&self, sample: &Sample, aspects: &[opinions::Aspect], target: usize, dice: &mut Dice) -> Change {
        // Beside a neutral target, praise and blame of others are both judgements of another kind: made stronger, never turned.
        let says = aspects[target].says;
        if says.is_none() && !opinions::is_neutral(&sample.marks[aspects[target].mark].value) {
            return Change::default();
        }
        let held = opinions::sharing(sample, aspects, target);
        let mut turns = Turns::new(sample, self.how);
        // What else a review says could argue for what is turned.
        let may_turn = turns.is_plain_report();
        let (mut edits, mut turned, mut done): (Vec<Edit>, Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new(), held);
        for at in 0..aspects.len() {
            if done.contains(&at) {
                continue;
            }
            let group = opinions::sharing(sample, aspects, at);
            done.extend(&group);
            turns.guard(aspects, &group);
            let members: Vec<&opinions::Aspect> = group.iter().map(|at| &aspects[*at]).collect();
            let made = match aspects[at].says {
                like @ Some(_) if like == says => {
                    let made = if may_turn {
                        opinions::turn_group(&turns, aspects, &group)
                    } else {
                        opinions::turn_apart(&turns, aspects, &group)
                    };
                    turned.extend(made.iter().flat_map(|_| &group));
                    made
                }
                Some(other) => {
                    let places = opinions::places(sample, &members);
                    places.into_iter().find_map(|place| turns.strengthen(place, other, dice))
                }
                None => None,
            };
            edits.extend(made.into_iter().flatten());
        }
        let Some(edits) = opinions::disjoint(edits) else { return Change::default() };
        opinions::change(&turns.annotated, sample, aspects, &turned, edits)
    }
}
