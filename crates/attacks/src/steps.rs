//! An attack step by step, for those who want to follow it.

use crate::RecordEdit;

/// A text that brought the goal nearer.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The edits of the original that make the text.
    pub edits: Vec<RecordEdit>,
    /// The fields of the text, by name, in order.
    pub texts: Vec<(String, String)>,
    /// What the model says, and how likely the right label is to it.
    pub label: String,
    pub p_gold: f64,
    /// How many questions had been asked by then, and how many texts were tried since the step before.
    pub questions: usize,
    pub tried: usize,
}
