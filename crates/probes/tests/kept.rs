//! Labels that are called kept, over real data: what two texts share stays shared, two texts that are compared stay in
//! one tense, and gold answers and terms stay spelled right.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use fissure_core::{Anchor, Chain, Expectation, Field, Mark, Outcome, Sample, Span, Variant, Words};
use fissure_probes::TRANSFORMS;
use serde_json::Value;

/// A real file, or `None`, loudly, if the folder of shared data is absent.
fn shared(file: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is not here, so nothing was checked against it", path.display());
    }
    text
}

const MOST: usize = 300;

/// The pairs of two columns of a table.
fn pairs(file: &str, names: [&str; 2], columns: [usize; 2]) -> Vec<Sample> {
    let Some(table) = shared(file) else { return Vec::new() };
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let pair = |(at, row): (usize, Vec<&str>)| {
        let fields = [0, 1].map(|which| Field::open(names[which], row[columns[which]]));
        Sample { id: at.to_string(), fields: fields.into(), ..Sample::default() }
    };
    rows.enumerate().step_by(3).take(MOST).map(pair).collect()
}

fn byte(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

/// Questions with their passages and answers, the first two of each paragraph.
fn squad() -> Vec<Sample> {
    let Some(file) = shared("squad/dev-half-v2.0.json") else { return Vec::new() };
    let file: Value = serde_json::from_str(&file).expect("the file is JSON");
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let mut samples = Vec::new();
    for paragraph in list(&file, "data").iter().flat_map(|article| list(article, "paragraphs").into_iter().step_by(6)) {
        let context = paragraph["context"].as_str().unwrap_or_default();
        for question in list(&paragraph, "qas").iter().take(2) {
            let asked =
                Field { open: false, ..Field::open("question", question["question"].as_str().unwrap_or_default()) };
            let mut sample = Sample { id: question["id"].to_string(), ..Sample::default() };
            sample.fields = vec![Field::open("context", context), asked];
            for answer in list(question, "answers") {
                let start = byte(context, answer["answer_start"].as_u64().unwrap_or_default() as usize);
                let span = Span::new(start, start + answer["text"].as_str().unwrap_or_default().len());
                sample.marks.push(Mark::new("answers", 0, span, "", Anchor::Rigid));
            }
            samples.push(sample);
        }
    }
    samples.truncate(MOST);
    samples
}

/// Sentences with the terms that they judge.
fn absa() -> Vec<Sample> {
    let Some(file) = shared("absa/rest/test_sent_towe.json") else { return Vec::new() };
    let file: Value = serde_json::from_str(&file).expect("the file is JSON");
    let sentences: Vec<&Value> = match &file {
        Value::Array(sentences) => sentences.iter().collect(),
        Value::Object(sentences) => sentences.values().collect(),
        _ => Vec::new(),
    };
    let sample = |(at, sentence): (usize, &&Value)| {
        let text = sentence["sentence"].as_str().unwrap_or_default();
        let mut sample = Sample::of_text(at.to_string(), text);
        for term in sentence["term_list"].as_object().into_iter().flat_map(|terms| terms.values()) {
            let place = |key: &str| byte(text, term[key].as_u64().unwrap_or_default() as usize);
            sample.marks.push(Mark::new("aspect", 0, Span::new(place("from"), place("to")), "", Anchor::Rigid));
        }
        sample
    };
    sentences.iter().enumerate().take(MOST).map(sample).collect()
}

fn chain(name: &str, settings: &[(&str, &str)]) -> Chain {
    let settings: Vec<_> = settings.iter().map(|(knob, value)| ((*knob).into(), (*value).into())).collect();
    Chain::build(&TRANSFORMS, name, &settings).expect("the part is in the catalog")
}

fn changed<'s>(chain: &Chain, samples: &'s [Sample]) -> Vec<(&'s Sample, Variant)> {
    let outcome = |sample: &'s Sample| match chain.run(sample, 0, 0) {
        Outcome::Changed(variant) => Some((sample, *variant)),
        Outcome::Unchanged | Outcome::Skipped(_) | Outcome::Filtered(_) => None,
    };
    samples.iter().filter_map(outcome).collect()
}

/// What stands between spaces and starts with a capital or a digit, without `'s` and the signs around it.
fn mentions(text: &str) -> impl Iterator<Item = Span> {
    text.split_whitespace().filter_map(|chunk| {
        let is_sign = |letter: char| !letter.is_alphanumeric();
        let bare = chunk.trim_matches(is_sign).trim_end_matches("'s").trim_end_matches("\u{2019}s");
        // Both are pieces of `text`, so their addresses show where they stand.
        let start = bare.as_ptr() as usize - text.as_ptr() as usize;
        let is_mention = bare.starts_with(|first: char| first.is_uppercase() || first.is_numeric());
        is_mention.then(|| Span::new(start, start + bare.len()))
    })
}

/// The first mention that two texts share and that does not become the same everywhere.
fn no_longer_shared(sample: &Sample, variant: &Variant) -> Option<String> {
    let mut images: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut texts: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (index, field) in sample.fields.iter().enumerate() {
        for span in mentions(&field.text) {
            let written = span.of(&field.text).to_lowercase();
            let of_field = variant.trail.edits.iter().filter(|edit| edit.field == field.name);
            let edit = of_field.clone().find(|edit| edit.start < span.end && span.start < edit.end);
            let image = edit.map_or_else(|| written.clone(), |edit| edit.new.to_lowercase());
            texts.entry(written.clone()).or_default().insert(index);
            images.entry(written).or_default().insert(image);
        }
    }
    let apart = images.into_iter().find(|(mention, images)| texts[mention].len() > 1 && images.len() > 1);
    apart.map(|(mention, images)| {
        format!("`{mention}` becomes {images:?} in {:?} => {:?}", sample.fields, variant.sample.fields)
    })
}

#[test]
fn names_and_numbers_that_texts_share_stay_shared() {
    let tasks = [
        ("nli", pairs("snli/validation.tsv", ["premise", "hypothesis"], [0, 1])),
        ("sm", pairs("mrpc/dev.tsv", ["sentence1", "sentence2"], [3, 4])),
        ("mrc", squad()),
    ];
    let parts: [(&str, &[(&str, &str)]); 4] =
        [("swap_named_ent", &[]), ("swap_num", &[]), ("prejudice", &[("change", "region")]), ("prejudice", &[])];
    for (task, samples) in tasks {
        for (name, settings) in parts {
            let done = changed(&chain(name, settings), &samples);
            eprintln!("{task} {name} {settings:?}: {} of {} changed", done.len(), samples.len());
            for (sample, variant) in done {
                assert_eq!(no_longer_shared(sample, &variant), None, "{task} {name}");
            }
        }
    }
}

/// How often a text says `will`.
fn says_will(field: &Field) -> bool {
    Words::new(&field.text).any(|word| ["will", "won't", "wo"].contains(&word.text.to_lowercase().as_str()))
        || field.text.contains("'ll ")
}

#[test]
fn pairs_move_to_another_tense_together() {
    let samples = [
        pairs("snli/validation.tsv", ["premise", "hypothesis"], [0, 1]),
        pairs("mrpc/dev.tsv", ["sentence1", "sentence2"], [3, 4]),
    ];
    for samples in samples.into_iter().filter(|samples| !samples.is_empty()) {
        let done = changed(&chain("tense", &[("target", "future")]), &samples);
        eprintln!("tense: {} of {} changed", done.len(), samples.len());
        assert!(!done.is_empty(), "no pair can be moved");
        for (_, variant) in done {
            let [first, second] = [0, 1].map(|at| says_will(&variant.sample.fields[at]));
            assert!(first && second, "{:?}", variant.sample.fields);
        }
    }
}

#[test]
fn slips_leave_gold_answers_and_terms_alone() {
    for samples in [squad(), absa()].into_iter().filter(|samples| !samples.is_empty()) {
        for name in ["typos", "keyboard", "ocr", "spelling_error"] {
            let done = changed(&chain(name, &[]), &samples);
            assert!(done.len() > samples.len() / 2, "{name} changes {} of {}", done.len(), samples.len());
            for (sample, variant) in done {
                for (old, new) in sample.marks.iter().zip(&variant.sample.marks) {
                    assert_eq!(sample.words_of(old), variant.sample.words_of(new), "{name}");
                }
            }
            let asked = changed(&chain(name, &[("labelled", "true"), ("rate", "1")]), &samples);
            let hit = |(sample, variant): &(&Sample, Variant)| {
                let mut marks = sample.marks.iter().zip(&variant.sample.marks);
                marks.any(|(old, new)| sample.words_of(old) != variant.sample.words_of(new))
            };
            assert!(asked.iter().any(hit), "{name} with labelled = true hits no labelled word");
        }
    }
}

#[test]
fn the_expectation_depends_on_the_task() {
    let expects = |name: &str, task: &str| chain(name, &[]).expects_on(&fissure_tasks::find(task).unwrap().facts);
    assert_eq!(expects("tense", "nli"), Expectation::Kept);
    assert_eq!(expects("tense", "mrc"), Expectation::Unsure);
    assert_eq!((expects("insert_adv", "nli"), expects("insert_adv", "sm")), (Expectation::Kept, Expectation::Unsure));
    for name in ["swap_ant_wordnet", "reverse_neg", "swap_num", "swap_name_in_text"] {
        for task in ["nli", "sm", "mrc", "absa", "re"] {
            assert_eq!(expects(name, task), Expectation::Unsure, "{name} on {task}");
        }
    }
}
