//! `fissure attack`: small changes of texts that flip a model's answer, as JSON lines, a table and a report.

mod results;
mod texts;

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fissure_attacks::{
    Attack, AttackResources, Error as AttackError, Given, Options, Recipe, Record, Resource, Summary, Synonyms, Target,
    attack_each, leads, replay,
};
use fissure_core::{LabelKind, Sample, counted};
use fissure_data::{Existing, Task};
use fissure_models::remote::{is_remote, public};
use fissure_settings::ResourceFiles;
use fissure_tasks::Answers;

use super::conclusion::report_of;
use crate::args::{self, GoOn};
use crate::ui::{self, Progress, Ui};
use crate::{Error, Result};
use fissure_kit::attacks::{self, ATTACKS_FILE, each_record, read_records};
use fissure_kit::outputs::Inputs;
use fissure_kit::{classes, data, own_parts, resources, resume};
use texts::Victim;

/// Texts attacked at a time: enough to keep the threads busy, few enough that little is lost when it is stopped.
const BATCH: usize = 64;

pub fn run(args: &args::Attack, ui: Ui) -> Result<()> {
    own_parts::add(&args.parts_file)?;
    // A run to replay may be named by its directory.
    let folder = args.replay.as_deref().map(Path::new).filter(|place| place.is_dir());
    let of_folder = folder.map(|folder| folder.join(ATTACKS_FILE).display().to_string());
    let with_file = of_folder.map(|file| args::Attack { replay: Some(file), ..args.clone() });
    let args = with_file.as_ref().unwrap_or(args);
    let names: Vec<&str> = args.recipe.as_deref().unwrap_or_default().split(',').map(str::trim).collect();
    if names.len() < 2 {
        let replaced = in_the_way(args, &[])?;
        return run_one(&args::Attack { replaced, ..args.clone() }, ui);
    }
    // Several recipes: a run each, in a directory of its own. All are read before the first begins.
    let out = args.out.as_ref().ok_or(Error::SeveralAttacks)?;
    let runs: Vec<args::Attack> = names
        .iter()
        .map(|name| {
            let own = Path::new(name).file_stem().map_or_else(|| out.clone(), |stem| out.join(stem));
            args::Attack { recipe: Some((*name).to_owned()), out: Some(own), ..args.clone() }
        })
        .collect();
    if let Some(at) = (1..runs.len()).find(|at| runs[..*at].iter().any(|one| one.out == runs[*at].out)) {
        let place = runs[at].out.as_deref().unwrap_or(Path::new("")).display().to_string();
        return Err(Error::AttackTwice { name: names[at].into(), place });
    }
    let folder = |run: &args::Attack| Some(run.out.as_ref()?.file_name()?.to_str()?.to_owned());
    let together: Vec<String> = runs.iter().filter_map(folder).collect();
    let runs = check_needs(&runs)?;
    let mut replaced = in_the_way(args, &together)?;
    for one in runs {
        let one = args::Attack { together: together.clone(), replaced: std::mem::take(&mut replaced), ..one };
        match run_one(&one, ui) {
            // The others may not be.
            Err(Error::Kit(done @ fissure_kit::Error::Complete { .. })) => ui::note(&done.to_string()),
            done => done?,
        }
    }
    Ok(())
}

/// The earlier attacks in the directory that would be taken for some of this command's: --force replaces them, nothing else does.
fn in_the_way(args: &args::Attack, names: &[String]) -> Result<Vec<PathBuf>> {
    let Some(out) = &args.out else { return Ok(Vec::new()) };
    let found = attacks::in_the_way(out, names)?;
    match found.first() {
        Some(one) if !args.go_on.force => Err(Error::OtherAttacks {
            place: out.display().to_string(),
            one: one.join(ATTACKS_FILE).display().to_string(),
        }),
        _ => Ok(found),
    }
}

/// Reads all recipes, and refuses one that lacks what a flag would give, before the first runs. Of what the user leaves out with `--without` each
/// gets what it uses.
fn check_needs(runs: &[args::Attack]) -> Result<Vec<args::Attack>> {
    let recipes = runs.iter().map(recipe).collect::<Result<Vec<_>>>()?;
    let mut unused: Vec<&String> = runs.first().map_or_else(Vec::new, |args| args.without.iter().collect());
    let mut own = Vec::new();
    for (args, recipe) in runs.iter().zip(&recipes) {
        let needs = recipe.as_ref().map_or_else(|| Ok(Vec::new()), Recipe::needs)?;
        let mut without = Vec::new();
        for name in &args.without {
            let resource = Resource::find(name)?;
            if needs.iter().any(|(_, need)| *need == resource) {
                unused.retain(|other| *other != name);
                without.push(name.clone());
            }
        }
        let flags = |need: Resource| match need {
            Resource::Encoder => args.encoder.is_some(),
            Resource::MaskedModel => args.language_model.is_some(),
            Resource::Gradients | Resource::Additive => !is_remote(&args.model),
            // Everything else is known without a flag, or only when the model is open.
            _ => true,
        };
        if let Some(recipe) = recipe {
            let left_out =
                without.iter().map(|name| Resource::find(name)).collect::<fissure_attacks::Result<Vec<_>>>()?;
            recipe.check_needs(&left_out, args.candidates.is_some(), flags)?;
        }
        own.push(args::Attack { without, ..args.clone() });
    }
    match unused.first() {
        Some(name) => Err(Error::NoneUses { name: (*name).clone() }),
        None => Ok(own),
    }
}

/// Whether a directory holds everything that an attack writes.
pub fn is_complete(out: &Path) -> bool {
    results::files().all(|name| out.join(name).exists())
}

fn run_one(args: &args::Attack, ui: Ui) -> Result<()> {
    let files = [
        &args.encoder,
        &args.language_model,
        &args.vectors,
        &args.synonyms,
        &args.candidates,
        &args.replay,
        &args.remote.prompt,
    ];
    let inputs = Inputs::of(&args.data).and([&args.model]).and(files.into_iter().flatten()).and(&args.recipe);
    let own = ResourceFiles { parts_file: args.parts_file.clone(), ..ResourceFiles::default() };
    let inputs = inputs.and_resources(&own);
    let place = |name: &str| args.out.as_ref().map(|out| out.join(name));
    let lines = place(ATTACKS_FILE);
    let made: Vec<PathBuf> = results::files().filter_map(|name| place(&name)).collect();
    inputs.check(made.iter().map(PathBuf::as_path), Existing::forced(args.go_on.force || args.go_on.resume))?;
    let complete = match inputs.check_resumable(lines.as_deref(), args.go_on.begin()) {
        // Stopped after the last attack, before all that is made of them was written.
        Err(fissure_kit::Error::Complete { .. }) if made.iter().any(|path| !path.exists()) => {
            lines.as_deref().map(summary_of).transpose()?
        }
        checked => checked.map(|()| None)?,
    };
    let task = data::task(&args.data)?;
    let recipe = recipe_for(args, task)?;
    let victim = Victim::open(args, task)?;
    let target = Target::for_task(&*victim.respondent, task);
    if !target.gives_probabilities() && !target.answers_otherwise() {
        return Err(AttackError::NoProbabilities.into());
    }
    if target.answers_otherwise() && (args.target.is_some() || args.weakest.is_some() || args.replay.is_some()) {
        classes::classified(task)?;
    }
    let mut opened = None;
    let wanted = match &args.target {
        None => None,
        Some(label) => match target.labels().iter().position(|known| known == label) {
            Some(class) => Some(class),
            // Perhaps as the data call it, whose labels were matched with those of the model.
            None => {
                let known = || AttackError::NoLabel { label: label.clone(), known: target.labels().join(", ") };
                let texts = victim.texts(args)?;
                let class = texts.class(label).ok_or_else(known)?;
                opened = Some(texts);
                Some(class)
            }
        },
    };
    let options = Options {
        seed: args.seed,
        budget: args.budget.unwrap_or(usize::MAX),
        target: wanted,
        max_words: args.max_words.unwrap_or(Options::MAX_WORDS),
    };
    let method = Method::new(args, recipe.as_ref(), &target, options, (task, &victim))?;
    method.announce(args);
    if let Some(summary) = complete {
        return conclude(args, task, &method, &summary, ui);
    }
    let mut samples = opened.map_or_else(|| victim.texts(args), Ok)?;
    let mut next = samples.next_batch()?;
    if next.is_none() {
        samples.report_rows();
        return Err(fissure_kit::Error::NoSamples { files: args.data.files.join(" ") }.into());
    }
    if let Some(first) = &next {
        method.check_samples(args, first)?;
        if let Some(given) = method.given() {
            refuse_strangers(args, given, first)?;
        }
    }
    if !args.brief {
        samples.announce();
    }
    let printed = args::Attack {
        out: None,
        go_on: GoOn::default(),
        model: public(&args.model),
        together: Vec::new(),
        replaced: Vec::new(),
        ..args.clone()
    };
    let used = files.into_iter().flatten().chain(&args.recipe).cloned().chain(resume::used(&own, Some(&args.model)));
    let settings = resume::settings(&format!("{printed:?} {recipe:?}"), used)?;
    for earlier in &args.replaced {
        attacks::remove_run(earlier)?;
        ui::note(&format!("the earlier attack in {} was removed (--force)", earlier.display()));
    }
    if let Some(out) = &args.out {
        fs::create_dir_all(out).map_err(Error::writing(out.display().to_string()))?;
    }
    let (mut run, mut out) = data::lines(lines.as_deref(), args.go_on.begin(), settings)?;
    let mut progress = Progress::new("texts", args.data.limit.map(|limit| limit as u64));
    let mut summary: Summary = run.counts().unwrap_or_default();
    while let Some(mut batch) = next {
        method.check_samples(args, &batch)?;
        batch.drain(..run.done_of(&batch)?);
        while !batch.is_empty() {
            // Texts remember what was worked out about them, so they are let go once they were attacked.
            let batch: Vec<Sample> = batch.drain(..BATCH.min(batch.len())).collect();
            let gold = samples.gold(&batch);
            let seen = method.each(&target, &batch, &gold, |at, mut record| {
                if target.answers_otherwise() {
                    record.row = results::row_of(task, &record, &batch[at]);
                }
                serde_json::to_writer(&mut out, &record)
                    .map_err(|error| Error::writing("the attacks")(error.into()))?;
                writeln!(out).map_err(Error::writing("the attacks"))?;
                summary.add(&record);
                run.wrote(&batch[at], &mut out, &summary)?;
                progress.add(1);
                Ok(())
            });
            // What was found before a model failed is kept.
            run.batch_ends(&mut out, &summary)?;
            seen?;
        }
        next = samples.next_batch()?;
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    conclude(args, task, &method, &summary, ui)?;
    samples.report_rows();
    Ok(())
}

/// Writes and shows what all attacks came to.
fn conclude(args: &args::Attack, task: &Task, method: &Method, summary: &Summary, ui: Ui) -> Result<()> {
    let mut found = results::of_run(args, task.name(), method, summary);
    if let Some(folder) = &args.out {
        results::write(folder, &mut found, args.go_on.force)?;
    }
    if ui.json {
        let found = serde_json::json!(found).to_string();
        // Without --out the attacks themselves go to standard output.
        if args.out.is_some() {
            return ui::print(&format!("{found}\n")).map_err(Error::writing("standard output"));
        }
        ui::note(&found);
        return Ok(());
    }
    if args.brief {
        return Ok(());
    }
    ui::note(&results::shown(&found.finding));
    if let Some(why) = &summary.refusal {
        ui::note(&ui::wrapped(&format!("the first text that the model could not answer: {why}"), ""));
    }
    if found.finding.attacked == 0 {
        ui::note("no text was attacked, so nothing is known of how the model withstands it");
    }
    if summary.attacked() > 0 && summary.tried() == 0 {
        let empty = "No text has a candidate that the limits of the attack allow, so nothing is known of how the model withstands it. A \
                     larger table of near words is given with --vectors or --synonyms.";
        ui::note(&ui::wrapped(empty, ""));
    }
    if let Some(folder) = &args.out {
        ui::note(&report_of(folder));
    }
    if args.out.is_some() && found.finding.succeeded > 0 {
        let unread =
            "The broken texts keep the labels of their originals; whether a reader would agree was not checked.";
        ui::note(&ui::wrapped(unread, ""));
    }
    Ok(())
}

/// What the attacks of a whole file came to.
fn summary_of(path: &Path) -> Result<Summary> {
    let mut summary = Summary::default();
    each_record(path, |record| summary.add(&record))?;
    Ok(summary)
}

/// Refuses candidates for other samples: an attack without any would look like a model that withstands it.
fn refuse_strangers(args: &args::Attack, given: &Given, batch: &[Sample]) -> Result<()> {
    if batch.is_empty() || batch.iter().any(|sample| given.has(&sample.id)) {
        return Ok(());
    }
    let place = args.candidates.clone().unwrap_or_default();
    let why = format!(
        "none of its ids ({}) is that of one of the first {} (such as `{}`); name the column with the same ids with --id",
        given.some_ids(),
        counted(batch.len(), "sample"),
        batch[0].id
    );
    Err(Error::AttackFile { place, flag: "candidates", why })
}

/// What is done with a text.
enum Method {
    Attack(Box<Attack>, Options, Option<HashSet<String>>),
    /// The attacks that another run found, by the ids of their texts.
    Replay(HashMap<String, Record>),
}

impl Method {
    fn new(
        args: &args::Attack,
        recipe: Option<&Recipe>,
        target: &Target<'_>,
        options: Options,
        (task, victim): (&'static Task, &Victim),
    ) -> Result<Self> {
        match (recipe, &args.replay) {
            (Some(recipe), _) => {
                let attack = build(args, recipe, target, task)?;
                attack.check(target, &options)?;
                let weakest = args.weakest.map(|count| weakest(args, count, target, victim)).transpose()?;
                Ok(Self::Attack(Box::new(attack), options, weakest))
            }
            (None, Some(file)) => {
                let records = read_records(Path::new(file))?;
                Ok(Self::Replay(records.into_iter().map(|record| (record.id.clone(), record)).collect()))
            }
            (None, None) => {
                Err(AttackError::BadRecipe { place: "--recipe".into(), why: "none was given".into() }.into())
            }
        }
    }

    /// What comes of each text, in their order, as soon as it and all before it are done.
    fn each(
        &self,
        target: &Target<'_>,
        samples: &[Sample],
        gold: &[Option<usize>],
        mut see: impl FnMut(usize, Record) -> Result<()> + Send,
    ) -> Result<()> {
        match self {
            Self::Attack(attack, options, None) => attack_each(attack, target, samples, gold, *options, see),
            Self::Attack(attack, options, Some(weakest)) => {
                let chosen: Vec<usize> = (0..samples.len()).filter(|at| weakest.contains(&samples[*at].id)).collect();
                let texts: Vec<Sample> = chosen.iter().map(|at| samples[*at].clone()).collect();
                let right: Vec<Option<usize>> = chosen.iter().map(|at| gold[*at]).collect();
                let mut next = 0;
                let mut pass = |to: usize, see: &mut dyn FnMut(usize, Record) -> Result<()>| -> Result<()> {
                    (next..to).try_for_each(|at| see(at, Record::skipped(&samples[at], "not among the weakest")))?;
                    next = to + 1;
                    Ok(())
                };
                attack_each(attack, target, &texts, &right, *options, |at, record| {
                    pass(chosen[at], &mut see)?;
                    see(chosen[at], record)
                })?;
                pass(samples.len(), &mut see)
            }
            Self::Replay(found) => samples.iter().zip(gold).enumerate().try_for_each(|(at, (sample, gold))| {
                let record = match found.get(&sample.id) {
                    Some(record) => replay(record, target, sample, *gold)?,
                    None => Record::skipped(sample, "not among the attacks that are replayed"),
                };
                see(at, record)
            }),
        }
    }

    /// Says which limits hold for candidates that the user gave: what is proved is proved of those that they leave.
    fn announce(&self, args: &args::Attack) {
        let (Self::Attack(attack, ..), Some(_), false) = (self, &args.candidates, args.brief) else { return };
        let names: Vec<&str> = attack.constraints.iter().map(|constraint| constraint.name).collect();
        if !names.is_empty() {
            ui::note(&format!(
                "the limits of {} hold for the candidates too, and leave out what breaks them: {}. A recipe of your own without them takes \
                 all",
                attack.name,
                names.join(", ")
            ));
        }
    }

    /// Refuses samples that the attack cannot handle, and candidates whose ranges do not fit their texts: a place that is left out would
    /// make an attack weaker, and a proof one of less than was asked for.
    fn check_samples(&self, args: &args::Attack, samples: &[Sample]) -> Result<()> {
        let Self::Attack(attack, ..) = self else { return Ok(()) };
        attack.check_samples(samples)?;
        let Some(given) = self.given() else { return Ok(()) };
        let place = || args.candidates.clone().unwrap_or_default();
        let bad = |why| Error::AttackFile { place: place(), flag: "candidates", why };
        samples.iter().try_for_each(|sample| given.check(sample)).map_err(bad)
    }

    /// The candidates that the user gave, if the attack uses them.
    fn given(&self) -> Option<&Given> {
        match self {
            Self::Attack(attack, ..) => attack.resources.given.as_deref(),
            Self::Replay(_) => None,
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Attack(attack, ..) => attack.name.clone(),
            Self::Replay(_) => "replay".into(),
        }
    }
}

/// The ids of the texts whose right answer leads least. All texts are read and asked about once.
fn weakest(args: &args::Attack, count: usize, target: &Target<'_>, victim: &Victim) -> Result<HashSet<String>> {
    if args.data.is_input() {
        return Err(fissure_kit::Error::InputTwice.into());
    }
    let mut samples = victim.texts(args)?;
    let mut all: Vec<(f64, String)> = Vec::new();
    while let Some(batch) = samples.next_batch()? {
        let found = leads(target, &batch, &samples.gold(&batch))?;
        all.extend(batch.into_iter().zip(found).filter_map(|(sample, lead)| Some((lead?, sample.id))));
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        all.truncate(count);
    }
    Ok(all.into_iter().map(|(_, id)| id).collect())
}

/// The recipe by its name, or the file of that path; none for a replay.
fn recipe(args: &args::Attack) -> Result<Option<Recipe>> {
    let Some(name) = &args.recipe else { return Ok(None) };
    let path = Path::new(name);
    let mut recipe = if path.extension().is_some_and(|ending| ending == "toml") {
        let text = fs::read_to_string(path).map_err(Error::reading(name.clone()))?;
        Recipe::parse(&text, name)?
    } else {
        Recipe::builtin(name)?
    };
    recipe.shrink &= !args.no_shrink;
    if args.target.is_some() {
        recipe.set_goal("targeted")?;
    }
    if let Some(goal) = &args.goal {
        recipe.set_goal(goal)?;
    }
    Ok(Some(recipe))
}

/// The recipe for a task. Where every word carries a tag of its own, a new word must be one of the same kind.
fn recipe_for(args: &args::Attack, task: &Task) -> Result<Option<Recipe>> {
    let mut recipe = recipe(args)?;
    if let Some(recipe) = &mut recipe
        && task.facts.labels == LabelKind::Tokens
        && recipe.keep_parts_of_speech()
    {
        ui::note(&format!(
            "{}: with the constraint part_of_speech (strict=true), so that the tags stay right",
            recipe.name
        ));
    }
    Ok(recipe)
}

fn build(args: &args::Attack, recipe: &Recipe, target: &Target<'_>, task: &Task) -> Result<Attack> {
    let files = ResourceFiles {
        encoder: args.encoder.clone(),
        language_model: args.language_model.clone(),
        vectors: args.vectors.clone(),
        ..ResourceFiles::default()
    };
    let resources = AttackResources {
        for_parts: resources::open(&files, &args.data)?,
        synonyms: read(args.synonyms.as_ref(), "synonyms", Synonyms::read)?,
        given: read(args.candidates.as_ref(), "candidates", Given::read)?,
        gradients: target.shows_gradients(),
        additive: target.is_additive(),
        texts: task.answers == Answers::Text,
    };
    let without = args.without.iter().map(|name| Resource::find(name)).collect::<fissure_attacks::Result<Vec<_>>>()?;
    Ok(recipe.build(resources, &without)?)
}

/// A file of the user's, if one was given.
fn read<T>(
    path: Option<&String>,
    flag: &'static str,
    parse: impl FnOnce(BufReader<File>) -> std::result::Result<T, String>,
) -> Result<Option<Arc<T>>> {
    let Some(path) = path else { return Ok(None) };
    let file = File::open(PathBuf::from(path)).map_err(Error::reading(path.clone()))?;
    let bad = |why| Error::AttackFile { place: path.clone(), flag, why };
    Ok(Some(Arc::new(parse(BufReader::new(file)).map_err(bad)?)))
}
