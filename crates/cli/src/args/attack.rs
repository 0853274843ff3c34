//! The arguments of `fissure attack`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_settings::LabelMapping as Labels;

use crate::args::{Data, GoOn, Remote};

#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Attack {
    /// The model: a directory with config.json and model.safetensors, http(s)://..., or process:COMMAND
    #[arg(long, value_name = "MODEL")]
    pub model: String,
    #[command(flatten)]
    pub remote: Remote,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// The attack: a name from `fissure list attacks`, or a TOML file of your own; several with commas between
    #[arg(long, value_name = "NAME|FILE", required_unless_present = "replay")]
    pub recipe: Option<String>,
    /// Try the attacks that another run found (its directory, or its attacks.jsonl) on this model, instead of looking for new ones
    #[arg(long, value_name = "RUN", conflicts_with = "recipe")]
    pub replay: Option<String>,
    /// Attack only the N texts whose right answer leads least; all texts are asked about once
    #[arg(long, value_name = "N", conflicts_with = "replay")]
    pub weakest: Option<usize>,
    /// Most questions to the model for each text [default: no limit]
    #[arg(long, value_name = "N")]
    pub budget: Option<usize>,
    /// Most words of a text; a longer one is not attacked, and counted [default: 5000]
    #[arg(long, value_name = "N")]
    pub max_words: Option<usize>,
    /// The label that the model is to answer with [default: any wrong one]
    #[arg(long, value_name = "LABEL", conflicts_with = "goal")]
    pub target: Option<String>,
    /// Another goal than that of the recipe: `untargeted`, `fewest_words`, `confidence<0.7`
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<String>,
    /// Leave out what the recipe needs and you do not have: `encoder`, `fluency`; the name of the attack says so
    #[arg(long, value_name = "WHAT")]
    pub without: Vec<String>,
    /// Keep changes that were not needed, instead of taking them back one by one
    #[arg(long)]
    pub no_shrink: bool,
    /// A sentence encoder, for attacks that compare texts: a Hugging Face directory
    #[arg(long, value_name = "DIR")]
    pub encoder: Option<String>,
    /// A masked language model, for attacks that guess words: a Hugging Face directory of a fill-mask checkpoint
    #[arg(long, value_name = "DIR")]
    pub language_model: Option<String>,
    /// Word vectors, as text (GloVe, word2vec, fastText), for attacks that use near words [default: a built-in table]
    #[arg(long, value_name = "FILE")]
    pub vectors: Option<String>,
    /// Near words: a JSON object from word to words, or lines of a word, a tab, and words with commas between
    #[arg(long, value_name = "FILE", conflicts_with = "vectors")]
    pub synonyms: Option<String>,
    /// A TOML file with parts of your own, which a recipe may name as sources; may be repeated
    #[arg(long, value_name = "FILE")]
    pub parts_file: Vec<String>,
    /// Candidates for every sample by its id, in place of those of the recipe: JSON lines
    /// {"id": ..., "places": [[start byte, end byte, [word, ...]], ...]}
    #[arg(long, value_name = "FILE")]
    pub candidates: Option<String>,
    /// Random seed: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Read at most N pieces of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// The directory for attacks.jsonl, summary.json, broken.jsonl and the report [default: attacks go to standard output]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub go_on: GoOn,
    /// Whether nothing is shown in the end, because a caller shows it.
    #[arg(skip)]
    pub brief: bool,
    /// The directories of all attacks of the command, if there are several.
    #[arg(skip)]
    pub together: Vec<String>,
    /// The directories of earlier attacks that go when this one begins, because --force was given.
    #[arg(skip)]
    pub replaced: Vec<PathBuf>,
}
