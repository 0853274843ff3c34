//! Models elsewhere, as the command line describes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fissure_evaluate::{AskedFile, LabelSurvey, label_pairs};
use fissure_models::remote::{
    Api, Body, LabelNames, Prompt, RemoteModel, RemoteOptions, api_of, is_remote, labels_of, public,
};
use fissure_models::{Model, Offers};
use fissure_tasks::Task;

use crate::args::{ApiName, Data, Remote};
use crate::commands::counted::Counted;
use crate::commands::late::Late;
use crate::commands::{data, examples};
use crate::ui::{self, Asked, Progress, Ui};
use crate::{Error, Result};

/// The variable with the token for endpoints that want one; a token on the command line could be seen by others.
const TOKEN: &str = "FISSURE_API_KEY";

/// A classifier that a command asks, and what is counted while it does.
pub struct Asking {
    pub model: Arc<dyn Model>,
    /// The questions that were asked so far.
    pub asked: Asked,
    options: Option<RemoteOptions>,
}

impl Asking {
    /// A classifier for a task: a directory, `hf:owner/name`, or one elsewhere.
    pub fn open(name: &str, data: &Data, remote: &Remote, max_length: Option<usize>) -> Result<Self> {
        if is_remote(name) {
            Self::elsewhere(name, data, remote)
        } else {
            Ok(Self::of(examples::calibrated(name, max_length)?))
        }
    }

    /// The same, without the temperature that may lie beside it.
    pub fn uncalibrated(name: &str, data: &Data, remote: &Remote, max_length: Option<usize>) -> Result<Self> {
        if is_remote(name) {
            return Self::elsewhere(name, data, remote);
        }
        Ok(Self::of(examples::model_reading(name, max_length)?.into()))
    }

    /// A model on this machine.
    pub fn of(model: Arc<dyn Model>) -> Self {
        let count = Arc::new(AtomicU64::new(0));
        let model = Arc::new(Counted::new(model, Arc::clone(&count)));
        Self { model, asked: Arc::new(move || count.load(Ordering::Relaxed)), options: None }
    }

    /// A model elsewhere of which is known what it offers; it is opened when it is first asked.
    pub fn late(name: &str, task: &'static Task, remote: &Remote, offers: Offers) -> Result<Self> {
        let options = options(remote)?;
        let (address, late) = (name.to_owned(), options.clone());
        // The labels were settled when the run began.
        let late = RemoteOptions { data_labels: offers.labels.clone(), ..late };
        let open = move || -> Result<Arc<dyn Model>> {
            ui::note(&format!("waiting for {} to answer", public(&address)));
            Ok(Arc::new(RemoteModel::open(&address, task, &late)?))
        };
        let model = Arc::new(Late::new(&public(name), offers, Box::new(open)));
        Ok(Self { model, asked: questions(&options), options: Some(options) })
    }

    fn elsewhere(name: &str, data: &Data, remote: &Remote) -> Result<Self> {
        let (mut options, task) = (options(remote)?, data::task(data)?);
        // A chat has to be shown labels before it can answer.
        if api_of(name, &options) == Some(Api::Chat) && labels_of(&options).is_empty() {
            options.data_labels = labels_in(data, task)?;
        }
        ui::note(&format!("waiting for {} to answer", public(name)));
        let model = Arc::new(RemoteModel::open(name, task, &options)?);
        Ok(Self { model, asked: questions(&options), options: Some(options) })
    }

    /// Progress of work that asks this model.
    pub fn progress(&self, what: &'static str, total: Option<u64>) -> Progress {
        Progress::asking(what, total, Arc::clone(&self.asked), None)
    }

    /// The same for work of which only the questions can be counted, at most `expected` of them.
    pub fn question_progress(&self, expected: Option<u64>) -> Progress {
        Progress::asking("", None, Arc::clone(&self.asked), expected)
    }

    /// Prints what asking took, for a model elsewhere.
    pub fn tell(&self, remote: &Remote, ui: Ui) {
        let Some(asked) = self.options.as_ref().map(|options| options.meter.asked()) else { return };
        if asked.requests == 0 {
            return;
        }
        let file = AskedFile::new(None, &asked, remote.price);
        if ui.json {
            ui::note(&serde_json::json!({ "asked": file }).to_string());
        } else {
            ui::note(&file.told());
        }
    }
}

/// The labels of a data set, which is read for them; none of standard input, which comes once.
fn labels_in(data: &Data, task: &'static Task) -> Result<Vec<String>> {
    if data.data.iter().any(|name| name == "-") {
        return Ok(Vec::new());
    }
    let mut survey = LabelSurvey::default();
    let mut samples = data::open_unlabelled(&Data { limit: None, ..data.clone() }, task)?;
    while let Some(batch) = data::next(&mut samples, None, 0)? {
        batch.iter().for_each(|sample| survey.add(sample));
    }
    Ok(survey.labels().map(str::to_owned).collect())
}

/// The questions that a model elsewhere was asked so far.
pub fn questions(options: &RemoteOptions) -> Asked {
    let meter = Arc::clone(&options.meter);
    Arc::new(move || meter.asked().questions)
}

/// The knobs of a model elsewhere.
#[allow(clippy::disallowed_methods, reason = "a door may look at the environment; the crates behind it may not")]
pub fn options(remote: &Remote) -> Result<RemoteOptions> {
    let usual = RemoteOptions::default();
    let timeout = remote.timeout.map(Duration::from_secs);
    let names = label_pairs(&remote.label_names).map_err(|_| Error::LabelNames(remote.label_names.join(",")))?;
    let prompt = remote.prompt.as_deref().map(prompt).transpose()?;
    Ok(RemoteOptions {
        api: remote.api.map(|api| match api {
            ApiName::Fissure => Api::Fissure,
            ApiName::Huggingface => Api::HuggingFace,
            ApiName::Chat => Api::Chat,
        }),
        labels: remote.labels.clone(),
        label_names: LabelNames(names),
        prompt,
        body: Body::parse(&remote.body).map_err(Error::Body)?,
        model: remote.api_model.clone(),
        token: std::env::var(TOKEN).ok().filter(|token| !token.is_empty()),
        timeout: timeout.unwrap_or(usual.timeout),
        start_timeout: timeout.unwrap_or(usual.start_timeout),
        retries: remote.retries,
        rate: remote.rate,
        concurrency: remote.concurrency.into(),
        batch: remote.batch.map(usize::from),
        say: Some(ui::note),
        ..usual
    })
}

/// Reads a prompt; what is wrong with it is found before anything is asked.
fn prompt(file: &str) -> Result<Prompt> {
    let text = std::fs::read_to_string(file).map_err(Error::reading(file))?;
    Prompt::parse(&text).map_err(|why| Error::Prompt { place: file.to_owned(), why })
}
