//! The words of a statement in their order.

use std::ops::Range;

use fissure_text::{Penn, inflection};

use super::question::{Asks, BE, NAMING, Question, Shape, is_stranded};
use super::{Answer, Item};

/// Nouns of which the question asks a part: `what percentage of the people`.
const PARTS: &[&str] = &["percent", "percentage", "proportion", "portion", "fraction", "share", "part", "amount"];
/// Nouns that ask which kind of thing is meant.
const KINDS: &[&str] = &["type", "types", "kind", "kinds", "sort", "sorts", "form", "forms"];
/// Verbs that keep one object when they are passive.
const GIVING: &[&str] = &["give", "award", "grant", "offer", "pay", "show", "teach", "allow", "deny"];
/// Prepositions that stand before another preposition: `from across the sea`.
const SECOND: &[&str] =
    &["of", "across", "within", "over", "between", "under", "outside", "inside", "around", "about", "behind", "near"];

/// The words of the statement; nothing if their order is not sure.
pub(super) fn order(question: &Question<'_>, answer: &Answer) -> Option<Vec<Item>> {
    let said = answer_items(question, answer)?;
    let tokens = |range: Range<usize>| range.map(Item::Token);
    let verb = question.verb;
    let mut items: Vec<Item> = Vec::new();
    // `About how many`: the answer says itself how near it is.
    if question.lead.len() > 1 {
        items.extend(tokens(question.lead.clone()));
    }
    match question.shape {
        Shape::InPlace => {
            if question.asks == Asks::Time || question.asks == Asks::Place {
                items.extend(placed(question, answer, said)?);
            } else {
                items.extend(said);
            }
            items.extend(tokens(question.phrase.end..question.end));
        }
        Shape::Subject => {
            if !agrees(question, answer) {
                return None;
            }
            items.extend(said);
            items.extend(tokens(question.phrase.end..question.end));
        }
        Shape::There => {
            items.push(Item::Word("there".into()));
            items.push(Item::Token(verb));
            items.extend(said);
            items.extend(tokens(verb + 2..question.end));
        }
        Shape::Identity => identity(question, answer, said, &mut items)?,
        Shape::Inverted { predicate, main } => inverted(question, answer, said, predicate, main, &mut items)?,
    }
    Some(items)
}

/// What is put for the phrase that asks, with the words of the phrase that stay.
fn answer_items(question: &Question<'_>, answer: &Answer) -> Option<Vec<Item>> {
    let sentence = &question.sentence;
    let words = Item::Word(answer.words.clone());
    let phrase = question.phrase.clone();
    let nouns = phrase.start + 1..phrase.end;
    let of = nouns.clone().find(|at| sentence.is(*at, &["of"]));
    let tokens = |range: Range<usize>| range.map(Item::Token);
    Some(match question.asks {
        Asks::Count if answer.is_number => [words].into_iter().chain(tokens(phrase.start + 2..phrase.end)).collect(),
        Asks::Owner => {
            let owner = if answer.words.ends_with("'s") { answer.words.clone() } else { answer.words.clone() + "'s" };
            [Item::Word(owner)].into_iter().chain(tokens(nouns)).collect()
        }
        Asks::Thing => {
            let part = nouns.clone().any(|at| sentence.is(at, PARTS));
            let kind = nouns.clone().any(|at| sentence.is(at, KINDS));
            match of {
                Some(of) if part && !answer.words.contains(" of ") => {
                    [words].into_iter().chain(tokens(of..phrase.end)).collect()
                }
                Some(of) if kind && answer.is_quality => {
                    [words].into_iter().chain(tokens(of + 1..phrase.end)).collect()
                }
                None if answer.is_quality && nouns.len() == 1 => [words].into_iter().chain(tokens(nouns)).collect(),
                _ if answer.is_quality => return None,
                _ => vec![words],
            }
        }
        _ if answer.is_quality => return None,
        _ => vec![words],
    })
}

/// Whether the answer can be the subject of the verb of the question as it stands.
fn agrees(question: &Question<'_>, answer: &Answer) -> bool {
    let sentence = &question.sentence;
    let verb = question.verb;
    // Of counted things the question has the noun already.
    if question.asks == Asks::Count || question.asks == Asks::Owner || answer.is_quality {
        return true;
    }
    let one = sentence.is(verb, &["is", "was", "has"]) || sentence.penn(verb) == Penn::Vbz;
    let several = sentence.is(verb, &["are", "were", "have"]) || sentence.penn(verb) == Penn::Vbp;
    if answer.is_plural { !one } else { !several }
}

/// An answer that says when or where, with its preposition.
fn placed(question: &Question<'_>, answer: &Answer, said: Vec<Item>) -> Option<Vec<Item>> {
    if answer.is_adverbial {
        return Some(said);
    }
    let usual = match question.asks {
        Asks::Time if is_day(&answer.words) => "on",
        Asks::Time if !answer.words.contains(|sign: char| sign.is_ascii_digit()) => answer.preposition?,
        _ => "in",
    };
    let preposition = answer.preposition.unwrap_or(usual);
    Some([Item::Word(preposition.into())].into_iter().chain(said).collect())
}

/// `May 5, 1911`, but not `May 1911`.
fn is_day(words: &str) -> bool {
    let numbers = words.split(|sign: char| !sign.is_ascii_digit()).filter(|digits| !digits.is_empty());
    words.contains(' ') && numbers.clone().next().is_some_and(|digits| digits.len() < 3) && !words.contains("century")
}

/// `What is the capital of Spain?`: `The capital of Spain is Rome.`
fn identity(question: &Question<'_>, answer: &Answer, said: Vec<Item>, items: &mut Vec<Item>) -> Option<()> {
    let sentence = &question.sentence;
    let (verb, rest) = (question.verb, question.verb + 1..question.end);
    let placed_there = matches!(question.asks, Asks::Time | Asks::Place);
    let all_names = rest.clone().all(|at| matches!(sentence.penn(at), Penn::Nnp | Penn::Nnps));
    let who = sentence.is(question.phrase.start, &["who"]);
    let part = question.phrase.clone().any(|at| sentence.is(at, PARTS));
    let named = (!who || all_names)
        && !part
        && matches!(sentence.penn(rest.start), Penn::Dt | Penn::PrpPoss | Penn::Nnp)
        && !sentence.is(rest.start, &["a", "an", "one", "some"]);
    // `Walter a captain`: two nouns side by side are two parts of a statement.
    let apart = rest.clone().skip(1).any(|at| {
        sentence.is(at, &["a", "an"]) && matches!(sentence.penn(at - 1), Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps)
    });
    let verbal = rest.clone().any(|at| sentence.penn(at).as_str().starts_with("VB"));
    let named_more = question.phrase.len() > 1 && verbal;
    if apart
        || named_more
        || stranded(question, verb).is_some()
        || (placed_there && verbal)
        || ((!named || who) && !agrees(question, answer))
    {
        return None;
    }
    if placed_there || named {
        items.extend(rest.map(Item::Token));
        items.push(Item::Token(verb));
        items.extend(if placed_there { placed(question, answer, said)? } else { said });
    } else {
        items.extend(said);
        items.push(Item::Token(verb));
        items.extend(rest.map(Item::Token));
    }
    Some(())
}

/// `When did the war end?`: `The war ended in 1920.`
fn inverted(
    question: &Question<'_>,
    answer: &Answer,
    said: Vec<Item>,
    predicate: usize,
    main: usize,
    items: &mut Vec<Item>,
) -> Option<()> {
    let sentence = &question.sentence;
    let verb = question.verb;
    let tokens = |range: Range<usize>| range.map(Item::Token);
    items.extend(tokens(verb + 1..predicate));
    if question.does() {
        let tag = match sentence.word(verb).to_lowercase().as_str() {
            "did" => "VBD",
            "does" => "VBZ",
            _ => "VBP",
        };
        items.extend(tokens(predicate..main));
        let lower = sentence.word(main).to_lowercase();
        let lemma = inflection::lemma(&lower, "VB")?;
        items.push(Item::Form(main, inflection::inflect(&lemma, tag)?.into_owned()));
    } else {
        items.push(Item::Token(verb));
        items.extend(tokens(predicate..main + 1));
    }
    let rest = main + 1..question.end;
    // Where the answer goes, and what it needs before it.
    let (place, said) = match question.asks {
        _ if question.preposition.is_some() && answer.is_adverbial => return None,
        _ if question.preposition.is_some() => {
            let before = sentence.word(question.preposition?).to_lowercase();
            (question.end, [Item::Word(before)].into_iter().chain(said).collect())
        }
        Asks::Time | Asks::Place => match stranded(question, main) {
            Some(place) if sentence.is(place - 1, &["to", "from", "in", "at", "of"]) => (place, said),
            Some(_) => return None,
            None => (question.end, placed(question, answer, said)?),
        },
        Asks::Manner if answer.is_adverbial => (question.end, said),
        Asks::Manner => return None,
        Asks::Reason => (question.end, because(answer, said)?),
        Asks::Degree if answer.words.contains(char::is_whitespace) || question.does() => match gap(question, main) {
            Some(place) => (place, said),
            None => return None,
        },
        Asks::Degree => return None,
        Asks::Thing | Asks::Count | Asks::Owner => (gap(question, main)?, said),
    };
    items.extend(tokens(rest.start..place));
    items.extend(said);
    items.extend(tokens(place..rest.end));
    Some(())
}

/// What a reason needs before it.
fn because(answer: &Answer, said: Vec<Item>) -> Option<Vec<Item>> {
    let first = answer.words.split(' ').next().unwrap_or("").to_lowercase();
    match first.as_str() {
        "because" | "due" | "to" | "for" => Some(said),
        _ if answer.is_adverbial => None,
        _ => Some([Item::Word("because of".into())].into_iter().chain(said).collect()),
    }
}

/// The place behind a preposition that is left without its noun: `What is it used for in Spain?`
fn stranded(question: &Question<'_>, main: usize) -> Option<usize> {
    let sentence = &question.sentence;
    let left = |at: &usize| {
        let next = at + 1;
        let alone = next == question.end
            || sentence.word(next) == ","
            || (sentence.penn(next) == Penn::In && !sentence.is(next, SECOND));
        let belongs = sentence.is(*at, &["prior", "due", "according", "such", "because", "instead"]);
        alone && is_stranded(sentence, *at) && !belongs
    };
    (main + 1..question.end).find(left).map(|at| at + 1)
}

/// Where the statement has what the question asks for.
fn gap(question: &Question<'_>, main: usize) -> Option<usize> {
    let sentence = &question.sentence;
    if let Some(place) = stranded(question, main) {
        return Some(place);
    }
    let base = sentence.base(main);
    if base == "do" || base == "happen" {
        return None;
    }
    let mut next = main + 1;
    if next < question.end && sentence.penn(next) == Penn::Rp {
        next += 1;
    }
    let passive = sentence.penn(main) == Penn::Vbn && question.is_helped_by(BE);
    let verbal = sentence.penn(main).as_str().starts_with("VB") || question.does();
    if !verbal {
        return None;
    }
    if next == question.end {
        return (!passive || is_in(&base, NAMING) || is_in(&base, GIVING)).then_some(next);
    }
    if passive {
        let free = sentence.penn(next) == Penn::In && (is_in(&base, NAMING) || is_in(&base, GIVING));
        return free.then_some(next);
    }
    match sentence.penn(next) {
        Penn::To if next + 1 < question.end && sentence.penn(next + 1) == Penn::Vb => gap(question, next + 1),
        Penn::Vbg if question.asks == Asks::Thing => gap(question, next),
        // `say that it rained`, `believe if`: another clause has the gap.
        Penn::In if sentence.is(next, &["that", "if", "whether", "because"]) => None,
        Penn::In | Penn::To | Penn::Rb => Some(next),
        _ if sentence.word(next) == "," => Some(next),
        _ if is_in(&base, NAMING) => {
            let plain = (next..question.end).all(|at| sentence.penn(at) != Penn::In || sentence.is(at, &["of"]));
            plain.then_some(question.end)
        }
        _ => None,
    }
}

fn is_in(word: &str, of: &[&str]) -> bool {
    of.contains(&word)
}
