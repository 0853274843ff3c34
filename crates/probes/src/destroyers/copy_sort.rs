use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, destroyer, splice};

use super::sort::sorted;
use super::units::{Side, overwritten, rearranged, units};

destroyer! {
    /// Overwrites the second text of a pair with the words of the first, sorted.
    ///
    /// A model that looks for the same words in both texts finds them all, and says that one follows from the other:
    /// agreement is measured with that answer.
    pub struct CopySort {
        /// Which text of the pair to overwrite.
        into: Side = Side::Second;
    }
    card: {
        tags: &[Tag::Copies],
        expectation: Some(Destroyed),
        requires: &[Has::Class, Has::Pair],
        aliases: &["CopySort"],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2"),
    }
    examples: [
        "The soup was hot. // We came." => "The soup was hot. // hot soup The was.",
        "Who was it? // Was it him?" => "Who was it? // it was Who?",
        { into = "first" } "We came. // The soup was hot." => "hot soup The was. // The soup was hot.",
        "one text" => "one text",
    ]
}

impl EditSample for CopySort {
    fn edit_sample(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Proposal {
        let Some((from, to)) = self.into.of(sample) else { return Ok(Vec::new()) };
        let text = &sample.fields[from].text;
        let units = units(text);
        if units.is_empty() {
            return Ok(Vec::new());
        }
        let copied = splice(text, &rearranged(text, &units, &sorted(text, &units)));
        let edits = overwritten(&sample.fields[to].text, copied.trim());
        Ok(edits.into_iter().map(|edit| edit.on(to)).collect())
    }
}
