//! What the pages say, without a browser.

use fissure_core::Sample;
use fissure_data::pairs::two_files;
use fissure_data::{ReadOptions, Samples};
use fissure_explorer::{Setup, Subject};
use serde_json::{Value, json};

use crate::served::{Served, class, network, reviews};

fn numbers(page: &str) -> Vec<usize> {
    page.split("href=\"/example/").skip(1).filter_map(|rest| rest.split(['?', '"']).next()?.parse().ok()).collect()
}

#[test]
fn lists_are_searched_sorted_and_cut_into_pages() {
    let served = Served::new(reviews(120, 300, 2));
    served.finished();
    let first = numbers(&served.get("/list").body);
    let second = numbers(&served.get("/list?page=1").body);
    assert_eq!((first.len(), second.len()), (50, 50));
    assert!(first.iter().all(|number| !second.contains(number)));
    let robust = numbers(&served.get("/list?view=robust").body);
    let last = numbers(&served.get("/list?page=2").body);
    assert_eq!(robust[0], last[last.len() - 1], "the most robust is the least fragile");
    let wrong = served.get("/list?view=wrong").body;
    assert!(!wrong.contains("✓ right"));
    let found = served.get("/list?view=file&q=MATINEE").body;
    let wanted = reviews(120, 40, 1).samples.iter().filter(|sample| sample.fields[0].text.contains("matinee")).count();
    assert!(found.contains(&format!("<b>{wanted}</b>")), "the search finds {wanted} without regard to case");
    let none = served.get("/list?lambda_from=1e9").body;
    assert!(none.contains("No example is like this"));
    let sorted = served.get("/list?sort=lambda&order=falling").body;
    assert!(sorted.contains("aria-sort=\"descending\""));
}

#[test]
fn kept_examples_come_home_with_their_story() {
    let served = Served::new(reviews(10, 300, 2));
    let original = reviews(10, 40, 1).samples[3].clone();
    let text = original.fields[0].text.to_string();
    let made = text.replacen(' ', " really ", 1);
    let steps = json!([{ "text": text.replacen(' ', " truly ", 1) }, { "text": made }]);
    let keep = |body: Value| served.ask("POST", "/basket/keep", &body.to_string());
    assert_eq!(keep(json!({ "example": 3, "steps": steps, "label": "negative" })).status, 200);
    assert_eq!(keep(json!({ "example": 4 })).status, 200);
    assert_eq!(keep(json!({ "example": 99 })).status, 404);

    for path in ["/basket.jsonl", "/basket.csv"] {
        let reply = served.get(path);
        assert!(reply.header("content-disposition").unwrap().starts_with("attachment"));
        let options = ReadOptions::new(fissure_data::layouts::find("sa").unwrap());
        let name = path.trim_start_matches('/');
        let read: Vec<Sample> =
            Samples::of_bytes(name, std::io::Cursor::new(reply.body.into_bytes()), options).unwrap().batch(10).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].fields[0].text.as_str(), made);
        assert_eq!(read[0].label.as_ref().unwrap().to_string(), "negative");
        assert_eq!(read[1].id, "test-4", "an untouched example keeps its name");
        let story = &read[0].extra.iter().find(|(name, _)| &**name == "fissure").unwrap().1;
        let story: Value =
            if story.is_string() { serde_json::from_str(story.as_str().unwrap()).unwrap() } else { story.clone() };
        assert_eq!(story["from"], "test-3");
        assert_eq!(story["label_from"], "person");
        let edits = story["edits"].as_array().unwrap();
        assert_eq!(edits.len(), 1, "two steps at one place are one edit of the original: {edits:?}");
        assert_eq!(edits[0]["old"], "");
    }
    assert_eq!(served.ask("POST", "/basket/remove", "number=1").status, 303);
    assert_eq!(served.get("/basket.jsonl").body.lines().count(), 1);
}

#[test]
fn the_work_stops_and_goes_on() {
    let served = Served::new(reviews(400, 40, 1));
    let stopped: Value = serde_json::from_str(&served.ask("POST", "/stop", "").body).unwrap();
    assert_eq!(stopped["finished"], false);
    while serde_json::from_str::<Value>(&served.get("/progress").body).unwrap()["running"] == true {}
    let before: Value = serde_json::from_str(&served.get("/progress").body).unwrap();
    assert!(before["done"].as_u64() < before["total"].as_u64(), "{before}");
    served.ask("POST", "/go", "");
    served.finished();
    assert!(!served.get("/list?view=file").body.contains("not scored yet"));
}

#[test]
fn several_models_and_pairs_stand_side_by_side() {
    let base = reviews(30, 300, 2);
    let revised: Vec<Sample> = base
        .samples
        .iter()
        .map(|sample| Sample {
            label: None,
            ..Sample::of_text(sample.id.clone(), format!("Not so: {}", sample.fields[0].text.as_str()))
        })
        .collect();
    let paired = two_files(base.samples.clone(), revised);
    let gold: Vec<Option<usize>> =
        paired.samples.iter().map(|sample| sample.label.is_some().then(|| class(sample))).collect();
    let other =
        Subject { name: "another CNN".into(), model: network(["negative", "positive"], 200, 1), gold: gold.clone() };
    let mut subjects = base.subjects;
    subjects[0].gold = gold;
    subjects.push(other);
    let served = Served::new(Setup { samples: paired.samples, pairs: paired.pairs, subjects, ..reviews(1, 40, 1) });
    served.finished();
    let pairs = served.get("/pairs").body;
    assert!(pairs.contains("<dt>Pairs</dt><dd>30</dd>"), "{pairs}");
    let models = served.get("/models").body;
    assert!(models.contains("Kendall") && models.contains("another CNN"));
    let example = served.get("/example/0").body;
    assert_eq!(example.matches("class=\"subject card\"").count(), 2);
    assert!(example.contains("Its revision"));
}

#[test]
fn texts_of_every_kind_can_be_looked_at() {
    let texts = ["", " ", "👨‍👩‍👧‍👦", "שלום עולם", "a\r\nb\u{0}c", "\n\nleading", &"word ".repeat(3000), &"x".repeat(60_000)];
    let mut setup = reviews(texts.len(), 40, 1);
    setup.samples = texts.iter().enumerate().map(|(at, text)| Sample::of_text(at.to_string(), *text)).collect();
    setup.subjects[0].gold = vec![None; texts.len()];
    setup.training = None;
    let served = Served::new(setup);
    served.finished();
    for at in 0..texts.len() {
        let page = served.get(&format!("/example/{at}"));
        assert_eq!(page.status, 200, "{at}: {}", page.body);
    }
    let odd = [
        json!({ "text": "é", "start": 1, "end": 2 }),
        json!({ "text": "a", "start": 5, "end": 9 }),
        json!({ "text": "a", "start": 1, "end": 0 }),
    ];
    for body in odd {
        assert_eq!(served.ask("POST", "/fragment/word", &body.to_string()).status, 400, "{body}");
    }
    assert!(served.get("/").body.contains("Not measured: no example has a label"));
}
