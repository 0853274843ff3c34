//! From two words to one: `do not`, `I am`, `they have never`, where English allows it.

use fissure_core::Edit;
use fissure_text::casing;

use super::{AUXILIARIES, Found, Phrase, SUBJECTS, cased, is_any, shouts};

const PREPOSITIONS: &[&str] = &["of", "for", "with", "like", "to", "from", "about", "between", "by", "at", "on", "in"];

/// Contracts the phrase that starts with word number `at`.
pub(super) fn at(phrase: Phrase<'_>, at: usize) -> Found {
    let word = phrase.words[at];
    if word.text.len() == 6 && is_any(word.text, &["cannot"]) {
        let (can, not) = word.text.split_at(3);
        return may_join(phrase, at).then(|| (vec![Edit::replace(word.span, negated(phrase, can, not))], 1));
    }
    let verb = phrase.after(at)?;
    let span = word.span.start..phrase.words[at + 1].span.end;
    let contracted = if verb.len() == 3 && is_any(verb, &["not"]) {
        if !is_any(word.text, AUXILIARIES) && !is_any(word.text, &["can", "will", "shall"]) || !may_join(phrase, at + 1)
        {
            return None;
        }
        negated(phrase, word.text, verb)
    } else {
        let ending = ending(phrase, at, word.text, verb)?;
        format!("{}{}{}", word.text, phrase.apostrophe, cased(ending, shouts(verb)))
    };
    Some((vec![Edit::replace(span, contracted)], 2))
}

/// The verb `not` is joined to, with it: `won't`.
fn negated(phrase: Phrase<'_>, verb: &str, not: &str) -> String {
    let shouting = shouts(not);
    let (stem, n) = match verb {
        _ if is_any(verb, &["can"]) => (verb.into(), ""),
        _ if is_any(verb, &["will"]) => (casing::follow(verb, "wo"), "n"),
        _ if is_any(verb, &["shall"]) => (casing::follow(verb, "sha"), "n"),
        _ => (verb.into(), "n"),
    };
    format!("{stem}{}{}{}", cased(n, shouting), phrase.apostrophe, cased("t", shouting))
}

/// Whether the `not` at `at` may be joined to its verb: that of `not only ... but also` may not.
fn may_join(phrase: Phrase<'_>, at: usize) -> bool {
    !phrase.after(at).is_some_and(|next| is_any(next, &["only"]))
}

/// What the verb behind `subject` (word number `at`) shrinks to.
fn ending(phrase: Phrase<'_>, at: usize, subject: &str, verb: &str) -> Option<&'static str> {
    const POINTERS: &[&str] = &["that", "there", "here", "what", "who", "where", "how"];
    let third = || is_any(subject, &["he", "she", "it"]);
    let plural = || is_any(subject, &["you", "we", "they"]);
    let first = || is_any(subject, &["i"]);
    let ending = match verb.len() {
        2 if is_any(verb, &["am"]) && first() => "m",
        2 if is_any(verb, &["is"]) && (third() || is_any(subject, POINTERS)) => "s",
        3 if is_any(verb, &["are"]) && plural() => "re",
        3 if is_any(verb, &["has"]) && third() && is_perfect(phrase, at) => "s",
        3 if is_any(verb, &["had"]) && is_any(subject, SUBJECTS) && is_perfect(phrase, at) => "d",
        4 if is_any(verb, &["have"]) && (first() || plural()) && is_perfect(phrase, at) => "ve",
        4 if is_any(verb, &["will"]) && is_any(subject, SUBJECTS) => "ll",
        5 if is_any(verb, &["would"]) && (first() || plural() || is_any(subject, &["he", "she"])) => "d",
        _ => return None,
    };
    // `we will not` is `we won't`, not `we'll not`; `it's not` is as good as `it isn't`.
    let is_be = matches!(ending, "m" | "s" | "re");
    if !is_be && phrase.after(at + 1).is_some_and(|next| is_any(next, &["not"])) {
        return None;
    }
    (goes_on(phrase, at + 1) && begins_clause(phrase, at)).then_some(ending)
}

/// Whether the verb at `at` helps another one: `I have been`, not `I have a dog`.
fn is_perfect(phrase: Phrase<'_>, at: usize) -> bool {
    const SURE: &[&str] = &[
        "been", "become", "come", "done", "found", "given", "gone", "got", "had", "heard", "known", "made", "met",
        "seen", "taken", "never", "always", "already",
    ];
    phrase.after(at + 1).is_some_and(|next| is_any(next, SURE))
}

/// Whether what the verb says follows it. It does not in `Yes, I am.` and `the state they are in.`
fn goes_on(phrase: Phrase<'_>, at: usize) -> bool {
    const STOPS: &[&str] = &["and", "or", "but", "if", "when", "because", "than", "as", "too", "either"];
    let left_over = |next: &str| is_any(next, PREPOSITIONS) && phrase.after(at + 1).is_none();
    phrase.after(at).is_some_and(|next| !is_any(next, STOPS) && !left_over(next))
}

/// Whether the subject at `at` starts a clause of its own, from which nothing was moved to the front: not
/// `what it is about`, `people like you are`, `to do it is`.
fn begins_clause(phrase: Phrase<'_>, at: usize) -> bool {
    const MOVED: &[&str] =
        &["what", "who", "whom", "whose", "where", "when", "why", "how", "which", "whatever", "than", "as"];
    if phrase.before(at).is_some_and(|before| is_any(before, PREPOSITIONS)) {
        return false;
    }
    let clause = (0..at).rev().take(8).take_while(|before| phrase.after(*before).is_some());
    let words: Vec<&str> = clause.map(|before| phrase.words[before].text).collect();
    !words.iter().any(|word| is_any(word, MOVED)) && !words.get(1).is_some_and(|word| is_any(word, &["to"]))
}
