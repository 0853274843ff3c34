use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, destroyer};

use super::units::{Side, overwritten, ranked, units};

destroyer! {
    /// Leaves in the second text of a pair a single word: the one of the first that matters most to the model.
    ///
    /// A model that looks for the same words in both texts says that one follows from the other: agreement is measured
    /// with that answer.
    pub struct CopyOne {
        /// Which text of the pair to overwrite.
        into: Side = Side::Second;
    }
    card: {
        tags: &[Tag::Copies],
        expectation: Some(Destroyed),
        requires: &[Has::Class, Has::Pair],
        needs: &[TokenImportance],
        aliases: &["CopyOne"],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 3"),
    }
    examples: [
        "The kettle was hot. // We came." => "The kettle was hot. // kettle",
        "The kettle was hot. // A kettle was there." => "The kettle was hot. // kettle",
        { into = "first" } "We came. // The kettle was hot." => "kettle // The kettle was hot.",
        "one text" => "one text",
    ]
}

impl EditSample for CopyOne {
    fn edit_sample(&self, sample: &Sample, _: &mut Dice, resources: &Resources) -> Proposal {
        let Some((from, to)) = self.into.of(sample) else { return Ok(Vec::new()) };
        let text = &sample.fields[from].text;
        let units = units(text);
        let Some(most) = ranked(sample, from, &units, resources)?.pop() else { return Ok(Vec::new()) };
        let edits = overwritten(&sample.fields[to].text, units[most].of(text));
        Ok(edits.into_iter().map(|edit| edit.on(to)).collect())
    }
}
