//! From lessons to translations, to disk and back.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use fissure_core::Translator;
use fissure_translate::{Error, Lesson, Phrases, learn};

const PAIRS: [(&str, &str, &str); 8] = [
    ("A man is playing a guitar.", "A person makes music.", "entailment"),
    ("A man is riding a horse.", "A person rides an animal.", "entailment"),
    ("A woman is playing a guitar.", "A person makes music.", "entailment"),
    ("A woman is riding a bike.", "A person rides outside.", "entailment"),
    ("A man is playing a guitar.", "The man is asleep.", "contradiction"),
    ("A woman is riding a horse.", "The woman is asleep.", "contradiction"),
    ("A woman is playing a guitar.", "Nobody is playing.", "contradiction"),
    ("A man is riding a bike.", "Nobody is riding.", "contradiction"),
];

fn lessons() -> Vec<Lesson<'static>> {
    PAIRS.iter().map(|(text, pair, label)| Lesson { text, pair: Some(pair), label }).collect()
}

#[test]
fn labels_have_phrases_of_their_own() {
    let phrases = learn(&lessons()).unwrap();
    assert_eq!(phrases.labels().collect::<Vec<_>>(), ["contradiction", "entailment"]);
    let text = "A man is playing a horse.";
    let yes = phrases.translate(text, Some("entailment")).unwrap();
    let no = phrases.translate(text, Some("contradiction")).unwrap();
    assert!(yes.contains("person") && !yes.contains("asleep") && !yes.contains("nobody"), "{yes}");
    assert_ne!(yes, no);
    assert!(phrases.translate(text, Some("neutral")).unwrap_err().to_string().contains("entailment"));
    assert!(phrases.translate(text, None).is_err());
    // Words that were never seen are copied.
    assert!(phrases.translate("zebras", Some("entailment")).unwrap().contains("zebras"));
}

#[test]
fn single_texts_are_translated_into_their_second_half() {
    let texts = ["the film is a great joy", "the story is a great joy", "the film has a great cast"];
    let lessons: Vec<Lesson<'_>> = texts.iter().map(|text| Lesson { text, pair: None, label: "1" }).collect();
    let phrases = learn(&lessons).unwrap();
    let second = phrases.translate("the film is", Some("1")).unwrap();
    assert!(second.contains("great"), "{second}");
}

#[test]
fn what_is_saved_is_what_was_learnt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("phrases.bin");
    let phrases = learn(&lessons()).unwrap();
    phrases.save(&path).unwrap();
    let loaded = Phrases::open(&path).unwrap();
    for (text, ..) in PAIRS {
        for label in ["entailment", "contradiction"] {
            assert_eq!(loaded.translate(text, Some(label)), phrases.translate(text, Some(label)));
        }
    }
    let again = folder.path().join("again.bin");
    loaded.save(&again).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
}

#[test]
fn damaged_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("phrases.bin");
    learn(&lessons()).unwrap().save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for length in (0..bytes.len()).step_by(7) {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let error = Phrases::open(&path).unwrap_err().to_string();
        assert!(error.contains("phrases.bin") && error.contains("--train"), "{error}");
    }
    for at in (0..bytes.len()).step_by(5) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x10;
        std::fs::write(&path, &broken).unwrap();
        assert!(Phrases::open(&path).is_err(), "byte {at} was changed and nobody noticed");
    }
    assert!(matches!(Phrases::open(&folder.path().join("none")), Err(Error::Io { .. })));
    assert!(matches!(learn(&[]), Err(Error::NothingToLearn)));
}

#[test]
fn any_text_gets_an_answer() {
    let phrases = learn(&lessons()).unwrap();
    for text in ["\u{1F469}\u{200D}\u{1F467} \u{5E9}\u{5DC}\u{5D5}\u{5DD}", "<s> a </s>", &"a man ".repeat(2000), "..."]
    {
        assert!(phrases.translate(text, Some("entailment")).is_ok(), "{text}");
    }
    for text in ["", "  ", "<br />"] {
        assert!(phrases.translate(text, Some("entailment")).is_err());
    }
}
