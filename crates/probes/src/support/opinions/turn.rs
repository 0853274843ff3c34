//! One opinion turned round: by a word that judges the other way, by `not`, or by taking `not` away.

use std::ops::Range;

use fissure_core::{Edit, Sample, Span, Text, choices, layer};
use fissure_text::inflection::{self, Kind};
use fissure_text::polarity::{self, Polarity};
use fissure_text::{Penn, articles, casing, opinions, opposites};

use super::Aspect;
use crate::clauses::{Clause, Sentence, is_any};
use crate::support::annotated::Annotated;
use crate::transforms::sentence::reverse_neg;

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

/// Words that set one judgement against another in ways that `and` and `but` do not fix.
const CONTRASTING: &[&str] = &[
    "although",
    "though",
    "however",
    "despite",
    "yet",
    "nevertheless",
    "otherwise",
    "while",
    "whereas",
    "unless",
    "tho",
    "regardless",
    "nonetheless",
    "started",
];
/// Words that do so only right before an opinion.
const QUALIFYING: &[&str] = &["except", "besides", "until", "if", "only", "still", "even", "either"];

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

    /// Whether a word sets this place of the text against something, so that a turned opinion would not go with it.
    pub fn is_set_against(&self, place: Span) -> bool {
        let Some(tokens) = self.tokens(place) else { return true };
        let Some(sentence) = self.annotated.analysis().sentence_of(tokens.start) else { return true };
        let near = tokens.start.saturating_sub(4)..tokens.start;
        let qualified = near.into_iter().any(|at| {
            is_any(self.annotated.word(at), QUALIFYING)
                && !(at + 1 == tokens.start && (self.is_only_more(&tokens) || self.is_plain_more(&tokens)))
        });
        let start = sentence.start;
        // `even more thrilled` goes on from what was said before; `looking for good food` speaks of no food that was there.
        let goes_on = |at: usize| {
            is_any(self.annotated.word(at), &["even"])
                && (is_any(self.annotated.after(at), &["more", "less"])
                    || self.annotated.penn(at + 1) == Some(Penn::Jjr))
        };
        let more = sentence.clone().any(goes_on) && !self.is_only_more(&tokens) && !self.is_plain_more(&tokens);
        let supposed = sentence.clone().any(|at| at < tokens.start && is_any(self.annotated.word(at), &["if"]))
            && !(start..tokens.start).any(|at| self.annotated.word(at) == ",");
        // `has it all`, `in addition to good soup`, `we love, love it`.
        let follows = |words: &[&str]| {
            sentence
                .clone()
                .any(|at| words.iter().enumerate().all(|(next, word)| is_any(self.annotated.word(at + next), &[*word])))
        };
        let twice = self.annotated.before(tokens.start) == ","
            && tokens.start > 1
            && is_any(self.annotated.word(tokens.start - 2), &[self.annotated.word(tokens.start)]);
        qualified
            || more
            || supposed
            || twice
            || follows(&["it", "all"])
            || follows(&["in", "addition", "to"])
            || sentence.into_iter().any(|at| {
                (is_any(self.annotated.word(at), CONTRASTING)
                    && !self.sets_against_nothing_here(at, start)
                    && !(at == start && self.is_answered_before(start, &tokens)))
                    || (is_any(self.annotated.word(at), &["not"])
                        && is_any(self.annotated.after(at), &["only", "just"]))
                    || self.annotated.word(at) == "?"
            })
    }

    /// `even better`, which can become `bad`.
    fn is_plain_more(&self, tokens: &Range<usize>) -> bool {
        is_any(self.annotated.before(tokens.start), &["even"])
            && is_any(self.annotated.word(tokens.start), &["better", "worse"])
            && !self.others.is_empty()
    }

    /// `even better` where nothing else is judged: `even worse` goes with what came before as well.
    fn is_only_more(&self, tokens: &Range<usize>) -> bool {
        is_any(self.annotated.before(tokens.start), &["even"])
            && self.annotated.penn(tokens.end - 1) == Some(Penn::Jjr)
            && self.others.is_empty()
            && self.sample.layer(layer::OPINION).count() == 1
    }

    /// `While it was noisy, the drinks were great, and the food was superb`: the drinks answer the noise already.
    fn is_answered_before(&self, start: usize, tokens: &Range<usize>) -> bool {
        let Some(comma) = (start..tokens.start).find(|at| self.annotated.word(*at) == ",") else { return false };
        let from = self.annotated.analysis().tokens()[comma].span.end;
        let to = self.annotated.analysis().tokens()[tokens.start].span.start;
        let and = (comma..tokens.start).rev().find(|at| is_any(self.annotated.word(*at), &["and"]));
        let joint = and.map_or(from, |at| self.annotated.analysis().tokens()[at].span.start).min(to);
        self.others.iter().any(|other| other.start >= from && other.end <= joint)
    }

    /// `However, the soup was cold` answers what came before; `while at a festival` says when.
    fn sets_against_nothing_here(&self, at: usize, start: usize) -> bool {
        let opens = is_any(self.annotated.word(at), &["however"]) && at == start && self.annotated.after(at) == ",";
        let timed = is_any(self.annotated.word(at), &["while"])
            && at > start
            && matches!(self.annotated.penn(at + 1), Some(Penn::In | Penn::Vbg));
        let meanwhile = is_any(self.annotated.word(at), &["while"]) && is_any(self.annotated.before(at), &["the"]);
        opens || timed || meanwhile
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

    /// Whether the word right before an aspect judges it the same way and is not marked as doing so: `Nice ambiance`, where the
    /// file marks another `nice`.
    pub(super) fn is_judged_unmarked(&self, aspect: &Aspect, says: Polarity) -> bool {
        let name = self.sample.marks[aspect.mark].span;
        let tokens = self.annotated.analysis().tokens();
        let Some(before) =
            tokens.iter().position(|token| token.span.start == name.start).and_then(|at| at.checked_sub(1))
        else {
            return false;
        };
        let span = Span::from(tokens[before].span.clone());
        let marked = aspect.opinions.iter().any(|opinion| self.sample.marks[*opinion].span.overlaps(span));
        !marked && self.kind(before) == Some(Kind::Adjective) && self.own(before) == Some(says)
    }

    /// Whether words behind an opinion that nobody marked judge the same way: `great, a treat from beginning to end`.
    fn is_said_again(&self, tokens: &Range<usize>, says: Polarity) -> bool {
        let Some(sentence) = self.annotated.analysis().sentence_of(tokens.start) else { return false };
        let span = |at: usize| Span::from(self.annotated.analysis().tokens()[at].span.clone());
        let marked = |at: usize| {
            self.sample
                .marks
                .iter()
                .any(|mark| mark.field == 0 && mark.layer != layer::TOKEN && mark.span.overlaps(span(at)))
        };
        // Up to what is said of something else.
        let starts = |at: usize| {
            matches!(self.annotated.penn(at), Some(Penn::Dt | Penn::Prp | Penn::PrpPoss | Penn::Ex | Penn::Nnp))
        };
        let goes_on = |at: &usize| {
            let anew = is_any(self.annotated.word(*at), &["and"]) && starts(at + 1)
                || self.annotated.penn(*at) == Some(Penn::Prp);
            !marked(*at)
                && !anew
                && !is_any(self.annotated.word(*at), &["but", ";", "-", "--", "(", "...", "that", "because"])
        };
        let judges = |at: usize| {
            self.annotated.kind(at).is_some()
                && !is_any(self.annotated.word(at), &["like", "well", "just", "really", "quality"])
                && (polarity::of(&self.annotated.lemma(at)) == Some(says) || self.own(at) == Some(says))
        };
        (tokens.end..sentence.end).take_while(goes_on).any(judges)
    }

    pub(super) fn word(&self, at: usize) -> String {
        self.annotated.word(at).to_lowercase()
    }

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

    /// Takes the denial of an opinion away.
    fn without_denial(&self, tokens: &Range<usize>, not: usize, says: Polarity) -> Option<Vec<Edit>> {
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
            None if polarity::of(lemma) == Some(says) => opposites::of(lemma, kind).first()?.to_string(),
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
    fn is_weighed(&self, first: usize, head: usize) -> bool {
        let before = |back: usize| first.checked_sub(back).map_or("", |at| self.annotated.word(at));
        is_any(self.annotated.after(head), &["enough", "as", "luck", "deal"])
            || is_any(before(1), &["as", "than", "too", "less", "least", "like"])
            || is_any(before(2), &["as", "too", "could"])
            || is_any(before(3), &["could"])
    }

    /// Puts `not` where it denies the opinion.
    fn denied(&self, tokens: &Range<usize>, says: Polarity) -> Option<Vec<Edit>> {
        let (first, head) = (tokens.start, tokens.end - 1);
        if self.is_weighed(first, head) || self.is_quoted(tokens) {
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
