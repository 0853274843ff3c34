//! A sample on its way back into a row.

use fissure_core::{Column, Sample};
use serde_json::Value;

use super::Layout;
use super::draft::{COLUMN, JOINED};
use crate::Row;

/// What a layout's writing works on.
pub(crate) struct Page<'a> {
    pub sample: &'a Sample,
    /// The column to be written.
    pub column: &'a str,
}

/// The sample as a row, in the shape it came in.
pub(super) fn row(layout: &Layout, sample: &Sample) -> Row {
    let mut row = Row::default();
    // Columns without a role are taken in their order: names may repeat.
    let mut others: Vec<_> = sample.extra.iter().map(Some).collect();
    let mut put = |row: &mut Row, column: &Column| {
        if column.role.is_empty() {
            let found = others.iter_mut().find(|other| other.is_some_and(|(name, _)| *name == column.name));
            if let Some((_, value)) = found.and_then(Option::take) {
                row.0.push((column.name.clone(), value.clone()));
            }
        } else {
            let page = Page { sample, column: &column.name };
            row.0.push((column.name.clone(), (layout.write)(&page, column.role, column.form)));
        }
    };
    match &sample.origin {
        Some(origin) => origin.columns.iter().for_each(|column| put(&mut row, column)),
        None => usual_columns(layout, sample).iter().for_each(|column| put(&mut row, column)),
    }
    row.0.extend(others.into_iter().flatten().cloned());
    row
}

/// The columns of a sample that was not read from a file: its id and whatever its layout knows and it has.
fn usual_columns(layout: &Layout, sample: &Sample) -> Vec<Column> {
    let present = |role: &str| match role {
        "label" => sample.label.is_some(),
        _ => true,
    };
    let needed = layout.roles.iter().filter(|role| role.need != super::Need::Never && present(role.name));
    needed.map(|role| Column { name: role.name.into(), role: role.name, form: "" }).collect()
}

impl Page<'_> {
    /// The text of a field, or of the part of it that came from this column.
    pub fn text(&self, role: &str, form: &str) -> Value {
        let Some(field) = self.sample.fields.iter().position(|field| &*field.name == role) else { return Value::Null };
        let text = self.sample.fields[field].text.as_str();
        if form != JOINED {
            return text.into();
        }
        // A column reaches from where its words start (the first from the start of the text) to where those of the next
        // column start, without the space that joins the two. Words put in between belong to the column before.
        let columns: Vec<_> = self.sample.layer(COLUMN).filter(|(_, mark)| mark.field == field).collect();
        let Some(at) = columns.iter().position(|(_, mark)| mark.value == self.column) else { return "".into() };
        let start = if at == 0 { 0 } else { columns[at].1.span.start };
        let Some((_, next)) = columns.get(at + 1) else { return text.get(start..).unwrap_or("").into() };
        let part = text.get(start..next.span.start).unwrap_or("");
        part.strip_suffix(' ').unwrap_or(part).into()
    }

    /// The class.
    pub fn label(&self) -> Value {
        self.sample.label.as_ref().map_or(Value::Null, |label| label.0.clone())
    }
}
