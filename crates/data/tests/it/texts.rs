//! Every text of the real files comes back byte for byte; with one edit, all bytes outside it.

use crate::common::{options, read, read_file, shared, written};
use fissure_core::{Dice, Edit, Sample, Span, apply};
use fissure_data::Format;

#[test]
fn all_ag_news_rows_come_back() {
    let Some(path) = shared("ag_news/test.csv") else { return };
    let samples = read_file(&path, options("classification", "text=2+3,label=1"));
    assert_eq!(samples.len(), 7600);
    assert_eq!(samples[0].label.as_ref().unwrap().to_string(), "3");
    assert!(samples[0].text("text").unwrap().starts_with("Fears for T N pension after talks Unions representing"));
    for format in [Format::Csv, Format::Tsv, Format::Jsonl] {
        let name = format!("copy.{}", format.card().name);
        let bytes = written(&samples, format, "classification");
        let mut again = options("classification", "text=2+3,label=1");
        again.header = Some(format == Format::Jsonl);
        assert_eq!(read(&name, bytes, again), samples, "{name}");
    }
    // The file quotes every cell, which no reader needs; apart from that it is the same file.
    let bytes = std::fs::read(path).unwrap();
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap();
    let ours = written(&samples[..1], Format::Csv, "classification");
    assert_eq!(
        String::from_utf8_lossy(first).replace('"', ""),
        String::from_utf8_lossy(&ours).trim_end().replace('"', "")
    );
    one_edit_each(&samples, "classification", "text=2+3,label=1");
}

#[test]
fn all_imdb_reviews_come_back() {
    for file in ["imdb/train.jsonl.gz", "imdb/test.jsonl.gz"] {
        let Some(path) = shared(file) else { return };
        let samples = read_file(&path, options("sa", ""));
        assert_eq!(samples.len(), 25_000);
        let copy = tempfile::Builder::new().suffix(".jsonl.zst").tempfile().unwrap();
        let mut writer = fissure_data::Writer::create(
            copy.path(),
            None,
            fissure_tasks::find("sa").unwrap(),
            fissure_data::Existing::Replace,
        )
        .unwrap();
        samples.iter().for_each(|sample| writer.write(sample).unwrap());
        writer.finish().unwrap();
        assert!(read_file(&copy.path().to_path_buf(), options("sa", "")) == samples);
        one_edit_each(&samples, "sa", "");
    }
}

/// Edits each sample once, anywhere, writes and reads it, and looks at the bytes on both sides of the edit.
fn one_edit_each(samples: &[Sample], task: &str, columns: &str) {
    let mut dice = Dice::new(0, &["one edit"]);
    let edited: Vec<(Sample, Edit)> = samples
        .iter()
        .map(|sample| {
            let text = sample.fields[0].text.as_str();
            let start = text.floor_char_boundary(dice.below(text.len() + 1));
            let end = text.ceil_char_boundary((start + dice.below(12)).min(text.len()));
            let edit = Edit::replace(start..end, ["", "new", "\"quoted\"\t,", "línë\r\n"][dice.below(4)]);
            (apply(sample, vec![edit.clone()]).unwrap().sample, edit)
        })
        .collect();
    let changed: Vec<Sample> = edited.iter().map(|(sample, _)| sample.clone()).collect();
    let again = read("again.jsonl", written(&changed, Format::Jsonl, task), options(task, columns));
    for ((sample, (_, edit)), again) in samples.iter().zip(&edited).zip(again) {
        let (before, after) = (sample.fields[0].text.as_str(), again.fields[0].text.as_str());
        // Two columns are joined by a space when they are read, whatever stood at the join when they were written.
        let join = sample.marks.first().map(|column| Span::new(column.span.end, column.span.end + 1));
        if join.is_some_and(|join| edit.span.start <= join.end && join.start <= edit.span.end) {
            continue;
        }
        let outside = after.strip_prefix(&before[..edit.span.start]).and_then(|rest| rest.strip_prefix(&*edit.with));
        assert_eq!(outside, Some(&before[edit.span.end..]), "{}", sample.id);
    }
}

#[test]
fn the_tables_of_glue_and_others_read_as_they_are() {
    let cases = [
        ("sst2/dev.tsv", "sa", "", 872, "it 's a charming and often affecting journey . "),
        ("sst2/train.tsv", "sa", "", 67_349, "hide new secretions from the parental units "),
        (
            "mrpc/train.tsv",
            "sm",
            "",
            3667,
            "Amrozi accused his brother , whom he called \" the witness \" , of deliberately distorting his evidence .",
        ),
        (
            "rte/dev.tsv",
            "nli",
            "",
            277,
            "Dana Reeve, the widow of the actor Christopher Reeve, has died of lung cancer at age 44, according to the Christopher Reeve Foundation.",
        ),
        (
            "snli/test.tsv",
            "nli",
            "",
            9824,
            "This church choir sings to the masses as they sing joyous songs from the book at a church.",
        ),
        (
            "mnli/mnli.tsv",
            "nli",
            "label=1,premise=2,hypothesis=3",
            1000,
            "You ca n't take it with you -- neither can I , unfortunately .",
        ),
        ("cad/nli/original/dev.tsv", "nli", "", 200, "The little boy in jean shorts kicks the soccer ball."),
        (
            "textfooler_1k/snli.txt",
            "nli",
            "label=1,premise=2,hypothesis=3",
            1000,
            "A person in a black and green outfit is riding a bicycle .",
        ),
        ("zh/lcqmc/dev.txt", "sm", "sentence1=1,sentence2=2,label=3", 8802, "开初婚未育证明怎么弄？"),
    ];
    for (file, task, columns, rows, text) in cases {
        let Some(path) = shared(file) else { return };
        let mut options = options(task, columns);
        options.format = Some(Format::Tsv);
        let samples = read_file(&path, options);
        assert_eq!((samples.len(), samples[0].fields[0].text.as_str()), (rows, text), "{file}");
        assert!(samples[0].label.is_some(), "{file}");
    }
    // These are quoted, and the quotes around a cell are not part of the text.
    for (file, rows, at, text) in [
        ("cad/sentiment/dev_paired.tsv", 490, 2, "The first half of the film is OK, the second half one"),
        ("contrast/test_contrast.tsv", 488, 0, ""),
    ] {
        let Some(path) = shared(file) else { return };
        let samples = read_file(&path, options("sa", ""));
        assert_eq!(samples.len(), rows, "{file}");
        assert!(samples[at].fields[0].text.starts_with(text), "{file}");
    }
    let Some(path) = shared("yelp/dev.csv") else { return };
    let samples = read_file(&path, options("sa", "label=label2"));
    assert_eq!(samples.len(), 5000);
    assert_eq!(samples[0].label.as_ref().unwrap().to_string().split(':').next(), Some("Review Stars"));
}
