//! Gold tags of tokens, whatever the tag set: what kind of word a token is, and in which form it stands.

use fissure_core::{Mark, Sample, layer};
use fissure_text::inflection::Kind;
use fissure_text::{Penn, Upos};

use super::annotated::Annotated;

/// A token of a tagged text that is one token of ours as well.
pub(crate) struct Tagged {
    /// Its place in the reading.
    pub at: usize,
    pub kind: Kind,
    pub penn: Penn,
}

/// The content words of a text whose gold tag and our own reading agree.
pub(crate) fn content(sample: &Sample, annotated: &Annotated) -> Vec<Tagged> {
    let tokens = annotated.analysis().tokens();
    let mut marks: Vec<&Mark> =
        sample.layer(layer::TOKEN).map(|(_, mark)| mark).filter(|mark| mark.field == 0).collect();
    marks.sort_by_key(|mark| mark.span.start);
    let mut found = Vec::new();
    let mut at = 0;
    for mark in marks {
        while at < tokens.len() && tokens[at].span.start < mark.span.start {
            at += 1;
        }
        let Some(token) = tokens.get(at) else { break };
        if (token.span.start, token.span.end) != (mark.span.start, mark.span.end) {
            continue;
        }
        if let Some((kind, penn)) = tag_of(mark, annotated, at) {
            found.push(Tagged { at, kind, penn });
        }
    }
    found
}

/// The kind of word that a gold tag says, and its form: by a Penn tag of the file, or else by our own if it agrees.
fn tag_of(mark: &Mark, annotated: &Annotated, at: usize) -> Option<(Kind, Penn)> {
    let beside = mark.attributes.iter().find(|(name, _)| matches!(&**name, "xpos" | "penn" | "postag"));
    let penn = Penn::from_name(&mark.value)
        .or_else(|| beside.and_then(|(_, tag)| Penn::from_name(tag.as_str()?)))
        .or_else(|| annotated.penn(at))?;
    let kind = match penn {
        Penn::Nn | Penn::Nns => Kind::Noun,
        Penn::Vb | Penn::Vbp | Penn::Vbz | Penn::Vbd | Penn::Vbn | Penn::Vbg => Kind::Verb,
        Penn::Jj | Penn::Jjr | Penn::Jjs => Kind::Adjective,
        Penn::Rb | Penn::Rbr | Penn::Rbs => Kind::Adverb,
        _ => return None,
    };
    let agrees = match mark.value.as_str() {
        "NOUN" => kind == Kind::Noun,
        "VERB" => kind == Kind::Verb,
        "ADJ" => kind == Kind::Adjective,
        "ADV" => kind == Kind::Adverb,
        // Auxiliaries, names and words that serve grammar.
        tag if Upos::from_name(tag).is_some() => false,
        tag => Penn::from_name(tag).is_some(),
    };
    // Our reading must not take the word for something else: then the sentence is not understood.
    (agrees && annotated.kind(at) == Some(kind)).then_some((kind, penn))
}

/// The share of the uses of a word that are of this kind, by the texts that WordNet's senses were counted in.
pub(crate) fn share(lemma: &str, kind: Kind) -> f64 {
    let (mut here, mut all) = (0.0, 0.0);
    for sense in fissure_text::wordnet::all_senses(lemma) {
        let count = f64::from(sense.frequency());
        all += count;
        here += if sense.kind() == kind { count } else { 0.0 };
    }
    if all > 0.0 { here / all } else { 0.0 }
}
