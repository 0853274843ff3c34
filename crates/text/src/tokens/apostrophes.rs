//! Contractions and possessives, with and without their apostrophe.

/// What follows an apostrophe and makes a word of its own with it: `'s`, `'ll`.
pub fn is_clitic(after_apostrophe: &str) -> bool {
    ["s", "m", "d", "ll", "re", "ve"].iter().any(|clitic| clitic.eq_ignore_ascii_case(after_apostrophe))
}

/// Words that begin with an apostrophe and keep it: `'em`, `'til`.
pub fn keeps_leading_apostrophe(after_apostrophe: &str) -> bool {
    ["em", "til", "till", "cause", "bout", "cuz", "tis", "twas", "round", "n"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(after_apostrophe))
}

/// Contractions written as one word, and where they part: `can|not`, `do|nt`, `gon|na`. Spellings that are more often
/// another word (`its`, `well`, `were`, `id`) are not here.
const FUSED: &[(&str, usize)] = &[
    ("aint", 2),
    ("alot", 1),
    ("arent", 3),
    ("arnt", 2),
    ("cannot", 3),
    ("cant", 2),
    ("couldnt", 5),
    ("couldve", 5),
    ("didnt", 3),
    ("doesnt", 4),
    ("dont", 2),
    ("gimme", 3),
    ("gonna", 3),
    ("gotta", 3),
    ("hadnt", 3),
    ("hasnt", 3),
    ("havent", 4),
    ("hes", 2),
    ("im", 1),
    ("isnt", 2),
    ("ive", 1),
    ("lemme", 3),
    ("shes", 3),
    ("shouldnt", 6),
    ("shouldve", 6),
    ("thats", 4),
    ("theres", 5),
    ("theyre", 4),
    ("theyve", 4),
    ("wanna", 3),
    ("wasnt", 3),
    ("werent", 4),
    ("weve", 2),
    ("whats", 4),
    ("wont", 2),
    ("wouldnt", 5),
    ("wouldve", 5),
    ("youre", 3),
    ("youve", 3),
];

/// Where a contraction without apostrophe parts.
pub fn fused_split(word: &str) -> Option<usize> {
    const LONGEST: usize = 8;
    // All of them end in one of five letters, most words do not.
    let ends = word.as_bytes().last().is_some_and(|last| b"aemstAEMST".contains(last));
    if word.len() > LONGEST || !ends || !word.is_ascii() {
        return None;
    }
    let found =
        FUSED.binary_search_by(|(fused, _)| fused.bytes().cmp(word.bytes().map(|byte| byte.to_ascii_lowercase())));
    // `IM` is more often a message service than `I am`.
    found.ok().map(|at| FUSED[at].1).filter(|_| word != "IM")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fused_words_are_sorted_and_part_inside() {
        assert!(FUSED.is_sorted());
        assert!(FUSED.iter().all(|(word, at)| *at > 0 && *at < word.len()));
        assert!(FUSED.iter().all(|(word, at)| fused_split(word) == Some(*at)));
        assert_eq!(fused_split("Cannot"), Some(3));
        assert_eq!(fused_split("its"), None);
    }
}
