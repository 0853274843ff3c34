//! Places: provinces, cities and counties of China, countries and cities abroad.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::table::{lines, text};
use crate::names::places::Region;

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
    known: HashMap<&'static str, (PlaceKind, Region)>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { lists: HashMap::new(), known: HashMap::new() };
        for line in lines(text!("chinese_places.txt")) {
            let mut fields = line.split(' ');
            let (Some(what), Some(short)) = (fields.next(), fields.next()) else { continue };
            let (kind, part) = what.split_once(':').unwrap_or((what, "asia"));
            let kind = match kind {
                "p" => PlaceKind::Province,
                "c" => PlaceKind::City,
                "d" => PlaceKind::County,
                "n" => PlaceKind::Country,
                "f" => PlaceKind::CityAbroad,
                _ => continue,
            };
            let region = match part {
                "africa" => Region::Africa,
                "asia" => Region::Asia,
                "europe" => Region::Europe,
                "north_america" => Region::NorthAmerica,
                "south_america" => Region::SouthAmerica,
                "oceania" => Region::Oceania,
                _ => continue,
            };
            table.lists.entry(kind).or_default().push(short);
            table.known.insert(short, (kind, region));
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
    table().known.get(name).map(|(kind, _)| *kind)
}

/// The part of the world that a place with this short name is in.
///
/// ```
/// use fissure_text::{chinese::places, names::places::Region};
/// # if fissure_text::chinese::INCLUDED {
/// assert_eq!((places::region("法国"), places::region("浙江")), (Some(Region::Europe), Some(Region::Asia)));
/// # }
/// ```
pub fn region(name: &str) -> Option<Region> {
    table().known.get(name).map(|(_, region)| *region)
}

/// The short names of all places of a kind, in a fixed order.
pub fn list(kind: PlaceKind) -> &'static [&'static str] {
    table().lists.get(&kind).map_or(&[], Vec::as_slice)
}
