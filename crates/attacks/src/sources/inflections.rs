use std::collections::BTreeSet;

use fissure_core::Language;
use fissure_text::inflection;

use crate::resources::follow;
use crate::{AttackResources, Attempt, Change, Source, State};

attack_part! { Source;
    /// The other forms of the word: `sings`, `sang` and `sung` for `sing`.
    pub struct Inflections {}
}

const TAGS: [&str; 12] = ["NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "JJ", "JJR", "JJS", "RBR"];

impl Source for Inflections {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let now = state.word(&attempt.victim, word);
        let small = now.to_lowercase();
        let mut forms: BTreeSet<String> = BTreeSet::new();
        for (tag, lemma) in inflection::readings(&small) {
            for other in TAGS.iter().filter(|other| other[..1] == tag[..1]) {
                forms.extend(inflection::inflect(lemma, other).map(std::borrow::Cow::into_owned));
            }
        }
        forms.into_iter().filter(|form| !form.contains(' ') && *form != small).map(|form| follow(now, &form)).collect()
    }

    fn languages(&self, _: &AttackResources) -> &'static [Language] {
        &[Language::English]
    }
}
