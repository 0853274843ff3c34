//! Titles of films, with the year and the director of each.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Film {
    pub title: &'static str,
    pub year: u16,
    /// Empty if not known.
    pub director: &'static str,
}

/// All films, by title.
pub fn all() -> &'static [Film] {
    static ALL: OnceLock<Vec<Film>> = OnceLock::new();
    ALL.get_or_init(|| {
        let read = |line: &'static str| {
            let mut cells = line.split('\t');
            Some(Film { title: cells.next()?, year: cells.next()?.parse().ok()?, director: cells.next().unwrap_or("") })
        };
        include_str!("../../../../lexicons/films.txt").lines().filter_map(read).collect()
    })
}

/// The film of this title, as it is written.
pub fn find(title: &str) -> Option<&'static Film> {
    static BY_TITLE: OnceLock<HashMap<&'static str, &'static Film>> = OnceLock::new();
    BY_TITLE.get_or_init(|| all().iter().map(|film| (film.title, film)).collect()).get(title).copied()
}

/// The directors, each once, in order.
pub fn directors() -> &'static [&'static str] {
    static DIRECTORS: OnceLock<Vec<&'static str>> = OnceLock::new();
    DIRECTORS.get_or_init(|| {
        let mut names: Vec<&str> = all().iter().map(|film| film.director).filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        names
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn films_are_found_by_title() {
        let film = find("Jurassic Park").unwrap();
        assert_eq!((film.year, film.director), (1993, "Steven Spielberg"));
        assert_eq!(find("No Such Film At All"), None);
        assert!(directors().len() > 300 && directors().contains(&"Steven Spielberg"));
    }
}
