use fissure_core::{Aids, Change, Dice, Edit, Label, Sample, Sense, Skip, Text, Transform, choices, transform};

use crate::transforms::word::swap_num;

transform! {
    /// Changes a number in the second text of a pair, so that the two contradict each other.
    ///
    /// If the second text follows from the first, or means the same, and both name a number, it changes in the second.
    /// Of other pairs the second text becomes the first with one number changed. Only exact counts change: not dates,
    /// names with numbers, or what follows `at least` or `about`. The new label is spelled as the file spells it.
    pub struct NumWord {
        /// Which pairs to make: with a number that both texts share, with a copy of the first text, or either.
        pair: Pairs = Pairs::Either;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Class, Has::Pair],
        needs: &[LabelSenses],
        languages: &[English],
        aliases: &["NumWord", "NliNumWord", "SmNumWord"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.14, 3.21), grammaticality: (3.87, 3.86) }),
    }
    examples: [
        { pair = "copy", seed = "1" } "first:: Five men ran. // second:: The men ran. // label:: same"
            => "Five men ran. // Nine men ran. // label:: different",
        "premise:: She has 10 dogs. // hypothesis:: She has 10 pets. // label:: entailment"
            => "premise:: She has 10 dogs. // hypothesis:: She has 60 pets. // label:: contradiction",
        "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral"
            => "premise:: She has 10 dogs. // hypothesis:: She has 60 dogs. // label:: contradiction",
        { pair = "shared" } "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral"
            => "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral",
        "premise:: She has at least 10 dogs. // hypothesis:: She has dogs. // label:: entailment"
            => "premise:: She has at least 10 dogs. // hypothesis:: She has dogs. // label:: entailment",
    ]
}

choices! {
    /// Which pairs a changed number is made for.
    pub enum Pairs { Either = "either", Shared = "shared", Copy = "copy" }
}

/// Words before a number that make it a bound or a guess.
const BOUNDS: &[&str] = &[
    "about",
    "almost",
    "approximately",
    "around",
    "circa",
    "exceeding",
    "just",
    "least",
    "most",
    "nearly",
    "only",
    "over",
    "roughly",
    "some",
    "than",
    "under",
    "to",
    "up",
];

impl Transform for NumWord {
    fn propose(&self, sample: &Sample, dice: &mut Dice, aids: &Aids) -> Result<Change, Skip> {
        let Some(spelling) = &aids.spelling else { return Err(Skip("what the labels mean is not known".into())) };
        let sense = sample.label.as_ref().and_then(|label| spelling.sense_of(label));
        let opposites: &[Sense] = match sense {
            Some(Sense::Same | Sense::Different) => &[Sense::Different],
            Some(_) => &[Sense::Contradicts],
            None => &[Sense::Contradicts, Sense::Different],
        };
        let Some(differs) = opposites.iter().find_map(|sense| spelling.label_of(*sense)) else {
            return Err(Skip("no label means that two texts contradict".into()));
        };
        let [first, second, ..] = &sample.fields[..] else { return Err(Skip("the sample has one text only".into())) };
        if !second.open {
            return Err(Skip("the second text may not be edited".into()));
        }
        let numbers = counts(&first.text);
        let agrees = matches!(sense, Some(Sense::Entails | Sense::Same));
        if agrees && self.pair != Pairs::Copy {
            let shared: Vec<_> =
                counts(&second.text).into_iter().filter(|there| numbers.iter().any(|here| here.1 == there.1)).collect();
            if let Some((range, old)) = dice.pick(&shared).cloned()
                && let Some(new) = swap_num::another(&second.text, range, dice)
            {
                let alike = shared.iter().filter(|(_, other)| *other == old);
                let edits = alike.map(|(range, _)| Edit::replace(range.clone(), new.clone()).on(1)).collect::<Vec<_>>();
                return Ok(told(edits, differs));
            }
        }
        if self.pair == Pairs::Shared {
            return Ok(Change::default());
        }
        let Some((range, _)) = dice.pick(&numbers).cloned() else { return Ok(Change::default()) };
        let Some(new) = swap_num::another(&first.text, range.clone(), dice) else { return Ok(Change::default()) };
        let text = first.text.as_str();
        let copy = format!("{}{new}{}", &text[..range.start], &text[range.end..]);
        Ok(told(vec![Edit::replace(0..second.text.len(), copy).on(1)], differs))
    }
}

fn told(edits: Vec<Edit>, label: &Label) -> Change {
    Change::from(edits).with_label(label.clone())
}

/// The exact counts of a text, with their words.
fn counts(text: &Text) -> Vec<(std::ops::Range<usize>, String)> {
    let exact = |range: &std::ops::Range<usize>| {
        let before = text[..range.start].split_whitespace().next_back().unwrap_or("").to_lowercase();
        let after = text[range.end..].split_whitespace().next().unwrap_or("").to_lowercase();
        !BOUNDS.contains(&&*before) && !matches!(&*after, "or" | "to" | "-" | "+" | "plus")
    };
    let found = swap_num::counts(text).into_iter().filter(exact);
    found.map(|range| (range.clone(), text[range].to_lowercase())).collect()
}
