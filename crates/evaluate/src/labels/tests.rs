//! One reading for the whole set, or none.

use fissure_settings::MinusOne;

use super::*;

fn names(labels: &[&str]) -> Vec<String> {
    labels.iter().map(|label| (*label).to_owned()).collect()
}

fn survey(labels: &[&str]) -> LabelSurvey {
    survey_where(labels, None)
}

fn survey_where(labels: &[&str], minus_one: Option<MinusOne>) -> LabelSurvey {
    let sample = |label: &&str| Sample { label: Some((*label).into()), ..Sample::of_text("1", "a text") };
    LabelSurvey::of(&labels.iter().map(sample).collect::<Vec<_>>(), minus_one)
}

fn matched(known: &[&str], data: &[&str], given: &[&str]) -> Result<LabelMap, LabelError> {
    LabelMap::new(&names(known), &survey(data), &names(given), |_| None)
}

/// How the labels are matched, and the class of each.
fn read(known: &[&str], data: &[&str]) -> (String, Vec<Option<usize>>) {
    let map = matched(known, data, &[]).unwrap();
    (map.label_match().unwrap().how, data.iter().map(|label| map.index(label)).collect())
}

fn is_ambiguous(known: &[&str], data: &[&str]) -> bool {
    matches!(matched(known, data, &[]), Err(LabelError::Ambiguous { ways: 2, .. }))
}

const NEWS: [&str; 4] = ["World", "Sports", "Business", "Sci/Tech"];
const FROM_0: [&str; 4] = ["0", "1", "2", "3"];
const FROM_1: [&str; 4] = ["1", "2", "3", "4"];
const NAMELESS: [&str; 4] = ["LABEL_0", "LABEL_1", "LABEL_2", "LABEL_3"];

fn all() -> Vec<Option<usize>> {
    (0..4).map(Some).collect()
}

#[test]
fn names_and_numbers_of_a_whole_set() {
    for known in [NEWS, FROM_0, FROM_1, NAMELESS] {
        assert_eq!(read(&known, &FROM_0).1, all(), "{known:?}");
        assert_eq!(read(&known, &FROM_1).1, all(), "{known:?}: as AG News is published");
    }
    assert_eq!(read(&NEWS, &["world", "Sci/Tech"]), ("by name".into(), vec![Some(0), Some(3)]));
    assert_eq!(read(&NEWS, &FROM_1).0, "by number, counted from 1");
    assert_eq!(read(&FROM_1, &FROM_1).0, "by name");
    assert_eq!(
        read(&NEWS, &["0.0", "3.0"]).1,
        [Some(0), Some(3)],
        "as a table writes whole numbers beside empty cells"
    );
    assert_eq!(read(&NAMELESS, &["LABEL_1", "LABEL_2"]).1, [Some(1), Some(2)]);
}

#[test]
fn two_readings_stop() {
    for known in [NEWS, FROM_0, NAMELESS] {
        assert!(is_ambiguous(&known, &["1", "2", "3"]), "{known:?}: the last class may be absent");
        assert!(is_ambiguous(&known, &["2"]), "{known:?}");
    }
    // A model that counts from 1 itself says what its numbers mean.
    assert_eq!(read(&FROM_1, &["1", "2", "3"]).1, [Some(0), Some(1), Some(2)]);
    assert!(is_ambiguous(&["0", "1"], &["1"]));
}

#[test]
fn what_is_right_for_each_reading_is_shown() {
    let samples = survey(&["1", "1", "2"]);
    let ask = |asked: &[Sample]| Some(asked.iter().map(|_| Some(0)).collect());
    let error = LabelMap::new(&names(&NEWS), &samples, &[], ask).unwrap_err().to_string();
    let from_1 = "by number, counted from 1: right for 2 of 3 samples (66.7 %)\n    --label-map 1=World,2=Sports";
    assert!(error.contains(from_1) && error.contains("counted from 0: right for 0 of 3"), "{error}");
}

#[test]
fn the_user_settles_it() {
    let given = |given: &[&str]| matched(&NEWS, &["1", "2", "3"], given).unwrap();
    let map = given(&["1=World,2=Sports,3=business"]);
    assert_eq!((map.index("1"), map.index("3")), (Some(0), Some(2)));
    assert_eq!(map.label_match().unwrap().how, "as given by --label-map");
    // One pair may be enough to tell the readings apart.
    assert_eq!(given(&["1=Sports"]).index("3"), Some(3));
    let map = matched(&NEWS, &["World", "Weather"], &["Weather="]).unwrap();
    assert_eq!((map.index("World"), map.index("Weather")), (Some(0), None));
    assert_eq!(map.label_match().unwrap().to_string(), "by name (World, Weather = not scored)");
    let error = matched(&NEWS, &["1"], &["1=Sport"]).unwrap_err().to_string();
    assert!(error.contains("`Sport` (`Sports`?)"), "{error}");
}

#[test]
fn unknown_labels_stop_with_both_lists() {
    let error = matched(&["negative", "positive"], &NEWS, &[]).unwrap_err().to_string();
    assert!(error.contains("`World`") && error.contains("`negative`, `positive`"), "{error}");
    let error = matched(&NEWS, &["World", "Sport"], &[]).unwrap_err().to_string();
    assert!(error.starts_with("the model does not know the label `Sport` (`Sports`?)"), "{error}");
    // A column of texts, taken for the labels.
    let long = "这是我住过的最糟糕的一家酒店".repeat(20);
    let error = matched(&["negative", "positive"], &[&long, "好"], &[]).unwrap_err().to_string();
    assert!(error.contains("...`") && error.chars().count() < 500, "{error}");
    assert!(matched(&NEWS, &["0", "4"], &[]).is_err(), "neither counted from 0 nor from 1");
    assert!(matched(&NEWS, &["1", "World"], &[]).is_err(), "never names and numbers mixed");
}

#[test]
fn sentiment_by_its_usual_names_and_numbers() {
    assert_eq!(read(&["0", "1"], &["Positive", "Negative"]).1, [Some(1), Some(0)]);
    assert_eq!(read(&["LABEL_0", "LABEL_1"], &["neg", "pos"]).1, [Some(0), Some(1)]);
    assert_eq!(read(&["negative", "positive"], &["0", "1"]).1, [Some(0), Some(1)]);
    assert_eq!(read(&["negative", "positive"], &["1", "2"]).1, [Some(0), Some(1)], "Yelp polarity");
    assert_eq!(read(&["POSITIVE", "NEGATIVE"], &["neg", "pos"]).1, [Some(1), Some(0)]);
    assert!(is_ambiguous(&["positive", "negative"], &["0", "1"]), "by position, or negative first as usual");
    let three = ["negative", "neutral", "positive"];
    assert_eq!(read(&three, &["neg", "pos"]).1, [Some(0), Some(2)]);
    assert!(is_ambiguous(&three, &["0", "1"]), "1 may be neutral or positive");
    assert_eq!(read(&three, &["0", "1", "2"]).1, [Some(0), Some(1), Some(2)]);
    assert!(matched(&["spam", "ham"], &["pos"], &[]).is_err());
}

#[test]
fn inference_by_its_usual_names_and_numbers() {
    let snli = ["entailment", "neutral", "contradiction"];
    let other = ["contradiction", "neutral", "entailment"];
    assert_eq!(read(&FROM_0[..3], &snli).1, [Some(0), Some(1), Some(2)]);
    assert_eq!(read(&NAMELESS[..3], &other).1, [Some(2), Some(1), Some(0)]);
    assert_eq!(read(&snli, &["0", "1", "2"]).1, [Some(0), Some(1), Some(2)]);
    assert_eq!(read(&other, &snli), ("by name".into(), vec![Some(2), Some(1), Some(0)]));
    assert!(is_ambiguous(&other, &["0", "1", "2"]), "by position, or as SNLI and MNLI count");
}

#[test]
fn pairs_and_truth_values() {
    assert_eq!(read(&["0", "1"], &["false", "true"]).1, [Some(0), Some(1)]);
    assert_eq!(read(&["not_duplicate", "duplicate"], &["0", "1"]).1, [Some(0), Some(1)]);
    assert_eq!(read(&["not_equivalent", "equivalent"], &["yes", "no"]).1, [Some(1), Some(0)]);
}

#[test]
fn markers_of_no_label_are_no_labels() {
    assert_eq!(read(&FROM_0[..3], &["-1", "0", "1", "2"]).1, [None, Some(0), Some(1), Some(2)]);
    let known = ["-1", "0", "1"];
    assert!(matches!(matched(&known, &["-1", "1"], &[]), Err(LabelError::MinusOne { .. })), "both readings fit");
    assert_eq!(matched(&known, &["-1", "1"], &["-1=-1"]).unwrap().index("-1"), Some(0));
    for (meaning, class) in [(MinusOne::Label, Some(0)), (MinusOne::None, None)] {
        let survey = survey_where(&["-1", "1"], Some(meaning));
        let map = LabelMap::new(&names(&known), &survey, &[], |_| None).unwrap();
        assert_eq!((map.index("-1"), map.index("1")), (class, Some(2)), "{meaning:?}");
    }
    assert!(matched(&NEWS, &[], &[]).unwrap().label_match().is_none());
}

#[test]
fn classes_that_numbers_leave_out_are_named() {
    let told = matched(&NEWS, &["0", "1"], &[]).unwrap().label_match().unwrap();
    assert_eq!(told.absent, ["Business", "Sci/Tech"], "sentiment, on a model of topics");
    let words = told.to_string();
    assert!(
        words.starts_with("by number, counted from 0 (0 = World, 1 = Sports). Warning: the model has 4"),
        "{words}"
    );
    assert!(words.contains("the data none for `Business`, `Sci/Tech`"), "{words}");
    let absent = |known: &[&str], data: &[&str], given: &[&str]| {
        matched(known, data, given).unwrap().label_match().unwrap().absent.len()
    };
    assert_eq!(absent(&NAMELESS, &["0", "3"], &[]), 2);
    assert_eq!(absent(&NEWS, &FROM_1, &[]), 0);
    assert_eq!(absent(&NEWS, &["World", "Sports"], &[]), 0, "names are the same classes");
    assert_eq!(absent(&NEWS, &["0", "1"], &["0=World", "1=Sports"]), 0, "the user says so");
    assert_eq!(absent(&["negative", "positive"], &["0", "1"], &[]), 0);

    let mut early = survey(&["0", "1"]);
    assert!(early.is_settled(&names(&NEWS)) && !early.is_complete(&names(&NEWS)), "more classes may come");
    assert!(survey(&FROM_0).is_complete(&names(&NEWS)) && survey(&["World"]).is_complete(&names(&NEWS)));
    early.stop_early();
    let map = LabelMap::new(&names(&NEWS), &early, &[], |_| None).unwrap();
    assert_eq!(map.label_match().unwrap().absent.len(), 0, "who did not read on cannot know");
}

#[test]
fn numbers_of_a_model_in_the_order_of_letters() {
    let known: Vec<String> = {
        let mut known: Vec<String> = (1..=14).map(|number| number.to_string()).collect();
        known.sort();
        known
    };
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let data: Vec<String> = (0..14).map(|number| number.to_string()).collect();
    let map = matched(&known, &data.iter().map(String::as_str).collect::<Vec<_>>(), &[]).unwrap();
    assert_eq!(map.index("1").map(|class| known[class]), Some("2"), "its second class, not its second label");
    assert!(matched(&["1", "5"], &["0", "1"], &[]).is_err(), "numbers with gaps are names");
}

#[test]
fn the_order_of_letters_does_not_number_classes() {
    let sorted = ["Business", "Sci/Tech", "Sports", "World"];
    let ask = |asked: &[Sample]| {
        let said = |sample: &Sample| match sample.label.as_ref()?.to_string().as_str() {
            "1" => Some(3),
            "2" => Some(2),
            "3" => Some(0),
            _ => Some(1),
        };
        Some(asked.iter().map(said).collect())
    };
    let error = LabelMap::new(&names(&sorted), &survey(&FROM_1), &[], ask).unwrap_err().to_string();
    assert!(error.contains("counted from 1: right for 0 of 4 samples (0.0 %)"), "{error}");
    let suggested = "right for 4 of 4 samples (100.0 %)\n    --label-map 1=World,2=Sports,3=Business,4=Sci/Tech";
    assert!(error.contains(suggested), "{error}");
    assert_eq!(matched(&sorted, &FROM_1, &["1=World,2=Sports,3=Business,4=Sci/Tech"]).unwrap().index("4"), Some(1));
    assert!(matched(&["ham", "spam"], &["0", "1"], &[]).is_err());
    assert_eq!(matched(&["ham", "spam"], &["0", "1"], &["1=spam"]).unwrap().index("0"), Some(0));
}

#[test]
fn a_survey_is_settled_when_no_row_can_change_it() {
    let settled = |known: &[&str], data: &[&str]| survey(data).is_settled(&names(known));
    assert!(settled(&NEWS, &["World"]) && settled(&NEWS, &["0"]) && settled(&NEWS, &["4", "1"]));
    assert!(!settled(&NEWS, &["1", "2", "3"]) && !settled(&NEWS, &[]) && !settled(&FROM_1, &["1"]));
}
