//! The regular inflection of English, for words that no table has.

use super::slot::{Kind, Slot};

/// The regular form of a lower-case word; nothing for the comparative of a word that takes `more` instead.
pub fn inflect(word: &str, slot: Slot) -> Option<String> {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let with = |drop: usize, ending: &str| format!("{}{ending}", &word[..word.len() - drop]);
    let doubled = |ending: &str| match last(word) {
        Some(letter) if doubles(word) => format!("{word}{letter}{ending}"),
        _ => format!("{word}{ending}"),
    };
    let soft_y = consonant_y(word);
    Some(match slot {
        Slot::Present => word.to_owned(),
        Slot::Plural if word.len() > 3 && word.ends_with("man") => with(2, "en"),
        Slot::Plural if word.len() > 4 && word.ends_with("sis") => with(2, "es"),
        Slot::Plural | Slot::ThirdPerson if soft_y => with(1, "ies"),
        Slot::Plural | Slot::ThirdPerson if ends(&["s", "x", "z", "ch", "sh"]) => with(0, "es"),
        Slot::ThirdPerson if consonant_then(word, 'o') => with(0, "es"),
        Slot::Plural | Slot::ThirdPerson => with(0, "s"),
        Slot::Past | Slot::PastParticiple if word.ends_with('e') => with(0, "d"),
        Slot::Past | Slot::PastParticiple if soft_y => with(1, "ied"),
        Slot::Past | Slot::PastParticiple if ends(&["ic"]) => with(0, "ked"),
        Slot::Past | Slot::PastParticiple => doubled("ed"),
        Slot::Ing if ends(&["ie"]) => with(2, "ying"),
        Slot::Ing if word.len() > 2 && word.ends_with('e') && !ends(&["ee", "oe", "ye"]) => with(1, "ing"),
        Slot::Ing if ends(&["ic"]) => with(0, "king"),
        Slot::Ing => doubled("ing"),
        Slot::AdverbComparative | Slot::AdverbSuperlative if ends(&["ly"]) => return None,
        Slot::Comparative | Slot::AdverbComparative => return graded(word, soft_y, ["r", "ier", "er"]),
        Slot::Superlative | Slot::AdverbSuperlative => return graded(word, soft_y, ["st", "iest", "est"]),
    })
}

fn graded(word: &str, soft_y: bool, [after_e, for_y, plain]: [&str; 3]) -> Option<String> {
    match syllables(word) {
        1 if word.ends_with('e') => Some(format!("{word}{after_e}")),
        1 if doubles(word) => last(word).map(|letter| format!("{word}{letter}{plain}")),
        1 => Some(format!("{word}{plain}")),
        2 if soft_y => Some(format!("{}{for_y}", &word[..word.len() - 1])),
        _ => None,
    }
}

/// The likeliest word whose regular form in that slot is `form`. `known` says whether a word is a word of that kind:
/// such a one is preferred.
pub fn uninflect(form: &str, slot: Slot, known: impl Fn(&str, Kind) -> bool) -> Option<String> {
    let endings: &[(&str, &str)] = match slot {
        Slot::Present => &[("", "")],
        Slot::Plural => &[("men", "man"), ("ies", "y"), ("es", ""), ("ses", "sis"), ("s", "")],
        Slot::ThirdPerson => &[("ies", "y"), ("es", ""), ("s", "")],
        Slot::Past | Slot::PastParticiple => &[("ied", "y"), ("cked", "c"), ("ed", "e"), ("ed", "")],
        Slot::Ing => &[("ying", "ie"), ("cking", "c"), ("ing", "e"), ("ing", "")],
        Slot::Comparative | Slot::AdverbComparative => &[("ier", "y"), ("er", "e"), ("er", "")],
        Slot::Superlative | Slot::AdverbSuperlative => &[("iest", "y"), ("est", "e"), ("est", "")],
    };
    let stem = |(ending, instead): &(&str, &str)| {
        let stem = form.strip_suffix(ending).filter(|stem| stem.len() + instead.len() > 1)?;
        Some(format!("{stem}{instead}"))
    };
    let mut candidates: Vec<String> = endings.iter().filter_map(stem).collect();
    let undoubled = candidates.last().and_then(|stem| {
        let letter = last(stem)?;
        let single = &stem[..stem.len() - letter.len_utf8()];
        (last(single) == Some(letter)).then(|| single.to_owned())
    });
    // Words that end in two letters of their own end in these: `fill`, `pass`, `buzz`, `staff`.
    match undoubled {
        Some(single) if single.ends_with(['l', 's', 'z', 'f']) => candidates.push(single),
        Some(single) => candidates.insert(0, single),
        None => {}
    }
    candidates.retain(|candidate| inflect(candidate, slot).as_deref() == Some(form));
    let best = candidates.iter().position(|candidate| known(candidate, slot.kind()));
    let best = best.or_else(|| candidates.iter().position(|candidate| !candidate.ends_with('e') || wants_e(candidate)));
    candidates.get(best.unwrap_or(0)).cloned()
}

/// Whether a stem that could be written with or without a final `e` is likelier with it: `-ate`, `-ize`, `-ve`, `-nce`.
fn wants_e(word: &str) -> bool {
    let stem = &word[..word.len() - 1];
    let endings = [
        "v", "c", "u", "iz", "is", "at", "ur", "dg", "rg", "bl", "pl", "tl", "dl", "gl", "rs", "ns", "z", "us", "as",
        "os",
    ];
    endings.iter().any(|ending| stem.ends_with(ending))
        || (syllables(stem) == 1 && !doubles(stem) && stem.len() > 1 && ends_single_vowel_consonant(stem))
        || doubles(stem)
}

fn last(word: &str) -> Option<char> {
    word.chars().next_back()
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

fn consonant_y(word: &str) -> bool {
    consonant_then(word, 'y') || word.ends_with("quy")
}

fn consonant_then(word: &str, letter: char) -> bool {
    let before = word.strip_suffix(letter).and_then(last);
    before.is_some_and(|before| before.is_alphabetic() && !is_vowel(before))
}

/// Whether the last letter is doubled before `-ed` and `-ing`: one syllable, one vowel letter, one consonant.
fn doubles(word: &str) -> bool {
    syllables(word) == 1 && ends_single_vowel_consonant(word)
}

fn ends_single_vowel_consonant(word: &str) -> bool {
    let mut letters = word.chars().rev();
    let (Some(last), Some(vowel)) = (letters.next(), letters.next()) else { return false };
    let before = match (letters.next(), letters.next()) {
        // The u of `quit` is no vowel.
        (Some('u'), Some('q')) => Some('q'),
        (before, _) => before,
    };
    last.is_ascii_alphabetic()
        && !is_vowel(last)
        && !matches!(last, 'w' | 'x' | 'y')
        && is_vowel(vowel)
        && !before.is_some_and(is_vowel)
}

/// The number of groups of vowels, a silent final `e` left out; one at least.
fn syllables(word: &str) -> usize {
    let mut count = 0;
    let mut in_group = false;
    for (at, letter) in word.char_indices() {
        let vowel = is_vowel(letter) || (letter == 'y' && at > 0);
        count += usize::from(vowel && !in_group);
        in_group = vowel;
    }
    let silent = word.ends_with('e')
        && !word.ends_with("ee")
        && !(word.ends_with("le") && consonant_then(&word[..word.len() - 1], 'l'));
    count.saturating_sub(usize::from(silent && count > 1)).max(1)
}
