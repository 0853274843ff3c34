//! What the pages say, without a browser.

use fissure_attacks::{Outcome, Record};
use fissure_core::Sample;
use fissure_data::{Columns, ReadOptions, Samples};
use fissure_explorer::{Session, Setup, Shelf};
use serde_json::{Value, json};

use crate::served::{Served, reviews, two_models_and_pairs};

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
    assert!(none.contains("No example matches"));
    let sorted = served.get("/list?sort=lambda&order=falling").body;
    assert!(sorted.contains("aria-sort=\"descending\""));
}

#[test]
fn the_overview_says_what_an_attack_broke() {
    let mut setup = reviews(10, 40, 1);
    let record = |at: usize| Record {
        outcome: [Outcome::Succeeded, Outcome::Failed, Outcome::Skipped][at % 3],
        ..Record::skipped(&setup.samples[at], "")
    };
    let records = (0..10).map(|at| (setup.samples[at].id.clone(), record(at))).collect();
    assert!(!Served::new(reviews(10, 40, 1)).get("/").body.contains("Broken by the attack"), "none was given");
    setup.attacks = Some(("pwws".into(), records));
    let page = Served::new(setup).get("/").body;
    assert!(page.contains("<a href=\"/list?view=broken\">4</a>"), "{page}");
    assert!(page.contains("of 7 attacked examples, by pwws"), "{page}");
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
        let options = ReadOptions::new(fissure_tasks::find("sa").unwrap());
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

/// Stopped in the middle of the weighing, which is one long piece of work, and taken up again.
#[test]
fn even_the_weighing_of_words_stops() {
    let served = Served::new(reviews(400, 40, 1));
    let report = || {
        // Not so fast that the guard takes it for a flood.
        std::thread::sleep(std::time::Duration::from_millis(5));
        serde_json::from_str::<Value>(&served.get("/progress").body).unwrap()
    };
    let mut last = report();
    while last["phase"] != "weighing words" {
        assert_ne!(last["finished"], true, "it was over before it was seen");
        last = report();
    }
    served.ask("POST", "/stop", "");
    while last["running"] == true {
        last = report();
    }
    assert_eq!(last["finished"], false, "{last}");
    assert_eq!(last["done"], 700, "the examples and the search are done, the words are not: {last}");
    assert!(served.get("/").body.contains("They are measured last"));
    served.ask("POST", "/go", "");
    served.finished();
    assert!(served.get("/").body.contains("Pulls toward"));
}

/// What is kept on a shelf is there the next time, and is what every command reads.
#[test]
fn a_basket_outlives_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["basket.jsonl", "basket.csv"] {
        let shelf = || {
            let file = folder.path().join(name);
            Some(Shelf { file, columns: Columns::default() })
        };
        let first = Served::new(Setup { shelf: shelf(), ..reviews(10, 40, 1) });
        let keep = json!({ "example": 3, "steps": [{ "text": "A dull, \"dull\"\nfilm." }], "label": "negative" });
        assert_eq!(first.ask("POST", "/basket/keep", &keep.to_string()).status, 200);
        assert_eq!(first.ask("POST", "/basket/keep", &json!({ "example": 4 }).to_string()).status, 200);
        assert_eq!(first.ask("POST", "/basket/keep", &json!({ "example": 5 }).to_string()).status, 200);
        assert_eq!(first.ask("POST", "/basket/remove", "number=3").status, 303);
        assert!(first.get("/basket").body.contains(name), "the page says where");
        assert!(!first.get("/basket").body.contains(&*folder.path().to_string_lossy()), "but not the path to it");
        let (lines, table) = (first.get("/basket.jsonl").body, first.get("/basket.csv").body);
        drop(first);
        let again = Served::new(Setup { shelf: shelf(), ..reviews(10, 40, 1) });
        assert_eq!(again.get("/basket.jsonl").body, lines, "{name}");
        assert_eq!(again.get("/basket.csv").body, table, "{name}");
        let page = again.get("/basket").body;
        assert!(page.contains("made by hand") && page.contains("href=\"/example/3\""), "{page}");
        let next = again.ask("POST", "/basket/keep", &json!({ "example": 6 }).to_string());
        assert!(next.body.contains("\"number\":3"), "{}", next.body);
    }
    let wrong = folder.path().join("wrong.jsonl");
    std::fs::write(&wrong, "{\"text\":\"a film\",\"label\":\"positive\"}\n").unwrap();
    let shelf = Some(Shelf { file: wrong.clone(), columns: Columns::default() });
    let refused = Session::new(Setup { shelf, ..reviews(4, 40, 1) }).unwrap_err();
    assert!(refused.to_string().contains("row 1") && refused.to_string().contains("--basket"), "{refused}");
    assert!(std::fs::read_to_string(&wrong).unwrap().contains("a film"), "what is not ours stays");
}

#[test]
fn one_model_is_compared_with_none() {
    let served = Served::new(reviews(8, 40, 1));
    served.finished();
    let models = served.get("/models");
    assert_eq!(models.status, 200);
    assert!(models.body.contains("There is one model"), "{}", models.body);
}

#[test]
fn several_models_and_pairs_stand_side_by_side() {
    let served = Served::new(two_models_and_pairs(30));
    served.finished();
    let pairs = served.get("/pairs").body;
    assert!(pairs.contains("<dt>Pairs</dt><dd>30</dd>"), "{pairs}");
    let models = served.get("/models").body;
    assert!(models.contains("Kendall") && models.contains("another CNN"));
    assert!(models.contains("Fragility for a small CNN and another CNN"));
    assert!(pairs.contains("<ins>Not so:</ins>"), "what was revised is marked");
    let example = served.get("/example/0").body;
    assert_eq!(example.matches("class=\"subject card\"").count(), 2);
    let seen =
        served.ask("POST", "/fragment/view", &json!({ "example": 0, "model": 1, "text": "A film." }).to_string());
    assert!(seen.body.contains("another CNN") && seen.body.contains("Flip forecast"), "{}", seen.body);
    assert_eq!(
        served.ask("POST", "/fragment/view", &json!({ "example": 0, "model": 2, "text": "" }).to_string()).status,
        404
    );
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
    for (at, text) in texts.iter().enumerate() {
        let page = served.get(&format!("/example/{at}"));
        assert_eq!(page.status, 200, "{at}: {}", page.body);
        let body = json!({ "example": at, "text": text }).to_string();
        for path in ["/fragment/answer", "/fragment/view"] {
            let seen = served.ask("POST", path, &body);
            assert_eq!(seen.status, 200, "{path} {at}: {}", seen.body);
        }
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

#[test]
fn the_page_says_which_changes_threaten_an_answer() {
    let served = Served::new(reviews(60, 300, 3));
    assert!(served.get("/example/0").body.contains("Which changes threaten it"));
    let ask = |example: usize, text: &str| {
        served.ask("POST", "/fragment/threats", &json!({ "example": example, "model": 0, "text": text }).to_string())
    };
    // A text whose answer is in doubt, and one whose answer is not.
    let forecast = ask(0, "The film is good and bad, weak and fine, and I could not decide.");
    assert_eq!(forecast.status, 200, "{}", forecast.body);
    assert!(forecast.body.contains("flips with") && forecast.body.contains("data-with="), "{}", forecast.body);
    let again = ask(0, "The film is good and bad, weak and fine, and I could not decide.");
    assert_eq!(forecast.body, again.body, "what was learned before gives the same forecast");
    assert_eq!(ask(999, "a").status, 404);
    assert_eq!(ask(0, "").status, 200);
}

#[test]
fn an_attack_is_shown_step_by_step_and_can_be_replayed() {
    let served = Served::new(reviews(40, 300, 3));
    let page = served.get("/example/0").body;
    assert!(page.contains("Attack this example") && page.contains("data-choice=\"recipe\""));
    let ask = |example: usize, recipe: &str| {
        served.ask("POST", "/fragment/attack", &json!({ "example": example, "model": 0, "recipe": recipe }).to_string())
    };
    let mut broken = 0;
    for example in 0..12 {
        let reply = ask(example, "jump");
        assert_eq!(reply.status, 200, "{}", reply.body);
        let ends = ["Broken:", "It withstood", "Not attacked:"];
        assert!(ends.iter().any(|end| reply.body.contains(end)), "{}", reply.body);
        if reply.body.contains("Broken:") {
            broken += 1;
            assert!(reply.body.contains("data-replay=") && reply.body.contains("Replay on the bench"));
        }
    }
    assert!(broken > 0, "none of twelve broke");
    let proved = ask(0, "bound").body;
    assert!(
        ["Broken:", "Certified:", "It withstood", "Not attacked:"].iter().any(|end| proved.contains(end)),
        "{proved}"
    );
    assert_eq!(ask(0, "rm -rf").status, 400);
    assert_eq!(ask(999, "jump").status, 404);
}
