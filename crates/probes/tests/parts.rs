//! What single parts promise beyond the laws, over many seeds.

use std::sync::Arc;

use fissure_core::{Aids, Chain, Expectation, Field, Hold, Mark, Outcome, Sample};
use fissure_probes::{NearestWords, SLICES, TRANSFORMS};

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
    let (slice, _) = SLICES.find("LengthSubPopulation").unwrap().build(&[
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

#[test]
fn a_synonym_keeps_form_article_and_mentions_alike() {
    for seed in 0..40 {
        let after = text("swap_syn_wordnet", &[("rate", "1")], "The lawyer met two lawyers.", seed).unwrap();
        assert_eq!(after, "The attorney met two attorneys.");
        let after = text("swap_syn_wordnet", &[("rate", "1")], "It is an almost empty room.", seed).unwrap();
        assert_eq!(after, "It is a nearly empty room.");
        for alone in ["The prime minister made a speech.", "NASA and IBM.", "It is well-known."] {
            assert_eq!(text("SwapSynWordNet", &[("rate", "1")], alone, seed), None, "{alone}");
        }
    }
}

#[test]
fn a_neighbour_that_means_the_opposite_or_something_else_is_no_synonym() {
    for seed in 0..40 {
        let before = "On Monday the good man went up north with two red cats, and prices increased.";
        let after = text("swap_syn_word_embedding", &[("rate", "1")], before, seed).unwrap_or_default();
        for wrong in ["Tuesday", "bad", "south", "down", "three", "blue", "dogs", "decreased", "woman"] {
            assert!(!after.contains(wrong), "{after}");
        }
    }
}

#[test]
fn an_opposite_keeps_the_form_and_turns_all_or_nothing() {
    let ant = |before: &str| text("swap_ant_wordnet", &[], before, 0);
    assert_eq!(ant("I loved this good movie.").as_deref(), Some("I hated this bad movie."));
    assert_eq!(ant("The acting is good, but the plot is a disaster."), None);
    assert_eq!(ant("It is not a good film."), None);
    let any = text("swap_ant_wordnet", &[("words", "any")], "They sold it.", 0);
    assert_eq!(any.as_deref(), Some("They bought it."));
    let card = TRANSFORMS.find("swap_ant_wordnet").unwrap().card;
    assert_eq!((card.expects_on("sa"), card.expects_on("nli")), (Expectation::Flipped, Expectation::Unsure));
}

#[test]
fn an_adverb_stands_behind_the_auxiliaries() {
    for seed in 0..40 {
        let after = text("insert_adv", &[], "She has left the house.", seed).unwrap();
        assert!(after.starts_with("She has ") && after.ends_with(" left the house.") && after.len() > 24, "{after}");
        for alone in
            ["She did not leave.", "To leave is easy.", "She left quickly.", "Leave!", "Government bonds fell."]
        {
            let after = text("insert_adv", &[], alone, seed);
            assert!(after.is_none_or(|after| after.contains("fell")), "{alone}");
        }
    }
}

#[test]
fn names_are_swapped_alike_wherever_they_stand() {
    for seed in 0..40 {
        let after = text("swap_named_ent", &[], "Mary Johnson sang. Then Johnson left France for a French town.", seed);
        let after = after.unwrap();
        let words: Vec<&str> = after.split([' ', '.']).collect();
        assert!(words[1] != "Johnson" && words[1] == words[5] && !after.contains("French"), "{after}");
    }
    let tagged = |tags: [&str; 3]| {
        let mut sample = Sample::of_text("1", "Paris likes Rome");
        let spans = [0..5, 6..11, 12..16];
        let marks = spans.into_iter().zip(tags);
        sample.marks = marks.map(|(span, tag)| Mark::new("token", 0, span.into(), tag, Hold::Widen)).collect();
        run("swap_named_ent", &[], &sample, 3).map(|sample| sample.fields[0].text.as_str().to_owned())
    };
    let after = tagged(["B-PER", "O", "B-LOC"]).unwrap();
    assert!(after.starts_with(|first: char| first.is_uppercase()) && !after.ends_with("Rome"), "{after}");
    let after = tagged(["O", "O", "B-LOC"]).unwrap();
    assert!(after.starts_with("Paris likes ") && !after.ends_with("Rome"), "{after}");
    assert_eq!(tagged(["O", "O", "O"]), None);
}

#[test]
fn vectors_of_the_user_take_the_place_of_the_built_in_ones() {
    let words = NearestWords::read("film 1 0\nflick 0.9 0.1\nhouse 0 1\n".as_bytes()).unwrap();
    let chain = Chain::build(&TRANSFORMS, "swap_neighbour", &[("rate".into(), "1".into())]).unwrap();
    let chain = chain.with(Aids { neighbours: Some(Arc::new(words)), ..Aids::default() });
    let Outcome::Changed(variant) = chain.run(&Sample::of_text("1", "A Film."), 0, 0) else {
        panic!("nothing changed")
    };
    assert_eq!(variant.sample.fields[0].text.as_str(), "A Flick.");
    assert!(NearestWords::read("film one".as_bytes()).is_err());
}

#[test]
fn an_article_is_swapped_where_english_takes_both() {
    let article = |before: &str| text("swap_article", &[("rate", "1")], before, 0);
    assert_eq!(article("She saw an old dog.").as_deref(), Some("She saw the old dog."));
    assert_eq!(article("A DOG BARKED.").as_deref(), None, "no tags can be trusted in capitals");
    assert_eq!(article("Police found a car. It was new.").as_deref(), Some("Police found the car. It was new."));
    for alone in [
        "the best day",
        "twice a day",
        "such a man",
        "the dogs",
        "the United States",
        "a lot of time",
        "She is a lawyer.",
        "If a car comes, she waits.",
        "He bought one car, then he saw a car.",
        "They found a charming house.",
        "They took a bow.",
        "He talked about a car, a boat and a bicycle.",
    ] {
        assert_eq!(article(alone), None, "{alone}");
    }
}
