//! Any bytes whatever, read as `csv`.
#![no_main]

#[path = "../../crates/data/tests/it/entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::reader(fissure_data::Format::Csv, bytes));
