use super::*;
use proptest::prelude::*;

#[test]
fn known_forms() {
    for (lemma, tag, form) in [
        ("love", "VBD", "loved"),
        ("love", "VBG", "loving"),
        ("love", "VBZ", "loves"),
        ("leave", "VBD", "left"),
        ("fly", "VBD", "flew"),
        ("fly", "VBN", "flown"),
        ("get", "VBD", "got"),
        ("show", "VBN", "shown"),
        ("burn", "VBN", "burned"),
        ("be", "VBZ", "is"),
        ("be", "VBP", "are"),
        ("be", "VBD", "was"),
        ("go", "VBP", "go"),
        ("panic", "VBG", "panicking"),
        ("die", "VBG", "dying"),
        ("stop", "VBD", "stopped"),
        ("travel", "VBD", "traveled"),
        ("read", "VBD", "read"),
        ("child", "NNS", "children"),
        ("person", "NNS", "people"),
        ("love", "NNS", "loves"),
        ("wolf", "NNS", "wolves"),
        ("fish", "NNS", "fish"),
        ("photo", "NNS", "photos"),
        ("potato", "NNS", "potatoes"),
        ("good", "JJR", "better"),
        ("big", "JJS", "biggest"),
        ("happy", "JJR", "happier"),
        ("beautiful", "JJS", "most beautiful"),
        ("quickly", "RBR", "more quickly"),
        ("modern", "JJR", "more modern"),
        ("simple", "JJR", "simpler"),
        ("narrow", "JJS", "narrowest"),
        ("well", "RBR", "better"),
        ("cat", "NN", "cat"),
        // By rule.
        ("blorg", "VBD", "blorged"),
        ("zib", "VBG", "zibbing"),
        ("blorgify", "VBZ", "blorgifies"),
        ("unfrobnicate", "VBG", "unfrobnicating"),
        ("blorgman", "NNS", "blorgmen"),
        ("grux", "NNS", "gruxes"),
        ("frobby", "JJR", "frobbier"),
        ("Kennedy", "NNPS", "Kennedys"),
        ("Johnson", "NNPS", "Johnsons"),
        ("Jones", "NNPS", "Joneses"),
        // Casing.
        ("Leave", "VBD", "Left"),
        ("LEAVE", "VBD", "LEFT"),
        ("iPhone", "NNS", "iPhones"),
        ("BLORG", "VBD", "BLORGED"),
        // Phrases.
        ("give up", "VBD", "gave up"),
        ("swimming pool", "NNS", "swimming pools"),
        ("head of state", "NNS", "heads of state"),
        ("well known", "JJR", "more well known"),
    ] {
        assert_eq!(inflect(lemma, tag).as_deref(), Some(form), "{lemma} {tag}");
    }
    for (lemma, tag) in [
        ("information", "NNS"),
        ("advice", "NNS"),
        ("equipment", "NNS"),
        ("the", "DT"),
        ("can", "MD"),
        ("", "NNS"),
        ("42", "NNS"),
        ("love", ""),
        (" ", "NNS"),
    ] {
        assert_eq!(inflect(lemma, tag), None, "{lemma} {tag}");
    }
}

#[test]
fn known_lemmas() {
    for (form, tag, wanted) in [
        ("loved", "VBD", "love"),
        ("left", "VBN", "leave"),
        ("saw", "VBD", "see"),
        ("is", "VBZ", "be"),
        ("were", "VBD", "be"),
        ("am", "VBP", "be"),
        ("Children", "NNS", "child"),
        ("axes", "NNS", "axis"),
        ("better", "JJR", "good"),
        ("moderner", "JJR", "modern"),
        ("better", "RBR", "well"),
        ("best", "JJS", "good"),
        ("lying", "VBG", "lie"),
        ("hoping", "VBG", "hope"),
        ("hopping", "VBG", "hop"),
        ("people", "NNS", "people"),
        ("sports", "NNS", "sport"),
        ("go", "VBP", "go"),
        ("cat", "NN", "cat"),
        ("Cats", "NNS", "cat"),
        ("Kennedys", "NNPS", "Kennedy"),
        ("blorgified", "VBD", "blorgify"),
        ("frobnicating", "VBG", "frobnicate"),
        ("zibbed", "VBN", "zib"),
        ("gruxes", "NNS", "grux"),
    ] {
        assert_eq!(lemma(form, tag).as_deref(), Some(wanted), "{form} {tag}");
    }
    assert_eq!(lemmas("bases", "NNS").collect::<Vec<_>>(), ["base", "basis"]);
    assert_eq!(inflections("be", "VBD").collect::<Vec<_>>(), ["was", "were"]);
    assert_eq!(lemma("the", "DT"), None);
    assert_eq!(lemmas("qqq", "VBD").count(), 0);
    assert!(is_lemma("love", "VBD") && !is_lemma("loved", "VBD") && !is_lemma("beautiful", "VB"));
}

/// EWT's own tokens: the form from the lemma and the tag, and the lemma from the form and the tag, for nouns and verbs
/// in the range of the table.
#[test]
fn universal_dependencies_agree() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ud_ewt");
    let mut counts = [[0_usize; 2]; 2];
    for part in ["dev", "test"] {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("en_ewt-ud-{part}.conllu"))) else {
            eprintln!("SKIPPED: {} is absent, so inflection is not measured", folder.display());
            return;
        };
        for line in text.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let [_, form, gold, _, tag, features, ..] = columns[..] else { continue };
            let asked = matches!(tag, "NNS" | "VBD" | "VBN" | "VBG" | "VBZ");
            // Misspelt words, styles and clitics (`'s`) are not inflections.
            let plain =
                form.chars().all(char::is_alphabetic) && !features.contains("Typo=Yes") && !features.contains("Style=");
            if !asked || !plain || !features.split('|').all(|feature| feature != "Abbr=Yes") || !is_lemma(gold, tag) {
                continue;
            }
            let form = form.to_lowercase();
            // Whether it is `was` or `were` is a question of agreement, which a tag does not answer.
            let there = inflect(gold, tag).as_deref() == Some(&form)
                || (gold == "be" && inflections(gold, tag).any(|known| known == form));
            let back = lemma(&form, tag).as_deref() == Some(gold);
            if !there || !back {
                println!("{gold} {tag} {form}: we say {:?}, {:?}", inflect(gold, tag), lemma(&form, tag));
            }
            counts[0][0] += usize::from(there);
            counts[0][1] += 1;
            counts[1][0] += usize::from(back);
            counts[1][1] += 1;
        }
    }
    let share = |[right, all]: [usize; 2]| right as f64 / all as f64;
    println!("forms {:.4}, lemmas {:.4} of {}", share(counts[0]), share(counts[1]), counts[0][1]);
    assert!(counts[0][1] > 5_000);
    assert!(share(counts[0]) >= 0.98 && share(counts[1]) >= 0.98);
}

proptest! {
    #[test]
    fn any_word_gets_an_answer(word in "\\PC*", letters in "[a-zA-Zéß ]*") {
        for word in [&word, &letters] {
            for tag in ["NNS", "NNPS", "VBZ", "VBD", "VBG", "JJR", "RBS", "VBP", "NN"] {
                if let Some(form) = inflect(word, tag) {
                    prop_assert!(!form.is_empty());
                }
                let _ = lemma(word, tag);
            }
        }
    }

    #[test]
    fn regular_words_there_and_back(word in "[b-df-hj-np-tv-z][aeiou][b-df-hj-np-rtv]{1,2}(ate|ify|er|e)?") {
        for slot in slot::SLOTS {
            if let Some(form) = rules::inflect(&word, slot) {
                let back = rules::uninflect(&form, slot, |_, _| false);
                let again = back.as_ref().and_then(|back| rules::inflect(back, slot));
                prop_assert_eq!(again, Some(form), "{:?}", back);
                // When the word is known, nothing else will do.
                let form = rules::inflect(&word, slot).unwrap();
                prop_assert_eq!(rules::uninflect(&form, slot, |other, _| other == word), Some(word.clone()));
            }
        }
    }
}
