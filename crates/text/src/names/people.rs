//! First names by gender and surnames, with how common they are (US census of 1990).

use super::Gender;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A name of a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Name {
    /// As it is written: `Mary`, `McDonald`.
    pub text: &'static str,
    /// Of 100,000 people (of that gender, for first names), how many bear it.
    pub per_100_000: u32,
}

/// The first names of a gender, the most common first. A name of both is in the list of the one that bears it more.
pub fn first_names(gender: Gender) -> &'static [Name] {
    match gender {
        Gender::Female => &lists().female,
        Gender::Male => &lists().male,
    }
}

/// The surnames, the most common first.
pub fn surnames() -> &'static [Name] {
    &lists().surnames
}

/// The gender that bears a first name mostly (by nine in ten at least), or nothing for a name of both or no name.
pub fn gender(first_name: &str) -> Option<Gender> {
    let (gender, share, _) = lists().genders.get(first_name)?;
    (*share >= 90).then_some(*gender)
}

/// Whether it is a first name of anyone.
pub fn is_first_name(word: &str) -> bool {
    lists().genders.contains_key(word)
}

/// Whether it is one of the 10,000 most common surnames.
pub fn is_surname(word: &str) -> bool {
    lists().surname_ranks.contains_key(word)
}

/// The place of a name in the list it belongs to ([`first_names`] of its gender, or [`surnames`]): to find one that is
/// as common.
pub fn first_name_rank(name: &str) -> Option<(Gender, usize)> {
    lists().genders.get(name).map(|(gender, _, rank)| (*gender, *rank))
}

/// The place of a surname in [`surnames`].
pub fn surname_rank(name: &str) -> Option<usize> {
    lists().surname_ranks.get(name).copied()
}

struct Lists {
    female: Vec<Name>,
    male: Vec<Name>,
    surnames: Vec<Name>,
    /// The gender that bears the name more, by how many in a hundred, and the place in its list.
    genders: HashMap<&'static str, (Gender, u8, usize)>,
    surname_ranks: HashMap<&'static str, usize>,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let mut lists = Lists {
            female: Vec::new(),
            male: Vec::new(),
            surnames: Vec::new(),
            genders: HashMap::new(),
            surname_ranks: HashMap::new(),
        };
        for fields in rows(include_str!("../../../../lexicons/first_names.txt")) {
            if let [text, gender, count, share] = fields[..] {
                let gender = if gender == "f" { Gender::Female } else { Gender::Male };
                let list = if gender == Gender::Female { &mut lists.female } else { &mut lists.male };
                lists.genders.insert(text, (gender, share.parse().unwrap_or(0), list.len()));
                list.push(Name { text, per_100_000: count.parse().unwrap_or(0) });
            }
        }
        for fields in rows(include_str!("../../../../lexicons/surnames.txt")) {
            if let [text, count] = fields[..] {
                lists.surname_ranks.insert(text, lists.surnames.len());
                lists.surnames.push(Name { text, per_100_000: count.parse().unwrap_or(0) });
            }
        }
        lists
    })
}

fn rows(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    file.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names() {
        assert_eq!(first_names(Gender::Female)[0].text, "Mary");
        assert_eq!(first_names(Gender::Male)[0].text, "James");
        assert_eq!(surnames()[0], Name { text: "Smith", per_100_000: 1006 });
        assert_eq!(gender("Patricia"), Some(Gender::Female));
        assert_eq!(gender("Robert"), Some(Gender::Male));
        assert_eq!(gender("Casey"), None, "a name of both");
        assert_eq!((gender("Qqq"), gender(""), gender("mary")), (None, None, None));
        assert_eq!(first_name_rank("Mary"), Some((Gender::Female, 0)));
        let (gender, rank) = first_name_rank("Gordon").unwrap();
        assert_eq!(first_names(gender)[rank].text, "Gordon");
        assert!(is_first_name("Casey") && !is_first_name("the"));
        assert!(is_surname("McDonald") && is_surname("O'Brien") && surname_rank("Smith") == Some(0));
    }

    #[test]
    fn lists_are_whole_and_sorted() {
        for list in [first_names(Gender::Female), first_names(Gender::Male), surnames()] {
            assert!(list.len() > 900, "{}", list.len());
            assert!(list.is_sorted_by(|one, other| one.per_100_000 >= other.per_100_000));
            assert!(list.iter().all(|name| name.text.starts_with(char::is_uppercase)));
        }
        let lists = lists();
        assert_eq!(lists.female.len() + lists.male.len(), lists.genders.len(), "each name once");
        assert_eq!(lists.surnames.len(), lists.surname_ranks.len());
    }
}
