//! Where the cache is, which hub to ask, and whether to ask at all.

use std::path::{Path, PathBuf};

/// How to reach the cache and the hub.
#[derive(Clone, PartialEq, Eq)]
pub struct HubOptions {
    /// The folder that holds `datasets--owner--name` and `models--owner--name`.
    pub cache_dir: PathBuf,
    /// The hub's address, without a slash at the end.
    pub endpoint: String,
    /// Whether to use the cache only.
    pub offline: bool,
    /// Sent to the hub, and never to a host that it redirects to.
    pub token: Option<String>,
    /// A proxy to go through, as in `http://user:password@host:port`.
    pub proxy: Option<String>,
}

/// The hub that everybody means.
const ENDPOINT: &str = "https://huggingface.co";

impl HubOptions {
    /// The usual hub with this cache.
    pub fn new(cache_dir: impl Into<PathBuf>) -> Self {
        Self { cache_dir: cache_dir.into(), endpoint: ENDPOINT.into(), offline: false, token: None, proxy: None }
    }

    /// What the variables say that Python's `huggingface_hub` knows too. `look_up` finds one: the environment, for a
    /// door; an empty value counts as none. Without a home folder the cache is in the working folder.
    pub fn from_variables(look_up: impl Fn(&str) -> Option<String>) -> Self {
        let look_up = |name: &str| look_up(name).filter(|value| !value.trim().is_empty());
        let first = |names: &[&str]| names.iter().find_map(|name| look_up(name));
        let folder = |name: &str, rest: &str| look_up(name).map(|folder| Path::new(&folder).join(rest));
        let cache_dir = folder("HF_HUB_CACHE", "")
            .or_else(|| folder("HUGGINGFACE_HUB_CACHE", ""))
            .or_else(|| folder("HF_HOME", "hub"))
            .or_else(|| folder("XDG_CACHE_HOME", "huggingface/hub"))
            .or_else(|| folder("HOME", ".cache/huggingface/hub"))
            .or_else(|| folder("USERPROFILE", ".cache/huggingface/hub"))
            .unwrap_or_else(|| PathBuf::from(".cache/huggingface/hub"));
        let endpoint = look_up("HF_ENDPOINT").unwrap_or_else(|| ENDPOINT.into()).trim_end_matches('/').to_owned();
        let offline = look_up("HF_HUB_OFFLINE")
            .is_some_and(|value| ["1", "on", "yes", "true"].contains(&value.to_ascii_lowercase().as_str()));
        let proxy = match endpoint.starts_with("https") {
            true => first(&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]),
            false => first(&["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]),
        };
        Self { cache_dir, endpoint, offline, token: look_up("HF_TOKEN"), proxy }
    }
}

impl std::fmt::Debug for HubOptions {
    /// Everything but the secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HubOptions")
            .field("cache_dir", &self.cache_dir)
            .field("endpoint", &self.endpoint)
            .field("offline", &self.offline)
            .field("token", &self.token.as_ref().map(|_| "(hidden)"))
            .field("proxy", &self.proxy.as_ref().map(|_| "(hidden)"))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(variables: &[(&str, &str)]) -> HubOptions {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        HubOptions::from_variables(|name| find(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_nearest_variable_wins() {
        let all = [("HF_HUB_CACHE", "/a"), ("HF_HOME", "/b"), ("XDG_CACHE_HOME", "/c"), ("HOME", "/d")];
        let folders = ["/a", "/b/hub", "/c/huggingface/hub", "/d/.cache/huggingface/hub", ".cache/huggingface/hub"];
        for (skipped, folder) in folders.into_iter().enumerate() {
            assert_eq!(options(&all[skipped..]).cache_dir, Path::new(folder));
        }
        assert_eq!(options(&[("HF_HOME", " "), ("HOME", "/d")]).cache_dir, Path::new(folders[3]));
    }

    #[test]
    fn the_hub_is_where_one_says() {
        assert_eq!(options(&[]).endpoint, ENDPOINT);
        let own =
            options(&[("HF_ENDPOINT", "http://mirror:80/"), ("HF_TOKEN", "hf_secret"), ("HF_HUB_OFFLINE", "True")]);
        assert_eq!((own.endpoint.as_str(), own.offline), ("http://mirror:80", true));
        assert!(!format!("{own:?}").contains("secret"));
        let proxies = [("HTTPS_PROXY", "http://s"), ("HTTP_PROXY", "http://p")];
        assert_eq!(options(&proxies).proxy.as_deref(), Some("http://s"));
        assert_eq!(options(&[proxies[1], ("HF_ENDPOINT", "http://mirror")]).proxy.as_deref(), Some("http://p"));
    }
}
