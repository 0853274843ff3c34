use fissure_core::{Change, Dice, Edit, Piece, Resources, Sample, Skip, Transform, transform};

use crate::support::mentions;

transform! {
    /// Inserts sentences of other documents, which mention nothing of this one.
    ///
    /// A sentence with a pronoun of the third person is never taken: it could refer to someone here.
    pub struct RndInsert {
        /// Share of the sentences after which one is inserted, at least one.
        rate: f64 = 0.2, in 0.0..=1.0;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::MENTION)],
        needs: &[Donors],
        languages: &[English],
        aliases: &["RndInsert"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[Tom|mention:1] laughed." => "[Tom|mention:1] laughed. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC].",
        { rate = "1", seed = "2" } "[Tom|mention:1] laughed." => "[Tom|mention:1] laughed. The [service|aspect:negative] was [slow|opinion].",
        "[Ann|mention:0] came. [She|mention:0] sat down."
            => "[Ann|mention:0] came. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC]. [She|mention:0] sat down.",
    ]
}

impl Transform for RndInsert {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let Some(donors) = &resources.donors else { return Err(Skip("there are no other samples".into())) };
        let found = mentions::sentences_of(sample)?;
        let mut edits = Vec::new();
        for at in dice.choose(found.len(), mentions::share(self.rate, found.len())) {
            let Some(piece) = mentions::foreign(sample, donors, dice) else { break };
            edits.push(Edit::put(found[at].end..found[at].end, Piece::words(" ") + piece));
        }
        if edits.is_empty() && !found.is_empty() && self.rate > 0.0 {
            return Err(Skip("no other sample has a sentence that can be inserted".into()));
        }
        Ok(edits.into())
    }
}
