//! Remote models through real programs: the examples that we ship, and one for every task.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use fissure_ask::RemoteRespondent;
use fissure_core::Sample;
use fissure_data::Row;
use fissure_evaluate::{Respondent, Response};
use fissure_models::remote::RemoteOptions;
use serde_json::{Value, json};
use tempfile::TempDir;

fn python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("SKIPPED: there is no python3 on this machine");
    }
    found
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn sample(task: &str, row: &Value) -> Sample {
    let columns = row.as_object().unwrap().iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone()));
    fissure_tasks::find(task).unwrap().sample(Row(columns.collect())).unwrap()
}

fn check_example(address: &str) {
    let model = RemoteRespondent::open(address, fissure_tasks::find("sa").unwrap(), &RemoteOptions::default()).unwrap();
    assert_eq!(model.about().labels, ["neg", "pos"]);
    assert!(model.about().probabilities && model.about().checksum.is_none());
    let samples = [Sample::of_text("1", "Good, good film"), Sample::of_text("2", "a bad , bad one\nreally")];
    let responses = model.respond(&[&samples[0], &samples[1]]).unwrap();
    let label = |response: &Result<Response, String>| match response {
        Ok(Response::Class { label, log_probs: Some(log_probs), .. }) => {
            assert!((log_probs.iter().map(|log| log.exp()).sum::<f32>() - 1.0).abs() < 1e-5);
            label.clone()
        }
        other => format!("{other:?}"),
    };
    assert_eq!(responses.iter().map(label).collect::<Vec<_>>(), ["pos", "neg"]);
}

#[test]
fn the_program_that_we_ship_answers() {
    if python() {
        check_example(&format!("process:python3 '{}'", example("process_model.py").display()));
    }
}

struct Kill(Child);

impl Drop for Kill {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_endpoint_that_we_ship_answers() {
    if !python() {
        return;
    }
    let command =
        Command::new("python3").arg(example("http_model.py")).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut server = Kill(command.unwrap());
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
    check_example(address.trim());
}

/// Answers every task in some fixed way that shows that the question arrived whole.
const MODEL: &str = r#"
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    if "hello" in q:
        print(json.dumps({"name": "all tasks"}), flush=True)
        continue
    text = q["fields"].get("text", "")
    tokens = q.get("tokens", [])
    a = {
        "ner": lambda: {"tags": ["B-PER" if t[0].isupper() else "O" for t in tokens]},
        "pos": lambda: {"tags": [len(t) for t in tokens]},
        "cws": lambda: {"tags": ["S" for _ in text]},
        "dp": lambda: {"heads": [0] + [1] * (len(tokens) - 1), "deprels": ["root"] + ["dep"] * (len(tokens) - 1)},
        "mrc": lambda: {"answer": q["fields"]["context"].split()[-1] if "?" in q["fields"]["question"] else None},
        "coref": lambda: {"clusters": [[[i, i] for i, t in enumerate(tokens) if t in ("Ann", "her")]]},
        "absa": lambda: {"tags": [text[a["from"]:a["to"]] + "=" + a["term"] for a in q["aspects"]]},
        "re": lambda: {"label": "_".join(tokens[q[end][0]] for end in ("subject", "object"))},
    }[q["task"]]()
    print(json.dumps({**a, "id": q["id"]}), flush=True)
"#;

#[test]
fn every_task_is_asked_and_understood() {
    if !python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("model.py");
    fs::write(&path, MODEL).unwrap();
    let address = format!("process:python3 '{}'", path.display());
    let tags = |tags: &[&str]| Response::Tags(tags.iter().map(|tag| (*tag).to_owned()).collect());
    let cases = [
        ("ner", json!({"tokens": ["Ann", "ran"], "ner_tags": ["B-PER", "O"]}), tags(&["B-PER", "O"])),
        ("pos", json!({"tokens": ["Ann", "walks"], "upos": ["PROPN", "VERB"]}), tags(&["3", "5"])),
        ("cws", json!({"x": "我 喜欢", "y": []}), tags(&["S", "S", "S"])),
        (
            "dp",
            json!({"tokens": ["Go", "home"], "head": [0, 1], "deprel": ["root", "advmod"]}),
            Response::Tree(vec![(0, "root".into()), (1, "dep".into())]),
        ),
        (
            "mrc",
            json!({"context": "It is in Paris", "question": "Where?", "answers": []}),
            Response::Answer(Some("Paris".into())),
        ),
        ("mrc", json!({"context": "It is in Paris", "question": "Say", "answers": []}), Response::Answer(None)),
        (
            "coref",
            json!({"sentences": [["Ann", "saw"], ["her", "dog"]], "clusters": []}),
            Response::Clusters(vec![vec![(0, 0), (2, 2)]]),
        ),
        (
            "absa",
            json!({"sentence": "Été: nice food", "term_list": [{"term": "food", "from": 10, "to": 14, "polarity": "positive"}]}),
            tags(&["food=food"]),
        ),
    ];
    for (task, row, expected) in cases {
        let model =
            RemoteRespondent::open(&address, fissure_tasks::find(task).unwrap(), &RemoteOptions::default()).unwrap();
        assert_eq!(model.respond(&[&sample(task, &row)]).unwrap(), [Ok(expected)], "{task}");
    }
    let options = RemoteOptions { labels: vec!["Ann_Acme".into(), "none".into()], ..RemoteOptions::default() };
    let model = RemoteRespondent::open(&address, fissure_tasks::find("re").unwrap(), &options);
    // The trial question has no subject: a program may stumble over it, and must not be given up for that.
    let row = json!({"tokens": ["Ann", "runs", "Acme"], "subj": [0, 0], "obj": [2, 2], "relation": "x"});
    let expected = Response::class("Ann_Acme");
    assert_eq!(model.unwrap().respond(&[&sample("re", &row)]).unwrap(), [Ok(expected)]);
}

#[test]
fn an_answer_of_the_wrong_length_is_told() {
    if !python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("model.py");
    fs::write(&path, "import sys\nfor line in sys.stdin:\n    print('{\"tags\": [\"O\"]}', flush=True)\n").unwrap();
    let address = format!("process:python3 '{}'", path.display());
    let model =
        RemoteRespondent::open(&address, fissure_tasks::find("ner").unwrap(), &RemoteOptions::default()).unwrap();
    let sample = sample("ner", &json!({"tokens": ["Ann", "ran"], "ner_tags": ["B-PER", "O"]}));
    assert_eq!(model.respond(&[&sample]).unwrap(), [Err("1 values in `tags` where 2 are needed".to_owned())]);
}

/// A chat as OpenAI has them, which chooses the last of the labels in its prompt.
const CHAT: &str = r#"
import http.server, json
class Chat(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = next(m["content"] for m in asked["messages"] if m["role"] == "system").strip().split()[-1]
        reply = json.dumps({"choices": [{"message": {"role": "assistant", "content": told}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Chat)
print(f"http://127.0.0.1:{server.server_address[1]}/v1/chat/completions", flush=True)
server.serve_forever()
"#;

#[test]
fn a_chat_is_told_the_labels_of_the_data() {
    if !python() {
        return;
    }
    let command = Command::new("python3").args(["-c", CHAT]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut server = Kill(command.unwrap());
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let told = |labels: &[&str], data_labels: &[&str]| {
        let list = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect();
        let options = RemoteOptions {
            labels: list(labels),
            data_labels: list(data_labels),
            model: Some("m".into()),
            ..RemoteOptions::default()
        };
        let model = RemoteRespondent::open(address.trim(), fissure_tasks::find("sa").unwrap(), &options)
            .map_err(|error| error.to_string())?;
        let said = model.respond(&[&Sample::of_text("1", "so good")]).unwrap();
        Ok::<_, String>((model.labels_of_data, said))
    };
    let class = |label: &str| vec![Ok(Response::class(label))];
    assert_eq!(told(&[], &["bad", "good"]).unwrap(), (true, class("good")));
    assert_eq!(told(&["minus", "plus"], &["bad", "good"]).unwrap(), (false, class("plus")), "the user goes first");
    assert!(told(&[], &[]).unwrap_err().contains("--labels"));
}
