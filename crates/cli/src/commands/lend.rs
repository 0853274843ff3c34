//! What is lent to parts that need more than the sample.

use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

use fissure_core::Aids;
use fissure_geometry::{ByModel, Method};
use fissure_models::Model;
use fissure_probes::NearestWords;

use crate::args::{Importance, Lent};
use crate::commands::examples;
use crate::{Error, Result};

/// Everything the user gave.
pub fn aids(lent: &Lent) -> Result<Aids> {
    let mut aids = Aids::default();
    if let Some(name) = &lent.model {
        let model: Arc<dyn Model> = examples::model(name)?.into();
        aids = lend_importance(aids, model, lent.importance)?;
    }
    if let Some(path) = &lent.vectors {
        let place = || path.display().to_string();
        let file = File::open(path).map_err(|source| Error::Read { place: place(), source })?;
        let words =
            NearestWords::read(BufReader::new(file)).map_err(|source| Error::Vectors { place: place(), source })?;
        aids.neighbours = Some(Arc::new(words));
    }
    Ok(aids)
}

/// The same, with a model that says which words carry its answer.
pub fn lend_importance(aids: Aids, model: Arc<dyn Model>, how: Option<Importance>) -> Result<Aids> {
    let method = match how {
        None => Method::usual(&*model),
        Some(Importance::GradDotEmb) => Method::GradDotEmb,
        Some(Importance::Ig) => Method::Ig,
        Some(Importance::LeaveOneOut) => Method::LeaveOneOut,
    };
    Ok(Aids { importance: Some(Arc::new(ByModel::new(model, method)?)), ..aids })
}
