//! One module for each command.

mod attack;
mod builtin;
mod compare;
mod completions;
mod conclusion;
mod demo;
mod evaluate;
mod experiment;
mod explain;
mod explore;
mod forecast;
mod gate;
mod generate;
mod licences;
mod list;
mod man;
mod merge;
mod predict;
mod repair;
mod report;
mod score;
mod slice;
mod train;
mod transform;
mod trigger;
mod words;

pub use builtin::TRIED;
pub use explore::{Closer, open as open_page};

use fissure_kit::resources::check_programs;
use fissure_kit::stop;

use crate::args::{Args, Command};
use crate::{Result, notices, signals, ui};

/// Does what the user asked for, and gives the exit code.
pub fn run(args: &Args) -> Result<u8> {
    // The page has its own way to end.
    if !matches!(args.command, Command::Explore(_)) {
        signals::watch();
    }
    if let Some(threads) = args.threads {
        // Fails only where a pool is there already, and nothing has started one before this line.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    embedded(args)
}

/// The same inside another program, which has signals and threads of its own.
pub fn embedded(args: &Args) -> Result<u8> {
    let ui = ui::Ui { json: args.json };
    notices::show(args.json);
    dispatch(args, ui).map_err(|error| {
        // A model that cannot be asked any further says so in words; why is known to its program.
        let error = match check_programs() {
            Err(fault) if fault.is_of_answers() => fault.into(),
            _ => error,
        };
        if error.is_of_answers() {
            stop::discard();
        }
        error
    })
}

fn dispatch(args: &Args, ui: ui::Ui) -> Result<u8> {
    match &args.command {
        Command::Demo(demo) => demo::run(demo, ui),
        Command::List(list) => list::run(list, ui),
        Command::Explain(explain) => explain::run(explain, ui),
        Command::Transform(transform) => transform::run(transform, ui),
        Command::Generate(generate) => generate::run(generate, ui),
        Command::Slice(slice) => slice::run(slice, ui),
        Command::Forecast(forecast) => forecast::run(forecast, ui),
        Command::Score(score) => score::run(score, ui),
        Command::Words(words) => words::run(words, ui),
        Command::Compare(compare) => compare::run(compare, ui),
        Command::Explore(explore) => explore::run(explore, ui),
        Command::Evaluate(evaluate) => evaluate::run(evaluate, ui),
        Command::Merge(merge) => merge::run(merge, ui),
        Command::Attack(attack) => attack::run(attack, ui),
        Command::Trigger(trigger) => trigger::run(trigger, ui),
        Command::Train(train) => train::run(train, ui),
        Command::Predict(predict) => predict::run(predict, ui),
        Command::Report(report) => report::run(report, ui),
        Command::Repair(repair) => repair::run(repair, ui),
        Command::Gate(gate) => return gate::run(gate, ui),
        Command::Experiment(experiment) => experiment::run(experiment, ui),
        Command::Completions { shell } => completions::run(*shell),
        Command::Man => man::run(),
        Command::Licences => licences::run(ui),
    }?;
    Ok(0)
}
