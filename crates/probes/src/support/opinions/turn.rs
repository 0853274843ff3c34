//! One opinion turned round: by a word that judges the other way, by `not`, or by taking `not` away.

use std::ops::Range;

use fissure_core::{Edit, Sample, Span, Text, choices, layer};
use fissure_text::inflection::{self, Kind};
use fissure_text::polarity::{self, Polarity};
use fissure_text::{Penn, articles, casing, opinions, opposites};

use super::{Aspect, places};
use crate::clauses::is_any;
use crate::support::annotated::Annotated;

choices! {
    /// How an opinion is turned round.
    pub enum How { Either = "either", Antonym = "antonym", Negation = "negation" }
}

/// Adverbs that say how much: what they stand before can turn, and they stay.
pub(super) const DEGREES: &[&str] = &[
    "very",
    "really",
    "so",
    "extremely",
    "quite",
    "pretty",
    "incredibly",
    "super",
    "truly",
    "absolutely",
    "always",
    "just",
    "simply",
    "totally",
    "completely",
    "consistently",
    "equally",
    "especially",
    "particularly",
    "amazingly",
    "exceptionally",
    "most",
    "utterly",
    "surprisingly",
    "also",
    "all",
    "overall",
    "generally",
    "usually",
    "rather",
];

/// What the parts that turn opinions share: the text as it reads, and how to turn.
pub(crate) struct Turns<'a> {
    pub sample: &'a Sample,
    pub annotated: Annotated,
    pub how: How,
    /// Places of opinions that must not be touched by a denial of a clause.
    pub others: Vec<Span>,
}

impl<'a> Turns<'a> {
    pub fn new(sample: &'a Sample, how: How) -> Self {
        let text: &Text = &sample.fields[0].text;
        Self { sample, annotated: Annotated::of(text), how, others: Vec::new() }
    }

    /// From now on, denials leave alone what is said of all aspects but those of `group`.
    pub fn guard(&mut self, aspects: &[Aspect], group: &[usize]) {
        let outside = |(at, one)| (!group.contains(&at)).then_some(one);
        let others: Vec<&Aspect> = aspects.iter().enumerate().filter_map(outside).collect();
        self.others = places(self.sample, &others);
    }

    /// The tokens that an opinion is, if it is whole ones.
    pub(super) fn tokens(&self, place: Span) -> Option<Range<usize>> {
        let tokens = self.annotated.analysis().tokens();
        let first = tokens.iter().position(|token| token.span.start == place.start)?;
        let last = tokens.iter().position(|token| token.span.end == place.end)?;
        (first <= last).then_some(first..last + 1)
    }

    /// The edits that turn an opinion that judges this way; nothing if that is not sure.
    pub fn turn(&self, place: Span, says: Polarity) -> Option<Vec<Edit>> {
        // `unfortunately` judges what the sentence says, and with `fortunately` that stays as it was.
        let whole = ["unfortunately", "fortunately", "sadly", "luckily", "thankfully", "disappointingly"];
        if self.is_in_name(place) || self.is_set_against(place) || is_any(place.of(&self.sample.fields[0].text), &whole)
        {
            return None;
        }
        let tokens = self.tokens(place)?;
        if self.is_said_again(&tokens, says) {
            return None;
        }
        if let Some(not) = self.denial(&tokens) {
            return self.without_denial(&tokens, not, says);
        }
        if let Some(edits) = self.without_more(&tokens, says) {
            return Some(edits);
        }
        let antonym = || self.with_opposite(&tokens, says);
        let negation = || self.denied(&tokens, says);
        match self.how {
            How::Antonym => antonym(),
            How::Negation => negation(),
            How::Either => antonym().or_else(negation),
        }
    }

    /// `even better` beside what stays good: `bad`, since `even worse` would call that bad too.
    fn without_more(&self, tokens: &Range<usize>, says: Polarity) -> Option<Vec<Edit>> {
        let even = tokens.start.checked_sub(1).filter(|before| is_any(self.annotated.word(*before), &["even"]))?;
        let plain = match says {
            Polarity::Positive if is_any(self.annotated.word(tokens.start), &["better"]) => "bad",
            Polarity::Negative if is_any(self.annotated.word(tokens.start), &["worse"]) => "good",
            _ => return None,
        };
        let ends = [".", "!", ",", ""].contains(&self.annotated.word(tokens.end));
        let words = self.annotated.analysis().tokens();
        let (from, more) = (words[even].span.start, words[tokens.start].span.clone());
        (tokens.len() == 1 && ends && !self.others.is_empty())
            .then(|| vec![Edit::replace(from..more.start, ""), Edit::replace(more, plain)])
    }

    /// Whether words that judge are part of the name of an aspect, which stays: `fresh juice`.
    pub(super) fn is_in_name(&self, place: Span) -> bool {
        self.sample.layer(layer::ASPECT).any(|(_, aspect)| aspect.field == 0 && aspect.span.overlaps(place))
    }

    pub(super) fn word(&self, at: usize) -> String {
        self.annotated.word(at).to_lowercase()
    }

    /// Which way a word judges by itself, if the lists know that it judges only one way.
    pub(super) fn own(&self, at: usize) -> Option<Polarity> {
        let lemma = self.annotated.lemma(at);
        let kind = self.kind(at);
        let listed = |says| {
            kind.is_some_and(|kind| !opinions::against(&lemma, kind, says).is_empty())
                || !opinions::against_phrase(&self.word(at), says).is_empty()
        };
        match (listed(Polarity::Positive), listed(Polarity::Negative)) {
            (true, false) => Some(Polarity::Positive),
            (false, true) => Some(Polarity::Negative),
            _ => polarity::of(&lemma),
        }
    }

    /// What kind of word an opinion is. Taggers take `burnt` and `disappointed` for verbs.
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        let lower = self.word(at);
        let is_adjective = || {
            [Polarity::Positive, Polarity::Negative]
                .iter()
                .any(|says| !opinions::against(&lower, Kind::Adjective, *says).is_empty())
        };
        match self.annotated.penn(at)? {
            Penn::Vbn | Penn::Vbd | Penn::Vbg | Penn::Nnp | Penn::Nn | Penn::Vb | Penn::Rb | Penn::Jj
                if is_adjective() =>
            {
                let is_adverb = self.annotated.penn(at) == Some(Penn::Rb);
                Some(if is_adverb && self.is_after_verb(at) { Kind::Adverb } else { Kind::Adjective })
            }
            _ => self.annotated.kind(at),
        }
    }

    /// `runs fast`: an adverb whose opposite is another word.
    fn is_after_verb(&self, at: usize) -> bool {
        at > 0 && self.annotated.kind(at - 1) == Some(Kind::Verb)
    }

    /// Replaces the opinion with a word that judges the other way.
    fn with_opposite(&self, tokens: &Range<usize>, says: Polarity) -> Option<Vec<Edit>> {
        let analysis = self.annotated.analysis();
        let (first, head) = (tokens.start, tokens.end - 1);
        if self.is_quoted(tokens) {
            return None;
        }
        let place = Span::from(analysis.bytes(tokens.clone()));
        let written = place.of(analysis.text());
        if let Some(other) = opinions::against_phrase(&written.to_lowercase(), says).first() {
            return Some(self.put(first, place, &casing::follow(written, other)));
        }
        let hedged = says == Polarity::Negative
            && is_any(self.annotated.before(first), &["little", "bit", "trifle", "tad", "somewhat", "slightly"]);
        if !(first..head).all(|at| is_any(self.annotated.word(at), DEGREES)) || self.is_weighed(first, head) || hedged {
            return None;
        }
        let kind = self.kind(head)?;
        let penn = self.annotated.penn(head)?;
        let lower = self.word(head);
        let lemma = self.annotated.lemma(head);
        let exact = !opinions::against(&lower, kind, says).is_empty();
        let lemma: &str = if exact { &lower } else { &lemma };
        let other = match opinions::against(lemma, kind, says).first() {
            Some(other) => other.to_string(),
            None if polarity::of(lemma) == Some(says) => {
                opposites::of(lemma, kind).iter().find(|other| !other.contains('_'))?.to_string()
            }
            None => return None,
        };
        let graded = matches!(penn, Penn::Jjr | Penn::Jjs | Penn::Rbr | Penn::Rbs) && !exact;
        let form = match (kind, graded) {
            (Kind::Adjective, false) | (Kind::Adverb, false) => other.clone(),
            (Kind::Adjective, true) => {
                inflection::inflect(&other, if penn.as_str().ends_with('S') { "JJS" } else { "JJR" })?.into_owned()
            }
            _ => inflection::inflect(&other, penn.as_str())?.into_owned(),
        };
        // `most fresh` is no word.
        let marked = first > 0 && is_any(self.annotated.before(head), &["more", "most"]);
        if marked && !inflection::inflect(&other, "JJR").is_some_and(|form| form.starts_with("more ")) {
            return None;
        }
        let span = Span::from(analysis.tokens()[head].span.clone());
        Some(self.put(head, span, &casing::follow(self.annotated.word(head), &form)))
    }

    /// The words at `span` replaced, with `a` or `an` before the token at `first` made to agree.
    fn put(&self, first: usize, span: Span, new: &str) -> Vec<Edit> {
        let mut edits = Vec::new();
        edits.extend(self.article(first, new));
        edits.push(Edit::replace(span, new));
        edits
    }

    /// The edit that makes `a` or `an` before the token at `first` agree with `new` behind it.
    pub fn article(&self, first: usize, new: &str) -> Option<Edit> {
        let before = first.checked_sub(1)?;
        let article = self.annotated.word(before);
        let right = articles::article_before(new, article);
        let is_article = is_any(article, &["a", "an"]) && self.annotated.penn(before) == Some(Penn::Dt);
        let span = self.annotated.analysis().tokens()[before].span.clone();
        (is_article && right != article).then(|| Edit::replace(span, right))
    }

    pub(super) fn is_quoted(&self, tokens: &Range<usize>) -> bool {
        let quotes = |word: &str| ["\"", "'", "``", "''", "\u{201c}", "\u{201d}", "--", "-"].contains(&word);
        tokens.start.checked_sub(1).is_some_and(|at| quotes(self.annotated.word(at)))
            || quotes(self.annotated.word(tokens.end))
    }

    /// Whether an opinion is compared or bounded: its opposite need not say the opposite.
    pub(super) fn is_weighed(&self, first: usize, head: usize) -> bool {
        let before = |back: usize| first.checked_sub(back).map_or("", |at| self.annotated.word(at));
        is_any(self.annotated.after(head), &["enough", "as", "luck", "deal"])
            || is_any(before(1), &["as", "than", "too", "less", "least", "like"])
            || is_any(before(2), &["as", "too", "could"])
            || is_any(before(3), &["could"])
    }
}
