//! Found attacks against another model, and triggers.

use fissure_attacks::{
    Options, Outcome, Recipe, Target, TriggerOptions, attack, changed, replay, trigger, with_trigger,
};
use fissure_core::Sample;

use crate::tiny::{critic, model, resources};

#[test]
fn an_attack_is_replayed_on_another_model() {
    let weak = critic();
    let sample = Sample::of_text("1", "It is a good film, or so they say.");
    let recipe = Recipe::builtin("line").unwrap().build(resources(&weak), &[]).unwrap();
    let options = Options { seed: 1, budget: 100, target: None, max_words: Options::MAX_WORDS };
    let found = attack(&recipe, &Target::new(&weak), &sample, Some(0), options).unwrap();
    assert_eq!(changed(&found, &sample).unwrap().fields[0].text.as_str(), "It is a decent movie, or so they say.");
    let again = replay(&found, &Target::new(&weak), &sample, Some(0)).unwrap();
    assert_eq!((again.outcome, again.edits.len(), again.counts.questions), (Outcome::Succeeded, 2, 2));
    let strong = model(&[("it", [9.0, 0.0]), ("movie", [0.0, 1.0])]);
    let stood = replay(&found, &Target::new(&strong), &sample, Some(0)).unwrap();
    assert_eq!((stood.outcome, stood.reason.as_deref()), (Outcome::Failed, Some("withstood the replay")));
    let other = Sample::of_text("1", "It is a bad film, or so they say.");
    let skipped = replay(&found, &Target::new(&weak), &other, Some(0)).unwrap();
    assert_eq!(skipped.reason.as_deref(), Some("the text is not the one that was attacked"));
    assert!(skipped.outcome == Outcome::Skipped && skipped.edits.is_empty() && skipped.changed == 0);
    let wrong = model(&[("it", [0.0, 9.0])]);
    let skipped = replay(&found, &Target::new(&wrong), &sample, Some(0)).unwrap();
    assert_eq!(skipped.reason.as_deref(), Some("wrong before the attack"));
}

#[test]
fn a_trigger_turns_texts_that_took_no_part() {
    // `tale` is the strongest word of the other class: two of them outweigh one `good` or `loved`.
    let model = critic();
    let texts = |texts: &[&str]| -> Vec<Sample> { texts.iter().map(|text| Sample::of_text(*text, *text)).collect() };
    let made = texts(&["a good film of old", "we loved the acting there"]);
    let unseen = texts(&["a good thing it was", "they loved it so much"]);
    let options = TriggerOptions { words: 2, tried: 3, beam: 2, rounds: 3 };
    let found = trigger(&Target::new(&model), (&made, &unseen), 0, options, &|| ()).unwrap();
    assert_eq!(found.words, ["tale", "tale"]);
    let right = |estimate: Option<fissure_statistics::Estimate>| estimate.unwrap().value;
    assert_eq!((right(found.unseen_before), right(found.unseen_after)), (1.0, 0.0));
    let new = with_trigger(&unseen[0], &found.words);
    assert_eq!(new.fields[0].text.as_str(), "tale tale a good thing it was");
}
