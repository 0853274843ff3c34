//! Pairs of texts whose label a part sets: what the label means, and the label of pairs that contradict or differ.

use fissure_core::{Label, Resources, Sample, Sense, Skip};

/// What the label of a pair means, and the label that the file has for two texts that contradict each other.
pub(crate) fn contradicting<'a>(sample: &Sample, resources: &'a Resources) -> Result<(Option<Sense>, &'a Label), Skip> {
    let Some(spelling) = &resources.spelling else { return Err(Skip("what the labels mean is not known".into())) };
    let sense = sample.label.as_ref().and_then(|label| spelling.sense_of(label));
    let opposites: &[Sense] = match sense {
        Some(Sense::Same | Sense::Different) => &[Sense::Different],
        Some(_) => &[Sense::Contradicts],
        None => &[Sense::Contradicts, Sense::Different],
    };
    let Some(differs) = opposites.iter().find_map(|sense| spelling.label_of(*sense)) else {
        let example = match sense {
            Some(Sense::Same | Sense::Different) => "different=different,same=same",
            _ => "contradiction=contradicts,entailment=entails",
        };
        let advice = "no label of the data means that two texts contradict each other: name the one to write";
        return Err(Skip(format!("{advice}, for instance --senses {example}").into()));
    };
    let [_, second, ..] = &sample.fields[..] else { return Err(Skip("the sample has one text only".into())) };
    if !second.open {
        return Err(Skip("the second text may not be edited".into()));
    }
    Ok((sense, differs))
}

/// Whether the second text of a pair with this label follows from the first.
pub(crate) fn agree(sense: Option<Sense>) -> bool {
    matches!(sense, Some(Sense::Entails | Sense::Same))
}
