//! What the tasks with texts and a class share.

use serde_json::Value;

use super::draft::Draft;
use super::page::Page;
use crate::Fault;

/// Every text role a field, the role `label` the class.
pub(super) fn read(draft: &mut Draft) -> Result<(), Fault> {
    for role in draft.layout().fields() {
        draft.text(role)?;
    }
    draft.label("label")
}

pub(super) fn write(page: &Page<'_>, role: &'static str, form: &'static str) -> Value {
    match role {
        "label" => page.label(),
        text => page.text(text, form),
    }
}
