//! What is lent to parts that need more than the sample; the same for every command that runs parts.

use clap::{Args as ClapArgs, ValueEnum};

/// A model that says which words carry its answer, and everything else that can be lent.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Lent {
    /// A model that says which words carry its answer: drop, repeat, replace and copy_one need one
    #[arg(long, value_name = "DIR")]
    pub model: Option<String>,
    /// How the model says it [default: grad_dot_emb if gradients are available, otherwise leave_one_out]
    #[arg(long, value_enum, value_name = "HOW", requires = "model")]
    pub importance: Option<Importance>,
    #[command(flatten)]
    pub help: Help,
}

/// What is lent besides the model under test.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Help {
    /// A masked language model for `mlm_suggestion`: a Hugging Face directory of a fill-mask checkpoint
    #[arg(long, value_name = "DIR")]
    pub language_model: Option<String>,
    /// A translator for `back_trans`: `apertium`, `apertium:PAIR`, or a command that reads a line and writes one
    #[arg(long, value_name = "WHAT")]
    pub translator: Option<String>,
    /// A sentence encoder for `--keep similarity>=...`: a Hugging Face directory
    #[arg(long, value_name = "DIR")]
    pub encoder: Option<String>,
    /// Labelled texts of the same task to learn phrases from: pbsmt needs them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub train: Vec<String>,
    /// Other samples of the task that parts may take words from [default: the data themselves]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub donors: Vec<String>,
    /// What the labels mean, for parts that set a new one [default: by their names, or the usual numbers]
    #[arg(long, value_name = "LABEL=SENSE", value_delimiter = ',')]
    pub senses: Vec<String>,
    /// A file of phrases: written where --train is given, else read
    #[arg(long, value_name = "FILE")]
    pub phrases: Option<String>,
    /// Word vectors for parts that ask for neighbours, as text (GloVe, word2vec, fastText) [default: a built-in table]
    #[arg(long, value_name = "FILE")]
    pub vectors: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Importance {
    /// The embedding of a word times the gradient of the loss
    GradDotEmb,
    /// Integrated gradients
    Ig,
    /// What the answer loses when the word is left out
    LeaveOneOut,
}
