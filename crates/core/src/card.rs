//! Cards: what every part says about itself. Lists, help, forms, schemas and reference docs read this and nothing else.

use serde::{Deserialize, Serialize};

use crate::{Does, Example, Has, Language};

/// The one description of a part.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Card {
    /// The file's stem: `swap_num.rs` is `swap_num` everywhere.
    pub name: &'static str,
    pub kind: Kind,
    /// What it does, as written above it in the code; the first paragraph is the summary.
    #[serde(serialize_with = "trimmed")]
    pub docs: &'static str,
    pub level: Option<Level>,
    pub family: Option<Family>,
    pub expectation: Option<Expectation>,
    /// What else is to be expected of tasks that have something; the first that fits.
    pub expectation_if: &'static [(Has, Expectation)],
    /// What suites and reports group it by, besides its family.
    pub tags: &'static [Tag],
    /// Knobs that change the promise, on every task: `(knob, value, expectation)`.
    #[serde(skip)]
    pub expectation_with: &'static [(&'static str, &'static str, Expectation)],
    /// Whether it renames what texts speak of. Then a closed text of a sample (a question) follows the open ones, and
    /// nothing else in it changes; any other part leaves closed texts alone.
    pub renames: bool,
    /// Closed texts that it is made to edit, by the names of their fields.
    pub opens: &'static [&'static str],
    /// The languages of the texts that it works on; any other text is left alone, with the reason.
    pub languages: &'static [Language],
    /// What it does to words; empty if words only change one for one.
    pub does: &'static [Does],
    /// What a task must have for it.
    pub requires: &'static [Has],
    pub needs: &'static [Need],
    /// Other spellings users know it by.
    pub aliases: &'static [&'static str],
    /// Knobs it had once, each with what replaces it: a setting of one is refused with that sentence.
    #[serde(skip)]
    pub retired: &'static [(&'static str, &'static str)],
    pub citation: Option<&'static str>,
    pub human: Option<HumanScores>,
    pub examples: &'static [Example],
    /// Further facts that a kind of its own has (a task's fields, a reader's endings), as `(what, value)`.
    pub facts: &'static [(&'static str, &'static str)],
    pub file: &'static str,
    pub line: u32,
}

/// The kinds of parts, each with a list of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Transform,
    /// A transformation after which no label is right.
    Destroyer,
    Slice,
    Validator,
    Reader,
    Task,
    /// A recipe that puts the next four together.
    Attack,
    Goal,
    /// Where an attack takes candidates from.
    Source,
    Constraint,
    Search,
}

/// What a part looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Character,
    Word,
    Sentence,
}

/// The branch of linguistics it draws on, as in the TextFlint paper; report rows are grouped by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    Morphology,
    Paradigmatic,
    Syntax,
    Pragmatics,
    Model,
}

/// What a change does to the right answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// The gold label still holds.
    Kept,
    /// The gold label flips into its opposite.
    Flipped,
    /// The part sets the new gold labels itself: the changed sample's own labels are right.
    Relabelled,
    /// It may or may not hold: look at the model's answers, not at the score.
    Unsure,
    /// No label is right any more.
    Destroyed,
}

/// What is special about a part, for those who choose or measure parts: they never look at names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// A slip of a finger, an eye or of spelling.
    Slip,
    /// Changes whom a text is about: a fair model answers alike. Each of its choices is a question of its own.
    Bias,
    /// Writes one text of a pair over the other.
    Copies,
}

/// What a part needs besides the sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    LanguageModel,
    Translator,
    TokenImportance,
    TrainingData,
    SentenceEncoder,
    /// Other samples to take words from.
    Donors,
    /// How the file spells the senses of its classes.
    LabelSenses,
}

/// How people judged originals and changed texts, 1 to 5, as published; the means over the paper's raters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HumanScores {
    /// (original, changed)
    pub plausibility: (f32, f32),
    /// (original, changed)
    pub grammaticality: (f32, f32),
}

impl Card {
    /// A card with a name and docs, and nothing said about the rest.
    pub const fn new(kind: Kind, name: &'static str, docs: &'static str, file: &'static str, line: u32) -> Self {
        Self {
            name,
            kind,
            docs,
            level: None,
            family: None,
            expectation: None,
            expectation_if: &[],
            tags: &[],
            expectation_with: &[],
            renames: false,
            opens: &[],
            languages: &[Language::Any],
            does: &[],
            requires: &[],
            needs: &[],
            aliases: &[],
            retired: &[],
            citation: None,
            human: None,
            examples: &[],
            facts: &[],
            file,
            line,
        }
    }

    /// The first paragraph of the docs, on one line: what lists show.
    pub fn summary(&self) -> String {
        let first = self.docs.trim().split("\n\n").next().unwrap_or("");
        // Doc comments keep the space after the slashes, and a blank doc line is a line with nothing.
        first.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The docs without the space that every doc comment line starts with.
    pub fn text(&self) -> String {
        let lines: Vec<&str> =
            self.docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
        lines.join("\n").trim().to_owned()
    }
}

impl Kind {
    pub const ALL: &'static [Self] = &[
        Self::Transform,
        Self::Destroyer,
        Self::Slice,
        Self::Validator,
        Self::Reader,
        Self::Task,
        Self::Attack,
        Self::Goal,
        Self::Source,
        Self::Constraint,
        Self::Search,
    ];

    /// Several of them, for headings and file names.
    pub fn plural(self) -> String {
        if self == Self::Search { "searches".into() } else { format!("{}s", self.name()) }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::Destroyer => "destroyer",
            Self::Slice => "slice",
            Self::Validator => "validator",
            Self::Reader => "reader",
            Self::Task => "task",
            Self::Attack => "attack",
            Self::Goal => "goal",
            Self::Source => "source",
            Self::Constraint => "constraint",
            Self::Search => "search",
        }
    }
}

impl Expectation {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Flipped => "flipped",
            Self::Relabelled => "relabelled",
            Self::Unsure => "unsure",
            Self::Destroyed => "destroyed",
        }
    }

    /// Whether the label that a changed sample has is right for it.
    pub const fn label_is_right(self) -> bool {
        matches!(self, Self::Kept | Self::Relabelled)
    }

    /// What holds of a label after two changes.
    pub const fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Destroyed, _) | (_, Self::Destroyed) => Self::Destroyed,
            (Self::Kept, other) | (other, Self::Kept) => other,
            // Each part reads the labels that the one before it set.
            (Self::Relabelled, Self::Relabelled) => Self::Relabelled,
            // Twice flipped is not back where it was: two antonyms in one sentence need not undo each other.
            _ => Self::Unsure,
        }
    }
}

/// `fissure_probes::transforms::keyboard` is `keyboard`.
pub const fn last_segment(path: &'static str) -> &'static str {
    let bytes = path.as_bytes();
    let mut at = bytes.len();
    while at > 0 && bytes[at - 1] != b':' {
        at -= 1;
    }
    path.split_at(at).1
}

fn trimmed<S: serde::Serializer>(docs: &str, to: S) -> Result<S::Ok, S::Error> {
    let lines: Vec<&str> = docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    to.serialize_str(lines.join("\n").trim())
}

/// Declares a part: its docs, its knobs, its card and its examples, in one place. See [`transform!`](crate::transform).
#[macro_export]
macro_rules! part {
    (
        trait $Trait:ident, kind $kind:ident;
        $(#[doc = $doc:literal])+
        $vis:vis struct $Name:ident { $($knobs:tt)* }
        card: { $( $key:ident : $value:expr ),* $(,)? }
        examples: [ $( $( { $($set:ident = $to:literal),+ } )? $before:literal => $after:literal ),* $(,)? ]
    ) => {
        $crate::knobs! {
            $(#[doc = $doc])+
            $vis struct $Name { $($knobs)* }
        }

        #[allow(unused_imports)]
        pub(crate) static ENTRY: $crate::Entry<dyn $crate::$Trait> = {
            use $crate::{Does::*, Expectation::*, Family::*, Has, HumanScores, Language::*, Level::*, Need::*, Sense, Tag, layer};
            $crate::Entry::new(
                $crate::Card {
                    $( $key: $value, )*
                    examples: &[ $( $crate::Example {
                        settings: &[ $( $( (stringify!($set), $to) ),+ )? ],
                        before: $before,
                        after: $after,
                    }, )* ],
                    ..$crate::Card::new(
                        $crate::Kind::$kind,
                        $crate::last_segment(module_path!()),
                        concat!($($doc, "\n"),+),
                        file!(),
                        line!(),
                    )
                },
                <$Name as $crate::Knobs>::cards,
                |settings| {
                    let part = <$Name as $crate::Knobs>::with($crate::last_segment(module_path!()), settings)?;
                    let values = $crate::Knobs::values(&part);
                    Ok((Box::new(part), values))
                },
            )
        };
    };
}

/// Declares a transformation.
///
/// ```
/// mod shout {
///     use fissure_core::{Dice, Edit, EditText, Proposal, Text, transform};
///
///     transform! {
///         /// Puts exclamation marks at the end.
///         pub struct Shout {
///             /// How many.
///             count: usize = 1, in 0..=9;
///         }
///         card: { level: Some(Sentence), family: Some(Pragmatics), expectation: Some(Kept) }
///         examples: ["Stop" => "Stop!", { count = "3" } "Stop" => "Stop!!!"]
///     }
///
///     impl EditText for Shout {
///         fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
///             Ok(vec![Edit::insert(text.len(), "!".repeat(self.count))])
///         }
///     }
/// }
/// ```
#[macro_export]
macro_rules! transform {
    ($($body:tt)*) => { $crate::part! { trait Transform, kind Transform; $($body)* } };
}

/// Declares a destroyer, as [`transform!`](crate::transform) declares a transformation.
#[macro_export]
macro_rules! destroyer {
    ($($body:tt)*) => { $crate::part! { trait Transform, kind Destroyer; $($body)* } };
}

/// Declares a slice, as [`transform!`](crate::transform) declares a transformation.
#[macro_export]
macro_rules! slice {
    ($($body:tt)*) => { $crate::part! { trait Slice, kind Slice; $($body)* } };
}

/// Declares a validator, as [`transform!`](crate::transform) declares a transformation; its examples show a text, what
/// it became behind ` => `, and the score.
#[macro_export]
macro_rules! validator {
    ($($body:tt)*) => { $crate::part! { trait Validator, kind Validator; $($body)* } };
}
