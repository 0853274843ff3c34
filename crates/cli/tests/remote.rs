//! `fissure evaluate` with a remote model that goes away, is asked with a key, or says nothing that can be read.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};
use support::{done, fissure, refusal};
use tempfile::TempDir;

/// Reviews to ask about.
fn reviews(folder: &TempDir) -> String {
    let rows = (0..40).map(|at| {
        let (word, label) = if at % 2 == 0 { ("good", "pos") } else { ("bad", "neg") };
        format!("{}\n", json!({"text": format!("This film number {at} was really {word} all over."), "label": label}))
    });
    let path = folder.path().join("reviews.jsonl");
    fs::write(&path, rows.collect::<String>()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// An endpoint that answers a number of questions and is busy from then on. It requires a key.
fn endpoint(patience: Arc<AtomicUsize>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/ask?key=secret", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| answer(&stream, &patience)));
    address
}

fn answer(mut stream: &TcpStream, patience: &AtomicUsize) {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    while reader.read_line(&mut head).unwrap() > 2 {
        let line = head.lines().next_back().unwrap_or_default().to_lowercase();
        length = line.strip_prefix("content-length:").map_or(length, |value| value.trim().parse().unwrap());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let (status, said) = if !head.lines().next().unwrap_or_default().contains("key=secret") {
        (401, json!("who are you?"))
    } else if head.starts_with("GET") {
        (200, json!({"labels": ["neg", "pos"]}))
    } else {
        let asked: Value = serde_json::from_slice(&body).unwrap();
        let questions = asked["questions"].as_array().unwrap();
        let class = |question: &Value| {
            let good = question["fields"]["text"].as_str().unwrap().contains("good");
            json!({"label": if good { "pos" } else { "neg" }})
        };
        match patience.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(questions.len())) {
            Ok(_) => (200, json!({"answers": questions.iter().map(class).collect::<Vec<_>>()})),
            Err(_) => (503, json!("no more")),
        }
    };
    let said = said.to_string();
    let reply = format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{said}", said.len());
    stream.write_all(reply.as_bytes()).unwrap();
}

#[test]
fn a_model_that_goes_away_costs_little_and_its_key_is_kept_by_nobody() {
    let folder = TempDir::new().unwrap();
    let (data, patience) = (reviews(&folder), Arc::new(AtomicUsize::new(usize::MAX)));
    let address = endpoint(Arc::clone(&patience));
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, cut) = (at("whole"), at("cut run"));
    let words = ["evaluate", "--model", &address, "--data", &data, "--task", "sa", "--suite", "typos"];
    let patient = ["--retries", "0", "--batch", "1", "--out"];
    done(&[&words[..], &patient, &[&whole]].concat());

    patience.store(30, Ordering::SeqCst);
    let told = refusal(&[&words[..], &patient, &[&cut]].concat());
    assert!(told.contains("status 503") && !told.contains("secret"), "{told}");
    assert!(told.contains(&format!("--resume '{cut}' --model 'http://")), "{told}");
    // Thirty questions are six samples with four changed forms each; at most a window of them is lost.
    let kept = fs::read_to_string(folder.path().join("cut run/run.jsonl")).unwrap();
    assert!(kept.lines().count() > 5, "{kept}");

    patience.store(usize::MAX, Ordering::SeqCst);
    assert!(refusal(&["evaluate", "--resume", &cut]).contains("give the whole address again with --model"));
    let other = refusal(&["evaluate", "--resume", &cut, "--model", "http://127.0.0.1:1/ask?key=secret"]);
    assert!(other.contains("its model was http://127.0.0.1:") && !other.contains("secret"), "{other}");
    done(&["evaluate", "--resume", &cut, "--model", &address]);
    assert!(fs::read(format!("{cut}/run.jsonl")).unwrap() == fs::read(format!("{whole}/run.jsonl")).unwrap());
    for file in fs::read_dir(&whole).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(6).any(|letters| letters == b"secret"), "{}", path.display());
    }
}

#[test]
fn a_model_that_nobody_can_read_is_not_asked_for_ever() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let script = folder.path().join("model.sh");
    fs::write(
        &script,
        "read hello; echo '{\"labels\": [\"neg\", \"pos\"]}'\nwhile read line; do echo '{\"label\": \"fine\"}'; done\n",
    )
    .unwrap();
    let model = format!("process:sh '{}'", script.display());
    let out = folder.path().join("run").to_str().unwrap().to_owned();
    let told =
        refusal(&["evaluate", "--model", &model, "--data", &data, "--task", "sa", "--suite", "typos", "--out", &out]);
    let kept = fs::read_to_string(folder.path().join("run/run.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 1, "what got no answer is asked again when the run is resumed");
    assert!(told.contains("not one of the first") && told.contains("the answer `fine` is none of neg, pos"), "{told}");
}

#[test]
fn a_key_that_an_endpoint_repeats_is_kept_by_nobody() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/ask?key=query-secret", listener.local_addr().unwrap());
    // Every third question is refused, and the refusal repeats all that was sent.
    thread::spawn(move || {
        for (at, mut stream) in listener.incoming().flatten().enumerate() {
            let mut head = String::new();
            let mut reader = BufReader::new(&stream);
            while reader.read_line(&mut head).unwrap() > 2 {}
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:").map(str::to_owned));
            let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
            reader.read_exact(&mut body).unwrap();
            let (status, said) = match at % 3 {
                _ if head.starts_with("GET") => (404, String::new()),
                0 => (400, format!("bad key: {}", head.replace("\r\n", " "))),
                _ => (200, json!({"answers": [{"scores": {"neg": 0.4, "pos": 0.6}}]}).to_string()),
            };
            let length = said.len();
            let reply = format!("HTTP/1.1 {status} x\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{said}");
            stream.write_all(reply.as_bytes()).unwrap();
        }
    });
    let out = folder.path().join("run").to_str().unwrap().to_owned();
    let words = ["evaluate", "--model", &address, "--data", &data, "--task", "sa", "--suite", "typos", "--out", &out];
    let run =
        fissure(&[&words[..], &["--batch", "1"]].concat()).env("FISSURE_API_KEY", "token-secret").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let kept = fs::read_to_string(folder.path().join("run/run.jsonl")).unwrap();
    assert!(kept.contains("bad key") && kept.contains("***"), "the reason is kept");
    let files = fs::read_dir(&out).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    for bytes in files.chain([run.stdout, run.stderr]) {
        assert!(!String::from_utf8_lossy(&bytes).contains("-secret"), "{}", String::from_utf8_lossy(&bytes));
    }
}
