use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Span, Transform, transform};
use fissure_text::chinese::all_han;

use crate::support::guesses;
use crate::support::segmented::Segmented;

transform! {
    /// Replaces words of a segmented text with what a masked language model suggests there: one word for one word.
    ///
    /// Nouns, verbs, adjectives and adverbs of two or three characters give way to words of the dictionary with as many characters and the
    /// same part of speech, so the boundaries stay where they are. The model is asked about all characters of a word at once, with
    /// the rest of the text as it was. The text may say something else afterwards; how it is cut stays right.
    pub struct Mlm {
        ..Amount::share(0.2);
        /// How many of the model's guesses for each character to look through.
        guesses: usize = 20, in 1..=1000;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Boundaries],
        needs: &[LanguageModel],
        languages: &[Chinese],
        aliases: &["MLM-CWS", "CnMLM"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[他|token:S][帮|token:B][助|token:E][我|token:S]" => "[他|token:S][喜|token:B][欢|token:E][我|token:S]",
        "[朋|token:B][友|token:E][来|token:S][了|token:S]" => "[电|token:B][影|token:E][来|token:S][了|token:S]",
        "[他|token:S][突|token:B][然|token:E][走|token:S][了|token:S]" => "[他|token:S][经|token:B][常|token:E][走|token:S][了|token:S]",
        "[我|token:B][们|token:E][去|token:S][北|token:B][京|token:E]" => "[我|token:B][们|token:E][去|token:S][北|token:B][京|token:E]",
    ]
}

impl Transform for Mlm {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let Some(model) = &resources.masked_lm else { return Ok(Change::default()) };
        let segmented = Segmented::of(sample)?;
        let tags = segmented.tags();
        let may = |at: &usize| all_han(segmented.word(*at)) && guesses::is_open(segmented.word(*at), tags[*at]);
        let open: Vec<usize> = (0..segmented.len()).filter(may).collect();
        let wanted = self.amount.of(open.len());
        let asked = guesses::asked(&open, wanted, dice);
        let hidden: Vec<Span> = asked.iter().map(|at| segmented.span(*at)).collect();
        let mut change = Change::default();
        if hidden.is_empty() {
            return Ok(change);
        }
        let found = model.guess_pieces(&sample.fields[0].text, &hidden, self.guesses)?;
        let best = |(at, pieces): (usize, Vec<_>)| {
            let new = guesses::words(&pieces, segmented.word(at), tags[at]).into_iter().next()?;
            Some((at, new.0))
        };
        let mut chosen: Vec<(usize, String)> = asked.into_iter().zip(found).filter_map(best).take(wanted).collect();
        chosen.sort_unstable();
        chosen.iter().for_each(|(at, new)| segmented.put(*at, &[new], &mut change));
        Ok(change)
    }
}
