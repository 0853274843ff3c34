use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, transform};

use crate::support::parallel;
use crate::transforms::word::swap_num;

transform! {
    /// Replaces a number that a text and its translation share with the same other number in both.
    ///
    /// Only numbers in digits that stand as often in one as in the other. Whole numbers, numbers with a decimal point and
    /// years keep their kind.
    pub struct SwapParallelNum {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Translation],
        opens: &["target"],
        aliases: &["SwapParallelNum"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "source:: He has 3 cats. // (target):: Er hat 3 Katzen." => "source:: He has 4 cats. // (target):: Er hat 4 Katzen.",
        "source:: It was 1998. // (target):: Es war 1998." => "source:: It was 1993. // (target):: Es war 1993.",
        { seed = "1" } "source:: 25 of 70 came. // (target):: 25 von 70 kamen." => "source:: 57 of 30 came. // (target):: 57 von 30 kamen.",
        "source:: It was 3.5 long. // (target):: Es war 3,5 lang." => "source:: It was 3.5 long. // (target):: Es war 3,5 lang.",
    ]
}

impl EditSample for SwapParallelNum {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let [source, target] = parallel::texts(sample)?;
        let number = |word: &str| {
            word.bytes().all(|byte| byte.is_ascii_digit()) && !word.starts_with('0') && word.len() < 10 && word != "1"
        };
        let shared = parallel::shared(&source.text, &target.text, number);
        let mut edits: Vec<Edit> = Vec::new();
        let mut taken: Vec<String> = shared.iter().map(|(word, _)| word.clone()).collect();
        for at in dice.choose(shared.len(), self.amount.of(shared.len())) {
            let (_, places) = &shared[at];
            let first = &places[0];
            let text = if first.0 == 0 { &source.text } else { &target.text };
            let new =
                (0..20).find_map(|_| swap_num::another(text, first.1.range(), dice).filter(|new| !taken.contains(new)));
            let Some(new) = new else { continue };
            edits.extend(places.iter().map(|(field, span)| Edit::replace(*span, new.clone()).on(*field)));
            taken.push(new);
        }
        edits.sort_by_key(|edit| (edit.field, edit.span));
        Ok(edits)
    }
}
