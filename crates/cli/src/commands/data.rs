//! Opening the user's data, the same way for every command.

use fissure_data::{Columns, Format, Layout, OnBadRow, ReadOptions, Samples, layouts};

use crate::Result;
use crate::args::{self, Data};

/// The layout of the task the user named.
pub fn layout(data: &Data) -> Result<&'static Layout> {
    Ok(layouts::find(&data.task)?)
}

pub fn open(data: &Data, layout: &'static Layout) -> Result<Samples> {
    let mut options = ReadOptions::new(layout);
    if !data.columns.is_empty() {
        options.columns = Columns::parse(&data.columns.join(","))?;
    }
    options.format = data.format.as_deref().map(Format::find).transpose()?;
    options.on_bad_row = match data.on_bad_row {
        args::OnBadRow::Stop => OnBadRow::Stop,
        args::OnBadRow::Skip => OnBadRow::Skip,
    };
    options.fields = Some(data.fields.clone()).filter(|fields| !fields.is_empty());
    Ok(Samples::open(&data.data, options)?)
}
