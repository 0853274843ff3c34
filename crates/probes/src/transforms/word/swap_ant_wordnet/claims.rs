//! What a text claims: which of its judging words are the judgement of their sentence, and which are denied or supposed.

use fissure_text::inflection::Kind;
use fissure_text::{Penn, Relation};

use crate::support::annotated::Annotated;

/// Whether the word is denied, compared or only supposed: then its opposite does not say the opposite.
pub(super) fn is_weighed(annotated: &Annotated, at: usize) -> bool {
    let near =
        |words: &[&str], mut places: std::ops::Range<usize>| places.any(|place| is_any(annotated.word(place), words));
    // `so bad that one laughs`, `fresh off the grill`, `a place for a good burger`
    let bound = near(&["so", "such"], at.saturating_sub(2)..at) && near(&["that"], at + 1..at + 15);
    bound
        || near(&["off", "lite"], at + 1..at + 2)
        || near(&["for"], at.saturating_sub(2)..at)
        || near(DENYING, at.saturating_sub(4)..at)
        || near(&["than", "enough"], at + 1..at + 3)
        || near(&["too", "as"], at.saturating_sub(1)..at)
}

/// Whether the word is what its sentence claims, not said in passing: `the food was great`, `a great place`, `Great food!`,
/// `the best film of the year`, `I loved it`; not `the fresh salads come from a farm`.
pub(super) fn is_claim(annotated: &Annotated, at: usize) -> bool {
    match annotated.kind(at) {
        Some(Kind::Adverb) => true,
        Some(Kind::Verb) => is_main(annotated, at),
        Some(Kind::Noun) => is_main(annotated, at) || annotated.starts_sentence(at),
        Some(Kind::Adjective) if annotated.penn(at) == Some(Penn::Jjs) => is_best_of(annotated, at),
        Some(Kind::Adjective) => {
            annotated.starts_sentence(at) || is_main(annotated, at) || describes_claim(annotated, at)
        }
        None => false,
    }
}

/// `it is the best film of the year`; not `my best friend`, `the best way`.
fn is_best_of(annotated: &Annotated, at: usize) -> bool {
    let near =
        |words: &[&str], mut places: std::ops::Range<usize>| places.any(|place| is_any(annotated.word(place), words));
    near(&["the", "'s"], at.saturating_sub(1)..at)
        && near(&["is", "was", "'s", "of", "had", "be", "has", "are"], at.saturating_sub(5)..at)
        && !near(&["like", "way", "friend", "friends", "known", "part"], at.saturating_sub(3)..at + 2)
}

/// Whether the word is the predicate of its sentence, or joined to it: `the food was cold and greasy`.
fn is_main(annotated: &Annotated, at: usize) -> bool {
    let parsed = annotated.analysis().dependencies();
    let mut at = at;
    // A chain of words that are joined ends at its first; it cannot be longer than the text.
    for _ in 0..parsed.len() {
        let Some(word) = parsed.get(at) else { return false };
        match (word.head, word.relation) {
            (None, _) => return true,
            (Some(head), Relation::Conj | Relation::Parataxis) => at = head,
            _ => return false,
        }
    }
    false
}

/// Whether an adjective describes what its sentence is about: `a great place`, `it has a dull plot`, `they serve tasty food`.
fn describes_claim(annotated: &Annotated, at: usize) -> bool {
    let parsed = annotated.analysis().dependencies();
    let Some(word) = parsed.get(at) else { return false };
    let Some(head) = word.head.filter(|_| matches!(word.relation, Relation::Amod | Relation::Conj | Relation::Xcomp))
    else {
        return false;
    };
    if parsed[head].relation == Relation::Amod {
        return describes_claim(annotated, head);
    }
    let definite = |place: usize| {
        parsed[place].head == Some(head) && is_any(annotated.word(place), &["the", "this", "that", "these", "those"])
    };
    // Without an article before it, the noun is one of many: `turns forgettable formula into something`.
    let article = |place: usize| parsed[place].head == Some(head) && parsed[place].relation == Relation::Det;
    let of_one = parsed[head].relation == Relation::Obj && annotated.penn(head) == Some(Penn::Nn);
    if (0..at).any(definite) || (of_one && !(0..at).any(article)) {
        return false;
    }
    let of_verb = parsed[head].relation == Relation::Obj
        && parsed[head].head.is_some_and(|verb| is_main(annotated, verb) && !is_any(&annotated.lemma(verb), SEEKING));
    is_main(annotated, head) || of_verb
}

/// Verbs whose object need not be there, or is a part in a story.
#[rustfmt::skip]
const SEEKING: &[&str] = &[
    "play", "portray", "meet", "follow", "need", "want", "expect", "like", "try", "avoid", "seek", "prefer", "become", "miss",
    "promise", "require", "deserve", "help",
];

/// Whether the text weighs one thing against another, so that it is not sure which side the judgement is on.
pub(super) fn is_undecided(annotated: &Annotated) -> bool {
    // `I will be back` approves without a word that does.
    let returns = |at: usize| {
        is_any(annotated.word(at), &["back"])
            && is_any(annotated.before(at), &["be", "come", "coming", "go", "going", "went"])
    };
    (0..annotated.len()).any(|at| is_any(annotated.word(at), WEIGHING) || returns(at))
}

pub(super) fn is_any(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

#[rustfmt::skip]
const DENYING: &[&str] = &[
    "not", "n't", "n\u{2019}t", "never", "no", "nothing", "hardly", "without", "otherwise", "might", "could", "would",
    "should", "may", "rather", "less", "if", "how", "neither", "least",
];

/// Words with which a text weighs one thing against another, denies or supposes.
#[rustfmt::skip]
const WEIGHING: &[&str] = &[
    "but", "however", "although", "though", "despite", "unless", "except", "supposed", "whether", "yet", "while", "instead",
    "usually", "normally", "than", "if", "would", "could", "might", "should", "sometimes", "somewhat", "mildly", "lack",
    "lacks", "lacking", "without", "not", "n't", "n\u{2019}t", "never", "no", "nothing", "nobody", "shame", "thought",
    "claimed", "hoping", "wish", "otherwise", "almost", "nearly", "cannot", "because", "nonetheless",
];
