//! The HTTP client for a hub: which files a repository has, what a file is like, and its bytes from some point on.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use ureq::http::{HeaderMap, Response};
use ureq::{Agent, Body, Proxy};

use super::address::is_inside;
use super::cache::is_commit;
use super::{Address, HubError, HubOptions, Kind, Result};

/// A client for one repository.
pub(super) struct Client<'a> {
    agent: Agent,
    options: &'a HubOptions,
    kind: Kind,
    pub address: &'a Address,
    /// Where the cache was searched, for errors.
    looked: &'a Path,
}

/// What a repository is at a revision.
pub(super) struct Listing {
    pub commit: String,
    pub files: Vec<String>,
}

/// What a file is, before it is fetched.
pub(super) struct About {
    pub url: String,
    /// Names the content: the SHA-256 of a large file, the hash that git gives a small one.
    pub etag: String,
    pub size: Option<u64>,
}

/// A server that does not answer for so long is gone.
const PATIENCE: Duration = Duration::from_secs(60);
const MOST_REDIRECTS: usize = 10;
/// The list of a repository with a million files is about so long.
const LONGEST_LIST: u64 = 256 << 20;

impl<'a> Client<'a> {
    pub fn new(options: &'a HubOptions, kind: Kind, address: &'a Address, looked: &'a Path) -> Result<Self> {
        let proxy = match &options.proxy {
            None => None,
            Some(proxy) => Some(Proxy::new(proxy).map_err(|why| HubError::Unreachable {
                address: address.to_string(),
                endpoint: options.endpoint.clone(),
                looked: looked.into(),
                why: format!("the proxy's address cannot be used: {why}"),
            })?),
        };
        let config = Agent::config_builder()
            // Given here or not at all: the library would look into the environment by itself.
            .proxy(proxy)
            // Followed by hand: the hub's headers are on the first answer, and the token must not go to the last.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_connect(Some(PATIENCE / 2))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_per_read(Some(PATIENCE))
            .accept_encoding("identity")
            .user_agent(concat!("fissure/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self { agent: config.new_agent(), options, kind, address, looked })
    }

    /// The repository's files at the revision of the address.
    pub fn list(&self) -> Result<Listing> {
        let url = format!(
            "{}/api/{}/{}/revision/{}",
            self.options.endpoint,
            self.kind.plural(),
            self.address.repository,
            escape(self.address.revision(), b"")
        );
        let mut response = self.follow("GET", &url, 0, false)?;
        let odd = |why: &str| HubError::NotAHub { url: url.clone(), why: why.into() };
        let body = response
            .body_mut()
            .with_config()
            .limit(LONGEST_LIST)
            .read_to_vec()
            .map_err(|why| self.unreachable(&why))?;
        let reply: Value = serde_json::from_slice(&body).map_err(|why| odd(&format!("no JSON: {why}")))?;
        let commit = reply["sha"].as_str().filter(|sha| is_commit(sha)).ok_or_else(|| odd("no commit in `sha`"))?;
        let siblings = reply["siblings"].as_array().ok_or_else(|| odd("no list of files in `siblings`"))?;
        let names = siblings.iter().filter_map(|file| file["rfilename"].as_str());
        Ok(Listing {
            commit: commit.to_owned(),
            files: names.filter(|name| is_inside(name)).map(str::to_owned).collect(),
        })
    }

    /// What the hub says of a file of a commit.
    pub fn about(&self, commit: &str, file: &str) -> Result<About> {
        let Address { repository, .. } = self.address;
        let prefix = self.kind.prefix();
        let url = format!("{}/{prefix}{repository}/resolve/{commit}/{}", self.options.endpoint, escape(file, b"/"));
        let response = self.follow("HEAD", &url, 0, true)?;
        let headers = response.headers();
        // A large file is stored on another host: the hub answers with a redirect that describes it.
        let etag = header(headers, "x-linked-etag").or_else(|| header(headers, "etag"));
        let etag = etag.map(|etag| etag.trim_start_matches("W/").trim_matches('"'));
        // It becomes the name of a file in the cache.
        let usable = |etag: &&str| {
            !etag.is_empty() && etag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        let Some(etag) = etag.filter(usable) else {
            return Err(HubError::NotAHub { url, why: "no usable ETag".into() });
        };
        let own_length = header(headers, "content-length").filter(|_| response.status().is_success());
        let size = header(headers, "x-linked-size").or(own_length).and_then(|size| size.parse().ok());
        Ok(About { etag: etag.to_owned(), size, url })
    }

    /// The bytes of a file from `from` on, if the server can; from the start, otherwise: see the status.
    pub fn bytes(&self, about: &About, from: u64) -> Result<Response<Body>> {
        self.follow("GET", &about.url, from, false)
    }

    /// Asks, and goes where the answer points. `stay` stops at the door of another host.
    fn follow(&self, method: &str, url: &str, from: u64, stay: bool) -> Result<Response<Body>> {
        let mut here = url.to_owned();
        for _ in 0..MOST_REDIRECTS {
            let mut request = ureq::http::Request::builder().method(method).uri(&here);
            if let Some(token) = self.options.token.as_ref().filter(|_| origin(&here) == origin(&self.options.endpoint))
            {
                request = request.header("authorization", format!("Bearer {token}"));
            }
            if from > 0 {
                request = request.header("range", format!("bytes={from}-"));
            }
            let request = request.body(()).map_err(|why| self.unreachable(&why.into()))?;
            let response = self.agent.run(request).map_err(|why| self.unreachable(&why))?;
            let status = response.status();
            let Some(next) = header(response.headers(), "location").filter(|_| status.is_redirection()) else {
                // 416: there is nothing after `from`; the caller knows what that means.
                let fine = status.is_success() || (status == 416 && from > 0);
                return if fine { Ok(response) } else { Err(self.refused(&here, &response)) };
            };
            let next = if next.starts_with('/') { format!("{}{next}", origin(&here)) } else { next.to_owned() };
            if stay && origin(&next) != origin(&here) {
                return Ok(response);
            }
            here = next;
        }
        Err(HubError::NotAHub { url: url.into(), why: format!("more than {MOST_REDIRECTS} redirects") })
    }

    /// What an answer other than yes means.
    fn refused(&self, url: &str, response: &Response<Body>) -> HubError {
        let (status, headers) = (response.status().as_u16(), response.headers());
        let Address { repository, .. } = self.address;
        let page = format!("{}/{}{repository}", self.options.endpoint, self.kind.prefix());
        let repository = repository.clone();
        match (status, header(headers, "x-error-code")) {
            (_, Some("GatedRepo")) => HubError::Gated { repository, page },
            (_, Some("RevisionNotFound")) => HubError::NoRevision {
                repository,
                revision: self.address.revision().into(),
                page: format!("{page}/tree"),
            },
            (_, Some("RepoNotFound")) | (401 | 403 | 404, None) => {
                let kind = match self.kind {
                    Kind::Dataset => "data set",
                    Kind::Model => "model",
                };
                HubError::NoRepository { kind, repository, endpoint: self.options.endpoint.clone() }
            }
            _ => {
                let why = header(headers, "x-error-message").map(|why| format!(" ({why})")).unwrap_or_default();
                HubError::Refused { address: self.address.to_string(), url: url.into(), status, why }
            }
        }
    }

    pub fn unreachable(&self, why: &ureq::Error) -> HubError {
        HubError::Unreachable {
            address: self.address.to_string(),
            endpoint: self.options.endpoint.clone(),
            looked: self.looked.into(),
            why: why.to_string(),
        }
    }
}

pub(super) fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// `https://host:port` of an address.
fn origin(url: &str) -> &str {
    let after = url.find("://").map_or(0, |at| at + 3);
    url[after..].find('/').map_or(url, |end| &url[..after + end])
}

/// Writes a text so that it can stand in an address; `keep` stands as it is beside letters and digits.
fn escape(text: &str, keep: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || keep.contains(&byte) {
            escaped.push(byte.into());
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
