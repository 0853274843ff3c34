//! Clauses of reviews that judge one thing and can stand in another review: `the service was slow`.

use fissure_core::{Edit, Mark, Piece, Sample, Span, layer};
use fissure_text::inflection::Kind;
use fissure_text::polarity::Polarity;
use fissure_text::{Penn, Relation, casing, wordnet};

use super::annotated::Annotated;
use super::opinions;
use crate::clauses::{Role, Sentence, is_any};

/// A clause with its labels.
pub(crate) struct Verdict {
    pub clause: Piece,
    pub term: String,
}

/// Things that stand for all that a review speaks of: what is said of them is said of the target too.
const GENERAL: &[&str] = &[
    "food",
    "place",
    "restaurant",
    "meal",
    "dish",
    "dishes",
    "everything",
    "experience",
    "menu",
    "dinner",
    "lunch",
    "laptop",
    "computer",
    "machine",
    "product",
    "notebook",
    "macbook",
    "netbook",
    "system",
    "pc",
    "mac",
    "unit",
    "item",
    "items",
    "spot",
    "dining",
    "foods",
    "meals",
    "toshiba",
    "dell",
    "hp",
    "apple",
    "everyone",
    "hotel",
];

/// Words for those who serve and for what they do.
const SERVICE: &[&str] =
    &["service", "staff", "waiter", "waitress", "server", "host", "bartender", "manager", "owner", "serve"];

/// Words that tie a clause to where it came from.
const TYING: &[&str] = &[
    "he",
    "she",
    "it",
    "they",
    "him",
    "her",
    "them",
    "his",
    "its",
    "their",
    "this",
    "that",
    "these",
    "those",
    "here",
    "there",
    "such",
    "also",
    "too",
    "however",
    "not",
    "n't",
    "never",
    "no",
    "but",
    "because",
    "if",
    "when",
    "than",
    "who",
    "which",
    "what",
    "while",
    "though",
    "although",
    "another",
    "other",
    "others",
    "same",
    "only",
    "even",
    "just",
    "both",
    "either",
    "neither",
    "still",
    "again",
    "then",
    "so",
    "as",
    "yes",
    "one",
    "ones",
    "would",
    "could",
    "should",
    "might",
    "may",
    "better",
    "worse",
    "more",
    "less",
    "like",
    "since",
    "except",
    "especially",
    "mine",
];

/// What the clauses of a donor judge. A clause has one aspect, all that is said of it, and nothing that refers to another clause.
/// Only aspects that `fits` takes, by their term in lower case and their polarity, are looked for: without one there is no parse.
pub(crate) fn of(donor: &Sample, fits: impl Fn(&str, Polarity) -> bool) -> Vec<Verdict> {
    let Ok(aspects) = opinions::aspects(donor) else { return Vec::new() };
    let text = &donor.fields[0].text;
    let wanted = |aspect: &opinions::Aspect| {
        let says = aspect.says.filter(|_| !aspect.opinions.is_empty())?;
        let term = donor.words_of(&donor.marks[aspect.mark]).to_lowercase();
        (!GENERAL.contains(&&*term) && fits(&term, says)).then_some(term)
    };
    let wanted: Vec<Option<String>> = if text.len() > 400 { Vec::new() } else { aspects.iter().map(wanted).collect() };
    if wanted.iter().all(Option::is_none) {
        return Vec::new();
    }
    let annotated = Annotated::of(text);
    let mut found = Vec::new();
    for sentence in Sentence::all(annotated.analysis(), |tokens| tokens.len() >= 3) {
        for clause in sentence.clauses() {
            let root = matches!(sentence.relation(clause.head), Relation::Root);
            let subject =
                clause.subject.filter(|_| clause.own_subject && !clause.inverted && clause.role == Role::Main);
            let (Some(subject), true) = (subject, root || sentence.relation(clause.head) == Relation::Conj) else {
                continue;
            };
            let Some(tokens) = stretch(&sentence, subject, clause.head) else { continue };
            let span = Span::from(annotated.analysis().bytes(tokens.clone()));
            let inside = |(aspect, _): &(&opinions::Aspect, _)| donor.marks[aspect.mark].span.overlaps(span);
            let inside: Vec<_> = aspects.iter().zip(&wanted).filter(inside).collect();
            let [(aspect, Some(term))] = inside[..] else { continue };
            let whole =
                donor.marks.iter().all(|mark| mark.field != 0 || !mark.span.overlaps(span) || span.covers(mark.span));
            let judged = aspect.opinions.iter().all(|opinion| span.covers(donor.marks[*opinion].span));
            // What is not marked as said of this aspect is not in the clause.
            let alone =
                donor.layer(layer::OPINION).all(|(at, mark)| !span.covers(mark.span) || aspect.opinions.contains(&at));
            let in_subject = donor.marks[aspect.mark].span.covers(sentence.span(subject));
            let plain = tokens.clone().all(|at| is_plain(&sentence, at)) && tokens.len() <= 12;
            if whole && judged && alone && plain && in_subject {
                let clause = piece(donor, &sentence, tokens.start, span);
                found.push(Verdict { clause, term: term.clone() });
            }
        }
    }
    found
}

/// The tokens from the first word of the subject to the last one of the predicate, if they are one stretch in which all
/// words hang on one another.
fn stretch(sentence: &Sentence<'_>, subject: usize, head: usize) -> Option<std::ops::Range<usize>> {
    let mut first = leftmost(sentence, subject);
    // A sentence may open with a joint: `And the staff was slow`.
    while first < subject && (sentence.penn(first) == Penn::Cc || sentence.is(first, &[","])) {
        first += 1;
    }
    let joined =
        |at: &usize| sentence.relation(*at) == Relation::Conj && (sentence.own_subject(*at).is_some() || *at > head);
    let mut last = head;
    for child in sentence.children(head).iter().copied().filter(|child| *child > head) {
        if sentence.relation(child) == Relation::Punct
            || joined(&child)
            || sentence.relation(child) == Relation::Parataxis
        {
            break;
        }
        last = last.max(rightmost(sentence, child));
    }
    // What is joined to the predicate and has no subject of its own would go on: `was slow and cold`.
    let goes_on = sentence.children(head).iter().any(|child| joined(child) && sentence.own_subject(*child).is_none());
    let end = last + 1;
    let ends = end >= sentence.tokens.end || sentence.is(end, &[".", "!", ",", ";", "and", "but"]);
    (first < head && ends && !goes_on).then_some(first..end)
}

fn leftmost(sentence: &Sentence<'_>, at: usize) -> usize {
    sentence
        .children(at)
        .iter()
        .filter(|child| **child < at)
        .map(|child| leftmost(sentence, *child))
        .min()
        .unwrap_or(at)
}

fn rightmost(sentence: &Sentence<'_>, at: usize) -> usize {
    sentence
        .children(at)
        .iter()
        .filter(|child| **child > at)
        .map(|child| rightmost(sentence, *child))
        .max()
        .unwrap_or(at)
}

/// Whether a word of a clause says the same in another review.
fn is_plain(sentence: &Sentence<'_>, at: usize) -> bool {
    let word = sentence.word(at);
    let name = matches!(sentence.penn(at), Penn::Nnp | Penn::Nnps) && at > sentence.tokens.start;
    let shouted = word.len() > 1 && casing::Case::of(word) == casing::Case::Upper;
    let letters = word.chars().all(|sign| sign.is_alphabetic() || sign == '\'' || sign == '-' || sign == '\u{2019}');
    letters && !name && !shouted && !is_any(word, TYING)
}

/// The words of the clause with their labels, the first one small.
fn piece(donor: &Sample, sentence: &Sentence<'_>, first: usize, span: Span) -> Piece {
    let mut piece = Piece::of_donor(donor, 0, span);
    let keeps = |mark: &Mark| mark.layer == layer::ASPECT || mark.layer == layer::OPINION;
    if piece.labels.marks.iter().any(|brought| !keeps(&brought.mark)) {
        piece.labels.links.clear();
        piece.labels.marks.clear();
    }
    let word = sentence.word(first);
    if casing::Case::of(word) == casing::Case::Title
        && word != "I"
        && !matches!(sentence.penn(first), Penn::Nnp | Penn::Nnps)
    {
        piece.text = format!("{}{}", word.to_lowercase(), &piece.text[word.len()..]);
    }
    piece
}

/// What a review names, worked out once for all donors that are asked about.
pub(crate) struct Named {
    text: String,
    terms: Vec<String>,
    serving: bool,
}

impl Named {
    pub fn of(sample: &Sample) -> Self {
        let text = sample.fields[0].text.to_lowercase();
        let terms = sample.layer(layer::ASPECT).map(|(_, mark)| sample.words_of(mark).to_lowercase()).collect();
        let serving = is_serving(&text);
        Self { text, terms, serving }
    }

    /// Whether the review already speaks of a thing, by this or a like name.
    pub fn has(&self, term: &str) -> bool {
        // Who serves and how they serve are one thing.
        if self.serving && is_serving(term) {
            return true;
        }
        term.split_whitespace().any(|word| self.text.contains(word.trim_end_matches('s')))
            || self.terms.iter().any(|named| is_like(named, term))
    }
}

fn is_serving(words: &str) -> bool {
    SERVICE.iter().any(|word| words.contains(word))
}

/// Whether two terms name the same or nearly the same.
pub(crate) fn is_like(one: &str, other: &str) -> bool {
    let heads = |term: &str| term.split_whitespace().next_back().unwrap_or("").to_owned();
    let (one, other) = (heads(one), heads(other));
    let synsets = |word: &str| {
        let lemma =
            fissure_text::inflection::lemma(word, "NNS").map_or_else(|| word.to_owned(), |lemma| lemma.into_owned());
        wordnet::senses(&lemma, Kind::Noun).map(|sense| sense.synset()).collect::<Vec<_>>()
    };
    one == other
        || synsets(&one).iter().any(|synset| synsets(&other).contains(synset))
        || [(&one, &other), (&other, &one)]
            .iter()
            .any(|(a, b)| fissure_text::neighbours::of(a).any(|(near, _)| near == **b))
}

/// The edit that makes the first letter of a text small; nothing if it is a name, or a word in capitals.
pub(crate) fn small_first(sample: &Sample) -> Option<Edit> {
    let annotated = Annotated::of(&sample.fields[0].text);
    let word = annotated.word(0);
    let token = annotated.analysis().tokens().first()?;
    let keeps = word == "I" || word.starts_with("I'") || matches!(annotated.penn(0), Some(Penn::Nnp | Penn::Nnps));
    let small = casing::Case::of(word) == casing::Case::Title && !keeps;
    small.then(|| Edit::replace(token.span.start..token.span.end, word.to_lowercase()))
}
