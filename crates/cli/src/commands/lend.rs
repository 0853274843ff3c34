//! What is lent to parts that need more than the sample.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use fissure_core::{Aids, Donors, Keeps, Need, Translator};
use fissure_data::{Existing, draft};
use fissure_geometry::{ByModel, Method};
use fissure_models::Model;
use fissure_models::aids::{CommandTranslator, LocalGuesser, LocalLikeness};
use fissure_probes::{NearestWords, VALIDATORS};
use fissure_tasks::Gathered;
use fissure_translate::{Lesson, Phrases, learn};

use crate::args::{Data, Help, Importance, Lent};
use crate::commands::{data, examples};
use crate::{Error, Result, ui};

/// Everything the user gave, the model among it; training texts are read as `data` is.
pub fn aids(lent: &Lent, data: &Data) -> Result<Aids> {
    let aids = help(&lent.help, data)?;
    match &lent.model {
        None => Ok(aids),
        Some(name) => lend_importance(aids, examples::model(name)?.into(), lent.importance),
    }
}

/// What is lent besides the model under test.
pub fn help(help: &Help, data: &Data) -> Result<Aids> {
    let mut aids = Aids { phrases: phrases(help, data)?, ..Aids::default() };
    if let Some(directory) = &help.language_model {
        aids.guesser = Some(Arc::new(LocalGuesser::open(Path::new(directory))?));
    }
    if let Some(what) = &help.translator {
        aids.translator = Some(Arc::new(CommandTranslator::open(what)?));
    }
    if let Some(directory) = &help.encoder {
        aids.likeness = Some(Arc::new(LocalLikeness::open(Path::new(directory))?));
    }
    if let Some(path) = &help.vectors {
        let place = || path.clone();
        let file = File::open(path).map_err(|source| Error::Read { place: place(), source })?;
        let words =
            NearestWords::read(BufReader::new(file)).map_err(|source| Error::Vectors { place: place(), source })?;
        aids.neighbours = Some(Arc::new(words));
    }
    if !help.donors.is_empty() {
        let files = Data { limit: None, ..data.clone() }.with(&help.donors);
        let mut donors = Donors::default();
        for sample in data::open_unlabelled(&files, data::task(&files)?)? {
            donors.offer(sample?);
        }
        aids.donors = Some(Arc::new(donors.finish()));
    }
    Ok(aids)
}

/// What the data themselves lend to parts with these needs: other samples, and what the labels mean. They are read once
/// more for it, and never from standard input.
pub fn of_data(mut aids: Aids, help: &Help, args: &Data, needs: &[Need]) -> Result<Aids> {
    if Gathered::is_idle(needs) {
        return Ok(aids);
    }
    if args.data.iter().any(|name| name == "-") {
        return Err(Error::GatherFromInput);
    }
    let task = data::task(args)?;
    let wanted: Vec<Need> =
        needs.iter().filter(|need| **need != Need::Donors || aids.donors.is_none()).copied().collect();
    let mut gathered = Gathered::for_needs(&wanted);
    // What the labels mean depends on all of them, whatever the limit.
    for sample in data::open_quietly(&Data { limit: None, ..args.clone() }, task)? {
        gathered.add(&sample?);
    }
    let gathered = gathered.finish();
    if !help.senses.is_empty() {
        aids.spelling = Some(Arc::new(gathered.spelling(&help.senses).map_err(Error::Senses)?));
    }
    gathered.lend(task, &mut aids);
    if let Some(spelling) = aids.spelling.as_ref().filter(|_| needs.contains(&Need::LabelSenses)) {
        let said: Vec<String> = spelling.iter().map(|(sense, label)| format!("`{label}` {sense}")).collect();
        ui::note(&format!("takes the labels to mean: {}; --senses overrules", said.join(", ")));
    }
    Ok(aids)
}

/// The phrases of a file, or those of the training texts.
fn phrases(help: &Help, data: &Data) -> Result<Option<Arc<dyn Translator>>> {
    let file = help.phrases.as_deref().map(Path::new);
    if help.train.is_empty() {
        let opened = file.map(Phrases::open).transpose()?;
        return Ok(opened.map(|phrases| Arc::new(phrases) as Arc<dyn Translator>));
    }
    let training = Data { limit: None, ..data.clone() }.with(&help.train);
    let examples::Labelled { examples, labels, .. } = examples::labelled(&training, data::task(&training)?)?;
    let lessons: Vec<Lesson<'_>> = examples
        .iter()
        .map(|example| Lesson { text: &example.text, pair: example.pair.as_deref(), label: &labels[example.label] })
        .collect();
    let learnt = learn(&lessons)?;
    if let Some(path) = file {
        let bytes = learnt.to_bytes();
        // A run that goes on learns the same phrases again.
        if std::fs::read(path).ok().as_deref() != Some(&*bytes) {
            draft::write(path, &bytes, Existing::Refuse)?;
        }
    }
    let sizes: Vec<String> = learnt.sizes().map(|(label, size)| format!("{size} for {label}")).collect();
    ui::note(&format!("learned pairs of phrases from {} texts: {}", examples.len(), sizes.join(", ")));
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
    Ok(Keeps::parse(&VALIDATORS, texts, aids)?)
}
