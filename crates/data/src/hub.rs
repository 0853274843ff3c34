//! `hf:owner/name[@revision][:file]`: files from a Hugging Face cache, and from the hub if they are not in the cache.
//!
//! The cache is the one that Python's `huggingface_hub` keeps, in the same task, so what either has fetched the other
//! finds. A hit needs no network, and is not checked against the hub: a revision stays the commit it was when it was
//! first fetched, which is what a repeatable run wants. Nothing here reads the environment; a door that wants the usual
//! variables (`HF_HOME`, `HF_ENDPOINT`, ...) passes a way to look them up to [`HubOptions::from_variables`].
//!
//! The client is our own over `ureq`: three kinds of request are all that is needed. The crate `hf-hub` 1.0 would bring
//! 225 crates (an asynchronous runtime, reqwest, the Xet storage stack, a database) where `ureq` and `sha2` bring 30,
//! and it reads the environment by itself.

use std::path::PathBuf;

use self::cache::Cached;
use self::client::Client;

mod address;
mod cache;
mod choose;
mod client;
mod download;
mod error;
mod options;
#[cfg(test)]
mod tests;

pub use address::Address;
pub use error::HubError;
pub use options::HubOptions;

/// A result of this module.
pub type Result<T> = std::result::Result<T, HubError>;

/// What a repository holds; the hub keeps the two apart, and so does its cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Dataset,
    Model,
}

/// The files of repositories: in the cache, or fetched into it.
pub struct Hub {
    options: HubOptions,
}

impl Hub {
    pub fn new(options: HubOptions) -> Self {
        Self { options }
    }

    /// The data files an address means, in the order of their shards.
    ///
    /// The address may name a file (`:data/test.csv`), a split (`:test`), a configuration and a split (`:sst2/test`), or
    /// nothing if the repository has only one table. Where that leaves a choice, the error lists the candidates.
    pub fn data(&self, address: &Address) -> Result<Vec<PathBuf>> {
        self.resolve(Kind::Dataset, address, |files| {
            choose::data(files, address.wanted.as_deref()).map_err(|why| why.about(address))
        })
    }

    /// The named files of one repository, all of the same commit: a checkpoint's parts, for instance.
    pub fn files(&self, kind: Kind, address: &Address, names: &[&str]) -> Result<Vec<PathBuf>> {
        self.resolve(kind, address, |files| choose::named(files, names).map_err(|why| why.about(address)))
    }

    /// Finds the files that `choose` takes from a repository's list: in the cache if it has them all, else on the hub.
    fn resolve(
        &self,
        kind: Kind,
        address: &Address,
        choose: impl Fn(&[String]) -> Result<Vec<String>>,
    ) -> Result<Vec<PathBuf>> {
        let cached = Cached::new(&self.options.cache_dir, kind, &address.repository);
        let known = cached.commit(address.revision());
        let mut missing = None;
        if let Some(commit) = &known {
            match choose(&cached.files(commit)) {
                Ok(files) => return Ok(files.iter().map(|file| cached.path(commit, file)).collect()),
                Err(why) => missing = Some(why),
            }
        }
        if self.options.offline {
            return Err(HubError::Offline {
                address: address.to_string(),
                looked: cached.folder().into(),
                found: missing.map_or_else(|| "nothing of it is there".into(), |why| why.to_string()),
            });
        }
        let client = Client::new(&self.options, kind, address, cached.folder())?;
        let listing = client.list()?;
        let files = choose(&listing.files)?;
        let paths = files.iter().map(|file| download::fetch(&client, &cached, &listing.commit, file));
        let paths = paths.collect::<Result<Vec<PathBuf>>>()?;
        // Last of all: a revision that the cache knows leads to files that are there.
        cached.remember(address.revision(), &listing.commit)?;
        Ok(paths)
    }
}

impl Kind {
    /// What stands in the hub's addresses before a repository's name.
    fn prefix(self) -> &'static str {
        match self {
            Self::Dataset => "datasets/",
            Self::Model => "",
        }
    }

    /// Its name in the plural, as the hub's interface and its cache write it.
    fn plural(self) -> &'static str {
        match self {
            Self::Dataset => "datasets",
            Self::Model => "models",
        }
    }
}
