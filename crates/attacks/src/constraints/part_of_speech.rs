use fissure_text::{Upos, analyse};

use crate::{Attempt, Constraint, Resource, State};

attack_part! { Constraint;
    /// The new word has the part of speech of the old one, each in its own text.
    pub struct PartOfSpeech {
        /// Whether nouns and verbs may change places.
        noun_or_verb: bool = false;
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
            tag_at(new, start) == tag_at(attempt.analysis(at.field), at.span.start)
        })
    }

    fn is_separable(&self) -> bool {
        false
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Tables]
    }
}
