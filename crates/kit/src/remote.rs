//! Remote models, as the command line describes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fissure_ask::{RemoteRespondent, Respondent, open_local};
use fissure_evaluate::{AskedFile, LabelSurvey, label_pairs};
use fissure_models::remote::{
    Api, Body, LabelNames, Prompt, RemoteModel, RemoteOptions, api_of, connect, introduce, is_remote, labels_of, public,
};
use fissure_models::{Capabilities, Model};
use fissure_settings::{ApiName, DataSource, Endpoint, Patience, Price};
use fissure_tasks::Task;

use crate::counting_model::Counted;
use crate::lazy_model::Late;
use crate::notice::note;
use crate::{Error, Result, classes, data};

/// The questions that were asked so far.
pub type Asked = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What a remote model is asked, and how patiently.
#[derive(Debug, Clone, Copy)]
pub struct RemoteSettings<'a> {
    pub endpoint: &'a Endpoint,
    pub patience: &'a Patience,
    /// Most requests a second.
    pub rate: Option<f64>,
}

/// A classifier that a command asks, and what is counted while it does.
pub struct Asking {
    pub model: Arc<dyn Model>,
    /// The questions that were asked so far.
    pub asked: Asked,
    options: Option<RemoteOptions>,
}

impl Asking {
    /// A classifier for a task: a directory, `hf:owner/name`, or a remote one.
    pub fn open(name: &str, data: &DataSource, remote: &RemoteSettings<'_>, max_length: Option<usize>) -> Result<Self> {
        if is_remote(name) {
            Self::open_remote(name, data, remote)
        } else {
            Ok(Self::of(name, classes::calibrated(name, max_length)?))
        }
    }

    /// The same, without the temperature that may lie beside it.
    pub fn uncalibrated(
        name: &str,
        data: &DataSource,
        remote: &RemoteSettings<'_>,
        max_length: Option<usize>,
    ) -> Result<Self> {
        if is_remote(name) {
            return Self::open_remote(name, data, remote);
        }
        Ok(Self::of(name, classes::model_reading(name, max_length)?.into()))
    }

    /// A model on this machine.
    pub fn of(name: &str, model: Arc<dyn Model>) -> Self {
        let count = Arc::new(AtomicU64::new(0));
        let model = Arc::new(Counted::new(name, model, Arc::clone(&count)));
        Self { model, asked: Arc::new(move || count.load(Ordering::Relaxed)), options: None }
    }

    /// A remote model of which is known what it capabilities; it is opened when it is first asked.
    pub fn late(
        name: &str,
        task: &'static Task,
        remote: &RemoteSettings<'_>,
        capabilities: Capabilities,
    ) -> Result<Self> {
        let options = options(remote)?;
        let (address, late) = (name.to_owned(), options.clone());
        // The labels were settled when the run began.
        let late = RemoteOptions { data_labels: capabilities.labels.clone(), ..late };
        let opened = move || -> Result<Arc<dyn Model>> {
            note(&format!("waiting for {} to answer", public(&address)));
            Ok(Arc::new(RemoteModel::open(&address, task, &late)?))
        };
        let model = Arc::new(Late::new(
            &public(name),
            capabilities,
            Box::new(move || opened().map_err(|error| error.to_string())),
        ));
        Ok(Self { model, asked: questions(&options), options: Some(options) })
    }

    fn open_remote(name: &str, data: &DataSource, remote: &RemoteSettings<'_>) -> Result<Self> {
        let (mut options, task) = (options(remote)?, data::task(data)?);
        // A chat has to be shown labels before it can answer.
        if api_of(name, &options) == Some(Api::Chat) && labels_of(&options).is_empty() {
            options.data_labels = labels_in(data, task)?;
        }
        note(&format!("waiting for {} to answer", public(name)));
        let channel = connect(name, task, &options)?;
        let capabilities = match introduce(name, &*channel, task, &options) {
            // The data are read for labels only if nothing else names them.
            Err(fissure_models::Error::NoLabels { .. }) if !data.is_input() => {
                options.data_labels = labels_in(data, task)?;
                let labels = options.data_labels.join(", ");
                note(&format!("the model does not list its labels; using those in the data ({labels})"));
                introduce(name, &*channel, task, &options)?
            }
            introduced => introduced?,
        };
        let model = Arc::new(RemoteModel::of(channel, name, task, capabilities));
        Ok(Self { model, asked: questions(&options), options: Some(options) })
    }

    /// What asking took so far; `None` for a model on this machine, or one that was not asked.
    pub fn account(&self, price: Option<Price>) -> Option<AskedFile> {
        let asked = self.options.as_ref()?.meter.asked();
        (asked.requests > 0).then(|| AskedFile::new(None, &asked, price))
    }
}

/// A model for any task: a directory, `hf:owner/name`, or a remote one.
pub fn respondent(name: &str, task: &'static Task, remote: &RemoteSettings<'_>) -> Result<Box<dyn Respondent>> {
    if is_remote(name) {
        note(&format!("waiting for {} to answer", public(name)));
        return Ok(Box::new(RemoteRespondent::open(name, task, &options(remote)?)?));
    }
    Ok(open_local(name, &classes::model_directory(name)?, task)?)
}

/// The labels of a data set, which is read for them; none of standard input, which comes once.
fn labels_in(data: &DataSource, task: &'static Task) -> Result<Vec<String>> {
    if data.is_input() {
        return Ok(Vec::new());
    }
    let mut survey = LabelSurvey::new(data.minus_one);
    let mut samples = data::open_unlabelled(&data.unlimited(), task)?;
    while let Some(batch) = data::next(&mut samples, None, 0)? {
        batch.iter().for_each(|sample| survey.add(sample));
    }
    Ok(survey.labels().map(str::to_owned).collect())
}

/// The questions that a remote model was asked so far.
pub fn questions(options: &RemoteOptions) -> Asked {
    let meter = Arc::clone(&options.meter);
    Arc::new(move || meter.asked().questions)
}

/// The knobs of a remote model.
#[allow(clippy::disallowed_methods, reason = "a door may look at the environment; the crates behind it may not")]
pub fn options(remote: &RemoteSettings<'_>) -> Result<RemoteOptions> {
    let RemoteSettings { endpoint, patience, rate } = *remote;
    let usual = RemoteOptions::default();
    let timeout = patience.timeout.map(Duration::from_secs);
    let names = label_pairs(&endpoint.label_names).map_err(|_| Error::LabelNames(endpoint.label_names.join(",")))?;
    let prompt = endpoint.prompt.as_deref().map(prompt).transpose()?;
    Ok(RemoteOptions {
        api: endpoint.api.map(|api| match api {
            ApiName::Fissure => Api::Fissure,
            ApiName::Huggingface => Api::HuggingFace,
            ApiName::Chat => Api::Chat,
        }),
        labels: endpoint.labels.clone(),
        label_names: LabelNames(names),
        prompt,
        body: Body::parse(&endpoint.body).map_err(Error::Body)?,
        model: endpoint.api_model.clone(),
        token: std::env::var(fissure_models::remote::API_KEY).ok().filter(|token| !token.is_empty()),
        timeout: timeout.unwrap_or(usual.timeout),
        start_timeout: timeout.unwrap_or(usual.start_timeout),
        retries: patience.retries,
        rate,
        concurrency: patience.concurrency.into(),
        batch: patience.batch.map(usize::from),
        say: Some(note),
        ..usual
    })
}

/// Reads a prompt; what is wrong with it is found before anything is asked.
fn prompt(file: &str) -> Result<Prompt> {
    let text = std::fs::read_to_string(file).map_err(Error::reading(file))?;
    Prompt::parse(&text).map_err(|why| Error::Prompt { place: file.to_owned(), why })
}
