//! Keyboards: which keys lie beside a key, for slips of the finger.
//!
//! The layouts are plain files under `lexicons/keyboards`; two keys are neighbours when their centres are at most 1.25
//! key widths apart, which gives the six keys around a key on the staggered rows of a real keyboard.

use std::sync::OnceLock;

/// The furthest apart, in key widths, that two keys may be and still be hit for one another.
const REACH: f32 = 1.25;

/// One layout, and the neighbours of each of its characters.
#[derive(Debug)]
pub struct Keyboard {
    name: &'static str,
    /// Sorted by character.
    keys: Vec<(char, Around)>,
    /// Where each character of ASCII is in `keys`; past the end if it has no key.
    ascii: [u8; 128],
}

/// The characters on the keys around a key, nearest first.
#[derive(Debug)]
struct Around {
    all: Box<[char]>,
    letters: Box<[char]>,
}

/// All layouts, by name.
const LAYOUTS: [(&str, &str); 3] = [
    ("qwerty", include_str!("../../../lexicons/keyboards/qwerty.txt")),
    ("qwertz", include_str!("../../../lexicons/keyboards/qwertz.txt")),
    ("azerty", include_str!("../../../lexicons/keyboards/azerty.txt")),
];

/// The names that [`layout`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    LAYOUTS.iter().map(|(name, _)| *name)
}

/// The layout of that name.
pub fn layout(name: &str) -> Option<&'static Keyboard> {
    static KEYBOARDS: OnceLock<Vec<Keyboard>> = OnceLock::new();
    let all = KEYBOARDS.get_or_init(|| LAYOUTS.iter().map(|(name, file)| Keyboard::parse(name, file)).collect());
    all.iter().find(|keyboard| keyboard.name == name)
}

impl Keyboard {
    /// The name of the layout, as [`layout`] takes it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The characters on the keys around `key`, nearest first, with shift held if `key` needs shift: so a capital has
    /// capitals around it. Empty for a character that is not on this keyboard.
    pub fn neighbours(&self, key: char) -> &[char] {
        self.around(key).map_or(&[], |around| &around.all)
    }

    /// Those [neighbours](Self::neighbours) that are letters.
    #[inline]
    pub fn neighbouring_letters(&self, key: char) -> &[char] {
        self.around(key).map_or(&[], |around| &around.letters)
    }

    #[inline]
    fn around(&self, key: char) -> Option<&Around> {
        let at = match self.ascii.get(key as usize) {
            Some(at) => usize::from(*at),
            None => self.keys.binary_search_by_key(&key, |(character, _)| *character).unwrap_or(usize::MAX),
        };
        self.keys.get(at).map(|(_, around)| around)
    }

    fn parse(name: &'static str, file: &str) -> Keyboard {
        let rows = file.lines().filter(|line| !line.starts_with('#'));
        let mut places: [Vec<(char, f32, f32)>; 2] = Default::default();
        for (y, row) in rows.enumerate() {
            let mut columns = row.split(' ');
            let first: f32 = columns.next().and_then(|x| x.parse().ok()).expect("a row starts with its x");
            for (plane, keys) in places.iter_mut().zip(columns) {
                plane.extend(keys.chars().enumerate().map(|(x, key)| (key, first + x as f32, y as f32)));
            }
        }
        let mut keys: Vec<(char, Around)> =
            places.iter().flat_map(|plane| plane.iter().map(|&(key, x, y)| (key, around(plane, x, y)))).collect();
        // A few keys give the same character with and without shift: the first, without, is kept.
        keys.sort_by_key(|(key, _)| *key);
        keys.dedup_by_key(|(key, _)| *key);
        let mut ascii = [u8::MAX; 128];
        for (at, (key, _)) in keys.iter().enumerate() {
            if let Some(place) = ascii.get_mut(*key as usize) {
                *place = u8::try_from(at).expect("a keyboard has fewer keys than a byte counts");
            }
        }
        Keyboard { name, keys, ascii }
    }
}

fn around(plane: &[(char, f32, f32)], x: f32, y: f32) -> Around {
    let distance = |&(_, other_x, other_y): &(char, f32, f32)| (other_x - x).hypot(other_y - y);
    let mut near: Vec<_> = plane
        .iter()
        .map(|place| (distance(place), place.0))
        .filter(|(far, _)| *far > 0.0 && *far <= REACH + 1e-3)
        .collect();
    near.sort_by(|one, other| one.0.total_cmp(&other.0));
    let all: Box<[char]> = near.into_iter().map(|(_, key)| key).collect();
    let letters = all.iter().copied().filter(|key| key.is_alphabetic()).collect();
    Around { all, letters }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(name: &str, key: char) -> String {
        let mut keys = layout(name).unwrap().neighbours(key).to_vec();
        keys.sort();
        keys.into_iter().collect()
    }

    #[test]
    fn keys_around_a_key() {
        assert_eq!(sorted("qwerty", 'g'), "bfhtvy");
        assert_eq!(sorted("qwerty", 'G'), "BFHTVY");
        assert_eq!(sorted("qwerty", 'q'), "12aw");
        assert_eq!(sorted("qwertz", 'z'), "67ghtu");
        assert_eq!(sorted("azerty", 'q'), "<aswz");
        assert_eq!(sorted("qwerty", 'é'), "");
        assert!(layout("dvorak").is_none());
    }

    #[test]
    fn the_keys_of_the_same_row_come_first() {
        assert_eq!(&layout("qwerty").unwrap().neighbours('s')[..2], ['a', 'd']);
    }

    #[test]
    fn neighbourhood_is_mutual_and_keeps_case() {
        for keyboard in names().map(|name| layout(name).unwrap()) {
            for (key, Around { all: near, .. }) in &keyboard.keys {
                assert!(!near.is_empty() && near.len() <= 6, "{key}: {near:?}");
                for &other in near.iter().filter(|other| other.is_alphabetic() && key.is_ascii_alphabetic()) {
                    assert!(keyboard.neighbours(other).contains(key), "{}: {key} {other}", keyboard.name);
                    assert!(!key.is_lowercase() || !other.is_uppercase(), "{key} {other}");
                }
            }
            for letter in 'a'..='z' {
                let letters = keyboard.neighbouring_letters(letter);
                assert!(letters.len() >= 2, "{letter}");
                let all = keyboard.neighbours(letter).iter().filter(|key| key.is_alphabetic());
                assert!(all.eq(letters), "{letter}");
            }
        }
    }
}
