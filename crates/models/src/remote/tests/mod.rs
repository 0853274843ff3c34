//! Endpoints and programs that misbehave, on this machine.

mod programs;
mod server;

use std::time::{Duration, Instant};

use fissure_tasks::read_class;
use serde_json::{Map, Value};

use self::server::{Act, Server};
use super::*;
use crate::{Input, Model};

pub fn sa() -> &'static Task {
    fissure_tasks::find("sa").unwrap()
}

pub fn question(text: &str) -> Question {
    Question { task: "sa".into(), fields: vec![("text".into(), text.into())], more: Map::new() }
}

fn quick() -> RemoteOptions {
    RemoteOptions { pause: Duration::from_millis(5), timeout: Duration::from_secs(20), ..RemoteOptions::default() }
}

/// The labels that the endpoint gives to texts; a reason is shown with `!`.
fn labels(server: &Server, options: &RemoteOptions, texts: &[&str]) -> Result<Vec<String>> {
    let channel = connect(&server.address, sa(), options)?;
    let questions: Vec<Question> = texts.iter().map(|text| question(text)).collect();
    let known = ["neg", "pos"].map(str::to_owned);
    let shown = |reply: Reply| match reply.and_then(|answer| read_class(&answer, &known)) {
        Ok(class) => known[class.predicted].clone(),
        Err(why) => format!("! {why}"),
    };
    Ok(channel.ask(&questions)?.into_iter().map(shown).collect())
}

fn say(status: u16, headers: &'static str, body: &str) -> Act {
    Act::Say { status, headers, body: body.into() }
}

#[test]
fn an_endpoint_that_stumbles_is_asked_again() {
    let acts =
        [say(500, "", "oops"), Act::HangUp, say(503, "", "loading"), say(429, "Retry-After: 0\r\n", "slow down")];
    let server = Server::new(&acts);
    assert_eq!(labels(&server, &quick(), &["good", "bad"]).unwrap(), ["pos", "neg"]);
    assert_eq!((server.left(), server.requests().len()), (0, 5));
}

#[test]
fn retry_after_is_honoured() {
    let server = Server::new(&[say(429, "Retry-After: 1\r\n", "slow down")]);
    let start = Instant::now();
    assert_eq!(labels(&server, &quick(), &["good"]).unwrap(), ["pos"]);
    assert!(start.elapsed() >= Duration::from_secs(1));
}

#[test]
fn patience_ends_with_the_reason() {
    let server = Server::new(&vec![say(503, "", "down for the night"); 9]);
    let error = labels(&server, &RemoteOptions { retries: 2, ..quick() }, &["good"]).unwrap_err().to_string();
    assert!(error.contains("no answer in 3 tries") && error.contains("down for the night"), "{error}");
    let server = Server::new(&[say(401, "", "who are you?")]);
    let error = labels(&server, &quick(), &["good"]).unwrap_err().to_string();
    assert!(error.contains("401") && error.contains("no key was sent"), "{error}");
}

#[test]
fn a_slow_endpoint_is_given_up_and_asked_again() {
    let server = Server::new(&[Act::Sleep(Duration::from_secs(30))]);
    let options = RemoteOptions { timeout: Duration::from_millis(300), ..quick() };
    assert_eq!(labels(&server, &options, &["good"]).unwrap(), ["pos"]);
    let server = Server::new(&[Act::Sleep(Duration::from_secs(30))]);
    let options = RemoteOptions { timeout: Duration::from_secs(1), retries: 0, ..quick() };
    let error = labels(&server, &options, &["good"]).unwrap_err().to_string();
    assert!(error.contains("no reply within 1 second; `--timeout`"), "{error}");
}

#[test]
fn only_the_question_at_fault_goes_without_an_answer() {
    // Three questions at once get nonsense; then each is asked by itself, and the second gets nonsense again.
    for nonsense in ["<html>garbage", "{\"answers\": [{\"label\": \"pos\"}, {\"label\": \"pos\"}]}", "{\"odd\": 1}"] {
        let server = Server::new(&[say(200, "", nonsense), Act::Answer, say(200, "", nonsense)]);
        let found = labels(&server, &quick(), &["good", "good grief", "bad"]).unwrap();
        assert_eq!((&*found[0], &*found[2]), ("pos", "neg"), "{nonsense}");
        assert!(found[1].starts_with("! "), "{found:?}");
    }
    let server = Server::new(&[say(413, "", "too long"), say(413, "", "too long")]);
    let found = labels(&server, &quick(), &["good", "bad"]).unwrap();
    assert!(found[0].contains("too long") && found[1] == "neg", "{found:?}");
}

#[test]
fn an_endpoint_that_never_makes_sense_is_gone() {
    let server = Server::new(&vec![say(200, "", "nonsense"); 200]);
    let error = labels(&server, &quick(), &["good"; 80]).unwrap_err().to_string();
    assert!(error.contains("50 questions in a row"), "{error}");
}

#[test]
fn batches_and_concurrency_change_no_answer() {
    let texts: Vec<String> =
        (0..97).map(|at| if at % 3 == 0 { format!("good {at}") } else { format!("bad {at}") }).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let server = Server::new(&[]);
    let ask = |batch, concurrency| {
        labels(&server, &RemoteOptions { batch: Some(batch), concurrency, ..quick() }, &texts).unwrap()
    };
    let expected = ask(97, 1);
    assert_eq!(expected.iter().filter(|label| *label == "pos").count(), 33);
    assert_eq!(ask(1, 8), expected);
    assert_eq!(ask(10, 3), expected);
}

#[test]
fn a_rate_spaces_requests() {
    let server = Server::new(&[]);
    let start = Instant::now();
    labels(&server, &RemoteOptions { batch: Some(1), concurrency: 4, rate: Some(20.0), ..quick() }, &["good"; 9])
        .unwrap();
    // Nine requests have eight gaps of 1/20 second.
    assert!(start.elapsed() >= Duration::from_millis(400));
}

#[test]
fn a_classifier_elsewhere_is_a_model() {
    let server = Server::new(&[]);
    let model = RemoteModel::open(&server.address, sa(), &quick()).unwrap();
    assert_eq!(model.capabilities().labels, ["neg", "pos"], "from the scores of a trial question");
    assert!(model.capabilities().probabilities && !model.capabilities().gradients);
    let answers = model.answer(&[Input::from("so good"), Input::from("awful")]).unwrap();
    assert_eq!(answers.iter().map(|answer| answer.predicted).collect::<Vec<_>>(), [1, 0]);
    assert!((answers[0].log_probs.as_ref().unwrap()[1] - 0.75f32.ln()).abs() < 1e-6);
}

#[test]
fn addresses_that_cannot_be() {
    let error =
        |address: &str| connect(address, sa(), &RemoteOptions { retries: 0, ..quick() }).unwrap_err().to_string();
    assert!(error("ftp://somewhere").contains("not an address"));
    assert!(error("http://localhost/v1/chat/completions").contains("--labels"));
    let nobody = connect("http://127.0.0.1:1/ask", sa(), &RemoteOptions { retries: 1, ..quick() }).unwrap();
    assert!(nobody.ask(&[question("x")]).unwrap_err().to_string().contains("no answer in 2 tries"));
}

#[test]
fn keys_in_an_address_are_not_shown() {
    assert_eq!(public("https://host/v1/ask?key=secret&x=1"), "https://host/v1/ask?...");
    assert_eq!(public("http://me:secret@host:80/a@b?k=?"), "http://...@host:80/a@b?...");
    assert_eq!(public("http://host/a@b"), "http://host/a@b");
    for whole in ["https://host/v1/ask?key=secret", "http://me:secret@host/"] {
        assert!(is_shortened(&public(whole)) && !is_shortened(whole), "{whole}");
    }
    for same in ["process:ask --url http://me@host/?x", "models/cnn?", "hf:owner/name", "http://host/a@b"] {
        assert_eq!(public(same), same);
        assert!(!is_shortened(same), "{same}");
    }
    let refused = connect("http://127.0.0.1:1/?key=secret", sa(), &RemoteOptions { retries: 0, ..quick() }).unwrap();
    let refused = refused.ask(&[question("x")]).unwrap_err().to_string();
    assert!(refused.contains("nothing listens there") && !refused.contains("secret"), "{refused}");
}

#[test]
fn a_key_that_an_endpoint_repeats_is_struck_out() {
    let options = RemoteOptions { token: Some("tok-12345".into()), retries: 0, ..quick() };
    let far = "x".repeat(194);
    for status in [200, 400, 401, 404, 503] {
        for said in [
            "bad key Bearer tok-12345",
            // The beginning that is shown would end within the key.
            &format!("{far} tok-12345"),
            r#"{"answers": [{"error": "no tok-12345, no q-secret, no key=q-secret"}]}"#,
            r#"{"answers": [{"label": "tok-1234\u0035"}]}"#,
            r#"{"answers": [{"scores": {"tok-12345": [1]}}]}"#,
        ] {
            let mut server = Server::new(&vec![say(status, "", said); 9]);
            server.address.push_str("?key=q-secret");
            let shown = match labels(&server, &options, &["good"]) {
                Ok(labels) => labels.concat(),
                Err(why) => why.to_string(),
            };
            assert!(!shown.contains("tok-1") && !shown.contains("q-secret"), "{status} {said}: {shown}");
        }
    }
}

#[test]
fn reasons_are_short_and_long_replies_are_refused() {
    let long = "x".repeat(200_000);
    let error = Value::from_iter([("error", long.as_str())]);
    let answers = Value::from_iter([("answers", Value::from(vec![error]))]);
    let server = Server::new(&[say(200, "", &answers.to_string())]);
    let found = labels(&server, &quick(), &["good"]).unwrap();
    assert!(found[0].len() < 300, "{} letters", found[0].len());
    let server = Server::new(&vec![say(200, "", &"[".repeat(9 << 20)); 2]);
    let found = labels(&server, &quick(), &["good"]).unwrap();
    assert!(found[0].contains("longer than 8 MB"), "{found:?}");
}

#[test]
fn a_long_pause_is_announced_and_has_a_limit() {
    static SAID: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let server = Server::new(&[say(429, "Retry-After: 999999999\r\n", "slow down")]);
    let address = server.address;
    // The test does not wait for the end of the pause; the thread ends with the test program.
    std::thread::spawn(move || {
        let say: fn(&str) = |line| SAID.lock().expect("no panic with it").push(line.to_owned());
        let options = RemoteOptions { say: Some(say), ..quick() };
        connect(&address, sa(), &options).expect("an endpoint").ask(&[question("good")])
    });
    let said = (0..2000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        SAID.lock().expect("no panic with it").first().cloned()
    });
    let said = said.expect("a line");
    assert!(said.contains("429: slow down; waiting 300 s (it asks for 999999999 s) before the next try"), "{said}");
}

#[test]
fn the_question_carries_fields_and_more() {
    let more = Map::from_iter([("tokens".to_owned(), Value::from(vec!["a", "b"]))]);
    let question = Question { more, ..question("a b") };
    assert_eq!(question.to_json().to_string(), r#"{"task":"sa","fields":{"text":"a b"},"tokens":["a","b"]}"#);
}

#[test]
fn a_redirect_is_refused_and_named() {
    for status in [301, 302, 303, 307, 308] {
        let server = Server::new(&[say(status, "Location: http://127.0.0.1:9/other?key=1\r\n", "")]);
        let why = labels(&server, &quick(), &["good"]).unwrap_err().to_string();
        assert!(why.contains("redirects to http://127.0.0.1:9/other") && !why.contains("key=1"), "{why}");
        assert_eq!(server.requests().len(), 1, "nothing is asked twice");
    }
}
