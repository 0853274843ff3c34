//! The carrying power of a sample, on real files: labels survive edits with their words, and files come back whole.

use std::sync::Arc;

use fissure_core::{Anchor, Dice, Edit, Mark, Sample, apply};
use fissure_data::Format;
use serde_json::Value;

use crate::common::{options, read, read_file, shared, written};

/// File, task, format it is written in again, rows.
const FILES: [(&str, &str, Format, usize); 5] = [
    ("uner_ewt/en_ewt-ud-dev.iob2", "ner", Format::Conll, 2001),
    ("squad/dev-half-v2.0.json", "mrc", Format::Squad, 6078),
    ("ud_ewt/en_ewt-ud-dev.conllu", "dp", Format::Conllu, 2001),
    ("semeval2010/TRAIN_FILE.TXT", "re", Format::Semeval, 8000),
    ("absa/rest/train_sent_towe.json", "absa", Format::JsonObject, 1523),
];

#[test]
fn files_come_back() {
    for (file, task, format, rows) in FILES {
        let Some(path) = shared(file) else { return };
        let samples = read_file(&path, options(task, ""));
        assert_eq!(samples.len(), rows, "{file}");
        assert!(samples.iter().any(|sample| !sample.marks.is_empty()), "{file}");
        let copy = written(&samples, format, task);
        let original = std::fs::read(&path).unwrap();
        match format {
            Format::Squad | Format::JsonObject => {
                let [one, other]: [Value; 2] = [&original, &copy].map(|bytes| serde_json::from_slice(bytes).unwrap());
                assert!(one == other, "{file}");
            }
            // These formats leave no freedom: the same file, byte for byte.
            _ => assert!(original == copy, "{file}: {}", first_difference(&original, &copy)),
        }
        let lines = written(&samples, Format::Jsonl, task);
        assert!(read("copy.jsonl", lines, options(task, "")) == samples, "{file} by way of jsonl");
    }
}

fn first_difference(one: &[u8], other: &[u8]) -> String {
    let at = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let around =
        |bytes: &[u8]| String::from_utf8_lossy(&bytes[at.saturating_sub(80)..bytes.len().min(at + 80)]).into_owned();
    format!("at byte {at}\n{}\n--- became ---\n{}", around(one), around(other))
}

#[test]
fn labels_survive_ten_thousand_edit_scripts() {
    for (file, task, _, _) in FILES {
        let Some(path) = shared(file) else { return };
        let mut samples = read_file(&path, options(task, ""));
        samples.iter_mut().for_each(number_marks);
        let layout = fissure_tasks::find(task).unwrap();
        let (mut kept, mut refused, mut dropped) = (0, 0, 0);
        for script in 0..2000 {
            let mut dice = Dice::new(1, &[file, &script.to_string()]);
            let sample = &samples[dice.below(samples.len())];
            let applied = apply(sample, random_edits(sample, &mut dice)).unwrap();
            (refused, dropped) = (refused + applied.refused, dropped + applied.dropped);
            for mark in &sample.marks {
                kept += usize::from(check(sample, mark, &applied.edits, &applied.sample));
            }
            check_links(sample, &applied.sample);
            // What is written and read again says the same of the same words.
            // (A relation without its subject or object is none, and the reader says so.)
            let again = match layout.sample(layout.row(&applied.sample)) {
                Err(fault) if task == "re" && fast_words(&applied.sample).len() < 2 => {
                    assert!(fault.why.contains("<e1>"), "{fault}");
                    continue;
                }
                again => again.unwrap(),
            };
            assert_eq!(fast_words(&again), fast_words(&applied.sample), "{file}, script {script}");
        }
        // The scripts are fierce enough to test every rule, and leave enough to be tested.
        assert!(kept > 2000 && dropped > 50, "{file}: {kept} kept, {dropped} dropped");
        assert!(refused > 100 || matches!(task, "ner" | "dp"), "{file}: {refused} refused");
    }
}

/// Gives every mark a number that it keeps.
fn number_marks(sample: &mut Sample) {
    for (number, mark) in sample.marks.iter_mut().enumerate() {
        mark.attributes.push((Arc::from("number"), number.into()));
    }
}

fn number(mark: &Mark) -> Option<&Value> {
    mark.attributes.iter().find(|(name, _)| &**name == "number").map(|(_, number)| number)
}

/// A few edits anywhere: inside words, over their edges, over whole phrases.
fn random_edits(sample: &Sample, dice: &mut Dice) -> Vec<Edit> {
    let field = dice.below(sample.fields.len());
    let text = sample.fields[field].text.as_str();
    let mut edits = Vec::new();
    let mut done = 0;
    for _ in 0..=dice.below(6) {
        let anywhere = text.ceil_char_boundary(done + dice.below((text.len() - done) / 2 + 1));
        // Often just where a label is, or from there on.
        let near =
            dice.pick(&sample.marks).filter(|mark| mark.field == field && mark.span.start >= done && dice.chance(0.5));
        let start = near.map_or(anywhere, |mark| mark.span.start);
        let length = [0, 1, 3, 8, 30, near.map_or(2, |mark| mark.span.len())][dice.below(6)];
        let end = text.ceil_char_boundary((start + length).min(text.len()));
        let with = ["", "x", "new words", "naïve 試験", " ", "-"][dice.below(6)];
        edits.push(Edit::replace(start..end, with).on(field));
        done = end;
    }
    edits
}

/// Where each byte of the new text comes from: a byte of the old one, or an edit.
enum Source {
    Old(usize),
    New(usize),
}

/// Holds a mark of the old sample against the new one, byte by byte. True if it survived.
fn check(old: &Sample, mark: &Mark, edits: &[Edit], new: &Sample) -> bool {
    let mut sources = Vec::new();
    let mut done = 0;
    for (at, edit) in edits.iter().enumerate().filter(|(_, edit)| edit.field == mark.field) {
        sources.extend((done..edit.span.start).map(Source::Old));
        sources.extend(edit.with.bytes().map(|_| Source::New(at)));
        done = edit.span.end;
    }
    sources.extend((done..old.fields[mark.field].text.len()).map(Source::Old));

    let inside = |byte: usize| mark.span.start <= byte && byte < mark.span.end;
    let survivors: Vec<usize> = sources
        .iter()
        .enumerate()
        .filter(|(_, source)| matches!(source, Source::Old(byte) if inside(*byte)))
        .map(|(at, _)| at)
        .collect();
    let Some(moved) = new.marks.iter().find(|other| number(other) == number(mark)) else {
        assert!(survivors.is_empty(), "a mark was dropped although words of it are left");
        return false;
    };
    assert_eq!((moved.layer, &moved.value), (mark.layer, &mark.value));
    for at in &survivors {
        assert!(moved.span.range().contains(at), "a word of a mark fell out of it");
    }
    for at in moved.span.range() {
        match sources[at] {
            Source::Old(byte) => assert!(inside(byte), "a mark took in a word that is not its own"),
            Source::New(edit) => {
                let span = edits[edit].span;
                let within = mark.span.covers(span)
                    && !(span.is_empty() && (span.start == mark.span.start || span.start == mark.span.end));
                assert!(
                    within || (mark.anchor == Anchor::Elastic && span.overlaps(mark.span)),
                    "a mark took in a stranger"
                );
            }
        }
    }
    true
}

/// Every link joins the marks that it joined before.
fn check_links(old: &Sample, new: &Sample) {
    let ends = |sample: &Sample| -> Vec<_> {
        let end = |at: usize| number(&sample.marks[at]).cloned();
        sample.links.iter().map(|link| (link.layer, end(link.from), end(link.to), link.value.clone())).collect()
    };
    let before = ends(old);
    assert!(ends(new).iter().all(|link| before.contains(link)));
}

/// What the labels that hold fast say, and of which letters. An opinion about a thing that is gone is nowhere written.
fn fast_words(sample: &Sample) -> Vec<(&str, &str, String)> {
    let letters = |mark: &Mark| sample.words_of(mark).split_whitespace().collect::<String>();
    let told = |at: usize, mark: &Mark| mark.layer != "opinion" || sample.links.iter().any(|link| link.to == at);
    let fast = sample.marks.iter().enumerate().filter(|(at, mark)| mark.anchor == Anchor::Rigid && told(*at, mark));
    fast.map(|(_, mark)| (mark.layer, &*mark.value, letters(mark))).collect()
}

#[test]
fn tokens_that_no_edit_touches_keep_their_tags_when_written() {
    let Some(path) = shared("uner_ewt/en_ewt-ud-test.iob2") else { return };
    let samples = read_file(&path, options("ner", ""));
    let layout = fissure_tasks::find("ner").unwrap();
    for (at, sample) in samples.iter().enumerate() {
        let mut dice = Dice::new(2, &[&at.to_string()]);
        let applied = apply(sample, random_edits(sample, &mut dice)).unwrap();
        let again = layout.sample(layout.row(&applied.sample)).unwrap();
        let tagged = |sample: &Sample| -> Vec<(String, String)> {
            sample.marks.iter().map(|mark| (sample.words_of(mark).to_owned(), mark.value.clone())).collect()
        };
        let edited = |mark: &Mark| {
            applied.edits.iter().any(|edit| edit.span.start <= mark.span.end && mark.span.start <= edit.span.end)
        };
        // An entity that an edit touches is spelled again, with all its tokens.
        let touched = |mark: &&Mark| {
            let around = |entity: &Mark| entity.layer == "entity" && entity.span.covers(mark.span) && edited(entity);
            edited(mark) || sample.marks.iter().any(around)
        };
        let mut out = tagged(&again).into_iter();
        for mark in sample.marks.iter().filter(|mark| mark.layer == "token" && !touched(mark)) {
            let wanted = (sample.words_of(mark).to_owned(), mark.value.clone());
            assert!(out.any(|found| found == wanted), "sentence {at}: {wanted:?} is gone");
        }
        // And all the letters are there.
        let letters = |sample: &Sample| sample.fields[0].text.split_whitespace().collect::<String>();
        assert_eq!(letters(&again), letters(&applied.sample));
    }
}

#[test]
fn the_other_real_files_read_as_they_are() {
    let cases: [(&str, &str, &str, usize); 9] = [
        ("ud_ewt/en_ewt-ud-train.conllu.gz", "pos", "", 12_544),
        ("ud_zh/zh_gsdsimp-ud-dev.conllu", "dp", "", 500),
        ("silver_ner.iob2.gz", "ner", "", 39_337),
        ("silver_ner.iob2.gz", "pos", "tags=2", 39_337),
        ("absa/laptop/test_sent.json", "absa", "", 411),
        ("coref/gap-development.tsv", "coref", "", 2000),
        ("textfooler_1k/mr.txt", "sa", "", 1000),
        ("textfooler_1k/imdb.txt", "sa", "", 1000),
        ("zh/ner_resume/dev.char.bmes", "ner", "text=1,tags=2", 463),
    ];
    for (file, task, columns, rows) in cases {
        let Some(path) = shared(file) else { return };
        let samples = read_file(&path, options(task, columns));
        assert_eq!(samples.len(), rows, "{file}");
        let again = read("copy.jsonl", written(&samples, Format::Jsonl, task), options(task, columns));
        assert!(again == samples, "{file} by way of jsonl");
    }
    let Some(path) = shared("coref/gap-development.tsv") else { return };
    let samples = read_file(&path, options("coref", ""));
    let mentions = [("mention", "0", "her"), ("mention", "0", "CherylCassidy"), ("mention", "2", "Pauline")];
    assert_eq!(fast_words(&samples[0]), mentions.map(|(layer, cluster, words)| (layer, cluster, words.to_owned())));
}
