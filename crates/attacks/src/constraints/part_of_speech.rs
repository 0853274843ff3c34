use fissure_text::{Upos, analyse, inflection};

use crate::{Attempt, Constraint, Resource, State};

attack_part! { Constraint;
    /// The new word has the part of speech of the old one, each in its own text.
    pub struct PartOfSpeech {
        /// Whether nouns and verbs may change places.
        noun_or_verb: bool = false;
        /// Whether a dictionary must have the new word as that part of speech too, and all other words of the text keep theirs: where every
        /// word carries a tag of its own, what only the sentence around it makes a verb would be a wrong tag.
        strict: bool = false;
    }
}

impl PartOfSpeech {
    fn kind(&self, upos: Upos) -> Upos {
        match upos {
            Upos::Propn => Upos::Noun,
            Upos::Verb | Upos::Aux if self.noun_or_verb => Upos::Noun,
            other => other,
        }
    }
}

/// The parts of speech of all tokens, in order.
fn all_tags(analysis: &fissure_text::Analysis) -> impl Iterator<Item = Option<Upos>> + '_ {
    (0..analysis.tokens().len()).map(|token| analysis.tag(token).map(|tag| tag.upos))
}

/// Whether a dictionary has a lower-case word as a part of speech; what it does not know may be any. It knows the open classes only.
fn may_be(word: &str, upos: Upos) -> bool {
    let of_penn = |tag: &str| match tag.as_bytes() {
        [b'N', ..] => Upos::Noun,
        [b'V', ..] => Upos::Verb,
        [b'J', ..] => Upos::Adj,
        _ => Upos::Adv,
    };
    let mut known = inflection::readings(word).map(|(tag, _)| of_penn(tag)).peekable();
    let open = matches!(upos, Upos::Noun | Upos::Verb | Upos::Adj | Upos::Adv);
    !open || known.peek().is_none() || known.any(|kind| kind == upos)
}

impl Constraint for PartOfSpeech {
    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        let words: Vec<usize> = changed.map_or_else(|| state.words().collect(), |word| vec![word]);
        let edits = state.edits(&attempt.victim);
        let mut texts: Vec<Option<fissure_text::Analysis>> =
            attempt.victim.sample.fields.iter().map(|_| None).collect();
        let question = state.question(&attempt.victim);
        words.into_iter().all(|word| {
            let at = attempt.victim.words[word];
            if state.word(&attempt.victim, word).is_empty() {
                return true;
            }
            let tag_at = |analysis: &fissure_text::Analysis, start: usize| {
                let token = analysis.tokens().partition_point(|token| token.span.start < start);
                analysis.tag(token).map(|tag| self.kind(tag.upos))
            };
            let before = edits.iter().filter(|edit| edit.field == at.field && edit.span.start < at.span.start);
            let moved: isize = before.map(|edit| edit.with.len() as isize - edit.span.len() as isize).sum();
            let start = usize::try_from(at.span.start as isize + moved).unwrap_or(0);
            let new = texts[at.field].get_or_insert_with(|| analyse(&question.fields[at.field].text));
            let old = attempt.analysis(at.field);
            let kept = tag_at(new, start);
            kept == tag_at(old, at.span.start)
                && (!self.strict
                    || kept.is_none_or(|upos| may_be(&state.word(&attempt.victim, word).to_lowercase(), upos))
                        && all_tags(old).eq(all_tags(new)))
        })
    }

    fn is_separable(&self) -> bool {
        false
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Tables]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_says_what_a_word_may_be() {
        for (word, upos) in
            [("use", Upos::Verb), ("words", Upos::Noun), ("stock", Upos::Noun), ("the", Upos::Det), ("zib", Upos::Verb)]
        {
            assert!(may_be(word, upos), "{word}");
        }
        for (word, upos) in [("usage", Upos::Verb), ("trite", Upos::Noun), ("quickly", Upos::Noun)] {
            assert!(!may_be(word, upos), "{word}");
        }
    }
}
