//! Calibrations of the flip forecast that are kept in a file.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use fissure_data::{Existing, draft};
use fissure_geometry::{Calibration, EditLaw, StoredCalibrations};
use fissure_models::WhiteBox;

use crate::{Error, Result, args, ui};

/// The file beside a model that is looked for without asking.
const BESIDE: &str = "calibration.json";

/// What is kept, and where.
pub struct Kept {
    /// `None` if the user named no file: then nothing is written.
    path: Option<PathBuf>,
    stored: Option<StoredCalibrations>,
}

impl Kept {
    /// Reads the file the user named, or the one beside the model. The named one must be of this model.
    pub fn open(args: &args::Score, model: &dyn WhiteBox) -> Result<Self> {
        if let Some(path) = &args.calibration {
            let stored = read(path)?;
            if let Some(stored) = &stored {
                let place = path.display().to_string();
                stored.check(model).map_err(|source| Error::Foreign { place, source: Box::new(source) })?;
            }
            return Ok(Self { path: Some(path.clone()), stored });
        }
        let beside = Path::new(&args.model).join(BESIDE);
        let stored = match read(&beside) {
            Ok(stored) => stored,
            // `repair calibrate` leaves another kind of calibration there, of the model's probabilities.
            Err(_) => {
                ui::note(&match fissure_repair::calibrate::Calibration::of(Path::new(&args.model)) {
                    Ok(_) => format!(
                        "the temperature in {} is not used here: gradients are those of the model itself, and 1 - max p is \
                         not that of `predict`",
                        beside.display()
                    ),
                    Err(why) => format!("{why}; it is not used"),
                });
                None
            }
        };
        let fits = stored.as_ref().is_some_and(|stored| stored.check(model).is_ok());
        if stored.is_some() && !fits {
            ui::note(&format!("{} is of another model and is not used", beside.display()));
        }
        Ok(Self { path: None, stored: stored.filter(|_| fits) })
    }

    pub fn find(&self, law: &EditLaw) -> Option<Calibration> {
        self.stored.as_ref()?.find(law).cloned()
    }

    /// Adds a calibration to the file the user named.
    pub fn keep(&mut self, calibration: &Calibration, model: &dyn WhiteBox) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut stored = match self.stored.take() {
            Some(stored) => stored,
            None => StoredCalibrations::new(model)?,
        };
        stored.keep(calibration.clone());
        let place = path.display().to_string();
        let text = serde_json::to_vec_pretty(&stored).map_err(|error| Error::writing(&*place)(error.into()))?;
        draft::write(path, &text, Existing::Replace)?;
        self.stored = Some(stored);
        Ok(())
    }
}

/// `None` if there is no such file.
fn read(path: &Path) -> Result<Option<StoredCalibrations>> {
    let place = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).map_err(|source| Error::Calibration { place, source })?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::reading(place)(source)),
    }
}
