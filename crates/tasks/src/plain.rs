//! What the tasks with texts and a class share.

use fissure_core::Column;
use serde_json::Value;

use crate::Fault;
use crate::incoming::Incoming;
use crate::outgoing::Outgoing;

/// Every text role a field, the role `label` the class.
pub(crate) fn read(incoming: &mut Incoming) -> Result<(), Fault> {
    for role in incoming.task().fields() {
        incoming.text(role)?;
    }
    incoming.label("label")
}

pub(crate) fn write(outgoing: &Outgoing<'_>, column: &Column) -> Value {
    match column.role {
        "label" => outgoing.label(),
        _ => outgoing.text(column),
    }
}
