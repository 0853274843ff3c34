//! `fissure attack`: small changes of texts that turn a model's answer, as JSON lines and a table.

use std::fs::{self, File};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fissure_ask::LocalClassifier;
use fissure_attacks::{
    Attack, Error as AttackError, Given, Options, Recipe, Resource, Resources, Summary, Synonyms, Target, attack_all,
};
use fissure_data::{Existing, draft};
use fissure_models::remote::public;
use fissure_statistics::Estimate;
use serde_json::{Value, json};

use crate::args::{self, GoOn, Help};
use crate::commands::outputs::Inputs;
use crate::commands::remote::Asking;
use crate::commands::{data, examples, labels, lend, resume};
use crate::ui::{self, Progress, Ui, table};
use crate::{Error, Result};

/// Texts attacked at a time: enough to keep the threads busy, few enough that little is lost when it is stopped.
const BATCH: usize = 64;

pub fn run(args: &args::Attack, ui: Ui) -> Result<()> {
    let files = [&args.encoder, &args.language_model, &args.vectors, &args.synonyms, &args.candidates];
    let inputs = Inputs::of(&args.data).and([&args.model, &args.recipe]).and(files.into_iter().flatten());
    let place = |name: &str| args.out.as_ref().map(|out| out.join(name));
    let (lines, numbers) = (place("attacks.jsonl"), place("summary.json"));
    inputs.check_resumable(lines.as_deref(), args.go_on)?;
    inputs.check_resumable(numbers.as_deref(), args.go_on)?;
    let task = examples::classified(data::task(&args.data)?)?;
    let recipe = recipe(args)?;
    let asking = Asking::open(&args.model, &args.data, &args.remote, args.max_length)?;
    let model = Arc::clone(&asking.model);
    let respondent = LocalClassifier::of(&public(&args.model), None, Arc::clone(&model));
    let target = Target::new(&respondent);
    if !target.gives_probabilities() {
        return Err(AttackError::NoProbabilities.into());
    }
    let attack = build(args, &recipe, &target)?;
    let options = Options {
        seed: args.seed,
        budget: args.budget.unwrap_or(usize::MAX),
        target: args.target.as_deref().map(|label| wanted(label, target.labels())).transpose()?,
    };
    let (mut samples, map) = labels::Stream::open(&args.data, task, &*model, &args.labels)?;
    labels::tell("the data", &map, ui);
    if let Some(out) = &args.out {
        fs::create_dir_all(out).map_err(Error::writing(out.display().to_string()))?;
    }
    let printed = args::Attack { out: None, go_on: GoOn::default(), model: public(&args.model), ..args.clone() };
    let used = files.into_iter().flatten().map(String::as_str).chain([&*args.model, &*args.recipe]);
    let settings = resume::settings(&format!("{printed:?} {recipe:?}"), used)?;
    let (mut run, mut out) = data::lines(lines.as_deref(), args.go_on, settings)?;
    let mut progress = Progress::new("texts", args.data.limit.map(|limit| limit as u64));
    let mut summary: Summary = run.counts().unwrap_or_default();
    while let Some(batch) = samples.next()? {
        let done = run.done_of(&batch)?;
        for batch in batch[done..].chunks(BATCH) {
            let gold = examples::gold(&map, batch);
            let records = attack_all(&attack, &target, batch, &gold, options)?;
            for (sample, record) in batch.iter().zip(records) {
                serde_json::to_writer(&mut out, &record)
                    .map_err(|error| Error::writing("the attacks")(error.into()))?;
                writeln!(out).map_err(Error::writing("the attacks"))?;
                summary.add(&record);
                run.wrote(sample, &mut out, &summary)?;
            }
            progress.add(batch.len() as u64);
        }
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    let numbers_json = in_json(&attack, &args.model, &summary);
    if let Some(place) = numbers {
        let existing = Existing::forced(args.go_on.force || args.go_on.resume);
        draft::write(&place, format!("{numbers_json:#}\n").as_bytes(), existing)?;
    }
    ui::note(&if ui.json { numbers_json.to_string() } else { shown(&attack, &summary) });
    samples.report_bad_rows();
    Ok(())
}

/// The recipe by its name, or the file of that path.
fn recipe(args: &args::Attack) -> Result<Recipe> {
    let path = Path::new(&args.recipe);
    let mut recipe = if path.extension().is_some_and(|ending| ending == "toml") {
        let text = fs::read_to_string(path).map_err(Error::reading(args.recipe.clone()))?;
        Recipe::parse(&text, &args.recipe)?
    } else {
        Recipe::builtin(&args.recipe)?
    };
    recipe.shrink &= !args.no_shrink;
    if args.target.is_some() {
        recipe.goal = [("use".to_owned(), "targeted".into())].into_iter().collect();
    }
    Ok(recipe)
}

fn build(args: &args::Attack, recipe: &Recipe, target: &Target<'_>) -> Result<Attack> {
    let help = Help {
        encoder: args.encoder.clone(),
        language_model: args.language_model.clone(),
        vectors: args.vectors.clone(),
        ..Help::default()
    };
    let resources = Resources {
        aids: lend::help(&help, &args.data)?,
        synonyms: read(args.synonyms.as_ref(), "synonyms", Synonyms::read)?,
        given: read(args.candidates.as_ref(), "candidates", Given::read)?,
        gradients: target.shows_gradients(),
        additive: target.is_additive(),
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

fn wanted(label: &str, known: &[String]) -> Result<usize> {
    let missing = || AttackError::NoLabel { label: label.into(), known: known.join(", ") };
    Ok(known.iter().position(|name| name == label).ok_or_else(missing)?)
}

fn in_json(attack: &Attack, model: &str, summary: &Summary) -> Value {
    let (share, words, at_first) = summary.changed().unzip3();
    json!({
        "fissure": env!("CARGO_PKG_VERSION"), "attack": attack.name, "model": public(model), "used": attack.used,
        "attacked": summary.attacked(), "succeeded": summary.succeeded, "failed": summary.reasons,
        "skipped": summary.skipped, "accuracy_before": summary.accuracy_before(),
        "accuracy_under_attack": summary.accuracy_under_attack(), "success": summary.success(),
        "certified": summary.certified_share(), "questions": summary.questions(), "asked": summary.asked(),
        "inputs": summary.inputs(), "backward": summary.backward(), "share_of_words": share, "words_changed": words,
        "words_changed_before_shrinking": at_first,
    })
}

/// Three options of one.
trait Unzip3 {
    fn unzip3(self) -> (Option<f64>, Option<f64>, Option<f64>);
}

impl Unzip3 for Option<(f64, f64, f64)> {
    fn unzip3(self) -> (Option<f64>, Option<f64>, Option<f64>) {
        (self.map(|all| all.0), self.map(|all| all.1), self.map(|all| all.2))
    }
}

fn shown(attack: &Attack, summary: &Summary) -> String {
    let percent = |share: Option<Estimate>| {
        share.map_or_else(
            || "not measured".to_owned(),
            |e| format!("{:.1} % ({:.1} to {:.1})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high),
        )
    };
    let counted = |counts: &std::collections::BTreeMap<String, usize>| {
        counts.iter().map(|(why, count)| format!("{count} {why}")).collect::<Vec<_>>().join(", ")
    };
    let number = |x: Option<f64>| x.map_or_else(|| "not measured".to_owned(), |x| format!("{x:.1}"));
    let mut rows = vec![
        ("attack", attack.name.clone()),
        ("accuracy before", percent(summary.accuracy_before())),
        ("accuracy under attack", percent(summary.accuracy_under_attack())),
        ("success", format!("{} = {} of {}", percent(summary.success()), summary.succeeded, summary.attacked())),
    ];
    if summary.certified > 0 {
        let certified = percent(summary.certified_share());
        rows.push(("certified", format!("{certified} = {} of {}", summary.certified, summary.attacked())));
    }
    if let Some(spread) = summary.questions() {
        let words = format!("{:.1} a text, median {}, 95 % at most {}", spread.mean, spread.median, spread.p95);
        rows.push(("questions", words));
    }
    rows.push(("asked, with repetitions", number(summary.asked())));
    if summary.inputs().is_some_and(|inputs| inputs > 0.0) {
        rows.push(("different inputs", number(summary.inputs())));
    }
    if summary.backward().is_some_and(|passes| passes > 0.0) {
        rows.push(("backward passes", number(summary.backward())));
    }
    if let Some((share, words, at_first)) = summary.changed() {
        let shrunk = format!("{words:.2} ({:.1} % of the words); before shrinking {at_first:.2}", 100.0 * share);
        rows.push(("words changed", shrunk));
    }
    for (what, counts) in [("failed", &summary.reasons), ("not attacked", &summary.skipped)] {
        if !counts.is_empty() {
            rows.push((what, counted(counts)));
        }
    }
    for used in &attack.used {
        rows.push(("used", (*used).to_owned()));
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect();
    format!("{}\n  intervals hold 95 % of the time (Wilson)", table(&[], &rows))
}
