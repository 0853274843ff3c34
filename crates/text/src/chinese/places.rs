//! Places: provinces, cities and counties of China, countries and cities abroad.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::table::{lines, text};

/// Places of one kind can stand for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlaceKind {
    Province,
    City,
    County,
    Country,
    CityAbroad,
}

struct Table {
    lists: HashMap<PlaceKind, Vec<&'static str>>,
    kinds: HashMap<&'static str, PlaceKind>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { lists: HashMap::new(), kinds: HashMap::new() };
        for line in lines(text!("chinese_places.txt")) {
            let mut fields = line.split(' ');
            let kind = match fields.next() {
                Some("p") => PlaceKind::Province,
                Some("c") => PlaceKind::City,
                Some("d") => PlaceKind::County,
                Some("n") => PlaceKind::Country,
                Some("f") => PlaceKind::CityAbroad,
                _ => continue,
            };
            let Some(short) = fields.next() else { continue };
            table.lists.entry(kind).or_default().push(short);
            table.kinds.insert(short, kind);
        }
        table
    })
}

/// What kind of place this is the short name of.
///
/// ```
/// use fissure_text::chinese::places::{self, PlaceKind};
/// # if fissure_text::chinese::INCLUDED {
/// assert_eq!(places::kind("浙江"), Some(PlaceKind::Province));
/// assert_eq!(places::kind("法国"), Some(PlaceKind::Country));
/// assert_eq!(places::kind("桌子"), None);
/// # }
/// ```
pub fn kind(name: &str) -> Option<PlaceKind> {
    table().kinds.get(name).copied()
}

/// The short names of all places of a kind, in a fixed order.
pub fn list(kind: PlaceKind) -> &'static [&'static str] {
    table().lists.get(&kind).map_or(&[], Vec::as_slice)
}
