//! What a run is asked to do: a TOML file, the command line, and the header of the run file say it in the same words.

use std::collections::BTreeMap;

use fissure_tasks::Task;
use serde::{Deserialize, Serialize};

use crate::Result;

/// What a run is asked to do.
///
/// ```toml
/// model = "my-cnn"
/// data = ["test.csv"]
/// task = "sa"
/// seed = 7
/// chains = ["typos", { parts = "contraction+typos", variants = 2, knobs = { "typos.rate" = 0.3 } }]
/// slices = ["length", { name = "length", knobs = { take = "shortest" } }]
///
/// [knobs.typos]
/// rate = 0.2
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How a model elsewhere wants to be asked, by which name, and its labels where it does not say them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_model: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// What the model calls the labels, where it is another name: `["0=negative,1=positive"]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub label_names: Vec<String>,
    /// The file with the prompt of a chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What is added to the body of every request: `["max_tokens=20"]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub body: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Which column is what: `["text=body"]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The column that names a sample, or `content`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// What labels of the data mean to the model, where names and numbers do not tell: `["1=World,2=Sports"]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub label_map: Vec<String>,
    /// What the classes of the data mean, where names and numbers do not tell: `["0=contradicts", "1=entails"]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub senses: Vec<String>,
    /// Files of other samples of the task that parts may take words from; the data themselves if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub donors: Vec<String>,
    /// The fields that may be edited; as the task says where empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// Go on without rows that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_bad_rows: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// A named suite, or several with commas between them; stands aside where `chains` are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<ChainConfig>,
    /// The slices, instead of the suite's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slices: Option<Vec<SliceConfig>>,
    /// How many changed forms to make of each sample, unless a chain says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variants: Option<usize>,
    /// Settings, part by part, for every chain that has the part.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub knobs: BTreeMap<String, Knobs>,
    /// Settings as the command line writes them, `knob=value` or `part.knob=value`; they win over `knobs`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<(String, String)>,
    /// How the model says which words carry its answer; the usual way where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub importance: Option<String>,
    /// Whether to look inside a model that can be looked into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragility: Option<bool>,
    /// Only the samples that a condition holds for: `label == "pos" and length > 20`.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Only the changes that validators find good enough: `["similarity>=0.8"]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// What is lent to parts and validators that need more than the sample: directories, files and commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vectors: Option<String>,
    /// Labelled texts of the same task to learn from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub train: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phrases: Option<String>,
}

/// Settings of one part: any plain value.
pub type Knobs = BTreeMap<String, Plain>;

/// A chain: its name, or its name with more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ChainConfig {
    Name(String),
    Full {
        /// `a`, or `a+b` of any length.
        parts: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variants: Option<usize>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        knobs: Knobs,
    },
}

/// A slice: its name, or its name with settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SliceConfig {
    Name(String),
    Full { name: String, knobs: Knobs },
}

/// A value of a knob, in whatever type it was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Plain {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
}

impl RunConfig {
    /// This, with everything that `wins` says in its place.
    pub fn overruled_by(self, wins: Self) -> Self {
        let list = |ours: Vec<String>, theirs: Vec<String>| if theirs.is_empty() { ours } else { theirs };
        let mut knobs = self.knobs;
        for (part, theirs) in wins.knobs {
            knobs.entry(part).or_default().extend(theirs);
        }
        Self {
            model: wins.model.or(self.model),
            api: wins.api.or(self.api),
            api_model: wins.api_model.or(self.api_model),
            labels: list(self.labels, wins.labels),
            label_names: list(self.label_names, wins.label_names),
            prompt: wins.prompt.or(self.prompt),
            body: self.body.into_iter().chain(wins.body).collect(),
            data: list(self.data, wins.data),
            task: wins.task.or(self.task),
            columns: list(self.columns, wins.columns),
            id: wins.id.or(self.id),
            format: wins.format.or(self.format),
            label_map: list(self.label_map, wins.label_map),
            senses: list(self.senses, wins.senses),
            donors: list(self.donors, wins.donors),
            fields: list(self.fields, wins.fields),
            skip_bad_rows: wins.skip_bad_rows.or(self.skip_bad_rows),
            limit: wins.limit.or(self.limit),
            seed: wins.seed.or(self.seed),
            // A suite named on the command line stands in for the chains of the file.
            chains: if wins.suite.is_some() && wins.chains.is_empty() {
                Vec::new()
            } else if wins.chains.is_empty() {
                self.chains
            } else {
                wins.chains
            },
            suite: wins.suite.or(self.suite),
            slices: wins.slices.or(self.slices),
            variants: wins.variants.or(self.variants),
            knobs,
            set: self.set.into_iter().chain(wins.set).collect(),
            importance: wins.importance.or(self.importance),
            fragility: wins.fragility.or(self.fragility),
            condition: wins.condition.or(self.condition),
            keep: list(self.keep, wins.keep),
            language_model: wins.language_model.or(self.language_model),
            translator: wins.translator.or(self.translator),
            encoder: wins.encoder.or(self.encoder),
            vectors: wins.vectors.or(self.vectors),
            train: list(self.train, wins.train),
            phrases: wins.phrases.or(self.phrases),
        }
    }

    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(0)
    }

    /// The task, `classification` unless said.
    pub fn task_name(&self) -> &str {
        self.task.as_deref().unwrap_or("classification")
    }

    /// The task; an error if there is none of that name.
    pub fn task(&self) -> Result<&'static Task> {
        Ok(fissure_tasks::find(self.task_name())?)
    }

    /// What the selection of parts is called: a suite's name, or `custom` for a list of chains.
    pub fn suite(&self) -> &str {
        match (&self.suite, self.chains.is_empty()) {
            (_, false) => "custom",
            (Some(name), true) => name,
            (None, true) => "default",
        }
    }

    /// All settings as `(part.knob or knob, value)`, those that win last.
    pub fn settings(&self) -> Vec<(String, String)> {
        let of_parts = self.knobs.iter().flat_map(|(part, knobs)| {
            knobs.iter().map(move |(knob, value)| (format!("{part}.{knob}"), value.to_string()))
        });
        of_parts.chain(self.set.iter().cloned()).collect()
    }
}

/// Settings as pairs of texts.
pub(crate) fn written(knobs: &Knobs) -> Vec<(String, String)> {
    knobs.iter().map(|(knob, value)| (knob.clone(), value.to_string())).collect()
}

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}
