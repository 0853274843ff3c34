//! Who is let in, and who is not.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use fissure_explorer::Limits;

use crate::served::{Served, reviews};

#[test]
fn the_door_opens_for_the_token_alone() {
    the_token_is_demanded(&Served::new(reviews(8, 40, 1)));
}

#[test]
fn so_does_a_door_to_other_machines() {
    the_token_is_demanded(&Served::at(Ipv4Addr::UNSPECIFIED, reviews(8, 40, 1), Limits::default()));
}

fn the_token_is_demanded(served: &Served) {
    let host = ("host", served.address.as_str());
    let refused = served.send("GET", "/", &[host], "");
    assert_eq!(refused.status, 401);
    assert!(refused.body.contains("fissure explore"), "{}", refused.body);
    assert_eq!(served.send("GET", "/?token=0123456789abcdef0123456789abcdef", &[host], "").status, 401);
    assert_eq!(served.send("GET", "/list", &[host, ("cookie", "fissure-1=x; other=y")], "").status, 401);
    assert_eq!(served.send("GET", "/assets/main.js", &[host], "").status, 401, "not even the style of the page");

    let first = served.send("GET", &format!("/?token={}", served.token), &[host], "");
    assert_eq!(first.status, 200);
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let again = served.send("GET", "/list", &[host, ("cookie", pair)], "");
    assert_eq!(again.status, 200);
    assert!(again.header("set-cookie").is_none());
    assert!(!again.body.contains(&served.token), "the token never stands in a page");
}

#[test]
fn other_sites_and_turned_names_are_refused() {
    let served = Served::new(reviews(8, 40, 1));
    let host = ("host", served.address.as_str());
    let cookie = format!("fissure-{}={}", served.address.rsplit(':').next().unwrap(), served.token);
    let cookie = ("cookie", cookie.as_str());
    let with_token = format!("/?token={}", served.token);
    for name in ["evil.example", "evil.example:80", "127.0.0.1.evil.example"] {
        assert_eq!(served.send("GET", &with_token, &[("host", name), cookie], "").status, 421, "{name}");
    }
    for origin in ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"] {
        let reply = served.send("POST", "/stop", &[host, cookie, ("origin", origin)], "");
        assert_eq!(reply.status, 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        let site = ("sec-fetch-site", site);
        assert_eq!(served.send("GET", "/progress", &[host, cookie, site], "").status, 403);
        assert_eq!(served.send("GET", "/", &[host, cookie, site], "").status, 403);
        assert_eq!(
            served.send("GET", &with_token, &[host, site], "").status,
            200,
            "a link with the token may be followed"
        );
        assert_eq!(served.send("POST", &with_token, &[host, site], "").status, 403);
    }
    let own = format!("http://{}", served.address);
    let own = [host, cookie, ("origin", own.as_str()), ("sec-fetch-site", "same-origin")];
    assert_eq!(served.send("POST", "/stop", &own, "").status, 200);
}

#[test]
fn every_answer_wears_the_policy() {
    let served = Served::new(reviews(8, 40, 1));
    let unknown = served.send("GET", "/", &[("host", &served.address)], "");
    for reply in
        [served.get("/"), served.get("/assets/style.css"), served.get("/nowhere"), served.get("/basket.csv"), unknown]
    {
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let page = served.get("/").body;
    assert!(
        !page.contains("style=\"") && !page.contains("<style") && !page.contains("onclick"),
        "the policy would refuse it"
    );
}

#[test]
fn no_path_leads_to_the_disk() {
    let served = Served::new(reviews(8, 40, 1));
    for path in [
        "/assets/../Cargo.toml",
        "/assets/%2e%2e%2fCargo.toml",
        "/assets//etc/passwd",
        "/etc/passwd",
        "/assets/style.css%00",
        "/assets/",
    ] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
    assert_eq!(served.get("/assets/style.css").status, 200);
}

#[test]
fn floods_are_stopped() {
    let served = Served::new(reviews(8, 40, 1));
    let long = format!("{{\"example\":0,\"text\":\"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(served.ask("POST", "/fragment/view", &long).status, 413);
    assert_eq!(served.ask("POST", "/fragment/view", "{\"example\":").status, 400);
    let host = [("host", served.address.as_str())];
    let wrong: Vec<u16> = (0..60).map(|_| served.send("GET", "/?token=guess", &host, "").status).collect();
    assert!(wrong.contains(&401) && wrong.contains(&429), "{wrong:?}");
    assert_eq!(served.get("/progress").status, 200, "guessing does not lock the person out");
}

/// What a connection that sends this and then nothing is told before it is closed.
fn trickle(served: &Served, sent: &str) -> String {
    let mut stream = TcpStream::connect(&served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(sent.as_bytes()).unwrap();
    let mut told = String::new();
    stream.read_to_string(&mut told).expect("the server hangs up before the client does");
    told
}

fn hasty(connections: usize) -> Limits {
    Limits { connections, patience: Duration::from_millis(300) }
}

#[test]
fn requests_that_trickle_in_are_not_waited_for() {
    let served = Served::within(reviews(8, 40, 1), hasty(8));
    assert!(!trickle(&served, "").contains("200 OK"));
    assert!(!trickle(&served, "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ").contains("200 OK"));
    let port = served.address.rsplit(':').next().unwrap();
    let head = format!(
        "POST /fragment/view HTTP/1.1\r\nhost: {}\r\ncookie: fissure-{port}={}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        served.address, served.token
    );
    let told = trickle(&served, &head);
    assert!(told.starts_with("HTTP/1.1 408 "), "{told}");
    // A body of unknown length ends where a known one would.
    let chunked = head.replace("content-length: 100", "transfer-encoding: chunked");
    assert!(trickle(&served, chunked.trim_end_matches('{')).starts_with("HTTP/1.1 408 "));
    assert_eq!(served.get("/progress").status, 200);
}

#[test]
fn connections_that_only_wait_give_way() {
    let served = Served::within(reviews(8, 40, 1), hasty(3));
    let idle: Vec<TcpStream> = (0..12).map(|_| TcpStream::connect(&served.address).unwrap()).collect();
    assert_eq!(served.get("/progress").status, 200, "twelve idle callers, three places, and still an answer");
    drop(idle);
}

#[test]
fn strangers_cannot_take_every_place() {
    // Nothing here ends by patience.
    let limits = Limits { connections: 3, patience: Duration::from_secs(600) };
    let served = Served::within(reviews(8, 40, 1), limits);
    let open = |sent: &[u8]| {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
        // The server may close before it has read everything.
        let _ = stream.write_all(sent);
        stream
    };
    let endless = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".repeat(20_000);
    let deaf: Vec<TcpStream> = (0..16).map(|_| open(&endless)).collect();
    assert_eq!(served.get("/progress").status, 200, "callers who ask and never read");
    let slow: Vec<TcpStream> = (0..40).map(|_| open(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ")).collect();
    assert_eq!(served.get("/progress").status, 200, "callers whose request never ends");
    drop((deaf, slow));
}

#[test]
fn a_refusal_closes_the_connection() {
    let limits = Limits { connections: 3, patience: Duration::from_secs(600) };
    let served = Served::within(reviews(8, 40, 1), limits);
    let told = trickle(&served, "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    assert!(told.starts_with("HTTP/1.1 401 ") && told.contains("connection: close"), "{told}");
}

#[test]
fn a_flood_of_requests_is_slowed_down_and_passes() {
    let served = Served::new(reviews(8, 40, 1));
    let cookie = format!("fissure-{}={}", served.address.rsplit(':').next().unwrap(), served.token);
    let one = format!("GET /nowhere HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\n\r\n", served.address);
    let last = one.replacen("\r\n\r\n", "\r\nconnection: close\r\n\r\n", 1);
    let mut stream = TcpStream::connect(&served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut reader = stream.try_clone().unwrap();
    let heard = std::thread::spawn(move || {
        let mut told = String::new();
        let _ = reader.read_to_string(&mut told);
        told
    });
    // In one breath: no machine answers so many before the limit is used up.
    stream.write_all((one.repeat(20_000) + &last).as_bytes()).unwrap();
    let told = heard.join().unwrap();
    assert!(told.contains("HTTP/1.1 404") && told.contains("HTTP/1.1 429"), "some are served, some are not");
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(served.get("/progress").status, 200, "and soon all is well again");
}
