//! `fissure generate`: a data set for each part of a suite, its originals beside it, and a manifest.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{done, refusal};

/// Three reviews with aspects; the third one has nothing that can be turned.
const REVIEWS: &str = r#"[
  {"sentence": "Great salad and friendly staff.", "id": "1", "term_list": {
    "1_0": {"id": "1_0", "polarity": "positive", "term": "salad", "from": 6, "to": 11, "opinion_words": ["Great"], "opinion_position": [[0, 5]]},
    "1_1": {"id": "1_1", "polarity": "positive", "term": "staff", "from": 25, "to": 30, "opinion_words": ["friendly"], "opinion_position": [[16, 24]]}}},
  {"sentence": "The beer was stale.", "id": "2", "term_list": {
    "2_0": {"id": "2_0", "polarity": "negative", "term": "beer", "from": 4, "to": 8, "opinion_words": ["stale"], "opinion_position": [[13, 18]]}}},
  {"sentence": "We ate soup.", "id": "3", "term_list": {
    "3_0": {"id": "3_0", "polarity": "neutral", "term": "soup", "from": 7, "to": 11, "opinion_words": [], "opinion_position": []}}}
]"#;

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

fn rows(path: &Path) -> Vec<Value> {
    serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap().as_array().unwrap().clone()
}

#[test]
fn every_part_of_the_task_gets_a_data_set_with_its_originals() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("reviews.json");
    fs::write(&data, REVIEWS).unwrap();
    let out = folder.path().join("sets");
    let words = ["generate", "--data", data.to_str().unwrap(), "--task", "absa", "--out", out.to_str().unwrap()];
    done(&words);

    let said = manifest(&out);
    let names: Vec<&str> = said["sets"].as_array().unwrap().iter().map(|set| set["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["add_diff", "rev_non", "rev_tgt"]);
    let turned = &said["sets"][2];
    assert_eq!(
        (&turned["changed"], &turned["unchanged"], &turned["expectation"]),
        (&2.into(), &0.into(), &"relabelled".into())
    );
    assert_eq!(turned["skipped"], serde_json::json!({"the words that judge its aspects are not marked": 1}));
    let (new, old) = (rows(&out.join("rev_tgt.json")), rows(&out.join("ori_rev_tgt.json")));
    assert_eq!((new.len(), old.len()), (2, 2));
    assert_eq!(old[1]["sentence"], "The beer was stale.");
    assert_eq!(new[1]["sentence"], "The beer was fresh.");
    assert_eq!(new[1]["term_list"]["2_0"]["polarity"], "positive");
    assert_eq!(old[1]["term_list"]["2_0"]["polarity"], "negative");

    // A run that was stopped between two sets leaves a manifest without the last one, and makes it again.
    let whole = fs::read(out.join("rev_tgt.json")).unwrap();
    let mut stopped = said.clone();
    stopped["sets"].as_array_mut().unwrap().truncate(2);
    fs::write(out.join("manifest.json"), stopped.to_string()).unwrap();
    fs::remove_file(out.join("rev_tgt.json")).unwrap();
    done(&[&words[..], &["--resume"]].concat());
    assert_eq!(manifest(&out), said);
    assert_eq!(fs::read(out.join("rev_tgt.json")).unwrap(), whole);

    // Sets that other settings made are not taken for these.
    assert!(refusal(&[&words[..], &["--seed", "2", "--resume"]].concat()).contains("other settings"));
    assert_eq!(manifest(&out), said);

    // What is there is not overwritten without being asked, and an input never.
    assert!(refusal(&words).contains("--force"));
    let input = folder.path().join("manifest.json");
    fs::write(&input, REVIEWS).unwrap();
    let (place, folder) = (input.to_str().unwrap(), folder.path().to_str().unwrap());
    let onto = ["generate", "--data", place, "--task", "absa", "--out", folder, "--force"];
    assert!(refusal(&onto).contains("it is the input"));
    assert_eq!(fs::read_to_string(&input).unwrap(), REVIEWS);
}

/// Two sentences of CoNLL-U. Their words have the same numbers.
const TREES: &str = "\
# text = Ann sees the old dog
1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t2:nsubj\t_
2\tsees\tsee\tVERB\tVBZ\t_\t0\troot\t0:root\t_
3\tthe\tthe\tDET\tDT\t_\t5\tdet\t5:det\t_
4\told\told\tADJ\tJJ\t_\t5\tamod\t5:amod\t_
5\tdog\tdog\tNOUN\tNN\t_\t2\tobj\t2:obj\t_

# text = A storm came
1\tA\ta\tDET\tDT\t_\t2\tdet\t2:det\t_
2\tstorm\tstorm\tNOUN\tNN\t_\t3\tnsubj\t3:nsubj\t_
3\tcame\tcome\tVERB\tVBD\t_\t0\troot\t0:root\tCxnElt=2:Event.Theme

";

#[test]
fn columns_that_no_part_reads_still_point_at_their_own_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (folder.path().join("trees.conllu"), folder.path().join("sets"));
    fs::write(&data, TREES).unwrap();
    done(&["generate", "--data", data.to_str().unwrap(), "--task", "pos", "--out", out.to_str().unwrap()]);
    let joined = fs::read_to_string(out.join("concat_sent.conllu")).unwrap();
    let first = joined.split("\n\n").next().unwrap();
    let column = |at: usize| {
        let words = first.lines().filter(|line| !line.starts_with('#'));
        words.map(|line| line.split('\t').nth(at).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(column(1), ["Ann", "sees", "the", "old", "dog", "A", "storm", "came"]);
    assert_eq!(column(9)[7], "CxnElt=7:Event.Theme");
    // A tree with two roots is none.
    for tree in [6, 7, 8] {
        assert_eq!(column(tree), ["_"; 8]);
    }
}

#[test]
fn a_suite_without_parts_for_the_task_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (folder.path().join("texts.tsv"), folder.path().join("sets"));
    fs::write(&data, "text\tlabel\nIt rains.\t1\n").unwrap();
    let said = refusal(&["generate", "--data", data.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(said.contains("no part for the task `classification`") && said.contains("--suite universal"), "{said}");
    assert!(!out.exists(), "nothing is written");
}
