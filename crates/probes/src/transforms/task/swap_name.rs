use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};
use fissure_text::Upos;
use fissure_text::chinese::{all_han, dictionary, names};

use crate::support::segmented::Segmented;
use crate::support::standard::Standard;

transform! {
    /// Gives people of a segmented text names that run into the words around them: `我朝向明` for `我朝小明`.
    ///
    /// The new surname makes a word of the dictionary with the character before the name (`朝向`), or the last character of the
    /// new given name with the character behind it; the boundaries stay where they are. A file that cuts surnames off
    /// (`江 泽民`) keeps doing so. Only people with a common given name of two characters are renamed.
    pub struct SwapName {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Boundaries],
        needs: &[Donors],
        languages: &[Chinese],
        aliases: &["SwapName", "CnSwapName"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[我|token:S][朝|token:S][王|token:B][小|token:M][明|token:E][走|token:S][去|token:S]" => "[我|token:S][朝|token:S][向|token:B][小|token:M][明|token:E][走|token:S][去|token:S]",
        "[会|token:B][议|token:E][由|token:S][李|token:B][建|token:M][国|token:E][主|token:B][持|token:E][。|token:S]" => "[会|token:B][议|token:E][由|token:S][于|token:B][建|token:M][国|token:E][主|token:B][持|token:E][。|token:S]",
        "[他|token:S][向|token:S][张|token:B][晓|token:M][华|token:E][学|token:B][习|token:E][。|token:S]" => "[他|token:S][向|token:S][阳|token:B][炳|token:M][文|token:E][学|token:B][习|token:E][。|token:S]",
    ]
}

/// More names make the same point.
const GIVEN: usize = 400;

impl Transform for SwapName {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let standard = Standard::of(resources);
        let tags = segmented.tags();
        let alone = standard.names.is_joined() == Some(false);
        let found: Vec<usize> = (0..segmented.len()).filter(|at| is_name(&segmented, &tags, *at, alone)).collect();
        let mut change = Change::default();
        for chosen in dice.choose(found.len(), self.amount.of(found.len())) {
            let at = found[chosen];
            let name = if alone {
                format!("{}{}", segmented.word(at), segmented.word(at + 1))
            } else {
                segmented.word(at).to_owned()
            };
            let Some((surname, given)) = names::parts(&name) else { continue };
            let behind = segmented
                .word(at + 1 + usize::from(alone))
                .chars()
                .next()
                .filter(|c| fissure_text::chinese::is_han(*c));
            let Some((new_surname, new_given)) = ambiguous(segmented.before(at), (surname, given), behind, dice) else {
                continue;
            };
            if alone {
                segmented.put(at, &[&new_surname], &mut change);
                segmented.put(at + 1, &[&new_given], &mut change);
            } else {
                segmented.put(at, &[&format!("{new_surname}{new_given}")], &mut change);
            }
        }
        Ok(change)
    }
}

/// Whether the word is a full name of three characters, or, in a file that cuts surnames off, a surname before a given
/// name. Names of two characters are too often other words.
fn is_name(segmented: &Segmented<'_>, tags: &[Upos], at: usize, cut: bool) -> bool {
    let (word, next) = (segmented.word(at), segmented.word(at + 1));
    if !all_han(word) || tags[at] != Upos::Propn {
        return false;
    }
    let person = |name: &str| matches!(dictionary::tag(name), "" | "nr");
    if cut {
        let single = word.chars().count() == 1;
        return single && names::is_surname(word) && next.chars().count() == 2 && person(next);
    }
    let given = names::parts(word).map_or("", |(_, given)| given);
    word.chars().count() == 3 && given.chars().count() == 2 && person(word) && (is_given(given) || person(given))
}

/// Whether these characters are a given name that people have.
fn is_given(name: &str) -> bool {
    !name.is_empty() && names::given_names().contains(&name)
}

/// A name, of as many characters, that runs into what stands before or behind it.
fn ambiguous(
    before: &str,
    (surname, given): (&str, &str),
    behind: Option<char>,
    dice: &mut Dice,
) -> Option<(String, String)> {
    let last = before.chars().next_back().filter(|c| fissure_text::chinese::is_han(*c));
    let of_length = |name: &&&str, other: &str| name.chars().count() == other.chars().count();
    let mut surnames: Vec<&str> = Vec::new();
    if let Some(last) = last {
        // Few people are called so, and `主席位` reads like a word that was cut wrongly.
        let joins = |name: &&&str| **name != "位" && dictionary::count(&format!("{last}{name}")) >= 20;
        surnames = names::surnames()
            .iter()
            .filter(|name| of_length(name, surname) && **name != surname)
            .filter(joins)
            .copied()
            .collect();
    }
    let mut givens: Vec<&str> = Vec::new();
    if let Some(behind) = behind {
        let joins = |name: &&&str| {
            name.chars().next_back().is_some_and(|last| dictionary::count(&format!("{last}{behind}")) >= 20)
        };
        let all = names::given_names().iter().take(GIVEN).filter(|name| of_length(name, given) && **name != given);
        let is_plain = |name: &&&str| matches!(dictionary::tag(name), "" | "nr") && !name.ends_with(['公', '帝', '王']);
        givens = all.filter(joins).filter(is_plain).copied().collect();
    }
    if surnames.is_empty() && givens.is_empty() {
        return None;
    }
    let new_surname = dice.pick(&surnames).copied().unwrap_or(surname);
    let new_given = dice.pick(&givens).copied().unwrap_or(given);
    Some((new_surname.to_owned(), new_given.to_owned()))
}
