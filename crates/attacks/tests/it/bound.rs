//! Certificates against the plain truth: every combination of candidates of small texts, asked one by one.

use std::sync::Arc;

use fissure_ask::{LocalClassifier, Respondent as _};
use fissure_attacks::{Attack, AttackResources, Given, Options, Outcome, Recipe, Record, Target, attack};
use fissure_core::{Dice, Sample};
use fissure_models::Input;

use crate::tiny::{BiLstm, Cnn};

const OPTIONS: Options = Options { seed: 1, budget: usize::MAX, target: None, max_words: Options::MAX_WORDS };
const WORDS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn numbers(dice: &mut Dice, count: usize, scale: f64) -> Vec<f32> {
    (0..count).map(|_| ((dice.unit() - 0.5) * 2.0 * scale) as f32).collect()
}

/// A cnn of random weights, with windows of 2 and 3 words.
fn random_cnn(dice: &mut Dice) -> LocalClassifier {
    let (width, filters, classes) = (3, 4, 3);
    let layer =
        |dice: &mut Dice, span: usize| (span, numbers(dice, filters * width * span, 1.0), numbers(dice, filters, 0.5));
    let layers = vec![layer(dice, 2), layer(dice, 3)];
    let mut rows = numbers(dice, (2 + WORDS.len()) * width, 1.0);
    rows[..width].fill(0.0);
    let output = (numbers(dice, classes * 2 * filters, 1.0), vec![0.9, 0.0, 0.0]);
    Cnn { words: &WORDS, width, rows, layers, output }.model()
}

/// A bilstm of random weights.
fn random_bilstm(dice: &mut Dice) -> LocalClassifier {
    let (width, hidden, classes) = (3, 4, 3);
    let direction = |dice: &mut Dice| {
        [
            numbers(dice, 4 * hidden * width, 1.5),
            numbers(dice, 4 * hidden * hidden, 0.8),
            numbers(dice, 4 * hidden, 0.5),
        ]
    };
    let directions = [direction(dice), direction(dice)];
    let mut rows = numbers(dice, (2 + WORDS.len()) * width, 1.5);
    rows[..width].fill(0.0);
    let output = (numbers(dice, classes * 2 * hidden, 2.0), vec![0.3, 0.0, 0.0]);
    BiLstm { words: &WORDS, width, hidden, rows, directions, output }.model()
}

struct Case {
    text: String,
    /// The byte of each word (all are one letter), and what may stand there.
    places: Vec<(usize, Vec<&'static str>)>,
}

/// Words with spaces between, some of which have candidates: other words, two words, none, a word the model does not know.
fn random_case(dice: &mut Dice) -> Case {
    let count = 6 + dice.below(5);
    let words: Vec<&str> = (0..count).map(|_| WORDS[dice.below(6)]).collect();
    let mut places = Vec::new();
    for at in 0..count {
        let mut candidates: Vec<&'static str> = Vec::new();
        for _ in 0..dice.below(3) {
            candidates.push(match dice.below(8) {
                0 => "a-b",
                1 => "-",
                2 => "zz",
                _ => WORDS[dice.below(6)],
            });
        }
        if !candidates.is_empty() {
            places.push((2 * at, candidates));
        }
    }
    Case { text: words.join(" "), places }
}

impl Case {
    fn attack(&self, edits: usize, work: usize) -> Attack {
        let places: Vec<_> = self.places.iter().map(|(at, words)| serde_json::json!([at, at + 1, words])).collect();
        let line = serde_json::json!({ "id": "1", "places": places }).to_string();
        let recipe = format!(
            "name = 'bare'\nsummary = 'Given sets.'\nshrink = false\n[goal]\nuse = 'untargeted'\n[[constraint]]\nuse = 'repeat'\n\
             [search]\nuse = 'bound'\nedits = {edits}\nwork = {work}\n"
        );
        let given = Some(Arc::new(Given::read(line.as_bytes()).unwrap()));
        Recipe::parse(&recipe, "bare")
            .unwrap()
            .build(AttackResources { given, ..AttackResources::default() }, &[])
            .unwrap()
    }

    /// The least number of changes, at most `edits`, that turns the model away from `gold`.
    fn least(&self, model: &LocalClassifier, gold: usize, edits: usize) -> Option<usize> {
        let mut rows: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        for (_, candidates) in &self.places {
            let choices: Vec<Option<usize>> = std::iter::once(None).chain((0..candidates.len()).map(Some)).collect();
            let longer = |row: &Vec<Option<usize>>| -> Vec<Vec<Option<usize>>> {
                choices.iter().map(|choice| [row.as_slice(), &[*choice]].concat()).collect()
            };
            rows = rows.iter().flat_map(longer).filter(|row| row.iter().flatten().count() <= edits).collect();
        }
        let texts: Vec<String> = rows.iter().map(|row| self.written(row)).collect();
        let inputs: Vec<Input<'_>> = texts.iter().map(|text| Input::from(text.as_str())).collect();
        let answers = model.inside().unwrap().answer(&inputs).unwrap();
        let turned = rows.iter().zip(answers).filter(|(_, answer)| answer.predicted != gold);
        turned.map(|(row, _)| row.iter().flatten().count()).min()
    }

    fn written(&self, row: &[Option<usize>]) -> String {
        let mut text = self.text.clone();
        for ((at, candidates), choice) in self.places.iter().zip(row).rev() {
            if let Some(choice) = choice {
                text.replace_range(*at..at + 1, candidates[*choice]);
            }
        }
        text
    }

    fn run(&self, model: &LocalClassifier, gold: usize, edits: usize, work: usize) -> Record {
        let sample = Sample::of_text("1", &*self.text);
        attack(&self.attack(edits, work), &Target::new(model), &sample, Some(gold), OPTIONS).unwrap()
    }
}

#[test]
fn every_text_of_a_cnn_is_broken_with_the_least_change_or_certified() {
    every_text_is_broken_with_the_least_change_or_certified(random_cnn);
}

#[test]
fn every_text_of_a_bilstm_is_broken_with_the_least_change_or_certified() {
    every_text_is_broken_with_the_least_change_or_certified(random_bilstm);
}

fn every_text_is_broken_with_the_least_change_or_certified(model: fn(&mut Dice) -> LocalClassifier) {
    let (mut broken, mut certified) = ([0; 4], 0);
    for case in 0..150 {
        let mut dice = Dice::new(3, &["bound"]).fork(case);
        let (model, text) = (model(&mut dice), random_case(&mut dice));
        let gold = model.inside().unwrap().answer(&[Input::from(text.text.as_str())]).unwrap()[0].predicted;
        for edits in 1..=3 {
            let least = text.least(&model, gold, edits);
            let record = text.run(&model, gold, edits, 100_000);
            match (record.outcome, least) {
                (Outcome::Succeeded, Some(least)) => {
                    assert_eq!(record.changed, least, "case {case} {edits} {record:?}");
                    broken[least] += 1;
                }
                (Outcome::Failed, None) => {
                    assert_eq!(record.reason.as_deref(), Some("certified"), "case {case} {edits}");
                    let proved = record.certificate.unwrap();
                    assert!(proved.edits <= edits && proved.places <= text.places.len(), "{proved:?}");
                    certified += 1;
                }
                (outcome, least) => panic!("case {case}: {outcome:?}, but the least of {edits} is {least:?}"),
            }
        }
    }
    assert!(
        broken[1] > 10 && broken[2] > 10 && broken[3] > 3 && certified > 30,
        "{broken:?} broken, {certified} certified"
    );
}

#[test]
fn little_work_leaves_texts_of_a_cnn_open_and_proves_nothing_wrong() {
    little_work_leaves_texts_open_and_proves_nothing_wrong(random_cnn);
}

#[test]
fn little_work_leaves_texts_of_a_bilstm_open_and_proves_nothing_wrong() {
    little_work_leaves_texts_open_and_proves_nothing_wrong(random_bilstm);
}

fn little_work_leaves_texts_open_and_proves_nothing_wrong(model: fn(&mut Dice) -> LocalClassifier) {
    let mut open = 0;
    for case in 0..60 {
        let mut dice = Dice::new(4, &["bound"]).fork(case);
        let (model, text) = (model(&mut dice), random_case(&mut dice));
        let gold = model.inside().unwrap().answer(&[Input::from(text.text.as_str())]).unwrap()[0].predicted;
        let record = text.run(&model, gold, 3, 3);
        let least = text.least(&model, gold, 3);
        match record.reason.as_deref() {
            Some("certified") => assert_eq!(least, None, "case {case}"),
            Some("too many combinations to look at") => open += 1,
            Some(other) => panic!("{other}"),
            None => assert!(record.outcome == Outcome::Succeeded && Some(record.changed) == least),
        }
    }
    assert!(open > 5, "{open}");
}

#[test]
fn attacks_in_lockstep_find_what_each_finds_alone() {
    let mut dice = Dice::new(5, &["bound"]);
    let model = random_bilstm(&mut dice);
    let target = Target::new(&model);
    let samples: Vec<Sample> = (0..40).map(|at| Sample::of_text(at.to_string(), random_case(&mut dice).text)).collect();
    let near = r#"{"a": ["b", "c"], "b": ["a", "d"], "c": ["e", "f"], "d": ["f"], "e": ["a"], "f": ["b", "zz"]}"#;
    let synonyms = Some(Arc::new(fissure_attacks::Synonyms::read(near.as_bytes()).unwrap()));
    let recipe = "name = 'own'\nsummary = 'Near words.'\n[goal]\nuse = 'untargeted'\n[[source]]\nuse = 'neighbours'\n\
                  [search]\nuse = 'beam'\nwidth = 2\n";
    let resources = AttackResources { synonyms, gradients: true, ..AttackResources::default() };
    let attack_with = Recipe::parse(recipe, "own").unwrap().build(resources, &[]).unwrap();
    let gold: Vec<Option<usize>> = samples
        .iter()
        .map(|sample| {
            Some(model.inside().unwrap().answer(&[Input::from(&*sample.fields[0].text)]).unwrap()[0].predicted)
        })
        .collect();
    let together = fissure_attacks::attack_all(&attack_with, &target, &samples, &gold, OPTIONS).unwrap();
    assert!(together.iter().any(|record| record.outcome == Outcome::Succeeded));
    assert!(together.iter().any(|record| record.counts.questions > 5));
    for ((sample, gold), record) in samples.iter().zip(&gold).zip(&together) {
        assert_eq!(*record, attack(&attack_with, &target, sample, *gold, OPTIONS).unwrap());
    }
}

#[test]
fn other_models_are_asked_about_every_text() {
    let model = crate::tiny::critic();
    for (places, edits, expected) in [
        // good 4 for class 0; film 0.5 for class 1.
        (vec![(0, vec!["fine"]), (2, vec!["movie"])], 1, None),
        (vec![(0, vec!["decent"]), (2, vec!["movie"])], 2, Some(2)),
    ] {
        let case = Case { text: "g f x x x".into(), places };
        let words = [("g", "good"), ("f", "film")];
        let text = words.iter().fold(case.text.clone(), |text, (short, long)| text.replace(short, long));
        let spans = [(0, 4), (5, 9)];
        let places: Vec<_> = case
            .places
            .iter()
            .zip(spans)
            .map(|((_, candidates), (start, end))| serde_json::json!([start, end, candidates]))
            .collect();
        let line = serde_json::json!({ "id": "1", "places": places }).to_string();
        let mut attack_with = case.attack(edits, 100);
        attack_with.resources.given = Some(Arc::new(Given::read(line.as_bytes()).unwrap()));
        let sample = Sample::of_text("1", text);
        let record = attack(&attack_with, &Target::new(&model), &sample, Some(0), OPTIONS).unwrap();
        match expected {
            None => assert_eq!(record.reason.as_deref(), Some("certified"), "{record:?}"),
            Some(changed) => assert_eq!((record.outcome, record.changed), (Outcome::Succeeded, changed), "{record:?}"),
        }
    }
}
