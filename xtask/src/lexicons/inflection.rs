//! `inflection.bin`: lemmas and their forms.

use super::sources::{LEMMINFLECT, Sources};
use super::{Table, folder, glove};
use crate::Result;
use fissure_text::inflection::{Kind, Slot, Source, slot::of_penn};
use std::collections::HashMap;

pub const TABLE: Table = Table {
    name: "inflection",
    ending: "bin",
    what: "inflected forms of nouns, verbs, adjectives and adverbs by Penn tag, the usual form first",
    licence: "MIT",
    made: "lemminflect's look-up of inflections with our lexicons/inflection_extra.txt before it; spellings of one form are ordered by \
           frequency in GloVe; `more` before `-er` for longer words; a plural that hardly occurs, of a word that can stand without one, is left out",
    build,
};

/// The columns of the source, by kind.
const COLUMNS: [(&str, Kind, &[Slot]); 4] = [
    ("noun", Kind::Noun, &[Slot::Plural]),
    ("verb", Kind::Verb, &[Slot::Past, Slot::PastParticiple, Slot::Ing, Slot::ThirdPerson]),
    ("adj", Kind::Adjective, &[Slot::Comparative, Slot::Superlative]),
    ("adv", Kind::Adverb, &[Slot::AdverbComparative, Slot::AdverbSuperlative]),
];
/// A plural beyond this rank hardly occurs.
const RARE: usize = 45_000;
/// A word before this rank occurs often enough for its plural to be seen, if it had one.
const COMMON: usize = 10_000;

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let rank: HashMap<String, usize> = glove::words(sources)?.into_iter().zip(0..).collect();
    let rank = |word: &str| rank.get(word).copied().unwrap_or(usize::MAX);
    let mut source = Source::default();
    let extra = std::fs::read_to_string(folder().join("inflection_extra.txt"))?;
    for line in extra.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(' ');
        let (lemma, tag) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let Some((kind, Some(slot))) = of_penn(tag) else { return Err(format!("no form is named by {line:?}").into()) };
        let entry = source.lemmas.entry(lemma.to_owned()).or_default();
        entry.kinds.insert(kind);
        entry.forms.extend(parts.map(|form| (slot, form.to_owned())));
    }
    for line in sources.gzipped_text(&LEMMINFLECT, "lemminflect/resources/infl_lu.csv.gz")?.lines() {
        let columns: Vec<&str> = line.split(',').collect();
        let Some((_, kind, slots)) = COLUMNS.iter().find(|(name, ..)| columns.get(1) == Some(name)) else { continue };
        let lemma = columns[0];
        if lemma.contains(' ') {
            continue;
        }
        let entry = source.lemmas.entry(lemma.to_owned()).or_default();
        entry.kinds.insert(*kind);
        let forms = |slot: usize| {
            columns.get(2 + slot).map_or(Vec::new(), |forms| forms.split('/').filter(|form| !form.is_empty()).collect())
        };
        for (at, slot) in slots.iter().enumerate() {
            let mut forms: Vec<&str> = forms(at);
            match slot {
                Slot::Plural => plurals(lemma, &mut forms, rank),
                Slot::PastParticiple => forms = participles(&pasts(&columns), &forms, rank),
                _ => forms.sort_by_key(|form| rank(form)),
            }
            if let (Kind::Adjective | Kind::Adverb, false, true) = (kind, forms.is_empty(), takes_more(lemma)) {
                let more = if matches!(slot, Slot::Comparative | Slot::AdverbComparative) { "more" } else { "most" };
                entry.forms.push((*slot, format!("{more} {lemma}")));
            }
            for form in forms {
                if !entry.forms.iter().any(|(known, other)| known == slot && other == form) {
                    entry.forms.push((*slot, form.to_owned()));
                }
            }
        }
    }
    for (lemma, entry) in &mut source.lemmas {
        entry.rarity = rank(&lemma.to_lowercase()).saturating_add(1).ilog2() as u8;
    }
    Ok(source.pack())
}

/// The forms of the past tense, in the source's column for it.
fn pasts<'a>(columns: &[&'a str]) -> Vec<&'a str> {
    columns.get(2).map_or(Vec::new(), |forms| forms.split('/').filter(|form| !form.is_empty()).collect())
}

/// Whether a word of several syllables is compared with `more` by now, whatever dictionaries allow (`moderner`).
fn takes_more(lemma: &str) -> bool {
    let vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let groups = lemma.trim_end_matches('e').split(|letter| !vowel(letter)).filter(|group| !group.is_empty()).count();
    groups > 1 && !["y", "le", "ow", "er"].iter().any(|ending| lemma.ends_with(ending))
}

/// A true plural before one that is the same as the singular; none at all where it hardly occurs.
fn plurals(lemma: &str, forms: &mut Vec<&str>, rank: impl Fn(&str) -> usize) {
    let invariant = forms.contains(&lemma);
    forms.sort_by_key(|form| (*form == lemma, rank(form)));
    if invariant && forms.len() > 1 && rank(lemma) < COMMON && rank(forms[0]) > RARE {
        forms.clear();
    }
}

/// The source leaves the participle out when it is the past, and leaves out the regular one beside an irregular one. A
/// participle of its own (`shown`) is the usual one; of those that are also the past (`burnt`, `burned`), the frequent.
fn participles<'a>(pasts: &[&'a str], listed: &[&'a str], rank: impl Fn(&str) -> usize) -> Vec<&'a str> {
    let mut own: Vec<&str> = listed.iter().copied().filter(|form| !pasts.contains(form)).collect();
    let regular = pasts.iter().copied().filter(|form| form.ends_with("ed"));
    let mut shared: Vec<&str> = listed.iter().copied().filter(|form| pasts.contains(form)).collect();
    shared.extend(regular.filter(|form| !listed.contains(form)));
    if own.is_empty() && shared.is_empty() {
        shared.extend(pasts);
    }
    shared.sort_by_key(|form| rank(form));
    own.extend(shared);
    own
}
