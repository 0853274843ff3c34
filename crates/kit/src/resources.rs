//! Opens the resources of parts that need more than the sample.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use fissure_core::{Donors, Label, Need, Resources, Thresholds, Translator};
use fissure_data::{Existing, draft};
use fissure_geometry::{ByModel, Method};
use fissure_models::Model;
use fissure_models::resources::{CommandTranslator, LocalMaskedLm, LocalSimilarity};
use fissure_probes::{NearestWords, VALIDATORS};
use fissure_settings::{DataSource, Importance, ResourceFiles};
use fissure_tasks::Gathered;
use fissure_translate::{Lesson, Phrases, learn};

use crate::notice::note;
use crate::{Error, Result, classes, data, own_parts};

/// Whether the programs that parts asked so far wrote one line for each line; to be asked before results are written.
pub fn check_programs() -> Result<()> {
    Ok(fissure_models::resources::check_programs().map_err(fissure_models::Error::from)?)
}

/// The same at the end of the work, when programs may be ended.
pub fn finish_programs() -> Result<()> {
    Ok(fissure_models::resources::finish_programs().map_err(fissure_models::Error::from)?)
}

/// Everything the user gave, and a model that says which words carry its answer; training texts are read as `data` is.
pub fn open_with_model(files: &ResourceFiles, model: Option<&str>, data: &DataSource) -> Result<Resources> {
    let resources = open(files, data)?;
    match model {
        None => Ok(resources),
        Some(name) => with_importance(resources, classes::model(name)?.into(), files.importance),
    }
}

/// Everything the user gave besides the model under test.
pub fn open(help: &ResourceFiles, data: &DataSource) -> Result<Resources> {
    own_parts::add(&help.parts_file)?;
    let mut resources = Resources { label_translator: phrases(help, data)?, ..Resources::default() };
    if let Some(directory) = &help.language_model {
        resources.masked_lm = Some(Arc::new(LocalMaskedLm::open(Path::new(directory))?));
    }
    if let Some(what) = &help.translator {
        resources.translator = Some(Arc::new(CommandTranslator::open(what)?));
    }
    if let Some(directory) = &help.encoder {
        resources.similarity = Some(Arc::new(LocalSimilarity::open(Path::new(directory))?));
    }
    if let Some(path) = &help.vectors {
        let place = || path.clone();
        let file = File::open(path).map_err(|source| Error::Read { place: place(), source })?;
        let words =
            NearestWords::read(BufReader::new(file)).map_err(|source| Error::Vectors { place: place(), source })?;
        resources.neighbours = Some(Arc::new(words));
    }
    if !help.donors.is_empty() {
        let files = data.with(&help.donors);
        let mut donors = Donors::default();
        for sample in data::open_unlabelled(&files, data::task(&files)?)? {
            donors.offer(sample?);
        }
        resources.donors = Some(Arc::new(donors.finish()));
    }
    Ok(resources)
}

/// The resources that the data themselves provide for these needs: donors, and what the labels mean; and all classes of the
/// data, if those were looked for. The data are read once more for it, and never from standard input.
pub fn of_data(
    mut resources: Resources,
    help: &ResourceFiles,
    args: &DataSource,
    needs: &[Need],
) -> Result<(Resources, Vec<Label>)> {
    if Gathered::is_idle(needs) {
        return Ok((resources, Vec::new()));
    }
    if args.is_input() {
        return Err(Error::GatherFromInput);
    }
    let task = data::task(args)?;
    let wanted: Vec<Need> =
        needs.iter().filter(|need| **need != Need::Donors || resources.donors.is_none()).copied().collect();
    let mut gathered = Gathered::for_needs(&wanted);
    // What the labels mean depends on all of them, whatever the limit.
    for sample in data::open_quietly(&args.unlimited(), task)? {
        gathered.add(&sample?);
    }
    let gathered = gathered.finish();
    if !help.senses.is_empty() {
        resources.spelling = Some(Arc::new(gathered.spelling(&help.senses).map_err(Error::Senses)?));
        for unknown in gathered.unknown(&help.senses) {
            note(&format!("{unknown}. Only changed rows will have it"));
        }
    }
    gathered.add_to(task, &mut resources);
    if let Some(spelling) = resources.spelling.as_ref().filter(|_| needs.contains(&Need::LabelSenses)) {
        let said: Vec<String> = spelling.iter().map(|(sense, label)| format!("`{label}` {sense}")).collect();
        note(&format!("takes the labels to mean: {}; --senses overrules", said.join(", ")));
    }
    Ok((resources, gathered.classes().cloned().collect()))
}

/// The phrases of a file, or those of the training texts.
fn phrases(help: &ResourceFiles, data: &DataSource) -> Result<Option<Arc<dyn Translator>>> {
    let file = help.phrases.as_deref().map(Path::new);
    if help.train.is_empty() {
        let opened = file.map(Phrases::open).transpose()?;
        return Ok(opened.map(|phrases| Arc::new(phrases) as Arc<dyn Translator>));
    }
    let training = data.with(&help.train);
    let classes::Labelled { examples, labels, .. } = classes::labelled(&training, data::task(&training)?)?;
    let lessons: Vec<Lesson<'_>> = examples
        .iter()
        .map(|example| Lesson { text: &example.text, pair: example.pair.as_deref(), label: &labels[example.label] })
        .collect();
    let learned = learn(&lessons)?;
    if let Some(path) = file {
        let bytes = learned.to_bytes();
        // A run that goes on learns the same phrases again.
        if std::fs::read(path).ok().as_deref() != Some(&*bytes) {
            draft::write(path, &bytes, Existing::Refuse)?;
        }
    }
    let sizes: Vec<String> = learned.sizes().map(|(label, size)| format!("{size} for {label}")).collect();
    note(&format!("learned pairs of phrases from {} texts: {}", examples.len(), sizes.join(", ")));
    Ok(Some(Arc::new(learned)))
}

/// The same, with a model that says which words carry its answer.
pub fn with_importance(resources: Resources, model: Arc<dyn Model>, how: Option<Importance>) -> Result<Resources> {
    let method = match how {
        None => Method::usual(&*model),
        Some(Importance::GradXInput) => Method::GradXInput,
        Some(Importance::Ig) => Method::Ig,
        Some(Importance::LeaveOneOut) => Method::LeaveOneOut,
    };
    Ok(Resources { importance: Some(Arc::new(ByModel::new(model, method)?)), ..resources })
}

/// Reads thresholds; one that needs help that is not there is refused before the run.
pub fn thresholds(texts: &[String], resources: &Resources) -> Result<Thresholds> {
    Ok(Thresholds::parse(&VALIDATORS, texts, resources)?)
}
