//! The samples of a run: what the user's condition leaves of the data, up to the limit.

use fissure_core::{Filter, Sample};
use fissure_data::Skipped;

use super::{OpenData, ReadSamples};
use crate::{Error, Result};
use fissure_settings::RunConfig;

/// The samples that a run is about, in order.
pub struct Samples {
    read: Box<dyn ReadSamples>,
    /// How many may still be read.
    rest: usize,
    condition: Option<Filter>,
    /// How many the condition did not hold for.
    pub left_out: usize,
}

/// Opens the data. The limit counts what is read, as everywhere else, and not what the condition leaves of it.
pub fn samples(open: &OpenData<'_>, config: &RunConfig) -> Result<Samples> {
    let condition =
        config.changes.condition.as_deref().map(Filter::parse).transpose().map_err(fissure_core::Error::from)?;
    Ok(Samples { read: open()?, rest: config.data.limit.unwrap_or(usize::MAX), condition, left_out: 0 })
}

impl Samples {
    /// The rows that could not be read and were passed over until now.
    pub fn bad_rows(&self) -> Skipped {
        self.read.bad_rows()
    }
}

impl Iterator for Samples {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        loop {
            self.rest = self.rest.checked_sub(1)?;
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
