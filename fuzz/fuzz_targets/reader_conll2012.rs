//! Any bytes whatever, read as `conll2012`.
#![no_main]

#[path = "../../crates/data/tests/it/entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::reader(fissure_data::Format::Conll2012, bytes));
