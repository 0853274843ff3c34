//! Named suites: which parts of the catalog they take, by what the cards say. A part that lands later is in by itself.

use fissure_core::{Card, Entry, Expectation, Family, LabelKind, Language, Shape, Tag, TaskFacts, Transform, nearest};
use fissure_probes::{SLICES, TRANSFORMS};

use crate::{Error, Result};
use fissure_settings::{ChainConfig, Plain, SliceConfig};

/// A selection of parts that has a name.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    pub name: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    takes: fn(&Card, task: &TaskFacts) -> bool,
    /// At most this many parts of each family, the first of the catalog.
    of_each_family: usize,
    /// Whether the data are sliced too.
    slices: bool,
}

/// The suite whose attacks are run beside the run, as they are searches and no parts of the catalog.
pub const ATTACKS: &str = "attacks";

/// Every suite, the default one first.
pub const SUITES: &[Suite] = &[
    Suite {
        name: "default",
        summary: "everything that serves the task: universal parts, parts for the task, word salad, slices",
        takes: |card, task| card.is_universal() || is_destroyer(card) || is_for(card, task),
        of_each_family: usize::MAX,
        slices: true,
    },
    Suite {
        name: "quick",
        summary: "two parts of each family, and slices: a first look",
        takes: |card, task| (card.is_universal() || is_destroyer(card)) && card.serves(task) && card.needs.is_empty(),
        of_each_family: 2,
        slices: true,
    },
    Suite {
        name: "universal",
        summary: "the parts that serve every task",
        takes: |card, _| card.is_universal(),
        of_each_family: usize::MAX,
        slices: true,
    },
    Suite {
        name: "task",
        summary: "the parts that are made for the task",
        takes: is_for,
        of_each_family: usize::MAX,
        slices: false,
    },
    Suite {
        name: "all",
        summary: "the parts that are made for the task, and those that serve every task",
        takes: |card, task| card.is_universal() || is_for(card, task),
        of_each_family: usize::MAX,
        slices: false,
    },
    Suite {
        name: "pairs",
        summary: "each part that is made for the task, followed by a universal part of each family",
        takes: is_for,
        of_each_family: usize::MAX,
        slices: false,
    },
    Suite {
        name: "typos",
        summary: "slips of fingers, eyes and spelling",
        takes: |card, _| card.tags.contains(&Tag::Slip),
        of_each_family: usize::MAX,
        slices: false,
    },
    Suite {
        name: "word-salad",
        summary: "inputs that no longer mean anything: does the model notice?",
        takes: |card, _| is_destroyer(card),
        of_each_family: usize::MAX,
        slices: false,
    },
    Suite {
        name: "bias",
        summary: "the same texts about other people and places",
        takes: |card, _| is_bias(card),
        of_each_family: usize::MAX,
        slices: true,
    },
    Suite {
        name: ATTACKS,
        summary: "slices, and a cheap set of attacks on the first samples",
        takes: |_, _| false,
        of_each_family: 0,
        slices: true,
    },
];

/// The suite called `name`.
pub fn find(name: &str) -> Result<&'static Suite> {
    SUITES.iter().find(|suite| suite.name.eq_ignore_ascii_case(name)).ok_or_else(|| Error::NoSuite {
        name: name.into(),
        nearest: match nearest(name, SUITES.iter().map(|suite| suite.name)).as_slice() {
            // Parts and chains have a flag of their own.
            _ if name.split('+').all(|part| TRANSFORMS.find(part.trim()).is_ok()) => {
                format!(" (it is a transformation: --chains {name})")
            }
            [] => String::new(),
            near => format!(" (did you mean `{}`?)", near.join("` or `")),
        },
        known: SUITES.iter().map(|suite| suite.name).collect::<Vec<_>>().join(", "),
    })
}

/// The suites called `names`: one, or several with commas between them.
pub fn named(names: &str) -> Result<Vec<&'static Suite>> {
    names.split(',').map(|name| find(name.trim())).collect()
}

impl Suite {
    /// Its chains for a task.
    pub fn chains(&self, task: &TaskFacts) -> Vec<ChainConfig> {
        let mut taken: Vec<(Option<Family>, bool)> = Vec::new();
        let mut chains = Vec::new();
        for entry in TRANSFORMS.entries().filter(|entry| (self.takes)(&entry.card, task)) {
            let family = (entry.card.family, is_destroyer(&entry.card));
            if taken.iter().filter(|known| **known == family).count() >= self.of_each_family {
                continue;
            }
            taken.push(family);
            chains.extend(ways(entry));
        }
        if self.name == "pairs" {
            return paired(&chains, task);
        }
        chains
    }

    /// Its slices.
    pub fn slices(&self) -> Vec<SliceConfig> {
        let takes = |card: &Card| self.slices && (self.name != "bias" || is_bias(card));
        let entries = SLICES.entries().filter(|entry| takes(&entry.card));
        entries.map(|entry| SliceConfig::Name(entry.card.name.to_owned())).collect()
    }
}

/// Each chain followed by a universal part of each family that needs nothing and keeps labels: the first that knows the two
/// languages that parts are written for, or else the first that knows the one that most data are in.
fn paired(chains: &[ChainConfig], task: &TaskFacts) -> Vec<ChainConfig> {
    let fits = |card: &&Card| {
        let keeps = card.expects_on(task) == Expectation::Kept;
        card.is_universal() && card.serves(task) && card.needs.is_empty() && keeps
    };
    let all: Vec<&Card> = TRANSFORMS.entries().map(|entry| &entry.card).filter(fits).collect();
    let knows = |card: &Card, text: Language| card.languages.iter().any(|language| language.serves(text));
    let usual = if task.labels == LabelKind::Characters { Language::Chinese } else { Language::English };
    let both = all.iter().filter(|card| knows(card, Language::English) && knows(card, Language::Chinese));
    let mut universal: Vec<&Card> = Vec::new();
    for card in both.chain(all.iter().filter(|card| knows(card, usual))) {
        if !universal.iter().any(|known| known.family == card.family) {
            universal.push(card);
        }
    }
    universal.sort_by_key(|card| card.name);
    let names = chains.iter().map(|chain| match chain {
        ChainConfig::Name(name) | ChainConfig::Full { parts: name, .. } => name,
    });
    let pair = |name: &String| {
        universal.iter().map(|card| ChainConfig::Name(format!("{name}+{}", card.name))).collect::<Vec<_>>()
    };
    names.flat_map(pair).collect()
}

/// The part as it is; for prejudice every way it can go, because each is a question of its own.
fn ways(entry: &Entry<dyn Transform>) -> Vec<ChainConfig> {
    let name = entry.card.name;
    let choice = entry.knobs().into_iter().find_map(|knob| match knob.shape {
        Shape::Choice(names) => Some((knob.name, names)),
        _ => None,
    });
    match choice.filter(|_| is_bias(&entry.card)) {
        Some((knob, names)) => names
            .iter()
            .map(|way| ChainConfig::Full {
                parts: name.into(),
                variants: None,
                knobs: [(knob.to_owned(), Plain::Text((*way).into()))].into(),
            })
            .collect(),
        None => vec![ChainConfig::Name(name.to_owned())],
    }
}

/// A part that needs something which the task has.
fn is_for(card: &Card, task: &TaskFacts) -> bool {
    !card.is_universal() && card.serves(task) && !is_destroyer(card)
}

pub(crate) fn is_destroyer(card: &Card) -> bool {
    card.expectation == Some(Expectation::Destroyed)
}

/// Whether it changes whom a text is about.
pub(crate) fn is_bias(card: &Card) -> bool {
    card.tags.contains(&Tag::Bias)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(suite: &str, task: &str) -> Vec<String> {
        let name = |chain| match chain {
            ChainConfig::Name(name) | ChainConfig::Full { parts: name, .. } => name,
        };
        find(suite).unwrap().chains(&fissure_tasks::find(task).unwrap().facts).into_iter().map(name).collect()
    }

    #[test]
    fn suites_take_parts_by_their_cards() {
        let universal = names("universal", "sa");
        assert!(["typos", "word_case", "swap_num"].iter().all(|name| universal.iter().any(|known| known == name)));
        let typos = names("typos", "sa");
        assert!(typos.iter().any(|name| name == "keyboard") && !typos.iter().any(|name| name == "word_case"));
        assert!(names("default", "sa").len() >= universal.len());
        let quick = names("quick", "sa");
        assert!((3..=14).contains(&quick.len()), "{quick:?}");
        let salad = |name: &String| is_destroyer(&TRANSFORMS.find(name).unwrap().card);
        assert!(names("word-salad", "sm").iter().all(salad) && !universal.iter().any(salad));
        assert_eq!(
            named("quick, word-salad").unwrap().iter().map(|suite| suite.name).collect::<Vec<_>>(),
            ["quick", "word-salad"]
        );
        assert!(named("quick,slad").is_err());
        let said = find("qiuck").unwrap_err().to_string();
        assert!(said.contains("did you mean `quick`?") && said.contains("default, quick"), "{said}");
    }

    #[test]
    fn the_second_part_of_a_pair_knows_the_language_of_most_data() {
        for (task, language) in [("pos", Language::English), ("sa", Language::English), ("cws", Language::Chinese)] {
            let pairs = names("pairs", task);
            assert!(!pairs.is_empty(), "{task}");
            for pair in &pairs {
                let (_, second) = pair.split_once('+').unwrap();
                let card = &TRANSFORMS.find(second).unwrap().card;
                assert!(card.languages.iter().any(|known| known.serves(language)), "{task}: {pair}");
            }
        }
    }
}
