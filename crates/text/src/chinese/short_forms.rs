//! Short names and the words that they stand for: `央视` is `中央 电视台`.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::table::{lines, text};

/// The words that a short name stands for; none if it is no short name.
///
/// ```
/// # if fissure_text::chinese::INCLUDED {
/// assert_eq!(fissure_text::chinese::short_forms::words_of("央视"), ["中央", "电视台"]);
/// # }
/// ```
pub fn words_of(short: &str) -> &'static [&'static str] {
    static TABLE: OnceLock<HashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let entry = |line: &'static str| {
            let (short, words) = line.split_once(' ')?;
            Some((short, words.split(' ').collect()))
        };
        lines(text!("chinese_short_forms.txt")).filter_map(entry).collect()
    });
    table.get(short).map_or(&[], Vec::as_slice)
}
