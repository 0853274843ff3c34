//! The errors of this crate. Each error names the thing, the value and the next step.

use crate::knobs::suggestions;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("there is no {kind} called `{name}`{nearest} `fissure list {}` shows all", listed_with(kind))]
    UnknownName { kind: &'static str, name: String, nearest: String },
    #[error("{kind} `{name}` {why}")]
    Absent { kind: &'static str, name: &'static str, why: &'static str },
    #[error("`{part}` has no knob `{knob}`{nearest} `fissure explain {part}` shows its knobs")]
    UnknownKnob { part: String, knob: String, nearest: String },
    #[error("`{part}` no longer has the knob `{knob}`: {instead}")]
    RetiredKnob { part: &'static str, knob: &'static str, instead: &'static str },
    #[error("there is a {kind} called `{name}` already; give the new one another name")]
    NameTaken { kind: &'static str, name: String },
    #[error("knob `{knob}` of `{part}` cannot be `{value}`: it takes {wanted}")]
    KnobValue { part: String, knob: &'static str, value: String, wanted: String },
    #[error("`{text}` is not a threshold: write NAME>=NUMBER with a number from 0 to 1, such as `edit_distance>=0.7`")]
    Threshold { text: String },
    #[error("`--keep {keep}` cannot be measured: {advice}")]
    KeepNeeds { keep: String, advice: &'static str },
    #[error(transparent)]
    Where(#[from] crate::FilterError),
}

/// The list that has the names of a kind. The parts of attacks are listed with the attacks.
fn listed_with(kind: &str) -> String {
    match kind {
        "goal" | "source" | "constraint" | "search" => "attacks".into(),
        kind => format!("{kind}s"),
    }
}

impl Error {
    /// No `kind` is called `name`; the nearest of the `known` names are offered.
    pub fn unknown_name(kind: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Self::UnknownName { kind, name: name.into(), nearest: suggestions(name, known) }
    }

    pub(crate) fn unknown_knob(part: &str, knob: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Self::UnknownKnob { part: part.into(), knob: knob.into(), nearest: suggestions(knob, known) }
    }
}
