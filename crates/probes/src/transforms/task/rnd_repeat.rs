use fissure_core::{Change, Dice, Edit, Piece, Resources, Sample, Skip, Transform, transform};

use crate::support::mentions;

transform! {
    /// Says sentences of a document once more, at a later place, with their mentions in the same clusters.
    pub struct RndRepeat {
        /// Share of the sentences to repeat, at least one.
        rate: f64 = 0.2, in 0.0..=1.0;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::MENTION)],
        languages: &[English],
        aliases: &["RndRepeat"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[Tom|mention:1] laughed. Rain fell. [He|mention:1] left." => "[Tom|mention:1] laughed. Rain fell. [Tom|mention:1] laughed. [He|mention:1] left.",
        { rate = "1", seed = "2" } "[Tom|mention:1] laughed. Rain fell. [He|mention:1] left." => "[Tom|mention:1] laughed. Rain fell. [He|mention:1] left. [Tom|mention:1] laughed. Rain fell. [He|mention:1] left.",
        "[I|mention:0] came. [I|mention:0] saw." => "[I|mention:0] came. [I|mention:0] came. [I|mention:0] saw.",
    ]
}

impl Transform for RndRepeat {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let found = mentions::sentences_of(sample)?;
        let free: Vec<usize> = (0..found.len()).filter(|at| !mentions::is_pinned(sample, found[*at])).collect();
        let count = mentions::share(self.rate, found.len()).min(free.len());
        let mut edits = Vec::new();
        for at in dice.choose(free.len(), count) {
            let (from, later) = (free[at], found.len() - free[at]);
            let place = found[from + dice.below(later)].end;
            edits.push(Edit::put(place..place, Piece::words(" ") + Piece::copy(sample, 0, found[from])));
        }
        edits.sort_by_key(|edit| edit.span.start);
        Ok(edits.into())
    }
}
