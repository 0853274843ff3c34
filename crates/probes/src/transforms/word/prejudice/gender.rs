//! Men to women and women to men.

use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, Proposal, Sample, Skip, Span, disagreement};
use fissure_text::inflection::Kind;
use fissure_text::names::{Gender, gendered_words, people, places};
use fissure_text::{Analysis, Entity, EntityKind, Penn, Relation, Upos, analyse, casing, inflection, wordnet};

use super::To;
use super::words::{ENDINGS, NO_NAMES, OF_BOTH, PRONOUNS, STAYING, TITLES, UNSURE};
use crate::clauses::is_any;
use crate::support::agreement;
use crate::support::names::is_chain;
use crate::support::word_cache::WordCache;

pub fn edits(sample: &Sample, to: To, dice: &mut Dice) -> Proposal {
    let fields: Vec<_> = agreement::texts(sample).collect();
    let analyses: Vec<_> = fields.iter().map(|(_, field)| field.text.remember(analyse)).collect();
    let mut names = Names::of(analyses.iter().map(|analysis| &**analysis));
    let mut edits = Vec::new();
    for ((index, _), analysis) in fields.iter().zip(&analyses) {
        let first = edits.len();
        for at in 0..analysis.tokens().len() {
            let Some((gender, with)) = names.swap(analysis, at, to, dice) else { continue };
            if leaves(to, gender) && with != analysis.word(at) {
                edits.push(Edit::replace(analysis.tokens()[at].span.clone(), with).on(*index));
            }
        }
        edits[first..].sort_by_key(|edit| edit.span);
    }
    // A changed pronoun would disagree with a person who stays a man or a woman.
    let turns = |edit: &Edit| is_any(&edit.with, PRONOUNS);
    if edits.iter().any(turns) && analyses.iter().any(|analysis| keeps_gender(analysis)) {
        return Ok(Vec::new());
    }
    // Of a group that is named together all change or none.
    for ((index, _), analysis) in fields.iter().zip(&analyses) {
        let edited = |at: usize| {
            analysis.tokens().get(at).is_some_and(|token| {
                edits.iter().any(|edit| edit.field == *index && edit.span == Span::from(token.span.clone()))
            })
        };
        // `Laura is here, and so is Laura`: a name that stays in one place stays in all.
        let stays_here = |at: usize| names.new.contains_key(analysis.word(at)) && !edited(at);
        if (0..analysis.tokens().len()).any(|at| stays_here(at) || is_half_done(analysis, at, edited)) {
            return Ok(Vec::new());
        }
    }
    // A closed text follows the open ones, and does not change alone.
    if !edits.iter().any(|edit| sample.fields[edit.field].open) {
        return Ok(Vec::new());
    }
    if sample.compares_mentions() {
        check(sample, &edits)?;
    }
    Ok(edits)
}

/// If texts are compared, all men and women change together, and two persons stay two.
fn check(sample: &Sample, edits: &[Edit]) -> Result<(), Skip> {
    let mention = |word: &str| !is_any(word, PRONOUNS);
    if let Some(apart) = disagreement(sample, edits, |text| agreement::tokens(text, mention)) {
        return Err(apart.into());
    }
    for (index, field) in sample.fields.iter().enumerate() {
        let gendered = agreement::tokens(&field.text, |word| may_be_gendered(&word.to_lowercase()));
        let edited = |span: &Span| edits.iter().any(|edit| edit.field == index && edit.span == *span);
        if !gendered.iter().all(edited) {
            return Err(Skip("a man or a woman would stay beside others that change".into()));
        }
    }
    Ok(())
}

/// Whether a person in the text stays as he or she is: a full name whose first name no list has (`Vladimir Putin`), or a
/// word that is left alone because it is not always said of men or women (`the guy`).
fn keeps_gender(analysis: &Analysis) -> bool {
    let stays = |at: usize| {
        let word = analysis.word(at);
        is_any(word, STAYING) || (is_any(word, OF_BOTH) && word.starts_with(char::is_uppercase))
    };
    let unknown = |entity: &Entity| {
        let first = analysis.word(entity.tokens.start);
        entity.kind == EntityKind::Person
            && entity.tokens.len() > 1
            && first.len() > 2
            && first.bytes().all(|byte| byte.is_ascii_alphabetic())
            && casing::Case::of(first) == casing::Case::Title
            && !people::is_first_name(first)
    };
    (0..analysis.tokens().len()).any(stays)
        || analysis.entities().iter().any(unknown)
        || (0..analysis.tokens().len()).any(|at| is_beside_unknown(analysis, at))
        || (0..analysis.tokens().len()).any(|at| is_small_name(analysis, at))
}

/// Whether a word for men or women would change, and a name that it names would not: `actors like Akshay Kumar`; or of two names joined
/// only one.
fn is_half_done(analysis: &Analysis, at: usize, edited: impl Fn(usize) -> bool) -> bool {
    if is_beside_unknown(analysis, at) && (edited(at) || (at + 3..at + 5).any(&edited)) {
        return true;
    }
    if !edited(at) || is_any(analysis.word(at), PRONOUNS) || !analysis.word(at).starts_with(char::is_lowercase) {
        return false;
    }
    let links = (at + 1..at + 4)
        .take_while(|place| is_any(analysis.word(*place), &["like", "such", "as", "including", "named", "called", ","]))
        .count();
    let name = at + 1 + links;
    is_name_word(analysis, name) && (links > 0 || is_name_word(analysis, name + 1)) && !edited(name)
}

/// Whether a word is a name with a capital.
fn is_name_word(analysis: &Analysis, at: usize) -> bool {
    let word = analysis.word(at);
    word.len() > 2
        && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        && casing::Case::of(word) == casing::Case::Title
        && analysis.tag(at).is_some_and(|tag| matches!(tag.penn, Penn::Nnp | Penn::Nnps))
}

/// Whether a full name that no list has is joined to one that is known: `Sunny Deol and Akshay Kumar`. Of the two only one would change.
fn is_beside_unknown(analysis: &Analysis, at: usize) -> bool {
    let is_capital = |at: usize| is_name_word(analysis, at);
    let is_full = |at: usize| is_capital(at) && is_capital(at + 1) && !is_capital(at + 2);
    let joint = |at: usize| is_any(analysis.word(at), &["and", ",", "&", "or"]);
    let known = |at: usize| {
        let word = analysis.word(at);
        people::is_first_name(word) && !is_any(word, NO_NAMES) && !is_any(word, OF_BOTH)
    };
    let pair = |one: usize, other: usize| is_full(one) && is_full(other) && known(one) != known(other);
    let next = if joint(at + 2) && joint(at + 3) { at + 4 } else { at + 3 };
    joint(at + 2) && pair(at, next)
}

/// Whether a full name stands there in a text without capitals: `ed burns`. It is not known for one, and stays.
fn is_small_name(analysis: &Analysis, at: usize) -> bool {
    let (first, last) = (analysis.word(at), analysis.word(at + 1));
    let small = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    small(first)
        && small(last)
        && people::first_name_rank(&casing::title(first)).is_some_and(|(_, rank)| rank < 800)
        && people::surname_rank(&casing::title(last)).is_some()
        && ["NN", "VB", "JJ", "RB"].iter().all(|tag| !inflection::is_lemma(first, tag))
        && !analysis.text().contains(char::is_uppercase)
}

/// Whether a mention of this gender is one that changes.
fn leaves(to: To, gender: Gender) -> bool {
    match to {
        To::Men => gender == Gender::Female,
        To::Women => gender == Gender::Male,
        To::Swap => true,
    }
}

/// The names of a sample: which are surnames, and what each first name becomes.
struct Names {
    /// Last words of longer names.
    surnames: Vec<String>,
    taken: Vec<String>,
    new: BTreeMap<String, String>,
}

impl Names {
    fn of<'a>(analyses: impl Iterator<Item = &'a Analysis>) -> Self {
        let analyses: Vec<&Analysis> = analyses.collect();
        let words = analyses.iter().flat_map(|analysis| (0..analysis.tokens().len()).map(|at| analysis.word(at)));
        let names = words.filter(|word| word.starts_with(char::is_uppercase) && people::is_first_name(word));
        let taken: Vec<String> = names.map(str::to_owned).collect();
        // Without a name there is no person to look for.
        let looked_at = analyses.iter().filter(|_| !taken.is_empty());
        let persons = looked_at.flat_map(|analysis| analysis.entities().iter().map(move |entity| (analysis, entity)));
        let in_full = persons.filter(|(_, entity)| entity.kind == EntityKind::Person && entity.tokens.len() > 1);
        let surnames = in_full.map(|(analysis, entity)| analysis.word(entity.tokens.end - 1).to_owned()).collect();
        Self { surnames, taken, new: BTreeMap::new() }
    }

    /// The gender of the mention at `at`, and what it becomes.
    fn swap(&mut self, analysis: &Analysis, at: usize, to: To, dice: &mut Dice) -> Option<(Gender, String)> {
        let word = analysis.word(at);
        if let Some(found) = title(analysis, at) {
            return Some(found);
        }
        if self.is_first_name(analysis, at) {
            let gender = people::gender(word)?;
            return leaves(to, gender).then(|| (gender, self.another(word, gender, dice)));
        }
        let lower = word.to_lowercase();
        if !may_be_gendered(&lower) {
            return None;
        }
        let penn = analysis.tag(at)?.penn;
        let is_pronoun = PRONOUNS.contains(&lower.as_str());
        let starts = analysis.sentence_of(at).is_some_and(|sentence| sentence.start == at);
        // At the start of a sentence a capital makes no name.
        let noun = matches!(penn, Penn::Nn | Penn::Nns) || (starts && penn == Penn::Nnp);
        let is_noun = noun && !UNSURE.contains(&lower.as_str());
        if !is_pronoun && !is_noun {
            return None;
        }
        // A name of a thing, `Two and a Half Men`, is no mention; the first word of a sentence is.
        if is_noun && word.starts_with(char::is_uppercase) && !starts && casing::Case::of(word) != casing::Case::Upper {
            return None;
        }
        // In a text without capitals the name behind `actor` is not known for one, and stays.
        let next = analysis.tokens().get(at + 1).map(|token| casing::title(token.text(analysis.text())));
        if is_noun
            && next.is_some_and(|next| {
                analysis.tag(at + 1).is_some_and(|tag| tag.penn != Penn::In)
                    && people::is_first_name(&next)
                    && !analysis.word(at + 1).starts_with(char::is_uppercase)
            })
        {
            return None;
        }
        let tag = match lower.as_str() {
            "her" | "his" => pronoun_tag(analysis, at),
            _ => penn.as_str(),
        };
        Some((gendered_words::of(word)?, gendered_words::swap(word, tag)?))
    }

    /// Whether the token is the first name of a person, as far as it can be known.
    fn is_first_name(&self, analysis: &Analysis, at: usize) -> bool {
        let word = analysis.word(at);
        let named = Some(word).filter(|word| word.starts_with(char::is_uppercase)).and_then(people::first_name_rank);
        let Some((gender, rank)) = named else { return false };
        if word.len() < 3
            || is_any(word, NO_NAMES)
            || is_any(word, OF_BOTH)
            || is_of_organisation(analysis, at)
            || is_in_title(analysis, at)
        {
            return false;
        }
        if is_thing(analysis, at) || is_place_of_someone(analysis, at) {
            return false;
        }
        let entity = analysis.entities().iter().find(|entity| entity.tokens.contains(&at));
        let alone = match entity {
            Some(entity) if entity.kind != EntityKind::Person || entity.tokens.start != at => return false,
            Some(entity) => entity.tokens.len() == 1,
            // The finder of names misses one in three: a name that is nothing else is one.
            None if analysis.tag(at).is_none_or(|tag| tag.penn != Penn::Nnp) || is_other_word(word) => return false,
            None => true,
        };
        let before_name = analysis.tag(at + 1).is_some_and(|tag| tag.penn == Penn::Nnp);
        // `Paris` alone is the city, whatever the finder of names says.
        if alone && !before_name && places::find(word).is_some() {
            return false;
        }
        let titled =
            at > 0 && !before_name && is_any(analysis.word(at - 1), &["mr", "mr.", "mrs", "mrs.", "ms", "ms.", "miss"]);
        if titled || self.surnames.iter().any(|surname| surname == word) {
            return false;
        }
        // Alone, a name that is a surname as often as not is taken for one: `Blair`.
        let borne = people::first_names(gender).get(rank).map_or(0, |name| name.per_100_000);
        let as_surname = people::surname_rank(word).and_then(|rank| people::surnames().get(rank));
        !alone || as_surname.is_none_or(|surname| borne > 3 * surname.per_100_000)
    }

    /// A first name of the other gender, as common; the same for the same name.
    fn another(&mut self, name: &str, gender: Gender, dice: &mut Dice) -> String {
        if let Some(known) = self.new.get(name) {
            return known.clone();
        }
        let other = match gender {
            Gender::Female => Gender::Male,
            Gender::Male => Gender::Female,
        };
        let list = people::first_names(other);
        let rank = people::first_name_rank(name).map_or(0, |(_, rank)| rank).min(300);
        let first = rank.saturating_sub(15);
        let near = list.iter().skip(first).take(31).map(|name| name.text);
        let free: Vec<&str> = near
            .filter(|name| people::gender(name) == Some(other) && !self.taken.iter().any(|taken| taken == name))
            .collect();
        let drawn = free.get(dice.below(free.len())).copied().unwrap_or(name).to_owned();
        self.taken.push(drawn.clone());
        self.new.insert(name.to_owned(), drawn.clone());
        drawn
    }
}

/// Whether a lower-case word speaks of a man or a woman at all.
fn may_be_gendered(word: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|word| gendered_words::of(word).is_some());
    KNOWN.of(word)
}

/// Whether the capitals that follow end in what only organisations are called: `Tommy Hilfiger Corp.`, or name a thing.
fn is_of_organisation(analysis: &Analysis, at: usize) -> bool {
    // `Lawrence of Arabia`
    let of = analysis.word(at + 1).eq_ignore_ascii_case("of") && analysis.word(at + 2).starts_with(char::is_uppercase);
    if of {
        return true;
    }
    // `Claire's Stores`, also as news agencies write it, `Claire #39;s Stores`.
    let possessive = |word: &&str| matches!(*word, "'s" | "\u{2019}s" | "#39;s" | "#39;" | "s");
    let behind = (at + 1..analysis.tokens().len()).take(5).map(|at| analysis.word(at));
    let capitals = behind.filter(|word| !possessive(word)).take(4);
    capitals.take_while(|word| word.starts_with(char::is_uppercase)).any(|word| ENDINGS.contains(&word))
}

/// Whether a possessive has no thing behind it: `Jerry's` is a restaurant then.
fn is_place_of_someone(analysis: &Analysis, at: usize) -> bool {
    const THINGS: [Penn; 9] =
        [Penn::Nn, Penn::Nns, Penn::Nnp, Penn::Nnps, Penn::Jj, Penn::Jjs, Penn::Vbg, Penn::Vbn, Penn::Cd];
    let owns = ["'s", "\u{2019}s"].contains(&analysis.word(at + 1));
    let thing = analysis.tag(at + 2).is_some_and(|tag| THINGS.contains(&tag.penn));
    // `Mary's very good` is what Mary is.
    let is_verb = analysis.tag(at + 1).is_some_and(|tag| tag.penn != Penn::Pos);
    owns && !is_verb && (!thing || is_chain(analysis.word(at)))
}

/// Whether the name is one of food, a drink or a work: `seafood Alfredo`, `Caesar salad`, `Earl Grey`, `Finding Nemo`.
fn is_thing(analysis: &Analysis, at: usize) -> bool {
    const DRINKS: &[&str] = &[
        "Earl Grey",
        "Jack Daniel",
        "Jack Daniels",
        "Johnnie Walker",
        "Jim Beam",
        "Captain Morgan",
        "Shirley Temple",
        "Bloody Mary",
        "Tom Collins",
        "Arnold Palmer",
        "Jose Cuervo",
        "Dr. Pepper",
        "Sam Adams",
        "Samuel Adams",
        "Philly Cheese",
        "Ben Jerry",
        "Rob Roy",
        "Eggs Benedict",
        "Monte Cristo",
    ];
    let is_food = |place: usize| {
        let word = analysis.word(place);
        let lemma = inflection::lemma(word, "NNS").unwrap_or_default();
        word.starts_with(char::is_lowercase)
            && [word, &*lemma]
                .iter()
                .any(|noun| wordnet::senses(noun, Kind::Noun).next().is_some_and(|sense| sense.topic() == "noun.food"))
    };
    let with = |one: usize| DRINKS.contains(&format!("{} {}", analysis.word(one), analysis.word(one + 1)).as_str());
    let doing = |place: usize| {
        let word = analysis.word(place);
        let starts = analysis.sentence_of(place).is_some_and(|sentence| sentence.start == place);
        !starts && word.starts_with(char::is_uppercase) && word.ends_with("ing") && word.len() > 5
    };
    // `Tom & Jerry`: a pair that everybody knows by its names.
    const PAIRS: &[[&str; 2]] = &[
        ["Tom", "Jerry"],
        ["Ben", "Jerry"],
        ["Thelma", "Louise"],
        ["Bonnie", "Clyde"],
        ["Romeo", "Juliet"],
        ["Bill", "Ted"],
    ];
    let paired = |one: usize| {
        is_any(analysis.word(one + 1), &["and", "&", "n"])
            && PAIRS.contains(&[analysis.word(one), analysis.word(one + 2)])
    };
    let before = at.checked_sub(1);
    paired(at)
        || at.checked_sub(2).is_some_and(paired)
        || is_food(at + 1)
        || with(at)
        || before.is_some_and(|before| is_food(before) || with(before) || doing(before))
}

/// Whether the name stands in a title between quotation marks: `"Thelma and Louise"`.
fn is_in_title(analysis: &Analysis, at: usize) -> bool {
    const MARKS: &[&str] = &["\"", "\u{201c}", "\u{201d}", "``", "''", "quot;"];
    const SMALL: &[&str] =
        &["a", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "vs", "with", "'s"];
    let inside = |at: &usize| {
        let word = analysis.word(*at);
        !word.is_empty() && (word.starts_with(char::is_uppercase) || SMALL.contains(&word))
    };
    let is_mark = |at: usize| MARKS.contains(&analysis.word(at));
    let opens = (0..at).rev().find(|at| !inside(at)).is_some_and(is_mark);
    opens && (at + 1..at + 7).find(|at| !inside(at)).is_some_and(is_mark)
}

/// Whether a first name is also a place or a word: `Virginia`, `Will`.
fn is_other_word(name: &str) -> bool {
    let lower = name.to_lowercase();
    places::find(name).is_some() || ["NN", "VB", "JJ", "RB"].iter().any(|tag| inflection::is_lemma(&lower, tag))
}

/// A title before a name.
fn title(analysis: &Analysis, at: usize) -> Option<(Gender, String)> {
    let word = Some(analysis.word(at)).filter(|word| word.starts_with(char::is_uppercase))?;
    let (_, other, gender) = TITLES.iter().find(|(title, _, _)| title.eq_ignore_ascii_case(word))?;
    let next = analysis.word(at + 1);
    let before_name = next.starts_with(char::is_uppercase)
        && analysis.tag(at + 1).is_some_and(|tag| matches!(tag.penn, Penn::Nnp | Penn::Nnps));
    before_name.then(|| (*gender, casing::follow(word, other).into_owned()))
}

/// Whether `her` and `his` stand before what is hers, by the parse and by what follows.
fn pronoun_tag(analysis: &Analysis, at: usize) -> &'static str {
    let sentences = analysis.sentences();
    let number = sentences.partition_point(|sentence| sentence.end <= at);
    let by_parse = || {
        let place = sentences.get(number).map_or(0, |sentence| at - sentence.start);
        analysis.dependencies_of(number).get(place).is_some_and(|word| word.relation == Relation::NmodPoss)
    };
    let next = analysis.tag(at + 1).map(|tag| tag.penn);
    let behind_preposition = at > 0 && analysis.tag(at - 1).is_some_and(|tag| matches!(tag.penn, Penn::In | Penn::To));
    let behind_verb = at > 0 && analysis.tag(at - 1).is_some_and(|tag| matches!(tag.upos, Upos::Verb | Upos::Aux));
    let is_possessive = analysis.tag(at).is_some_and(|tag| tag.penn == Penn::PrpPoss);
    let before_noun = matches!(
        next,
        Some(
            Penn::Nn
                | Penn::Nns
                | Penn::Jj
                | Penn::Jjs
                | Penn::Jjr
                | Penn::Nnp
                | Penn::Nnps
                | Penn::Cd
                | Penn::Vbg
                | Penn::Vbn
        )
    );
    let never = matches!(
        next,
        None | Some(
            Penn::Comma
                | Penn::FullStop
                | Penn::In
                | Penn::To
                | Penn::Cc
                | Penn::Dt
                | Penn::Prp
                | Penn::Md
                | Penn::Vbz
                | Penn::Colon
        )
    );
    match () {
        () if analysis.tokens().get(at + 1).is_some_and(|next| next.text(analysis.text()) == "own") => "PRP$",
        // `to her role`, `in her car`; `neither her acting`: only a verb has her for an object.
        () if before_noun && (behind_preposition || !behind_verb) => "PRP$",
        () if never => "PRP",
        () if before_noun && is_possessive => "PRP$",
        // The parse is the dearest to ask, and comes last.
        () if by_parse() => "PRP$",
        () => "PRP",
    }
}
