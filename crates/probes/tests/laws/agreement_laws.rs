//! A label that is called kept is kept: what the texts of a sample share stays shared, and what carries a label stays
//! spelled as it is.

use std::collections::{BTreeMap, BTreeSet};

use fissure_core::{Anchor, Entry, Expectation, Field, Level, Mark, Outcome, Sample, Span, Transform, Variant, Words};

use crate::{Part, Verdict, for_each_outcome, holds, serves};

/// Texts that are compared: a name, a number or a finite verb that two of them have is the same in both afterwards, and
/// two names stay two. A slip of a letter or two does not count.
pub fn what_is_shared_stays_shared(entry: &'static Part) -> Verdict {
    for (task, sample) in compared() {
        if !promises(entry, task) {
            continue;
        }
        for_each_outcome(entry, &[sample], |sample, outcome| match outcome {
            Outcome::Changed(variant) => shares(sample, variant).map_err(|fault| format!("{task}: {fault}")),
            Outcome::Unchanged | Outcome::Skipped(_) | Outcome::Filtered(_) => Ok(()),
        })?;
    }
    Ok(())
}

/// A part that changes letters leaves answers, terms, arguments and mentions as they are unless it is asked.
pub fn slips_spare_labelled_words(entry: &'static Part) -> Verdict {
    let has = |knob: &str| entry.knobs().iter().any(|card| card.name == knob);
    if entry.card.level != Some(Level::Character) && !has("labelled") {
        return Ok(());
    }
    let settings: Vec<(String, String)> =
        if has("rate") { vec![("rate".into(), "1".into()), ("max".into(), "1000".into())] } else { Vec::new() };
    let chain = crate::chain(entry, &settings)?;
    for (task, sample) in compared().into_iter().chain(labelled()).filter(|(task, _)| serves(entry, task)) {
        for seed in 0..5 {
            let Outcome::Changed(variant) = chain.run(&sample, seed, 0) else { continue };
            for (old, new) in sample.marks.iter().zip(&variant.sample.marks) {
                let (old, new) = (sample.words_of(old), variant.sample.words_of(new));
                holds(old == new, || format!("{task}: `{old}` carries a label and becomes `{new}`"))?;
            }
        }
    }
    Ok(())
}

/// A closed text changes only by a part that renames, and then only together with an open one.
pub fn closed_texts_only_follow(entry: &'static Part) -> Verdict {
    let mut samples: Vec<Sample> = compared().into_iter().map(|(_, sample)| sample).collect();
    for field in samples.iter_mut().filter_map(|sample| sample.fields.first_mut()) {
        field.open = false;
    }
    for_each_outcome(entry, &samples, |sample, outcome| {
        let Outcome::Changed(variant) = outcome else { return Ok(()) };
        let changed = |open: bool| {
            let pairs = sample.fields.iter().zip(&variant.sample.fields);
            let opened = |field: &Field| !field.open && entry.card.opens.contains(&&*field.name);
            pairs.into_iter().any(|(old, new)| old.open == open && old.text != new.text && !opened(old))
        };
        holds(!changed(false) || (entry.card.renames && changed(true)), || "a closed text was edited".into())
    })
}

fn promises(entry: &'static Entry<dyn Transform>, task: &str) -> bool {
    serves(entry, task) && entry.card.expects_on(&fissure_tasks::find(task).expect("a task").facts) == Expectation::Kept
}

/// Whether all that two texts share is still shared.
fn shares(sample: &Sample, variant: &Variant) -> Verdict {
    let mut images: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut counts: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (index, field) in sample.fields.iter().enumerate() {
        for span in mentions(&field.text) {
            let written = span.of(&field.text).to_lowercase();
            counts.entry(written.clone()).or_default().insert(index);
            images.entry(written).or_default().insert(image(variant, index, field, span));
        }
    }
    for (mention, images) in &images {
        let shared = counts[mention].len() > 1;
        holds(!shared || images.len() == 1, || format!("`{mention}` becomes {images:?} in different places"))?;
    }
    let mut taken: BTreeMap<&String, &String> = BTreeMap::new();
    for (mention, image) in images.iter().filter_map(|(mention, images)| Some((mention, images.first()?))) {
        let other = taken.insert(image, mention);
        holds(other.is_none(), || format!("`{mention}` and `{other:?}` both become `{image}`"))?;
    }
    Ok(())
}

/// Men and women, and the finite verbs of the samples.
const WORDS: [&str; 7] = ["was", "man", "woman", "lived", "twelve", "moved", "husband"];

/// Names, numbers, and [`WORDS`].
fn mentions(text: &str) -> impl Iterator<Item = Span> {
    const NO_NAMES: [&str; 5] = ["A", "The", "When", "In", "What"];
    let is_mention = |word: &str| {
        let first = word.chars().next();
        first.is_some_and(|first| first.is_uppercase() || first.is_numeric()) && !NO_NAMES.contains(&word)
            || WORDS.contains(&word)
    };
    let words: Vec<Span> = Words::new(text)
        .map(|word| match word.text.strip_suffix("'s") {
            Some(name) => Span::new(word.span.start, word.span.start + name.len()),
            None => word.span,
        })
        .filter(|span| is_mention(span.of(text)))
        .collect();
    words.into_iter()
}

/// What happened to a mention, in lower case; itself if it is misspelled, or if only its place in the text is another.
fn image(variant: &Variant, index: usize, field: &Field, span: Span) -> String {
    let old = span.of(&field.text).to_lowercase();
    let count =
        |text: &str| Words::new(text).filter(|word| word.text.to_lowercase().trim_end_matches("'s") == old).count();
    if count(&field.text) == count(&variant.sample.fields[index].text) {
        return old;
    }
    let edits = variant.trail.edits.iter().filter(|edit| edit.field == field.name);
    let mut new = String::new();
    let mut done = span.start;
    for edit in edits.filter(|edit| edit.start < span.end && span.start < edit.end) {
        new += &field.text[done..edit.start.max(done)];
        new += &edit.new;
        done = edit.end.min(span.end);
    }
    new += &field.text[done..span.end];
    // An edit of a word takes its `'s` along.
    let new = new.to_lowercase().trim_end_matches("'s").to_owned();
    let is_number = new.bytes().all(|byte| byte.is_ascii_digit());
    // `vvas` for `was` is a slip, and `is` is none.
    let near = strsim::osa_distance(&old, &new) <= if old.len() > 3 || new.len() > old.len() { 2 } else { 1 };
    if near && !is_number && !WORDS.contains(&new.as_str()) { old } else { new }
}

fn field(name: &str, text: &str, open: bool) -> Field {
    Field { open, ..Field::open(name, text) }
}

fn marked(mut sample: Sample, layer: &'static str, words: &[&str]) -> Sample {
    for (at, words) in words.iter().enumerate() {
        let text = &sample.fields[0].text;
        let start = text.find(words).unwrap_or_else(|| panic!("`{words}` stands in {text:?}"));
        let span = Span::new(start, start + words.len());
        sample.marks.push(Mark::new(layer, 0, span, at.to_string(), Anchor::Rigid));
    }
    sample
}

/// Samples of several texts, with what these texts share.
fn compared() -> Vec<(&'static str, Sample)> {
    let pairs = [
        [
            "Mary Johnson was in Boston with 12 friends, and Peter Brown was in Canada.",
            "Johnson was in Boston with 12 friends.",
        ],
        ["A man was asleep in Paris.", "A woman was asleep in Paris, the capital of France."],
        ["Tom Hanks was happy about Microsoft's twelve offices in Germany.", "Hanks was sad about Microsoft."],
        ["The French army was in Spain. A Spanish man was there.", "A Spanish man was in France."],
    ];
    let mut samples = Vec::new();
    for (at, [first, second]) in pairs.into_iter().enumerate() {
        for (task, names) in [("nli", ["premise", "hypothesis"]), ("sm", ["sentence1", "sentence2"])] {
            let fields = vec![field(names[0], first, true), field(names[1], second, true)];
            samples.push((task, Sample { id: format!("{task}{at}"), fields, ..Sample::default() }));
        }
    }
    let passages = [
        (
            "Mary Johnson lived in Boston for 12 years. In 1998 Johnson moved from France to Canada, and her husband Peter Brown definitely came with her.",
            "When was it that Mary Johnson moved from France to Canada?",
            &["1998", "Peter Brown", "Boston"][..],
        ),
        (
            "The Normans lived in Normandy, a part of France. Their leader Richard was a friend of Robert, whose son William was born in Paris.",
            "What was the name of Robert's son who was born in France?",
            &["William", "a part of France"],
        ),
    ];
    for (at, (context, question, answers)) in passages.into_iter().enumerate() {
        let fields = vec![field("context", context, true), field("question", question, false)];
        let sample = Sample { id: format!("mrc{at}"), fields, ..Sample::default() };
        samples.push(("mrc", marked(sample, "answers", answers)));
    }
    samples
}

/// Samples of one text whose words carry labels.
fn labelled() -> Vec<(&'static str, Sample)> {
    let one = |task: &'static str, text: &str| Sample {
        fields: vec![field("text", text, true)],
        ..Sample::of_text(task, "")
    };
    let absa = one("absa", "The separate kitchen was definitely modern, but the waiters were terribly slow.");
    let re = one("re", "The committee received a recommendation from Peter Brown in Boston.");
    let coref = one("coref", "Mary Johnson told Peter Brown that the government was wrong. Johnson left Boston.");
    vec![
        ("absa", marked(absa, "aspect", &["separate kitchen", "waiters", "terribly slow"])),
        ("re", marked(re, "subject", &["committee", "recommendation"])),
        ("coref", marked(coref, "mention", &["Mary Johnson", "Peter Brown", "government"])),
    ]
}

#[test]
fn the_law_sees_a_mention_that_two_texts_no_longer_share() {
    let mut broken = Vec::new();
    for (task, sample) in compared() {
        let chain = crate::chain(&crate::broken::one_sided::ENTRY, &[]).expect("it can be built");
        let Outcome::Changed(variant) = chain.run(&sample, 0, 0) else { continue };
        broken.extend(shares(&sample, &variant).is_err().then_some(task));
    }
    for task in ["nli", "sm", "mrc"] {
        assert!(broken.contains(&task), "{task} has nothing that its texts share");
    }
}
