//! One module for each command.

mod answered;
mod attack;
mod builtin;
mod compare;
mod completions;
mod counted;
mod data;
mod demo;
mod evaluate;
mod examples;
mod experiment;
mod explain;
mod explore;
mod found;
mod gate;
mod labels;
mod late;
mod lend;
mod licences;
mod list;
mod man;
mod merge;
mod outputs;
mod predict;
mod remote;
mod repair;
mod report;
mod resume;
mod score;
mod slice;
mod stop;
mod train;
mod transform;
mod words;

use std::process::ExitCode;

pub use builtin::TRIED;

use crate::args::{Args, Command};
use crate::{Result, ui};

/// Does what the user asked for.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(threads) = args.threads {
        // Fails only where a pool is there already, and nothing has started one before this line.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    let ui = ui::Ui { json: args.json };
    data::notes_in_json(args.json);
    // The page has its own way to end.
    if !matches!(args.command, Command::Explore(_)) {
        stop::watch();
    }
    match &args.command {
        Command::Demo(demo) => demo::run(demo, ui),
        Command::List(list) => list::run(list, ui),
        Command::Explain(explain) => explain::run(explain, ui),
        Command::Transform(transform) => transform::run(transform, ui),
        Command::Slice(slice) => slice::run(slice, ui),
        Command::Score(score) => score::run(score, ui),
        Command::Words(words) => words::run(words, ui),
        Command::Compare(compare) => compare::run(compare, ui),
        Command::Explore(explore) => explore::run(explore, ui),
        Command::Evaluate(evaluate) => evaluate::run(evaluate, ui),
        Command::Merge(merge) => merge::run(merge, ui),
        Command::Attack(attack) => attack::run(attack, ui),
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
    Ok(ExitCode::SUCCESS)
}
