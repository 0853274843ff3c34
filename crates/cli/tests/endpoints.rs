//! Chat endpoints and programs as users have them: prompts, names of labels, settings of requests, what asking takes.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use support::{done, json as said, lines, refusal, stdout};
use tempfile::TempDir;

/// A chat endpoint that refuses `max_tokens`, is busy at every seventh request, and notes what it is sent.
const CHAT: &str = r#"
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

count = 0
class Chat(BaseHTTPRequestHandler):
    def do_POST(self):
        global count
        count += 1
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with open(sys.argv[1], "a") as log:
            log.write(json.dumps(body) + "\n")
        status, reply = 200, {}
        if "max_tokens" in body:
            status, reply = 400, {"error": "max_tokens is not supported"}
        elif count % 7 == 0:
            status, reply = 429, {"error": "busy"}
        else:
            good = "good" in body["messages"][-1]["content"]
            words = ("Positive." if good else "I would say: negative")
            if "choose 0 or 1" in body["messages"][-1]["content"]:
                words = "1" if good else "0"
            reply = {"choices": [{"message": {"content": words}}],
                     "usage": {"prompt_tokens": 100, "completion_tokens": 3, "total_tokens": 103}}
        text = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        if status == 429:
            self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *words):
        pass

server = HTTPServer(("127.0.0.1", 0), Chat)
print(server.server_port, flush=True)
server.serve_forever()
"#;

struct Endpoint {
    address: String,
    server: Child,
    folder: TempDir,
}

impl Endpoint {
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("chat.py"), CHAT).unwrap();
        let rows = (0..12).map(|at| {
            let (word, label) = if at % 2 == 0 { ("good", 1) } else { ("bad", 0) };
            format!(
                "{}\n",
                json!({"text": format!("This film number {at} was really {word} all over."), "label": label})
            )
        });
        fs::write(folder.path().join("reviews.jsonl"), rows.collect::<String>()).unwrap();
        let mut server = Command::new("python3")
            .args([folder.path().join("chat.py"), folder.path().join("log")])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { address: format!("http://127.0.0.1:{}/v1/chat/completions", port.trim()), server, folder }
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// What the endpoint was sent.
    fn log(&self) -> Vec<Value> {
        lines(&fs::read_to_string(self.folder.path().join("log")).unwrap_or_default())
    }

    fn words(&self) -> Vec<String> {
        let data = self.at("reviews.jsonl");
        ["evaluate", "--model", &self.address, "--data", &data, "--task", "sa", "--suite", "typos", "--api-model", "m"]
            .map(str::to_owned)
            .to_vec()
    }

    fn evaluate<'a>(&'a self, words: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
        words.iter().map(String::as_str).chain(more.iter().copied()).collect()
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_prompt_names_for_labels_and_settings_reach_the_endpoint_and_the_cost_is_told() {
    let chat = Endpoint::start();
    let prompt = chat.at("prompt.txt");
    fs::write(&prompt, "Task {task}. Is it {labels}? {{json}}\n\"{text}\"").unwrap();
    let (words, out) = (chat.words(), chat.at("run"));
    let more = ["--label-names", "0=negative,1=positive", "--prompt", &prompt, "--body", "reasoning.effort=low"];
    let all = [&more[..], &["--body", "temperature=null", "--price", "2,8", "--out", &out]].concat();
    let output = done(&chat.evaluate(&words, &all));
    let told = String::from_utf8_lossy(&output.stderr);

    let log = chat.log();
    let content = log[1]["messages"][0]["content"].as_str().unwrap();
    assert!(content.starts_with("Task sa. Is it negative, positive? {json}\n\"This film number"), "{content}");
    assert_eq!(log[1]["reasoning"], json!({"effort": "low"}));
    assert!(log.iter().all(|body| body.get("temperature").is_none() && body.get("max_tokens").is_none()));

    let found = read(&chat.folder.path().join("run/findings.json"));
    assert_eq!(found["clean"][0][1]["value"], 1.0, "answers in other words count as the labels of the data");
    assert_eq!(found["about"]["model"]["labels"], json!(["0", "1"]));
    let asked = read(&chat.folder.path().join("run/asked.json"));
    assert_eq!(asked["asked"]["requests"], log.len());
    let retries = asked["asked"]["retries"].as_u64().unwrap();
    assert_eq!(retries, log.len() as u64 / 7);
    let replies = log.len() as u64 - retries;
    assert_eq!(asked["asked"]["questions"], replies);
    assert_eq!(asked["asked"]["total_tokens"], 103 * replies);
    assert_eq!(asked["cost"], (200 * replies + 24 * replies) as f64 / 1e6);
    assert!(asked["latency_median_s"].as_f64().unwrap() > 0.0);
    let line = format!("asked {replies} questions in {} requests ({retries} of them retries)", log.len());
    assert!(told.contains(&line) && told.contains(&format!("{} tokens", 103 * replies)), "{told}");
    let page = fs::read_to_string(chat.folder.path().join("run/report.html")).unwrap();
    assert!(page.contains("Requests, time and cost") && page.contains("estimated cost"), "the report has it");
    let numbers = read(&chat.folder.path().join("run/report.json"));
    assert_eq!(numbers["asked"], asked);
    let run = fs::read_to_string(chat.folder.path().join("run/run.jsonl")).unwrap();
    assert!(!run.contains("retries"), "the run file is the same however long it takes");

    // Another prompt asks something else: the run is not continued with it.
    fs::write(&prompt, "{text}?").unwrap();
    let refused = refusal(&["evaluate", "--resume", &out]);
    assert!(refused.contains("its prompt (SHA-256) was"), "{refused}");
}

#[test]
fn what_is_wrong_with_a_prompt_or_a_setting_is_said_before_anything_is_asked() {
    let chat = Endpoint::start();
    let prompt = chat.at("prompt.txt");
    fs::write(&prompt, "Classify:\n{txt}").unwrap();
    let words = chat.words();
    let why = |more: &[&str]| refusal(&chat.evaluate(&words, more));
    let said = why(&["--prompt", &prompt]);
    assert!(said.contains("line 2") && said.contains("`{txt}`") && said.contains("{text}, {labels}, {task}"), "{said}");
    assert!(why(&["--prompt", &chat.at("none.txt")]).contains("none.txt"));
    assert!(why(&["--body", "max_tokens"]).contains("KEY=VALUE"));
    assert!(why(&["--body", "messages=[]"]).contains("--prompt"));
    assert!(why(&["--label-names", "0"]).contains("0=negative"));
    assert!(why(&["--label-names", "0=yes,1=Yes"]).contains("could mean either"));
    assert!(why(&["--labels", "0,1", "--label-names", "2=x"]).contains("none of --labels 0,1"));
    assert!(why(&["--price", "3"]).contains("0.15,0.60"));
    fs::write(&prompt, "{text}").unwrap();
    assert!(why(&["--prompt", &prompt, "--api", "fissure"]).contains("--prompt is for chat completions"));
    let base = chat.address.replace("/chat/completions", "");
    let data = chat.at("reviews.jsonl");
    assert!(refusal(&["evaluate", "--model", &base, "--data", &data, "--task", "sa"]).contains("/chat/completions"));
    assert_eq!(chat.log().len(), 0, "nothing was asked");
}

#[test]
fn an_endpoint_that_refuses_max_tokens_is_asked_without_and_a_dry_run_asks_nothing() {
    let chat = Endpoint::start();
    let (words, out) = (chat.words(), chat.at("run"));
    let plan = said(&chat.evaluate(&words, &["--dry-run", "--price", "1,1", "--importance", "leave_one_out"]));
    assert_eq!(plan["calls"], plan["estimate"]["questions"]);
    assert!(plan["estimate"]["prompt_tokens"].as_u64().unwrap() > 100, "{}", plan["estimate"]);
    assert!(plan["estimate"]["cost"].as_f64().unwrap() > 0.0);
    let told = stdout(&chat.evaluate(&words, &["--dry-run"]));
    assert!(told.contains("nothing was asked") && told.contains("--price IN,OUT"), "{told}");
    assert_eq!(chat.log().len(), 0);

    // 0 and 1 are shown as they are, so the prompt says what they mean.
    let prompt = chat.at("prompt.txt");
    fs::write(&prompt, "choose 0 or 1: {text}").unwrap();
    done(&chat.evaluate(&words, &["--prompt", &prompt, "--out", &out]));
    let found = read(&chat.folder.path().join("run/findings.json"));
    assert_eq!(found["clean"][0][1]["value"], 1.0);
    let refused =
        refusal(&chat.evaluate(&words, &["--prompt", &prompt, "--body", "max_tokens=20", "--out", &chat.at("no")]));
    assert!(refused.contains("max_tokens is not supported"), "{refused}");
}

/// A program that takes batches and notes when it is started.
const PROGRAM: &str = r#"
import json, sys
with open(sys.argv[1], "a") as log:
    log.write("started\n")
sys.stdin.readline()
print(json.dumps({"labels": ["0", "1"], "batch": 8}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)["questions"]
    with open(sys.argv[1], "a") as log:
        log.write(f"{len(asked)}\n")
    def score(question):
        good = 0.9 if "good" in question["fields"]["text"] else 0.2
        return {"scores": {"0": 1 - good, "1": good}}
    print(json.dumps({"answers": [score(question) for question in asked]}), flush=True)
"#;

#[test]
fn a_program_is_started_once_and_asked_in_batches_also_with_importance() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("model.py"), PROGRAM).unwrap();
    let rows = (0..12).map(|n| format!("{}\n", json!({"text": format!("film {n} was good"), "label": n % 2})));
    fs::write(at("data.jsonl"), rows.collect::<String>()).unwrap();
    let model = format!("process:python3 '{}' '{}'", at("model.py"), at("log"));
    let (data, out) = (at("data.jsonl"), at("run"));
    let words = ["evaluate", "--model", &model, "--data", &data, "--task", "sa", "--suite", "word-salad"];
    stdout(&[&words[..], &["--importance", "leave_one_out", "--dry-run"]].concat());
    assert!(!Path::new(&at("log")).exists(), "a dry run starts nothing");
    done(&[&words[..], &["--importance", "leave_one_out", "--out", &out]].concat());
    let log = fs::read_to_string(at("log")).unwrap();
    assert_eq!(log.matches("started").count(), 1, "{log}");
    let sizes: Vec<usize> = log.lines().skip(1).map(|line| line.parse().unwrap()).collect();
    assert!(sizes.iter().all(|size| (1..=8).contains(size)) && sizes.contains(&8), "{sizes:?}");
    let asked = read(&folder.path().join("run/asked.json"));
    assert_eq!(asked["asked"]["requests"], sizes.len());
    assert_eq!(asked["asked"]["questions"], sizes.iter().sum::<usize>());
}

/// A folder with a program of probabilities and reviews to ask it about.
fn program(labels_only: bool) -> (TempDir, String, String) {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let script = if labels_only {
        PROGRAM
            .replace("return {\"scores\": {\"0\": 1 - good, \"1\": good}}", "return {\"label\": str(int(good > 0.5))}")
    } else {
        // The more often it says good, the surer it is.
        PROGRAM.replace("0.9 if \"good\" in", "0.2 + 0.35 * min(2, ").replace("else 0.2", ".count(\"good\"))")
    };
    let script = script.replace("[\"text\"] .count", "[\"text\"].count");
    fs::write(at("model.py"), script).unwrap();
    let rows = (0..12).map(|n| {
        let word = ["good", "bad", "good good"][n % 3];
        format!("{}\n", json!({"id": format!("r{n}"), "text": format!("film {n} was {word} today"), "label": usize::from(n % 3 != 1)}))
    });
    fs::write(at("data.jsonl"), rows.collect::<String>()).unwrap();
    let model = format!("process:python3 '{}' '{}'", at("model.py"), at("log"));
    let data = at("data.jsonl");
    (folder, model, data)
}

#[test]
fn a_model_without_gradients_has_fragile_examples_too() {
    let (folder, model, data) = program(false);
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (out, run) = (at("scores.jsonl"), at("run"));
    let on = ["--model", &model, "--data", &data, "--task", "sa"];
    let output = done(&[&["score"][..], &on, &["--tokens", "--eta", "--out", &out]].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("lambda_max and the flip forecast, --eta: needs gradients"), "{told}");
    assert!(told.contains("ranked by 1 - max p") && told.contains("needs gradients"), "{told}");
    let rows = lines(&fs::read_to_string(&out).unwrap());
    assert_eq!(rows.len(), 12);
    assert!((rows[0]["uncertainty"].as_f64().unwrap() - 0.45).abs() < 1e-6 && rows[0]["lambda_max"].is_null());
    let good = rows[0]["words"].as_array().unwrap().iter().find(|word| word["text"] == "good").unwrap();
    assert!((good["fall"].as_f64().unwrap() - 0.35).abs() < 1e-6 && good["flips"] == true, "{good}");

    // With a run, its answers are taken and its changes counted: nobody is asked.
    done(&[&["evaluate"][..], &on, &["--suite", "typos", "--out", &run]].concat());
    let before = fs::read_to_string(at("log")).unwrap();
    let output = done(&[&["score"][..], &on, &["--run", &run, "--out", &at("with-run.jsonl")]].concat());
    assert_eq!(fs::read_to_string(at("log")).unwrap(), before, "the model was not even started");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("by the share of changes that flipped the answer"), "{told}");
    let with_run = lines(&fs::read_to_string(at("with-run.jsonl")).unwrap());
    assert!(with_run.iter().any(|row| row["flips"]["turned"].as_u64() > Some(0)), "{with_run:?}");
    assert_eq!(with_run[0]["uncertainty"], rows[0]["uncertainty"]);
    let other = format!("{model} --more");
    let refused = refusal(&["score", "--model", &other, "--data", &data, "--task", "sa", "--run", &run]);
    assert!(refused.contains("the run asked the model"), "{refused}");

    let words = said(&[&["words"][..], &on, &["--least", "3"]].concat());
    let found = words["words"].as_array().unwrap();
    let good = found.iter().find(|word| word["word"] == "good").unwrap();
    assert_eq!((&good["support"], &good["toward"]), (&json!(8), &json!(1)));
    assert!(good["attribution"][1].as_f64().unwrap() > 0.5, "{good}");
    assert_eq!(good["flip_rate"]["value"], 1.0, "without it the answer is always the other");

    let both = ["--model", &model, "--model", &model, "--data", &data, "--task", "sa"];
    let compared = said(&[&["compare"][..], &both].concat());
    assert_eq!(compared["ranked_by"], json!(["uncertainty", "uncertainty"]));
    assert!(compared["agreements"][0]["spearman"]["r"].as_f64().unwrap() > 0.99, "{compared}");
}

#[test]
fn a_chat_is_asked_for_the_labels_of_the_data_by_every_command() {
    let chat = Endpoint::start();
    let (data, prompt, out) = (chat.at("reviews.jsonl"), chat.at("prompt.txt"), chat.at("answers.jsonl"));
    fs::write(&prompt, "choose 0 or 1, that is {labels}: {text}").unwrap();
    let on = ["--model", &chat.address, "--data", &data, "--task", "sa", "--api-model", "m", "--prompt", &prompt];
    let output = done(&[&["predict"][..], &on, &["--out", &out]].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("accuracy 1.0000") && told.contains("asked 13 questions in"), "{told}");
    assert!(chat.log()[0]["messages"][0]["content"].as_str().unwrap().contains("that is 0, 1: "));

    // What gets no answer is written with the reason, and the others are answered.
    fs::write(&prompt, "{text}").unwrap();
    let names = ["--labels", "0,1", "--label-names", "1=positive", "--out", &chat.at("some.jsonl")];
    done(&[&["predict"][..], &on, &names].concat());
    let rows = lines(&fs::read_to_string(chat.at("some.jsonl")).unwrap());
    assert_eq!((&rows[0]["predicted"], &rows[1]["predicted"]), (&json!("1"), &json!(null)));
    assert!(rows[1]["failed"].as_str().unwrap().contains("matches no label"), "{}", rows[1]);
}

/// A slow program, for which progress is due.
const SLOW: &str = r#"
import json, sys, time
sys.stdin.readline()
print('{"labels": ["0", "1"]}', flush=True)
for line in sys.stdin:
    time.sleep(0.3)
    print('{"label": "1"}', flush=True)
"#;

#[test]
fn progress_counts_questions_where_there_is_no_terminal() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("model.py"), SLOW).unwrap();
    let rows = (0..30).map(|n| format!("{}\n", json!({"text": format!("film {n}"), "label": n % 2})));
    fs::write(at("data.jsonl"), rows.collect::<String>()).unwrap();
    let (model, data, out) = (format!("process:python3 '{}'", at("model.py")), at("data.jsonl"), at("answers.jsonl"));
    let output = done(&["predict", "--model", &model, "--data", &data, "--task", "sa", "--out", &out]);
    let told = String::from_utf8_lossy(&output.stderr);
    let is_progress = |line: &&str| line.contains(" of about 30 questions (") && line.contains(" of 30 samples), ");
    let line = told.lines().find(is_progress).unwrap_or_else(|| panic!("{told}"));
    assert!(line.contains(" a second"), "{line}");
}

#[test]
fn a_run_of_a_model_directory_is_explored_from_anywhere_too() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = (0..40).map(|n| {
        let (word, label) = if n % 2 == 0 { ("good", "pos") } else { ("bad", "neg") };
        format!("{}\n", json!({"text": format!("film {n} was {word} today"), "label": label}))
    });
    fs::write(at("data.jsonl"), rows.collect::<String>()).unwrap();
    let within = |words: &[&str]| {
        let output = support::fissure(words).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    within(&["train", "--arch", "fasttext", "--epochs", "3", "--data", "data.jsonl", "--task", "sa", "--out", "model"]);
    within(&[
        "evaluate",
        "--model",
        "model",
        "--data",
        "data.jsonl",
        "--task",
        "sa",
        "--suite",
        "typos",
        "--out",
        "run",
    ]);
    fs::remove_file(at("data.jsonl")).unwrap();
    let elsewhere = TempDir::new().unwrap();
    let mut page =
        support::fissure(&["explore", &at("run"), "--no-open"]).current_dir(elsewhere.path()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(page.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let seen = Command::new("python3").args(["-c", BROWSER, url.trim()]).output().unwrap();
    let (seen, trouble) = (String::from_utf8_lossy(&seen.stdout), String::from_utf8_lossy(&seen.stderr));
    page.kill().unwrap();
    page.wait().unwrap();
    assert!(trouble.is_empty(), "{trouble}");
    assert!(seen.contains("40 of 40") && !seen.contains("needs gradients"), "{seen}");
    assert!(seen.contains("Farthest along e_max"), "the model is opened from where the run began: {seen}");
}

#[test]
fn a_model_that_gives_labels_only_is_ranked_by_what_turns_it() {
    let (folder, model, data) = program(true);
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let on = ["--model", &model, "--data", &data, "--task", "sa"];
    let output = done(&[&["score"][..], &on, &["--out", &at("plain.jsonl")]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("it gives no probabilities. Give --run RUN or --tokens"));
    done(&[&["score"][..], &on, &["--tokens", "--out", &at("tokens.jsonl")]].concat());
    let rows = lines(&fs::read_to_string(at("tokens.jsonl")).unwrap());
    assert_eq!(rows[0]["flips"], json!({"changed": 5, "turned": 1}));
    assert!(rows[0]["uncertainty"].is_null() && rows[0]["words"][0]["fall"].is_null());
}

/// Opens pages as a browser would, and prints them.
const BROWSER: &str = r#"
import sys, json, urllib.request, http.cookiejar
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
first = sys.argv[1]
base = "/".join(first.split("/")[:3])
print(opener.open(first).read().decode())
for path in ["/list", "/run", "/example/0", "/models"]:
    print(opener.open(base + path).read().decode())
def post(path, **body):
    request = urllib.request.Request(base + path, json.dumps(body).encode(), {"content-type": "application/json", "origin": base, "sec-fetch-site": "same-origin"})
    print(opener.open(request).read().decode())
post("/fragment/view", example=0, model=0, heat="leave_one_out", text="film 0 was good today")
post("/fragment/along", model=0, text="film 0 was good today")
post("/fragment/word", model=0, field=0, start=11, end=15, text="film 0 was good today")
"#;

#[test]
fn a_run_is_explored_from_anywhere_without_asking_first() {
    let (folder, model, data) = program(false);
    let run = folder.path().join("run").to_str().unwrap().to_owned();
    done(&["evaluate", "--model", &model, "--data", &data, "--task", "sa", "--suite", "typos", "--out", &run]);
    fs::remove_file(&data).unwrap();
    let log = || fs::read_to_string(folder.path().join("log")).unwrap();
    let before = log();
    let elsewhere = TempDir::new().unwrap();
    let mut page = support::fissure(&["explore", &run, "--no-open"]).current_dir(elsewhere.path()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(page.stdout.take().unwrap()).read_line(&mut url).unwrap();
    assert_eq!(log(), before, "the page is there before the model is asked");
    let seen = Command::new("python3").args(["-c", BROWSER, url.trim()]).output().unwrap();
    let (seen, trouble) = (String::from_utf8_lossy(&seen.stdout), String::from_utf8_lossy(&seen.stderr));
    page.kill().unwrap();
    page.wait().unwrap();
    assert!(trouble.is_empty(), "{trouble}");
    assert!(seen.contains("12 of 12"), "all scores are from the run: {seen}");
    assert!(seen.contains("needs gradients") && seen.contains("turned by"), "{seen}");
    assert!(seen.contains("What the run found"), "{seen}");
    assert!(seen.contains("without it, the answer falls by 0.350"), "{seen}");
    assert!(log().len() > before.len(), "a close look asks the model");
}

#[test]
fn runs_whose_labels_have_other_names_are_not_compared() {
    let chat = Endpoint::start();
    let (words, runs) = (chat.words(), [chat.at("run"), chat.at("turned")]);
    for (names, out) in ["0=negative,1=positive", "0=positive,1=negative"].iter().zip(&runs) {
        done(&chat.evaluate(&words, &["--label-names", names, "--limit", "4", "--out", out]));
    }
    let refused = refusal(&["gate", &runs[1], "--baseline", &runs[0]]);
    assert!(refused.contains("the model calls `negative`") && refused.contains("--label-names"), "{refused}");
}
