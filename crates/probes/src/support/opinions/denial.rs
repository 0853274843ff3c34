//! An opinion denied, or freed of its denial: `kind` to `not kind`, and back.

use std::ops::Range;

use fissure_core::{Edit, Span};
use fissure_text::Penn;
use fissure_text::inflection::Kind;
use fissure_text::polarity::Polarity;

use super::turn::{How, Turns};
use crate::clauses::{Clause, Sentence, is_any};
use crate::transforms::sentence::reverse_neg;

/// Adverbs that leave a denial a denial: `not very good` blames, `not always good` need not.
const DENIABLE: &[&str] = &["very", "really", "so", "that", "particularly", "especially", "all"];

/// Words that turn what follows them.
const DENYING: &[&str] = &[
    "not",
    "n't",
    "n\u{2019}t",
    "never",
    "no",
    "hardly",
    "without",
    "nothing",
    "isnt",
    "wasnt",
    "dont",
    "didnt",
    "doesnt",
    "arent",
    "werent",
    "cannot",
    "nor",
    "neither",
    "none",
    "barely",
    "less",
    "nobody",
    "rarely",
    "seldom",
    "nowhere",
    "lacks",
    "lacked",
    "lacking",
    "lack",
    "t",
    "aint",
    "wo",
    "ca",
    "cant",
    "wont",
    "nt",
    "far",
    "instead",
];

impl Turns<'_> {
    /// The word that denies an opinion, in it or shortly before it.
    pub(super) fn denial(&self, tokens: &Range<usize>) -> Option<usize> {
        let sentence = self.annotated.analysis().sentence_of(tokens.start)?;
        let mut at = tokens.end - 1;
        let least = tokens.start.saturating_sub(5).max(sentence.start);
        loop {
            if is_any(self.annotated.word(at), DENYING) {
                return Some(at);
            }
            let is_border = |word: &str| [",", ";", ":", ".", "!", "(", ")", "but", "and", "-", "--"].contains(&word);
            if at == least || (at < tokens.start && is_border(&self.word(at))) {
                return None;
            }
            at -= 1;
        }
    }

    /// Takes the denial of an opinion away.
    pub(super) fn without_denial(&self, tokens: &Range<usize>, not: usize, says: Polarity) -> Option<Vec<Edit>> {
        if self.how == How::Antonym {
            return None;
        }
        // `not good` blames by a word that praises; if the word itself blames, it is not clear what is denied.
        let head = tokens.end - 1;
        if head == not || self.own(head)? == says {
            return None;
        }
        if (tokens.start..head).any(|at| at != not && !is_any(self.annotated.word(at), DENIABLE) && !self.is_helper(at))
        {
            return None;
        }
        let analysis = self.annotated.analysis();
        let is_here = |range: Range<usize>| range.contains(&not);
        let sentence = Sentence::all(analysis, is_here).next()?;
        let clause = sentence.clauses().into_iter().find(|clause| clause.negation == Some(not))?;
        if self.speaks_of_others(&sentence, &clause) {
            return None;
        }
        reverse_neg::without_negation(&sentence, &clause)
    }

    fn is_helper(&self, at: usize) -> bool {
        is_any(
            self.annotated.word(at),
            &["is", "was", "are", "were", "be", "did", "do", "does", "'s", "to", "been", "has", "have", "had", "the"],
        )
    }

    /// Puts `not` where it denies the opinion.
    pub(super) fn denied(&self, tokens: &Range<usize>, says: Polarity) -> Option<Vec<Edit>> {
        let (first, head) = (tokens.start, tokens.end - 1);
        // `not unprecedented` praises no less.
        let denies_already = self.word(head).starts_with("un") && says == Polarity::Positive;
        if self.is_weighed(first, head) || self.is_quoted(tokens) || denies_already {
            return None;
        }
        // A denial of what the lists do not know turns it only if it judges at all; the file says that it does.
        let plain = (first..head).all(|at| is_any(self.annotated.word(at), DENIABLE));
        if !plain || (tokens.len() > 1 && self.own(head) != Some(says)) {
            return None;
        }
        let kind = self.kind(head)?;
        match kind {
            Kind::Adjective if says == Polarity::Positive || self.own(head) == Some(says) => {
                self.denied_quality(tokens)
            }
            Kind::Verb => self.denied_verb(head, says),
            _ => None,
        }
    }

    /// `was kind` to `was not kind`.
    fn denied_quality(&self, tokens: &Range<usize>) -> Option<Vec<Edit>> {
        let mut first = tokens.start;
        while first > 0 && is_any(self.annotated.before(first), DENIABLE) {
            first -= 1;
        }
        let verb = first.checked_sub(1)?;
        let is_graded = matches!(self.annotated.penn(tokens.end - 1), Some(Penn::Jjr | Penn::Jjs));
        let stated = is_any(self.annotated.word(verb), &["is", "was", "are", "were", "'s", "\u{2019}s"]) && !is_graded;
        // `is nice and clean`: how far `not` would reach is not sure.
        let joined = is_any(self.annotated.word(tokens.end), &["and", "or", ","])
            && self.annotated.kind(tokens.end + 1) == Some(Kind::Adjective);
        let at = self.annotated.analysis().tokens()[first].span.start;
        (stated && !joined).then(|| vec![Edit::insert(at, "not ")])
    }

    /// `I recommend it` to `I don't recommend it`, `Try it` to `Don't try it`.
    fn denied_verb(&self, head: usize, says: Polarity) -> Option<Vec<Edit>> {
        if says == Polarity::Negative {
            return None;
        }
        let is_here = |range: Range<usize>| range.contains(&head);
        let sentence = Sentence::all(self.annotated.analysis(), is_here).next()?;
        let clause = sentence.clauses().into_iter().find(|clause| clause.head == head);
        let opens = head
            .checked_sub(1)
            .is_some_and(|before| [",", ";", ":", "(", "--", "-"].contains(&self.annotated.word(before)));
        if opens
            && matches!(self.annotated.penn(head), Some(Penn::Vb | Penn::Vbp))
            && clause.as_ref().is_none_or(|clause| !clause.own_subject)
        {
            // An order inside a sentence: `..., try the soup`.
            let from = sentence.span(head).start;
            let others = self.others.iter().any(|other| other.start > from);
            return (!others).then(|| vec![Edit::insert(from, "don't ")]);
        }
        let stressed = |at: usize| is_any(self.annotated.word(at), &["highly", "strongly", "definitely"]);
        if clause.is_none()
            && head.checked_sub(1).is_some_and(|before| stressed(before) && before == sentence.tokens.start)
        {
            let from = sentence.span(head).start;
            let others = self.others.iter().any(|other| other.start > from);
            return (!others).then(|| vec![sentence.replace(head - 1, "never")]);
        }
        let Some(clause) = clause else {
            // `I recomend it`: a verb that no list has.
            let before = head.checked_sub(1).filter(|before| is_any(self.annotated.word(*before), &["i", "we"]));
            if before.is_some() && matches!(self.annotated.penn(head), Some(Penn::Vb | Penn::Vbp)) {
                let from = sentence.span(head).start;
                let others = self.others.iter().any(|other| other.start > from);
                return (!others).then(|| vec![Edit::insert(from, "don't ")]);
            }
            let first = sentence.tokens.clone().find(|at| self.annotated.word(*at).starts_with(char::is_alphabetic))?;
            let others =
                self.others.iter().any(|other| sentence.tokens.clone().any(|at| sentence.span(at).overlaps(*other)));
            return (first == head && !others).then(|| reverse_neg::without_verb(&sentence)).flatten();
        };
        if self.speaks_of_others(&sentence, &clause) || clause.negation.is_some() {
            return None;
        }
        let before = head.checked_sub(1)?;
        if is_any(self.annotated.word(before), &["highly", "strongly", "definitely", "really", "always", "absolutely"])
        {
            // `don't highly recommend` is no more than faint praise.
            return Some(vec![sentence.replace(before, "never")]);
        }
        reverse_neg::with_negation(&sentence, &clause)
    }

    /// Whether a clause says something of other aspects too: a denial would turn that as well.
    fn speaks_of_others(&self, sentence: &Sentence<'_>, clause: &Clause) -> bool {
        let from = sentence.span(clause.finite).start;
        let to = sentence.span(self.end_of(sentence, clause)).end;
        self.others.iter().any(|other| other.overlaps(Span::new(from, to)))
    }

    /// The last token of a clause: before the joint behind which another clause has a subject of its own.
    fn end_of(&self, sentence: &Sentence<'_>, clause: &Clause) -> usize {
        let last = sentence.tokens.end - 1;
        let is_next = |next: &Clause| next.own_subject && next.finite > clause.head && !next.inverted;
        let next = sentence.clauses().into_iter().filter(is_next).filter_map(|next| next.subject).min();
        let joint = |from: usize, to: usize| {
            (from..to).find(|at| sentence.penn(*at) == Penn::Cc || [",", ";", "."].contains(&sentence.word(*at)))
        };
        next.and_then(|subject| joint(clause.head + 1, subject)).map_or(last, |joint| joint - 1)
    }
}
