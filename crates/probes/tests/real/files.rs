//! Readers of the real files, as rows.

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;

use fissure_core::{Label, Sense, Spelling};
use fissure_tasks::Row;
use serde_json::{Value, json};

/// What the numbers of a file mean, where two conventions fit.
pub fn spelling(name: &str) -> Option<Spelling> {
    if name.starts_with("rte") {
        let named = [(Sense::Entails, "entailment"), (Sense::NotEntails, "not_entailment")];
        return Some(Spelling::new(named.map(|(sense, label)| (sense, label.into())).into()));
    }
    let senses: &[(Sense, i64)] = match name {
        "snli" => &[(Sense::Entails, 0), (Sense::Neutral, 1), (Sense::Contradicts, 2)],
        "mrpc" | "mrpc_train" => &[(Sense::Same, 1), (Sense::Different, 0)],
        _ => return None,
    };
    Some(Spelling::new(senses.iter().map(|(sense, label)| (*sense, Label((*label).into()))).collect()))
}

/// The task of a file and its rows; nothing, loudly, where the file is absent.
pub fn read(name: &str) -> Option<(&'static str, Vec<Row>)> {
    let (task, path) = match name {
        "rest" => ("absa", "absa/rest/test_sent_towe.json"),
        "rest_train" => ("absa", "absa/rest/train_sent_towe.json"),
        "rest_dev" => ("absa", "absa/rest/dev_sent_towe.json"),
        "laptop" => ("absa", "absa/laptop/test_sent_towe.json"),
        "laptop_train" => ("absa", "absa/laptop/train_sent_towe.json"),
        "snli" => ("nli", "snli/test.tsv"),
        "mrpc" => ("sm", "mrpc/dev.tsv"),
        "mrpc_train" => ("sm", "mrpc/train.tsv"),
        "rte" => ("nli", "rte/dev.tsv"),
        "rte_train" => ("nli", "rte/train.tsv"),
        "squad" => ("mrc", "squad/dev-half-v2.0.json"),
        "ewt_pos" => ("pos", "ud_ewt/en_ewt-ud-test.conllu"),
        "ewt_train" => ("pos", "ud_ewt/en_ewt-ud-train.conllu.gz"),
        "ewt_dev" => ("pos", "ud_ewt/en_ewt-ud-dev.conllu"),
        "ewt_dp" => ("dp", "ud_ewt/en_ewt-ud-test.conllu"),
        "uner" => ("ner", "uner_ewt/en_ewt-ud-test.iob2"),
        "uner_dev" => ("ner", "uner_ewt/en_ewt-ud-dev.iob2"),
        "semeval" => ("re", "semeval2010/TEST_FILE_FULL.TXT"),
        "gap" | "gap_tokens" => ("coref", "coref/gap-development.tsv"),
        "sst2" => ("sa", "sst2/dev.tsv"),
        "imdb" => ("sa", "imdb/test.jsonl.gz"),
        "imdb_train" => ("sa", "imdb/train.jsonl.gz"),
        "gsd" => ("cws", "ud_zh/zh_gsdsimp-ud-dev.conllu"),
        "resume" => ("ner", "zh/ner_resume/test.char.bmes"),
        "chnsenticorp" => ("sa", "zh/chnsenticorp/dev.tsv"),
        other => panic!("no file is called {other}"),
    };
    let Some(text) = text_of(path) else {
        println!("SKIPPED: {path} is not there");
        return None;
    };
    let rows = match task {
        _ if path.ends_with(".jsonl.gz") => text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        "cws" => segmented(&text),
        _ if path.starts_with("zh/") => pairs_of_columns(&text, task),
        "absa" => absa(&text),
        "mrc" => squad(&text),
        "pos" | "dp" => conllu(&text, task),
        "ner" => iob(&text),
        "re" => semeval(&text),
        _ if name == "gap_tokens" => table(&text).iter().filter_map(token_lists).collect(),
        _ => table(&text),
    };
    Some((task, rows))
}

/// The text of a data file, unpacked.
pub fn text_of(path: &str) -> Option<String> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    if !path.ends_with(".gz") {
        return fs::read_to_string(full).ok();
    }
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(full).ok()?).read_to_string(&mut text).ok()?;
    Some(text)
}

fn row(columns: impl IntoIterator<Item = (&'static str, Value)>) -> Row {
    let mut row = Row::default();
    columns.into_iter().for_each(|(name, value)| row.push(name, value));
    row
}

fn absa(text: &str) -> Vec<Row> {
    let read: Value = serde_json::from_str(text).expect("JSON");
    let rows: Vec<Value> = match read {
        Value::Object(rows) => rows.into_iter().map(|(_, row)| row).collect(),
        Value::Array(rows) => rows,
        _ => Vec::new(),
    };
    rows.into_iter().map(|row| serde_json::from_value(row).expect("a row")).collect()
}

fn table(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let head: Vec<String> =
        lines.next().unwrap_or("").trim_start_matches('\u{feff}').split('\t').map(str::to_owned).collect();
    lines
        .map(|line| {
            let mut row = Row::default();
            for (name, value) in head.iter().zip(line.split('\t')) {
                let value = if name == "label" || name == "Quality" {
                    value.parse::<i64>().map_or(json!(value), |number| json!(number))
                } else {
                    json!(value)
                };
                row.push(name.as_str(), value);
            }
            row
        })
        .collect()
}

fn squad(text: &str) -> Vec<Row> {
    let read: Value = serde_json::from_str(text).expect("JSON");
    let mut rows = Vec::new();
    for article in read["data"].as_array().into_iter().flatten() {
        for paragraph in article["paragraphs"].as_array().into_iter().flatten() {
            for question in paragraph["qas"].as_array().into_iter().flatten() {
                rows.push(row([
                    ("context", paragraph["context"].clone()),
                    ("question", question["question"].clone()),
                    ("answers", question["answers"].clone()),
                ]));
            }
        }
    }
    rows
}

fn blocks(text: &str) -> impl Iterator<Item = Vec<Vec<&str>>> {
    text.split("\n\n").map(|block| {
        let lines = block.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| line.split('\t').collect::<Vec<_>>())
            .filter(|cells| cells.len() > 2 && cells[0].bytes().all(|byte| byte.is_ascii_digit()))
            .collect()
    })
}

fn column(block: &[Vec<&str>], at: usize) -> Value {
    block.iter().map(|cells| Value::from(cells[at])).collect()
}

pub fn conllu(text: &str, task: &str) -> Vec<Row> {
    blocks(text)
        .filter(|block| !block.is_empty())
        .map(|block| match task {
            "pos" => row([("tokens", column(&block, 1)), ("upos", column(&block, 3)), ("xpos", column(&block, 4))]),
            _ => row([
                ("tokens", column(&block, 1)),
                ("lemma", column(&block, 2)),
                ("upos", column(&block, 3)),
                ("xpos", column(&block, 4)),
                ("head", column(&block, 6)),
                ("deprel", column(&block, 7)),
            ]),
        })
        .collect()
}

fn iob(text: &str) -> Vec<Row> {
    blocks(text)
        .filter(|block| !block.is_empty())
        .map(|block| row([("tokens", column(&block, 1)), ("tags", column(&block, 2))]))
        .collect()
}

/// The words of a treebank with spaces between them.
pub fn segmented(text: &str) -> Vec<Row> {
    let words =
        |block: Vec<Vec<&str>>| block.iter().filter_map(|line| line.get(1)).copied().collect::<Vec<_>>().join(" ");
    blocks(text).filter(|block| !block.is_empty()).map(|block| row([("text", json!(words(block)))])).collect()
}

/// Two columns without a head: characters and their tags, or a text and its class.
pub fn pairs_of_columns(text: &str, task: &str) -> Vec<Row> {
    let list = |text: &str| json!(text.split(' ').collect::<Vec<_>>());
    let read = |line: &str| {
        let (first, second) = line.split_once('\t')?;
        Some(match task {
            "ner" => row([("tokens", list(first)), ("tags", list(second))]),
            _ => row([("text", json!(first)), ("label", json!(second))]),
        })
    };
    text.lines().filter_map(read).collect()
}

/// A row of GAP as lists of tokens with clusters; nothing if a mention is not whole tokens.
fn token_lists(gap: &Row) -> Option<Row> {
    let cell = |name: &str| gap.get(name).and_then(Value::as_str);
    let text = cell("Text")?;
    let analysis = fissure_text::analyse(text);
    let tokens = analysis.tokens();
    let mention = |words: &str, offset: &str| {
        let start = text.char_indices().nth(cell(offset)?.parse().ok()?)?.0;
        let end = start + cell(words)?.len();
        let first = tokens.iter().position(|token| token.span.start == start)?;
        let last = tokens.iter().position(|token| token.span.end == end)?;
        Some(json!([first, last]))
    };
    let (pronoun, a, b) = (mention("Pronoun", "Pronoun-offset")?, mention("A", "A-offset")?, mention("B", "B-offset")?);
    let is = |name: &str| cell(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let clusters = match (is("A-coref"), is("B-coref")) {
        (true, _) => json!([[a, pronoun], [b]]),
        (_, true) => json!([[b, pronoun], [a]]),
        _ => json!([[pronoun], [a], [b]]),
    };
    let words = |range: std::ops::Range<usize>| -> Value { range.map(|at| Value::from(analysis.word(at))).collect() };
    let sentences: Value = analysis.sentences().iter().cloned().map(words).collect();
    Some(row([("sentences", sentences), ("clusters", clusters)]))
}

fn semeval(text: &str) -> Vec<Row> {
    let lines: Vec<&str> = text.lines().collect();
    let sentence = |at: usize| {
        let (_, quoted) = lines[at].split_once('\t')?;
        let text = quoted.trim().trim_matches('"');
        text.contains("<e1>")
            .then(|| row([("text", json!(text)), ("relation", json!(lines.get(at + 1).copied().unwrap_or("")))]))
    };
    (0..lines.len()).filter_map(sentence).collect()
}
