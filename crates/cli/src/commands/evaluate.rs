//! `fissure evaluate`: from a model and a data set to findings one can trust.

mod attacked;
pub mod plan;
mod summary;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fissure_evaluate::{OpenData, PreciseProgress, Prepared, RunConfig, read_asked};
use fissure_kit::evaluation::{self, Asking, FreeFolder, Ledger};
use fissure_kit::{paths, stop};

use crate::args;
use crate::ui::{self, Progress, Ui};
use crate::{Error, Result, catalog};

pub fn run(args: &args::Evaluate, ui: Ui) -> Result<()> {
    // Taken at once, so that a run that is begun at the same time takes another.
    let mut own = None;
    let (config, shard, folder) = match &args.resume {
        Some(folder) => {
            let folder = paths::go_where_it_began(folder)?;
            let (config, shard) = evaluation::resumed_config(&folder, args.config.model.as_deref())?;
            (config, shard, folder)
        }
        None => (
            read_config(args.config_file.as_deref(), &args.config)?,
            args.shard,
            match &args.out {
                Some(folder) => folder.clone(),
                None if args.dry_run => FreeFolder::next(),
                None => own.insert(FreeFolder::take()?).path().to_owned(),
            },
        ),
    };
    if args.resume.is_none() {
        evaluation::ensure_free(&config, &folder)?;
    }
    let open = evaluation::data_source(&config, &folder, args.dry_run)?;
    let (mut prepared, asking) = evaluation::prepare(config, &open, (&args.patience, args.rate), args.dry_run)?;
    prepared.header.shard = shard;
    let attacks = attacked::Set::of(&prepared);
    match &attacks {
        Some(Ok(set)) => ui::note(&set.line()),
        Some(Err(why)) => ui::note(&format!("no attacks: {why}")),
        None => {}
    }
    if args.dry_run {
        let cost = asking.remote.as_ref().map(|options| plan::cost(&prepared, options, args.patience.price));
        return plan::show(&prepared, cost.as_ref(), ui);
    }
    let header_config = prepared.header.config.clone();
    let mut ledger = Ledger::open(&folder, asking.remote.as_ref(), args.patience.price)?;
    prepared.header.from = paths::from(&folder);
    if prepared.header.plan.precision.is_some() {
        return precisely(&prepared, &folder, &open, args.resume.is_some(), &asking, &mut ledger, ui);
    }
    // A forecast is calibrated first, which takes a while with a large model.
    let calibrating = Progress::asking("", None, Arc::clone(&asking.asked), None);
    let run = match &args.resume {
        Some(_) => prepared.resume(&folder, &open)?,
        None => prepared.start(&folder, &open)?,
    };
    calibrating.finish();
    ledger.begin()?;
    ui::note(&plan::line(&prepared));
    catalog::left_out().iter().for_each(|left_out| ui::note(left_out));
    ui::note(&plan::labels(&prepared));
    let goes_on = evaluation::resume_command(&prepared, &folder);
    if let Some(damage) = run.damage() {
        let left = prepared.samples() - run.done();
        ui::note(&format!(
            "the run file is damaged at line {} ({}); it is kept as {}. {} of {} samples are asked again: at most {} \
             questions",
            damage.line,
            damage.why,
            damage.kept.display(),
            left,
            prepared.samples(),
            prepared.plan.calls(left),
        ));
    }
    ui::note(&format!("if it is stopped, {goes_on} goes on"));
    stop::say(format!("stopped: what was answered is kept in {}. Continue with\n  {goes_on}", folder.display()));
    let windows = evaluation::Windows::of(&prepared, &args.patience);
    let samples = prepared.samples();
    let expected = prepared.plan.calls(samples - run.done().min(samples)) as u64;
    let mut progress = Progress::asking("samples", Some(samples as u64), Arc::clone(&asking.asked), Some(expected));
    progress.resumed(run.done() as u64);
    let done = evaluation::complete(run, windows, &mut |done, end| {
        progress.add(done as u64);
        ledger.write(end)
    });
    progress.finish();
    done.inspect_err(|error| say_kept(error, &goes_on))?;
    match shard {
        None => {
            if let Some(Ok(set)) = attacks {
                set.run(&header_config, args, &folder, ui)?;
            }
            print_results(&folder, ui)
        }
        Some(shard) => {
            ui::note(&format!(
                "piece {shard} is complete. When all {} are, `fissure merge DIR... --out DIR` makes the run of them",
                shard.of()
            ));
            ui::print(&format!("{}\n", folder.display())).map_err(Error::writing("standard output"))
        }
    }
}

/// How to go on with a run that ended with an error, unless nobody should.
fn say_kept(error: &fissure_kit::Error, goes_on: &str) {
    if !error.is_of_answers() {
        ui::note(&format!("what was done is kept: {goes_on} goes on"));
    }
}

/// A run that asks only what its intervals need.
fn precisely(
    prepared: &Prepared,
    folder: &Path,
    open: &OpenData<'_>,
    resume: bool,
    asking: &Asking,
    ledger: &mut Ledger<'_>,
    ui: Ui,
) -> Result<()> {
    prepared.check_precision().map_err(fissure_kit::Error::from)?;
    ui::note(&plan::line(prepared));
    ui::note(&plan::labels(prepared));
    let goes_on = evaluation::resume_command(prepared, folder);
    ui::note(&format!("if it is stopped, {goes_on} goes on"));
    stop::say(format!("stopped: what was answered is kept in {}. Continue with\n  {goes_on}", folder.display()));
    let wanted = prepared.header.plan.precision.as_ref().map_or(1.0, |plan| plan.precision);
    let mut progress = Progress::asking("samples", None, Arc::clone(&asking.asked), None);
    let done = evaluation::complete_precisely(prepared, folder, open, resume, &mut |told| {
        match told {
            PreciseProgress::Samples(count, end) => {
                progress.add(count as u64);
                ledger.write(end)?;
            }
            PreciseProgress::Damaged(damage) => ui::note(&format!(
                "the answers so far are damaged at line {} ({}); they are kept as {}, and what follows that line is asked again",
                damage.line,
                damage.why,
                damage.kept.display(),
            )),
            PreciseProgress::Look { part, half_width, questions, of, done } => ui::note(&format!(
                "{part}: within {:.2} points after {questions} questions about {of} texts{}",
                100.0 * half_width,
                match (done, half_width > wanted) {
                    (false, _) => "; asking more".to_owned(),
                    (true, true) => format!(
                        "; wider than the {:.2} wanted, but the budget is spent or this was the last look",
                        100.0 * wanted
                    ),
                    (true, false) => String::new(),
                }
            )),
        }
        Ok(())
    });
    progress.finish();
    ledger.write(true)?;
    done.inspect_err(|error| say_kept(error, &goes_on))?;
    print_results(folder, ui)
}

/// Writes the findings and the report of a complete run, and shows what was found.
pub fn print_results(folder: &Path, ui: Ui) -> Result<()> {
    let found = evaluation::write_results(folder)?;
    let attacks = fissure_kit::attacks::beside(folder)?;
    summary::show(&found, ui);
    if !ui.json {
        attacked::show(&attacks);
    }
    if let Some(file) = read_asked(folder)?.filter(|_| !ui.json) {
        ui::note(&format!("\n{}", file.summary()));
    }
    ui::print(&format!("{}\n", folder.display())).map_err(Error::writing("standard output"))?;
    if !ui.json {
        summary::show_words(&found, attacked::in_words(&attacks), folder);
    }
    match found.nothing_answered() {
        Some((questions, why)) => {
            let (model, why) = (found.about.model.name.clone(), why.to_owned());
            Err(Error::NothingAnswered { model, questions, why })
        }
        None => Ok(()),
    }
}

/// What the user asked for: the file, overruled by the flags.
pub fn read_config(file: Option<&Path>, flags: &RunConfig) -> Result<RunConfig> {
    let file = match file {
        None => RunConfig::default(),
        Some(path) => {
            let place = path.display().to_string();
            let text = fs::read_to_string(path).map_err(Error::reading(place.clone()))?;
            RunConfig::from_toml(&text).map_err(|source| Error::Config { place, source })?
        }
    };
    let mut config = file.with_flags(flags.clone());
    // A task goes by one name in a run, whatever the user calls it.
    config.data.task =
        config.data.task.as_deref().map(fissure_tasks::find).transpose()?.map(|task| task.name().to_owned());
    if config.model.is_none() {
        return Err(Error::NotSaid { what: "a model", flag: "--model" });
    }
    if config.data.files.is_empty() {
        return Err(Error::NotSaid { what: "data", flag: "--data" });
    }
    Ok(config)
}
