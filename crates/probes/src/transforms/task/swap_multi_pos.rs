use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, choices, layer, transform};
use fissure_text::inflection::{self, Kind};
use fissure_text::{Penn, neighbours, wordnet};

use crate::support::annotated::Annotated;
use crate::support::gold_tags::{self, Tagged};
use crate::support::word_cache::WordCache;

transform! {
    /// Replaces a word with one that can be several parts of speech and has the tag of the old one here.
    ///
    /// The new word is used like the old one, is a frequent word, and at least a tenth of its uses are as another part of
    /// speech: `cover`, `place`, `clear`. It stands in the form that the gold tag asks for, and `a` and `an` stay right. Words
    /// of set phrases stay, and so do words of which no near word is of the same broad topic: about one in five sentences of UD
    /// English EWT changes.
    pub struct SwapMultiPos {
        ..Amount::share(0.2);
        /// Which words to replace.
        tag: Which = Which::Any;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Tags],
        languages: &[English],
        aliases: &["SwapMultiPOS", "SwapMultiPOSNN", "SwapMultiPOSVB", "SwapMultiPOSJJ", "SwapMultiPOSRB", "SwapMultiPosNn"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[I|token:PRON] [like|token:VERB] [this|token:DET] [store|token:NOUN] [.|token:PUNCT]" => "[I|token:PRON] [like|token:VERB] [this|token:DET] [shop|token:NOUN] [.|token:PUNCT]",
        { seed = "1" } "[The|token:DT] [restaurants|token:NNS] [are|token:VBP] [open|token:JJ] [.|token:.]" => "[The|token:DT] [shops|token:NNS] [are|token:VBP] [open|token:JJ] [.|token:.]",
        { tag = "noun" } "[I|token:PRON] [like|token:VERB] [this|token:DET] [store|token:NOUN] [.|token:PUNCT]" => "[I|token:PRON] [like|token:VERB] [this|token:DET] [shop|token:NOUN] [.|token:PUNCT]",
    ]
}

choices! {
    /// Which words are replaced.
    pub enum Which { Any = "any", Noun = "noun", Verb = "verb", Adjective = "adjective", Adverb = "adverb" }
}

/// The least share of uses as another part of speech, and as this one.
const LEAST: f64 = 0.1;
/// A new word must be among this many most frequent ones.
const FREQUENT: u32 = 6_000;
/// How much worse than the old word the new one may suit the words around (natural logarithm).
const WORSE: f64 = -1.5;
/// How often the new word must be of the part of speech that it has here.
const HERE: f64 = 0.3;
/// How alike the two words must be used.
const ALIKE: f32 = 0.4;
/// Words that are several parts of speech by name only, or that serve grammar.
const NEVER: &[&str] = &[
    "one", "very", "least", "dead", "right", "much", "out", "coming", "better", "worse", "best", "worst", "sure",
    "like", "well", "need", "about", "less", "more", "only", "then", "back", "down", "over", "around", "past", "many",
    "please", "mean", "lot", "being", "last", "first", "next", "second", "even", "just", "there", "here", "now", "any",
    "some", "every", "each", "all", "both", "enough", "such", "several", "pretty", "far", "english", "outside",
    "inside", "left", "through", "mind", "answer", "million", "billion", "hundred", "thousand", "hard", "most",
    "european", "american",
];

impl EditSample for SwapMultiPos {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        if sample.layer(layer::TOKEN).next().is_none() {
            return Err(Skip("there are no tokens".into()));
        }
        let annotated = Annotated::of(&field.text);
        let wanted_kind = |kind: Kind| match self.tag {
            Which::Any => true,
            Which::Noun => kind == Kind::Noun,
            Which::Verb => kind == Kind::Verb,
            Which::Adjective => kind == Kind::Adjective,
            Which::Adverb => kind == Kind::Adverb,
        };
        let mut words: Vec<Tagged> = gold_tags::content(sample, &annotated);
        // `ice - cream` in tokens is one word.
        let joined = |at: usize| annotated.after(at) == "-" || annotated.before(at) == "-";
        words.retain(|word| wanted_kind(word.kind) && annotated.may_be_content(word.at) && !joined(word.at));
        let wanted = self.amount.of(words.len());
        let mut edits: Vec<Edit> = Vec::new();
        let mut swapped = 0;
        while swapped < wanted && !words.is_empty() {
            let word = words.swap_remove(dice.below(words.len()));
            let others = others(&annotated, &word);
            let Some(form) = dice.pick(&others).filter(|_| !annotated.in_phrase(word.at)) else { continue };
            annotated.put(word.at, form, &mut edits);
            swapped += 1;
        }
        edits.sort_by_key(|edit| edit.span);
        edits.dedup_by(|next, edit| next.span == edit.span);
        Ok(edits)
    }
}

/// Words of several parts of speech that are used like this one, in its form.
fn others(annotated: &Annotated, word: &Tagged) -> Vec<String> {
    let lemma = annotated.lemma(word.at);
    let graded = matches!(word.penn, Penn::Jjr | Penn::Jjs | Penn::Rbr | Penn::Rbs);
    let near = neighbours::of(&lemma)
        .filter(|(other, like)| !graded && *like >= ALIKE && is_multiple(other) && **other != *lemma);
    let form = |other: &str| {
        let form = inflection::inflect(other, word.penn.as_str())?.into_owned();
        let one = !form.contains(' ') && form != annotated.small(word.at);
        let here = gold_tags::share(other, word.kind);
        let known = form == other || inflection::lemmas(&form, word.penn.as_str()).any(|lemma| lemma == other);
        (one && known
            && is_alike(&lemma, other, word.kind)
            && (HERE..=1.0 - LEAST).contains(&here)
            && annotated.fit(word.at, &form) >= WORSE)
            .then_some(form)
    };
    near.filter_map(|(other, _)| form(other)).collect()
}

/// Whether two words speak of the same kind of thing in most of their uses: `service` is not a `telephone`. Nouns that name
/// a doing (`starting`) hardly stand for others.
fn is_alike(lemma: &str, other: &str, kind: Kind) -> bool {
    let first = |word: &str| wordnet::senses(word, kind).next();
    let (Some(one), Some(two)) = (first(lemma), first(other)) else { return kind == Kind::Adverb };
    let related = || {
        let above = |word: &str| -> Vec<u32> {
            let senses = wordnet::senses(word, kind).take(3);
            senses.flat_map(|sense| sense.hypernyms().map(wordnet::Sense::synset).collect::<Vec<_>>()).collect()
        };
        let over = above(lemma);
        above(other).iter().any(|up| over.contains(up))
    };
    match kind {
        Kind::Noun => !other.ends_with("ing") && (one.topic() == two.topic() || related()),
        Kind::Verb => one.topic() == two.topic() || related(),
        _ => !other.ends_with("ing"),
    }
}

/// Whether a word is frequent and can be several parts of speech.
fn is_multiple(word: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|word| {
        let kinds = [Kind::Noun, Kind::Verb, Kind::Adjective, Kind::Adverb];
        let often = neighbours::frequency_rank(word).is_some_and(|rank| rank < FREQUENT);
        let plain = word.len() > 2 && !NEVER.contains(&word) && word.bytes().all(|byte| byte.is_ascii_lowercase());
        often && plain && kinds.iter().filter(|kind| gold_tags::share(word, **kind) >= LEAST).count() > 1
    });
    KNOWN.of(word)
}
