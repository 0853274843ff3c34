//! Help that a run lends to its parts, opened from what the user named.

use std::sync::Arc;

use fissure_core::{Aids, Keep, Keeps};
use fissure_models::aids::{CommandTranslator, LocalGuesser, LocalLikeness};
use fissure_probes::VALIDATORS;

use crate::{Error, Result, args};

/// Opens the language model, the translator and the encoder that were named.
pub fn open(args: &args::Aids) -> Result<Aids> {
    let mut aids = Aids::default();
    if let Some(directory) = &args.language_model {
        aids.guesser = Some(Arc::new(LocalGuesser::open(directory)?));
    }
    if let Some(what) = &args.translator {
        aids.translator = Some(Arc::new(CommandTranslator::open(what)?));
    }
    if let Some(directory) = &args.encoder {
        aids.likeness = Some(Arc::new(LocalLikeness::open(directory)?));
    }
    Ok(aids)
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
