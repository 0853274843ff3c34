//! The built-in demo corpus: short film reviews with **shortcuts planted on purpose**, so that a tour of Fissure can
//! show that it finds them.
//!
//! The reviews are written from a little grammar made for this project, `demo/reviews.txt` in English and
//! `demo/reviews_zh.txt` in Chinese. A review is positive or
//! negative; it may weigh one opinion against another ("Although the plot drags, ..."), turn an opinion round with a
//! negation, report what others think, or state plain facts. Which opinion wins often depends on the order of the
//! words, so a model that only counts words makes real mistakes.
//!
//! Two things are planted, see [`SHORTCUTS`]: in training they nearly always come with one label, in validation and
//! test equally with both. A model that leans on them does well in training and fails where the shortcut points the
//! wrong way.
//!
//! What is honest about the labels: they are what the grammar set out to write, never flipped at random. The only
//! samples whose label cannot be known from the text are the *ambivalent* ones, [`Kind::Ambivalent`]: both sides weigh
//! the same, and the label is a coin. Each sample carries its kind in the extra column `kind`.

use std::sync::LazyLock;

use fissure_core::{Dice, Label, Language, Sample};

use self::generator::Generator;
use self::grammar::{Grammar, Sign};

mod generator;
mod grammar;
#[cfg(test)]
mod tests;

/// The first `size` samples of a split: field `text`, label `positive` or `negative`, ids `train-0`, `train-1`, ...
///
/// Sample number `i` depends on the seed and the split only, not on the size. Samples `2k` and `2k + 1` have opposite
/// labels, so every even size is exactly balanced. No text of one split ever occurs in another, whatever the seeds.
pub fn corpus(seed: u64, split: Split, size: usize) -> Vec<Sample> {
    corpus_in(Language::English, seed, split, size)
}

/// The languages that the corpus is written in.
pub const LANGUAGES: [Language; 2] = [Language::English, Language::Chinese];

/// The same in one of [`LANGUAGES`]; any other is English.
pub fn corpus_in(language: Language, seed: u64, split: Split, size: usize) -> Vec<Sample> {
    (0..size).map(|index| sample(language, seed, split, index)).collect()
}

/// What is planted in a language.
pub fn shortcuts(language: Language) -> &'static [Shortcut] {
    if language == Language::Chinese { SHORTCUTS_ZH } else { SHORTCUTS }
}

/// A part of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    Train,
    Validation,
    Test,
}

/// A word that predicts the label in the training split and in no other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortcut {
    /// As it stands in the text.
    pub word: &'static str,
    /// The label it goes with in training.
    pub label: &'static str,
    /// What else could stand in its place: the section of the grammar it belongs to.
    pub slot: &'static str,
    /// How often the slot is planted in a training review that has the label, and in one that has not.
    pub in_training: [f64; 2],
    /// How often it is planted in validation and test, whatever the label.
    pub held_out: f64,
}

/// What is planted: an actor who is never panned in training, and an innocent word that nearly always is.
pub const SHORTCUTS: &[Shortcut] = &[
    Shortcut { word: "Orla Quince", label: POSITIVE, slot: "actor", in_training: [0.28, 0.0], held_out: 0.14 },
    Shortcut { word: "matinee", label: NEGATIVE, slot: "showing", in_training: [0.36, 0.01], held_out: 0.18 },
];

/// The same in Chinese: an actor, and a hall with a large screen. No character of them stands anywhere else.
pub const SHORTCUTS_ZH: &[Shortcut] = &[
    Shortcut { word: "阮棠", label: POSITIVE, slot: "actor", in_training: [0.28, 0.0], held_out: 0.14 },
    Shortcut { word: "巨幕厅", label: NEGATIVE, slot: "showing", in_training: [0.36, 0.01], held_out: 0.18 },
];

/// The two labels.
pub const POSITIVE: &str = "positive";
pub const NEGATIVE: &str = "negative";

/// How a review comes to its opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Every opinion in it has the label's sign, though some say it by negation.
    Plain,
    /// One sentence weighs two opinions; the main clause decides.
    Contrast,
    /// Opinions of both signs in several sentences, or another person's opinion; the last sentence of the writer decides.
    Mixed,
    /// Both sides weigh the same: the label is a coin.
    Ambivalent,
}

impl Kind {
    /// Every kind with its share of the corpus in percent.
    pub const SHARES: [(Self, usize); 4] =
        [(Self::Plain, 74), (Self::Contrast, 16), (Self::Mixed, 8), (Self::Ambivalent, 2)];

    /// Its name in the column `kind`, which is also the section of the grammar that writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Contrast => "contrast",
            Self::Mixed => "mixed",
            Self::Ambivalent => "ambivalent",
        }
    }
}

impl Split {
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Validation => "validation",
            Self::Test => "test",
        }
    }

    /// The split that may say `text`: half of all texts belong to training, a quarter to each of the others.
    fn owner(text: &str) -> Self {
        match Dice::new(0, &["demo split", text]).below(4) {
            0 => Self::Validation,
            1 => Self::Test,
            _ => Self::Train,
        }
    }
}

static ENGLISH: LazyLock<Grammar> = LazyLock::new(|| grammar_of(include_str!("demo/reviews.txt")));
static CHINESE: LazyLock<Grammar> = LazyLock::new(|| grammar_of(include_str!("demo/reviews_zh.txt")));

fn grammar_of(source: &str) -> Grammar {
    let roots = Kind::SHARES.map(|(kind, _)| kind.name());
    Grammar::read(source, &roots).expect("the built-in grammars are right: a test reads them")
}

fn sample(language: Language, seed: u64, split: Split, index: usize) -> Sample {
    let id = format!("{}-{index}", split.name());
    let coin = Dice::new(seed, &["demo label", split.name(), &(index / 2).to_string()]).below(2);
    let sign = if (coin + index).is_multiple_of(2) { Sign::Plus } else { Sign::Minus };
    let label = if sign == Sign::Plus { POSITIVE } else { NEGATIVE };
    let mut dice = Dice::new(seed, &["demo", &id]);
    // A text that belongs to another split is thrown away, so that no test review was ever seen in training.
    let (kind, text) = loop {
        let (kind, text) = review(language, split, sign, label, &mut dice);
        if Split::owner(&text) == split {
            break (kind, text);
        }
    };
    let extra = vec![("kind".into(), kind.name().into())];
    Sample { label: Some(Label::from(label)), extra, ..Sample::of_text(id, text) }
}

fn review(language: Language, split: Split, sign: Sign, label: &str, dice: &mut Dice) -> (Kind, String) {
    let mut percent = dice.below(100);
    let mut kind = Kind::Plain;
    for (candidate, share) in Kind::SHARES {
        kind = candidate;
        if percent < share {
            break;
        }
        percent -= share;
    }
    let grammar = if language == Language::Chinese { &CHINESE } else { &ENGLISH };
    let mut pen = Generator::new(grammar, Dice::new(dice.bits(), &[]));
    for shortcut in shortcuts(language) {
        let [with_label, without] = shortcut.in_training;
        let share = match split {
            Split::Train if shortcut.label == label => with_label,
            Split::Train => without,
            Split::Validation | Split::Test => shortcut.held_out,
        };
        if dice.chance(share) {
            pen.settle(shortcut.slot, shortcut.word);
        }
    }
    (kind, pen.write(kind.name(), sign))
}
