//! Any bytes whatever, read as `parquet`.
#![no_main]

#[path = "../../crates/data/tests/it/entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(
    init: {
        // The fuzzer ends at every panic; those of the parser that the reader reports as errors are expected.
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !fissure_data::formats::panic_is_expected() {
                usual(panic);
            }
        }));
    },
    |bytes: &[u8]| entry::reader(fissure_data::Format::Parquet, bytes)
);
