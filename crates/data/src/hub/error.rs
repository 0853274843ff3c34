//! Errors of the hub: each error names the repository, the file, where was looked, and the
//! next step.

use std::path::PathBuf;

/// An error of this module.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    #[error("`{given}` is not an address: {why}. Write `hf:owner/name[@revision][:file or split]`")]
    Address { given: String, why: String },
    #[error(
        "`{address}` is not in the cache, and this run is offline. Looked in `{}`: {found}. \
         Run once with a network, or set HF_HOME to the folder that has it", looked.display()
    )]
    Offline { address: String, looked: PathBuf, found: String },
    #[error(
        "cannot reach {endpoint} for `{address}`: {why}. It is not in the cache either (`{}`). \
         Check the network and HF_ENDPOINT, or set HF_HOME to the folder that has it", looked.display()
    )]
    Unreachable { address: String, endpoint: String, looked: PathBuf, why: String },
    #[error(
        "{endpoint} has no {kind} `{repository}`, or keeps it private. Check its name; for a private one set HF_TOKEN"
    )]
    NoRepository { kind: &'static str, repository: String, endpoint: String },
    #[error("`{repository}` is only for those who accepted its terms. Do so at {page}, then set HF_TOKEN")]
    Gated { repository: String, page: String },
    #[error("`{repository}` has no revision `{revision}`. {page} shows its branches and tags")]
    NoRevision { repository: String, revision: String, page: String },
    #[error("`{repository}` has no file `{file}`{candidates}")]
    NoFile { repository: String, file: String, candidates: String },
    #[error("`{repository}` has no data file that can be read (Parquet, JSON lines, CSV, TSV, CoNLL){candidates}")]
    NoData { repository: String, candidates: String },
    #[error("`{address}` could be several tables{candidates}")]
    Ambiguous { address: String, candidates: String },
    #[error("`{repository}` has only {found} of the {total} shards of `{stem}`")]
    Shards { repository: String, stem: String, found: usize, total: usize },
    #[error("{url} answers {status}{why}. Try again later; `{address}` was not changed in the cache")]
    Refused { address: String, url: String, status: u16, why: String },
    #[error("{url} does not answer as a Hugging Face hub does: {why}. Check HF_ENDPOINT")]
    NotAHub { url: String, why: String },
    #[error(
        "`{file}` of `{repository}` ended after {got} of {size} bytes: {why}. What came is kept; \
         run again to go on from there"
    )]
    BrokenOff { repository: String, file: String, got: u64, size: String, why: String },
    #[error("`{file}` of `{repository}` arrived damaged: {why}. It was deleted; run again to download it")]
    Damaged { repository: String, file: String, why: String },
    #[error("cannot write `{}` into the cache: {why}. Set HF_HOME to a folder that can be written", path.display())]
    Cache { path: PathBuf, why: std::io::Error },
}
