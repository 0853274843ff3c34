//! Characters that look alike: `己` and `已`.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::table::{lines, text};

/// Common characters that look like this one, the most alike first.
///
/// ```
/// # if fissure_text::chinese::INCLUDED {
/// assert!(fissure_text::chinese::shapes::like('已').contains(&'己'));
/// # }
/// ```
pub fn like(c: char) -> &'static [char] {
    static TABLE: OnceLock<HashMap<char, Vec<char>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table: HashMap<char, Vec<char>> = HashMap::new();
        let mut add = |one: char, other: char| {
            let known = table.entry(one).or_default();
            if one != other && !known.contains(&other) {
                known.push(other);
            }
        };
        let characters = |line: &'static str| line.split(' ').filter_map(|field| field.chars().next());
        for line in lines(text!("chinese_shapes_extra.txt")) {
            characters(line).for_each(|one| characters(line).for_each(|other| add(one, other)));
        }
        for line in lines(text!("chinese_shapes.txt")) {
            let mut fields = characters(line);
            let first = fields.next();
            first.into_iter().for_each(|one| fields.by_ref().for_each(|other| add(one, other)));
        }
        table
    });
    table.get(&c).map_or(&[], Vec::as_slice)
}
