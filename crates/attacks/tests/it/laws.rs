//! What holds for every recipe, and a search that breaks it on purpose.

use fissure_ask::{LocalClassifier, ModelAbout, Respondent, Response, Unavailable, input};
use fissure_attacks::{
    Attack, Attempt, Change, Error, Options, Outcome, PartOf, Questions, Recipe, Record, Result, Search, State, Target,
    Verdict, attack, attack_all, attack_each, names,
};
use fissure_core::{Edit, Sample, splice};

use crate::tiny::{critic, resources, reviews};

const OPTIONS: Options = Options { seed: 1, budget: 5_000, target: None, max_words: Options::MAX_WORDS };

/// The recipes that can be run on a model of classes.
fn attacks(model: &LocalClassifier) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for name in names() {
        match Recipe::builtin(name).unwrap().build(resources(model), &[]) {
            Ok(attack) => attacks.push(attack),
            Err(Error::Lacks { need, .. }) => assert_eq!(need.name(), "text-model", "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    attacks
}

fn run(attack: &Attack, model: &LocalClassifier) -> Vec<Record> {
    let samples = reviews();
    attack_all(attack, &Target::new(model), &samples, &vec![Some(0); samples.len()], OPTIONS).unwrap()
}

/// The changed text, from the edits alone.
fn changed(sample: &Sample, record: &Record) -> Sample {
    let edits: Vec<Edit> =
        record.edits.iter().map(|edit| Edit::replace(edit.start..edit.end, edit.new.as_str())).collect();
    for edit in &record.edits {
        assert_eq!(&sample.fields[0].text[edit.start..edit.end], edit.old);
    }
    Sample::of_text("changed", splice(&sample.fields[0].text, &edits))
}

/// Looks at what the recipe promises, with other code than the constraints'.
fn holds_its_limits(attack: &Attack, sample: &Sample, record: &Record) -> bool {
    let words = sample.fields[0].text.words().count() as f64;
    let limit = |part: &PartOf<dyn fissure_attacks::Constraint>, knob: &str| -> f64 {
        let value = part.knobs.iter().find(|(name, _)| *name == knob).unwrap().1.clone();
        if value == "unlimited" { f64::INFINITY } else { value.parse().unwrap() }
    };
    attack.constraints.iter().all(|part| match part.name {
        "stop_words" => {
            !record.edits.iter().any(|edit| ["a", "the", "and", "was", "it"].contains(&&*edit.old.to_lowercase()))
        }
        "share_of_words" => {
            let share = (limit(part, "share") * words + 1e-6).floor().max(limit(part, "least"));
            record.changed as f64 <= share.min(limit(part, "most"))
        }
        "word_length" => record.edits.iter().all(|edit| edit.old.len() as f64 >= limit(part, "least")),
        "facts" => !record.edits.iter().any(|edit| edit.old == "2"),
        _ => true,
    })
}

#[test]
fn successes_hold_their_limits_and_turn_the_model() {
    let model = critic();
    let samples = reviews();
    let mut winners = Vec::new();
    for attack in attacks(&model) {
        for (sample, record) in samples.iter().zip(run(&attack, &model)) {
            assert_eq!(record.id, sample.id);
            assert!(record.counts.questions <= record.counts.asked && record.counts.questions <= OPTIONS.budget);
            if record.outcome != Outcome::Succeeded {
                assert!(record.edits.is_empty() && record.reason.is_some(), "{}: {record:?}", attack.name);
                continue;
            }
            let new = changed(sample, &record);
            assert_eq!(record.texts["text"], new.fields[0].text.as_str(), "{}", attack.name);
            assert!(holds_its_limits(&attack, sample, &record), "{}: {record:?}", attack.name);
            let answer = model.inside().unwrap().answer(&[input(&new)]).unwrap().remove(0);
            let same = answer.predicted == 0;
            match attack.name.as_str() {
                "input-reduction" => assert!(same),
                "kuleshov" => assert!(!same || answer.log_probs.unwrap()[0].exp() < 0.7),
                name => assert!(!same, "{name}: {record:?}"),
            }
            winners.push(attack.name.clone());
        }
    }
    winners.dedup();
    assert!(winners.len() >= 10, "only {winners:?} broke anything");
}

#[test]
fn threads_and_batches_change_nothing() {
    let model = critic();
    let samples = reviews();
    for attack_with in attacks(&model) {
        let many = run(&attack_with, &model);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(pool.install(|| run(&attack_with, &model)), many, "{}", attack_with.name);
        let alone = attack(&attack_with, &Target::new(&model), &samples[2], Some(0), OPTIONS).unwrap();
        assert_eq!(alone, many[2], "{}", attack_with.name);
    }
}

/// A model behind an address that is gone once it is asked about a text of one word.
#[derive(Debug)]
struct Fails(LocalClassifier);

impl Respondent for Fails {
    fn about(&self) -> &ModelAbout {
        self.0.about()
    }

    fn respond(
        &self,
        samples: &[&Sample],
    ) -> std::result::Result<Vec<std::result::Result<Response, String>>, Unavailable> {
        if samples.iter().any(|sample| sample.fields[0].text.as_str() == "gone") {
            return Err(Unavailable("it is gone".into()));
        }
        self.0.respond(samples)
    }
}

#[test]
fn what_was_found_before_a_model_fails_is_seen() {
    let model = Fails(critic());
    let attack_with = Recipe::builtin("pwws").unwrap().build(resources(&model.0), &[]).unwrap();
    let mut samples = reviews();
    let gold = vec![Some(0); samples.len() + 1];
    let whole = attack_all(&attack_with, &Target::new(&model), &samples, &gold, OPTIONS).unwrap();
    let place = samples.len() - 1;
    samples.insert(place, Sample::of_text("gone", "gone"));
    let mut seen = Vec::new();
    let see = |at: usize, record: Record| {
        seen.push((at, record));
        Ok(())
    };
    let failed = attack_each::<Error>(&attack_with, &Target::new(&model), &samples, &gold, OPTIONS, see);
    assert!(matches!(failed, Err(Error::Unavailable(_))), "{failed:?}");
    assert_eq!(seen, whole[..place].iter().cloned().enumerate().collect::<Vec<_>>(), "all before it, in their order");
    let stops = |at: usize, _: Record| if at == 1 { Err(Error::Unavailable("full".into())) } else { Ok(()) };
    let stopped = attack_each::<Error>(&attack_with, &Target::new(&model), &reviews(), &gold, OPTIONS, stops);
    assert!(stopped.is_err_and(|error| error.to_string().contains("full")), "who sees records can stop");
}

#[test]
fn texts_made_of_an_original_are_answered_and_counted_like_any() {
    let model = critic();
    let target = Target::new(&model);
    let attack_with = Recipe::builtin("pwws").unwrap().build(resources(&model), &[]).unwrap();
    let more = ["A good<br />film and a good, good plot .", "", "good"].map(|text| Sample::of_text("more", text));
    for sample in reviews().iter().chain(&more) {
        let original = std::slice::from_ref(sample);
        let mut apart = Questions::new(&target, usize::MAX);
        let mut questions = Questions::new(&target, usize::MAX);
        let first = questions.ask(original).unwrap().pop().flatten().unwrap();
        assert_eq!(apart.ask(original).unwrap()[0].as_ref(), Some(&first));
        let mut attempt = Attempt::new(sample, 0, &attack_with, questions, first, (0, None));
        let words = attempt.victim.words.len();
        let with = ["", "good", "Dull", "so so", "<br", "br />", "qzx", "'s"];
        let one = |word: usize| with.map(|with| State::default().with(word, Change::new(with)));
        let singles: Vec<State> = (0..words).flat_map(one).collect();
        let doubles = singles.iter().enumerate().map(|(at, state)| {
            let far = (at * 7 + 3) % words;
            state.with(far, Change::new(with[at % 5])).with((far + 1) % words, Change::new(with[at % 3]))
        });
        let states: Vec<State> = singles.iter().cloned().chain(doubles).collect();
        let found = attempt.ask(&states).unwrap();
        let samples: Vec<Sample> = states.iter().map(|state| state.question(&attempt.victim)).collect();
        assert_eq!(found, apart.ask(&samples).unwrap(), "{sample:?}");
        assert_eq!(attempt.questions.counts, apart.counts, "{sample:?}");
        let counts = apart.counts;
        // Words that the model does not know read alike, and `good` in its own place is the original once more.
        assert_eq!(counts.inputs < counts.questions, words > 0, "{counts:?} of {sample:?}");
        let repeats = sample.fields[0].text.as_str().contains("good");
        assert_eq!(counts.questions < counts.asked, repeats, "{counts:?} of {sample:?}");
    }
}

#[test]
fn a_budget_is_never_exceeded_and_texts_are_skipped_with_a_reason() {
    let model = critic();
    let samples = reviews();
    for attack_with in attacks(&model) {
        for budget in [0, 1, 2, 7] {
            let options = Options { budget, ..OPTIONS };
            let record = attack(&attack_with, &Target::new(&model), &samples[0], Some(0), options).unwrap();
            assert!(record.counts.questions <= budget, "{} asked {:?} of {budget}", attack_with.name, record.counts);
        }
    }
    let attack_with = Recipe::builtin("pwws").unwrap().build(resources(&model), &[]).unwrap();
    let reason = |gold| attack(&attack_with, &Target::new(&model), &samples[0], gold, OPTIONS).unwrap().reason.unwrap();
    assert_eq!(reason(Some(1)), "wrong before the attack");
    assert_eq!(reason(None), "no label that the model knows");
}

#[test]
fn what_is_so_before_an_attack_is_no_success_of_it() {
    let model = critic();
    let sample = Sample::of_text("1", "It is a good film, or so they say.");
    let outcome = |below: &str| {
        let mut recipe = Recipe::builtin("line").unwrap();
        recipe.set_goal(&format!("confidence<{below}")).unwrap();
        let attack_with = recipe.build(resources(&model), &[]).unwrap();
        let record = attack(&attack_with, &Target::new(&model), &sample, Some(0), OPTIONS).unwrap();
        (record.outcome, record.reason, record.before.unwrap().p_gold)
    };
    let (hard, _, before) = outcome("0.55");
    assert_eq!(hard, Outcome::Succeeded, "its probability falls from {before}");
    assert!((0.55..0.9).contains(&before), "{before}");
    let (easy, reason, _) = outcome("0.9");
    assert_eq!((easy, reason.as_deref()), (Outcome::Skipped, Some("the goal is reached without a change")));
}

#[test]
fn a_goal_that_nothing_can_reach_is_refused() {
    let model = critic();
    let mut recipe = Recipe::builtin("pwws").unwrap();
    recipe.set_goal("targeted").unwrap();
    let attack_with = recipe.build(resources(&model), &[]).unwrap();
    let run = |target| {
        let options = Options { target, ..OPTIONS };
        attack_all(&attack_with, &Target::new(&model), &reviews(), &vec![Some(0); reviews().len()], options)
    };
    assert!(run(None).unwrap_err().to_string().contains("--target LABEL"));
    assert!(run(Some(1)).is_ok());
}

#[test]
fn a_greedy_attack_by_hand() {
    // good 4, film 0.5 for the other class; decent leaves 0.5 - 0.5 - 0 = 0, which class 0 wins; movie takes 2.
    let model = critic();
    let sample = Sample::of_text("1", "It is a good film, or so they say.");
    let attack_with = Recipe::builtin("line").unwrap().build(resources(&model), &[]).unwrap();
    let record = attack(&attack_with, &Target::new(&model), &sample, Some(0), OPTIONS).unwrap();
    let new: Vec<&str> = record.edits.iter().map(|edit| edit.new.as_str()).collect();
    assert_eq!((record.outcome, new), (Outcome::Succeeded, vec!["decent", "movie"]));
    let exact = Recipe::builtin("exact").unwrap().build(resources(&model), &[]).unwrap();
    let least = attack(&exact, &Target::new(&model), &sample, Some(0), OPTIONS).unwrap();
    assert_eq!((least.changed, least.counts.questions), (2, 2));
    let certain = Sample::of_text("2", "It is a good good good thing, or so they say.");
    let proof = attack(&exact, &Target::new(&model), &certain, Some(0), OPTIONS).unwrap();
    assert_eq!((proof.outcome, proof.reason.as_deref()), (Outcome::Failed, Some("certified")));
}

/// Says that it has found something, whatever the constraints and the model say.
#[derive(Debug)]
struct Boastful {
    word: usize,
    with: &'static str,
}

impl Search for Boastful {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let state = State::default().with(self.word, Change::new(self.with));
        attempt.keep(Some((state, Verdict::of_class(1, [-9.0, 0.0]))));
        Ok(())
    }
}

#[test]
fn what_a_search_claims_is_checked() {
    let model = critic();
    let sample = Sample::of_text("1", "It is a good film, or so they say.");
    let claimed = |word, with| {
        let mut attack_with = Recipe::builtin("jump").unwrap().build(resources(&model), &[]).unwrap();
        attack_with.search = PartOf { part: Box::new(Boastful { word, with }), name: "boastful", knobs: Vec::new() };
        attack(&attack_with, &Target::new(&model), &sample, Some(0), OPTIONS).unwrap().outcome
    };
    assert_eq!(claimed(3, "movie"), Outcome::Succeeded, "a claim that is true");
    assert_eq!(claimed(3, "fine"), Outcome::Failed, "the model does not turn");
    assert_eq!(claimed(0, "movie"), Outcome::Failed, "a stop word");
}
