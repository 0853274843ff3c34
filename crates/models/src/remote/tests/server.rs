//! A small endpoint on this machine that answers as a script says: slow, busy, mad, or gone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What the endpoint does with one request.
#[derive(Debug, Clone)]
pub enum Act {
    /// Labels every question by its first text: `pos` if it has the word `good`.
    Answer,
    Say {
        status: u16,
        headers: &'static str,
        body: String,
    },
    /// Takes the request and hangs up.
    HangUp,
    Sleep(Duration),
}

/// The endpoint's address, what it is still to do, and the requests it saw.
pub struct Server {
    pub address: String,
    acts: Arc<Mutex<Vec<Act>>>,
    pub seen: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Server {
    /// An endpoint that does `acts` in turn, and answers rightly ever after. A greeting (GET) is refused.
    pub fn new(acts: &[Act]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}/ask", listener.local_addr().expect("an address"));
        let acts = Arc::new(Mutex::new(acts.iter().rev().cloned().collect::<Vec<_>>()));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (to_do, saw) = (Arc::clone(&acts), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (to_do, saw) = (Arc::clone(&to_do), Arc::clone(&saw));
                thread::spawn(move || serve(&stream, &to_do, &saw));
            }
        });
        Self { address, acts, seen }
    }

    pub fn left(&self) -> usize {
        self.acts.lock().expect("no test panicked with it").len()
    }

    pub fn requests(&self) -> Vec<(String, Value)> {
        self.seen.lock().expect("no test panicked with it").clone()
    }
}

fn serve(stream: &TcpStream, acts: &Mutex<Vec<Act>>, seen: &Mutex<Vec<(String, Value)>>) {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    if reader.read_line(&mut first).is_err() {
        return;
    }
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let method = first.split(' ').next().unwrap_or_default().to_owned();
    if method == "GET" {
        reply(stream, 404, "", "no greeting");
        return;
    }
    seen.lock().expect("no test panicked with it").push((method, body.clone()));
    let act = acts.lock().expect("no test panicked with it").pop().unwrap_or(Act::Answer);
    match act {
        Act::Answer => reply(stream, 200, "", &right(&body).to_string()),
        Act::Say { status, headers, body } => reply(stream, status, headers, &body),
        Act::HangUp => {}
        Act::Sleep(duration) => {
            thread::sleep(duration);
            reply(stream, 200, "", &right(&body).to_string());
        }
    }
}

fn right(body: &Value) -> Value {
    let answer = |question: &Value| {
        let good = question["fields"]["text"].as_str().is_some_and(|text| text.contains("good"));
        json!({"scores": {"neg": if good { 0.25 } else { 0.75 }, "pos": if good { 0.75 } else { 0.25 }}})
    };
    let questions = body["questions"].as_array().map_or(Vec::new(), |questions| questions.iter().map(answer).collect());
    json!({ "answers": questions })
}

fn reply(mut stream: &TcpStream, status: u16, headers: &str, body: &str) {
    // A client that hung up meanwhile is part of what is tested.
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
}
