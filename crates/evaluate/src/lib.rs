//! The laboratory of Fissure: from a model and a data set to findings one can trust.
//!
//! A [`RunConfig`] says what is wanted, a [`Plan`] what can be done, a [`Run`] asks the model and writes one append-only
//! file, and [`findings`] is a pure function of that file.

mod config;
mod error;
mod findings;
pub mod gate;
mod labels;
mod measure;
pub mod metrics;
mod plan;
mod respond;
mod run;
mod shell;
pub mod suite;

pub use config::{ChainConfig, Knobs, Plain, RunConfig, SliceConfig};
pub use error::{Error, Result};
pub use findings::{
    About, BiasFinding, Counts, DataAbout, Evidence, FINDINGS_FILE, Findings, Fragility, Interaction, ModelAbout,
    NotRun, PartFinding, Reliability, ReliabilityBin, SaladRow, SliceFinding, Telling, Weighted, read_findings,
    written_findings,
};
pub use labels::{CLASS_TASKS, LabelError, LabelMap, LabelMatch, LabelSurvey, default_label};
pub use measure::{Answers, SaladTally, Together, acceptability, findings, together};
pub use metrics::Metric;
pub use plan::{Plan, PlanRecord, PlannedChain, PlannedSlice};
pub use respond::{Gone, LocalClassifier, RemoteRespondent, Respondent, Response, checksum, input, open_local};
pub use run::{
    CaseRecord, Damage, DataFacts, Header, OpenData, Pieces, Prepared, RUN_FILE, Run, SampleRecord, Shard, Status,
};
pub use shell::shell_word;
