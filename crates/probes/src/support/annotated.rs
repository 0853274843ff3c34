//! A text as the parts that swap words see it: its tokens with their tags, and what surrounds each.

use std::borrow::Cow;
use std::sync::Arc;

use fissure_core::{Edit, Text};
use fissure_text::inflection::{self, Kind};
use fissure_text::ngrams::{self, END, START};
use fissure_text::{Analysis, Penn, Tag, TokenKind, Upos, analyse, articles, casing};

/// A text with its tokens and tags. The analysis is remembered by the text, so the next part finds it made.
pub(crate) struct Annotated(Arc<Analysis>);

impl Annotated {
    pub fn of(text: &Text) -> Self {
        Self(text.remember(analyse))
    }

    pub fn analysis(&self) -> &Analysis {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.tokens().len()
    }

    /// The token at place `at`; empty beyond the ends.
    pub fn word(&self, at: usize) -> &str {
        self.0.word(at)
    }

    pub fn penn(&self, at: usize) -> Option<Penn> {
        self.0.tag(at).map(|tag| tag.penn)
    }

    /// The token before place `at`, and after it; empty beyond the ends.
    pub fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    pub fn after(&self, at: usize) -> &str {
        self.word(at + 1)
    }

    /// Whether a content word may stand there, judged without the words around it.
    pub fn may_be_content(&self, at: usize) -> bool {
        let is_content = |tag: Tag| tag.upos != Upos::Aux && kind_of(tag.penn).is_some();
        self.is_plain(at) && self.0.certain_tag(at).is_none_or(is_content) && !serves_grammar(&self.small(at))
    }

    /// The word in lower case, if it is a plain one.
    pub fn small(&self, at: usize) -> Cow<'_, str> {
        let word = self.word(at);
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) { word.to_ascii_lowercase().into() } else { word.into() }
    }

    /// What kind of content word stands there; nothing for names, auxiliaries, and words that only serve grammar.
    pub fn kind(&self, at: usize) -> Option<Kind> {
        let tag = self.0.tag(at).filter(|tag| tag.upos != Upos::Aux)?;
        kind_of(tag.penn)
    }

    /// The dictionary form of the word, in lower case.
    pub fn lemma(&self, at: usize) -> Box<str> {
        self.0.tag(at).map_or_else(Box::default, |tag| fissure_text::lemma(self.word(at), tag))
    }

    /// Whether it is a plain English word: three letters or more, no capital but at the start of a sentence, and no part
    /// of something longer (`well-known`, `and/or`, an address).
    pub fn is_plain(&self, at: usize) -> bool {
        let Some(token) = self.0.tokens().get(at) else { return false };
        let word = token.text(self.0.text()).as_bytes();
        let letters = token.kind == TokenKind::Word && word.len() >= 3 && word.iter().all(u8::is_ascii_alphabetic);
        letters
            && word[1..].iter().all(u8::is_ascii_lowercase)
            && (word[0].is_ascii_lowercase() || self.starts_sentence(at))
            && self.stands_free(at)
    }

    /// Whether nothing but white space or punctuation that ends or quotes a phrase touches the token.
    pub fn stands_free(&self, at: usize) -> bool {
        let Some(token) = self.0.tokens().get(at) else { return false };
        let text = self.0.text().as_bytes();
        let joins = |byte: Option<&u8>| byte.is_some_and(|byte| b"-/\\@#&_=*+~".contains(byte) || *byte >= 128);
        let before = token.span.start.checked_sub(1).and_then(|at| text.get(at));
        let after = text.get(token.span.end);
        let dotted = after == Some(&b'.') && text.get(token.span.end + 1).is_some_and(u8::is_ascii_alphanumeric);
        !joins(before) && !joins(after) && !dotted && before != Some(&b'.')
    }

    pub fn starts_sentence(&self, at: usize) -> bool {
        self.0.sentence_of(at).is_some_and(|sentence| sentence.start == at)
    }

    /// Whether the dictionary has the word as part of a phrase with the words around it (`prime minister`, `give up`,
    /// `in spite of`): a phrase loses its meaning with one of its words.
    pub fn in_phrase(&self, at: usize) -> bool {
        self.0.in_phrase(at)
    }

    /// `lemma` in the form that the word at place `at` has, if that is one word: `likes` for `loves`.
    pub fn inflect(&self, at: usize, lemma: &str) -> Option<String> {
        let form = inflection::inflect(lemma, self.penn(at)?.as_str())?;
        (!form.contains(' ')).then(|| form.into_owned())
    }

    /// Replaces the word with `form`, cased like it, and makes `a` or `an` before it agree.
    pub fn put(&self, at: usize, form: &str, edits: &mut Vec<Edit>) {
        let Some(token) = self.0.tokens().get(at) else { return };
        let new = casing::follow(self.word(at), form);
        if let Some((place, article)) = at.checked_sub(1).map(|before| (before, self.word(before)))
            && ["a", "an"].iter().any(|known| known.eq_ignore_ascii_case(article))
            && self.penn(place) == Some(Penn::Dt)
        {
            let right = articles::article_before(&new, article);
            if right != article {
                edits.push(Edit::replace(self.0.tokens()[place].span.clone(), right));
            }
        }
        edits.push(Edit::replace(token.span.clone(), new));
    }

    /// How much better `form` suits the words around place `at` than the word that stands there, each measured against
    /// its own frequency, by the built-in language model: 0 is as well, below is worse (natural logarithm).
    pub fn fit(&self, at: usize, form: &str) -> f64 {
        let model = ngrams::english();
        let around: [u32; 5] = std::array::from_fn(|place| match (at + place).checked_sub(2) {
            None => START,
            Some(place) if place >= self.len() => END,
            Some(place) => model.id(&ngrams::english_token(self.word(place))),
        });
        let score = |word: u32| {
            let mut row = around;
            row[2] = word;
            let in_context: f64 = (2..5).map(|end| model.log_probability_of(&row[..end], row[end])).sum();
            in_context - model.log_probability_of(&[], word)
        };
        score(model.id(form)) - score(around[2])
    }
}

fn kind_of(penn: Penn) -> Option<Kind> {
    match penn {
        Penn::Nn | Penn::Nns => Some(Kind::Noun),
        Penn::Vb | Penn::Vbp | Penn::Vbz | Penn::Vbd | Penn::Vbn | Penn::Vbg => Some(Kind::Verb),
        Penn::Jj | Penn::Jjr | Penn::Jjs => Some(Kind::Adjective),
        Penn::Rb | Penn::Rbr | Penn::Rbs => Some(Kind::Adverb),
        _ => None,
    }
}

/// Whether a word, in lower case, serves grammar in most of the several parts of speech that it can be.
fn serves_grammar(word: &str) -> bool {
    matches!(
        word,
        "that"
            | "have"
            | "has"
            | "had"
            | "having"
            | "are"
            | "were"
            | "was"
            | "been"
            | "being"
            | "does"
            | "did"
            | "done"
            | "will"
            | "can"
            | "over"
            | "after"
            | "before"
            | "about"
            | "since"
            | "out"
            | "off"
            | "down"
            | "all"
            | "both"
            | "any"
            | "some"
            | "such"
            | "than"
            | "then"
            | "there"
            | "here"
            | "when"
            | "where"
            | "while"
            | "how"
            | "what"
            | "who"
            | "more"
            | "most"
    )
}
