use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Span, Transform, transform};

use crate::support::{mentions, sentences};

transform! {
    /// Deletes sentences of a document, with their mentions.
    ///
    /// A cluster of which one mention is left vanishes. One sentence stays always; so does a sentence with a mention that
    /// the file must have (the pronoun and the names of GAP).
    pub struct RndDelete {
        /// Share of the sentences to delete, at least one.
        rate: f64 = 0.2, in 0.0..=1.0;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::MENTION)],
        languages: &[English],
        aliases: &["RndDelete"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[Ann|mention:0] came. Rain fell. [She|mention:0] sat down." => "Ann came. Rain fell.",
        { rate = "1", seed = "2" } "[Ann|mention:0] came. Rain fell. [She|mention:0] sat down." => "She sat down.",
        "[Ann|mention:0] came. [She|mention:0] sat down. Rain fell." => "[Ann|mention:0] came. [She|mention:0] sat down.",
    ]
}

impl Transform for RndDelete {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let found = mentions::sentences_of(sample)?;
        let free: Vec<usize> = (0..found.len()).filter(|at| !mentions::is_pinned(sample, found[*at])).collect();
        let count = mentions::share(self.rate, found.len()).min(found.len().saturating_sub(1)).min(free.len());
        let chosen: Vec<usize> = dice.choose(free.len(), count).into_iter().map(|at| free[at]).collect();
        let gone: Vec<Span> = chosen.iter().map(|at| found[*at]).collect();
        let text = sample.fields[0].text.as_str();
        let mut edits: Vec<Edit> = Vec::new();
        for &at in &chosen {
            let span = sentences::with_gap(text, &found, at);
            // The last sentence takes the gap before it, which the one before it may have taken already.
            let start = edits.last().map_or(0, |last| last.span.end).max(span.start);
            edits.push(Edit::delete(start..span.end));
        }
        Ok(mentions::without_singles(edits.into(), sample, &gone))
    }
}
