//! The forms of a report: each file writes the same document for another reader.

pub mod html;
pub mod tex;
