use std::collections::BTreeMap;
use std::sync::LazyLock;

use fissure_core::{
    Amount, Dice, Donors, Edit, EditSample, Mark, Proposal, Resources, Sample, Skip, choices, layer, transform,
};
use fissure_text::names::{organisations, people, places};
use fissure_text::{Penn, articles, inflection};

use crate::clauses::is_any;
use crate::support::annotated::Annotated;
use crate::support::chinese;

transform! {
    /// Replaces entities with others of the same type, taken from other samples.
    ///
    /// The new name is written in the same case pattern, `a` and `an` stay right, and all mentions of one entity change
    /// alike. Names that have `the` before them stand for each other (`the United States`, `the Netherlands`), and so do those without. `longer` takes names of three words or more, `rare` names that are seen once, `ambiguous` names that are
    /// seen with another type as well, or that people, places and organisations share (`Jordan`, `Florence`, `Ford`).
    pub struct SwapEnt {
        ..Amount::all();
        /// Which names to take.
        kind: Taken = Taken::Same;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::ENTITY)],
        needs: &[Donors],
        aliases: &["SwapEnt", "OOV", "CrossCategory", "SwapLonger", "SwapEntOOV", "SwapEntCrossCategory"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.69, 3.76), grammaticality: (3.54, 3.48) }),
    }
    examples: [
        { kind = "rare" } "[Ruth|entity:PER] left." => "[Carl|entity:PER] left.",
        "[Ruth|entity:PER] left. [Ruth|entity:PER] was glad." => "[Carl|entity:PER] left. [Carl|entity:PER] was glad.",
        { kind = "longer" } "She saw [Rome|entity:LOC]." => "She saw [Trinidad and Tobago|entity:LOC].",
        { kind = "ambiguous" } "She met [Ruth|entity:PER]." => "She met [Savannah|entity:PER].",
        { seed = "3" } "I saw the [United States|entity:LOC]." => "I saw the [United States|entity:LOC].",
        "It cost [5 euros|entity:MONEY]." => "It cost [5 euros|entity:MONEY].",
    ]
}

choices! {
    /// Which names are taken from other samples.
    pub enum Taken { Same = "same", Longer = "longer", Rare = "rare", Ambiguous = "ambiguous" }
}

/// How often a donor is drawn for an entity before it is left alone.
const TRIES: usize = 400;

impl EditSample for SwapEnt {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Proposal {
        let Some(donors) = &resources.donors else { return Err(Skip("there are no other samples".into())) };
        let mut entities: Vec<&Mark> = sample
            .layer(layer::ENTITY)
            .map(|(_, mark)| mark)
            .filter(|mark| sample.fields.get(mark.field).is_some_and(|field| field.open) && !mark.span.is_empty())
            .collect();
        if entities.is_empty() {
            return Err(Skip("there is no entity".into()));
        }
        entities.sort_by_key(|mark| (mark.field, mark.span.start));
        // An entity that lies in another is part of its name.
        entities.dedup_by(|inner, outer| outer.field == inner.field && outer.span.overlaps(inner.span));
        let mut names: Vec<(&str, &str)> = entities.iter().map(|mark| (sample.words_of(mark), &*mark.value)).collect();
        names.sort_unstable();
        names.dedup();
        let chosen = dice.choose(names.len(), self.amount.of(names.len()));
        let taken: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        let mut swapped: BTreeMap<(&str, &str), String> = BTreeMap::new();
        for at in chosen {
            let (name, kind) = names[at];
            let before: Vec<&str> = entities
                .iter()
                .filter(|mark| sample.words_of(mark) == name)
                .map(|mark| word_before(sample, mark))
                .collect();
            let mut stands: Vec<Stand> = entities
                .iter()
                .filter(|mark| sample.words_of(mark) == name)
                .filter_map(|mark| Stand::of(sample, mark))
                .collect();
            stands.dedup();
            let used: Vec<&str> = swapped.values().map(String::as_str).chain(taken.iter().copied()).collect();
            if let Some(new) = self.other(sample, (name, kind), (&before, &stands), &used, donors, dice) {
                swapped.insert((name, kind), new);
            }
        }
        let edit = |mark: &&Mark| {
            let new = swapped.get(&(sample.words_of(mark), &*mark.value))?;
            Some(Edit::replace(mark.span, new.clone()).on(mark.field))
        };
        Ok(entities.iter().filter_map(edit).collect())
    }
}

impl SwapEnt {
    /// Another name of the same type, from a donor.
    fn other(
        &self,
        sample: &Sample,
        (name, kind): (&str, &str),
        (before, stands): (&[&str], &[Stand]),
        used: &[&str],
        donors: &Donors,
        dice: &mut Dice,
    ) -> Option<String> {
        let wanted = |new: &str| match self.kind {
            Taken::Same => true,
            Taken::Longer => new.split_whitespace().count() >= 3,
            Taken::Rare => counted(donors, new, None, 2) == 1,
            Taken::Ambiguous => counted(donors, new, Some(kind), 1) > 0,
        };
        let fits = |new: &str| {
            let article = before.iter().all(|word| match &*word.to_lowercase() {
                "a" => !articles::takes_an(new),
                "an" => articles::takes_an(new),
                _ => true,
            });
            let clean = !new.to_lowercase().starts_with("the ") && new.chars().any(char::is_alphabetic);
            clean && pattern(new) == pattern(name) && article && !used.contains(&new)
        };
        let mut found = None;
        donors.draw(sample, dice, TRIES, |donor| {
            let names = donor.layer(layer::ENTITY).filter(|(_, mark)| mark.value == kind);
            let alike = |mark: &Mark| {
                let new = donor.words_of(mark);
                // `the Florida Keys` where it stands before a noun only: whether it takes an article is not known.
                let own = Stand::of(donor, mark).or_else(|| (!ends_in_noun(new)).then(|| Stand::usual(new)));
                stands.iter().all(|stand| Some(*stand) == own && (*stand == Stand::WithThe || !takes_the(new)))
            };
            found = names
                .map(|(_, mark)| mark)
                .find(|mark| fits(donor.words_of(mark)) && wanted(donor.words_of(mark)) && alike(mark))
                .map(|mark| donor.words_of(mark).to_owned());
            found.is_some()
        });
        // Few data sets have a name under two types; the tables of names have.
        if found.is_none() && self.kind == Taken::Ambiguous {
            let alike = |new: &str| stands.iter().all(|stand| *stand == Stand::usual(new));
            let known: Vec<&str> = shared(kind).iter().copied().filter(|new| fits(new) && alike(new)).collect();
            found = dice.pick(&known).map(|new| (*new).to_owned());
        }
        found
    }
}

/// Whether a name stands with `the`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    WithThe,
    Bare,
}

impl Stand {
    /// How an entity stands; `None` where that says nothing of the name: before a noun the article is the noun's (`the Obama
    /// administration`), and behind one of its own words (`my Peru`) or in a list no name needs one.
    fn of(sample: &Sample, mark: &Mark) -> Option<Self> {
        let text = &sample.fields.get(mark.field)?.text;
        if chinese::is_chinese(text) {
            return None;
        }
        let annotated = Annotated::of(text);
        let tokens = annotated.analysis().tokens();
        let first = tokens.iter().position(|token| token.span.end > mark.span.start)?;
        let next = tokens.iter().position(|token| token.span.start >= mark.span.end);
        let touches = |at: usize| text.get(mark.span.end..tokens[at].span.start).is_some_and(|gap| gap.len() < 2);
        let heads_another = next
            .filter(|at| touches(*at))
            .and_then(|at| annotated.penn(at))
            .is_some_and(|penn| matches!(penn, Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Jj));
        if heads_another {
            return None;
        }
        let before = first.checked_sub(1);
        let word = before.map_or("", |at| annotated.word(at));
        if is_any(word, &["the"]) {
            return Some(Self::WithThe);
        }
        match before.and_then(|at| annotated.penn(at)) {
            // `a`, `this`, `our`, `northern`: the word before takes the place of an article.
            Some(Penn::Dt | Penn::PrpPoss | Penn::Jj | Penn::Pos | Penn::Nn | Penn::Nnp | Penn::Cd) => None,
            _ => Some(Self::Bare),
        }
    }

    /// How a name stands that is only known from a list.
    fn usual(name: &str) -> Self {
        if takes_the(name) { Self::WithThe } else { Self::Bare }
    }
}

/// Whether a name of several words ends in a plain noun: `Gaza Strip`, `Florida Keys`.
fn ends_in_noun(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or("").to_lowercase();
    let is_noun = || inflection::is_lemma(&last, "NN") || inflection::lemmas(&last, "NNS").next().is_some();
    name.contains(' ') && is_noun()
}

/// Whether English has `the` before the name wherever it stands alone, as headlines do not.
fn takes_the(name: &str) -> bool {
    const SHORT: &[&str] =
        &["US", "U.S.", "USA", "U.S.A.", "UK", "U.K.", "EU", "E.U.", "UN", "U.N.", "UAE", "USSR", "US."];
    let plain = name.replace(' ', "");
    SHORT.contains(&&*plain) || places::find(name).is_some_and(|(_, place)| place.takes_the)
}

/// Names of a type that name something of another type as well: Jordan, Florence, Ford. Empty for types other than people,
/// places and organisations.
fn shared(kind: &str) -> &'static [&'static str] {
    static NAMES: LazyLock<[Vec<&'static str>; 3]> = LazyLock::new(|| {
        let places = || places::all().iter().map(|place| place.name).filter(|name| !name.contains(' '));
        let firms = organisations::kinds().iter().flat_map(|(_, names)| names).copied();
        [
            places().filter(|name| people::is_first_name(name)).collect(),
            places().filter(|name| people::is_first_name(name) || people::is_surname(name)).collect(),
            firms.filter(|name| people::is_surname(name) || places::find(name).is_some()).collect(),
        ]
    });
    let [people, places, firms] = &*NAMES;
    match kind {
        "PER" | "PERSON" => people,
        "LOC" | "GPE" | "LOCATION" => places,
        "ORG" | "ORGANIZATION" | "ORGANISATION" => firms,
        _ => &[],
    }
}

/// Whether a name is in capitals, and whether it starts with one.
fn pattern(name: &str) -> (bool, bool) {
    let letters = || name.chars().filter(|sign| sign.is_alphabetic());
    let capitals = letters().count() > 1 && letters().all(char::is_uppercase);
    (capitals, letters().next().is_some_and(char::is_uppercase))
}

/// How many donors have an entity called `name`, of another type than `unlike` if that is given; at most `most`.
fn counted(donors: &Donors, name: &str, unlike: Option<&str>, most: usize) -> usize {
    let has = |donor: &Sample| {
        donor.layer(layer::ENTITY).any(|(_, mark)| unlike != Some(&*mark.value) && donor.words_of(mark) == name)
    };
    donors.iter().filter(|donor| has(donor)).take(most).count()
}

/// The word before an entity.
fn word_before<'s>(sample: &'s Sample, mark: &Mark) -> &'s str {
    let text = sample.fields.get(mark.field).map_or("", |field| field.text.as_str());
    text.get(..mark.span.start).and_then(|before| before.split_whitespace().next_back()).unwrap_or("")
}
