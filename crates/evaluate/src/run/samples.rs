//! The samples of a run: what the user's condition leaves of the data, up to the limit.

use std::iter::Take;

use fissure_core::{Filter, Sample};

use super::OpenData;
use crate::{Error, Result};
use fissure_settings::RunConfig;

/// The samples that a run is about, in order.
pub struct Samples {
    read: Take<Box<dyn Iterator<Item = fissure_data::Result<Sample>>>>,
    condition: Option<Filter>,
    /// How many the condition did not hold for.
    pub left_out: usize,
}

/// Opens the data. The limit counts what is read, as everywhere else, and not what the condition leaves of it.
pub fn samples(open: &OpenData<'_>, config: &RunConfig) -> Result<Samples> {
    let condition =
        config.changes.condition.as_deref().map(Filter::parse).transpose().map_err(fissure_core::Error::from)?;
    Ok(Samples { read: open()?.take(config.data.limit.unwrap_or(usize::MAX)), condition, left_out: 0 })
}

impl Iterator for Samples {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        loop {
            let sample = match self.read.next()? {
                Ok(sample) => sample,
                Err(error) => return Some(Err(error.into())),
            };
            match self.condition.as_ref().map_or(Ok(true), |condition| condition.holds(&sample)) {
                Ok(true) => return Some(Ok(sample)),
                Ok(false) => self.left_out += 1,
                Err(error) => return Some(Err(Error::Core(error.into()))),
            }
        }
    }
}
