//! Pairs of sentences that share their words, with whether the second follows from the first. Written for this project
//! after the heuristics that McCoy et al. 2019 name; none of their templates is used.

use std::ops::Range;

use fissure_core::Dice;
use fissure_text::{Penn, Relation, casing};

use crate::clauses::Sentence;

/// Which overlap misleads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// The same words in another order.
    Lexical,
    /// A stretch of the first text.
    Subsequence,
    /// A clause of the first text.
    Constituent,
}

/// A pair, and whether the second text follows from the first.
pub(crate) struct Made {
    pub premise: String,
    pub hypothesis: String,
    pub follows: bool,
}

/// A template: `{a}`, `{b}` and `{c}` are people, `{see}` and `{seen}` what one does to another, `{sleep}` what one does.
struct Template {
    overlap: Overlap,
    follows: bool,
    /// Whether the first text follows from the second as well, so that the two mean the same.
    both_ways: bool,
    premise: &'static str,
    hypothesis: &'static str,
}

const fn no(overlap: Overlap, premise: &'static str, hypothesis: &'static str) -> Template {
    Template { overlap, follows: false, both_ways: false, premise, hypothesis }
}

const fn yes(overlap: Overlap, premise: &'static str, hypothesis: &'static str) -> Template {
    Template { overlap, follows: true, both_ways: false, premise, hypothesis }
}

const fn same(overlap: Overlap, premise: &'static str, hypothesis: &'static str) -> Template {
    Template { overlap, follows: true, both_ways: true, premise, hypothesis }
}

use Overlap::{Constituent, Lexical, Subsequence};

const TEMPLATES: &[Template] = &[
    no(Lexical, "{a} {see} {b}.", "{b} {see} {a}."),
    no(Lexical, "{a} was {seen} by {b}.", "{a} {see} {b}."),
    no(Lexical, "{a} and {b} {see} {c}.", "{a} {see} {b}."),
    no(Lexical, "{a} near {b} {see} {c}.", "{c} {see} {a}."),
    no(Lexical, "{a} {see} {b} who {sleep}.", "{a} {sleep}."),
    no(Lexical, "{a} who {see} {b} {sleep}.", "{b} {see} {a}."),
    same(Lexical, "{a} was {seen} by {b}.", "{b} {see} {a}."),
    same(Lexical, "{a} {see} {b}.", "{b} was {seen} by {a}."),
    same(Lexical, "{a} and {b} {sleep}.", "{b} and {a} {sleep}."),
    same(Lexical, "It was {a} who {see} {b}.", "{a} {see} {b}."),
    yes(Lexical, "{a} {see} {b} and {c}.", "{a} {see} {c}."),
    yes(Lexical, "{a} {see} {b} who {sleep}.", "{b} {sleep}."),
    yes(Lexical, "{a} and {b} {see} {c}.", "{b} {see} {c}."),
    no(Subsequence, "{a} near {b} {sleep}.", "{b} {sleep}."),
    no(Subsequence, "{a} behind {b} {see} {c}.", "{b} {see} {c}."),
    no(Subsequence, "{a} who {see} {b} {sleep}.", "{b} {sleep}."),
    no(Subsequence, "{a} heard that {b} {sleep}.", "{a} heard {b}."),
    no(Subsequence, "{a} was {seen} by {b} who {sleep}.", "{a} {sleep}."),
    no(Subsequence, "{a} {seen} by {b} {sleep}.", "{b} {sleep}."),
    yes(Subsequence, "{a} {see} {b} in the garden.", "{a} {see} {b}."),
    yes(Subsequence, "{a} and {b} {sleep}.", "{b} {sleep}."),
    yes(Subsequence, "{a} {see} {b} and {c}.", "{a} {see} {b}."),
    yes(Subsequence, "Yesterday {a} {sleep} near {b}.", "{a} {sleep}."),
    yes(Subsequence, "{a} {sleep}, and {b} {see} {c}.", "{b} {see} {c}."),
    same(Subsequence, "In fact, {a} {see} {b}.", "{a} {see} {b}."),
    same(Subsequence, "It is true that {a} {sleep}.", "{a} {sleep}."),
    no(Constituent, "If {a} {sleep}, {b} {see} {c}.", "{a} {sleep}."),
    no(Constituent, "If {a} {sleep}, {b} {see} {c}.", "{b} {see} {c}."),
    no(Constituent, "{a} {sleep}, or {b} {see} {c}.", "{b} {see} {c}."),
    no(Constituent, "{a} thought that {b} {sleep}.", "{b} {sleep}."),
    no(Constituent, "{a} claimed that {b} {see} {c}.", "{b} {see} {c}."),
    no(Constituent, "{a} hoped that {b} {sleep}.", "{b} {sleep}."),
    no(Constituent, "Perhaps {a} {see} {b}.", "{a} {see} {b}."),
    no(Constituent, "Supposedly, {a} {sleep}.", "{a} {sleep}."),
    no(Constituent, "Unless {a} {sleep}, {b} {see} {c}.", "{a} {sleep}."),
    yes(Constituent, "Because {a} {sleep}, {b} {see} {c}.", "{a} {sleep}."),
    yes(Constituent, "When {a} {see} {b}, {c} {sleep}.", "{c} {sleep}."),
    yes(Constituent, "Although {a} {sleep}, {b} {see} {c}.", "{b} {see} {c}."),
    yes(Constituent, "{a} knew that {b} {sleep}.", "{b} {sleep}."),
    yes(Constituent, "{a} remembered that {b} {see} {c}.", "{b} {see} {c}."),
    yes(Constituent, "{a} {sleep}, but {b} {see} {c}.", "{a} {sleep}."),
    same(Constituent, "Certainly, {a} {see} {b}.", "{a} {see} {b}."),
    same(Constituent, "Without a doubt, {a} {sleep}.", "{a} {sleep}."),
];

const PEOPLE: &[&str] = &[
    "judge",
    "artist",
    "doctor",
    "lawyer",
    "student",
    "author",
    "banker",
    "senator",
    "tourist",
    "manager",
    "actor",
    "secretary",
    "scientist",
    "athlete",
    "president",
    "professor",
    "baker",
    "pilot",
    "singer",
    "teacher",
    "nurse",
    "farmer",
    "painter",
    "engineer",
];

/// What one does to another: past and participle. None of them says that the other does the same.
const ACTS: &[(&str, &str)] = &[
    ("saw", "seen"),
    ("thanked", "thanked"),
    ("called", "called"),
    ("helped", "helped"),
    ("avoided", "avoided"),
    ("recommended", "recommended"),
    ("supported", "supported"),
    ("contacted", "contacted"),
    ("admired", "admired"),
    ("encouraged", "encouraged"),
    ("stopped", "stopped"),
    ("praised", "praised"),
    ("ignored", "ignored"),
    ("visited", "visited"),
    ("blamed", "blamed"),
    ("invited", "invited"),
];

const DEEDS: &[&str] =
    &["slept", "danced", "arrived", "ran", "waited", "shouted", "resigned", "smiled", "left", "sang", "laughed"];

/// A pair of this overlap, following or not as likely. With `same`, what follows means the same.
pub(crate) fn make(overlap: Option<Overlap>, same: bool, dice: &mut Dice) -> Made {
    let follows = dice.chance(0.5);
    let fits = |template: &&Template| {
        template.follows == follows
            && overlap.is_none_or(|wanted| wanted == template.overlap)
            && (!same || !follows || template.both_ways)
    };
    let fitting: Vec<&Template> = TEMPLATES.iter().filter(fits).collect();
    let template = dice.pick(&fitting).copied().unwrap_or(&TEMPLATES[0]);
    let people: Vec<String> =
        dice.choose(PEOPLE.len(), 3).into_iter().map(|at| format!("the {}", PEOPLE[at])).collect();
    let mut people = people;
    dice.shuffle(&mut people);
    let (see, seen) = *dice.pick(ACTS).unwrap_or(&ACTS[0]);
    let sleep = dice.pick(DEEDS).copied().unwrap_or(DEEDS[0]);
    let fill = |words: &str| {
        let slots = [("{a}", &*people[0]), ("{b}", &*people[1]), ("{c}", &*people[2])];
        let verbs = [("{seen}", seen), ("{see}", see), ("{sleep}", sleep)];
        let filled = slots.iter().chain(&verbs).fold(words.to_owned(), |text, (slot, with)| text.replace(slot, with));
        casing::title(&filled).into_owned()
    };
    Made { premise: fill(template.premise), hypothesis: fill(template.hypothesis), follows: template.follows }
}

/// The tokens of a noun phrase that names a person by a common noun with an article: `the old judge`.
pub(crate) fn person_phrase(sentence: &Sentence<'_>, noun: usize) -> Option<Range<usize>> {
    let word = sentence.word(noun).to_lowercase();
    let lemma = fissure_text::inflection::lemma(&word, "NNS").map_or(word.clone(), |lemma| lemma.into_owned());
    let person = fissure_text::wordnet::senses(&lemma, fissure_text::inflection::Kind::Noun).next()?;
    if person.topic() != "noun.person" || !matches!(sentence.penn(noun), Penn::Nn | Penn::Nns) {
        return None;
    }
    let children = sentence.children(noun);
    let plain = |at: &usize| matches!(sentence.relation(*at), Relation::Det | Relation::Amod) && *at < noun;
    let has_article = children.iter().any(|at| sentence.is(*at, &["a", "an", "the"]));
    let first = children.iter().copied().min().unwrap_or(noun);
    (has_article && children.iter().all(plain) && sentence.is(first, &["a", "an", "the"])).then_some(first..noun + 1)
}

/// Whether one may do this to another who does not do it in return.
pub(crate) fn is_one_way(verb: &str) -> bool {
    const ONE_WAY: &[&str] = &[
        "see",
        "thank",
        "call",
        "help",
        "avoid",
        "recommend",
        "support",
        "contact",
        "admire",
        "encourage",
        "stop",
        "praise",
        "ignore",
        "visit",
        "blame",
        "invite",
        "watch",
        "follow",
        "chase",
        "carry",
        "push",
        "pull",
        "teach",
        "lead",
        "feed",
        "hit",
        "kick",
        "tackle",
        "photograph",
        "interview",
        "film",
        "hug",
        "push",
        "lift",
        "serve",
        "show",
        "help",
        "hold",
        "assist",
        "attack",
        "defeat",
        "beat",
        "tell",
        "ask",
        "pay",
        "hire",
        "fire",
        "sue",
    ];
    ONE_WAY.contains(&verb) && verb != "hug"
}
