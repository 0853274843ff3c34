use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Span, Transform, transform};

use crate::support::{mentions, sentences};

transform! {
    /// Replaces sentences of a document with sentences of others, which mention nothing of this one.
    ///
    /// Mentions in a replaced sentence go; a cluster of which one mention is left vanishes.
    pub struct RndReplace {
        /// Share of the sentences to replace, at least one.
        rate: f64 = 0.2, in 0.0..=1.0;
        /// Whether a sentence stays if the next one refers back to it.
        careful: bool = true;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::MENTION)],
        needs: &[Donors],
        languages: &[English],
        aliases: &["RndReplace"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[Tom|mention:1] laughed. Rain fell. The lamp was on." => "[Tom|mention:1] laughed. Rain fell. The [service|aspect:negative] was [slow|opinion].",
        { rate = "1", seed = "2" } "[Tom|mention:1] laughed. Rain fell. The lamp was on." => "[Tom|mention:1] laughed. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC]. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC].",
        "[Ann|mention:0] came. [She|mention:0] sat down. Rain fell."
            => "[Ann|mention:0] came. [She|mention:0] sat down. The [service|aspect:negative] was [slow|opinion].",
    ]
}

impl Transform for RndReplace {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let Some(donors) = &resources.donors else { return Err(Skip("there are no other samples".into())) };
        let found = mentions::sentences_of(sample)?;
        let text = sample.fields[0].text.as_str();
        let referred = |at: usize| found.get(at + 1).is_some_and(|next| sentences::refers(next.of(text)));
        let is_free = |at: &usize| !mentions::is_pinned(sample, found[*at]) && (!self.careful || !referred(*at));
        let free: Vec<usize> = (0..found.len()).filter(is_free).collect();
        let count = mentions::share(self.rate, found.len()).min(found.len().saturating_sub(1)).min(free.len());
        let mut edits = Vec::new();
        let mut gone: Vec<Span> = Vec::new();
        for at in dice.choose(free.len(), count) {
            let Some(piece) = mentions::foreign(sample, donors, dice) else { break };
            gone.push(found[free[at]]);
            // Deleted, its mentions go; replaced, they would hold the words fast.
            let Span { start, end } = found[free[at]];
            edits.push(Edit::put(start..start, piece));
            edits.push(Edit::delete(start..end));
        }
        if edits.is_empty() && count > 0 {
            return Err(Skip("no other sample has a sentence that can be inserted".into()));
        }
        Ok(mentions::without_singles(edits.into(), sample, &gone))
    }
}
