//! Models that live in the program that calls us: a function of Python, a network of torch. They are registered under a name,
//! `python:NAME`, and every command opens them by it as it opens any other.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use crate::remote::Channel;
use crate::{Answer, Capabilities, Input, Model, Result, WhiteBox};

/// What the name of such a model starts with.
pub const OWN: &str = "python:";

/// A registered model.
#[derive(Debug, Clone)]
pub enum OwnModel {
    /// It answers questions.
    Channel(Arc<dyn Channel>),
    /// It gives gradients; the checksum identifies it.
    Inside { model: Arc<dyn Model>, checksum: String },
}

static REGISTERED: RwLock<BTreeMap<String, OwnModel>> = RwLock::new(BTreeMap::new());

/// Registers a model under a name; an earlier one of that name is replaced.
pub fn register(name: &str, model: OwnModel) {
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), model);
}

/// Removes a model.
pub fn unregister(name: &str) {
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).remove(name);
}

/// The model that was registered under a name.
pub fn registered(name: &str) -> Option<OwnModel> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

/// Whether a name is that of a model of the caller's which answers questions, or of one that was removed.
pub(crate) fn is_asked(name: &str) -> bool {
    name.starts_with(OWN) && !matches!(registered(name), Some(OwnModel::Inside { .. }))
}

/// The gradients of a registered model, if a path is its name.
pub fn inside(path: &Path) -> Option<(Arc<dyn Model>, String)> {
    match registered(path.to_str()?)? {
        OwnModel::Inside { model, checksum } => Some((model, checksum)),
        OwnModel::Channel(_) => None,
    }
}

/// A model of the caller's, for those who want one of their own.
#[derive(Debug)]
pub(crate) struct Shared(pub Arc<dyn Model>);

impl Model for Shared {
    fn capabilities(&self) -> &Capabilities {
        self.0.capabilities()
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        self.0.answer(inputs)
    }

    fn try_answer(&self, inputs: &[Input<'_>]) -> Result<Vec<std::result::Result<Answer, String>>> {
        self.0.try_answer(inputs)
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        self.0.as_white_box()
    }
}
