//! Resources that models provide: a real masked language model, real programs as translators, good and bad ones.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::path::{Path, PathBuf};
use std::process::Command;

use fissure_core::{MaskedLm, Similarity, Span, Translator};
use fissure_models::resources::{CommandTranslator, LocalMaskedLm, LocalSimilarity};

fn family(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(name)
}

#[test]
fn a_language_model_guesses_words_with_probabilities() {
    for name in ["bert-masked", "roberta-masked", "albert-masked"] {
        let masked_lm = LocalMaskedLm::open(&family(name)).unwrap();
        let text = "the movie was good";
        let hidden = [Span::new(4, 9), Span::new(14, 18)];
        let guesses = masked_lm.guess(text, &hidden, 5).unwrap();
        assert_eq!(guesses.len(), 2, "{name}");
        for place in &guesses {
            assert_eq!(place.len(), 5, "{name}");
            assert!(place.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{name}: {place:?}");
            assert!(
                place.iter().all(|(word, p)| !word.starts_with(['\u{120}', '\u{2581}']) && (0.0..=1.0).contains(p))
            );
        }
        // Each place on its own: what else is asked for changes nothing.
        assert_eq!(masked_lm.guess(text, &hidden[1..], 5).unwrap(), guesses[1..]);
        assert_eq!(masked_lm.guess(text, &[], 5).unwrap(), [[]; 0]);
    }
    assert!(LocalMaskedLm::open(&family("bert")).is_err(), "a classifier does not guess");
}

/// A Chinese word is as many pieces as characters; the values are PyTorch's, with both masked at once.
#[test]
fn the_characters_of_a_word_are_guessed_together() {
    let masked_lm = LocalMaskedLm::open(&family("bert-masked")).unwrap();
    let text = "我喜欢电影";
    let guesses = masked_lm.guess_pieces(text, &[Span::new(3, 9), Span::new(3, 6)], 3).unwrap();
    assert_eq!(guesses.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    let expected = [[-2.956_833_f32, -3.139_859, -3.286_074], [-2.188_46, -2.972_791, -3.507_601]];
    for (found, expected) in guesses[0].iter().zip(expected) {
        for ((_, p), log) in found.iter().zip(expected) {
            assert!((p.ln() - log).abs() < 1e-4, "{found:?} {expected:?}");
        }
    }
    assert_eq!((guesses[0][0][1].0.as_str(), guesses[0][1][2].0.as_str()), ("v", "the"));
    // One piece alone is what `guess` guesses.
    assert_eq!(guesses[1][0], masked_lm.guess(text, &[Span::new(3, 6)], 3).unwrap()[0]);
}

#[test]
fn texts_are_alike_to_themselves() {
    let similarity = LocalSimilarity::open(&family("bert-alone")).unwrap();
    let [one, other] = ["the movie was good", "a bad film"];
    assert!((similarity.cosine(one, one).unwrap() - 1.0).abs() < 1e-6);
    let between = similarity.cosine(one, other).unwrap();
    assert!(between < 1.0 && (between - similarity.cosine(other, one).unwrap()).abs() < 1e-9, "{between}");
    assert!(similarity.cosine("", one).unwrap().is_finite());
}

#[cfg(unix)]
#[test]
fn a_command_reads_lines_and_writes_lines() {
    let translator = CommandTranslator::open("sed -u 's/hot/warm/'").unwrap();
    assert_eq!(translator.way(), "sed -u 's/hot/warm/'");
    for _ in 0..3 {
        assert_eq!(translator.translate("hot soup", None).unwrap(), "warm soup");
    }
    assert_eq!(translator.translate(" hot\r\n\n\thot \n", None).unwrap(), " warm\r\n\n\twarm \n");
}

#[cfg(unix)]
#[test]
fn a_bad_command_costs_its_sample_and_no_more() {
    let ask =
        |command: &str| CommandTranslator::open(command).unwrap().translate("soup", None).unwrap_err().to_string();
    // Whether the text or the end of the program comes first is chance.
    let ended = ask("exit 3");
    assert!(ended.contains("ended before it answered") || ended.contains("does not read"), "{ended}");
    assert!(ask("no-such-program-as-this").starts_with("`no-such-program-as-this`"));
    assert!(ask("while read line; do echo; done").contains("answered with nothing"));
    assert!(ask("while read line; do printf '\\377\\n'; done").contains("not UTF-8"));
    // One that ends after each answer is started again.
    let forgetful = CommandTranslator::open("read line; echo \"$line again\"").unwrap();
    let answers: Vec<bool> = (0..4).map(|_| forgetful.translate("soup", None) == Ok("soup again".into())).collect();
    assert!(answers[0] && answers.iter().filter(|answered| **answered).count() >= 2, "{answers:?}");
    assert!(CommandTranslator::open(" ").is_err());
}

/// The children of a program end with it, whether it is ended or ends by itself.
#[cfg(target_os = "linux")]
#[test]
fn a_program_leaves_no_children_behind() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let command = format!("sleep 1000 & echo $! >> {}; cat", pids.display());
    let translator = CommandTranslator::open(&command).unwrap();
    assert_eq!(translator.translate("soup", None), Ok("soup".into()));
    assert_eq!(translator.translate("hot soup", None), Ok("hot soup".into()));
    drop(translator);
    let pids = std::fs::read_to_string(pids).unwrap();
    assert!(pids.lines().count() >= 2, "it was started again after its first answer");
    let runs = |pid: &str| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"));
        status.is_ok_and(|status| status.contains("sleep") && !status.contains("State:\tZ"))
    };
    for _ in 0..100 {
        if !pids.lines().any(runs) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("children live on");
}

#[test]
fn apertium_goes_to_spanish_and_back() {
    if Command::new("apertium")
        .arg("-l")
        .output()
        .map_or(true, |pairs| !String::from_utf8_lossy(&pairs.stdout).contains("eng-spa"))
    {
        eprintln!("SKIPPED: apertium with the pair eng-spa is not installed, so no translation was tried");
        return;
    }
    let translator = CommandTranslator::open("apertium").unwrap();
    assert_eq!(translator.way(), "eng-spa and back by apertium");
    let back = translator.translate("The house is very big.", None).unwrap();
    assert_eq!(back, translator.translate("The house is very big.", None).unwrap());
    assert!(back.contains("house") && back.ends_with('.'), "{back}");
    // Signs that mean something to apertium come back as they were.
    let signs = translator.translate("It costs $3.50 [sic] ^2 / {x} <b> a@b.", None).unwrap();
    assert!(["$3.50", "[sic]", "{", "<", "@"].iter().all(|sign| signs.contains(sign)), "{signs}");
    let twice = CommandTranslator::open("apertium").unwrap();
    assert_eq!(back, twice.translate("The house is very big.", None).unwrap());
}
