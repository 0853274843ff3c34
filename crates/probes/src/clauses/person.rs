//! What a finite verb agrees with.

use fissure_text::{Penn, Relation};

use super::{Clause, Sentence, is_any};

/// The three forms of English verbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    /// `I am`
    First,
    /// `she is`
    Third,
    /// `we are`, `you are`
    Plural,
}

/// Nouns that go with a singular or a plural, as the writer likes, or whose tag does not say.
const DOUBTFUL: &[&str] = &[
    "all",
    "any",
    "couple",
    "data",
    "dozen",
    "economics",
    "half",
    "handful",
    "headquarters",
    "hundreds",
    "lot",
    "lots",
    "majority",
    "means",
    "media",
    "more",
    "most",
    "news",
    "none",
    "number",
    "percent",
    "politics",
    "range",
    "rest",
    "series",
    "some",
    "species",
    "statistics",
    "thousands",
    "variety",
];
const SINGULAR: &[&str] = &[
    "he",
    "she",
    "it",
    "this",
    "that",
    "one",
    "everyone",
    "everybody",
    "everything",
    "someone",
    "somebody",
    "something",
    "anyone",
    "anybody",
    "anything",
    "nobody",
    "nothing",
    "each",
    "another",
    "what",
    "neither",
    "either",
];
const PLURAL: &[&str] = &[
    "you", "we", "they", "these", "those", "both", "many", "few", "several", "people", "police", "u", "others",
    "folks", "critics", "men", "women", "children", "ya",
];

/// What the finite verb of a clause agrees with; nothing if its form and its subject contradict each other, or where
/// neither tells.
pub fn of_clause(sentence: &Sentence<'_>, clause: &Clause) -> Option<Person> {
    let by_subject = clause.subject.and_then(|subject| of_subject(sentence, clause, subject));
    let is = |words: &[&str]| sentence.is(clause.finite, words);
    let by_form = match sentence.penn(clause.finite) {
        _ if is(&["am", "'m"]) => Some(Person::First),
        Penn::Vbz => Some(Person::Third),
        _ if is(&["was"]) => Some(by_subject.filter(|person| *person == Person::First).unwrap_or(Person::Third)),
        _ if is(&["were", "are", "'re"]) => Some(Person::Plural),
        Penn::Vbp => Some(by_subject.filter(|person| *person != Person::Third).unwrap_or(Person::Plural)),
        _ => None,
    };
    match (by_form, by_subject) {
        (Some(form), Some(subject)) if form != subject => None,
        (form, subject) => form.or(subject),
    }
}

fn of_subject(sentence: &Sentence<'_>, clause: &Clause, subject: usize) -> Option<Person> {
    let word = sentence.word(subject);
    let is_relative = clause.role == super::Role::Relative
        && matches!(sentence.penn(subject), Penn::Wdt | Penn::Wp | Penn::Dt | Penn::In);
    if is_relative {
        // `the men who were`: as the noun; `one of the men who were` is left to the form of the verb.
        let noun = sentence.dependency(clause.head).head?;
        return of_noun(sentence, noun);
    }
    if is_any(word, &["there"]) && sentence.relation(subject) == Relation::Expl {
        let noun = sentence.children(clause.head).iter().copied().find(|at| sentence.relation(*at) == Relation::Nsubj);
        return of_noun(sentence, noun.unwrap_or(clause.head));
    }
    if matches!(sentence.relation(subject), Relation::Csubj | Relation::CsubjPass) {
        return Some(Person::Third);
    }
    of_noun(sentence, subject)
}

/// What a verb with this noun or pronoun as its subject agrees with.
fn of_noun(sentence: &Sentence<'_>, at: usize) -> Option<Person> {
    let word = sentence.word(at);
    let joined = sentence.children(at).iter().any(|child| {
        sentence.relation(*child) == Relation::Conj
            && sentence.children(*child).iter().any(|cc| sentence.is(*cc, &["and", "&"]))
    });
    if joined {
        return Some(Person::Plural);
    }
    if sentence.children(at).iter().any(|child| sentence.relation(*child) == Relation::Conj) {
        return None;
    }
    if is_any(word, DOUBTFUL) {
        return None;
    }
    if is_any(word, &["i"]) {
        return Some(Person::First);
    }
    if is_any(word, SINGULAR) {
        return Some(Person::Third);
    }
    if is_any(word, PLURAL) {
        return Some(Person::Plural);
    }
    match sentence.penn(at) {
        Penn::Nn | Penn::Vbg => Some(Person::Third),
        // `the Astros` is plural and `Texas` is not.
        Penn::Nnp if !word.ends_with('s') => Some(Person::Third),
        Penn::Nns => Some(Person::Plural),
        Penn::Wp | Penn::Wdt => Some(Person::Third),
        _ => None,
    }
}
