//! What is lent to parts that need more than the sample.

use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

use fissure_core::{Aids, Keep, Keeps, Translator};
use fissure_geometry::{ByModel, Method};
use fissure_models::Model;
use fissure_models::aids::{CommandTranslator, LocalGuesser, LocalLikeness};
use fissure_probes::{NearestWords, VALIDATORS};
use fissure_translate::{Lesson, Phrases, learn};

use crate::args::{Data, Importance, Lent};
use crate::commands::{data, examples};
use crate::{Error, Result, ui};

/// Everything the user gave; training texts are read as `data` is.
pub fn aids(lent: &Lent, data: &Data) -> Result<Aids> {
    let mut aids = Aids { phrases: phrases(lent, data)?, ..Aids::default() };
    if let Some(name) = &lent.model {
        let model: Arc<dyn Model> = examples::model(name)?.into();
        aids = lend_importance(aids, model, lent.importance)?;
    }
    if let Some(directory) = &lent.language_model {
        aids.guesser = Some(Arc::new(LocalGuesser::open(directory)?));
    }
    if let Some(what) = &lent.translator {
        aids.translator = Some(Arc::new(CommandTranslator::open(what)?));
    }
    if let Some(directory) = &lent.encoder {
        aids.likeness = Some(Arc::new(LocalLikeness::open(directory)?));
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

/// The phrases of a file, or those of the training texts.
fn phrases(lent: &Lent, data: &Data) -> Result<Option<Arc<dyn Translator>>> {
    if lent.train.is_empty() {
        let opened = lent.phrases.as_deref().map(Phrases::open).transpose()?;
        return Ok(opened.map(|phrases| Arc::new(phrases) as Arc<dyn Translator>));
    }
    let training = Data { limit: None, ..data.clone() }.with(&lent.train);
    let (examples, labels) = examples::labelled(&training, data::layout(&training)?)?;
    let lessons: Vec<Lesson<'_>> = examples
        .iter()
        .map(|example| Lesson { text: &example.text, pair: example.pair.as_deref(), label: &labels[example.label] })
        .collect();
    let learnt = learn(&lessons)?;
    if let Some(path) = &lent.phrases {
        learnt.save(path)?;
    }
    let sizes: Vec<String> = learnt.sizes().map(|(label, size)| format!("{size} for {label}")).collect();
    ui::note(&format!("learnt pairs of phrases from {} texts: {}", examples.len(), sizes.join(", ")));
    Ok(Some(Arc::new(learnt)))
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

/// Reads thresholds; one that needs help that is not there is refused before the run.
pub fn keeps(texts: &[String], aids: &Aids) -> Result<Keeps> {
    let keeps = texts.iter().map(|text| Keep::parse(&VALIDATORS, text)).collect::<fissure_core::Result<Vec<_>>>()?;
    for keep in &keeps {
        let needs = VALIDATORS.find(keep.name())?.card.needs;
        if let Some(need) = needs.iter().find(|need| !aids.serve(**need)) {
            return Err(Error::KeepNeeds { keep: keep.to_string(), advice: need.advice() });
        }
    }
    Ok(Keeps(keeps))
}
