//! Data: readers, writers and the built-in demo corpus.
//!
//! Every file becomes a stream of [`Row`]s (columns in order), whatever its format; a
//! [`Task`] makes a [`Sample`](fissure_core::Sample) of a row, and a row of a sample, in the shape it came in. So a format knows nothing
//! of tasks and a task nothing of formats.
//!
//! ```
//! use fissure_data::{ReadOptions, Samples, Writer};
//!
//! let options = ReadOptions::new(fissure_tasks::find("sa")?);
//! let reviews = &b"{\"text\": \"So good!\", \"label\": 1}\n{\"text\": \"So bad.\", \"label\": 0}\n"[..];
//! let mut samples = Samples::of_bytes("reviews", reviews, options)?;
//! let batch = samples.batch(100)?;
//! assert_eq!(batch[1].text("text").unwrap().as_str(), "So bad.");
//! assert!(samples.batch(100)?.is_empty());
//! # Ok::<(), fissure_data::Error>(())
//! ```

pub mod demo;
pub mod draft;
mod error;
pub mod formats;
pub mod hub;
mod input;
mod output;
pub mod pairs;
mod samples;
mod writer;

/// Values in the columns of Arrow, as rows have them.
pub mod arrow {
    pub use crate::formats::arrow::{batch, schema, value};
}

pub use draft::{Draft, DraftFolder, Existing, Journal};
pub use error::{BadRow, Error, Result};
pub use samples::check_fields;
// What the readers take and give.
pub use fissure_tasks::{Columns, Fault, Row, SampleId, Task};
pub use formats::{Format, LineEnd, Shape, ending};
pub use output::Output;
pub use samples::{OnBadRow, ReadAs, ReadOptions, Samples, Skipped};
pub use writer::Writer;
