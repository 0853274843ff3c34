//! What parts may know about a task: how its samples are labelled, never its name.
//!
//! A card says what a part does to words ([`Does`]) and what a sample must have for it ([`Has`]); a task states its
//! [`TaskFacts`]. Whether a part serves a task is computed from the two, so a new task needs no change to any part.

use serde::Serialize;

use crate::{Card, Expectation, Kind, Language, Level, Sense};

/// How the samples of a task are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TaskFacts {
    pub name: &'static str,
    pub texts: Texts,
    pub labels: LabelKind,
    /// The layers of marks that its samples have.
    pub layers: &'static [&'static str],
    /// What its classes can mean; empty if they can mean anything.
    pub senses: &'static [Sense],
}

/// The texts of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Texts {
    One,
    /// Two texts, and the label says how they relate.
    Pair,
    /// A passage, and a question about it.
    Passage,
    /// A text, and its translation, which is what a model answers.
    Translation,
}

/// What carries the labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelKind {
    /// The sample as a whole.
    Class,
    /// The sample as a whole, about marked words (the arguments of a relation).
    ClassOfMarks,
    /// Marked words; no other word matters (aspects, answers).
    Marks,
    /// Names among the tokens; every other token is outside (`O`).
    Chunks,
    /// Every token.
    Tokens,
    /// Every token, by what it depends on: one tree over the whole sentence.
    Tree,
    /// Mentions, by what they refer to.
    Clusters,
    /// Every character: where words begin and end.
    Characters,
    /// Another text, which a model writes.
    Text,
}

/// What a part does to words, as far as labels could suffer from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Does {
    /// Adds words that name nothing and refer to nothing, without labels of their own.
    AddsWords,
    /// Adds sentences that name nothing and refer to nothing, with tags for their words if the others have them.
    AddsTaggedSentences,
    /// Adds words that name nothing and refer to nothing, with a tag and a head if the others have them.
    AddsLabelledWords,
    /// Adds whole samples, with all their labels.
    JoinsSamples,
    /// Adds or rewrites words of any kind, or joins and splits tokens, without labels of their own.
    Rewrites,
}

/// What a task can have. Parts that need something say so on their card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Has {
    /// A class for the texts as a whole, about nothing in particular in them.
    Class,
    /// Two texts that are compared.
    Pair,
    /// More than one text.
    SeveralTexts,
    /// Marks of a layer.
    Layer(&'static str),
    /// A tag on every token.
    Tags,
    /// A tag on every character that says where words begin and end.
    Boundaries,
    /// A text and its translation.
    Translation,
    /// A class with this meaning.
    Sense(Sense),
}

impl TaskFacts {
    /// Whether the task has something.
    pub fn has(&self, what: Has) -> bool {
        match what {
            Has::Class => self.labels == LabelKind::Class,
            Has::Pair => self.texts == Texts::Pair,
            Has::SeveralTexts => self.texts != Texts::One,
            Has::Layer(layer) => self.layers.contains(&layer),
            Has::Tags => self.labels == LabelKind::Tokens,
            Has::Boundaries => self.labels == LabelKind::Characters,
            Has::Translation => self.texts == Texts::Translation,
            Has::Sense(sense) => self.senses.contains(&sense),
        }
    }

    /// Whether a sample has a class.
    pub fn has_class(&self) -> bool {
        matches!(self.labels, LabelKind::Class | LabelKind::ClassOfMarks)
    }

    /// Whether labels survive what a part does to words.
    fn bears(&self, does: Does) -> bool {
        match self.labels {
            // What holds of a sample need not hold of two.
            LabelKind::Class | LabelKind::ClassOfMarks | LabelKind::Marks => does != Does::JoinsSamples,
            LabelKind::Chunks | LabelKind::Clusters => does != Does::Rewrites,
            LabelKind::Tokens => !matches!(does, Does::AddsWords | Does::Rewrites),
            LabelKind::Tree => does == Does::AddsLabelledWords,
            LabelKind::Characters => false,
            // A translation says what the text says, and what is added to one is missing in the other.
            LabelKind::Text => false,
        }
    }
}

impl Has {
    /// What is there, in words: `needs ...`.
    fn in_words(self) -> String {
        match self {
            Self::Class => "a class for the text as a whole".into(),
            Self::Pair => "two texts that are compared".into(),
            Self::SeveralTexts => "more than one text".into(),
            Self::Layer(layer) => format!("marks of the layer `{layer}`"),
            Self::Tags => "a tag on every token".into(),
            Self::Boundaries => "a tag on every character that says where words begin and end".into(),
            Self::Translation => "a text and its translation".into(),
            Self::Sense(sense) => format!("a class that means `{sense}`"),
        }
    }
}

impl Card {
    /// Whether the part serves a task.
    pub fn serves(&self, task: &TaskFacts) -> bool {
        self.refuses(task).is_none()
    }

    /// Why the part does not serve a task, as the end of a sentence about the part.
    pub fn refuses(&self, task: &TaskFacts) -> Option<String> {
        if let Some(missing) = self.requires.iter().find(|required| !task.has(**required)) {
            return Some(format!("needs {}", missing.in_words()));
        }
        let edits = matches!(self.kind, Kind::Transform | Kind::Destroyer);
        if edits && task.labels == LabelKind::Characters && !self.languages.contains(&Language::Chinese) {
            return Some("changes words between spaces, and the labels are on characters".into());
        }
        let cuts = self.level == Some(Level::Word) && !self.requires.contains(&Has::Boundaries);
        if edits && task.labels == LabelKind::Characters && cuts {
            return Some("changes words as it finds them, and the labels say what the words are".into());
        }
        let unborne = self.does.iter().find(|does| !task.bears(**does))?;
        let does = match unborne {
            Does::AddsWords | Does::AddsLabelledWords => "adds words",
            Does::AddsTaggedSentences => "adds sentences",
            Does::JoinsSamples => "joins samples",
            Does::Rewrites => "adds, joins or splits words",
        };
        let why = match task.labels {
            LabelKind::Class | LabelKind::ClassOfMarks | LabelKind::Marks => "the label of both together is not known",
            LabelKind::Tree => "a sentence has one tree",
            LabelKind::Clusters => "mentions would be missing labels",
            LabelKind::Chunks => "names among them would be missing labels",
            LabelKind::Text => "the translation would miss them",
            _ => "every word needs a label",
        };
        Some(format!("{does}, and {why}"))
    }

    /// What the part does to the right answer of a task.
    pub fn expects_on(&self, task: &TaskFacts) -> Expectation {
        let on_this = self.expectation_if.iter().find(|(has, _)| task.has(*has)).map(|(_, expectation)| *expectation);
        on_this.or(self.expectation).unwrap_or(Expectation::Unsure)
    }

    /// Whether the part serves every task whose labels bear what it does, and is not made for particular ones.
    pub fn is_universal(&self) -> bool {
        self.requires.is_empty() && self.kind != Kind::Destroyer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer;

    const PAIR: TaskFacts = TaskFacts {
        name: "pair",
        texts: Texts::Pair,
        labels: LabelKind::Class,
        layers: &[],
        senses: &[Sense::Same, Sense::Different],
    };
    const NAMES: TaskFacts = TaskFacts {
        name: "names",
        texts: Texts::One,
        labels: LabelKind::Chunks,
        layers: &[layer::TOKEN, layer::ENTITY],
        senses: &[],
    };
    const TAGS: TaskFacts = TaskFacts { name: "tags", labels: LabelKind::Tokens, layers: &[layer::TOKEN], ..NAMES };
    const CHARACTERS: TaskFacts = TaskFacts { name: "characters", labels: LabelKind::Characters, ..TAGS };

    fn card() -> Card {
        Card::new(Kind::Transform, "part", "Does something.", "part.rs", 1)
    }

    fn served(card: Card) -> [bool; 4] {
        [PAIR, NAMES, TAGS, CHARACTERS].map(|task| card.serves(&task))
    }

    #[test]
    fn serving_follows_from_what_a_part_does_and_needs() {
        assert_eq!(served(card()), [true, true, true, false]);
        assert_eq!(served(Card { languages: &[Language::Chinese], ..card() }), [true, true, true, true]);
        assert_eq!(served(Card { does: &[Does::AddsWords], ..card() }), [true, true, false, false]);
        assert_eq!(served(Card { does: &[Does::AddsTaggedSentences], ..card() }), [true, true, true, false]);
        assert_eq!(served(Card { does: &[Does::AddsLabelledWords], ..card() }), [true, true, true, false]);
        let tree = TaskFacts { labels: LabelKind::Tree, ..TAGS };
        assert!(Card { does: &[Does::AddsLabelledWords], ..card() }.serves(&tree));
        let sentences = Card { does: &[Does::AddsTaggedSentences], ..card() };
        assert_eq!(sentences.refuses(&tree).as_deref(), Some("adds sentences, and a sentence has one tree"));
        assert_eq!(served(Card { does: &[Does::Rewrites], ..card() }), [true, false, false, false]);
        assert_eq!(served(Card { does: &[Does::JoinsSamples], ..card() }), [false, true, true, false]);
        assert_eq!(served(Card { requires: &[Has::Pair], ..card() }), [true, false, false, false]);
        assert_eq!(served(Card { requires: &[Has::Layer(layer::ENTITY)], ..card() }), [false, true, false, false]);
        assert_eq!(served(Card { kind: Kind::Slice, ..card() }), [true; 4]);
    }

    #[test]
    fn a_refusal_says_why() {
        let rewrites = Card { does: &[Does::Rewrites], ..card() };
        let why = "adds, joins or splits words, and every word needs a label";
        assert_eq!(rewrites.refuses(&TAGS).as_deref(), Some(why));
        let pair = Card { requires: &[Has::Pair], ..card() };
        assert_eq!(pair.refuses(&TAGS).as_deref(), Some("needs two texts that are compared"));
    }

    #[test]
    fn an_expectation_follows_from_what_the_task_has() {
        let turns = [(Has::Sense(Sense::Same), Expectation::Flipped)];
        let card = Card { expectation: Some(Expectation::Kept), ..card() };
        assert_eq!(card.expects_on(&PAIR), Expectation::Kept);
        let card = Card { expectation_if: Box::leak(Box::new(turns)), ..card };
        assert_eq!((card.expects_on(&PAIR), card.expects_on(&NAMES)), (Expectation::Flipped, Expectation::Kept));
    }
}
