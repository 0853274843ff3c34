//! The arguments of the command line; a command with many has a file of its own.

mod attack;
mod compare;
mod data;
mod demo;
mod evaluate;
mod experiment;
mod explore;
mod forecast;
mod gate;
mod generate;
mod merge;
mod output;
mod remote;
mod repair;
mod report;
mod score;
mod share;
mod slice;
mod train;
mod transform;
mod trigger;
mod words;

use std::path::PathBuf;

use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum, value_parser};
use fissure_core::nearest;
use fissure_settings::{LabelMapping as Labels, task_name};

use crate::Error;

pub use attack::Attack;
pub use compare::{By, Compare};
pub use data::Data;
pub use demo::Demo;
pub use evaluate::Evaluate;
pub use experiment::{
    Chapter, Experiment, ExperimentWordsArgs, FragilityArgs, GaussiansArgs, PairsArgs, PartsArgs, WordSaladArgs,
};
pub use explore::Explore;
pub use forecast::Forecast;
pub use gate::Gate;
pub use generate::Generate;
pub use merge::Merge;
pub use output::{Force, GoOn};
pub use remote::Remote;
pub use repair::{
    AugmentArgs, CalibrateArgs, CertifyArgs, MitigateArgs, NonsenseArgs, Repair, TestsetArgs, ThresholdArgs,
    TrainerArgs,
};
pub use report::Report;
pub use score::{At, DecodeFrom, ForecastKind, Law, Score};
pub use slice::Slice;
pub use train::{Optimizer, Train};
pub use transform::Transform;
pub use trigger::Trigger;
pub use words::Words;

/// Finds where a text model breaks, shows why, helps you fix it, and tests the fix.
#[derive(Debug, Parser)]
#[command(
    name = "fissure",
    version,
    long_version = LONG_VERSION,
    max_term_width = 100,
    after_help = "\
Start here:
  fissure demo                                    the full tour on built-in data
  fissure list transforms                         what can be done to a text
  fissure explain typos                           how one of them works
  fissure transform typos --data reviews.csv --task sa --out changed.jsonl"
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,

    /// Worker threads; never changes a result [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// Machine-readable output
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "a process parses one command")]
pub enum Command {
    /// Run the full tour on built-in data (under a minute): train, score, evaluate, report
    #[command(after_help = "\
Examples:
  fissure demo                            everything goes into the directory fissure-demo
  fissure demo --write reviews            only the built-in reviews, as files to try commands on")]
    Demo(Demo),
    /// List what there is: transformations, destroyers, slices, validators, readers, tasks, attacks
    #[command(after_help = "Examples:\n  fissure list transforms\n  fissure list transforms --task ner")]
    List(List),
    /// Explain one thing from the catalog: what it does, its knobs, examples, where it comes from
    #[command(after_help = "Example: fissure explain swap_num")]
    Explain(Explain),
    /// Change the texts of a data set, and say exactly what was changed
    #[command(after_help = "\
Examples:
  fissure transform keyboard --data test.csv --task sa --set rate=0.2 --out changed.jsonl
  fissure transform contraction+typos --data hf:owner/name:test --task nli --fields hypothesis
  fissure transform typos --data test.csv --keep 'edit_distance>=0.9' --where 'label == 1'
  fissure transform --suite universal --data test.csv --task sa --ending csv --out changed
  zcat reviews.jsonl.gz | fissure transform word_case --data - --task sa --set mode=upper | head")]
    Transform(Transform),
    /// Write a whole data set for each transformation of a suite, with the matching originals and a manifest
    #[command(after_help = "\
Examples:
  fissure generate --data test.json --task absa --donors train.json --out absa-sets
  fissure generate --data test.conllu --task pos --suite all --out pos-sets --resume")]
    Generate(Generate),
    /// Write the part of a data set that a slice picks out: the longest texts, the least fluent, those with a negation
    #[command(after_help = "\
Examples:
  fissure slice length --data test.csv --task sa --set take=shortest --out short.csv
  fissure slice phrase --data test.csv --set find=question --where 'label == 1'")]
    Slice(Slice),
    /// Score every example by how fragile the model's answer is, and say in which words
    #[command(after_help = "\
Examples:
  fissure score --model DIR --data test.csv --task sa --out scores.jsonl
  fissure score --model DIR --data test.csv --tokens --eta --top 10
  fissure score --model DIR --data test.csv --decode 3 --decode-from synonyms
  fissure score --model DIR --data one.csv --calibration calibration.json")]
    Score(Score),
    /// Find the words that carry a model's decisions, shortcuts first
    #[command(after_help = "\
Examples:
  fissure words --model DIR --data test.csv --task sa
  fissure words --model DIR --data test.csv --task sa --train train.csv --top 10")]
    Words(Words),
    /// Compare models: do they find the same examples fragile, and which are fragile for all?
    #[command(after_help = "Example: fissure compare --model my-cnn --model my-bert --data test.csv --task sa")]
    Compare(Compare),
    /// Open a local page: see why a model is fragile, and break it by hand
    #[command(after_help = "\
Examples:
  fissure explore                                              the built-in reviews
  fissure explore --model DIR --data test.csv --task sa
  fissure explore --model A --model B --data test.csv --task sa
  fissure explore --model DIR --data original.tsv --pairs revised.tsv --task sa")]
    Explore(Explore),
    /// Find out which changes break a model, by how much, and whether that is more than noise
    #[command(after_help = "\
Examples:
  fissure evaluate --model DIR --data test.csv --task sa
  fissure evaluate --model DIR --data test.csv --task sa --suite word-salad --limit 1000 --out run
  fissure evaluate --config run.toml --dry-run
  fissure evaluate --resume run
  fissure evaluate --model DIR --data test.csv --task sa --shard 1/4 --out piece-1
  fissure evaluate --model https://... --data test.csv --task sa --precision 0.01")]
    Evaluate(Evaluate),
    /// Predict what each change would do to a model, from one gradient a text and without asking about changed texts
    #[command(after_help = "\
Examples:
  fissure forecast --model my-cnn --data test.csv --task sa
  fissure forecast --model my-cnn --data test.csv --task sa --parts typos,swap_neighbour --out forecast.jsonl")]
    Forecast(Forecast),
    /// Attack a model: look for a small change of each text that flips the answer
    #[command(after_help = "\
Examples:
  fissure attack --model my-cnn --data test.csv --task sa --recipe jump --out attacked
  fissure attack --model my-cnn --data test.csv --task sa --recipe textfooler --without encoder --out attacked
  fissure attack --model DIR --data test.csv --recipe mine.toml --budget 200 --limit 100 --out attacked
  fissure list attacks")]
    Attack(Attack),
    /// Look for a few words that flip a model's answers when they stand before any text of a label
    #[command(after_help = "Example:\n  \
        fissure trigger --model my-cnn --data test.csv --task sa --words 3")]
    Trigger(Trigger),
    /// Merge the pieces of a run that `evaluate --shard` wrote, to the same bytes as an undivided run
    #[command(after_help = "Example: fissure merge piece-1 piece-2 piece-3 piece-4 --out run")]
    Merge(Merge),
    /// Train a small built-in model on a data set, or fine-tune an encoder on it
    #[command(after_help = "\
Examples:
  fissure train --arch cnn --data train.csv --task sa --out my-cnn
  fissure train --from all-MiniLM-L6-v2 --data train.csv --task sa --out my-bert --epochs 2")]
    Train(Train),
    /// Ask a model for its answers
    #[command(after_help = "Example: fissure predict --model my-cnn --data test.csv --out answers.jsonl")]
    Predict(Predict),
    /// Show what a run found, as pages to read or to print; two runs are compared
    #[command(after_help = "\
Examples:
  fissure report my-run --open
  fissure report before after --format html,pdf --out comparison")]
    Report(Report),
    /// Fix a model: calibrate it, teach it to notice nonsense, augment its data, mine a test set
    #[command(subcommand)]
    Repair(Repair),
    /// Check a run against rules, for CI: exits 0 if all pass, 1 if one fails
    #[command(after_help = "\
A rule fails only when the whole 95 % interval lies on the wrong side. docs/gate.md has the grammar.
Examples:
  fissure gate RUN --rule 'drop(universal) <= 0.05' --rule 'agreement(word-salad) <= chance + 0.1'
  fissure gate RUN --baseline EARLIER --rule 'change(accuracy) >= -0.01' --junit gate.xml --github")]
    Gate(Gate),
    /// Repeat the papers' experiments on any model and data
    #[command(subcommand)]
    Experiment(Experiment),
    /// Print a script that completes commands in your shell
    #[command(after_help = "Example: fissure completions bash > ~/.local/share/bash-completion/completions/fissure")]
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    #[command(after_help = "Example: fissure man | man -l -")]
    Man,
    /// List the tables that are part of the program, with authors, licence and source
    #[command(visible_alias = "licenses", after_help = "Example: fissure licences | less")]
    Licences,
}

/// What `--version` says, beside the number: licences that have to be known.
const LONG_VERSION: &str = if fissure_text::share_alike::INCLUDED {
    concat!(
        env!("CARGO_PKG_VERSION"),
        "\ncode: MIT OR Apache-2.0; with tables under CC BY-SA 4.0 (share-alike): certain_tags, chinese_3gram, \
         chinese_segments, chinese_tags, english_3gram, entities, lemmas, parse, sentences, tags; `fissure licences` has all"
    )
} else {
    concat!(
        env!("CARGO_PKG_VERSION"),
        "\ncode: MIT OR Apache-2.0; built without the tables under CC BY-SA 4.0; `fissure licences` has all licences"
    )
};

#[derive(Debug, ClapArgs)]
pub struct List {
    /// Only this kind
    pub kind: Option<ListKind>,
    /// Only what serves this task: see `fissure list tasks`
    #[arg(long, value_name = "TASK", value_parser = task_name)]
    pub task: Option<String>,
    /// A TOML file with parts of your own, which join the catalog; may be repeated
    #[arg(long, value_name = "FILE")]
    pub parts_file: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ListKind {
    Transforms,
    Destroyers,
    Slices,
    Validators,
    Readers,
    Tasks,
    /// Attacks, and the parts they are made of
    Attacks,
}

#[derive(Debug, ClapArgs)]
pub struct Explain {
    /// The name of a transformation, slice, validator, reader, task or attack
    pub name: String,
    /// A TOML file with parts of your own, which join the catalog; may be repeated
    #[arg(long, value_name = "FILE")]
    pub parts_file: Vec<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub struct Predict {
    /// The model: a directory with config.json and model.safetensors, http(s)://..., or process:COMMAND
    #[arg(long, value_name = "MODEL")]
    pub model: String,
    #[command(flatten)]
    pub remote: Remote,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Where to write the JSON lines [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub go_on: GoOn,
}

/// The command line as data: for completions, the manual page and the reference.
pub fn command() -> clap::Command {
    Args::command()
}

/// What is wrong with `fissure help NAME...` if there is no such command; for other commands the parser says it.
pub fn misspelt_help(mut words: impl Iterator<Item = String>) -> Option<Error> {
    if words.next()? != "help" {
        return None;
    }
    let mut command = command();
    for word in words {
        let Some(next) = command.find_subcommand(&word).cloned() else {
            let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            let near = nearest(&word, known.into_iter());
            let nearest = match near.as_slice() {
                [] => ".".to_owned(),
                near => format!("; did you mean `{}`?", near.join("` or `")),
            };
            return (word != "help" && !word.starts_with('-')).then_some(Error::NoCommand { name: word, nearest });
        };
        command = next;
    }
    None
}
