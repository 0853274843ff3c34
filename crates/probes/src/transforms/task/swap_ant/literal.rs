//! Whether a word of English stands where only one of it and its opposite can be true. Most words do in some of their uses only:
//! who lost their lives won none, a day later is no night later, and a short supply has no other that is tall.

use fissure_core::Text;
use fissure_text::inflection::Kind;
use fissure_text::names::people;
use fissure_text::{Penn, wordnet};

use crate::clauses::{is_any, is_any_in};
use crate::support::annotated::Annotated;

/// What is won or lost by one side.
const CONTESTS: &[&str] = &[
    "game",
    "match",
    "race",
    "election",
    "war",
    "battle",
    "contest",
    "tournament",
    "championship",
    "fight",
    "bet",
    "vote",
    "lawsuit",
    "case",
    "final",
    "competition",
    "set",
    "round",
    "bout",
    "series",
];
/// What one has more or less of.
const HELD: &[&str] =
    &["weight", "support", "ground", "point", "percent", "%", "cent", "popularity", "strength", "power", "control"];
/// What says by itself that something grows or shrinks: beside it another such word cannot turn alone.
const DIRECTIONS: &[&str] = &[
    "rise",
    "rises",
    "rising",
    "rose",
    "risen",
    "raise",
    "raised",
    "fall",
    "falls",
    "falling",
    "fell",
    "fallen",
    "drop",
    "drops",
    "dropped",
    "dropping",
    "decline",
    "declines",
    "declined",
    "declining",
    "gain",
    "gains",
    "gained",
    "gaining",
    "lose",
    "loses",
    "lost",
    "losing",
    "loss",
    "losses",
    "increase",
    "increases",
    "increased",
    "increasing",
    "decrease",
    "decreases",
    "decreased",
    "decreasing",
    "up",
    "down",
    "higher",
    "lower",
    "climb",
    "climbs",
    "climbed",
    "jump",
    "jumped",
    "surge",
    "surged",
    "slip",
    "slipped",
    "slump",
    "slumped",
    "plunge",
    "plunged",
    "tumble",
    "tumbled",
    "soar",
    "soared",
    "growth",
    "grow",
    "grew",
    "grown",
    "cut",
    "cuts",
    "reduced",
    "reduction",
];
/// What may be full or empty.
const CONTAINERS: &[&str] = &[
    "glass",
    "cup",
    "bottle",
    "room",
    "bus",
    "train",
    "bowl",
    "plate",
    "stadium",
    "basket",
    "bag",
    "box",
    "restaurant",
    "cart",
    "tray",
    "bucket",
    "truck",
    "boat",
    "tank",
    "container",
    "theater",
    "theatre",
    "parking",
    "lot",
    "fridge",
    "jar",
    "mug",
    "wagon",
    "trolley",
    "pool",
    "bar",
    "cafe",
    "auditorium",
    "subway",
    "car",
    "trash",
    "can",
    "suitcase",
];
/// What may be open or closed.
const OPENING: &[&str] = &[
    "door",
    "window",
    "gate",
    "box",
    "shop",
    "store",
    "book",
    "mouth",
    "eye",
    "road",
    "bridge",
    "umbrella",
    "restaurant",
    "curtain",
    "lid",
    "bag",
    "drawer",
    "trunk",
    "laptop",
];
/// What belongs to all or to some.
const SHARED: &[&str] = &[
    "school",
    "company",
    "university",
    "hospital",
    "beach",
    "park",
    "garden",
    "pool",
    "road",
    "building",
    "meeting",
    "property",
    "land",
    "library",
    "firm",
    "bank",
    "bus",
    "bathroom",
    "event",
    "street",
    "college",
    "clinic",
    "ceremony",
];
const WATERS: &[&str] =
    &["water", "pool", "river", "lake", "snow", "sea", "hole", "end", "pond", "well", "cut", "wound"];
/// What grows upwards, beside what lives.
const UPRIGHT: &[&str] = &["building", "tree", "tower", "grass", "plant", "fence", "wall", "ladder", "house", "statue"];
/// Who may be poor or rich, beside people.
const OWNERS: &[&str] = &["country", "nation", "family", "neighborhood", "neighbourhood", "village", "household"];
/// What shows that children are somebody's and not just young.
const FAMILY: &[&str] = &[
    "parent", "parents", "mother", "mothers", "father", "fathers", "couple", "wife", "husband", "family", "families",
    "birth", "born", "adopted", "adopt", "conceive", "pregnant", "aged", "age", "ages", "school", "son", "daughter",
    "cloning", "toy", "toys", "teacher", "abuse", "infant", "infants", "toddler", "baby",
];
const WEATHER: &[&str] =
    &["hot", "heat", "cold", "warm", "snow", "snowy", "sun", "sunny", "ice", "icy", "beach", "swim", "ski", "olympics"];
const MONEY: &[&str] =
    &["$", "quarter", "quarterly", "million", "billion", "company", "net", "share", "cents", "firm", "pounds", "euros"];
const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Verbs behind which an adjective says how the subject is.
const LINKS: &[&str] = &["be", "become", "look", "seem", "feel", "appear", "remain"];

/// Words that their prefix alone denies. Of `independent`, `related`, `unusual` or `unborn` the other word is another matter.
const DENIABLE: &[&str] = &[
    "happy",
    "able",
    "aware",
    "legal",
    "formal",
    "successful",
    "profitable",
    "popular",
    "comfortable",
    "visible",
    "conscious",
    "consistent",
    "constitutional",
    "healthy",
    "willing",
    "available",
    "safe",
    "fair",
    "friendly",
    "lucky",
    "pleasant",
    "polite",
    "patient",
    "honest",
    "complete",
    "married",
    "employed",
    "sufficient",
    "appropriate",
    "accurate",
    "predictable",
    "realistic",
    "reliable",
    "efficient",
    "stable",
    "armed",
    "satisfied",
    "necessary",
    "important",
];

/// Whether one of two words with and without a denying prefix is a plain denial of the other.
pub(super) fn is_deniable(one: &str, other: &str) -> bool {
    DENIABLE.contains(&one) || DENIABLE.contains(&other)
}

/// Whether a text asks something, which can be no contradiction.
pub(super) fn asks(text: &Text) -> bool {
    text.contains('?')
}

/// Whether somebody is called by a name that says whether it is a man or a woman.
pub(super) fn names_somebody(text: &Text) -> bool {
    let annotated = Annotated::of(text);
    (0..annotated.len()).any(|at| annotated.penn(at) == Some(Penn::Nnp) && people::gender(annotated.word(at)).is_some())
}

/// The opposite that a word has beside its noun, where it has several: a short man is not tall, a short time is not long.
pub(super) fn of_its_noun(annotated: &Annotated, at: usize, lemma: &str) -> Option<&'static str> {
    let noun = head(annotated, at)?;
    (lemma == "short" && !lives(noun) && !is_any(noun, UPRIGHT)).then_some("long")
}

/// Whether the word means there what its opposite excludes.
pub(super) fn is_literal(annotated: &Annotated, at: usize, lemma: &str, kind: Kind, texts: &[&Text]) -> bool {
    let place = Place { annotated, at, texts };
    match kind {
        Kind::Noun => place.noun(lemma),
        Kind::Verb => place.verb(lemma),
        Kind::Adjective => place.adjective(lemma),
        Kind::Adverb => !is_any(annotated.before(at), &["from", "of"]),
    }
}

/// The lemma of the noun that an adjective stands before.
fn head(annotated: &Annotated, at: usize) -> Option<&str> {
    let is_part = |at: &usize| {
        matches!(annotated.penn(*at), Some(Penn::Jj | Penn::Jjs | Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps))
    };
    let run = (at + 1..annotated.len()).take_while(is_part);
    // `A tall man runs`: taggers take some verbs for nouns.
    let person = run.clone().find(|at| annotated.kind(*at) == Some(Kind::Noun)).filter(|at| lives(annotated.word(*at)));
    let last = person.or_else(|| run.last())?;
    let noun = matches!(annotated.penn(last), Some(Penn::Nn | Penn::Nns));
    // The lemma of a noun in the plural is a piece of it in nearly all that is listed here.
    noun.then(|| annotated.word(last))
}

/// Whether a noun names who or what lives.
fn lives(noun: &str) -> bool {
    let lemma = fissure_text::inflection::lemmas(&noun.to_lowercase(), "NNS").next().map(str::to_owned);
    let sense = wordnet::senses(lemma.as_deref().unwrap_or(&noun.to_lowercase()), Kind::Noun).next();
    sense.is_some_and(|sense| ["noun.person", "noun.animal"].contains(&sense.topic()))
        || is_any(noun, &["people", "couple", "couples", "crowd"])
}

/// Whether a noun is one of these, in the singular or plural.
fn is_one_of(noun: &str, of: &[&str]) -> bool {
    let small = noun.to_lowercase();
    of.contains(&&*small)
        || fissure_text::inflection::lemmas(&small, "NNS").next().is_some_and(|lemma| of.contains(&lemma))
}

/// A place of a text, beside all the texts of its pair.
struct Place<'t> {
    annotated: &'t Annotated,
    at: usize,
    texts: &'t [&'t Text],
}

impl Place<'_> {
    fn says(&self, words: &[&str]) -> bool {
        self.texts.iter().any(|text| is_any_in(text, words))
    }

    /// The word this number of tokens ahead, or back.
    fn word(&self, steps: isize) -> &str {
        self.at.checked_add_signed(steps).map_or("", |at| self.annotated.word(at))
    }

    fn penn(&self, steps: isize) -> Option<Penn> {
        self.annotated.penn(self.at.checked_add_signed(steps)?)
    }

    /// Whether one of the words stands among the next `most` tokens of the clause.
    fn follows(&self, most: isize, words: &[&str]) -> bool {
        (1..=most)
            .take_while(|step| !is_any(self.word(*step), &[".", ";", ":"]))
            .any(|step| is_any(self.word(step), words))
    }

    fn ends(&self) -> bool {
        let next = self.word(1);
        next.is_empty() || next.chars().all(|sign| sign.is_ascii_punctuation())
    }

    /// The last noun of the first run of words behind a verb that can be its object.
    fn object(&self) -> Option<&str> {
        let is_part = |step: &isize| {
            matches!(
                self.penn(*step),
                Some(
                    Penn::Dt
                        | Penn::PrpPoss
                        | Penn::Cd
                        | Penn::Jj
                        | Penn::Jjs
                        | Penn::Jjr
                        | Penn::Nn
                        | Penn::Nns
                        | Penn::Nnp
                        | Penn::Nnps
                        | Penn::Pos
                )
            ) || is_any(self.word(*step), &["%", "$"])
        };
        (1..12).take_while(is_part).last().map(|step| self.word(step))
    }

    fn noun(&self, lemma: &str) -> bool {
        let (before, next) = (self.word(-1), self.word(1));
        let plural = self.penn(0) == Some(Penn::Nns);
        let joined = matches!(self.penn(-1), Some(Penn::Nn | Penn::Nnp | Penn::Pos));
        match lemma {
            // `three days`, `the day after`, `last night`: which part of a day it was is not said.
            "day" | "night" => {
                !plural && before == "the" && is_any(self.word(-2), &["during", "through", "throughout"])
            }
            "morning" | "evening" => {
                let day = is_any(before, WEEKDAYS) || before == "this" || (before == "the" && self.word(-2) == "in");
                !plural && day && !is_any(next, &["after", "before", "when", "that", "of"])
            }
            "child" | "adult" => {
                let owned =
                    joined || matches!(self.penn(-1), Some(Penn::PrpPoss)) || is_any(next, &["'s", "'", "under"]);
                let aged = self.texts.iter().any(|text| text.contains("year-old") || text.contains(" years "));
                !owned && !aged && !self.says(FAMILY)
            }
            "success" | "failure" => (self.ends() && next != ",") || next == "in",
            "profit" | "loss" => {
                let sum = next == "of" && (self.word(2) == "$" || self.penn(2) == Some(Penn::Cd));
                let scored = self.penn(-1) == Some(Penn::Cd) || before.contains(|sign: char| sign.is_ascii_digit());
                !joined && !scored && (self.ends() || sum) && self.says(MONEY)
            }
            "victory" | "defeat" if is_any(before, &["straight", "consecutive"]) => false,
            "victory" | "defeat" => self.ends() || is_any(next, &["in", "at", "on"]),
            "increase" | "decrease" => {
                is_any(before, &["a", "an"])
                    && next == "in"
                    && !self.follows(8, &["over", "from", "to"])
                    && !self.moves_elsewhere()
            }
            "beginning" | "end" => {
                before == "the"
                    && next == "of"
                    && is_any(self.word(-2), &["at", "by", "since", "until", "near", "before"])
            }
            "son" | "daughter" | "father" | "mother" | "husband" | "wife" => next != "of",
            "summer" | "winter" => !self.says(WEATHER),
            _ => true,
        }
    }

    fn verb(&self, lemma: &str) -> bool {
        let next = self.word(1);
        let be = |step: isize| is_any(self.word(step), &["is", "are", "was", "were", "be", "been", "being"]);
        // `a failed coup`, `its fallen regime`
        let as_adjective = self.penn(0) == Some(Penn::Vbn)
            && !(be(-1)
                || be(-2)
                || is_any(self.word(-1), &["has", "have", "had"])
                || is_any(self.word(-2), &["has", "have", "had"]));
        if as_adjective {
            return false;
        }
        match lemma {
            "fail" | "succeed" => self.ends(),
            "win" | "lose" => {
                self.object().is_some_and(|object| is_one_of(object, CONTESTS)) && !self.follows(8, &["to"])
            }
            "gain" => self.object().is_some_and(|object| is_one_of(object, HELD)) && !self.moves_elsewhere(),
            "rise" | "fall" | "increase" | "decrease" | "strengthen" | "weaken" => {
                let posture = is_any(
                    next,
                    &[
                        "asleep", "off", "down", "over", "into", "onto", "on", "behind", "apart", "ill", "under",
                        "for", "from", "through", "out", "short", "up", "above",
                    ],
                );
                !posture && !self.follows(3, &["feet", "meters", "metres", "foot"]) && !self.moves_elsewhere()
            }
            "climb" | "descend" => {
                !is_any(self.word(-1), &["of", "for", "from", "by"]) && !self.says(&["percent", "points", "cents"])
            }
            "arrive" | "depart" => self.ends() || is_any(next, &["on", "early", "late", "yesterday", "today"]),
            "push" | "pull" => !self.follows(
                8,
                &[
                    "out", "off", "up", "down", "over", "into", "away", "from", "ahead", "back", "for", "through",
                    "in", "to",
                ],
            ),
            "buy" | "sell" => {
                let active = !be(-1) && self.penn(0) != Some(Penn::Vbn) && self.object().is_some();
                active && !self.follows(10, &["to", "from", "for", "by", "off", "out", "on", "own"])
            }
            // `stores stand mostly empty`, `stand trial`
            "stand" | "sit" => {
                let of = |step: isize| matches!(self.penn(step), Some(Penn::Nn | Penn::Nnp | Penn::Jj | Penn::Vbn));
                !(of(1) || self.penn(1) == Some(Penn::Rb) && of(2))
            }
            "remember" | "forget" => next != "to",
            "laugh" | "cry" => !is_any(next, &["at", "with", "for"]),
            _ => true,
        }
    }

    fn adjective(&self, lemma: &str) -> bool {
        let linked = |step: isize| {
            let at = self.at.checked_add_signed(step);
            at.is_some_and(|at| {
                LINKS.contains(&&*self.annotated.lemma(at)) || is_any(self.annotated.word(at), &["'s", "'re"])
            })
        };
        let said = linked(-1) || (self.penn(-1) == Some(Penn::Rb) && linked(-2));
        let noun = head(self.annotated, self.at).filter(|noun| !is_any(noun, &["yesterday", "today", "tomorrow"]));
        // `the open` is no quality of anything, and `30 km long` no judgement.
        if !said && noun.is_none()
            || matches!(self.penn(-1), Some(Penn::Cd)) && !self.word(1).is_empty() && lemma == "long"
        {
            return false;
        }
        // `Strong spokeswoman Ann Lee`: at the start of a sentence a thing without an article follows a name.
        let named = self.annotated.starts_sentence(self.at)
            && (self.at + 1..self.annotated.len())
                .any(|at| noun == Some(self.annotated.word(at)) && self.annotated.penn(at) == Some(Penn::Nn));
        if named {
            return false;
        }
        let of = |list: &[&str]| noun.is_some_and(|noun| is_one_of(noun, list));
        let measured =
            is_any(self.word(-1), &["years", "year", "months", "days", "weeks", ")", "feet", "meters", "km", "miles"]);
        match lemma {
            "old" | "young" => !measured && (said && self.ends() && noun.is_none() || noun.is_some_and(lives)),
            "long" | "short" | "tall" | "high" | "deep" | "wide" if measured => false,
            "tall" => noun.is_none_or(|noun| lives(noun) || is_one_of(noun, UPRIGHT)),
            "short" if noun.is_none() => !self.follows(2, &["of"]),
            "short" => !of(&["supply", "cut", "order", "notice", "story"]),
            "public" | "private" => of(SHARED),
            "full" | "empty" => of(CONTAINERS) || said && self.ends(),
            "deep" | "shallow" => of(WATERS) || said && self.ends(),
            "poor" | "rich" => noun.map_or(said && self.ends(), |noun| lives(noun) || is_one_of(noun, OWNERS)),
            "dead" | "alive" => noun.is_none() && said && !self.word(-1).is_empty(),
            "open" | "closed" => noun.map_or(said && self.ends(), |noun| is_one_of(noun, OPENING)),
            "dark" | "bright" => !of(&["day", "time", "year", "future", "side"]),
            "sick" | "healthy" => noun.map_or(said && self.ends(), lives),
            "positive" | "negative" => said && self.ends(),
            "higher" | "lower" => !self.moves_elsewhere(),
            "high" | "low" => {
                !of(&["school", "official", "ebb", "post", "court", "profile", "priority", "heel", "five", "chair"])
            }
            "illegal" | "legal" => {
                !of(&["alien", "immigrant", "immigration", "team", "guardian", "battle", "discharge"])
            }
            "male" | "female" => !self.texts.iter().any(|text| names_somebody(text)),
            _ => true,
        }
    }

    /// Whether another word says that something grows or shrinks.
    fn moves_elsewhere(&self) -> bool {
        let own = self.annotated.small(self.at);
        let others: Vec<&str> = DIRECTIONS.iter().copied().filter(|word| *word != own).collect();
        self.texts.iter().any(|text| is_any_in(text, &others))
    }
}
