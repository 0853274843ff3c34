mod held_back;
mod part;

use std::collections::BTreeMap;

use fissure_core::{
    Amount, Dice, Edit, EditSample, Field, Proposal, Resources, Sample, Skip, Span, Text, disagreement, transform,
};
use fissure_text::names::people::{self, first_names, surnames};
use fissure_text::names::places::{self, Kind, Place};
use fissure_text::names::{Gender, organisations};
use fissure_text::{EntityKind, Penn, Token, casing};

use crate::support::agreement::{self, says};
use crate::support::annotated::Annotated;
use crate::support::chinese_names::{Named, Readings};
use crate::support::names::{self, Name};
use crate::support::paths::every_way;
use held_back::{hold_back, is_said_otherwise, is_said_unfound};
use part::is_part_of_name;

transform! {
    /// Replaces a name with another person, place or organisation of the same kind.
    ///
    /// The new name is about as well known, of as many words, and a first name stays with its gender. Every mention of
    /// a name gets the same new one and no other name gets it, the surname alone as well as the full name, and with a
    /// country its adjective: `Iraq` and `Iraqi`. A city moves within its country, or with it. Names that the lists of
    /// the toolbox do not have are left alone. On data with tags of names (`B-PER`), the tags say what is a name.
    ///
    /// All texts of a sample change alike, a question about the passage included. A name that cannot be changed alike
    /// wherever it occurs stays as it is. In Chinese, people with a known surname and given name and places of the list get
    /// names of as many characters.
    pub struct SwapNamedEnt {
        ..Amount::all();
        /// Whether persons are swapped.
        persons: bool = true;
        /// Whether places are swapped.
        places: bool = true;
        /// Whether organisations are swapped.
        organisations: bool = true;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        renames: true,
        languages: &[English, Chinese],
        aliases: &["SwapNamedEnt"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.4"),
        human: Some(HumanScores { plausibility: (3.85, 3.76), grammaticality: (3.74, 3.80) }),
    }
    examples: [
        "John Smith met Angela in Paris, and Smith paid." => "James Hall met Joyce in Helsinki, and Hall paid.",
        "An Iraqi judge left Iraq for Germany on Monday." => "A Vietnamese judge left Vietnam for Russia on Monday.",
        { persons = "false" } "Microsoft said that Mary Johnson would leave." => "Nvidia said that Mary Johnson would leave.",
        { places = "false" } "Mary Johnson moved from Boston to Chicago." => "Anna Allen moved from Boston to Chicago.",
        "他从杭州去上海。" => "他从漯河去北京。",
        "印度教和新墨西哥州。" => "印度教和新墨西哥州。",
        "The company spent a Hollywood budget on it." => "The company spent a Hollywood budget on it.",
        "He flew to Ouagadougouville." => "He flew to Ouagadougouville.",
        "BASRA, Iraq - They won." => "BASRA, Iraq - They won.",
        "Many ethnic Albanians left Albania." => "Many ethnic Albanians left Albania.",
        "North Korea met South Korea, and both Koreas talked." => "North Korea met South Korea, and both Koreas talked.",
        "We ate at Denny's." => "We ate at Denny's.",
        "Madrid is where Real Madrid play." => "Madrid is where Real Madrid play.",
        "They had Brussels sprouts in Brussels." => "They had Brussels sprouts in Brussels.",
        "From PANAMA CITY he went down the Amazon." => "From PANAMA CITY he went down the Amazon.",
    ]
}

impl EditSample for SwapNamedEnt {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        if is_chinese(sample) {
            return Ok(self.chinese(sample, dice));
        }
        let fields = fields(sample);
        let distinct = self.distinct(sample, &fields);
        // Countries first, so that their cities can follow them; longer names of persons before the parts of them.
        let mut chosen: Vec<(EntityKind, String)> = dice
            .choose(distinct.len(), self.amount.of(distinct.len()))
            .into_iter()
            .map(|at| distinct[at].clone())
            .collect();
        chosen.sort_by_key(|(_, name)| (!is_country(name), std::cmp::Reverse(name.split(' ').count())));
        loop {
            let mut throws = dice.clone();
            let swaps = Swaps::of(sample, &chosen, &mut |n| throws.below(n));
            let edits = swaps.edits_of(&fields);
            // A name that does not agree is left out, and the others are tried again without it.
            let count = chosen.len();
            let skip: Skip = if let Some(country) = swaps.torn {
                chosen.retain(|(_, name)| place(name).is_none_or(|(_, place)| place.country != country));
                Skip("a city cannot be moved together with its country".into())
            } else if let Some(apart) = disagreement(sample, &edits, agreement::capitals) {
                chosen.retain(|(kind, name)| !owns(*kind, name, apart.mention));
                apart.into()
            } else {
                return Ok(edits);
            };
            if chosen.is_empty() || chosen.len() == count {
                return Err(skip);
            }
        }
    }

    /// A name stands where it is first said; its other words and mentions go along. A name of three words has too many
    /// others to list.
    fn candidates_of(&self, sample: &Sample, _: &Resources) -> Option<Vec<fissure_core::Place>> {
        const MOST: usize = 5_000;
        // A Chinese name has too many others to list.
        if is_chinese(sample) {
            return None;
        }
        let fields = fields(sample);
        let mut places = Vec::new();
        for one in self.distinct(sample, &fields) {
            let is_it = |name: &Name, text: &Text| name.kind == one.0 && name.text(text) == one.1;
            let said = fields.iter().filter(|(_, field, _)| field.open).find_map(|(at, field, names)| {
                Some((*at, names.iter().find(|name| is_it(name, &field.text))?.words.first()?.clone()))
            });
            let Some((field, span)) = said else { continue };
            let ways = every_way(MOST, |pick| {
                let edits = Swaps::of(sample, std::slice::from_ref(&one), pick).edits_of(&fields);
                if disagreement(sample, &edits, agreement::capitals).is_some() { Vec::new() } else { edits }
            });
            places.push(fissure_core::Place::of_edits(sample, field, span.into(), ways?));
        }
        Some(places)
    }
}

impl SwapNamedEnt {
    /// The edits of a sample of Chinese texts.
    fn chinese(&self, sample: &Sample, dice: &mut Dice) -> Vec<Edit> {
        let readings = Readings::of(sample);
        let mut distinct = readings.distinct();
        distinct.retain(|(kind, _)| if *kind == Named::Person { self.persons } else { self.places });
        let kinds = distinct.iter().map(|(kind, _)| *kind).filter(|kind| *kind != Named::Person);
        // A city would leave its country, if texts are compared that name both.
        let torn = sample.compares_mentions() && kinds.clone().zip(kinds.skip(1)).any(|(one, next)| one != next);
        distinct.retain(|(kind, _)| !torn || *kind == Named::Person);
        let mut new: BTreeMap<String, String> = BTreeMap::new();
        for at in dice.choose(distinct.len(), self.amount.of(distinct.len())) {
            let name = readings.another(&distinct[at], dice);
            let name = name.filter(|name| !new.values().any(|other| other == name));
            new.extend(name.map(|name| (distinct[at].1.clone(), name)));
        }
        readings.rename(&new)
    }
}

/// Whether the open texts of a sample are Chinese.
fn is_chinese(sample: &Sample) -> bool {
    sample.fields.iter().any(|field| field.open && crate::support::chinese::is_chinese(&field.text))
}

/// The texts of a sample with their names.
fn fields(sample: &Sample) -> Vec<(usize, &Field, Vec<Name>)> {
    agreement::texts(sample).map(|(at, field)| (at, field, known(sample, at, &field.text))).collect()
}

impl SwapNamedEnt {
    /// The names of the open texts that can be swapped, each once.
    fn distinct(&self, sample: &Sample, fields: &[(usize, &Field, Vec<Name>)]) -> Vec<(EntityKind, String)> {
        let mut distinct: Vec<(EntityKind, String)> = Vec::new();
        let open = fields.iter().filter(|(_, field, _)| field.open);
        for (name, text) in open.flat_map(|(_, field, names)| names.iter().map(move |name| (name, &field.text))) {
            let known = (name.kind, name.text(text));
            if !distinct.contains(&known) {
                distinct.push(known);
            }
        }
        // Who is named in full somewhere, in a way that cannot be swapped (`George W. Bush`), keeps the surname too.
        let held: Vec<(EntityKind, String)> = distinct.iter().filter(|name| !self.takes(name)).cloned().collect();
        distinct.retain(|name| {
            let part =
                |(kind, whole): &(EntityKind, String)| *kind == name.0 && whole.split(' ').any(|word| word == name.1);
            self.takes(name) && !held.iter().any(part)
        });
        distinct.retain(|(kind, name)| !fields.iter().any(|(_, field, _)| is_said_otherwise(&field.text, *kind, name)));
        if !sample.compares_mentions() {
            distinct.retain(|name| !fields.iter().any(|(_, field, names)| is_said_unfound(&field.text, name, names)));
        }
        if sample.compares_mentions() {
            hold_back(sample, &mut distinct);
        }
        distinct
    }
}

/// Whether a word changes because of a name: it is a word of it, or the adjective of the country.
fn owns(kind: EntityKind, name: &str, word: &str) -> bool {
    let same = |other: &str| other.eq_ignore_ascii_case(word);
    let adjective = || place(name).map_or("", |(_, place)| place.adjective);
    name.split(' ').any(same)
        || kind == EntityKind::Place
            && !adjective().is_empty()
            && (same(adjective())
                || word.strip_suffix(['s', 'S']).is_some_and(|word| word.eq_ignore_ascii_case(adjective())))
}

impl SwapNamedEnt {
    /// Whether the lists have what is needed to find another such name.
    fn takes(&self, (kind, name): &(EntityKind, String)) -> bool {
        match kind {
            EntityKind::Person => self.persons && names::is_plain_person(&name.split(' ').collect::<Vec<_>>()),
            EntityKind::Place => self.places && place(name).is_some(),
            EntityKind::Organisation => self.organisations && !organisations::peers(name).is_empty(),
        }
    }
}

fn is_country(name: &str) -> bool {
    place(name).is_some_and(|(_, place)| place.kind == Kind::Country)
}

/// The names of a field, without those that name something else than they seem to.
fn known(sample: &Sample, at: usize, text: &Text) -> Vec<Name> {
    let mut names = names::of(sample, at, text);
    names.retain(|name| !is_other_thing(text, name));
    names
}

/// Whether the name is not that of the place or company it looks like: `PANAMA CITY` is no country, and `down the Amazon`
/// goes no company. An article that belongs to a noun behind the name (`the Iraq war`) says nothing.
fn is_other_thing(text: &Text, name: &Name) -> bool {
    let (Some(first), Some(last)) = (name.words.first(), name.words.last()) else { return false };
    let is_city = || text.get(last.end..last.end + 5).is_some_and(|next| next.eq_ignore_ascii_case(" city"));
    let written = name.text(text);
    // `A Hollywood budget` is one of the trade, `J.E. Robert Cos.` no person.
    let is_firm = || written.split(' ').any(|word| ["Co", "Cos", "Corp", "Inc", "Ltd"].contains(&word));
    let bare = match name.kind {
        EntityKind::Place if UNLIKE.contains(&&*written) => return true,
        // `the Amazon jungle`
        EntityKind::Organisation
            if written == "Amazon" && AMAZON.iter().any(|next| text[last.end..].starts_with(next)) =>
        {
            return true;
        }
        // Who `Ford` is without his company is not sure.
        EntityKind::Organisation if written == "Ford" && !text.contains("Motor") => return true,
        _ if is_part_of_name(text, name) => return true,
        EntityKind::Person if is_firm() || CHARACTERS.contains(&&*written) => return true,
        // `I live in Mercer`.
        EntityKind::Person if name.words.len() == 1 && text[..first.start].ends_with(" in ") => {
            return !people::is_first_name(&written);
        }
        EntityKind::Place if is_country(&written) && is_city() => return true,
        EntityKind::Place => place(&written).is_some_and(|(_, place)| !place.takes_the),
        EntityKind::Organisation => {
            organisations::find(&written).is_some_and(|(kind, _)| kind == "company" || kind == "team")
        }
        EntityKind::Person => false,
    };
    let article = text[..first.start].strip_suffix(' ').and_then(|before| before.rsplit(' ').next());
    if !bare || !article.is_some_and(|word| word.eq_ignore_ascii_case("the")) {
        return false;
    }
    let annotated = Annotated::of(text);
    let next = annotated.analysis().tokens().partition_point(|token| token.span.start < last.end);
    let is_noun = |penn| matches!(penn, Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Jj | Penn::Hyph);
    !annotated.penn(next).is_some_and(is_noun)
}

/// What follows the river.
const AMAZON: [&str; 5] = [" jungle", " river", " rainforest", " rain forest", " basin"];

/// Places like no other: a trade, and land whose standing is what the news is about. Georgia is two places.
const UNLIKE: [&str; 4] = ["Hollywood", "Gaza", "Georgia", "Guantanamo"];

/// Who is a title or a byword more than a person.
const CHARACTERS: [&str; 14] = [
    "Jesus",
    "Dracula",
    "Hamlet",
    "Macbeth",
    "Romeo",
    "Juliet",
    "Tarzan",
    "Jane Eyre",
    "Harry Potter",
    "James Bond",
    "Sherlock Holmes",
    "Robin Hood",
    "Peter Pan",
    "Oliver Twist",
];

/// The place of that name; datelines have it in capitals.
fn place(name: &str) -> Option<(usize, &'static Place)> {
    places::find(name).or_else(|| {
        let shouts = name.len() > 3 && name.split(' ').all(|word| casing::Case::of(word) == casing::Case::Upper);
        shouts.then(|| places::find(&titled(name))).flatten()
    })
}

fn titled(name: &str) -> String {
    let words: Vec<String> = name.split(' ').map(|word| casing::title(&word.to_lowercase()).into_owned()).collect();
    words.join(" ")
}

/// What was chosen for the names of a sample.
struct Swaps<'s> {
    sample: &'s Sample,
    /// By the word of a person's name.
    people: BTreeMap<String, String>,
    /// Which of these are surnames of persons that are named in full.
    surnames: Vec<String>,
    places: BTreeMap<&'static str, &'static Place>,
    organisations: BTreeMap<String, &'static str>,
    /// A country that was swapped although a place in it could not follow.
    torn: Option<&'static str>,
}

impl<'s> Swaps<'s> {
    fn of(sample: &'s Sample, chosen: &[(EntityKind, String)], pick: Pick<'_>) -> Self {
        let (people, surnames, places, organisations) = Default::default();
        let mut swaps = Self { sample, people, surnames, places, organisations, torn: None };
        for (kind, name) in chosen {
            swaps.choose(*kind, name, pick);
        }
        swaps
    }

    /// Whether a name cannot be a new one because the sample speaks of it: where texts are compared, two names must
    /// not become one.
    fn is_said(&self, name: &str) -> bool {
        self.sample.compares_mentions() && says(self.sample, name)
    }

    /// Whether a place must stay in its country, or move with it: texts are compared, and one of them names the country.
    fn is_tied(&self, place: &Place) -> bool {
        let has_country = || self.places.contains_key(place.country) || agreement::says_country(self.sample, place);
        self.sample.compares_mentions() && place.kind != Kind::Country && has_country()
    }

    /// The edits of all texts, in order; none if no open text changes.
    fn edits_of(&self, fields: &[(usize, &Field, Vec<Name>)]) -> Vec<Edit> {
        let (mut edits, mut opens) = (Vec::new(), false);
        for (at, field, names) in fields {
            let mut made = self.edits(&field.text, names);
            made.sort_by_key(|edit| edit.span);
            opens |= field.open && !made.is_empty();
            edits.extend(made.into_iter().map(|edit| edit.on(*at)));
        }
        if opens { edits } else { Vec::new() }
    }

    fn choose(&mut self, kind: EntityKind, name: &str, pick: Pick<'_>) {
        match kind {
            EntityKind::Person => {
                let words: Vec<&str> = name.split(' ').collect();
                for (at, word) in
                    words.iter().enumerate().filter(|(_, word)| !self.people.contains_key(**word)).collect::<Vec<_>>()
                {
                    let is_first = at + 1 < words.len() || (words.len() == 1 && is_rather_first_name(word));
                    if words.len() > 1 && !is_first {
                        self.surnames.push((*word).to_owned());
                    }
                    let used = |new: &str| self.people.values().any(|known| known == new) || self.is_said(new);
                    if let Some(new) = another_person(word, is_first, used, pick) {
                        self.people.insert((*word).to_owned(), new.to_owned());
                    }
                }
            }
            EntityKind::Place => {
                let Some((rank, old)) = place(name) else { return };
                match self.another_place(rank, old, pick) {
                    Some(new) => _ = self.places.insert(old.name, new),
                    None if old.kind != Kind::Country && self.places.contains_key(old.country) => {
                        self.torn = Some(old.country);
                    }
                    None => {}
                }
            }
            EntityKind::Organisation => {
                let used = |new: &str| self.organisations.values().any(|known| *known == new) || self.is_said(new);
                if let Some(new) = another_organisation(name, used, pick) {
                    self.organisations.insert(name.to_owned(), new);
                }
            }
        }
    }

    /// A place of the same kind: in the country that took the place of its own, or in its own, or in that part of the world.
    fn another_place(&self, rank: usize, old: &Place, pick: Pick<'_>) -> Option<&'static Place> {
        let country = self.places.get(old.country).map_or(old.country, |new| new.name);
        let words = old.name.split(' ').count();
        let alike = |place: &Place| {
            place.kind == old.kind
                && place.takes_the == old.takes_the
                && place.adjective.is_empty() == old.adjective.is_empty()
                && place.name != old.name
                && place.name.is_ascii()
                && place.name.split(' ').count() == words
                && !self.places.values().any(|known| known.name == place.name)
        };
        let alike = |place: &Place| {
            alike(place) && !self.is_said(place.name) && (place.adjective.is_empty() || !self.is_said(place.adjective))
        };
        // The capital of a country that became another is the capital of that one: `Tehran` says what Iran does.
        if old.kind == Kind::Capital && self.places.contains_key(old.country) {
            let moved = places::of_kind(Kind::Capital).find(|(_, place)| place.country == country && alike(place));
            return moved.map(|(_, place)| place);
        }
        // Of a country that stays the capital stays as well.
        let adjective = places::find(old.country).map_or("", |(_, country)| country.adjective);
        let is_called = || !adjective.is_empty() && says(self.sample, adjective) && says(self.sample, "capital");
        if old.kind == Kind::Capital && (says(self.sample, old.country) || is_called()) {
            return None;
        }
        let near = |place: &Place| old.kind == Kind::City && place.country == country;
        let around = |place: &Place| place.region == old.region;
        // Where texts are compared, `in Paris` must go on saying `in France` if the sample speaks of France.
        if self.is_tied(old) {
            let inside = places::of_kind(old.kind).filter(|(_, place)| place.country == country && alike(place));
            return nearest(inside, rank, 1, pick);
        }
        // Where it lies is asked first: that leaves few to look at.
        nearest(places::of_kind(old.kind).filter(|(_, place)| near(place) && alike(place)), rank, 3, pick)
            .or_else(|| {
                // `Melbourne, Australia` becomes no `Auckland, Samoa`.
                let moved = self.places.contains_key(old.country);
                let free = places::of_kind(old.kind).filter(|(_, place)| !moved && around(place) && alike(place));
                nearest(free, rank, 3, pick)
            })
            .or_else(|| {
                let moved = self.places.contains_key(old.country) && old.kind != Kind::Country;
                nearest(places::of_kind(old.kind).filter(|(_, place)| !moved && alike(place)), rank, 1, pick)
            })
    }

    fn edits(&self, text: &Text, names: &[Name]) -> Vec<Edit> {
        let mut edits = Vec::new();
        for name in names {
            let written = name.text(text);
            let new: Option<Vec<String>> = match name.kind {
                EntityKind::Person => written.split(' ').map(|word| self.people.get(word).cloned()).collect(),
                EntityKind::Place => place(&written).and_then(|(_, old)| {
                    let new = self.places.get(old.name)?.name;
                    let shouts = written != old.name;
                    let cased = |word: &str| if shouts { word.to_uppercase() } else { word.to_owned() };
                    Some(new.split(' ').map(cased).collect())
                }),
                EntityKind::Organisation => {
                    self.organisations.get(&written).map(|new| new.split(' ').map(str::to_owned).collect())
                }
            };
            if let Some(new) = new.filter(|new| new.len() == name.words.len()) {
                names::put(text, name, &new, &mut edits);
            }
        }
        self.follow(text, names, &mut edits);
        edits
    }

    /// What belongs to a swapped name follows it, where no name was found: the adjective of a country, an
    /// organisation, a surname alone.
    fn follow(&self, text: &Text, names: &[Name], edits: &mut Vec<Edit>) {
        let mut words: BTreeMap<String, String> = BTreeMap::new();
        for (old, new) in &self.places {
            let adjective = places::find(old).map_or("", |(_, place)| place.adjective);
            if !adjective.is_empty() && !new.adjective.is_empty() {
                words.insert(adjective.to_owned(), new.adjective.to_owned());
                // `Hungarians` becomes `Italians`, but `Portuguese` and `French`.
                let plural = if new.adjective.ends_with(['n', 'i']) { "s" } else { "" };
                words.insert(format!("{adjective}s"), format!("{}{plural}", new.adjective));
            }
        }
        let single = self.organisations.iter().filter(|(old, _)| !old.contains(' '));
        words.extend(single.map(|(old, new)| (old.clone(), (*new).to_owned())));
        words.extend(self.surnames.iter().filter_map(|old| Some((old.clone(), self.people.get(old)?.clone()))));
        // In another text the finder of names may miss what it found in the first.
        if self.sample.compares_mentions() {
            words.extend(self.people.iter().map(|(old, new)| (old.clone(), new.clone())));
            let single = self.places.iter().filter(|(old, new)| !old.contains(' ') && !new.name.contains(' '));
            words.extend(single.map(|(old, new)| ((*old).to_owned(), new.name.to_owned())));
        }
        if words.is_empty() {
            return;
        }
        let annotated = Annotated::of(text);
        let whole: Vec<&Name> = names.iter().filter(|name| name.words.len() > 1).collect();
        let done: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
        let taken = |token: &Token| {
            done.iter().any(|span| span.start < token.span.end && token.span.start < span.end)
                || whole.iter().flat_map(|name| &name.words).any(|word| word.contains(&token.span.start))
        };
        for (at, token) in annotated.analysis().tokens().iter().enumerate().filter(|(_, token)| !taken(token)) {
            if let Some(new) = words.get(annotated.word(at)).filter(|_| annotated.stands_free(at)) {
                let name = Name { kind: EntityKind::Person, words: vec![token.span.clone()] };
                names::put(text, &name, std::slice::from_ref(new), edits);
            }
        }
    }
}

/// Chooses one of this many choices.
type Pick<'p> = &'p mut dyn FnMut(usize) -> usize;

/// How many names that are about as common are drawn from.
const CHOICE: usize = 20;

/// One of the names whose ranks are nearest to `rank`, if there are `least` of them.
fn nearest<T: Copy>(ranked: impl Iterator<Item = (usize, T)>, rank: usize, least: usize, pick: Pick<'_>) -> Option<T> {
    let mut ranked: Vec<(usize, T)> = ranked.collect();
    ranked.sort_by_key(|(other, _)| (other.abs_diff(rank), *other));
    ranked.truncate(CHOICE);
    if ranked.len() < least {
        return None;
    }
    ranked.get(pick(ranked.len())).map(|(_, one)| *one)
}

/// A name about as common; one that no list has counts as one of the common ones.
fn another_person(word: &str, is_first: bool, used: impl Fn(&str) -> bool, pick: Pick<'_>) -> Option<&'static str> {
    let (list, rank) = if is_first {
        let (gender, rank) = people::first_name_rank(word).unwrap_or((Gender::Male, 50));
        (first_names(gender), rank)
    } else {
        (surnames(), people::surname_rank(word).unwrap_or(200))
    };
    // Rare names look odd, and are often words as well.
    let rank = rank.min(if is_first { 150 } else { 500 });
    let fitting = list.iter().enumerate().skip(rank.saturating_sub(CHOICE)).take(2 * CHOICE + 1);
    let fitting: Vec<&str> = fitting.map(|(_, name)| name.text).filter(|name| *name != word && !used(name)).collect();
    fitting.get(pick(fitting.len())).copied()
}

fn another_organisation(name: &str, used: impl Fn(&str) -> bool, pick: Pick<'_>) -> Option<&'static str> {
    let peers = organisations::peers(name);
    let rank = peers.iter().position(|other| *other == name)?;
    let words = name.split(' ').count();
    let alike = |other: &str| {
        other != name
            && other.split(' ').count() == words
            && other.starts_with("The ") == name.starts_with("The ")
            && !used(other)
    };
    nearest(peers.iter().copied().enumerate().filter(|(_, other)| alike(other)), rank, 1, pick)
}

/// Whether a name that stands alone is more likely a first name.
fn is_rather_first_name(word: &str) -> bool {
    let first = people::first_name_rank(word).map_or(usize::MAX, |(_, rank)| rank);
    first < people::surname_rank(word).unwrap_or(usize::MAX)
}
