//! Made-up answers in the form of the true one: other names, other numbers, other things.

use std::collections::BTreeMap;
use std::ops::Range;

use fissure_core::{Dice, Sample, Span};
use fissure_text::inflection::Kind;
use fissure_text::names::places;
use fissure_text::{EntityKind, Penn, articles, inflection, numbers, wordnet};

use super::{another, kind_of, name, place_like, sisters};
use crate::clauses::{is_any, is_finite};
use crate::support::annotated::Annotated;
use crate::support::names;
use crate::support::statements::{Answer, Asks, Question, fix_article};

/// The longest answer that is made up, in tokens.
const LONGEST: usize = 8;
/// How much worse than the old word another thing may suit the words around (natural logarithm).
const WORSE: f64 = -2.0;
const PLACING: &[&str] = &["in", "on", "at", "near", "during", "around"];

/// A made-up answer to a question that asks for this, in the form of the words at `span` of the passage. Nothing if the
/// words are no name, number or noun that is whole, or nothing else of the kind is known.
pub(crate) fn made_up(sample: &Sample, span: Span, question: &Question<'_>, dice: &mut Dice) -> Option<Answer> {
    let annotated = Annotated::of(&sample.fields[0].text);
    let tokens = tokens_of(&annotated, span)?;
    let wants = Wanted::of(question);
    let mut words = Words { sample, annotated: &annotated, tokens, wants, new: BTreeMap::new() };
    words.check()?;
    words.change_names(dice);
    words.change_numbers(dice);
    words.answer()
}

/// The tokens that a span is, without a full stop at its end.
fn tokens_of(annotated: &Annotated, span: Span) -> Option<Range<usize>> {
    let tokens = annotated.analysis().tokens();
    let first = tokens.partition_point(|token| token.span.start < span.start);
    let mut last = tokens.partition_point(|token| token.span.end <= span.end);
    while last > first && [".", ","].contains(&annotated.word(last - 1)) {
        last -= 1;
    }
    let rest = span.end - tokens.get(last.checked_sub(1)?)?.span.end;
    let whole = annotated.analysis().text()[span.end - rest..span.end].chars().all(|sign| matches!(sign, '.' | ','));
    (first < last && whole && tokens[first].span.start == span.start && last - first <= LONGEST).then_some(first..last)
}

struct Words<'a> {
    sample: &'a Sample,
    annotated: &'a Annotated,
    tokens: Range<usize>,
    wants: Option<Wanted>,
    /// Other words for tokens; empty for those that go.
    new: BTreeMap<usize, String>,
}

impl Words<'_> {
    fn penn(&self, at: usize) -> Penn {
        self.annotated.penn(at).unwrap_or(Penn::Sym)
    }

    fn is_name(&self, at: usize) -> bool {
        matches!(self.penn(at), Penn::Nnp | Penn::Nnps)
    }

    fn is_noun(&self, at: usize) -> bool {
        matches!(self.penn(at), Penn::Nn | Penn::Nns)
    }

    /// Clauses, lists and pieces of longer names have no other of their kind.
    fn check(&self) -> Option<()> {
        let odd = |at: usize| {
            is_finite(self.penn(at))
                || matches!(self.penn(at), Penn::Wdt | Penn::Wp | Penn::Wrb | Penn::Vb | Penn::Prp | Penn::Ex)
                || ["(", ")", ";", ":", "\"", "``", "''", "/", "="].contains(&self.annotated.word(at))
                || is_any(self.annotated.word(at), &["not", "n't", "no", "than", "other", "or"])
        };
        let starts = matches!(self.penn(self.tokens.start), Penn::Vbn | Penn::Vbg | Penn::Rb | Penn::Cc | Penn::To);
        let last = self.tokens.end - 1;
        let ends = matches!(
            self.penn(last),
            Penn::Dt | Penn::In | Penn::Cc | Penn::PrpPoss | Penn::Rb | Penn::Vbn | Penn::Vbg
        );
        (!self.tokens.clone().any(odd) && !starts && !ends).then_some(())
    }

    fn change_names(&mut self, dice: &mut Dice) {
        let text = &self.sample.fields[0].text;
        let found = names::of(self.sample, 0, text);
        let mut at = self.tokens.start;
        while at < self.tokens.end {
            if !self.is_name(at) {
                at += 1;
                continue;
            }
            let end = (at..self.tokens.end).find(|next| !self.is_name(*next)).unwrap_or(self.tokens.end);
            if let Some((tokens, new)) = self.other_name(at..end, &found, dice) {
                self.put(tokens, new);
            }
            at = end;
        }
    }

    /// Another name for a run of names, or for the place in it: `the Lisbon Treaty`.
    fn other_name(&self, run: Range<usize>, found: &[names::Name], dice: &mut Dice) -> Option<(Range<usize>, String)> {
        let text = &self.sample.fields[0].text;
        let of = |tokens: Range<usize>| Span::from(self.annotated.analysis().bytes(tokens)).of(text);
        let bytes = Span::from(self.annotated.analysis().bytes(run.clone()));
        let old = bytes.of(text);
        let listed = |at: usize| is_any(self.annotated.word(at), &["of", "in", "and", ","]);
        let alone = (run.start == self.tokens.start || listed(run.start - 1) || self.penn(run.start - 1) == Penn::Dt)
            && (run.end == self.tokens.end || listed(run.end));
        if !alone {
            return None;
        }
        let last = of(run.end - 1..run.end).to_lowercase();
        if run.len() > 1 && inflection::is_lemma(&last, "NN") && self.wants != Some(Wanted::Person) {
            if let Some((_, place)) = places::find(of(run.start..run.end - 1)) {
                return Some((run.start..run.end - 1, place_like(place.kind, false, dice)?));
            }
            let new = sisters::answer(&last, Penn::Nn, dice)?;
            return Some((run.end - 1..run.end, fissure_text::casing::title(&new).into_owned()));
        }
        let is_run = |name: &&names::Name| {
            let (first, last) = (name.words.first(), name.words.last());
            first.zip(last).is_some_and(|(first, last)| first.start == bytes.start && last.end == bytes.end)
        };
        let titled = self.penn(run.start) == Penn::Nnp && old.chars().skip(1).any(char::is_lowercase);
        let behind_of = run.start > self.tokens.start
            && titled
            && is_any(self.annotated.before(run.start), &["of"])
            && places::find(old).is_some();
        let seen = kind_of(old).or(found.iter().find(is_run).map(|name| name.kind));
        let kind = match seen {
            _ if behind_of => EntityKind::Place,
            None if self.wants == Some(Wanted::Place) => EntityKind::Place,
            None | Some(EntityKind::Place)
                if self.wants == Some(Wanted::Person) && run.len() < 4 && places::find(old).is_none() =>
            {
                EntityKind::Person
            }
            kind => kind?,
        };
        let new = match kind {
            EntityKind::Place => {
                let known = places::find(old).map(|(_, place)| place);
                // `the Vistula` is no town.
                if known.is_none() && run.start > 0 && self.penn(run.start - 1) == Penn::Dt {
                    return None;
                }
                place_like(
                    known.map_or(places::Kind::City, |place| place.kind),
                    known.is_some_and(|place| place.takes_the),
                    dice,
                )?
            }
            _ => name(old, kind, dice)?,
        };
        // `Sybilla of Normandy`, of which no list knows the second name, is of a place and not of a person.
        let follows = run.start > self.tokens.start && is_any(self.annotated.before(run.start), &["of", "in", "from"]);
        // `The Soviet Union` deploys an army, and nobody is called `The Juan Higgins`.
        let with_article = run.start > self.tokens.start && self.penn(run.start - 1) == Penn::Dt;
        if kind == EntityKind::Person && (follows || with_article) {
            return None;
        }
        // What is asked for is of another kind than the name.
        let fits = behind_of
            || match kind {
                EntityKind::Person => self.wants == Some(Wanted::Person),
                EntityKind::Place => matches!(self.wants, Some(Wanted::Place | Wanted::Country | Wanted::City)),
                EntityKind::Organisation => self.wants == Some(Wanted::Group),
            };
        let sort = places::find(&new).map(|(_, place)| place.kind);
        let sorted = match self.wants {
            Some(Wanted::Country) if !behind_of => sort == Some(places::Kind::Country),
            Some(Wanted::City) if !behind_of => sort != Some(places::Kind::Country),
            _ => true,
        };
        (fits && sorted && new != old).then_some((run, new))
    }

    fn change_numbers(&mut self, dice: &mut Dice) {
        let text = &self.sample.fields[0].text;
        let tokens = self.annotated.analysis().tokens();
        for at in self.tokens.clone().filter(|at| !self.new.contains_key(at)).collect::<Vec<_>>() {
            let span = tokens[at].span.clone();
            let word = &text[span.clone()];
            let new = match decade(word, dice) {
                Some(new) => Some(new),
                None if can_change(self.annotated, at) => another(text, span, dice),
                None => None,
            };
            if let Some(new) = new.filter(|new| new != word) {
                self.new.insert(at, fissure_text::casing::follow(word, &new).into_owned());
            }
        }
    }

    fn head(&self) -> Option<usize> {
        let end = self.tokens.clone().skip(1).find(|at| self.penn(*at) == Penn::In).unwrap_or(self.tokens.end);
        (self.tokens.start..end).rev().find(|at| self.is_noun(*at) || self.is_name(*at))
    }

    fn put(&mut self, tokens: Range<usize>, new: String) {
        self.new.extend(tokens.clone().map(|at| (at, String::new())));
        self.new.insert(tokens.start, new);
    }

    /// The words as they come out, if enough of them are others and the whole stands by itself.
    fn answer(self) -> Option<Answer> {
        let last = self.tokens.end - 1;
        let counted = |at: &usize| self.penn(*at) == Penn::Cd;
        let is_number =
            self.tokens.clone().all(|at| counted(&at) || self.penn(at) == Penn::In || self.annotated.word(at) == "$");
        let is_quality = self.tokens.len() == 1 && self.penn(last) == Penn::Jj && self.annotated.is_plain(last);
        let changed = self.tokens.clone().any(|at| self.new.contains_key(&at));
        let names = self.tokens.clone().any(|at| self.is_name(at) && !self.new.contains_key(&at));
        let common = self.head().is_some_and(|at| self.is_noun(at) && self.annotated.word(at) != "%");
        let ordinal =
            self.tokens.len() == 1 && numbers::parse(self.annotated.word(last)).is_some_and(|one| one.is_ordinal());
        let dated = self.tokens.clone().any(|at| counted(&at) && self.new.contains_key(&at));
        // `after liberation` says when by what happened; a range goes up.
        let vague =
            self.penn(self.tokens.start) == Penn::In && !dated && !self.tokens.clone().any(|at| self.is_name(at));
        // `Battle of Hastings` with another noun would still name the place.
        if vague || !self.rises() {
            return None;
        }
        if !changed || ordinal || (names && !dated) || (common && !dated && self.is_cut()) {
            return None;
        }
        let own = self.penn(self.tokens.start) == Penn::In;
        let preposition = self.tokens.start.checked_sub(1).map_or("", |before| self.annotated.word(before));
        let preposition = PLACING.iter().copied().find(|known| known.eq_ignore_ascii_case(preposition));
        let mut words = self.written();
        if let Some(article) = self.article().filter(|_| common && !own) {
            let article = if ["a", "an"].contains(&article) { articles::article_before(&words, "a") } else { article };
            words = format!("{article} {words}");
        }
        let joined = self.tokens.clone().any(|at| is_any(self.annotated.word(at), &["and"]));
        let head = self.head().map(|at| self.penn(at));
        let is_plural = joined || matches!(head, Some(Penn::Nns | Penn::Nnps));
        Some(Answer { words, preposition, is_adverbial: own, is_quality, is_number, is_plural })
    }

    /// Whether the numbers of a range still go up: `16,000 to 35,000`, `1754-1763`.
    fn rises(&self) -> bool {
        let value = |at: usize| {
            let word = self.new.get(&at).map_or_else(|| self.annotated.word(at), String::as_str);
            numbers::parse(word).filter(|number| !number.is_ordinal()).map(|number| number.units)
        };
        let links = ["to", "-", "\u{2013}", "\u{2014}"];
        self.tokens.clone().filter(|at| is_any(self.annotated.word(*at), &links)).all(|to| {
            let (low, high) = (to.checked_sub(1).and_then(value), value(to + 1));
            low.zip(high).is_none_or(|(low, high)| low < high)
        })
    }

    /// The article that the passage has before the words.
    fn article(&self) -> Option<&'static str> {
        let before = self.tokens.start.checked_sub(1)?;
        let word = self.annotated.word(before);
        match self.penn(before) {
            Penn::Dt if is_any(word, &["a", "an"]) => Some("a"),
            Penn::Dt | Penn::PrpPoss => Some("the"),
            _ => None,
        }
    }

    /// Whether the words are only a piece of what the passage speaks of.
    fn is_cut(&self) -> bool {
        let before = self.tokens.start.checked_sub(1).map(|at| (at, self.penn(at)));
        let behind = self.tokens.end;
        let joined = |penn: Penn| {
            matches!(
                penn,
                Penn::Jj | Penn::Jjs | Penn::Jjr | Penn::Nn | Penn::Nnp | Penn::Cd | Penn::Vbn | Penn::Vbg | Penn::Pos
            )
        };
        let touches = |at: usize| !self.annotated.stands_free(at);
        before.is_some_and(|(_, penn)| joined(penn))
            || (behind < self.annotated.len()
                && matches!(self.penn(behind), Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Pos))
            || touches(self.tokens.start)
            || touches(behind - 1)
    }

    fn written(&self) -> String {
        let analysis = self.annotated.analysis();
        let tokens = analysis.tokens();
        let mut text = String::new();
        for at in self.tokens.clone() {
            let word = self.new.get(&at).map_or_else(|| self.annotated.word(at), String::as_str);
            if word.is_empty() {
                continue;
            }
            fix_article(&mut text, word);
            let gap = at > self.tokens.start && tokens[at - 1].span.end < tokens[at].span.start;
            if gap && !text.is_empty() {
                text.push(' ');
            }
            let first = at == self.tokens.start && self.annotated.starts_sentence(at);
            let lower = first && !self.new.contains_key(&at) && !self.is_name(at);
            text += &if lower { word.to_lowercase() } else { word.to_owned() };
        }
        text
    }
}

/// What kind of name a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Person,
    Place,
    Country,
    City,
    Group,
}

impl Wanted {
    fn of(question: &Question<'_>) -> Option<Self> {
        let sentence = &question.sentence;
        let first = sentence.word(question.phrase.start).to_lowercase();
        if ["who", "whom", "whose"].contains(&&*first) {
            return Some(Self::Person);
        }
        if question.asks == Asks::Place {
            return Some(Self::Place);
        }
        // `what city`, or `what is the name of the city`: the last noun of the phrase, or the first behind the verb.
        let nouns = |range: Range<usize>| range.filter(|at| matches!(sentence.penn(*at), Penn::Nn | Penn::Nns));
        let phrase = question.phrase.start + 1..question.phrase.end;
        let of = phrase.clone().find(|at| sentence.is(*at, &["of", "in"])).unwrap_or(phrase.end);
        let behind = || nouns(question.verb + 1..question.end.max(question.verb + 1)).next();
        let noun = if phrase.is_empty() { behind()? } else { nouns(phrase.start..of).next_back()? };
        let lemma = sentence.base_noun(noun);
        Some(match &*lemma {
            "country" | "nation" => Self::Country,
            "city" | "town" | "capital" => Self::City,
            "place" | "location" | "area" | "region" => Self::Place,
            "company" | "university" | "college" | "school" | "bank" | "newspaper" | "organization" => Self::Group,
            _ => {
                let sense = wordnet::senses(&lemma, Kind::Noun).next()?;
                (sense.topic() == "noun.person").then_some(Self::Person)?
            }
        })
    }
}

/// Whether a number can be another: not `one of them`, nor `first` of `first half` and `the first two`.
pub(crate) fn can_change(annotated: &Annotated, at: usize) -> bool {
    let word = annotated.word(at);
    let Some(number) = numbers::parse(word) else { return false };
    let ordered = number.is_ordinal()
        && (is_any(annotated.after(at), &["half"])
            || !matches!(annotated.penn(at + 1), Some(Penn::Nn | Penn::Nns | Penn::Jj | Penn::Jjs)));
    !is_any(word, &["one"]) && !ordered
}

/// `1870s` for `1990s`.
fn decade(word: &str, dice: &mut Dice) -> Option<String> {
    let year: i64 = word.strip_suffix('s')?.parse().ok()?;
    let is_decade = (1000..2030).contains(&year) && year % 10 == 0;
    is_decade.then(|| format!("{}s", (year - 60 + 10 * dice.below(11) as i64).clamp(1000, 2010)))
}

/// Other words for the nouns and adjectives of a question that say which thing it asks about: the first that has a sister,
/// adjectives before nouns.
pub(crate) fn other_thing(
    annotated: &Annotated,
    places: Range<usize>,
    in_use: impl Fn(&str) -> bool,
    dice: &mut Dice,
) -> Option<(usize, String)> {
    let vague = [
        "same", "own", "such", "only", "much", "many", "known", "last", "next", "member", "part", "kind", "type",
        "name", "word", "term", "title", "way", "example", "number", "series",
    ];
    let plain =
        |at: &usize| annotated.is_plain(*at) && !annotated.in_phrase(*at) && !vague.contains(&&*annotated.lemma(*at));
    let of_kind = |kind: Kind| places.clone().rev().filter(plain).filter(move |at| annotated.kind(*at) == Some(kind));
    let nation = places.clone().find_map(|at| {
        // `the French` are people.
        let before_noun = matches!(annotated.penn(at + 1), Some(Penn::Nn | Penn::Nns | Penn::Jj | Penn::Nnp));
        if !before_noun {
            return None;
        }
        // `North American`, `French Canadian`
        let beside = |other: Option<usize>| {
            other
                .filter(|other| places.contains(other))
                .is_some_and(|other| annotated.word(other).starts_with(char::is_uppercase) && other != places.start)
        };
        if beside(at.checked_sub(1)) || beside(Some(at + 1)) {
            return None;
        }
        let new = other_nation(annotated.word(at), dice)?;
        (!in_use(&new)).then_some((at, new))
    });
    nation.or_else(|| {
        of_kind(Kind::Adjective).chain(of_kind(Kind::Noun)).find_map(|at| {
            // `king's brother` has a head that is kin, `engine temperature` one that is no part of it.
            let part = annotated.kind(at) == Some(Kind::Noun) && annotated.kind(at + 1) == Some(Kind::Noun);
            let tag = annotated.penn(at).filter(|_| !part)?;
            let new = sisters::excluding(&annotated.lemma(at), tag, dice)?;
            let new = fissure_text::casing::follow(annotated.word(at), &new).into_owned();
            // `young oil` is the opposite of no oil.
            (!in_use(&new) && annotated.fit(at, &new) >= WORSE).then_some((at, new))
        })
    })
}

/// `Swedish` for `French`.
fn other_nation(word: &str, dice: &mut Dice) -> Option<String> {
    let own = places::country_of(word)?;
    let countries = places::of_kind(places::Kind::Country).map(|(_, place)| place.adjective);
    let others: Vec<&str> =
        countries.take(40).filter(|other| !other.is_empty() && *other != own.adjective && *other != word).collect();
    dice.pick(&others).map(|other| (*other).to_owned())
}
