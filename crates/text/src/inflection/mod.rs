//! Inflection both ways: `love` to `loved`, `loving`, `loves` and back; plurals; comparatives.
//!
//! Some 40,000 words come from a compiled table, irregular ones among them; the rest follow the rules of the regular
//! inflection. Forms are named by Penn tags.

pub mod rules;
pub mod slot;
mod table;

use crate::casing;
use std::borrow::Cow;
use table::Table;

pub use slot::{Kind, Slot};
pub use table::{Entry, Source};

/// The usual form of a word for a Penn tag, cased like the word: `inflect("leave", "VBD")` is `left`.
///
/// Nothing if the tag is of a word that does not inflect, and for the plural of a word that has none (`information`).
/// Of a phrase the head is inflected: `gave up`, `heads of state`. Where `-er` cannot be, it is `more`.
///
/// ```
/// use fissure_text::inflection::inflect;
/// assert_eq!(inflect("fly", "VBD").as_deref(), Some("flew"));
/// assert_eq!(inflect("Child", "NNS").as_deref(), Some("Children"));
/// assert_eq!(inflect("beautiful", "JJR").as_deref(), Some("more beautiful"));
/// ```
pub fn inflect<'a>(lemma: &'a str, tag: &str) -> Option<Cow<'a, str>> {
    let (kind, slot) = slot::of_penn(tag)?;
    if !lemma.contains(char::is_alphabetic) {
        return None;
    }
    let Some(slot) = slot else { return Some(Cow::Borrowed(lemma)) };
    if lemma.contains(' ') {
        return phrase(lemma, kind, tag).map(Cow::Owned);
    }
    let table = Table::get();
    if let Some(form) = table.forms(lemma, slot).next() {
        return Some(Cow::Borrowed(form));
    }
    let lower = lemma.to_lowercase();
    if let Some(form) = table.forms(&lower, slot).next() {
        return Some(Cow::Owned(casing::follow(lemma, form).into_owned()));
    }
    if tag == "NNS" && (table.is(lemma, kind) || table.is(&lower, kind)) {
        return None;
    }
    // Names keep their spelling: the Kennedys, the Newmans.
    if tag == "NNPS" && !lower.ends_with(['s', 'x', 'z', 'h']) {
        return Some(Cow::Owned(casing::follow(lemma, &format!("{lower}s")).into_owned()));
    }
    let graded = matches!(kind, Kind::Adjective | Kind::Adverb);
    let regular = if graded && table.is(&lower, kind) { None } else { rules::inflect(&lower, slot) };
    match regular {
        // The rule only changes the end, so the beginning keeps its own case (`iPhones`).
        Some(form) => Some(Cow::Owned(recased(lemma, &lower, form))),
        None if matches!(slot, Slot::Comparative | Slot::AdverbComparative) => {
            Some(Cow::Owned(format!("more {lemma}")))
        }
        None if graded => Some(Cow::Owned(format!("most {lemma}"))),
        None => None,
    }
}

/// Every form that the table has of a lower-case word for a tag, the usual one first: `was` and `were`.
pub fn inflections(lemma: &str, tag: &str) -> impl Iterator<Item = &'static str> {
    let slot = slot::of_penn(tag).and_then(|(_, slot)| slot);
    slot.into_iter().flat_map(move |slot| Table::get().forms(lemma, slot))
}

/// The lemmas that the table has for a lower-case form with that tag, the most frequent first: `see` and `saw` for `saw`
/// as `VBD`. A base form is its own lemma if the table has it.
pub fn lemmas<'a>(form: &'a str, tag: &str) -> impl Iterator<Item = &'a str> {
    let asked = slot::of_penn(tag);
    let base = asked
        .filter(|(kind, slot)| matches!(slot, None | Some(Slot::Present)) && Table::get().is(form, *kind))
        .map(|_| form);
    let slot = asked.and_then(|(_, slot)| slot);
    slot.into_iter().flat_map(move |slot| Table::get().lemmas(form, slot)).chain(base)
}

/// Everything that the table knows a lower-case word as: the Penn tag and the lemma of each form that is written so, base
/// forms first.
///
/// ```
/// use fissure_text::inflection::readings;
/// let saw: Vec<_> = readings("saw").collect();
/// assert!(saw.contains(&("NN", "saw")) && saw.contains(&("VBD", "see")));
/// ```
pub fn readings(form: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    Table::get().readings(form)
}

/// The likeliest lemma of a form with that tag, in lower case unless it is a name; by rule where no table has it.
///
/// ```
/// use fissure_text::inflection::lemma;
/// assert_eq!(lemma("left", "VBD").as_deref(), Some("leave"));
/// assert_eq!(lemma("zibbed", "VBD").as_deref(), Some("zib"));
/// ```
pub fn lemma<'a>(form: &'a str, tag: &str) -> Option<Cow<'a, str>> {
    let (_, slot) = slot::of_penn(tag)?;
    if let Some(lemma) = lemmas(form, tag).next() {
        return Some(Cow::Borrowed(lemma));
    }
    let name = tag.starts_with("NNP");
    let lower = if name { Cow::Borrowed(form) } else { Cow::Owned(form.to_lowercase()) };
    if let Some(lemma) = lemmas(&lower, tag).next() {
        return Some(Cow::Owned(lemma.to_owned()));
    }
    let Some(slot) = slot else { return Some(lower) };
    let by_rule = rules::uninflect(&lower, slot, |word, kind| Table::get().is(word, kind));
    Some(by_rule.map_or(lower, Cow::Owned))
}

/// Whether the table has the lower-case word as a base form of the kind that the Penn tag names.
pub fn is_lemma(word: &str, tag: &str) -> bool {
    slot::of_penn(tag).is_some_and(|(kind, _)| Table::get().is(word, kind))
}

/// A phrase inflects at its head: the first word of a verb, the word before `of` or else the last of a noun.
fn phrase(lemma: &str, kind: Kind, tag: &str) -> Option<String> {
    let (start, end) = match kind {
        Kind::Verb => (0, lemma.find(' ')?),
        Kind::Noun => {
            let end = [" of ", " in ", " at "].iter().filter_map(|link| lemma.find(link)).min().unwrap_or(lemma.len());
            (lemma[..end].rfind(' ').map_or(0, |space| space + 1), end)
        }
        Kind::Adjective | Kind::Adverb => {
            let grade = if tag.ends_with('R') { "more" } else { "most" };
            return Some(format!("{grade} {lemma}"));
        }
    };
    let head = inflect(&lemma[start..end], tag)?;
    Some(format!("{}{head}{}", &lemma[..start], &lemma[end..]))
}

/// `form`, an inflection of `lower`, with the casing of `lemma` as far as they agree.
fn recased(lemma: &str, lower: &str, form: String) -> String {
    let shared = lower.bytes().zip(form.bytes()).take_while(|(one, other)| one == other).count();
    match casing::Case::of(lemma) {
        casing::Case::Upper => form.to_uppercase(),
        _ if lemma.len() == lower.len() && lemma.is_char_boundary(shared) && form.is_char_boundary(shared) => {
            format!("{}{}", &lemma[..shared], &form[shared..])
        }
        _ => form,
    }
}

#[cfg(test)]
mod tests;
