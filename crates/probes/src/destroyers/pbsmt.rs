use fissure_core::{Dice, EditSample, Need, Proposal, Resources, Sample, Skip, Span, destroyer};

use super::units::{Side, exchanged, overwritten, units};

destroyer! {
    /// Overwrites the second text with what a phrase-based translator, learned from texts of the same label, makes of the
    /// first.
    ///
    /// The translator has seen little and knows no grammar: it writes phrases that often go with the label, and no
    /// sense. In a single text the first half is translated, and takes the place of the second half.
    pub struct Pbsmt {
        /// Which text of a pair to overwrite.
        into: Side = Side::Second;
    }
    card: {
        expectation: Some(Destroyed),
        requires: &[Has::Class],
        needs: &[TrainingData],
        aliases: &["PBSMT"],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), section PBSMT"),
    }
    examples: [
        "We had a soup that was very hot." => "We had a soup soup a had We.",
        "The soup was hot. // We came." => "The soup was hot. // hot. was soup The",
        { into = "first" } "We came. // The soup was hot." => "hot. was soup The // The soup was hot.",
        "ok" => "ok",
    ]
}

impl EditSample for Pbsmt {
    fn edit_sample(&self, sample: &Sample, _: &mut Dice, resources: &Resources) -> Proposal {
        let Some(phrases) = &resources.label_translator else { return Err(Skip(Need::TrainingData.advice().into())) };
        let label = sample.label.as_ref().map(ToString::to_string);
        let translate = |text: &str| phrases.translate(text, label.as_deref());
        if sample.fields.len() > 1 {
            let Some((from, to)) = self.into.of(sample) else { return Ok(Vec::new()) };
            let source = sample.fields[from].text.trim();
            if source.is_empty() {
                return Ok(Vec::new());
            }
            let edits = overwritten(&sample.fields[to].text, &translate(source)?);
            return Ok(edits.into_iter().map(|edit| edit.on(to)).collect());
        }
        let Some(field) = sample.fields.first().filter(|field| field.open) else { return Ok(Vec::new()) };
        let units = units(&field.text);
        let (first, second) = units.split_at(units.len().div_ceil(2));
        let ([start, ..], [.., end], [next, ..], [.., last]) = (first, first, second, second) else {
            return Ok(Vec::new());
        };
        let half = Span::new(start.start, end.end).of(&field.text);
        Ok(exchanged(&field.text, Span::new(next.start, last.end), &translate(half)?))
    }
}
