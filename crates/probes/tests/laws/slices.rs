//! The laws of slices.

use fissure_core::{Entry, Field, Sample, Slice};
use fissure_probes::SLICES;

use crate::{Law, Verdict, broken, card_laws, every_broken_part_is_caught, every_part_keeps, holds, nasty};

type Part = Entry<dyn Slice>;

const LAWS: &[Law<dyn Slice>] = &[
    ("the name is the file's", card_laws::the_name_is_the_files, &broken::moody::ENTRY),
    ("the summary is a sentence", card_laws::the_summary_is_a_sentence, &broken::moody::ENTRY),
    ("every example holds", every_example_holds, &broken::moody::ENTRY),
    ("measures are numbers and repeat", measures_are_numbers_and_repeat, &broken::moody::ENTRY),
    ("the share is taken", the_share_is_taken, &broken::moody::ENTRY),
    ("defaults are allowed and true", card_laws::defaults_are_allowed_and_true, &broken::moody::ENTRY),
];

#[test]
fn every_slice_keeps_every_law() {
    every_part_keeps(&SLICES, LAWS);
}

#[test]
fn every_law_of_slices_can_fail() {
    every_broken_part_is_caught(LAWS);
}

/// An example of a slice shows a text and its measure.
fn every_example_holds(entry: &'static Part) -> Verdict {
    holds(entry.card.examples.len() >= 3, || "fewer than three examples".into())?;
    for example in entry.card.examples {
        let settings: Vec<_> = example.settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let (part, _) = entry.build(&settings).map_err(|error| error.to_string())?;
        let measure = part.measure(&shown(example.before)).map(|x| x.to_string());
        holds(measure.as_deref() == Ok(example.after), || format!("{:?} measures {measure:?}", example.before))?;
    }
    Ok(())
}

/// A text, or a pair with a tab between.
fn shown(text: &str) -> Sample {
    let fields = text.split('\t').enumerate().map(|(at, text)| Field::open(format!("text{at}"), text));
    Sample { id: "example".into(), fields: fields.collect(), ..Sample::default() }
}

fn measures_are_numbers_and_repeat(entry: &'static Part) -> Verdict {
    let (part, _) = entry.build(&[]).map_err(|error| error.to_string())?;
    let mut measured = 0;
    for sample in nasty::all() {
        let measure = part.measure(&sample);
        let finite = measure.as_ref().map_or(true, |x| x.is_finite());
        holds(finite && measure == part.measure(&sample), || format!("{} measures {measure:?}", sample.id))?;
        measured += usize::from(measure.is_ok());
    }
    holds(measured > 0, || "nothing is measured".into())
}

fn the_share_is_taken(entry: &'static Part) -> Verdict {
    if !entry.knobs().iter().any(|knob| knob.name == "share") {
        return Ok(());
    }
    let (part, _) = entry.build(&[("share".into(), "0.25".into())]).map_err(|error| error.to_string())?;
    let measures: Vec<Option<f64>> = nasty::plain().iter().map(|sample| part.measure(sample).ok()).collect();
    let taken = part.cut().select(&measures).into_iter().filter(|taken| *taken).count();
    holds(taken == 2, || format!("{taken} of 8 are a quarter"))
}
