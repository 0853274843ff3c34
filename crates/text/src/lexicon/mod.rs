//! The format of the built-in tables, and how they are read.
//!
//! A table is a stream of numbers, bytes and word lists, made by [`Writer`] and read back by [`Reader`], compressed with
//! zlib and checked by its checksum. `cargo xtask lexicons` writes them; each is unpacked once, when it is first asked
//! for, into flat arrays ([`Words`], [`Lists`]) in which a look-up allocates nothing.

mod lists;
mod reader;
mod words;
mod writer;

pub use lists::Lists;
pub use reader::Reader;
pub use words::Words;
pub(crate) use words::hash;
pub use writer::Writer;

/// What the first bytes of an unpacked table are.
const MAGIC: &[u8] = b"fissure lexicon 1\n";

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LexiconError {
    /// The bytes are no zlib stream, or a damaged one.
    #[error("the table cannot be decompressed: {0}; make it again with `cargo xtask lexicons`")]
    Compression(String),
    /// The stream is of something else, or of another version.
    #[error("the table starts with {0:?}, not with the mark of a lexicon; make it again with `cargo xtask lexicons`")]
    Magic(Vec<u8>),
    /// The stream says something that cannot be.
    #[error("the table is damaged at byte {at}: {what}; make it again with `cargo xtask lexicons`")]
    Damaged {
        /// Where in the unpacked stream.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests;
