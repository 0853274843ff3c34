//! What a part would do to a sample: edits of its texts, and what it knows about the new labels.

use crate::{Edit, Label};

/// The change that a part proposes. Most parts propose edits and nothing else; those convert with `.into()`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// The edits, for each field in order of place and without overlap; none if there is nothing to do.
    pub edits: Vec<Edit>,
    /// The class that is right now, spelled as the file spells it; `None` if the class stays.
    pub label: Option<Label>,
    /// Marks, by index, that get another value; with `None` the mark goes although its words stay.
    pub values: Vec<(usize, Option<String>)>,
    /// The marks on trial, by index: metrics over marks count only these, before and after. Empty for all.
    pub focus: Vec<usize>,
}

impl Change {
    /// Whether nothing would be changed.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.label.is_none() && self.values.is_empty()
    }

    /// The same change, after which `label` is the right class.
    pub fn with_label(self, label: Label) -> Self {
        Self { label: Some(label), ..self }
    }

    /// The same change, after which mark number `mark` has `value`.
    pub fn with_value(mut self, mark: usize, value: impl Into<String>) -> Self {
        self.values.push((mark, Some(value.into())));
        self
    }

    /// The same change without mark number `mark`, whose words stay.
    pub fn without_mark(mut self, mark: usize) -> Self {
        self.values.push((mark, None));
        self
    }

    /// The same change, of which only these marks are on trial.
    pub fn on_trial(self, focus: Vec<usize>) -> Self {
        Self { focus, ..self }
    }
}

impl From<Vec<Edit>> for Change {
    fn from(edits: Vec<Edit>) -> Self {
        Self { edits, ..Self::default() }
    }
}

impl From<Edit> for Change {
    fn from(edit: Edit) -> Self {
        vec![edit].into()
    }
}
