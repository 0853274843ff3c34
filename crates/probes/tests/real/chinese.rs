//! Every part that knows Chinese, on every Chinese file: what is labelled stays labelled, and rightly.

use std::collections::BTreeMap;

use fissure_core::{
    Card, Dice, Donors, Entry, Label, Language, Outcome, Resources, Sample, Sense, Spelling, Transform, example, layer,
};
use fissure_probes::TRANSFORMS;
use fissure_tasks::{Row, Task};
use serde_json::{Value, json};

use crate::{chain, checks, number};

/// The files, with the task that each is read for. Of a large one the first samples are enough.
const FILES: [(&str, &str); 17] = [
    ("cws", "zh/people_daily_199801.txt.gz"),
    ("cws", "ud_zh/zh_gsd-simplified-train-ud1.conll.gz"),
    ("cws", "ud_zh/zh_gsdsimp-ud-dev.conllu"),
    ("cws", "ud_zh/zh_gsdsimp-ud-test.conllu"),
    ("pos", "ud_zh/zh_gsdsimp-ud-dev.conllu"),
    ("dp", "ud_zh/zh_gsdsimp-ud-test.conllu"),
    ("ner", "zh/ner_resume/train.char.bmes"),
    ("ner", "zh/ner_resume/dev.char.bmes"),
    ("ner", "zh/ner_resume/test.char.bmes"),
    ("sa", "zh/chnsenticorp/train.tsv"),
    ("sa", "zh/chnsenticorp/dev.tsv"),
    ("sa", "zh/chnsenticorp/test.tsv"),
    ("sm", "zh/lcqmc/dev.txt"),
    ("sm", "zh/lcqmc/test.txt"),
    ("sm", "zh/afqmc/dev.txt"),
    ("nli", "zh/cmnli/dev.txt"),
    ("mrc", "zh/people_daily_199801.txt.gz"),
];

/// How many samples of a file are read.
const MOST: usize = 1_500;

fn row(columns: impl IntoIterator<Item = (&'static str, Value)>) -> Row {
    let mut row = Row::default();
    columns.into_iter().for_each(|(name, value)| row.push(name, value));
    row
}

fn rows(task: &str, path: &str, text: &str) -> Vec<Row> {
    if path.starts_with("ud_zh") {
        return match task {
            "cws" => crate::files::segmented(text),
            _ => crate::files::conllu(text, task),
        };
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(MOST);
    match task {
        "cws" => lines.map(|line| row([("text", json!(words(line).join(" ")))])).collect(),
        "mrc" => lines.filter_map(|line| asked(&words(line))).collect(),
        "sm" | "nli" => {
            let names = if task == "nli" { ["premise", "hypothesis"] } else { ["sentence1", "sentence2"] };
            let read = |line: &str| {
                let mut cells = line.split('\t');
                let (first, second, label) = (cells.next()?, cells.next()?, cells.next()?);
                Some(row([(names[0], json!(first)), (names[1], json!(second)), ("label", json!(label))]))
            };
            lines.filter_map(read).collect()
        }
        "sa" if path.ends_with("test.tsv") => {
            lines.skip(1).filter_map(|line| Some(row([("text", json!(line.split_once('\t')?.1))]))).collect()
        }
        _ => crate::files::pairs_of_columns(&lines.collect::<Vec<_>>().join("\n"), task),
    }
}

/// The words of a line of the People's Daily, without their tags and the brackets of names.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace()
        .filter_map(|token| token.split('/').next())
        .map(|word| word.trim_start_matches('['))
        .filter(|word| !word.is_empty())
        .collect()
}

/// No file asks questions, so one is asked about the longest word of a paragraph.
fn asked(words: &[&str]) -> Option<Row> {
    let context = words.concat();
    let answer = words.iter().max_by_key(|word| word.chars().count())?;
    let start = context[..context.find(answer)?].chars().count();
    Some(row([
        ("context", json!(context)),
        ("question", json!("文中提到了什么？")),
        ("answers", json!({"text": [answer], "answer_start": [start]})),
    ]))
}

/// What the labels of pairs mean.
fn spelling(task: &str) -> Option<Spelling> {
    let senses: &[(Sense, &str)] = match task {
        "sm" => &[(Sense::Same, "1"), (Sense::Different, "0")],
        "nli" => &[(Sense::Entails, "entailment"), (Sense::Neutral, "neutral"), (Sense::Contradicts, "contradiction")],
        _ => return None,
    };
    Some(Spelling::new(senses.iter().map(|(sense, label)| (*sense, Label((*label).into()))).collect()))
}

struct Loaded {
    path: &'static str,
    task: &'static Task,
    samples: Vec<Sample>,
    resources: Resources,
}

fn load((task, path): (&'static str, &'static str)) -> Option<Loaded> {
    let Some(text) = crate::files::text_of(path) else {
        println!("SKIPPED: {path} is not there");
        return None;
    };
    let task = fissure_tasks::find(task).expect("a task");
    let read = |(at, row): (usize, Row)| Some(Sample { id: format!("{path}{at}"), ..task.sample(row).ok()? });
    let samples: Vec<Sample> =
        rows(task.name(), path, &text).into_iter().take(MOST).enumerate().filter_map(read).collect();
    assert!(samples.len() > 100, "{path} gives {} samples for {}", samples.len(), task.name());
    let resources = Resources {
        donors: Some(Donors::of(samples.iter().cloned()).into()),
        spelling: spelling(task.name()).map(Into::into),
        ..Resources::default()
    };
    Some(Loaded { path, task, samples, resources })
}

/// Whether the tags of words or entities are as `B M E S` are written: `O` and tags of other schemes stand for themselves.
fn is_well_formed<'t>(tags: impl Iterator<Item = &'t str>) -> bool {
    let mut open: Option<&str> = None;
    for tag in tags {
        let (place, kind) = tag.split_once('-').unwrap_or((tag, ""));
        let follows = match place {
            "M" | "E" => open == Some(kind),
            _ => open.is_none(),
        };
        if !follows {
            return false;
        }
        open = matches!(place, "B" | "M").then_some(kind);
    }
    open.is_none()
}

fn tags(sample: &Sample) -> impl Iterator<Item = &str> {
    sample.layer(layer::TOKEN).map(|(_, mark)| &*mark.value)
}

/// Looks at the sample as the file has it: tags of entities are spelled again when a row is written.
fn check(task: &'static Task, card: &Card, sample: &Sample, new: &Sample) -> Result<(), String> {
    checks::reads_back(task, new)?;
    // An answer is written in the script of its passage, and is renamed with what it names.
    if card.name != "script" && !card.renames {
        checks::answers_stay(sample, new)?;
    }
    if sample.layer(layer::TOKEN).next().is_none() {
        return Ok(());
    }
    let again = task.sample(task.row(new)).map_err(|fault| fault.why)?;
    let joined: String = again.layer(layer::TOKEN).map(|(_, mark)| again.words_of(mark)).collect();
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    if bare(&joined) != bare(&new.fields[0].text) {
        return Err(format!("the tokens are {joined}"));
    }
    if matches!(task.name(), "cws" | "ner") && is_well_formed(tags(sample)) && !is_well_formed(tags(&again)) {
        return Err(format!("the tags are {:?}", tags(&again).collect::<Vec<_>>()));
    }
    // Of characters with tags every token is one.
    let by_character =
        |sample: &Sample| sample.layer(layer::TOKEN).all(|(_, mark)| sample.words_of(mark).chars().count() == 1);
    if by_character(sample) && !by_character(&again) {
        return Err("a token has several characters".into());
    }
    // Of trees the links say it all.
    if task.name() != "dp" && tags(&again).any(|tag| tag.is_empty() || tag == "_") {
        return Err("a token has no tag".into());
    }
    Ok(())
}

/// Tokens and tags as one text each, as tables have them: every part leaves as many tokens as tags, and characters alone.
#[test]
fn characters_in_one_text_stay_characters() {
    let Some(text) = crate::files::text_of("zh/ner_resume/dev.char.bmes") else { return };
    let task = fissure_tasks::find("ner").expect("a task");
    let read = |line: &str| {
        let (tokens, tags) = line.split_once('\t')?;
        task.sample(row([("text", json!(tokens)), ("tags", json!(tags))])).ok()
    };
    let mut samples: Vec<Sample> = text.lines().filter_map(read).collect();
    // To a row of Latin letters an English sentence is added, as words.
    samples.retain(|sample| sample.fields[0].text.language() == Language::Chinese);
    let resources = Resources { donors: Some(Donors::of(samples.iter().cloned()).into()), ..Resources::default() };
    let mut changed: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in
        TRANSFORMS.entries().filter(|entry| entry.card.serves(&task.facts) && entry.card.knows(Language::Chinese))
    {
        let part = chain(entry, &[], &resources);
        for sample in samples.iter().take(100) {
            let Outcome::Changed(variant) = part.run(sample, 3, 0) else { continue };
            *changed.entry(entry.card.name).or_default() += 1;
            if let Err(fault) = check(task, &entry.card, sample, &variant.sample) {
                panic!("{}: {fault}\n  {}", entry.card.name, example::write(&variant.sample));
            }
        }
    }
    println!("{changed:?}");
    // A part that does nothing would pass.
    for part in ["append_irr", "homophones", "keyboard", "nasal", "similar_shape", "swap_syn_wordnet"] {
        assert!(changed.contains_key(part), "{part} changes nothing: {changed:?}");
    }
}

#[test]
fn tags_are_checked() {
    let well = |tags: &str| is_well_formed(tags.split(' '));
    assert!(well("B M E S O B-A E-A B-B E-B S") && well("S S"));
    for bad in ["B", "B S", "E", "B-A E-B", "B E M", "M E", "B B E", "B-A O"] {
        assert!(!well(bad), "{bad}");
    }
}

/// 10,000 applications, of parts and samples that are drawn.
#[test]
fn labels_are_right_on_chinese_data() {
    let applications = number("FISSURE_APPLICATIONS", 10_000);
    let loaded: Vec<Loaded> = FILES.into_iter().filter_map(load).collect();
    if loaded.is_empty() {
        return;
    }
    let mut dice = Dice::new(7, &["real", "chinese"]);
    let mut faults = Vec::new();
    let mut counts: BTreeMap<(&str, &str), [usize; 2]> = BTreeMap::new();
    for at in 0..applications {
        let file = &loaded[at % loaded.len()];
        let serving = |entry: &&'static Entry<dyn Transform>| {
            entry.card.serves(&file.task.facts) && entry.card.knows(Language::Chinese)
        };
        let parts: Vec<_> = TRANSFORMS.entries().filter(serving).collect();
        let entry = parts[dice.below(parts.len())];
        let sample = &file.samples[dice.below(file.samples.len())];
        let outcome = chain(entry, &[], &file.resources).run(sample, at as u64, 0);
        let count = counts.entry((file.task.name(), entry.card.name)).or_default();
        count[1] += 1;
        let Outcome::Changed(variant) = outcome else { continue };
        count[0] += 1;
        if let Err(fault) = check(file.task, &entry.card, sample, &variant.sample) {
            let (old, new) = (example::write(sample), example::write(&variant.sample));
            faults.push(format!("{} on {}: {fault}\n  {old}\n  {new}", entry.card.name, file.path));
        }
    }
    for ((task, part), [changed, all]) in &counts {
        println!("{task} {part}: {changed} of {all} changed");
    }
    let changed: usize = counts.values().map(|[changed, _]| changed).sum();
    println!("{changed} of {applications} applications changed a sample");
    let shown: Vec<&str> = faults.iter().take(12).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), shown.join("\n"));
}
