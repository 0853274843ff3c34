//! Models elsewhere, as the command line describes them.

use std::sync::Arc;
use std::time::Duration;

use fissure_models::Model;
use fissure_models::remote::{Api, RemoteModel, RemoteOptions, is_remote};
use fissure_tasks::Task;

use crate::Result;
use crate::args::{ApiName, Remote};
use crate::commands::examples;

/// The variable with the token for endpoints that want one; a token on the command line could be seen by others.
const TOKEN: &str = "FISSURE_API_KEY";

/// A classifier for a task: a directory, `hf:owner/name`, or one elsewhere.
pub fn classifier(
    name: &str,
    task: &'static Task,
    remote: &Remote,
    max_length: Option<usize>,
) -> Result<Arc<dyn Model>> {
    if is_remote(name) {
        return Ok(Arc::new(RemoteModel::open(name, task, &options(remote))?));
    }
    examples::calibrated(name, max_length)
}

/// The same, without the temperature that may lie beside it: what is to be calibrated.
pub fn uncalibrated(name: &str, task: &'static Task, remote: &Remote) -> Result<Arc<dyn Model>> {
    if is_remote(name) {
        return Ok(Arc::new(RemoteModel::open(name, task, &options(remote))?));
    }
    Ok(examples::model(name)?.into())
}

/// The knobs of a model elsewhere.
#[allow(clippy::disallowed_methods, reason = "a door may look at the environment; the crates behind it may not")]
pub fn options(remote: &Remote) -> RemoteOptions {
    let usual = RemoteOptions::default();
    let timeout = remote.timeout.map(Duration::from_secs);
    RemoteOptions {
        api: remote.api.map(|api| match api {
            ApiName::Fissure => Api::Fissure,
            ApiName::Huggingface => Api::HuggingFace,
            ApiName::Chat => Api::Chat,
        }),
        labels: remote.labels.clone(),
        model: remote.api_model.clone(),
        token: std::env::var(TOKEN).ok().filter(|token| !token.is_empty()),
        timeout: timeout.unwrap_or(usual.timeout),
        start_timeout: timeout.unwrap_or(usual.start_timeout),
        retries: remote.retries,
        rate: remote.rate,
        concurrency: remote.concurrency.into(),
        batch: remote.batch.into(),
        say: Some(crate::ui::note),
        ..usual
    }
}
