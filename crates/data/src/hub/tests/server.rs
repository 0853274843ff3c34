//! A small hub on this machine that speaks the real one's protocol: lists, redirects to a store for large files, ETags,
//! ranges, refusals; and that can be set to misbehave.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use sha2::{Digest, Sha256};

pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// What the hub has, and how it misbehaves.
#[derive(Default)]
pub struct Shelf {
    /// Path, bytes, and whether it is large, so that it lives in the store.
    pub files: Vec<(&'static str, Vec<u8>, bool)>,
    /// Breaks off each answer of the store after this many bytes, this many times.
    pub cut: (usize, usize),
    /// Answers a request for a range with everything.
    pub no_ranges: bool,
    /// Gives other bytes than it promised.
    pub damaged: bool,
    /// Answers only to this token.
    pub token: Option<&'static str>,
    /// An `X-Error-Code` for every request, with its status.
    pub refusal: Option<(u16, &'static str)>,
    /// An answer to every request for a list, instead of the right one.
    pub list: Option<&'static str>,
    /// Request lines so far, with the range and whether a token came: `GET /x range token`.
    pub seen: Vec<String>,
}

/// The server's address and its shelf. Its threads end with the test process.
pub struct Server {
    pub endpoint: String,
    pub shelf: Arc<Mutex<Shelf>>,
}

impl Server {
    pub fn new(shelf: Shelf) -> Self {
        let shelf = Arc::new(Mutex::new(shelf));
        // Two ports: the store is another host to the hub's clients.
        let [hub, store] = [(), ()].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
        let [endpoint, store_address] =
            [&hub, &store].map(|listener| format!("http://{}", listener.local_addr().expect("an address")));
        for listener in [hub, store] {
            let (shelf, store_address) = (Arc::clone(&shelf), store_address.clone());
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let (shelf, store_address) = (Arc::clone(&shelf), store_address.clone());
                    thread::spawn(move || serve(&stream, &shelf, &store_address));
                }
            });
        }
        Self { endpoint, shelf }
    }

    /// Requests so far.
    pub fn seen(&self) -> Vec<String> {
        self.shelf.lock().expect("no test panicked with it").seen.clone()
    }
}

/// Reads one request and answers it.
fn serve(stream: &TcpStream, shelf: &Mutex<Shelf>, store: &str) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).map(|line| line.to_lowercase()).collect();
    let find =
        |name: &str| headers.iter().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    let from: Option<usize> = find("range: bytes=").and_then(|range| range.trim_end_matches('-').parse().ok());
    let token = find("authorization: bearer");
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut shelf = shelf.lock().expect("no test panicked with it");
    let range = from.map(|from| format!(" from {from}")).unwrap_or_default();
    let with_token = if token.is_some() { " token" } else { "" };
    shelf.seen.push(format!("{method} {path}{range}{with_token}"));
    let reply = answer(&mut shelf, path, from, token.as_deref(), store);
    drop(shelf);
    let mut stream = stream;
    // A client that hangs up early is part of what is tested.
    let _ = stream.write_all(reply.head.as_bytes());
    if method == "GET" {
        let _ = stream.write_all(&reply.body);
    }
}

struct Reply {
    head: String,
    body: Vec<u8>,
}

fn reply(status: u16, headers: &str, body: &[u8]) -> Reply {
    let head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    Reply { head, body: body.to_vec() }
}

fn answer(shelf: &mut Shelf, path: &str, from: Option<usize>, token: Option<&str>, store: &str) -> Reply {
    if let Some(hash) = path.strip_prefix("/store/") {
        return stored(shelf, hash, from);
    }
    if let Some((status, code)) = shelf.refusal {
        return reply(status, &format!("X-Error-Code: {code}\r\n"), b"");
    }
    if shelf.token.is_some_and(|wanted| token != Some(wanted)) {
        return reply(401, "X-Error-Code: RepoNotFound\r\n", b"");
    }
    // The repository was renamed once: its old name leads to the new one.
    if path.contains("/old/name/") {
        return reply(307, &format!("Location: {}\r\n", path.replace("/old/name/", "/a/b/")), b"");
    }
    if let Some(revision) =
        ["datasets", "models"].iter().find_map(|kind| path.strip_prefix(&format!("/api/{kind}/a/b/revision/")))
    {
        if ![COMMIT, "main", "refs%2Fpr%2F1"].contains(&revision) {
            return reply(404, "X-Error-Code: RevisionNotFound\r\n", b"");
        }
        let siblings: Vec<String> =
            shelf.files.iter().map(|(name, ..)| format!("{{\"rfilename\":\"{name}\"}}")).collect();
        let right = format!("{{\"sha\":\"{COMMIT}\",\"siblings\":[{}]}}", siblings.join(","));
        return reply(200, "", shelf.list.unwrap_or(&right).as_bytes());
    }
    let revisions = [COMMIT, "main"].map(|revision| format!("/a/b/resolve/{revision}/"));
    let Some((_, name)) = revisions.iter().find_map(|prefix| path.split_once(prefix)) else {
        return reply(404, "X-Error-Code: RepoNotFound\r\n", b"");
    };
    let name = name.replace("%20", " ");
    let Some((_, bytes, large)) = shelf.files.iter().find(|(known, ..)| *known == name) else {
        return reply(404, "X-Error-Code: EntryNotFound\r\n", b"");
    };
    let commit = format!("X-Repo-Commit: {COMMIT}\r\n");
    if *large {
        let (hash, size) = (sha256(bytes), bytes.len());
        let linked =
            format!("X-Linked-Etag: \"{hash}\"\r\nX-Linked-Size: {size}\r\nLocation: {store}/store/{hash}\r\n");
        return reply(302, &format!("{commit}{linked}"), b"moved");
    }
    // A small file's ETag is git's hash; any forty digits do.
    reply(200, &format!("{commit}ETag: W/\"{}\"\r\n", &sha256(bytes)[..40]), bytes)
}

/// The store's answer: the bytes, or those from some point on; cut short or damaged if the test asks for it.
fn stored(shelf: &mut Shelf, hash: &str, from: Option<usize>) -> Reply {
    let Some((_, bytes, _)) = shelf.files.iter().find(|(_, bytes, _)| sha256(bytes) == hash) else {
        return reply(404, "", b"");
    };
    let mut bytes = bytes.clone();
    if shelf.damaged {
        bytes[0] ^= 1;
    }
    let mut made = match from {
        Some(from) if from >= bytes.len() => reply(416, "", b""),
        Some(from) if !shelf.no_ranges => {
            let range = format!("Content-Range: bytes {from}-{}/{}\r\n", bytes.len() - 1, bytes.len());
            reply(206, &range, &bytes[from..])
        }
        _ => reply(200, "", &bytes),
    };
    let (length, times) = &mut shelf.cut;
    if *times > 0 {
        *times -= 1;
        made.body.truncate(*length);
    }
    made
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
