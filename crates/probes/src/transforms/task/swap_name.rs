use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};
use fissure_text::Upos;
use fissure_text::chinese::{all_han, dictionary, names};

use crate::support::chinese_names::is_given;
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
        "[在|token:S][莫|token:B][斯|token:M][科|token:E][举|token:B][行|token:E]" => "[在|token:S][莫|token:B][斯|token:M][科|token:E][举|token:B][行|token:E]",
        "[这|token:S][条|token:S][长|token:S][龙|token:S][静|token:B][静|token:E][地|token:S][排|token:S][着|token:S]" => "[这|token:S][条|token:S][长|token:S][龙|token:S][静|token:B][静|token:E][地|token:S][排|token:S][着|token:S]",
        "[反|token:S][马|token:B][克|token:M][思|token:E][主|token:B][义|token:E]" => "[反|token:S][马|token:B][克|token:M][思|token:E][主|token:B][义|token:E]",
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

/// Words behind which a name is that of a place, a people or a teaching: `甘珠尔 庙`, `马克思 主义`.
const NAMED_AFTER: &str = "路街道巷桥市省县区镇乡村州国城河江湖海山岛宫庙寺院站人族语数";

/// Whether the word is a full name of three characters, or, in a file that cuts surnames off, a surname before a given
/// name. Names of two characters are too often other words, and so are doubled given names (`静静`). Where a name is one word,
/// its given part has to be made of the characters of Chinese given names: `莫斯科` and `马克思` begin with a surname as well.
fn is_name(segmented: &Segmented<'_>, tags: &[Upos], at: usize, cut: bool) -> bool {
    let (word, next) = (segmented.word(at), segmented.word(at + 1));
    if !all_han(word) || tags[at] != Upos::Propn {
        return false;
    }
    let person = |name: &str| matches!(dictionary::tag(name), "" | "nr") && !is_doubled(name);
    if cut {
        let single = word.chars().count() == 1;
        // `周 武王`, `唐 太宗`, `甘 夫人`: a title.
        let is_title = next.ends_with(['王', '帝', '公', '后', '祖', '宗']) || ["夫人", "老总"].contains(&next);
        return single && names::is_surname(word) && next.chars().count() == 2 && person(next) && !is_title;
    }
    let given = names::parts(word).map_or("", |(_, given)| given);
    let is_foreign = [segmented.before(at), next].iter().any(|beside| ["·", "．", "‧", "-"].contains(beside));
    let names_more =
        next.chars().next().is_some_and(|first| NAMED_AFTER.contains(first)) || next == "主义" || next == "大学";
    word.chars().count() == 3
        && given.chars().count() == 2
        && person(word)
        && is_given(given)
        && !is_doubled(given)
        && !is_foreign
        && !names_more
}

fn is_doubled(name: &str) -> bool {
    let mut letters = name.chars();
    name.chars().count() == 2 && letters.next() == letters.next()
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
