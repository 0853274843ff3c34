//! A model simple enough to predict_effect by eye, and data to ask it about.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fissure_core::{Resources, Sample};
use fissure_evaluate::{
    ChainConfig, DataFacts, Error, ModelAbout, OpenData, Plain, Prepared, RUN_FILE, Respondent, Response, RunConfig,
    SliceConfig, Unavailable,
};

/// Says `positive`, nine times in ten sure, where the text has the word `good` in lower case; else `negative`.
#[derive(Debug)]
pub struct LooksForGood {
    pub about: ModelAbout,
    /// How many samples it was asked about.
    pub asked: Arc<AtomicUsize>,
    /// The most it will answer before it is gone.
    pub patience: usize,
}

impl LooksForGood {
    pub fn new() -> Self {
        let about = ModelAbout {
            name: "looks for good".into(),
            checksum: Some("1".into()),
            labels: vec!["negative".into(), "positive".into()],
            probabilities: true,
            ..ModelAbout::default()
        };
        Self { about, asked: Arc::default(), patience: usize::MAX }
    }

    pub fn with_checksum(mut self, checksum: &str) -> Self {
        self.about.checksum = Some(checksum.into());
        self
    }
}

impl Respondent for LooksForGood {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        if self.asked.fetch_add(samples.len(), Ordering::Relaxed) + samples.len() > self.patience {
            return Err(Unavailable("it has had enough".into()));
        }
        let said = |sample: &&Sample| {
            let text = sample.fields[0].text.as_str();
            if text.contains("unspeakable") {
                return Err("it does not speak of that".into());
            }
            let good = text.contains("good");
            let (label, p) = if good { ("positive", [0.1f32, 0.9]) } else { ("negative", [0.9, 0.1]) };
            Ok(Response::Class { label: label.into(), log_probs: Some(p.map(f32::ln).to_vec()), own: None })
        };
        Ok(samples.iter().map(said).collect())
    }
}

/// Reviews that the model gets right and wrong in every way.
pub fn reviews() -> Vec<Sample> {
    let rows = [
        ("so good", Some("positive")),
        ("so bad", Some("negative")),
        ("good grief", Some("negative")),
        ("THE END", Some("negative")),
        ("", Some("positive")),
        ("not good", None),
    ];
    let sample = |(at, (text, label)): (usize, (&str, Option<&str>))| Sample {
        label: label.map(Into::into),
        ..Sample::of_text(format!("r{at}"), text)
    };
    rows.into_iter().enumerate().map(sample).collect()
}

pub fn open(samples: Vec<Sample>) -> Box<OpenData<'static>> {
    Box::new(move || Ok(Box::new(samples.iter().cloned().map(Ok).collect::<Vec<_>>().into_iter())))
}

/// Capitals and lower-case letters, alone and together, and the longer texts.
pub fn config() -> RunConfig {
    let mode = |mode: &str| ChainConfig::Full {
        parts: "word_case".into(),
        variants: None,
        knobs: [("mode".to_owned(), Plain::Text(mode.into()))].into(),
    };
    with(RunConfig::default(), |config| {
        config.data.task = Some("sa".into());
        config.selection.chains =
            vec![mode("upper"), ChainConfig::Name("append_irr".into()), ChainConfig::Name("swap_num".into())];
        config.selection.slices = Some(vec![SliceConfig::Name("length".into())]);
    })
}

/// A config with some settings changed.
pub fn with(mut config: RunConfig, change: impl FnOnce(&mut RunConfig)) -> RunConfig {
    change(&mut config);
    config
}

pub fn prepare(config: RunConfig, samples: &[Sample], model: Box<dyn Respondent>) -> Result<Prepared, Error> {
    let facts = DataFacts::read(&open(samples.to_vec()), &config)?;
    Prepared::new(config, facts, model, &Resources::default())
}

pub fn prepared(config: RunConfig, samples: &[Sample], model: LooksForGood) -> Prepared {
    prepare(config, samples, Box::new(model)).unwrap()
}

/// Runs to the end, this many samples at a time, and returns the bytes of the file.
pub fn run(prepared: &Prepared, samples: &[Sample], folder: &Path, window: usize) -> Vec<u8> {
    let mut run = prepared.start(folder, &open(samples.to_vec())).unwrap();
    while run.advance(window).unwrap() > 0 {}
    run.finish().unwrap();
    std::fs::read(folder.join(RUN_FILE)).unwrap()
}
