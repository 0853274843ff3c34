//! Every writer and reader, held against each other with the nastiest samples a generator can think of.

use fissure_core::Sample;
use fissure_data::{Format, Row};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{options, read, written};

/// Texts with everything that some format takes for its own.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\""),
        Just("\"\""),
        Just(","),
        Just("\t"),
        Just("\n"),
        Just("\r"),
        Just("\r\n"),
        Just("'"),
        Just("\\"),
        Just("\\n"),
        Just("\0"),
        Just("\u{feff}"),
        Just("#"),
        Just("# x = y"),
        Just("_"),
        Just("-"),
        Just("O"),
        Just("1"),
        Just("[1]"),
        Just("{}"),
        Just(" "),
        Just("  "),
        Just("\u{a0}"),
        Just("<e1>"),
        Just("é"),
        Just("e\u{301}"),
        Just("👩‍👩‍👧"),
        Just("שלום"),
        Just("語"),
        Just("word"),
        Just("null"),
        Just("NaN"),
        Just("\u{2028}"),
        Just("\u{85}"),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Texts for a format that has a cell for each token: no tabs, no line ends, not empty.
fn word() -> impl Strategy<Value = String> {
    text().prop_map(|text| {
        let word: String = text.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r' | '\u{feff}')).collect();
        // A line that is all spaces is a blank line to CoNLL.
        if word.trim().is_empty() || word.starts_with('#') { format!("w{word}") } else { word }
    })
}

fn samples(task: &str, rows: Vec<Value>) -> Vec<Sample> {
    let layout = fissure_tasks::find(task).unwrap();
    let row = |row| serde_json::from_value::<Row>(row).unwrap();
    rows.into_iter().map(|value| layout.sample(row(value)).unwrap()).collect()
}

/// Writes, reads, and compares everything but where it came from.
fn comes_back(task: &str, samples: &[Sample], formats: &[Format]) -> Result<(), TestCaseError> {
    for format in formats {
        let mut again = options(task, "");
        again.format = Some(*format);
        let bytes = written(samples, *format, task);
        let again = read("copy", bytes.clone(), again);
        let bare = |sample: &Sample| Sample { origin: None, extra: Vec::new(), ..sample.clone() };
        let (one, other): (Vec<_>, Vec<_>) = (samples.iter().map(bare).collect(), again.iter().map(bare).collect());
        prop_assert_eq!(one, other, "{:?} {}", format, String::from_utf8_lossy(&bytes));
        // Written once more, it is the same file.
        prop_assert!(written(&again, *format, task) == bytes, "{:?}", format);
    }
    Ok(())
}

const TABLES: &[Format] = &[Format::Csv, Format::Tsv, Format::Jsonl, Format::Json, Format::JsonObject, Format::Parquet];
const NESTED: &[Format] = &[Format::Jsonl, Format::Json, Format::JsonObject, Format::Parquet];

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn texts_and_classes(rows in proptest::collection::vec((text(), text(), text()), 1..6)) {
        let row = |(at, (premise, hypothesis, label)): (usize, (String, String, String))| {
            // A class that is not known has no value to compare.
            let label = if label == "-" { String::new() } else { label };
            json!({"premise": premise, "hypothesis": hypothesis, "label": label, "id": at.to_string()})
        };
        comes_back("nli", &samples("nli", rows.into_iter().enumerate().map(row).collect()), TABLES)?;
    }

    #[test]
    fn tokens_and_tags(rows in proptest::collection::vec(proptest::collection::vec((word(), word()), 1..6), 1..5)) {
        let row = |(at, tokens): (usize, Vec<(String, String)>)| {
            let (tokens, tags): (Vec<_>, Vec<_>) = tokens.into_iter().unzip();
            json!({"tokens": tokens, "ner_tags": tags, "id": at.to_string()})
        };
        let rows: Vec<Value> = rows.into_iter().enumerate().map(row).collect();
        comes_back("ner", &samples("ner", rows), NESTED)?;
    }

    #[test]
    fn columns(rows in proptest::collection::vec(proptest::collection::vec((word(), 0..4usize), 1..6), 1..5)) {
        let row = |tokens: Vec<(String, usize)>| {
            let (tokens, tags): (Vec<_>, Vec<_>) = tokens.into_iter().map(|(word, tag)| (word, ["O", "B-X", "I-Y", "E-Z"][tag])).unzip();
            json!({"tokens": tokens, "ner_tags": tags})
        };
        comes_back("ner", &samples("ner", rows.into_iter().map(row).collect()), &[Format::Conll])?;
    }

    #[test]
    fn heads(rows in proptest::collection::vec(proptest::collection::vec((word(), word(), 0..9usize), 1..6), 1..5)) {
        let row = |tokens: Vec<(String, String, usize)>| {
            let words: Vec<_> = tokens.iter().map(|(word, _, _)| word).collect();
            // A word hangs on one before it, on none, or nobody knows on which: that is a tree, or several.
            let head = |(at, token): (usize, &(_, _, usize))| match token.2 {
                8 => "_".to_owned(),
                head => (head % (at + 1)).to_string(),
            };
            let heads: Vec<_> = tokens.iter().enumerate().map(head).collect();
            let relations: Vec<_> = tokens.iter().map(|(_, relation, _)| relation).collect();
            let index: Vec<_> = (1..=words.len()).collect();
            let blank = vec!["_"; words.len()];
            json!({"index": index, "tokens": words, "lemma": blank, "upos": blank, "xpos": blank, "feats": blank,
                   "head": heads, "deprel": relations, "deps": blank, "misc": blank})
        };
        let samples = samples("dp", rows.into_iter().map(row).collect());
        comes_back("dp", &samples, &[Format::Conllu, Format::Jsonl, Format::Json, Format::Parquet])?;
    }

    #[test]
    fn answers(rows in proptest::collection::vec((text(), text(), 0..9usize, 0..9usize), 1..5)) {
        let row = |(at, (context, question, start, length)): (usize, (String, String, usize, usize))| {
            let count = context.chars().count();
            let (start, end) = (start.min(count), (start + length).min(count));
            let answer: String = context.chars().skip(start).take(end - start).collect();
            json!({"title": "t", "context": context, "question": question, "id": at.to_string(),
                   "answers": [{"text": answer, "answer_start": start}]})
        };
        let rows: Vec<Value> = rows.into_iter().enumerate().map(row).collect();
        comes_back("mrc", &samples("mrc", rows), &[Format::Squad, Format::Jsonl, Format::Json, Format::JsonObject, Format::Parquet, Format::Csv])?;
    }

    #[test]
    fn relations(rows in proptest::collection::vec((word(), word(), word()), 1..5)) {
        let row = |(at, (one, two, relation)): (usize, (String, String, String))| {
            let (one, two, relation) = (one.replace('<', ""), two.replace('<', ""), relation.replace(['-', '\u{85}', '\u{2028}'], "x"));
            json!({"id": at.to_string(), "sentence": format!("{two} <e1>{one}</e1><e2>{two}</e2> {one}"), "relation": format!("r{relation}")})
        };
        let rows: Vec<Value> = rows.into_iter().enumerate().map(row).collect();
        comes_back("re", &samples("re", rows), &[Format::Semeval, Format::Csv, Format::Jsonl, Format::Parquet])?;
    }

    #[test]
    fn lines(texts in proptest::collection::vec(word(), 1..6)) {
        let labelled: Vec<Value> = texts.iter().map(|text| json!({"label": "1", "text": text})).collect();
        comes_back("sa", &samples("sa", labelled), &[Format::Lines])?;
    }

    /// The reading of CSV is that of the crate everyone uses, wherever both have an answer.
    #[test]
    fn cells_are_cut_as_others_cut_them(cells in proptest::collection::vec(proptest::collection::vec("[a\", \n]{0,6}", 2), 1..4)) {
        let table: String = cells.iter().map(|row| row.join(",") + "\n").collect();
        let theirs: Vec<Vec<String>> = csv::ReaderBuilder::new()
            .has_headers(false).flexible(true).from_reader(table.as_bytes())
            .records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
        let mut numbered = options("sa", "text=1,label=2");
        numbered.format = Some(Format::Csv);
        numbered.on_bad_row = fissure_data::OnBadRow::Skip;
        let mut reading = fissure_data::Samples::of_bytes("a.csv", std::io::Cursor::new(table.clone()), numbered).unwrap();
        // Where the first row has one cell there is no second column to read.
        let Ok(ours) = reading.by_ref().collect::<Result<Vec<Sample>, _>>() else { return Ok(()) };
        if reading.skipped().count == 0 && theirs.iter().all(|row| row.len() == 2) {
            let texts: Vec<&str> = ours.iter().map(|sample| sample.fields[0].text.as_str()).collect();
            let wanted: Vec<&str> = theirs.iter().map(|row| &*row[0]).collect();
            prop_assert_eq!(texts, wanted, "{:?}", table);
        }
    }
}
