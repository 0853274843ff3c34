//! The forms of a report: each file writes the same document for another reader.

pub mod html;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod tex;
