//! The taggers are as good as they were measured to be, on a part of the UD English EWT test set, which lies beside the
//! project. `cargo xtask measure-taggers` measures on all of it.

use std::path::{Path, PathBuf};

use fissure_text::training::entities::Marked;
use fissure_text::training::treebank::Treebank;
use fissure_text::training::{lemmas, scores, weights};

const SENTENCES: usize = 700;

/// The text of a file beside the project; `None`, and a loud word, where it is absent.
fn corpus(file: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is absent, so the taggers were not measured", path.display());
    }
    text
}

fn treebank() -> Option<Treebank> {
    let text = corpus("ud_ewt/en_ewt-ud-test.conllu")?;
    Some(Treebank::read(&text).expect("the treebank can be read").first(SENTENCES))
}

/// Fails with the name of what fell below its floor.
fn at_least(floor: f64, name: &str, found: scores::Found) {
    assert!(found.f1() >= floor, "{name}: {:.2} is below {floor}", found.f1());
}

#[test]
fn tokens_and_sentences_stay_above_their_floors() {
    let Some(treebank) = treebank() else { return };
    let tokens = fissure_text::tokens(&treebank.text);
    at_least(98.5, "words", scores::words(&treebank, &tokens));
    let sentences = fissure_text::sentences(&treebank.text, &tokens);
    at_least(85.0, "sentences", scores::sentences(&treebank, &tokens, &sentences));
}

#[test]
fn tags_lemmas_and_parse_stay_above_their_floors() {
    let Some(treebank) = treebank() else { return };
    let [upos, penn, _] = scores::tags(&treebank, weights::tags());
    at_least(94.5, "UPOS", upos);
    at_least(94.0, "XPOS", penn);
    at_least(97.0, "lemmas", scores::lemmas(&treebank, lemmas::shipped()));
    let [heads, labelled] = scores::parse(&treebank, weights::tags(), weights::parse());
    at_least(86.0, "UAS", heads);
    at_least(82.5, "LAS", labelled);
}

#[test]
fn entities_stay_above_their_floor() {
    let Some(text) = corpus("uner_ewt/en_ewt-ud-test.iob2") else { return };
    let sentences = Marked::read(&text, 1, 2);
    assert_eq!(sentences.len(), 2077);
    at_least(62.0, "entities", scores::entities(&sentences, weights::tags(), weights::entities()));
}
