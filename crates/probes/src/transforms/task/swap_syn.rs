use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};
use fissure_text::Upos;
use fissure_text::chinese::all_han;

use crate::support::chinese_synonyms::synonyms_of;
use crate::support::segmented::Segmented;

transform! {
    /// Replaces words of a segmented text with synonyms: `忽然` for `突然`.
    ///
    /// One word gives way to one word of as many characters, so the boundaries stay where they are. Pairs were reviewed one by one;
    /// a higher `risk` adds pairs of the Chinese Open Wordnet that were not.
    pub struct SwapSyn {
        ..Amount::share(0.2);
        /// The greatest chance that a swap reads badly: from 0.02 pairs that were reviewed are taken, from 0.3 those of the wordnet
        /// that share all senses and a character, at 1 all that the wordnet has.
        risk: f64 = 0.1, in 0.0..=1.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Boundaries],
        languages: &[Chinese],
        aliases: &["SwapSyn-CWS", "CnSwapSyn"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[他|token:S][突|token:B][然|token:E][走|token:S][了|token:S]" => "[他|token:S][忽|token:B][然|token:E][走|token:S][了|token:S]",
        "[我|token:B][们|token:E][经|token:B][常|token:E][见|token:B][面|token:E]" => "[我|token:B][们|token:E][常|token:B][常|token:E][见|token:B][面|token:E]",
        "[虽|token:B][然|token:E][下|token:B][雨|token:E]" => "[尽|token:B][管|token:E][下|token:B][雨|token:E]",
    ]
}

impl Transform for SwapSyn {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let tags = if self.risk < 0.3 { vec![Upos::X; segmented.len()] } else { segmented.tags() };
        let mut left: Vec<usize> = (0..segmented.len()).filter(|at| all_han(segmented.word(*at))).collect();
        let wanted = self.amount.of(left.len());
        let mut chosen: Vec<(usize, &str)> = Vec::new();
        while chosen.len() < wanted && !left.is_empty() {
            let at = left.swap_remove(dice.below(left.len()));
            let synonyms = synonyms_of(segmented.word(at), Some(tags[at]), self.risk);
            chosen.extend(dice.pick(&synonyms).map(|new| (at, *new)));
        }
        chosen.sort_unstable();
        let mut change = Change::default();
        chosen.into_iter().for_each(|(at, new)| segmented.put(at, &[new], &mut change));
        Ok(change)
    }
}
