use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, choices, layer, transform};
use fissure_text::inflection::{self, Kind};
use fissure_text::{Penn, neighbours};

use crate::clauses::is_any;
use crate::support::annotated::Annotated;
use crate::support::gold_tags::{self, Tagged};
use crate::support::word_cache::WordCache;

mod classes;

use classes::{CLASSES, Class, Frame};

transform! {
    /// Replaces a word with one that can be several parts of speech and has the tag of the old one here.
    ///
    /// The new word takes the same place in a sentence (another shop, another attack, another way to repair things), is a
    /// frequent word, and at least a tenth of its uses are as another part of speech: `store`, `raid`, `repair`. It stands in the
    /// form that the gold tag asks for, and `a` and `an` stay right. Words that are joined to other nouns, that say of what
    /// (`amounts of`), or that belong to a set phrase stay, and so do words for which no frequent word of several parts of speech
    /// fits: fewer than one sentence in five of UD English EWT changes, since freer choices read badly.
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
const WORSE: f64 = -2.5;
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
        words.retain(|word| wanted_kind(word.kind) && annotated.is_plain(word.at) && !joined(word.at));
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

/// Words of several parts of speech that take the place of this one, in its form.
fn others(annotated: &Annotated, word: &Tagged) -> Vec<String> {
    if matches!(word.penn, Penn::Jjr | Penn::Jjs | Penn::Rbr | Penn::Rbs) {
        return Vec::new();
    }
    let lemma = annotated.lemma(word.at);
    let form = |other: &str| {
        let form = inflection::inflect(other, word.penn.as_str())?.into_owned();
        let one = !form.contains(' ') && form != annotated.small(word.at);
        let known = form == other || inflection::lemmas(&form, word.penn.as_str()).any(|lemma| lemma == other);
        let here = (LEAST..=1.0 - LEAST).contains(&gold_tags::share(other, word.kind));
        (one && known && here && annotated.fit(word.at, &form) >= WORSE).then_some(form)
    };
    let holds = |class: &&Class| class.kind == word.kind && class.from.split(' ').any(|from| from == &*lemma);
    let classes = CLASSES.iter().filter(holds).filter(|class| stands(annotated, word, class.frame));
    let words = classes.flat_map(|class| class.to.split(' '));
    words.filter(|other| **other != *lemma && is_multiple(other)).filter_map(form).collect()
}

/// Whether a word stands as the words of its class must stand.
fn stands(annotated: &Annotated, word: &Tagged, frame: Frame) -> bool {
    let before = word.at.checked_sub(1).and_then(|at| annotated.penn(at));
    let after = annotated.penn(word.at + 1);
    let noun = |tag: Option<Penn>| matches!(tag, Some(Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps));
    // What is joined to another noun is often the name of a kind, and what has `of` behind it says of what.
    let alone = !noun(before) && !noun(after) && !is_any(annotated.after(word.at), &["of", "to", "that"]);
    let opens = matches!(before, Some(Penn::Dt | Penn::PrpPoss | Penn::Pos | Penn::Jj | Penn::Cd));
    let ends = matches!(annotated.after(word.at), "." | "," | "!" | "?" | ";" | "")
        || is_any(annotated.after(word.at), &["and", "but"]);
    match frame {
        Frame::Counted => alone && (word.penn == Penn::Nns || opens),
        Frame::Mass => alone && word.penn == Penn::Nn && !is_any(annotated.before(word.at), &["a", "an", "one"]),
        Frame::Object => {
            let phrase = matches!(after, Some(Penn::Dt | Penn::PrpPoss | Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Jj));
            // `call the whole thing off`: with the other verb the particle would be lost.
            let near = word.at + 1..(word.at + 6).min(annotated.len());
            let parted =
                near.into_iter().any(|at| is_any(annotated.word(at), &["off", "up", "out", "down", "back", "over"]));
            // `a place called 'The Tower'`: what stands behind a participle without `be` may be its own.
            let passive = is_any(
                annotated.before(word.at),
                &["is", "was", "are", "were", "be", "been", "being", "'s", "get", "got"],
            );
            if word.penn == Penn::Vbn { ends && passive } else { phrase && !parted }
        }
        Frame::To => after == Some(Penn::To) && annotated.penn(word.at + 2) == Some(Penn::Vb),
        Frame::Free => true,
        Frame::Before => noun(after) && before != Some(Penn::Rb),
        Frame::Quality => {
            let said = is_any(annotated.before(word.at), &["is", "was", "are", "were", "very", "really", "'s", "be"]);
            (noun(after) && before != Some(Penn::Rb)) || (said && ends)
        }
        Frame::Last => ends,
        Frame::Degree => {
            let counts = is_any(annotated.after(word.at), &["many", "few", "much", "little", "own", "same"]);
            let bound = is_any(annotated.before(word.at), &["not", "n't", "the", "so", "too", "how", "never"]);
            after == Some(Penn::Jj) && !counts && !bound
        }
    }
}

/// Whether a word is frequent and can be several parts of speech.
fn is_multiple(word: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|word| {
        let kinds = [Kind::Noun, Kind::Verb, Kind::Adjective, Kind::Adverb];
        let often = neighbours::frequency_rank(word).is_some_and(|rank| rank < FREQUENT);
        let plain = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        often && plain && kinds.iter().filter(|kind| gold_tags::share(word, **kind) >= LEAST).count() > 1
    });
    KNOWN.of(word)
}
