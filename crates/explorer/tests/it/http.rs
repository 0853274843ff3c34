//! Who is let in, and who is not.

use crate::served::{Served, reviews};

#[test]
fn the_door_opens_for_the_token_alone() {
    let served = Served::new(reviews(8, 40, 1));
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
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
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
