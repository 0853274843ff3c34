//! A run in pieces: `evaluate --shard K/N` on several machines, then `merge`.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use fissure_core::Dice;
use support::{done, refusal};
use tempfile::TempDir;

/// The built-in reviews and a model trained on them, made once for all tests.
static LAB: LazyLock<PathBuf> = LazyLock::new(|| {
    let lab = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shards");
    // What an earlier run of the tests left.
    let _ = fs::remove_dir_all(&lab);
    let at = |name: &str| lab.join(name).to_str().unwrap().to_owned();
    done(&["demo", "--write", &at("reviews")]);
    let train = at("reviews/train.jsonl");
    done(&["train", "--arch", "cnn", "--epochs", "1", "--data", &train, "--task", "sa", "--out", &at("cnn")]);
    lab
});

fn lab(name: &str) -> String {
    LAB.join(name).to_str().unwrap().to_owned()
}

/// `evaluate` on 83 reviews: no number of pieces divides them.
fn evaluate(out: &Path, more: &[&str]) {
    let (model, data) = (lab("cnn"), lab("reviews/test.jsonl"));
    let out = out.to_str().unwrap();
    let words = ["evaluate", "--model", &model, "--data", &data, "--task", "sa", "--limit", "83", "--suite", "quick"];
    done(&[&words[..], &["--out", out], more].concat());
}

fn merge(pieces: &[PathBuf], out: &Path) -> Vec<String> {
    let mut words = vec!["merge".to_owned()];
    words.extend(pieces.iter().map(|piece| piece.to_str().unwrap().to_owned()));
    words.extend(["--out".to_owned(), out.to_str().unwrap().to_owned()]);
    words
}

fn run_of(words: &[String]) -> std::process::Output {
    done(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn refused(words: &[String]) -> String {
    refusal(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Every file of a run that is not a draft.
fn files(run: &Path) -> Vec<(String, Vec<u8>)> {
    let names = ["run.jsonl", "findings.json", "report.html", "report.tex", "report.json"];
    names.iter().map(|name| ((*name).to_owned(), fs::read(run.join(name)).unwrap())).collect()
}

#[test]
fn merged_pieces_are_the_undivided_run() {
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole");
    evaluate(&whole, &[]);
    let whole = files(&whole);
    for (of, threads) in [(1, "2"), (2, "1"), (5, "2")] {
        let piece = |k: usize| folder.path().join(format!("piece-{k}-of-{of}"));
        for k in 1..=of {
            evaluate(&piece(k), &["--shard", &format!("{k}/{of}"), "--threads", threads]);
            assert!(!piece(k).join("findings.json").exists(), "a piece has no findings");
        }
        // One piece is cut off, as a kill leaves it, and resumed.
        let file = piece(of).join("run.jsonl");
        let before = fs::read(&file).unwrap();
        fs::write(&file, &before[..before.len() / 2]).unwrap();
        let mut pieces: Vec<PathBuf> = (1..=of).map(piece).collect();
        let unfinished = folder.path().join("unfinished");
        let said = refused(&merge(&pieces, &unfinished));
        assert!(said.contains("is not finished") && said.contains("evaluate --resume"), "{said}");
        assert!(!unfinished.join("run.jsonl").exists());
        done(&["evaluate", "--resume", piece(of).to_str().unwrap()]);
        assert!(fs::read(&file).unwrap() == before, "a resumed piece has the bytes of one that never stopped");
        // The order in which pieces are named does not matter.
        pieces.reverse();
        let merged = folder.path().join(format!("merged-{of}"));
        run_of(&merge(&pieces, &merged));
        for ((name, expected), (_, found)) in whole.iter().zip(files(&merged)) {
            assert!(*expected == found, "{name} of {of} pieces differs from the undivided run");
        }
        // A merge that was killed before it wrote the findings can be repeated; onto another run it cannot.
        fs::remove_file(merged.join("findings.json")).unwrap();
        run_of(&merge(&pieces, &merged));
        assert!(files(&merged) == whole, "a repeated merge of {of} pieces differs");
        let file = merged.join("run.jsonl");
        let other = [fs::read(&file).unwrap(), b"\n".to_vec()].concat();
        fs::write(&file, &other).unwrap();
        assert!(refused(&merge(&pieces, &merged)).contains("already"), "another file is not replaced");
        assert!(fs::read(&file).unwrap() == other);
    }
}

#[test]
fn pieces_that_do_not_make_a_run_are_refused() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let out = at("out");
    evaluate(&at("1"), &["--shard", "1/3"]);
    evaluate(&at("2"), &["--shard", "2/3"]);
    evaluate(&at("again"), &["--shard", "2/3"]);
    evaluate(&at("half"), &["--shard", "2/2"]);
    evaluate(&at("seed"), &["--shard", "3/3", "--seed", "9"]);
    evaluate(&at("fewer"), &["--shard", "3/3", "--where", "length > 5"]);
    evaluate(&at("whole"), &[]);
    let said = |names: &[&str]| refused(&merge(&names.iter().map(|name| at(name)).collect::<Vec<_>>(), &out));
    let missing = said(&["1", "2"]);
    assert!(missing.contains("3/3 missing") && missing.contains("--shard 3/3 --out DIR"), "{missing}");
    assert!(missing.contains("fissure evaluate --model"), "{missing}");
    let twice = said(&["1", "2", "again"]);
    assert!(twice.contains("both hold piece 2/3"), "{twice}");
    assert!(said(&["1", "half"]).contains("the number of pieces of"));
    let config = said(&["1", "2", "seed"]);
    assert!(config.contains("the config of") && config.contains("\"seed\":9"), "{config}");
    let data = said(&["1", "2", "fewer"]);
    assert!(data.contains("the data of"), "{data}");
    assert!(said(&["whole"]).contains("holds a whole run, not a piece"));
    assert!(!out.exists(), "a refusal writes nothing");
    // A piece that was edited.
    let file = at("2").join("run.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\"status\":\"changed\"", "\"status\":\"skipped\"", 1)).unwrap();
    evaluate(&at("3"), &["--shard", "3/3"]);
    let edited = said(&["1", "2", "3"]);
    assert!(edited.contains("damaged"), "{edited}");
    assert!(!out.join("run.jsonl").exists());

    // What needs a whole run says what to do with a piece.
    let piece = at("1").to_str().unwrap().to_owned();
    for words in [vec!["gate", &piece, "--rule", "drop(all) <= 1"], vec!["report", &piece], vec!["explore", &piece]] {
        let said = refusal(&words);
        assert!(said.contains("piece 1/3 of a run") && said.contains("fissure merge"), "{words:?}: {said}");
    }
    let wrong = refusal(&["evaluate", "--model", "m", "--data", "d", "--shard", "4/3"]);
    assert!(wrong.contains("1/3 to 3/3"), "{wrong}");
}

#[test]
fn transform_on_pieces_of_a_file_gives_the_pieces_of_the_whole() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let reviews = fs::read_to_string(lab("reviews/test.jsonl")).unwrap();
    // Without ids: the texts name the samples.
    let rows: Vec<String> = reviews
        .lines()
        .take(60)
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            serde_json::json!({"text": row["text"], "label": row["label"]}).to_string() + "\n"
        })
        .collect();
    let transform = |name: &str, rows: &[String]| {
        let (file, out) = (at(&format!("{name}.jsonl")), at(&format!("{name}.out.jsonl")));
        fs::write(&file, rows.concat()).unwrap();
        done(&["transform", "swap_random_vocab+typos", "--data", &file, "--task", "sa", "--out", &out, "--force"]);
        fs::read_to_string(out).unwrap()
    };
    let whole = transform("whole", &rows);
    for seed in 0..4 {
        let mut dice = Dice::new(seed, &["cuts"]);
        let count = 1 + dice.below(4);
        let mut cuts = dice.choose(rows.len() - 1, count);
        cuts.sort_unstable();
        cuts.push(rows.len() - 1);
        let (mut start, mut pieces) = (0, String::new());
        for end in cuts {
            if start <= end {
                pieces += &transform("piece", &rows[start..=end]);
            }
            start = end + 1;
        }
        assert!(pieces == whole, "cut with seed {seed}");
    }
}
