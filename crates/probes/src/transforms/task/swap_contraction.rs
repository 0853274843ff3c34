use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};
use fissure_text::chinese::short_forms;

use crate::support::segmented::Segmented;
use crate::support::standard::Standard;

transform! {
    /// Writes out short names in a segmented text: `中央 电视台` for `央视`.
    ///
    /// The words are those of a list, cut as most standards cut them; if the other samples of the file have the full name as one
    /// word, it is one word.
    pub struct SwapContraction {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Boundaries],
        needs: &[Donors],
        languages: &[Chinese],
        aliases: &["SwapContraction", "CnSwapContraction"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[看|token:S][央|token:B][视|token:E][新|token:B][闻|token:E]" => "[看|token:S][中|token:B][央|token:E][电|token:B][视|token:M][台|token:E][新|token:B][闻|token:E]",
        "[他|token:S][考|token:B][上|token:E][北|token:B][大|token:E]" => "[他|token:S][考|token:B][上|token:E][北|token:B][京|token:E][大|token:B][学|token:E]",
        "[国|token:B][企|token:E][改|token:B][革|token:E]" => "[国|token:B][有|token:E][企|token:B][业|token:E][改|token:B][革|token:E]",
    ]
}

impl Transform for SwapContraction {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let standard = Standard::of(resources);
        let found: Vec<usize> =
            (0..segmented.len()).filter(|at| !short_forms::words_of(segmented.word(*at)).is_empty()).collect();
        let mut change = Change::default();
        for chosen in dice.choose(found.len(), self.amount.of(found.len())) {
            let words = short_forms::words_of(segmented.word(found[chosen]));
            let whole = words.concat();
            if standard.count(&whole) > 0 {
                segmented.put(found[chosen], &[&whole], &mut change);
            } else {
                segmented.put(found[chosen], words, &mut change);
            }
        }
        Ok(change)
    }
}
