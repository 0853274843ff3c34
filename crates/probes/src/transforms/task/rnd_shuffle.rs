use fissure_core::{Change, Dice, Edit, Piece, Resources, Sample, Skip, Transform, transform};

use crate::support::{mentions, sentences};

transform! {
    /// Exchanges pairs of sentences of a document, with their mentions.
    ///
    /// Sentences with a pronoun of the third person stay where they are: it would come before its name.
    pub struct RndShuffle {
        /// Share of the sentences to move, at least one pair.
        rate: f64 = 0.2, in 0.0..=1.0;
        /// Whether sentences that refer to others stay where they are.
        careful: bool = true;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::MENTION)],
        languages: &[English],
        aliases: &["RndShuffle"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[Tom|mention:1] laughed. The lamp was on." => "The lamp was on. [Tom|mention:1] laughed.",
        { rate = "1", seed = "2" } "[Tom|mention:1] laughed. The lamp was on." => "The lamp was on. [Tom|mention:1] laughed.",
        "[Ann|mention:0] came. Rain fell. [Ann|mention:0] left." => "Rain fell. [Ann|mention:0] came. [Ann|mention:0] left.",
        "[Ann|mention:0] came. [She|mention:0] left." => "[Ann|mention:0] came. [She|mention:0] left.",
    ]
}

impl Transform for RndShuffle {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let found = mentions::sentences_of(sample)?;
        let text = sample.fields[0].text.as_str();
        let ties = |at: usize| {
            let here = found[at].of(text);
            let next = found.get(at + 1).map_or("", |next| next.of(text));
            sentences::refers(here) || sentences::links_back(here) || sentences::links_back(next)
        };
        let mut free: Vec<usize> = (0..found.len()).filter(|at| !self.careful || !ties(*at)).collect();
        let pairs = (mentions::share(self.rate, found.len()).div_ceil(2)).min(free.len() / 2);
        dice.shuffle(&mut free);
        let mut edits = Vec::new();
        for pair in free.chunks_exact(2).take(pairs) {
            let (one, other) = (found[pair[0]], found[pair[1]]);
            if one.of(text) != other.of(text) {
                edits.push(Edit::put(one, Piece::cut(sample, 0, other)));
                edits.push(Edit::put(other, Piece::cut(sample, 0, one)));
            }
        }
        edits.sort_by_key(|edit| edit.span.start);
        Ok(edits.into())
    }
}
