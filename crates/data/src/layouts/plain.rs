//! What the tasks with texts and a class share.

use fissure_core::Column;
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

pub(super) fn write(page: &Page<'_>, column: &Column) -> Value {
    match column.role {
        "label" => page.label(),
        _ => page.text(column),
    }
}
