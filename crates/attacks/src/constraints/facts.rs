use fissure_core::Span;
use fissure_text::{Upos, articles, numbers};

use crate::{Attempt, Constraint, Resource, State};

attack_part! { Constraint;
    /// Names and numbers stay, and `a` or `an` before a new word stays right.
    pub struct Facts {}
}

impl Constraint for Facts {
    fn word(&self, attempt: &Attempt<'_>, word: usize) -> bool {
        let at = attempt.victim.words[word];
        let analysis = attempt.analysis(at.field);
        let token = analysis.tokens().partition_point(|token| token.span.start < at.span.start);
        let is_name = analysis.tag(token).is_some_and(|tag| tag.upos == Upos::Propn);
        let text = &attempt.victim.sample.fields[at.field].text;
        let is_number = || {
            text[at.span.range()].contains(|letter: char| letter.is_ascii_digit())
                || numbers::find(text).iter().any(|(range, _)| Span::from(range.clone()).overlaps(at.span))
        };
        !is_name && !is_number()
    }

    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        let agrees = |word: usize| {
            let at = attempt.victim.words[word];
            let Some(before) = word.checked_sub(1).filter(|before| attempt.victim.words[*before].field == at.field)
            else {
                return true;
            };
            let text = &attempt.victim.sample.fields[at.field].text;
            let apart = &text[attempt.victim.words[before].span.end..at.span.start];
            let article = state.word(&attempt.victim, before);
            let is_article = ["a", "an"].iter().any(|known| known.eq_ignore_ascii_case(article));
            let new = state.word(&attempt.victim, word);
            apart != " " || !is_article || new.is_empty() || articles::article_before(new, article) == article
        };
        match changed {
            Some(word) => agrees(word),
            None => state.words().all(agrees),
        }
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Tables]
    }
}
