//! From a statement to its denial.

use fissure_core::Edit;
use fissure_text::{Penn, Relation, Upos, casing, inflection};

use super::Form;
use crate::clauses::{Clause, Sentence, conjugate};

/// Verbs that `not` follows.
const HELPERS: &[&str] = &[
    "am", "are", "is", "was", "were", "has", "have", "had", "will", "would", "can", "could", "should", "may", "might",
    "must", "shall", "do", "does", "did",
];
/// Helpers that no `n't` is joined to.
const NEVER_SHORT: &[&str] = &["am", "may", "might", "must", "shall"];
/// Words that a denial would not turn round: `isn't just a film` says that it is more.
const OPEN: &[&str] = &[
    "just",
    "only",
    "simply",
    "merely",
    "almost",
    "nearly",
    "even",
    "all",
    "far",
    "mostly",
    "partly",
    "solely",
    "purely",
    "virtually",
    "once",
    "more",
    "less",
    "pretty",
    "rather",
    "somewhat",
    "fairly",
    "such",
];
/// Adverbs that a denial follows: `also doesn't`. Others follow the denial: `doesn't always`.
const BEFORE: &[&str] = &[
    "also",
    "still",
    "probably",
    "certainly",
    "clearly",
    "obviously",
    "actually",
    "apparently",
    "reportedly",
    "now",
    "then",
    "currently",
    "definitely",
    "surely",
    "honestly",
    "frankly",
    "unfortunately",
    "generally",
    "initially",
    "eventually",
    "finally",
    "suddenly",
    "soon",
    "later",
    "recently",
    "largely",
    "basically",
    "literally",
    "however",
    "thus",
    "therefore",
    "ultimately",
    "possibly",
    "somehow",
    "sometimes",
];

/// The edits that deny a clause; nothing if that is not sure.
pub fn negation(sentence: &Sentence<'_>, clause: &Clause, form: Form) -> Option<Vec<Edit>> {
    clause.subject?;
    let finite = clause.finite;
    let word = sentence.word(finite);
    let here = finite > sentence.tokens.start && sentence.is(finite - 1, &["here"]);
    if here || sentence.is(finite + 1, OPEN) || (finite > sentence.tokens.start && sentence.is(finite - 1, OPEN)) {
        return None;
    }
    let helps = !clause.rest.is_empty() || sentence.base(finite) == "be" || clause.head != finite;
    let mut edits =
        if helps && !clause.inverted && sentence.is(finite + 1, BEFORE) && !sentence.is(finite, &["can", "could"]) {
            // `is also not`
            vec![Edit::insert(sentence.span(finite + 1).end, shouted(word, " not"))]
        } else if word.starts_with(['\'', '\u{2019}']) {
            joined(sentence, clause)?
        } else if helps && sentence.is(finite, HELPERS) {
            helper(sentence, clause, form)?
        } else if sentence.penn(finite) == Penn::Md || helps {
            return None;
        } else {
            main_verb(sentence, clause, form)?
        };
    edits.extend(some_to_any(sentence, clause));
    Some(edits)
}

/// `'m not`, `'re not`, `'s not`, `haven't`, `won't`.
fn joined(sentence: &Sentence<'_>, clause: &Clause) -> Option<Vec<Edit>> {
    let finite = clause.finite;
    let span = sentence.span(finite);
    let lower = sentence.word(finite).to_lowercase().replace('\u{2019}', "'");
    Some(match lower.as_str() {
        "'m" | "'re" => vec![Edit::insert(span.end, " not")],
        "'s" if sentence.penn(finite) == Penn::Vbz => vec![Edit::insert(span.end, " not")],
        "'ve" => vec![Edit::replace(span, " haven't")],
        "'ll" => vec![Edit::replace(span, " won't")],
        _ => return None,
    })
}

fn helper(sentence: &Sentence<'_>, clause: &Clause, form: Form) -> Option<Vec<Edit>> {
    let finite = clause.finite;
    let word = sentence.word(finite);
    if sentence.is(finite, &["had"]) && sentence.is(finite + 1, &["better", "to"]) {
        return None;
    }
    let short = short(word);
    if clause.inverted {
        // `Didn't you`; with `not` it would stand behind the subject, whose end is not sure.
        return short.map(|short| vec![Edit::replace(sentence.span(finite), short)]);
    }
    Some(vec![match (form, short) {
        (Form::Short, Some(short)) => Edit::replace(sentence.span(finite), short),
        (Form::Long, _) if sentence.is(finite, &["can"]) => sentence.replace(finite, "cannot"),
        _ => Edit::insert(sentence.span(finite).end, shouted(word, " not")),
    }])
}

/// `can't`, cased like `can`; nothing for helpers that are not shortened.
fn short(word: &str) -> Option<String> {
    if NEVER_SHORT.contains(&word.to_lowercase().as_str()) {
        return None;
    }
    let lower = word.to_lowercase();
    let negated = match lower.as_str() {
        "can" => "can't".to_owned(),
        "will" => "won't".to_owned(),
        other => format!("{other}n't"),
    };
    Some(casing::follow(word, &negated).into_owned())
}

/// `likes` to `doesn't like`.
fn main_verb(sentence: &Sentence<'_>, clause: &Clause, form: Form) -> Option<Vec<Edit>> {
    if clause.inverted {
        return None;
    }
    let finite = clause.finite;
    let word = sentence.word(finite);
    let past = sentence.penn(finite) == Penn::Vbd;
    let helper = conjugate("do", past, clause.person.or(past.then_some(crate::clauses::Person::Third)))?;
    let base = sentence.base(finite);
    let denial = match form {
        Form::Short => format!("{helper}n't"),
        Form::Long => format!("{helper} not"),
    };
    let first = sentence.before_adverbs(finite, BEFORE);
    let denial = shouted(word, &denial);
    let same = base.eq_ignore_ascii_case(word);
    Some(match (first == finite, same) {
        (_, true) => vec![Edit::insert(sentence.span(first).start, format!("{denial} "))],
        (true, false) => {
            vec![Edit::replace(sentence.span(finite), format!("{denial} {}", casing::follow(word, &base)))]
        }
        (false, false) => {
            vec![Edit::insert(sentence.span(first).start, format!("{denial} ")), sentence.replace(finite, &base)]
        }
    })
}

/// In a denial `some` is `any`.
fn some_to_any(sentence: &Sentence<'_>, clause: &Clause) -> Vec<Edit> {
    let object = |at: &usize| {
        matches!(sentence.relation(*at), Relation::Obj | Relation::Det | Relation::Nsubj)
            && *at > clause.finite
            && (sentence.dependency(*at).head == Some(clause.head)
                || sentence.dependency(*at).head.is_some_and(|noun| {
                    matches!(sentence.relation(noun), Relation::Obj | Relation::Nsubj)
                        && sentence.dependency(noun).head == Some(clause.head)
                }))
    };
    let places = (clause.finite + 1..sentence.tokens.end).filter(object);
    places
        .filter_map(|at| {
            let any = match sentence.word(at) {
                "some" => "any",
                "something" => "anything",
                "someone" => "anyone",
                "somebody" => "anybody",
                _ => return None,
            };
            Some(sentence.replace(at, any))
        })
        .collect()
}

/// `Go!` to `Don't go!`, and `A great film.` to `Not a great film.`
pub fn without_verb(sentence: &Sentence<'_>) -> Option<Vec<Edit>> {
    if sentence.has(&["not", "n't", "never", "only", "but", "please", "thanks", "thank"]) {
        return None;
    }
    let root = sentence.tokens.clone().find(|at| sentence.relation(*at) == Relation::Root)?;
    let first = sentence.tokens.clone().find(|at| sentence.upos(*at) != Upos::Punct)?;
    let word = sentence.word(first);
    let put = |with: &str| {
        let lower = casing::Case::of(word) == casing::Case::Title;
        // The capital moves to the new first word.
        Some(vec![if lower {
            Edit::replace(sentence.span(first), format!("{} {}", casing::title(with), word.to_lowercase()))
        } else {
            Edit::insert(sentence.span(first).start, shouted(word, &format!("{with} ")))
        }])
    };
    let is_order = root == first
        && sentence.penn(root) == Penn::Vb
        && inflection::is_lemma(&word.to_lowercase(), "VB")
        && !sentence.is(root, &["com", "see", "thank", "welcome", "compare"])
        && !(sentence.is(root, &["go"]) && sentence.is(root + 1, &["figure"]))
        && !(sentence.is(root, &["come"]) && sentence.is(root + 1, &["on"]))
        // `Search Engines and Block Analysis` is a headline.
        && !(is_capitalised(word) && first + 1 < sentence.tokens.end && is_capitalised(sentence.word(first + 1)))
        && sentence.children(root).iter().any(|at| *at > root);
    if is_order {
        return put("don't");
    }
    let is_thing = matches!(sentence.upos(root), Upos::Noun) && sentence.is(first, &["a", "an"]);
    let is_quality = sentence.upos(root) == Upos::Adj
        && matches!(sentence.penn(first), Penn::Jj | Penn::Rb)
        && (first == root || sentence.dependency(first).head == Some(root));
    // Any verb that bears a tense was not understood, or there would be a clause.
    let has_tense = sentence.tokens.clone().any(|at| crate::clauses::is_finite(sentence.penn(at)));
    // `A rebel counteroffensive swept through Iraq`: the past of a verb, taken for something else.
    let is_past = |at: usize| {
        // `unleashed some fury` is no adjective, whatever the tagger says.
        let has_object = at + 1 < sentence.tokens.end
            && matches!(sentence.penn(at + 1), Penn::Dt | Penn::PrpPoss | Penn::Prp | Penn::Cd);
        (sentence.upos(at) != Upos::Adj || has_object)
            && inflection::lemmas(&sentence.word(at).to_lowercase(), "VBD").next().is_some()
    };
    if (is_thing || is_quality)
        && !has_tense
        && !sentence.tokens.clone().any(is_past)
        && !sentence.is(first, &["too", "so", "how", "such", "more", "less", "as"])
        // `Not just unprofessional` says that it is more.
        && !sentence.is(first, OPEN)
    {
        return put("not");
    }
    None
}

fn is_capitalised(word: &str) -> bool {
    word != "I" && word.starts_with(char::is_uppercase)
}

/// `DOESN'T` beside capitals.
fn shouted(beside: &str, with: &str) -> String {
    if casing::Case::of(beside) == casing::Case::Upper { with.to_uppercase() } else { with.to_owned() }
}
