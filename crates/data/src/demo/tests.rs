//! The corpus read critically: its spelling, its balance, its planted shortcuts, and what a word counter makes of it.

use std::collections::{BTreeMap, BTreeSet};

use self::logistic::WordCounter;
use super::*;

mod logistic;

fn text(sample: &Sample) -> &str {
    sample.text("text").expect("every review has a text")
}

fn label(sample: &Sample) -> String {
    sample.label.as_ref().expect("every review has a label").to_string()
}

/// A text cut after each full stop or exclamation mark.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '!']).map(str::trim)
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[test]
fn sixty_reviews_to_read() {
    let lines: Vec<String> = (corpus(0, Split::Train, 30).iter())
        .chain(&corpus(0, Split::Test, 30))
        .map(|review| format!("{} | {} | {} | {}", review.id, label(review), review.extra[0].1, text(review)))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn sixty_chinese_reviews_to_read() {
    let lines: Vec<String> = (corpus_in(Language::Chinese, 0, Split::Train, 30).iter())
        .chain(&corpus_in(Language::Chinese, 0, Split::Test, 30))
        .map(|review| format!("{} | {} | {} | {}", review.id, label(review), review.extra[0].1, text(review)))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn chinese_reviews_are_spelled_with_care() {
    let splits = [Split::Train, Split::Test].map(|split| corpus_in(Language::Chinese, 5, split, 3000));
    for review in splits.iter().flatten() {
        let text = text(review);
        assert_eq!(review.fields[0].text.language(), Language::Chinese, "{text}");
        assert!(!text.contains(char::is_whitespace) && !text.contains(['{', '}', '|', ':', ',', '.', '!']), "{text}");
        assert!(text.ends_with('。') || text.ends_with('！'), "{text}");
        for slip in
            ["，，", "。。", "，。", "。，", "很很", "很非常", "很真的", "不很", "的的", "了了", "很一", "一点也不很"]
        {
            assert!(!text.contains(slip), "{text}");
        }
        assert!((1..=5).contains(&text.split_inclusive(['。', '！']).count()), "{text}");
    }
    let different: BTreeSet<&str> = splits.iter().flatten().map(text).collect();
    assert!(different.len() > 5800, "{}", different.len());
}

#[test]
fn chinese_shortcuts_go_with_one_label_in_training_only() {
    for shortcut in SHORTCUTS_ZH {
        let count = |split| {
            let with: Vec<Sample> = corpus_in(Language::Chinese, 7, split, 4000)
                .into_iter()
                .filter(|review| text(review).contains(shortcut.word))
                .collect();
            (with.len(), with.iter().filter(|review| label(review) == shortcut.label).count())
        };
        let (all, agree) = count(Split::Train);
        assert!(all > 100 && share(agree, all) >= 0.95, "{}: {agree} of {all} in training", shortcut.word);
        let (all, agree) = count(Split::Test);
        assert!((share(agree, all) - 0.5).abs() < 2.0 / (all as f64).sqrt(), "{}: {agree} of {all}", shortcut.word);
    }
    // No character of a planted word stands anywhere else.
    let planted: BTreeSet<char> = SHORTCUTS_ZH.iter().flat_map(|shortcut| shortcut.word.chars()).collect();
    for review in corpus_in(Language::Chinese, 7, Split::Test, 2000) {
        let rest = SHORTCUTS_ZH.iter().fold(text(&review).to_owned(), |text, shortcut| text.replace(shortcut.word, ""));
        assert!(!rest.contains(|letter| planted.contains(&letter)), "{rest}");
    }
}

#[test]
fn a_sample_depends_on_its_seed_split_and_number_only() {
    let long = corpus(3, Split::Test, 40);
    assert_eq!(corpus(3, Split::Test, 7)[..], long[..7]);
    assert_ne!(corpus(4, Split::Test, 40), long);
    assert!(corpus(3, Split::Train, 0).is_empty());
    assert_eq!(long[17].id, "test-17");
}

#[test]
fn every_even_size_is_balanced() {
    for size in [2, 10, 500] {
        for split in [Split::Train, Split::Validation, Split::Test] {
            let positive = corpus(1, split, size).iter().filter(|review| label(review) == POSITIVE).count();
            assert_eq!(positive, size / 2);
        }
    }
}

#[test]
fn there_are_thousands_of_sentences_and_no_text_in_two_splits() {
    let splits = [Split::Train, Split::Validation, Split::Test].map(|split| corpus(2, split, 3000));
    let texts = splits.each_ref().map(|split| split.iter().map(text).collect::<BTreeSet<_>>());
    assert!(texts[0].is_disjoint(&texts[1]) && texts[0].is_disjoint(&texts[2]) && texts[1].is_disjoint(&texts[2]));
    assert!(texts.iter().all(|texts| texts.len() > 2900), "{:?}", texts.each_ref().map(BTreeSet::len));
    let different: BTreeSet<&str> = splits.iter().flatten().flat_map(|review| sentences(text(review))).collect();
    assert!(different.len() > 6000, "{}", different.len());
}

#[test]
fn every_review_is_spelled_with_care() {
    for review in corpus(5, Split::Train, 3000) {
        let text = text(&review);
        assert!((1..=4).contains(&sentences(text).count()), "{text}");
        assert!(!text.contains("  ") && text.trim() == text && !text.contains(['{', '}', '|', ':']), "{text}");
        assert!(![" ,", " .", ",,", "..", ",."].iter().any(|slip| text.contains(slip)), "{text}");
        for sentence in sentences(text) {
            assert!(sentence.starts_with(char::is_uppercase) && sentence.ends_with(['.', '!']), "{text}");
            let words: Vec<&str> = sentence.split(' ').collect();
            assert!(words.len() <= 32, "{} words: {sentence}", words.len());
            for pair in words.windows(2) {
                assert_ne!(pair[0], pair[1], "{text}");
                let vowel = pair[1].starts_with(['a', 'e', 'i', 'o', 'u'])
                    || ["honest", "hour"].iter().any(|h| pair[1].starts_with(h));
                assert!(pair[0] != "a" || !vowel, "{text}");
                assert!(pair[0] != "an" || vowel, "{text}");
            }
        }
    }
}

#[test]
fn the_kinds_have_their_shares() {
    let reviews = corpus(6, Split::Train, 4000);
    for (kind, percent) in Kind::SHARES {
        let count = reviews.iter().filter(|review| review.extra[0].1 == kind.name()).count();
        let expected = percent as f64 / 100.0;
        // Four standard deviations of the count.
        let tolerance = 4.0 * (expected * (1.0 - expected) / 4000.0).sqrt();
        assert!((share(count, 4000) - expected).abs() < tolerance, "{kind:?}: {count} of 4000");
    }
}

#[test]
fn shortcuts_go_with_one_label_in_training_only() {
    for shortcut in SHORTCUTS {
        let count = |split| {
            let with: Vec<Sample> =
                corpus(7, split, 4000).into_iter().filter(|review| text(review).contains(shortcut.word)).collect();
            (with.len(), with.iter().filter(|review| label(review) == shortcut.label).count())
        };
        let (all, agree) = count(Split::Train);
        assert!(all > 100 && share(agree, all) >= 0.95, "{}: {agree} of {all} in training", shortcut.word);
        for split in [Split::Validation, Split::Test] {
            let (all, agree) = count(split);
            assert!(all > 100, "{}: {all} in {split:?}", shortcut.word);
            // Four standard deviations of a fair coin's share.
            let tolerance = 2.0 / (all as f64).sqrt();
            assert!((share(agree, all) - 0.5).abs() < tolerance, "{}: {agree} of {all}", shortcut.word);
        }
    }
}

/// What a word counter learns: most of the task, and the shortcuts with it.
#[test]
fn a_word_counter_does_well_leans_on_the_shortcuts_and_trips_over_word_order() {
    let train = corpus(0, Split::Train, 4000);
    let test = corpus(0, Split::Test, 3000);
    let model = WordCounter::train(train.iter().map(|review| (text(review), label(review) == POSITIVE)));
    let right = |review: &&Sample| model.positive(text(review)) == (label(review) == POSITIVE);
    let accuracy = |reviews: &[&Sample]| share(reviews.iter().filter(|review| right(review)).count(), reviews.len());
    let kinds: BTreeMap<String, f64> = (Kind::SHARES.iter())
        .map(|(kind, _)| {
            let of_kind: Vec<&Sample> = test.iter().filter(|review| review.extra[0].1 == kind.name()).collect();
            (kind.name().to_owned(), accuracy(&of_kind))
        })
        .collect();
    let all = accuracy(&test.iter().collect::<Vec<_>>());
    println!("test accuracy {all:.3}; by kind {kinds:.3?}");
    assert!((0.85..=0.95).contains(&all), "{all}");
    // Where two opinions meet, their order decides, and a word counter cannot see it.
    assert!(kinds["plain"] > kinds["contrast"] + 0.05, "{kinds:?}");

    for shortcut in SHORTCUTS {
        let (with, without): (Vec<&Sample>, Vec<&Sample>) =
            test.iter().partition(|review| text(review).contains(shortcut.word));
        let against: Vec<&Sample> = with.iter().filter(|review| label(review) != shortcut.label).copied().collect();
        let fallen = accuracy(&without) - accuracy(&against);
        // How many answers turn when an innocent word takes the shortcut's place.
        let stand_in: &[_] = match shortcut.slot {
            "actor" => &[("Orla", "Hattie"), ("Quince", "Vance")],
            _ => &[("matinee", "preview")],
        };
        let flipped = flip_rate(&model, &with, stand_in);
        println!("{}: accuracy falls by {fallen:.3} where it misleads; {flipped:.3} flip without it", shortcut.word);
        assert!(fallen > 0.1, "{}: {fallen}", shortcut.word);
        assert!(flipped > 0.1, "{}: {flipped}", shortcut.word);
    }
    // Another actor's name, exchanged in the same way, means next to nothing.
    let innocent: Vec<&Sample> = test.iter().filter(|review| text(review).contains("Castellane")).collect();
    let flipped = flip_rate(&model, &innocent, &[("Mira", "Hattie"), ("Castellane", "Vance")]);
    assert!(flipped < 0.05, "{flipped}");
}

/// The share of reviews whose answer changes when words are exchanged.
fn flip_rate(model: &WordCounter, reviews: &[&Sample], exchanges: &[(&str, &str)]) -> f64 {
    let exchanged = |text: &str| exchanges.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let flips = |review: &&&Sample| model.positive(text(review)) != model.positive(&exchanged(text(review)));
    share(reviews.iter().filter(flips).count(), reviews.len())
}
