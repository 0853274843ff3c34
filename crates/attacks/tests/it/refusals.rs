//! What an attack cannot do, or was given in a form that means nothing: said, and never counted as a text that withstood it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fissure_ask::{LocalClassifier, ModelAbout, Respondent, Response, Unavailable};
use fissure_attacks::{
    Attack, AttackResources, Error, Given, Options, Outcome, Recipe, Resource, Summary, Target, attack, attack_all,
};
use fissure_core::{Field, Sample};
use serde_json::json;

use crate::tiny::{critic, resources, reviews};

const OPTIONS: Options = Options { seed: 1, budget: 5_000, target: None, max_words: Options::MAX_WORDS };

/// A recipe without limits but that every word changes once.
fn bare(search: &str, more: &str) -> Recipe {
    let text = format!(
        "name = 'bare'\nsummary = 'Given sets.'\nshrink = false\n[goal]\nuse = 'untargeted'\n[[source]]\nuse = 'neighbours'\n\
         [[constraint]]\nuse = 'repeat'\n{more}[search]\nuse = '{search}'\n"
    );
    Recipe::parse(&text, "bare").unwrap()
}

fn with_candidates(recipe: &Recipe, model: &LocalClassifier, lines: &str) -> Attack {
    let given = Some(Arc::new(Given::read(lines.as_bytes()).unwrap()));
    recipe.build(AttackResources { given, ..resources(model) }, &[]).unwrap()
}

#[test]
fn a_text_without_a_candidate_is_not_proved() {
    let model = critic();
    let samples = reviews();
    let line = json!({ "id": "review0", "places": [[2, 6, ["decent"]]] }).to_string();
    for search in ["exact", "bound"] {
        let attack_with = with_candidates(&bare(search, ""), &model, &line);
        let records =
            attack_all(&attack_with, &Target::new(&model), &samples, &vec![Some(0); samples.len()], OPTIONS).unwrap();
        let mut summary = Summary::default();
        records.iter().for_each(|record| summary.add(record));
        assert_eq!(summary.reasons.get("no candidate"), Some(&4), "{search}: {summary:?}");
        assert!(records[1..].iter().all(|record| record.certificate.is_none()), "{search}");
        assert_eq!((summary.tried(), summary.certified), (1, 1), "{search}");
        assert_eq!(summary.certified_share().unwrap().value, 1.0, "of the one that has a candidate");
        // Also if the first question was the last that is allowed.
        let options = Options { budget: 1, ..OPTIONS };
        let record = attack(&attack_with, &Target::new(&model), &samples[1], Some(0), options).unwrap();
        assert_eq!(record.reason.as_deref(), Some("no candidate"));
    }
}

#[test]
fn ranges_of_candidates_are_checked() {
    let line = |places: serde_json::Value| json!({ "id": "1", "places": places }).to_string();
    let why = |places| Given::read(line(places).as_bytes()).unwrap_err();
    let reversed = why(json!([[5, 2, ["x"]]]));
    assert!(
        reversed.contains("line 1") && reversed.contains("5 to 2") && reversed.contains("before it begins"),
        "{reversed}"
    );
    let overlap = why(json!([[4, 9, ["x"]], [0, 5, ["y"]]]));
    assert!(overlap.contains("0 to 5 and 4 to 9") && overlap.contains("overlap"), "{overlap}");
    let twice = format!("{}\n\n{}\n", line(json!([])), line(json!([])));
    let twice = Given::read(twice.as_bytes()).unwrap_err();
    assert!(twice.contains("line 3") && twice.contains("line 1"), "{twice}");
    let sample = Sample::of_text("1", "Das Café war gut.");
    let check = |places| Given::read(line(places).as_bytes()).unwrap().check(&sample);
    let past = check(json!([[0, 3, ["Ein"]], [14, 40, ["x"]]])).unwrap_err();
    assert!(past.contains("line 1") && past.contains("14 to 40") && past.contains("18 bytes"), "{past}");
    let inside = check(json!([[4, 8, ["x"]]])).unwrap_err();
    assert!(inside.contains("byte 8 is inside"), "{inside}");
    // A piece of a word, two words, an empty range and one named twice are what they say.
    let model = critic();
    let sample = Sample::of_text("1", "It is a good film, or so they say.");
    let places = json!([[8, 10, ["f"]], [13, 17, ["movie"]], [13, 17, ["tale"]], [18, 18, [" tale"]]]);
    let attack_with = with_candidates(&bare("bound", ""), &model, &line(places));
    let record = attack(&attack_with, &Target::new(&model), &sample, Some(0), OPTIONS).unwrap();
    assert_eq!(record.outcome, Outcome::Succeeded, "{record:?}");
}

#[test]
fn a_goal_that_a_search_cannot_look_for_is_refused() {
    let model = critic();
    let target = Target::new(&model);
    let samples = reviews();
    let gold = vec![Some(0); samples.len()];
    let why = |recipe: &str, goal: &str, label| {
        let mut recipe = Recipe::builtin(recipe).unwrap();
        recipe.set_goal(goal).unwrap();
        let attack_with = recipe.build(resources(&model), &[]).unwrap();
        let options = Options { target: label, ..OPTIONS };
        attack_all(&attack_with, &target, &samples, &gold, options).map(|_| ()).map_err(|error| error.to_string())
    };
    let targeted = why("exact", "targeted", Some(1)).unwrap_err();
    assert!(targeted.contains("`exact` cannot be run") && targeted.contains("`bound`"), "{targeted}");
    for recipe in ["exact", "bound"] {
        let unsure = why(recipe, "confidence<0.7", None).unwrap_err();
        assert!(unsure.contains("`jump`"), "{unsure}");
    }
    assert_eq!(why("bound", "targeted", Some(1)), Ok(()));
    // Pairs.
    let pair = |id: &str| Sample {
        id: id.into(),
        fields: vec![Field::open("first", "A good film."), Field::open("second", "A good story.")],
        ..Sample::default()
    };
    let exact = Recipe::builtin("exact").unwrap().build(resources(&model), &[]).unwrap();
    let pairs = attack_all(&exact, &target, &[pair("1"), pair("2")], &[Some(0), Some(0)], OPTIONS);
    let pairs = pairs.unwrap_err().to_string();
    assert!(pairs.contains("2 texts") && pairs.contains("`bound`"), "{pairs}");
    let one = attack(&exact, &target, &pair("1"), Some(0), OPTIONS).unwrap();
    assert_eq!(one.outcome, Outcome::Skipped, "a single one does not count as withstanding: {one:?}");
}

#[test]
fn a_field_that_no_sample_has_is_no_limit_and_refused() {
    let model = critic();
    let pair = Sample {
        id: "1".into(),
        fields: vec![Field::open("premise", "A good film."), Field::open("hypothesis", "A good story.")],
        ..Sample::default()
    };
    let check = |column: &str, samples: &[Sample]| {
        let limit = format!("[[constraint]]\nuse = 'column'\n{column}");
        let attack_with = bare("beam", &limit).build(resources(&model), &[]).unwrap();
        attack_with.check_samples(samples).map_err(|error| error.to_string())
    };
    let refused = check("name = 'hypotesis'\n", std::slice::from_ref(&pair)).unwrap_err();
    assert!(refused.contains("`hypotesis`") && refused.contains("did you mean `hypothesis`?"), "{refused}");
    assert_eq!(check("name = 'hypothesis'\n", &[pair]), Ok(()));
    assert_eq!(check("", &reviews()), Ok(()), "the usual name is for pairs only");
    let other = bare("beam", "[[constraint]]\nuse = 'column'\nname = 'body'\n").build(resources(&model), &[]).unwrap();
    let samples = reviews();
    let refused = attack_all(&other, &Target::new(&model), &samples, &[Some(0); 5], OPTIONS).unwrap_err().to_string();
    assert!(refused.contains("`body`") && refused.contains("`text`"), "{refused}");
}

#[test]
fn only_limits_and_sources_can_be_left_out() {
    let model = critic();
    for (recipe, need) in [
        ("jump", Resource::Gradients),
        ("a2t", Resource::Gradients),
        ("exact", Resource::Additive),
        ("seq2sick", Resource::TextModel),
    ] {
        let recipe = Recipe::builtin(recipe).unwrap();
        let refused = recipe.build(resources(&model), &[need]).unwrap_err();
        assert!(matches!(refused, Error::MadeOf { .. }), "{refused}");
        assert!(matches!(recipe.check_needs(&[need], false, |_| true), Err(Error::MadeOf { .. })));
    }
    let encoder = Recipe::builtin("a2t").unwrap().build(resources(&model), &[Resource::Encoder]).unwrap();
    assert_eq!(encoder.name, "a2t -encoder");
}

#[test]
fn hotflip_finds_words_that_are_near_enough() {
    let model = critic();
    let attack_with = Recipe::builtin("hotflip").unwrap().build(resources(&model), &[]).unwrap();
    let samples = reviews();
    let records = attack_all(&attack_with, &Target::new(&model), &samples, &[Some(0); 5], OPTIONS).unwrap();
    assert!(records.iter().any(|record| record.counts.questions > 1), "{records:?}");
}

/// Counts the texts that a model is asked about, of which only the answers are seen.
#[derive(Debug)]
struct Counting(LocalClassifier, AtomicUsize);

impl Respondent for Counting {
    fn about(&self) -> &ModelAbout {
        self.0.about()
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        self.1.fetch_add(samples.len(), Ordering::Relaxed);
        if samples.iter().any(|sample| sample.id == "silent") {
            return Ok(samples.iter().map(|_| Err("it says nothing".to_owned())).collect());
        }
        self.0.respond(samples)
    }
}

#[test]
fn all_that_a_model_is_asked_is_counted() {
    let model = Counting(critic(), AtomicUsize::new(0));
    let attack_with = Recipe::builtin("pwws").unwrap().build(resources(&model.0), &[]).unwrap();
    let mut broken = 0;
    for sample in reviews() {
        model.1.store(0, Ordering::Relaxed);
        let record = attack(&attack_with, &Target::new(&model), &sample, Some(0), OPTIONS).unwrap();
        let check = usize::from(record.outcome == Outcome::Succeeded);
        broken += check;
        assert_eq!(model.1.load(Ordering::Relaxed), record.counts.questions + check, "{record:?}");
        assert!(record.counts.asked >= record.counts.questions + check, "{record:?}");
    }
    assert!(broken > 0);
    let silent = Sample::of_text("silent", "A good film.");
    let record = attack(&attack_with, &Target::new(&model), &silent, Some(0), OPTIONS).unwrap();
    assert_eq!(record.refusal.as_deref(), Some("it says nothing"));
    let mut summary = Summary::default();
    summary.add(&record);
    assert_eq!(summary.refusal.as_deref(), Some("it says nothing"));
}
