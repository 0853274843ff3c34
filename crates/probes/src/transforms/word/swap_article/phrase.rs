//! `a` or `an` with its noun: where it stands, what is said of it, and whether `the` can stand there too.

use fissure_text::{Penn, Relation, inflection, polarity};

use super::words::{
    ALIKE, BRINGING, CLAUSES, CONDITIONS, ENLARGING, LIGHT, LINKS, OF_A_KIND, SUPPOSED, TELLING, is_compared,
    is_measured, is_pointed_at, is_reported_of, is_someone,
};
use crate::support::annotated::Annotated;

/// From an article to the noun that it belongs to.
pub(super) struct Phrase<'r> {
    annotated: &'r Annotated,
    at: usize,
    head: usize,
}

/// What a phrase is in its sentence.
enum Role {
    /// It does what a verb behind it says.
    Subject,
    /// The verb before it is done to it.
    Object,
    /// It stands behind a preposition.
    Behind,
    /// It says who or what a name is: `Ann Lee, a lawyer`.
    Name,
}

/// So far back words are looked for: texts can be long.
const SOON: usize = 100;

impl<'r> Phrase<'r> {
    /// The phrase of the article at place `at`: modifiers, then one noun or several, of which the last counts.
    /// `None` if the words around leave no choice. What words alone show is asked first, because tags are expensive.
    pub fn of(annotated: &'r Annotated, at: usize) -> Option<Self> {
        if !annotated.stands_free(at) || is_supposed(annotated, at) || annotated.penn(at) != Some(Penn::Dt) {
            return None;
        }
        let mut head = None;
        for place in at + 1..annotated.len() {
            let word = &*annotated.small(place);
            if OF_A_KIND.contains(&word) || is_compared(word) || polarity::of(word).is_some() {
                return None;
            }
            match annotated.penn(place)? {
                Penn::Nn if annotated.is_plain(place) => head = Some(place),
                // `a charming tale` says that the tale is charming, `the charming tale` that it is known to be.
                Penn::Jj | Penn::Rb if polarity::is_charged(word) => return None,
                Penn::Jj | Penn::Vbn | Penn::Vbg if head.is_none() && annotated.is_plain(place) => {}
                Penn::Rb if head.is_none() && place == at + 1 => {}
                // A name, a plural, a possessive or a part of a longer word makes another phrase of it.
                Penn::Nn | Penn::Nnp | Penn::Nnps | Penn::Nns | Penn::Pos | Penn::Hyph | Penn::Cd => return None,
                _ => break,
            }
        }
        let head = head?;
        let (after, next) = (annotated.after(head), annotated.after(head + 1));
        // `a stage, a bar and a cab`: what is listed has one article throughout.
        let listed = [",", "and"].contains(&after) && ["a", "an"].contains(&next);
        // Old news has `#39;s` for the `'s` of a possessive.
        let whole = !ENLARGING.contains(&after) && !after.starts_with('#');
        let phrase = Self { annotated, at, head };
        (whole && !listed && !phrase.was_mentioned()).then_some(phrase)
    }

    /// Whether `the` can stand where `a` stands: it is one particular thing, not any of its kind.
    pub fn takes_the(&self) -> bool {
        let Some(role) = self.role() else { return false };
        let noun = &*self.annotated.small(self.head);
        let pointed = is_pointed_at(noun);
        match (role, &*self.before()) {
            (Role::Subject, _) => !is_measured(noun),
            (Role::Name, _) => is_someone(noun),
            (Role::Object, _) if pointed => !LIGHT.contains(&&*self.lemma_before()),
            (Role::Object, _) => is_reported_of(noun) && self.is_told_apart() && !is_little(&self.lemma_before()),
            (Role::Behind, "of" | "for" | "into") => pointed && self.is_told_by_a_clause(),
            (Role::Behind, _) if pointed => self.is_told_apart() || self.is_in_an_event(|_| true),
            (Role::Behind, "with") => false,
            (Role::Behind, _) => {
                is_reported_of(noun) && self.is_told_apart() && self.is_in_an_event(|verb| !is_little(verb))
            }
        }
    }

    fn role(&self) -> Option<Role> {
        let (annotated, at) = (self.annotated, self.at);
        let before = if annotated.starts_sentence(at) { None } else { annotated.penn(at.checked_sub(1)?) };
        let opens = matches!(before, None | Some(Penn::Comma | Penn::Colon)) || CLAUSES.contains(&&*self.before());
        if opens && (self.has_its_verb_behind() || self.is_parsed_as_subject()) {
            return Some(Role::Subject);
        }
        match before? {
            Penn::Vbd | Penn::Vbg | Penn::Vbn | Penn::Vbz | Penn::Vbp => {
                (!LINKS.contains(&&*self.lemma_before())).then_some(Role::Object)
            }
            Penn::In | Penn::To | Penn::Rp => (!ALIKE.contains(&&*self.before())).then_some(Role::Behind),
            Penn::Comma if at >= 2 => {
                matches!(annotated.penn(at - 2), Some(Penn::Nnp | Penn::RightBracket)).then_some(Role::Name)
            }
            _ => None,
        }
    }

    /// Whether a verb of its own follows at once, which does not only say what kind of thing it is.
    fn has_its_verb_behind(&self) -> bool {
        let verb = self.head + 1;
        matches!(self.annotated.penn(verb), Some(Penn::Vbd | Penn::Vbz))
            && (!LINKS.contains(&&*self.annotated.lemma(verb))
                || matches!(self.annotated.penn(verb + 1), Some(Penn::Vbn | Penn::Vbg)))
    }

    /// Whether a verb further on has the phrase for its subject: `a man who was ill died`.
    fn is_parsed_as_subject(&self) -> bool {
        let analysis = self.annotated.analysis();
        let number = analysis.sentences().partition_point(|sentence| sentence.end <= self.at);
        let Some(sentence) = analysis.sentences().get(number) else { return false };
        analysis.dependencies_of(number).get(self.head - sentence.start).is_some_and(|found| {
            let verb = found.head.and_then(|head| self.annotated.penn(head));
            matches!(found.relation, Relation::Nsubj | Relation::NsubjPass)
                && matches!(verb, Some(Penn::Vbd | Penn::Vbz | Penn::Vbn))
        })
    }

    /// Whether the words behind say which one is meant: a clause or a place (`near the river`).
    fn is_told_apart(&self) -> bool {
        let after = self.head + 1;
        let place = self.annotated.penn(after) == Some(Penn::In) && TELLING.contains(&&*self.annotated.small(after));
        place || self.is_told_by_a_clause()
    }

    /// Whether a clause behind says which one is meant: `who fled`, `aimed at`, `to lay down arms`.
    fn is_told_by_a_clause(&self) -> bool {
        let after = self.head + 1;
        let word = &*self.annotated.small(after);
        match self.annotated.penn(after) {
            Some(Penn::Vbn | Penn::Vbg) => true,
            Some(Penn::To) => self.annotated.penn(after + 1) == Some(Penn::Vb),
            Some(Penn::Wdt | Penn::Wp | Penn::WpPoss | Penn::Wrb) => !["what", "when", "why", "how"].contains(&word),
            Some(Penn::In) => word == "that",
            _ => false,
        }
    }

    /// Whether the last verb before the phrase says what happens or happened, not what is or may be, and `is_enough` holds.
    fn is_in_an_event(&self, is_enough: impl Fn(&str) -> bool) -> bool {
        let mut tags = earlier(self.annotated, self.at).filter_map(|place| Some((place, self.annotated.penn(place)?)));
        let verb = tags.find(|(_, tag)| {
            matches!(tag, Penn::Vb | Penn::Vbd | Penn::Vbg | Penn::Vbn | Penn::Vbp | Penn::Vbz | Penn::Md)
        });
        verb.is_some_and(|(place, tag)| {
            let lemma = &*self.annotated.lemma(place);
            !matches!(tag, Penn::Vb | Penn::Md) && !LINKS.contains(&lemma) && is_enough(lemma)
        })
    }

    /// Whether the text had the noun not long before, so that `a` brings in another one.
    fn was_mentioned(&self) -> bool {
        let noun = self.annotated.small(self.head);
        let plural = inflection::inflect(&noun, "NNS").unwrap_or_default();
        (self.at.saturating_sub(SOON)..self.at).any(|place| {
            let word = self.annotated.word(place);
            word.eq_ignore_ascii_case(&noun) || word.eq_ignore_ascii_case(&plural)
        })
    }

    fn before(&self) -> String {
        self.annotated.before(self.at).to_ascii_lowercase()
    }

    fn lemma_before(&self) -> Box<str> {
        self.at.checked_sub(1).map_or_else(Box::default, |before| self.annotated.lemma(before))
    }
}

/// Whether a verb says little of what is done: `give a hint`, `play a part`.
fn is_little(lemma: &str) -> bool {
    LIGHT.contains(&lemma) || BRINGING.contains(&lemma)
}

/// Whether what follows is one that there may be or that there is not: behind `if`, `like`, `not`, in a question.
fn is_supposed(annotated: &Annotated, at: usize) -> bool {
    let is_one_of = |words: &[&str], place: usize| words.contains(&&*annotated.small(place));
    earlier(annotated, at).take(6).any(|place| is_one_of(&SUPPOSED, place))
        || earlier(annotated, at).any(|place| is_one_of(&CONDITIONS, place))
        || annotated.analysis().sentence_of(at).is_some_and(|sentence| annotated.before(sentence.end) == "?")
}

/// The places not long before this one in its sentence, the nearest first.
fn earlier(annotated: &Annotated, at: usize) -> impl Iterator<Item = usize> + use<> {
    let start = annotated.analysis().sentence_of(at).map_or(at, |sentence| sentence.start);
    (start..at).rev().take(SOON)
}
