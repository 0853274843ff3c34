//! The tests of readers, writers and layouts, in one program, so that it is linked once.

mod common;
mod entry;
mod labels;
mod laws;
mod nasty;
mod pairs;
mod rows;
mod smoke;
mod texts;
