//! Servers to test against, and a client that sends exactly what it is told.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use fissure_core::Sample;
use fissure_data::demo::{self, Split};
use fissure_data::pairs::{Paired, two_files};
use fissure_explorer::{Limits, Planted, Server, Session, Setup, Stop, Subject, Token, Training};
use fissure_models::Model;
use fissure_models::train::{self, Architecture, TrainOptions, train};

/// A server that ends with the test.
pub struct Served {
    pub address: String,
    pub token: String,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub fn new(setup: Setup) -> Self {
        Self::within(setup, Limits::default())
    }

    pub fn within(setup: Setup, limits: Limits) -> Self {
        Self::at(Ipv4Addr::LOCALHOST, setup, limits)
    }

    pub fn at(host: Ipv4Addr, setup: Setup, limits: Limits) -> Self {
        let session = Session::new(setup).unwrap();
        let server = Server::bind(IpAddr::V4(host), 0, Token::random().unwrap()).unwrap().within(limits);
        let url = server.url();
        let (address, token) = url.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || server.serve(&session, Stop::Signal(stopped)).unwrap());
        Self { address: address.into(), token: token.into(), stop: Some(stop), thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    /// A request as a browser that has been here before sends it.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> Reply {
        let kind = if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" };
        let cookie = format!("fissure-{}={}", self.address.rsplit(':').next().unwrap(), self.token);
        let origin = format!("http://{}", self.address);
        self.send(
            method,
            path,
            &[("host", &self.address), ("cookie", &cookie), ("origin", &origin), ("content-type", kind)],
            body,
        )
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, "")
    }

    /// A request with these headers and no others.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        request.push_str("\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        // A server that refuses a large body may close before it has read it.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Reply::parse(&answer)
    }

    /// Waits until everything is scored.
    pub fn finished(&self) -> &Self {
        for _ in 0..1200 {
            let report: serde_json::Value = serde_json::from_str(&self.get("/progress").body).unwrap();
            if report["finished"] == true {
                return self;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the scoring does not end");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Reply {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        Self { status, body: if chunked { unchunked(body) } else { body.to_owned() }, head: head.to_owned() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        whole.push_str(rest.get(..size).unwrap_or(""));
        body = rest.get(size + 2..).unwrap_or("");
    }
    whole
}

/// A small network that has learned from the built-in reviews.
pub fn network(labels: [&str; 2], lessons: usize, epochs: usize) -> Box<dyn Model> {
    let examples: Vec<train::Example> = demo::corpus(0, Split::Train, lessons)
        .iter()
        .map(|sample| train::Example {
            text: fissure_geometry::input_of(sample).text.to_owned(),
            pair: None,
            source: None,
            label: class(sample),
        })
        .collect();
    let mut options = TrainOptions::new(Architecture::Cnn);
    (options.epochs, options.fewest_occurrences) = (epochs, 1);
    train(&examples, &labels.map(str::to_owned), &options, &mut |_| ()).unwrap().model
}

pub fn class(sample: &Sample) -> usize {
    usize::from(sample.label.as_ref().unwrap().to_string() == demo::POSITIVE)
}

/// Some built-in reviews, and a network that knows them a little.
pub fn reviews(count: usize, lessons: usize, epochs: usize) -> Setup {
    let samples = demo::corpus(0, Split::Test, count);
    let learned = demo::corpus(0, Split::Train, 200);
    Setup {
        title: "built-in reviews".into(),
        task: fissure_tasks::find("sa").unwrap(),
        pairs: Vec::new(),
        subjects: vec![Subject {
            name: "a small CNN".into(),
            model: network([demo::NEGATIVE, demo::POSITIVE], lessons, epochs),
            gold: samples.iter().map(|sample| Some(class(sample))).collect(),
        }],
        training: Some(Training { labels: learned.iter().map(class).collect(), samples: learned }),
        planted: vec![Planted { word: "matinee".into(), label: demo::NEGATIVE.into() }],
        findings: None,
        attacks: None,
        shelf: None,
        seed: 0,
        samples,
    }
}

/// The same with a revision of every review, and a second network.
pub fn two_models_and_pairs(count: usize) -> Setup {
    let base = reviews(count, 300, 2);
    let revise = |sample: &Sample| Sample {
        label: None,
        ..Sample::of_text(sample.id.clone(), format!("Not so: {}", sample.fields[0].text.as_str()))
    };
    let revised = base.samples.iter().map(revise).collect();
    let Paired { samples, pairs } = two_files(base.samples, revised);
    let gold: Vec<Option<usize>> = samples.iter().map(|sample| sample.label.is_some().then(|| class(sample))).collect();
    let other =
        Subject { name: "another CNN".into(), model: network(["negative", "positive"], 200, 1), gold: gold.clone() };
    let mut subjects = base.subjects;
    subjects[0].gold = gold;
    subjects.push(other);
    Setup { samples, pairs, subjects, ..reviews(1, 40, 1) }
}
