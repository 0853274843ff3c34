use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Transform, layer, transform};
use fissure_text::{neighbours, sense_keys};

use crate::support::annotated::Annotated;

transform! {
    /// Replaces a word whose sense is marked with another word of the same sense, and its key with that word's.
    ///
    /// `she purchased it` becomes `she bought it`: the sense is the same, and the key names the new word. The new word is in
    /// the form of the old one, is met in this sense in the texts that WordNet was counted in, and is not rare.
    pub struct SwapTarget {
        /// How many marked words to replace at most.
        max: usize = 1, in 1..=20;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::SENSE)],
        languages: &[English],
        aliases: &["SwapTarget", "WsdSwapTarget"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "She [purchased|sense:purchase%2:40:00::] it." => "She [bought|sense:buy%2:40:00::] it.",
        "They [begin|sense:begin%2:30:01::] now." => "They [start|sense:start%2:30:01::] now.",
        "The [autos|sense:auto%1:06:00::] stopped." => "The [cars|sense:car%1:06:00::] stopped.",
        "She [purchased|sense:buy%2:40:00::] it." => "She [purchased|sense:buy%2:40:00::] it.",
        "The [bank|sense:bank%1:17:01::] is steep." => "The [bank|sense:bank%1:17:01::] is steep.",
    ]
}

/// A new word must be among this many most frequent ones.
const FREQUENT: u32 = 10_000;

/// A marked word: its mark, its token, and the words that may replace it with their senses.
type Marked = (usize, usize, Vec<(String, String)>);

impl Transform for SwapTarget {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        if sample.layer(layer::SENSE).next().is_none() {
            return Err(Skip("no sense is marked".into()));
        }
        let annotated = Annotated::of(&field.text);
        let tokens = annotated.analysis().tokens();
        let mut found: Vec<Marked> = Vec::new();
        for (index, mark) in sample.layer(layer::SENSE).filter(|(_, mark)| mark.field == 0) {
            let place =
                tokens.iter().position(|token| (token.span.start, token.span.end) == (mark.span.start, mark.span.end));
            let Some(at) = place else { continue };
            let fits = |keyed: sense_keys::Keyed| {
                let common = neighbours::frequency_rank(keyed.word).is_some_and(|rank| rank < FREQUENT);
                let form = annotated.inflect(at, keyed.word).filter(|_| common)?;
                // A file may spell the key of a synset by another of its words than the one that stands here.
                (!form.eq_ignore_ascii_case(annotated.word(at))).then_some((form, keyed.key))
            };
            let others: Vec<(String, String)> = sense_keys::sharing(&mark.value).into_iter().filter_map(fits).collect();
            if !others.is_empty() {
                found.push((index, at, others));
            }
        }
        let mut edits: Vec<Edit> = Vec::new();
        let mut values = Vec::new();
        for chosen in dice.choose(found.len(), self.max.min(found.len())) {
            let (index, at, others) = &found[chosen];
            if let Some((form, key)) = dice.pick(others) {
                annotated.put(*at, form, &mut edits);
                values.push((*index, key.clone()));
            }
        }
        edits.sort_by_key(|edit| edit.span);
        edits.dedup_by(|next, edit| next.span == edit.span);
        Ok(values.into_iter().fold(Change::from(edits), |change, (mark, key)| change.with_value(mark, key)))
    }
}
