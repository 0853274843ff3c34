//! Countries, capitals, cities and states, with the part of the world they are in and how often texts speak of them.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A sovereign country or a territory.
    Country,
    /// The capital of a country.
    Capital,
    /// Another city.
    City,
    /// A state of the United States.
    State,
}

/// A part of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// Africa.
    Africa,
    /// Asia.
    Asia,
    /// Europe.
    Europe,
    /// North and Central America and the Caribbean.
    NorthAmerica,
    /// South America.
    SouthAmerica,
    /// Australia and the islands of the Pacific.
    Oceania,
}

/// A place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its English name, without an article.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Whether texts say `the` before it: `the Netherlands`.
    pub takes_the: bool,
    /// The country it is in; itself for a country.
    pub country: &'static str,
    /// Where that is.
    pub region: Region,
    /// The adjective of a country: `Dutch`; empty if none is known, and for other places.
    pub adjective: &'static str,
}

/// Every place, the most often mentioned first.
pub fn all() -> &'static [Place] {
    &lists().places
}

/// The places of that kind, the most often mentioned first, with their places in [`all`].
pub fn of_kind(kind: Kind) -> impl Iterator<Item = (usize, &'static Place)> {
    all().iter().enumerate().filter(move |(_, place)| place.kind == kind)
}

/// The place of that name, the most often mentioned if there are several, and its place in [`all`].
pub fn find(name: &str) -> Option<(usize, &'static Place)> {
    let rank = *lists().by_name.get(name)?;
    all().get(rank).map(|place| (rank, place))
}

/// The country that an adjective belongs to: the Netherlands for `Dutch`.
pub fn country_of(adjective: &str) -> Option<&'static Place> {
    lists().by_adjective.get(adjective).and_then(|rank| all().get(*rank))
}

struct Lists {
    places: Vec<Place>,
    by_name: HashMap<&'static str, usize>,
    by_adjective: HashMap<&'static str, usize>,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let mut lists = Lists { places: Vec::new(), by_name: HashMap::new(), by_adjective: HashMap::new() };
        let file = include_str!("../../../../lexicons/places.txt");
        for place in file.lines().filter(|line| !line.starts_with('#')).filter_map(parse) {
            let rank = lists.places.len();
            lists.by_name.entry(place.name).or_insert(rank);
            if !place.adjective.is_empty() {
                lists.by_adjective.entry(place.adjective).or_insert(rank);
            }
            lists.places.push(place);
        }
        lists
    })
}

fn parse(line: &'static str) -> Option<Place> {
    let [name, kind, the, country, region, adjective] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
    let kind = match kind {
        "country" => Kind::Country,
        "capital" => Kind::Capital,
        "city" => Kind::City,
        "state" => Kind::State,
        _ => return None,
    };
    let region = match region {
        "Africa" => Region::Africa,
        "Asia" => Region::Asia,
        "Europe" => Region::Europe,
        "North America" => Region::NorthAmerica,
        "South America" => Region::SouthAmerica,
        "Oceania" => Region::Oceania,
        _ => return None,
    };
    Some(Place { name, kind, takes_the: the == "the", country, region, adjective })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_places() {
        let place = |name| find(name).map(|(_, place)| *place).unwrap_or_else(|| panic!("{name} is a place"));
        assert_eq!(place("France").adjective, "French");
        assert_eq!(
            (place("Paris").kind, place("Paris").country, place("Paris").region),
            (Kind::Capital, "France", Region::Europe)
        );
        assert_eq!((place("Chicago").kind, place("Texas").kind), (Kind::City, Kind::State));
        assert_eq!(
            (place("Lagos").region, place("Peru").region, place("Mumbai").region),
            (Region::Africa, Region::SouthAmerica, Region::Asia)
        );
        assert!(place("Netherlands").takes_the && place("United States").takes_the && !place("Spain").takes_the);
        assert_eq!(country_of("Japanese").map(|place| place.name), Some("Japan"));
        assert_eq!(country_of("American").map(|place| place.name), Some("United States"));
        assert!(find("").is_none() && find("paris").is_none() && find("Of").is_none() && find("Nice").is_none());
    }

    #[test]
    fn the_list_is_whole() {
        let lines =
            include_str!("../../../../lexicons/places.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(all().len(), lines, "every line is understood");
        for (kind, least) in [(Kind::Country, 150), (Kind::Capital, 100), (Kind::City, 400), (Kind::State, 45)] {
            assert!(of_kind(kind).count() >= least, "{kind:?}: {}", of_kind(kind).count());
        }
        assert!(find("London").unwrap().0 < find("Leeds").unwrap().0, "London is spoken of more often");
        for place in all() {
            assert!(find(place.country).is_some_and(|(_, country)| country.kind == Kind::Country), "{place:?}");
        }
    }
}
