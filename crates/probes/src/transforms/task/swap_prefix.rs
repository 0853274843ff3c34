use std::collections::HashMap;
use std::sync::OnceLock;

use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, layer, transform};
use fissure_text::inflection::{self, Kind};
use fissure_text::{Penn, neighbours, wordnet};

use crate::support::annotated::Annotated;
use crate::support::gold_tags;

transform! {
    /// Replaces a word that has a prefix with the same word behind another prefix: `exports` for `imports`.
    ///
    /// Both are words of the same part of speech, in the same form, and what is left without the prefix is a word as well.
    /// Few words have two prefixes that make words, so most sentences stay as they are (about one in fifty of UD English EWT
    /// changes).
    pub struct SwapPrefix {
        ..Amount::share(0.2);
    }
    card: {
        level: Some(Word),
        family: Some(Morphology),
        expectation: Some(Kept),
        requires: &[Has::Tags],
        languages: &[English],
        aliases: &["SwapPrefix"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[They|token:PRP] [exported|token:VBD] [it|token:PRP] [.|token:.]" => "[They|token:PRP] [transported|token:VBD] [it|token:PRP] [.|token:.]",
        "[The|token:DET] [imports|token:NOUN] [fell|token:VERB] [.|token:PUNCT]" => "[The|token:DET] [transport|token:NOUN] [fell|token:VERB] [.|token:PUNCT]",
        { max = "3" } "[They|token:PRP] [exported|token:VBD] [it|token:PRP] [.|token:.]" => "[They|token:PRP] [transported|token:VBD] [it|token:PRP] [.|token:.]",
        "[They|token:PRP] [believe|token:VBP] [it|token:PRP] [.|token:.]" => "[They|token:PRP] [believe|token:VBP] [it|token:PRP] [.|token:.]",
    ]
}

/// Prefixes with a meaning of their own. Not among them: `en`, `be`, `a`, `de`, `out`, which begin many words by chance.
const PREFIXES: &[&str] = &[
    "un", "re", "over", "under", "mis", "dis", "in", "im", "non", "pre", "inter", "sub", "super", "anti", "trans",
    "fore", "semi", "ex", "counter", "micro", "macro", "multi", "mid", "intra", "post", "hyper", "ultra", "bi", "tri",
    "tele", "auto", "down", "up", "with", "with", "by",
];
const FREQUENT: u32 = 20_000;
const WORSE: f64 = -3.0;

impl EditSample for SwapPrefix {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        if sample.layer(layer::TOKEN).next().is_none() {
            return Err(Skip("there are no tokens".into()));
        }
        let annotated = Annotated::of(&field.text);
        let mut words: Vec<(usize, Vec<String>)> = Vec::new();
        for word in gold_tags::content(sample, &annotated).into_iter().filter(|word| annotated.may_be_content(word.at))
        {
            let form = |other: &&str| inflection::inflect(other, word.penn.as_str()).map(|form| form.into_owned());
            let lemma = annotated.lemma(word.at);
            let forms: Vec<String> = others(&lemma, word.kind).iter().filter_map(form).collect();
            let fits = |form: &String| {
                !form.contains(' ') && *form != *annotated.small(word.at) && annotated.fit(word.at, form) >= WORSE
            };
            let forms: Vec<String> = forms.into_iter().filter(fits).collect();
            // `reported that`, `won't be returning`: another verb need not be used so.
            let bare = word.kind == Kind::Verb
                && !matches!(
                    annotated.penn(word.at + 1),
                    Some(Penn::Dt | Penn::Prp | Penn::PrpPoss | Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Jj)
                );
            if !forms.is_empty() && !bare && !annotated.in_phrase(word.at) {
                words.push((word.at, forms));
            }
        }
        let mut edits: Vec<Edit> = Vec::new();
        for at in dice.choose(words.len(), self.amount.of(words.len())) {
            let (at, forms) = &words[at];
            if let Some(form) = dice.pick(forms) {
                annotated.put(*at, form, &mut edits);
            }
        }
        edits.sort_by_key(|edit| edit.span);
        edits.dedup_by(|next, edit| next.span == edit.span);
        Ok(edits)
    }
}

/// The words that have the same stem behind another prefix.
fn others(lemma: &str, kind: Kind) -> Vec<&'static str> {
    let stems = stems();
    let mut found: Vec<&'static str> = Vec::new();
    for prefix in PREFIXES {
        let Some(stem) = lemma.strip_prefix(prefix).filter(|stem| is_stem(stem, kind)) else { continue };
        let alike = stems.get(stem).into_iter().flatten().copied();
        found.extend(alike.filter(|other| *other != lemma && is_kind(other, kind)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Frequent words with a prefix, by their stem.
fn stems() -> &'static HashMap<&'static str, Vec<&'static str>> {
    static STEMS: OnceLock<HashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    STEMS.get_or_init(|| {
        let mut stems: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
        for word in (0..FREQUENT as usize).filter_map(neighbours::word_of_rank) {
            for prefix in PREFIXES {
                if let Some(stem) = word.strip_prefix(prefix).filter(|stem| stem.len() > 3) {
                    stems.entry(stem).or_default().push(word);
                }
            }
        }
        stems
    })
}

/// Whether what is left behind a prefix is a word of the kind, or of the one it was made from.
fn is_stem(stem: &str, kind: Kind) -> bool {
    stem.len() > 3
        && !["ease", "formation", "tent"].contains(&stem)
        && (is_kind(stem, kind) || (kind == Kind::Adjective && is_kind(stem, Kind::Verb)))
        && neighbours::frequency_rank(stem).is_some_and(|rank| rank < FREQUENT)
}

/// Whether a word is a lemma of the kind in most of its uses.
fn is_kind(word: &str, kind: Kind) -> bool {
    inflection::is_lemma(word, kind.penn()) && wordnet::senses(word, kind).next().is_some()
}
