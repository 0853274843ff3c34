//! The bytes of a built-in table of Chinese.

/// The bytes of a file under `lexicons/`; none if the program is built without the feature `chinese`.
macro_rules! table {
    ($file:literal) => {{
        #[cfg(feature = "chinese")]
        const BYTES: &[u8] = include_bytes!(concat!("../../../../lexicons/", $file));
        #[cfg(not(feature = "chinese"))]
        const BYTES: &[u8] = &[];
        BYTES
    }};
}

/// The text of a file under `lexicons/`; empty if the program is built without the feature `chinese`.
macro_rules! text {
    ($file:literal) => {{
        #[cfg(feature = "chinese")]
        const TEXT: &str = include_str!(concat!("../../../../lexicons/", $file));
        #[cfg(not(feature = "chinese"))]
        const TEXT: &str = "";
        TEXT
    }};
}

pub(super) use {table, text};

/// The lines of a table that say something.
pub(super) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}
