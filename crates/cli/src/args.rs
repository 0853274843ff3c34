//! The words of the command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum, value_parser};

/// Finds where a text model cracks, shows why, helps to mend it, and proves that the mend holds.
#[derive(Debug, Parser)]
#[command(
    name = "fissure",
    version,
    max_term_width = 100,
    after_help = "\
Start here:
  fissure demo                                    the whole way on built-in data
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
pub enum Command {
    /// Walk through Fissure on built-in data, in about a minute
    Demo(Demo),
    /// List what there is: transformations, slices, readers, tasks
    #[command(after_help = "Example: fissure list transforms")]
    List(List),
    /// Explain one thing from the catalog: what it does, its knobs, examples, where it comes from
    #[command(after_help = "Example: fissure explain swap_num")]
    Explain(Explain),
    /// Change the texts of a data set, and say exactly what was changed
    #[command(after_help = "\
Examples:
  fissure transform keyboard --data test.csv --task sa --set rate=0.2 --out changed.jsonl
  fissure transform contraction+typos --data hf:owner/name:test --task nli --fields hypothesis
  zcat reviews.jsonl.gz | fissure transform word_case --data - --task sa --set mode=upper | head")]
    Transform(Transform),
    /// Score every example by how fragile the model's answer is, and say in which words
    #[command(after_help = "\
Examples:
  fissure score --model DIR --data test.csv --task sa --out scores.jsonl
  fissure score --model DIR --data test.csv --tokens --eta --top 10")]
    Score(Score),
    /// Train a model of our own on a data set, or fine-tune an encoder on it
    #[command(after_help = "\
Examples:
  fissure train --arch cnn --data train.csv --task sa --out my-cnn
  fissure train --from all-MiniLM-L6-v2 --data train.csv --task sa --out my-bert --epochs 2")]
    Train(Train),
    /// Ask a model for its answers
    #[command(after_help = "Example: fissure predict --model my-cnn --data test.csv --out answers.jsonl")]
    Predict(Predict),
    /// Repeat the papers' experiments on any model and data
    #[command(subcommand)]
    Experiment(Experiment),
    /// Print a script that completes commands in your shell
    #[command(after_help = "Example: fissure completions bash > ~/.local/share/bash-completion/completions/fissure")]
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    #[command(after_help = "Example: fissure man | man -l -")]
    Man,
}

#[derive(Debug, ClapArgs)]
pub struct Demo {
    /// How many reviews to look at
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    /// Also write the reviews (train.jsonl, validation.jsonl, test.jsonl) into this folder, to try commands on
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, ClapArgs)]
pub struct List {
    /// Only this kind
    pub kind: Option<ListKind>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ListKind {
    Transforms,
    Slices,
    Readers,
    Tasks,
}

#[derive(Debug, ClapArgs)]
pub struct Explain {
    /// The name of a transformation, slice, reader or task
    pub name: String,
}

#[derive(Debug, ClapArgs)]
pub struct Transform {
    /// One transformation, or several in a row: NAME or NAME+NAME
    pub names: String,
    #[command(flatten)]
    pub data: Data,
    /// Set a knob: knob=value, or part.knob=value in a chain; may be repeated
    #[arg(long, value_name = "KNOB=VALUE")]
    pub set: Vec<String>,
    /// A TOML file with a seed and knobs: `[knobs.typos] rate = 0.3`; --set and --seed win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The seed of all chance [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many different outcomes to make of each sample
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1000))]
    pub variants: u32,
    /// Write only the samples that were changed
    #[arg(long)]
    pub only_changed: bool,
    /// Where to write [default: standard output]. JSON lines tell status and trail; another ending (.csv, .conllu, ...)
    /// gives the changed data set itself in that format; .gz and .zst are compressed
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct Score {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    /// Add scores for every token, with its bytes in your text
    #[arg(long)]
    pub tokens: bool,
    /// With --tokens: integrated gradients of the logit too
    #[arg(long, requires = "tokens")]
    pub ig_logit: bool,
    /// Add the smallest steps along e_max that change the answer
    #[arg(long)]
    pub eta: bool,
    /// Read at most so many pieces of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Where x is for fasttext: at every token, or at their mean
    #[arg(long, value_enum, default_value_t = At::Tokens)]
    pub at: At,
    /// The edits that the flip forecast is about: random words, or neighbours of the words
    #[arg(long, value_enum, default_value_t = Law::Random)]
    pub law: Law,
    /// The share of words edited [default: 0.1 for random, 0.1 to 0.2 for neighbours]
    #[arg(long, value_name = "SHARE")]
    pub rate: Option<f64>,
    /// How to forecast: with a calibration on the first 50 texts, without, or refined by edited copies of each text
    #[arg(long, value_enum, default_value_t = ForecastKind::Calibrated)]
    pub forecast: ForecastKind,
    /// Show so many of the most fragile and the most robust examples
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Where to write the JSON lines [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum At {
    Tokens,
    Mean,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Law {
    Random,
    Neighbours,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ForecastKind {
    Calibrated,
    Uncalibrated,
    Refined,
}

#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Which score foretells how often word substitutions turn an answer, and how far it has to be pushed?
    #[command(
        after_help = "Example: fissure experiment fragility --model my-cnn --data test.csv --task sa --limit 500"
    )]
    Fragility(FragilityArgs),
    /// Two clouds of points in the plane: fragility lies along the boundary between them
    #[command(after_help = "Example: fissure experiment gaussians --out toy.json")]
    Gaussians(GaussiansArgs),
}

#[derive(Debug, ClapArgs)]
pub struct FragilityArgs {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    /// The edits: random words, or neighbours of the words
    #[arg(long, value_enum, default_value_t = Law::Random)]
    pub law: Law,
    /// Edited copies of each text
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub copies: usize,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Where to write every number as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct GaussiansArgs {
    /// Points in each cloud
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(10..=100_000))]
    pub points: u32,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Where to write every point as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct Train {
    /// The architecture: fasttext, cnn or bilstm
    #[arg(long, value_name = "NAME", default_value = "cnn")]
    pub arch: String,
    /// Fine-tune this Hugging Face encoder instead
    #[arg(long, value_name = "DIR", conflicts_with = "arch")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub data: Data,
    /// Where the model goes
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    /// A text file of word vectors (GloVe's form) to start from
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub vectors: Option<PathBuf>,
    /// The most epochs
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// Examples in a batch
    #[arg(long, value_name = "N")]
    pub batch: Option<usize>,
    /// The learning rate
    #[arg(long, value_name = "RATE")]
    pub rate: Option<f32>,
    /// How weights follow their gradients
    #[arg(long, value_enum, conflicts_with = "from")]
    pub optimizer: Option<Optimizer>,
    /// The share of features dropped in training
    #[arg(long, value_name = "SHARE")]
    pub dropout: Option<f32>,
    /// The share of examples held out to choose the best epoch
    #[arg(long, value_name = "SHARE")]
    pub validation: Option<f32>,
    /// Stop after so many epochs without a better one
    #[arg(long, value_name = "N")]
    pub patience: Option<usize>,
    /// Words (pieces, for an encoder) of a text that are read
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// The most words in the vocabulary
    #[arg(long, value_name = "N", conflicts_with = "from")]
    pub words: Option<usize>,
    /// Keep the embeddings and so many lower layers of the encoder as they are
    #[arg(long, value_name = "N", requires = "from")]
    pub frozen_layers: Option<usize>,
    /// Spread so much of the label over all classes
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub label_smoothing: f32,
    /// Focus on hard examples: the exponent of the focal loss
    #[arg(long, value_name = "GAMMA", default_value_t = 0.0)]
    pub focal: f32,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Optimizer {
    Adam,
    Sgd,
}

#[derive(Debug, ClapArgs)]
pub struct Predict {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    /// Where to write the JSON lines [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Where samples come from; the same for every command that reads data.
#[derive(Debug, ClapArgs)]
pub struct Data {
    /// The data: files, `-` for standard input, or hf:owner/name
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<String>,
    /// The task, which says what the columns mean: see `fissure list tasks`
    #[arg(long, value_name = "TASK", default_value = "classification")]
    pub task: String,
    /// Which column is what, where the names are not the usual ones: text=body,label=stars
    #[arg(long, value_name = "FIELD=COLUMN,...", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// The format of the data [default: by the file's ending, else by its content]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Which fields may be edited [default: as the task says]
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub fields: Vec<String>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = OnBadRow::Stop)]
    pub on_bad_row: OnBadRow,
    /// Read only so many samples
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnBadRow {
    /// End with an error that names the row
    Stop,
    /// Leave the row out, and count it
    Skip,
}

/// The command line as data: for completions, the manual page and the reference.
pub fn command() -> clap::Command {
    Args::command()
}
