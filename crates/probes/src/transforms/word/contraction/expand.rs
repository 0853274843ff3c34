//! From one word to two: `can't`, `won't`, `I'm`, `they've`, and `'s` if it can only be a verb.

use fissure_core::Edit;
use fissure_text::casing;

use super::{AUXILIARIES, Found, PARTICIPLES, Phrase, SUBJECTS, cased, is_any};

/// Expands word number `at`.
pub(super) fn at(phrase: Phrase<'_>, at: usize, ambiguous: bool) -> Found {
    let word = phrase.words[at];
    let (stem, tail) = word.text.rsplit_once(['\'', '\u{2019}'])?;
    let shouting = tail.bytes().all(|letter| letter.is_ascii_uppercase());
    let verb = match tail {
        "t" | "T" => return negation(phrase, at, stem, shouting),
        "m" | "M" if is_any(stem, &["i"]) => "am",
        "re" | "RE" if is_any(stem, &["you", "we", "they", "who", "what", "there"]) => "are",
        "ve" | "VE" if is_any(stem, &["could", "should", "would", "might", "must", "who"]) || is_subject(stem) => {
            "have"
        }
        "ll" | "LL" if is_any(stem, &["that", "this", "there", "who", "what"]) || is_subject(stem) => "will",
        "s" | "S" if is_any(stem, &["let"]) => phrase.after(at).map(|_| "us")?,
        "s" | "S" if is_any(stem, CAN_BE) => is_or_has(phrase, at, stem, ambiguous)?,
        "d" | "D" if ambiguous && is_subject(stem) => match phrase.after(at)? {
            next if is_any(next, &["better", "been"]) || is_participle(next) => "had",
            _ => "would",
        },
        _ => return None,
    };
    Some((vec![Edit::replace(word.span, format!("{stem} {}", cased(verb, shouting)))], 1))
}

/// Words whose `'s` is a verb. A noun's may be a possessive, so it is left alone.
const CAN_BE: &[&str] = &["he", "she", "it", "that", "what", "who", "where", "there", "here", "how", "when", "why"];
/// Words that may stand between a verb and what shows its kind.
const ADVERBS: &[&str] =
    &["not", "always", "never", "already", "just", "ever", "also", "only", "still", "long", "since", "now"];
const QUESTION_WORDS: &[&str] = &["why", "how", "what", "where", "when", "who", "which"];
const JOINTS: &[&str] = &["and", "but", "so", "or", "well", "oh"];

fn is_subject(word: &str) -> bool {
    is_any(word, SUBJECTS)
}

/// Which verb the `'s` of word number `at` is; `None` if that cannot be known.
fn is_or_has(phrase: Phrase<'_>, at: usize, stem: &str, ambiguous: bool) -> Option<&'static str> {
    let mut next = phrase.after(at)?;
    // `What's he want` hides a `does`.
    if is_subject(next) {
        return None;
    }
    for ahead in 1..=2 {
        if !is_any(next, ADVERBS) && !next.ends_with("ly") {
            break;
        }
        next = phrase.after(at + ahead)?;
    }
    if is_any(next, &["been", "got", "gotten", "had"]) {
        Some("has")
    } else if is_any(next, &["own"]) && is_any(stem, &["it"]) {
        // `it's own` is a misspelt possessive.
        None
    } else if is_participle(next) {
        ambiguous.then_some("is")
    } else {
        Some("is")
    }
}

fn is_participle(word: &str) -> bool {
    let ends = |ending: &str| word.len() > 4 && word.ends_with(ending);
    is_any(word, PARTICIPLES) || ends("ed") || ends("en") || ends("wn")
}

fn negation(phrase: Phrase<'_>, at: usize, stem: &str, shouting: bool) -> Found {
    let word = phrase.words[at];
    let base = stem.strip_suffix(['n', 'N'])?;
    let verb = match base {
        _ if is_any(base, &["ca"]) => stem.to_owned(),
        _ if is_any(base, &["wo"]) => casing::follow(base, "will").into_owned(),
        _ if is_any(base, &["sha"]) => casing::follow(base, "shall").into_owned(),
        _ if is_any(base, AUXILIARIES) => base.to_owned(),
        _ => return None,
    };
    let not = cased("not", shouting);
    let before = phrase.before(at);
    let after = phrase.after(at);
    let asks = before.is_none_or(|word| is_any(word, QUESTION_WORDS) || is_any(word, JOINTS));
    if asks && after.is_some_and(|word| is_subject(word) || is_any(word, &["there"])) {
        // `Don't you dare!` is no question.
        if is_any(base, &["do"]) && is_any(after?, &["you"]) && !is_question(phrase, at) {
            return None;
        }
        let subject = phrase.words[at + 1];
        return Some((vec![Edit::replace(word.span, verb), Edit::insert(subject.span.end, format!(" {not}"))], 2));
    }
    // `Isn't the soup hot?`: the `not` belongs behind a subject whose end is unknown. `Don't stir!` is a plain order.
    if before.is_none() && after.is_some() && !is_any(base, &["do"]) {
        return None;
    }
    let joint = if is_any(base, &["ca"]) { "" } else { " " };
    Some((vec![Edit::replace(word.span, format!("{verb}{joint}{not}"))], 1))
}

/// Whether the sentence of word number `at` ends with a question mark.
fn is_question(phrase: Phrase<'_>, at: usize) -> bool {
    phrase.text[phrase.words[at].span.end..].chars().find(|mark| matches!(mark, '.' | '!' | '?' | '\n')) == Some('?')
}
