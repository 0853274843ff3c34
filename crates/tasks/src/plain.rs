//! What the tasks with texts and a class share.

use fissure_core::Column;
use serde_json::Value;

use crate::Fault;
use crate::row_builder::RowBuilder;
use crate::sample_builder::SampleBuilder;

/// Every text role a field, the role `label` the class.
pub(crate) fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    for role in sample_builder.task().fields() {
        sample_builder.text(role)?;
    }
    sample_builder.label("label")
}

pub(crate) fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    match column.role {
        "label" => row_builder.label(),
        _ => row_builder.text(column),
    }
}
