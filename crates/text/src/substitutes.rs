//! What could replace a word: synonyms, antonyms, neighbours, other names, other articles, each in the form
//! and the casing of the word it would replace. For a person who tries words one by one; nothing is chosen here.

mod frame;
pub mod pool;
pub mod score;
mod table;

use std::ops::Range;

use crate::chinese::script::{script_of, to_simplified};
use crate::inflection::{self, Kind, slot};
use crate::names::{Gender, gendered_words, organisations, people, places};
use crate::wordnet::{self, Sense};
use crate::{Analysis, Penn, articles, casing, chinese, neighbours, share_alike};

pub use frame::Frame;
pub use table::Verdict;

/// A word that may replace another.
#[derive(Debug, Clone)]
pub struct Substitute {
    /// The dictionary form.
    pub lemma: &'static str,
    /// In the form of the word that it replaces.
    pub form: Box<str>,
    /// How sure it is that the text stays fluent and keeps its meaning, between 0 and 1.
    pub belief: f32,
    pub verdict: Verdict,
    /// The share of its uses to take, so that one pair does not make most of a run's changes.
    pub keep: f32,
}

impl Substitute {
    /// Whether the words around the token at place `at` allow it.
    pub fn fits(&self, analysis: &Analysis, at: usize) -> bool {
        match self.verdict {
            Verdict::If(frame) => frame.holds(analysis, at),
            Verdict::Always | Verdict::Unreviewed => true,
        }
    }
}

/// The belief in a pair that was reviewed. Two pairs of a hundred still read badly, more where a frame decides.
const ALWAYS: f32 = 0.98;
const IF: f32 = 0.95;

/// What may replace a lower-case lemma that stands in the form of a Penn tag: the reviewed words first, then those
/// that only the score speaks for, the likeliest first. A pair that was reviewed as `never` is not among them.
///
/// ```
/// use fissure_text::{Penn, substitutes};
/// let films = substitutes::of("film", Penn::Nns).next().unwrap();
/// assert_eq!((films.lemma, &*films.form), ("movie", "movies"));
/// ```
pub fn of(lemma: &str, tag: Penn) -> impl Iterator<Item = Substitute> {
    reviewed(lemma, tag).chain(unreviewed(lemma, tag))
}

/// The reviewed words alone, which are found at once.
pub fn reviewed(lemma: &str, tag: Penn) -> impl Iterator<Item = Substitute> {
    let kind = slot::of_penn(tag.as_str()).map(|(kind, _)| kind);
    let entry = kind.and_then(|kind| table::entry(lemma, kind));
    entry.into_iter().flat_map(|entry| &entry.pairs).filter_map(move |pair| {
        let (verdict, belief) = match &pair.frame {
            None => (Verdict::Always, ALWAYS),
            Some(frame) if frame.allows(tag) => (Verdict::If(frame), IF),
            Some(_) => return None,
        };
        let form = in_form(pair.lemma, tag)?;
        Some(Substitute { lemma: pair.lemma, form, belief, verdict, keep: pair.keep })
    })
}

/// The words that only the score speaks for, the likeliest first.
fn unreviewed(lemma: &str, tag: Penn) -> impl Iterator<Item = Substitute> {
    let Some((kind, _)) = slot::of_penn(tag.as_str()) else { return Vec::new().into_iter() };
    let entry = table::entry(lemma, kind);
    let is_known = |word: &str| {
        entry.is_some_and(|entry| entry.never.contains(&word) || entry.pairs.iter().any(|pair| pair.lemma == word))
    };
    let candidates = pool::candidates(lemma, kind);
    let scored = candidates.iter().filter(|candidate| !is_known(candidate.lemma)).filter_map(|candidate| {
        let belief = score::belief(lemma, kind, candidate);
        let form = in_form(candidate.lemma, tag)?;
        Some(Substitute { lemma: candidate.lemma, form, belief, verdict: Verdict::Unreviewed, keep: 1.0 })
    });
    let mut found: Vec<Substitute> = scored.collect();
    found.sort_by(|one, other| other.belief.total_cmp(&one.belief).then_with(|| one.lemma.cmp(other.lemma)));
    found.into_iter()
}

/// The lemma in the form of the tag, if that is one word.
fn in_form(lemma: &'static str, tag: Penn) -> Option<Box<str>> {
    inflection::inflect(lemma, tag.as_str()).filter(|form| !form.contains(' ')).map(|form| Box::from(&*form))
}

/// At most this many words are listed of each kind.
const MOST: usize = 8;
/// A synonym that is less likely to fit than this is not offered.
const WORTH_A_TRY: f32 = 0.2;

/// How a substitute stands to the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kinship {
    Synonym,
    Antonym,
    /// Near in a space of word vectors.
    Neighbour,
    /// Another person, place or organisation; the same word of the other gender.
    Name,
    /// Another article or determiner.
    Article,
}

impl Kinship {
    pub const ALL: [Self; 5] = [Self::Synonym, Self::Antonym, Self::Neighbour, Self::Name, Self::Article];
}

/// The words that could replace the token at these bytes, by kind, the likeliest of a kind first.
pub fn substitutes(analysis: &Analysis, bytes: Range<usize>) -> Vec<(Kinship, String)> {
    if analysis.text().get(bytes.clone()).is_some_and(chinese::all_han) {
        return chinese_substitutes(analysis, bytes);
    }
    let Some(at) = analysis.tokens().iter().position(|token| token.span.end > bytes.start) else { return Vec::new() };
    let Some(word) = analysis.text().get(bytes).filter(|word| !word.is_empty()) else { return Vec::new() };
    let mut found: Vec<(Kinship, String)> = Vec::new();
    for kinship in Kinship::ALL {
        // All but neighbours depend on the part of speech.
        if !share_alike::INCLUDED && kinship != Kinship::Neighbour {
            continue;
        }
        let words = match kinship {
            Kinship::Synonym => synonyms(analysis, at),
            Kinship::Antonym => {
                by_sense(analysis, at, |sense| sense.antonyms().chain(sense.indirect_antonyms()).collect())
            }
            Kinship::Neighbour => neighbours::of(&word.to_lowercase()).map(|(word, _)| word.to_owned()).collect(),
            Kinship::Name => names(word, analysis.tags().get(at).map_or("", |tag| tag.penn.as_str())),
            Kinship::Article => determiners(analysis, at),
        };
        let mut count = 0;
        for other in words {
            let other = casing::follow(word, &other).into_owned();
            let known = found.iter().any(|(kind, text)| *kind == kinship && *text == other);
            if count < MOST && !known && !other.is_empty() && !other.eq_ignore_ascii_case(word) {
                found.push((kinship, other));
                count += 1;
            }
        }
    }
    found
}

/// The same for a word of Chinese characters: synonyms that were reviewed, and opposites by its part of speech. There are no
/// vectors of Chinese words, so it has no neighbours.
fn chinese_substitutes(analysis: &Analysis, bytes: Range<usize>) -> Vec<(Kinship, String)> {
    let Some(written) = analysis.text().get(bytes.clone()) else { return Vec::new() };
    let word = to_simplified(written);
    let script = script_of(analysis.text());
    let upos = analysis.chinese().iter().find(|word| word.span == bytes).map(|word| word.upos);
    let synonyms = chinese::synonyms::reviewed(&word).iter().map(|other| (Kinship::Synonym, other));
    let opposites = upos.map_or(&[][..], |upos| chinese::synonyms::opposites(&word, upos));
    let all = synonyms.chain(opposites.iter().map(|other| (Kinship::Antonym, other)));
    all.map(|(kinship, other)| (kinship, script.write(other).into_owned())).collect()
}

/// What may replace the word by the lexicon, the likeliest first. All relatives that WordNet has would be many more, but most of
/// them belong to other senses, and pairs that were reviewed as `never` would come back.
fn synonyms(analysis: &Analysis, at: usize) -> Vec<String> {
    let (Some(tag), Some(lemma)) = (analysis.tags().get(at), analysis.lemmas().get(at)) else { return Vec::new() };
    let likely = of(lemma, tag.penn).filter(|other| other.belief >= WORTH_A_TRY && other.fits(analysis, at));
    likely.map(|substitute| substitute.form.into()).collect()
}

/// The relatives of the word's senses, the most frequent sense first, in the word's own form.
fn by_sense(analysis: &Analysis, at: usize, relatives: impl Fn(Sense) -> Vec<Sense>) -> Vec<String> {
    let (Some(tag), Some(lemma)) = (analysis.tags().get(at), analysis.lemmas().get(at)) else { return Vec::new() };
    let tag = tag.penn.as_str();
    let Some((kind, form)) = slot::of_penn(tag) else { return Vec::new() };
    let inflected = |lemma: &str| match form {
        None => Some(lemma.to_owned()),
        Some(_) => inflection::inflect(lemma, tag).map(|form| form.into_owned()),
    };
    // A participle that is used like an adjective has its opposites there: "loved" and "unloved".
    let as_adjective = matches!(kind, Kind::Verb).then(|| wordnet::senses(analysis.word(at), Kind::Adjective));
    let own = wordnet::senses(lemma, kind).flat_map(&relatives).filter_map(|sense| inflected(sense.word()));
    let other = as_adjective.into_iter().flatten().flat_map(&relatives).map(|sense| sense.word().to_owned());
    own.chain(other).collect()
}

/// Names of the same kind and about as common; the same word of the other gender.
fn names(word: &str, tag: &str) -> Vec<String> {
    let mut found: Vec<String> = gendered_words::swap(word, tag).into_iter().collect();
    let title = casing::title(&word.to_lowercase()).into_owned();
    if !tag.starts_with("NNP") && !word.starts_with(char::is_uppercase) {
        return found;
    }
    if let Some((gender, rank)) = people::first_name_rank(&title) {
        let other = if gender == Gender::Female { Gender::Male } else { Gender::Female };
        for gender in [gender, other] {
            found.extend(around(people::first_names(gender), rank, MOST / 2).map(|name| name.text.to_owned()));
        }
    } else if let Some(rank) = people::surname_rank(&title) {
        found.extend(around(people::surnames(), rank, MOST).map(|name| name.text.to_owned()));
    } else if let Some((_, place)) = places::find(word) {
        let others = places::of_kind(place.kind).map(|(_, other)| other).filter(|other| other.name != place.name);
        found.extend(others.take(MOST).map(|other| other.name.to_owned()));
    } else if let Some((kind, _)) = organisations::find(word) {
        found.extend(organisations::of_kind(kind).iter().take(MOST).map(|name| (*name).to_owned()));
    } else if tag.starts_with("NNP") {
        // An unknown person: common names will do.
        found.extend(people::surnames().iter().take(MOST).map(|name| name.text.to_owned()));
    }
    found
}

/// The items around a place in a list.
fn around<T>(items: &[T], at: usize, count: usize) -> impl Iterator<Item = &T> {
    let start = at.saturating_sub(count / 2).min(items.len().saturating_sub(count + 1));
    items.iter().skip(start).take(count + 1)
}

/// The determiners that can stand before what follows.
fn determiners(analysis: &Analysis, at: usize) -> Vec<String> {
    const ONE: [&str; 6] = ["the", "this", "that", "every", "some", "no"];
    const MANY: [&str; 6] = ["the", "these", "those", "some", "all", "no"];
    let tag = |at: usize| analysis.tags().get(at).map(|tag| tag.penn);
    if tag(at) != Some(Penn::Dt) {
        return Vec::new();
    }
    let noun = (at + 1..at + 5).map_while(tag).find(|tag| tag.as_str().starts_with("NN"));
    if matches!(noun, Some(Penn::Nns | Penn::Nnps)) {
        return MANY.map(str::to_owned).to_vec();
    }
    let indefinite = articles::article_before(analysis.word(at + 1), "a");
    std::iter::once(indefinite).chain(ONE).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analyse;

    fn found(text: &str, word: &str, kinship: Kinship) -> Vec<String> {
        let start = text.find(word).unwrap();
        let all = substitutes(&analyse(text), start..start + word.len());
        all.into_iter().filter(|(kind, _)| *kind == kinship).map(|(_, text)| text).collect()
    }

    #[test]
    fn substitutes_have_the_form_of_the_word() {
        assert!(found("The film was good.", "good", Kinship::Antonym).contains(&"bad".to_owned()));
        assert!(found("Good films win.", "Good", Kinship::Antonym).contains(&"Bad".to_owned()));
        assert!(found("She bought two cars.", "cars", Kinship::Synonym).contains(&"automobiles".to_owned()));
        assert!(found("It was a film.", "film", Kinship::Neighbour).contains(&"movie".to_owned()));
    }

    #[test]
    #[cfg(feature = "chinese")]
    fn chinese_words_have_substitutes() {
        assert_eq!(found("我喜欢这本书。", "喜欢", Kinship::Synonym), ["喜爱"]);
        assert_eq!(found("我喜歡這本書。", "喜歡", Kinship::Synonym), ["喜愛"]);
        assert!(found("我们支持他。", "支持", Kinship::Antonym).contains(&"反对".to_owned()));
        assert!(found("桌子在这里。", "桌子", Kinship::Synonym).is_empty());
    }

    #[test]
    fn articles_and_names() {
        let articles = found("I saw the old film.", "the", Kinship::Article);
        assert!(articles.contains(&"an".to_owned()) && !articles.contains(&"the".to_owned()), "{articles:?}");
        assert!(found("I saw the films.", "the", Kinship::Article).contains(&"these".to_owned()));
        assert!(found("John saw her.", "her", Kinship::Name).contains(&"him".to_owned()));
        assert_eq!(found("We met Mary there.", "Mary", Kinship::Name).len(), MOST);
        assert!(found("I like cheese.", "cheese", Kinship::Name).is_empty());
    }

    proptest! {
        #[test]
        fn any_place_of_any_text(text in "([A-Za-z]{1,8}|[.!?,'\"()]| |\n|\\PC){0,20}", from in 0usize..60, to in 0usize..60) {
            for (_, other) in substitutes(&analyse(&text), from..to) {
                prop_assert!(!other.is_empty());
            }
        }
    }
}
