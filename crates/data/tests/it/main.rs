//! The tests of readers, writers and layouts, in one program, so that it is linked once.
#![allow(
    clippy::unwrap_used,
    clippy::incompatible_msrv,
    clippy::needless_pass_by_value,
    reason = "a test may fail loudly, and runs on the compiler of the day"
)]

mod bounds;
mod common;
mod entry;
mod labels;
mod laws;
mod nasty;
mod pairs;
mod rows;
mod smoke;
mod texts;
