//! From a denial to the statement.

use fissure_core::Edit;
use fissure_text::{Penn, Upos};

use crate::clauses::{Clause, Sentence, conjugate};

/// Words that only go with a denial: what holds them cannot just lose its `not`.
const ONLY_DENIED: &[&str] =
    &["ever", "yet", "either", "anymore", "until", "till", "much", "anyway", "necessarily", "bother", "quite", "long"];

/// The edits that take the negation of a clause away; nothing if that is not sure.
pub fn negation(sentence: &Sentence<'_>, clause: &Clause) -> Option<Vec<Edit>> {
    let not = clause.negation?;
    let next = not + 1;
    let at_all = sentence.tokens.clone().any(|at| sentence.is(at, &["at"]) && sentence.is(at + 1, &["all"]));
    if sentence.has(ONLY_DENIED)
        || at_all
        || sentence.is(next, &["only", "just", "even", "so", "because", "to", "before", "merely"])
    {
        return None;
    }
    // `could not be better`, `couldn't help but laugh`
    if sentence.is(clause.finite, &["could", "can", "ca"]) && sentence.has(&["help", "wait", "better", "more", "but"]) {
        return None;
    }
    let mut edits = group(sentence, clause, not)?;
    edits.extend(any_to_some(sentence, clause)?);
    Some(edits)
}

fn group(sentence: &Sentence<'_>, clause: &Clause, not: usize) -> Option<Vec<Edit>> {
    let finite = clause.finite;
    if sentence.is(not, &["never"]) {
        // `Never have I seen`
        return (not > sentence.tokens.start && !clause.inverted).then(|| vec![sentence.delete_with_space_after(not)]);
    }
    if sentence.is(finite, &["do", "does", "did"]) && !clause.inverted && not == finite + 1 {
        return without_do(sentence, clause, not);
    }
    let joined = sentence.joined(not);
    if sentence.is(finite, &["wo", "ca", "sha"]) && not == finite + 1 {
        let whole = match sentence.word(finite).to_lowercase().as_str() {
            "wo" => "will",
            "ca" => "can",
            _ => "shall",
        };
        let with = fissure_text::casing::follow(sentence.word(finite), whole);
        return Some(vec![Edit::replace(sentence.span(finite).start..sentence.span(not).end, with)]);
    }
    if sentence.is(finite, &["need", "dare"]) {
        return None;
    }
    Some(vec![if joined { Edit::delete(sentence.span(not)) } else { sentence.delete_with_space_before(not) }])
}

/// `doesn't like` to `likes`.
fn without_do(sentence: &Sentence<'_>, clause: &Clause, not: usize) -> Option<Vec<Edit>> {
    let &verb = clause.rest.first()?;
    if sentence.penn(verb) != Penn::Vb {
        return None;
    }
    // `Don't go` has no subject, and is an order.
    let finite = clause.finite;
    let order = clause.subject.is_none() && sentence.is(finite, &["do"]);
    let past = sentence.is(finite, &["did"]);
    let base = sentence.word(verb).to_lowercase();
    let form = if order {
        base
    } else {
        conjugate(&base, past, clause.person.or(past.then_some(crate::clauses::Person::Third)))?
    };
    let start = sentence.span(finite).start;
    let starts_sentence = finite == sentence.tokens.start;
    let bare = sentence.bare_conjuncts(verb);
    if !bare.is_empty() && !order {
        return None;
    }
    let cased =
        if starts_sentence { fissure_text::casing::follow(sentence.word(finite), &form).into_owned() } else { form };
    Some(if verb == not + 1 && cased != sentence.word(verb) {
        vec![Edit::replace(start..sentence.span(verb).end, cased)]
    } else {
        let mut edits = vec![Edit::delete(start..sentence.span(not + 1).start)];
        if cased != sentence.word(verb) {
            edits.push(Edit::replace(sentence.span(verb), cased));
        }
        edits
    })
}

/// In a statement `any` is `some`; nothing if it is neither here nor there.
fn any_to_some(sentence: &Sentence<'_>, clause: &Clause) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let phrase = (clause.finite + 1..sentence.tokens.end).take_while(|at| sentence.upos(*at) != Upos::Punct);
    for at in phrase {
        let some = match sentence.word(at) {
            "any" if sentence.upos(at) == Upos::Det => "some",
            "anything" => "something",
            "anyone" => "someone",
            "anybody" => "somebody",
            "any" | "anywhere" => return None,
            _ => continue,
        };
        edits.push(sentence.replace(at, some));
    }
    Some(edits)
}
