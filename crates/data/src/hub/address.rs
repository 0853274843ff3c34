//! `hf:owner/name[@revision][:file]`, taken apart.

use std::fmt;
use std::path::{Component, Path};
use std::str::FromStr;

use super::HubError;

/// A repository, at which revision, and what of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// `owner/name`; some old data sets have no owner.
    pub repository: String,
    /// A branch, a tag or a commit; `main` where none is given.
    pub revision: Option<String>,
    /// A file or a split; for a checkpoint, nothing.
    pub wanted: Option<String>,
}

impl Address {
    /// What an address starts with.
    pub const SCHEME: &str = "hf:";

    pub fn revision(&self) -> &str {
        self.revision.as_deref().unwrap_or("main")
    }
}

impl FromStr for Address {
    type Err = HubError;

    fn from_str(given: &str) -> Result<Self, HubError> {
        let wrong = |why: &str| HubError::Address { given: given.into(), why: why.into() };
        let rest = given.strip_prefix(Self::SCHEME).ok_or_else(|| wrong("it does not start with `hf:`"))?;
        let (place, wanted) = rest.split_once(':').map_or((rest, None), |(place, wanted)| (place, Some(wanted)));
        let (repository, revision) =
            place.split_once('@').map_or((place, None), |(repository, revision)| (repository, Some(revision)));
        let names: Vec<&str> = repository.split('/').collect();
        if names.len() > 2 || !names.iter().all(|name| is_name(name)) {
            return Err(wrong(
                "`owner/name` takes letters, digits, `-`, `_` and `.`, and one `/`; a file follows a `:`",
            ));
        }
        if revision.is_some_and(|revision| !is_inside(revision)) {
            return Err(wrong("after `@` stands a branch, a tag or a commit"));
        }
        if wanted.is_some_and(|wanted| !is_inside(wanted)) {
            return Err(wrong("after `:` stands a split, or a file's path inside the repository"));
        }
        let owned = |part: Option<&str>| part.map(str::to_owned);
        Ok(Self { repository: repository.into(), revision: owned(revision), wanted: owned(wanted) })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::SCHEME, self.repository)?;
        if let Some(revision) = &self.revision {
            write!(f, "@{revision}")?;
        }
        if let Some(wanted) = &self.wanted {
            write!(f, ":{wanted}")?;
        }
        Ok(())
    }
}

/// Whether a path stays inside the folder it is joined to: what a hub or a user says becomes a path on this machine.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0', ':'])
        && !path.split('/').any(|part| part.is_empty() || part == ".")
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn is_name(name: &str) -> bool {
    // The hub forbids `--` and `..` in names; in the cache `--` divides owner and name.
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    !name.is_empty() && letters && !name.starts_with('.') && !name.contains("--") && !name.contains("..")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_come_apart_and_together() {
        let parts = |given: &str| {
            let address: Address = given.parse().expect("a good address");
            assert_eq!(address.to_string(), given);
            (address.repository.clone(), address.revision().to_owned(), address.wanted)
        };
        let owned = |repository: &str, revision: &str, wanted: Option<&str>| {
            (repository.to_owned(), revision.to_owned(), wanted.map(str::to_owned))
        };
        assert_eq!(parts("hf:a/b"), owned("a/b", "main", None));
        assert_eq!(parts("hf:imdb"), owned("imdb", "main", None));
        assert_eq!(parts("hf:a/b@v1.0:test"), owned("a/b", "v1.0", Some("test")));
        assert_eq!(parts("hf:a/b@refs/pr/3"), owned("a/b", "refs/pr/3", None));
        assert_eq!(parts("hf:a-b/c_d.e:data/test.csv"), owned("a-b/c_d.e", "main", Some("data/test.csv")));
    }

    proptest! {
        #[test]
        fn any_text_is_an_address_or_an_error(given in "(hf:)?[a./:@\\PC-]{0,20}") {
            if let Ok(address) = given.parse::<Address>() {
                prop_assert_eq!(address.to_string(), given);
                prop_assert!(is_inside(&address.repository) && is_inside(address.revision()));
            }
        }
    }

    #[test]
    fn nothing_leads_out_of_the_cache() {
        let bad = [
            "a/b",
            "hf:",
            "hf:a/b/c",
            "hf:a b/c",
            "hf:../b",
            "hf:a/..",
            "hf:a--b/c",
            "hf:a/b@",
            "hf:a/b@../x",
            "hf:a/b:",
            "hf:a/b:../../x",
            "hf:a/b:/etc/passwd",
            "hf:a/b:x//y",
            "hf:a/b:./x",
            "hf:a/b@a\\b",
            "hf:a/b:c:d",
        ];
        for given in bad {
            let error = given.parse::<Address>().expect_err(given).to_string();
            assert!(error.contains(given) && error.contains("hf:owner/name"), "{error}");
        }
    }
}
