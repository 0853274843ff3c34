//! What `transform` and `generate` write in the formats of data sets: right labels, sentences that read as people write them,
//! and no tree that is none.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::process::Output;

use serde_json::Value;
use support::{done, lines, refusal};
use tempfile::TempDir;

/// A folder with a file of data in it.
struct Case {
    folder: TempDir,
    data: String,
}

impl Case {
    fn new(name: &str, text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let data = folder.path().join(name);
        fs::write(&data, text).unwrap();
        Self { data: data.to_str().unwrap().to_owned(), folder }
    }

    fn place(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// The words of a `transform` to the file `out`.
    fn words<'a>(&'a self, chain: &'a str, task: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let words = ["transform", chain, "--data", &self.data, "--task", task, "--out", out];
        [&words[..], more].concat()
    }

    /// What a `transform` writes to a file with this name, and what it says.
    fn changed(&self, chain: &str, task: &str, name: &str, more: &[&str]) -> (String, String) {
        let out = self.place(name);
        let said: Output = done(&self.words(chain, task, &out, &[more, &["--force"]].concat()));
        (self.read(name), String::from_utf8(said.stderr).unwrap())
    }

    fn refused(&self, chain: &str, task: &str, name: &str, more: &[&str]) -> String {
        let out = self.place(name);
        refusal(&self.words(chain, task, &out, more))
    }
}

const REVIEWS: &str =
    "text,label\nThis is the worst movie I have ever seen.,neg\nThis is the best movie I have ever seen.,pos\n";

#[test]
fn a_change_that_turns_the_answer_gets_the_opposite_label() {
    let case = Case::new("reviews.csv", REVIEWS);
    let (csv, said) = case.changed("swap_ant_wordnet", "sa", "o.csv", &[]);
    assert!(csv.contains("best movie I have ever seen.,pos"), "{csv}");
    assert!(csv.contains("worst movie I have ever seen.,neg"), "{csv}");
    assert!(said.contains("2 changed rows got the opposite label"), "{said}");

    // JSON lines say what the label was; one that is right needs no word about what to expect.
    let rows = lines(&case.changed("swap_ant_wordnet", "sa", "o.jsonl", &[]).0);
    assert_eq!((&rows[0]["label"], &rows[0]["expectation"]), (&"pos".into(), &Value::Null));
    let labels = &rows[0]["trail"]["labels"][0];
    assert_eq!((&labels["layer"], &labels["old"], &labels["new"]), (&"class".into(), &"neg".into(), &"pos".into()));

    // In a chain, the part that turns the answer may have found nothing to turn.
    let plain =
        Case::new("plain.csv", "text,label\nWe watched films about factories,neg\nThis is the best movie,pos\n");
    let (csv, said) = plain.changed("swap_ant_wordnet+word_case", "sa", "o.csv", &["--set", "mode=upper"]);
    assert!(csv.contains("FACTORIES,neg"), "{csv}");
    assert!(csv.contains("WORST MOVIE,neg"), "{csv}");
    assert!(said.contains("1 changed row got the opposite label"), "{said}");
}

#[test]
fn a_label_without_a_known_opposite_is_not_written_as_right() {
    let stars =
        REVIEWS.replace("neg", "1").replace("pos", "5") + "It was fine.,3\nIt is a bad film.,4\nIt was so so.,2\n";
    let case = Case::new("stars.csv", &stars);
    let said = case.refused("swap_ant_wordnet", "sa", "o.csv", &[]);
    assert!(said.contains("--senses") && said.contains("`1`, `2`, `3`, `4`, `5`"), "{said}");
    assert!(!case.folder.path().join("o.csv").exists());

    // Lines say what to expect, as before.
    let rows = lines(&case.changed("swap_ant_wordnet", "sa", "o.jsonl", &[]).0);
    assert_eq!((&rows[0]["label"], &rows[0]["expectation"]), (&"1".into(), &"flipped".into()));

    // What the user says of two labels holds for these; the others have no opposite.
    let (csv, said) = case.changed("swap_ant_wordnet", "sa", "o.csv", &["--senses", "1=negative,5=positive"]);
    assert!(csv.contains("best movie I have ever seen.,5"), "{csv}");
    assert!(csv.contains("It is a bad film.,4"), "{csv}");
    assert!(said.contains("1 skipped: the right answer turns, and the label `4` has no opposite"), "{said}");

    // Data without labels have none that could be wrong.
    let bare = Case::new("bare.csv", "text\nThis is the worst movie I have ever seen.\n");
    assert!(bare.changed("swap_ant_wordnet", "sa", "o.csv", &[]).0.contains("best movie"));
}

#[test]
fn a_suite_leaves_out_what_would_get_wrong_labels() {
    let stars = REVIEWS.replace("neg", "1").replace("pos", "5") + "It was fine.,3\n";
    let case = Case::new("stars.csv", &stars);
    let sets = case.place("sets");
    let words = ["generate", "--data", &case.data, "--task", "sa", "--suite", "universal", "--out", &sets];
    done(&words);
    let manifest: Value = serde_json::from_str(&case.read("sets/manifest.json")).unwrap();
    assert!(manifest["left_out"]["swap_ant_wordnet"].as_str().unwrap().contains("--senses"), "{manifest}");
    let names: Vec<&str> = manifest["sets"].as_array().unwrap().iter().filter_map(|set| set["name"].as_str()).collect();
    assert!(names.contains(&"typos") && !names.contains(&"swap_ant_wordnet"), "{names:?}");
    assert!(!case.folder.path().join("sets/swap_ant_wordnet.csv").exists());
    assert!(!manifest["command"].as_str().unwrap().contains("--resume"), "{manifest}");
}

#[test]
fn a_suite_of_which_nothing_can_be_run_is_an_error() {
    let case = Case::new("pairs.csv", "sentence1,sentence2\nHe left at 5.,He went away at 5.\n");
    let sets = case.place("sets");
    let said = refusal(&["generate", "--data", &case.data, "--task", "sm", "--out", &sets]);
    assert!(said.contains("nothing was generated"), "{said}");
    assert!(!case.folder.path().join("sets/manifest.json").exists());
}

#[test]
fn an_ending_that_no_format_has_keeps_the_format_of_the_data() {
    let case = Case::new("test.char.bmes", "中国很大\tB E S S\n我爱北京\tS S B E\n");
    let read = ["--format", "tsv", "--columns", "text=1,tags=2"];
    let (same, said) = case.changed("typos", "cws", "x.char.bmes", &read);
    assert!(same.lines().all(|line| line.contains('\t')) && !same.contains('{'), "{same}");
    assert!(said.contains("as tsv, like the data with the same ending"), "{said}");
    let (other, said) = case.changed("typos", "cws", "x.other", &read);
    assert!(other.starts_with('{'), "{other}");
    assert!(said.contains("no format has the ending .other"), "{said}");

    let sets = case.place("sets");
    let words = ["generate", "--suite", "typos", "--data", &case.data, "--task", "cws", "--out", &sets];
    done(&[&words[..], &read].concat());
    let originals = case.read("sets/ori_typos.bmes");
    assert!(originals.contains("中国很大\tB E S S"), "{originals}");
}

/// Sentences as Universal Dependencies have them: commas without a space in front, a range, entries that point at tokens.
const TREEBANK: &str = "\
# sent_id = a-1
# text = Bill, who left, sang.
1	Bill	Bill	PROPN	NNP	Number=Sing	6	nsubj	6:nsubj	SpaceAfter=No
2	,	,	PUNCT	,	_	4	punct	4:punct	_
3	who	who	PRON	WP	PronType=Rel	4	nsubj	1:ref	_
4	left	leave	VERB	VBD	Tense=Past	1	acl:relcl	1:acl:relcl	SpaceAfter=No
5	,	,	PUNCT	,	_	4	punct	4:punct	_
6	sang	sing	VERB	VBD	Tense=Past	0	root	0:root	CxnElt=6:A.B,3:C.D|SpaceAfter=No
7	.	.	PUNCT	.	_	6	punct	6:punct	_

# sent_id = a-2
# text = It doesn't matter.
1	It	it	PRON	PRP	_	4	nsubj	4:nsubj	_
2-3	doesn't	_	_	_	_	_	_	_	_
2	does	do	AUX	VBZ	_	4	aux	4:aux	_
3	n't	not	PART	RB	_	4	advmod	4:advmod	_
4	matter	matter	VERB	VB	_	0	root	0:root	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	4:punct	_

# sent_id = a-3
# text = He left for Lisbon.
1	He	he	PRON	PRP	Case=Nom	2	nsubj	2:nsubj	_
2	left	leave	VERB	VBD	Tense=Past	0	root	0:root	_
3	for	for	ADP	IN	_	4	case	4:case	_
4	Lisbon	Lisbon	PROPN	NNP	Number=Sing	2	obl	2:obl:for	SpaceAfter=No
5	.	.	PUNCT	.	_	2	punct	2:punct	_

";

/// The texts that the comments of a treebank give.
fn texts(treebank: &str) -> Vec<&str> {
    treebank.lines().filter_map(|line| line.strip_prefix("# text = ")).collect()
}

#[test]
fn what_is_cut_out_of_a_sentence_leaves_its_spacing() {
    let case = Case::new("a.conllu", TREEBANK);
    let (cut, _) = case.changed("delete_sub_tree", "dp", "o.conllu", &["--only-changed"]);
    assert_eq!(texts(&cut), ["Bill sang."]);
    assert!(cut.contains("1\tBill\tBill\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t2:nsubj\t_\n"), "{cut}");
    // What pointed at a token that is gone goes with it; the other numbers follow their tokens.
    assert!(cut.contains("\t0\troot\t0:root\tCxnElt=2:A.B|SpaceAfter=No\n"), "{cut}");
}

#[test]
fn words_of_a_range_that_fell_apart_touch_as_they_did() {
    let case = Case::new("a.conllu", TREEBANK);
    let (upper, _) = case.changed("word_case", "dp", "o.conllu", &["--set", "mode=upper"]);
    assert_eq!(texts(&upper), ["BILL, WHO LEFT, SANG.", "IT DOESN'T MATTER.", "HE LEFT FOR LISBON."]);
    assert!(upper.contains("2\tDOES\tdo\tAUX\tVBZ\t_\t4\taux\t4:aux\tSpaceAfter=No\n"), "{upper}");
}

#[test]
fn inserted_words_are_spaced_as_the_text_is() {
    let case = Case::new("a.conllu", TREEBANK);
    let (more, _) = case.changed("add_sub_tree", "dp", "o.conllu", &["--only-changed"]);
    let text = texts(&more)[0];
    assert!(text.starts_with("He left for Lisbon, ") && text.ends_with("Portugal."), "{text}");
    assert!(!text.contains(" ,"), "{text}");

    // A text that was written as tokens stays one.
    let apart = TREEBANK.replace("SpaceAfter=No", "_").replace("for Lisbon.", "for Lisbon .");
    let (more, _) = Case::new("a.conllu", &apart).changed("add_sub_tree", "dp", "o.conllu", &["--only-changed"]);
    assert!(texts(&more)[0].starts_with("He left for Lisbon , "), "{more}");
}

#[test]
fn another_word_does_not_keep_the_lemma_of_the_old_one() {
    let case = Case::new("a.conllu", TREEBANK);
    let (new, _) = case.changed("prejudice", "pos", "o.conllu", &["--set", "change=gender", "--only-changed"]);
    let row = new.lines().find(|line| line.starts_with("1\tShe\t"));
    assert_eq!(row, Some("1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t2:nsubj\t_"), "{new}");
    // A slip is the word that was meant.
    let (slips, _) = case.changed("typos", "pos", "o.conllu", &["--set", "rate=1"]);
    assert!(slips.contains("\tleave\tVERB\tVBD\tTense=Past\t"), "{slips}");
}

#[test]
fn words_that_are_no_tree_any_more_are_written_without_one() {
    let case = Case::new("a.conllu", TREEBANK);
    let (two, said) = case.changed("concat_sent", "pos", "o.conllu", &["--only-changed"]);
    assert!(said.contains("written without HEAD, DEPREL and DEPS"), "{said}");
    let rows: Vec<Vec<&str>> =
        two.lines().map(|line| line.split('\t').collect()).filter(|row: &Vec<&str>| row.len() == 10).collect();
    let words = rows.iter().filter(|row| !row[0].contains('-'));
    assert!(words.clone().count() > 10 && words.clone().all(|row| row[6..9] == ["_", "_", "_"]), "{two}");
    // A change that leaves the tree whole keeps it.
    let (whole, said) = case.changed("prejudice", "pos", "o.conllu", &["--set", "change=gender"]);
    assert!(whole.contains("\t2\tnsubj\t2:nsubj\t") && !said.contains("written without HEAD"), "{said}");
}

#[test]
fn new_words_of_a_chinese_treebank_have_no_columns_and_end_no_run() {
    let text = "# text = 他考上北大。\n\
        1\t他\t他\tPRON\tPRP\t_\t2\tnsubj\t_\tSpaceAfter=No\n\
        2\t考上\t考上\tVERB\tVV\t_\t0\troot\t_\tSpaceAfter=No\n\
        3\t北大\t北大\tPROPN\tNNP\t_\t2\tobj\t_\tSpaceAfter=No\n\
        4\t。\t。\tPUNCT\t.\t_\t2\tpunct\t_\tSpaceAfter=No\n\n";
    let case = Case::new("a.conllu", text);
    let (new, _) = case.changed("swap_contraction", "cws", "o.conllu", &[]);
    assert!(new.lines().filter(|line| line.contains('\t')).all(|line| line.split('\t').count() == 10), "{new}");
    assert_eq!(texts(&new), ["他考上北京大学。"]);
    assert!(new.contains("\t考上\t考上\tVERB\tVV\t_\t_\t_\t_\tSpaceAfter=No\n"), "{new}");
    assert!(new.contains("\t北京\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"), "{new}");
    // What is not touched is written as it was.
    let (same, _) = case.changed("swap_num_long", "cws", "o.conllu", &[]);
    assert_eq!(same, text);
}
