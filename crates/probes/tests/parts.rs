//! What single parts promise beyond the laws, over many seeds.

use fissure_core::{Chain, Field, Outcome, Sample};
use fissure_probes::{SLICES, TRANSFORMS};

fn run(names: &str, settings: &[(&str, &str)], sample: &Sample, seed: u64) -> Option<Sample> {
    let settings: Vec<_> = settings.iter().map(|(knob, value)| ((*knob).into(), (*value).into())).collect();
    match Chain::build(&TRANSFORMS, names, &settings).expect("the part is in the catalog").run(sample, seed, 0) {
        Outcome::Changed(variant) => Some(variant.sample),
        Outcome::Unchanged => None,
        Outcome::Skipped(skip) => panic!("{skip}"),
    }
}

fn text(names: &str, settings: &[(&str, &str)], before: &str, seed: u64) -> Option<String> {
    run(names, settings, &Sample::of_text("1", before), seed).map(|sample| sample.fields[0].text.as_str().to_owned())
}

fn differences(before: &str, after: &str) -> Vec<(char, char)> {
    before.chars().zip(after.chars()).filter(|(old, new)| old != new).collect()
}

#[test]
fn a_finger_slips_to_the_next_key_and_keeps_the_case() {
    let before = "Gathering Bread";
    for seed in 0..200 {
        let after = text("Keyboard", &[("rate", "0.5")], before, seed).unwrap();
        let [(old, new)] = differences(before, &after)[..] else { panic!("{after}") };
        assert_eq!(old.is_uppercase(), new.is_uppercase(), "{after}");
        let row =
            ["qwertyuiop", "asdfghjkl", "zxcvbnm"].into_iter().position(|row| row.contains(new.to_ascii_lowercase()));
        assert!(row.is_some(), "{new} is no letter key");
    }
    assert_eq!(text("keyboard", &[("min_length", "9")], "Too short a word", 0), None);
}

#[test]
fn a_typo_is_one_letter_inside_the_word() {
    for (mode, grows) in [("replace", 0), ("swap", 0), ("insert", 1), ("delete", -1), ("random", 9)] {
        for seed in 0..200 {
            let after = text("typos", &[("mode", mode)], "strange", seed).unwrap();
            assert!(after.starts_with('s') && after.ends_with('e') && after != "strange", "{after}");
            let growth = after.len() as isize - 7;
            assert!(growth == grows || grows == 9, "{mode}: {after}");
            let changed = differences("strange", &after).len();
            match mode {
                "replace" => assert_eq!(changed, 1, "{after}"),
                "swap" => assert_eq!(changed, 2, "{after}"),
                _ => {}
            }
        }
    }
    // Inner letters that are all alike cannot be swapped, but one of them can be lost.
    assert_eq!(text("typos", &[("mode", "swap")], "baaab", 0), None);
    assert_eq!(text("typos", &[("mode", "delete")], "baaab", 0).unwrap(), "baab");
}

#[test]
fn phrases_are_expanded_and_contracted_where_english_does() {
    let cases = [
        ("I can't", "I cannot"),
        ("They cannot", "They can't"),
        ("You shan't pass; we won't.", "You shall not pass; we will not."),
        ("It is late and they are here", "It's late and they're here"),
        ("Isn't it? Why don't we?", "Is it not? Why do we not?"),
        ("WE WILL NOT! I'M", "WE WON'T! I AM"),
        ("He's got time, she's always been kind.", "He has got time, she has always been kind."),
        ("It\u{2019}s ours, and we do not care.", "It is ours, and we don\u{2019}t care."),
        ("I have never seen it", "I've never seen it"),
        ("Let's go, you're late.", "Let us go, you are late."),
    ];
    for (before, after) in cases {
        assert_eq!(text("contraction", &[], before, 0).as_deref(), Some(after), "{before}");
    }
    let left_alone = [
        "The cook's soup, Anna's dog and the boys' room.",
        "Yes, I am. Here they are!",
        "I know what it is about.",
        "I have a dog and she had lunch.",
        "He's gone. It's own. What's he want?",
        "Isn't the soup hot? Don't you dare!",
        "They do not only sing.",
        "I do  not, and I\ndo\nnot.",
        "ain't o'clock ma'am 'tis",
    ];
    for before in left_alone {
        assert_eq!(text("contraction", &[], before, 0), None, "{before}");
    }
}

#[test]
fn a_number_stays_of_its_kind() {
    for seed in 0..300 {
        let after = |before: &str| text("swap_num", &[], before, seed);
        let year: u32 = after("in 2004").unwrap()[3..].parse().unwrap();
        assert!((1989..=2019).contains(&year) && year != 2004, "{year}");
        let day: u32 = after("May 31").unwrap()[4..].parse().unwrap();
        assert!((10..=28).contains(&day), "{day}");
        let share: u32 = after("45%").unwrap().trim_end_matches('%').parse().unwrap();
        assert!((10..=99).contains(&share), "{share}");
        let price = after("$1,200.50").unwrap();
        assert!(price.len() == 9 && price.starts_with('$') && price.as_bytes()[2] == b',' && price.ends_with('0'));
        let article = after("an 11 percent fall").unwrap();
        assert!(article.starts_with("an 8") || article.starts_with("an 18 "), "{article}");
        let words = after("twenty-five of two hundred").unwrap();
        assert_eq!((words.split(['-', ' ']).count(), words.ends_with(" hundred")), (5, true), "{words}");
        let twice = after("7 and 7").unwrap();
        assert_eq!(twice[..1], twice[6..], "{twice}");
        for alone in
            ["1 man", "one of them", "zero", "the second time", "at first", "10:30", "3/4", "B2B", "an 8 percent fall"]
        {
            assert_eq!(after(alone), None, "{alone}");
        }
    }
}

#[test]
fn an_irrelevant_sentence_leaves_claims_alone() {
    let fields = ["premise", "hypothesis"].map(|name| Field::open(name, "Two dogs run."));
    let sample = Sample { id: "1".into(), fields: fields.into(), ..Sample::default() };
    let after = run("AppendIrr", &[], &sample, 0).unwrap();
    assert!(after.fields[0].text.starts_with("Two dogs run. ") && after.fields[1] == sample.fields[1]);

    let fields = ["sentence1", "sentence2"].map(|name| Field::open(name, "Two dogs run."));
    let sample = Sample { id: "1".into(), fields: fields.into(), ..Sample::default() };
    let after = run("append_irr", &[("place", "before")], &sample, 0).unwrap();
    assert!(after.fields[0].text == after.fields[1].text && after.fields[0].text.ends_with(". Two dogs run."));
}

#[test]
fn words_are_shortened_wherever_they_stand() {
    let after = text("twitter_type", &[("mode", "abbreviate")], "Are you with them? Thank you!", 0);
    assert_eq!(after.as_deref(), Some("r u w/ them? thx!"));
}

#[test]
fn length_cuts_where_it_is_told() {
    let (slice, _) = (SLICES.find("LengthSubPopulation").unwrap().build)(&[
        ("take".into(), "between".into()),
        ("least".into(), "2".into()),
        ("most".into(), "3".into()),
    ])
    .unwrap();
    let measures: Vec<Option<f64>> = ["", "one", "one two", "one two three", "one two three four"]
        .map(|text| slice.measure(&Sample::of_text("1", text)).ok())
        .into();
    assert_eq!(slice.cut().select(&measures), [false, false, true, true, false]);
}
