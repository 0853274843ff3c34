//! Who may use the page: one person, with the token, from this page only.
//!
//! | danger | what stands against it |
//! |---|---|
//! | another user of this machine or network | a random token of 128 bits, demanded of every request |
//! | a page of another site that sends requests here | the `Origin` must be our own; the cookie is `SameSite=Strict` |
//! | a host name that starts to resolve to 127.0.0.1 (DNS rebinding) | the `Host` must be an address or `localhost` |
//! | text in the data that wants to be script | everything is escaped; the policy allows no inline script at all |
//! | floods | a limit on requests, a stricter one on wrong tokens, and one on the size of a request |
//! | slow requests, answers that are not read | a limit on connections and on their time (see `connections`) |
//! | strangers who take every place | a refusal closes the connection; those with the token have places of their own |

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::connections::Visitor;
use crate::error::Problem;
use crate::{Error, Result};

/// What a page may do: load our own files, and talk to us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The secret of one run of the page.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// 128 bits from the system, in hexadecimal digits.
    pub fn random() -> Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(Error::NoRandomness)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in constant time.
    fn is(&self, other: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), other.as_bytes());
        ours.len() == theirs.len() && ours.iter().zip(theirs).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

/// The guard at the door.
#[derive(Debug)]
pub struct Guard {
    token: Token,
    /// The name of our cookie: cookies are shared between the ports of a machine, so it has the port in it.
    cookie: String,
    requests: Limit,
    refusals: Limit,
    /// How long the body of a request may take.
    patience: Duration,
}

/// The largest request: a long text and its history fit, a flood does not.
const BODY: usize = 1 << 20;

impl Guard {
    pub fn new(token: Token, port: u16, patience: Duration) -> Self {
        Self {
            token,
            cookie: format!("fissure-{port}"),
            requests: Limit::new(500.0, 250.0),
            refusals: Limit::new(30.0, 2.0),
            patience,
        }
    }

    /// Lets a request through, or says why not.
    fn admit(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> std::result::Result<Admitted, Problem> {
        let problem = |status, words: &str| Problem(status, words.to_owned());
        let host = header_text(headers, &header::HOST)
            .ok_or_else(|| problem(StatusCode::BAD_REQUEST, "The request names no host."))?;
        if !is_safe_host(host) {
            return Err(problem(
                StatusCode::MISDIRECTED_REQUEST,
                "This page answers to an address or to localhost only.",
            ));
        }
        let by_url = query_token(uri).is_some_and(|given| self.token.is(given));
        if let Some(origin) = header_text(headers, &header::ORIGIN)
            && origin != format!("http://{host}")
        {
            return Err(problem(StatusCode::FORBIDDEN, "The request comes from another site."));
        }
        let site = header_text(headers, &HeaderName::from_static("sec-fetch-site"));
        // A link with the token may be followed from another site; nothing else may come from there.
        let from_other_site = matches!(site, Some("cross-site" | "same-site"));
        if from_other_site && !(by_url && method == Method::GET && uri.path() == "/") {
            return Err(problem(StatusCode::FORBIDDEN, "The request comes from another site."));
        }
        if by_url || self.has_cookie(headers) {
            return Ok(Admitted { by_url });
        }
        if !self.refusals.take() {
            return Err(problem(StatusCode::TOO_MANY_REQUESTS, "Too many wrong tokens; wait a while."));
        }
        Err(problem(
            StatusCode::UNAUTHORIZED,
            "Open the address that `fissure explore` printed: it has the token in it.",
        ))
    }

    /// Counts a request that was admitted; only those who have the token can use up this limit.
    fn allow(&self) -> std::result::Result<(), Problem> {
        match self.requests.take() {
            true => Ok(()),
            false => Err(Problem(StatusCode::TOO_MANY_REQUESTS, "Too many requests; wait a second.".into())),
        }
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == self.cookie && self.token.is(value))
    }
}

struct Admitted {
    by_url: bool,
}

/// Stands before every request, and dresses every answer.
pub async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let admitted = guard.admit(request.method(), request.uri(), request.headers());
    let mut stays = false;
    let mut response = match admitted {
        Ok(admitted) => {
            stays = request.extensions().get::<Arc<Visitor>>().is_none_or(|visitor| visitor.recognise());
            let allowed = match guard.allow() {
                Ok(()) => whole(request, guard.patience).await,
                Err(problem) => Err(problem),
            };
            let mut response = match allowed {
                Ok(request) => next.run(request).await,
                Err(problem) => problem.into_response(),
            };
            if admitted.by_url {
                let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", guard.cookie, guard.token.as_str());
                if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                    response.headers_mut().insert(header::SET_COOKIE, cookie);
                }
            }
            response
        }
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    if !stays {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        // Not `no-referrer`: a browser then sends `Origin: null` with our own forms, which the guard must refuse.
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// The request with all of its body, which must be short and come soon.
async fn whole(request: Request, patience: Duration) -> std::result::Result<Request, Problem> {
    let large = || Problem(StatusCode::PAYLOAD_TOO_LARGE, format!("A request may have {BODY} bytes at most."));
    let (parts, body) = request.into_parts();
    let announced = header_text(&parts.headers, &header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    if announced.is_some_and(|length: usize| length > BODY) {
        return Err(large());
    }
    let slow = |_| Problem(StatusCode::REQUEST_TIMEOUT, "The request takes too long to arrive.".into());
    let bytes = tokio::time::timeout(patience, to_bytes(body, BODY)).await.map_err(slow)?.map_err(|_| large())?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn header_text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The token in the address, as it is written there: hexadecimal digits need no unescaping.
fn query_token(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Whether a `Host` cannot come from another name server (DNS rebinding): an address, or `localhost`.
fn is_safe_host(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(v6) => v6.split_once(']').map_or("", |(name, _)| name),
        None => host
            .rsplit_once(':')
            .map_or(host, |(name, port)| if port.bytes().all(|b| b.is_ascii_digit()) { name } else { "" }),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

/// `most` requests at once, and `per_second` more each second.
#[derive(Debug)]
struct Limit {
    most: f64,
    per_second: f64,
    left: Mutex<(f64, Instant)>,
}

impl Limit {
    fn new(most: f64, per_second: f64) -> Self {
        Self { most, per_second, left: Mutex::new((most, Instant::now())) }
    }

    fn take(&self) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let gained = now.saturating_duration_since(left.1).as_secs_f64() * self.per_second;
        *left = ((left.0 + gained).min(self.most), now);
        let free = left.0 >= 1.0;
        if free {
            left.0 -= 1.0;
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_nobody_can_turn_on_us() {
        for host in ["127.0.0.1:8000", "localhost", "LocalHost:1", "[::1]:9", "192.168.0.7:80"] {
            assert!(is_safe_host(host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8000",
            "127.0.0.1.evil.example",
            "",
            "localhost:80@evil",
            "[::1",
            "localhost.",
        ] {
            assert!(!is_safe_host(host), "{host}");
        }
    }

    #[test]
    fn strangers_do_not_use_up_the_requests_of_those_with_the_token() {
        let guard = Guard::new(Token::random().unwrap(), 80, Duration::from_secs(1));
        let uri = Uri::from_static("/");
        let mut headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("localhost"))]);
        for _ in 0..2000 {
            assert!(guard.admit(&Method::GET, &uri, &headers).is_err());
        }
        let cookie = format!("fissure-80={}", guard.token.as_str());
        headers.insert(header::COOKIE, HeaderValue::from_str(&cookie).unwrap());
        assert!(guard.admit(&Method::GET, &uri, &headers).is_ok() && guard.allow().is_ok());
    }

    #[test]
    fn a_limit_is_used_up() {
        let limit = Limit::new(2.0, 0.0);
        assert_eq!([limit.take(), limit.take(), limit.take()], [true, true, false]);
    }

    #[test]
    fn tokens_differ_and_only_the_right_one_is_right() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.as_str().len(), 32);
        assert!(one.is(one.as_str()) && !one.is(other.as_str()) && !one.is(&one.as_str()[..31]) && !one.is(""));
        assert_eq!(format!("{one:?}"), "Token(..)");
    }
}
