use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, Skip, choices, transform};

use crate::transforms::sentence::append_irr::put_after;

transform! {
    /// Adds a sentence that is always true to the hypothesis: the label stays what it was.
    ///
    /// A premise can get one as well.
    pub struct AddSent {
        /// Which text gets the sentence.
        to: Side = Side::Hypothesis;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        does: &[Rewrites],
        requires: &[Has::Pair, Has::Sense(Sense::Entails)],
        languages: &[English],
        aliases: &["AddSent", "NliAddSent"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        { seed = "3" } "premise:: A dog sleeps. // hypothesis:: A cat sleeps // label:: contradiction"
            => "premise:: A dog sleeps. // hypothesis:: A cat sleeps. Iron is a metal. // label:: contradiction",
        "premise:: A man runs. // hypothesis:: A man moves. // label:: entailment"
            => "premise:: A man runs. // hypothesis:: A man moves. Copper is a metal. // label:: entailment",
        { to = "premise" } "premise:: A man runs. // hypothesis:: A man moves. // label:: entailment"
            => "premise:: A man runs. Copper is a metal. // hypothesis:: A man moves. // label:: entailment",
    ]
}

choices! {
    /// The text that a true sentence is added to.
    pub enum Side { Hypothesis = "hypothesis", Premise = "premise" }
}

impl EditSample for AddSent {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let index = match self.to {
            Side::Hypothesis => 1,
            Side::Premise => 0,
        };
        let field = sample.fields.get(index).ok_or(Skip("the sample has one text only".into()))?;
        if !field.open || field.text.trim().is_empty() {
            return Ok(Vec::new());
        }
        Ok(dice.pick(TRUE).map(|sentence| put_after(field, sentence).on(index)).into_iter().collect())
    }
}

/// Sentences that are true whatever a premise says, about nothing that one could be about.
const TRUE: &[&str] = &[
    "Yellow is a colour.",
    "Ice is frozen water.",
    "A circle has no corners.",
    "Every square has four sides.",
    "Iron is a metal.",
    "Rivers carry water.",
    "Glass can break.",
    "Fire is hot.",
    "Snow is cold.",
    "A triangle has three corners.",
    "Green is a colour.",
    "Gold is a metal.",
    "Salt dissolves in water.",
    "Oil floats on water.",
    "Wood can burn.",
    "The sea is salty.",
    "Light is faster than sound.",
    "A week has seven days.",
    "A year has twelve months.",
    "An hour has sixty minutes.",
    "A day has twenty-four hours.",
    "Lead is heavier than wood.",
    "Steam is made of water.",
    "Blue is a colour.",
    "Sugar is sweet.",
    "Lemons are sour.",
    "A cube has six faces.",
    "Copper is a metal.",
    "Deserts are dry.",
    "Summer follows spring.",
    "Winter follows autumn.",
    "Monday comes before Tuesday.",
    "Two plus two is four.",
    "Ten is more than nine.",
    "Half of eight is four.",
    "A dozen is twelve.",
    "Sand is made of small grains.",
    "Mountains are higher than hills.",
    "Oceans are deeper than ponds.",
    "A century is longer than a year.",
    "Clouds are made of water.",
    "Diamonds are hard.",
    "Feathers are light.",
    "Honey is sweet.",
    "Paper can be torn.",
    "Magnets attract iron.",
    "Metals conduct heat.",
    "The alphabet has letters.",
    "Shadows need light.",
    "Stones sink in water.",
    "Stars shine.",
    "A metre is longer than a centimetre.",
];
