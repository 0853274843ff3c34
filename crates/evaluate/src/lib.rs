//! The laboratory of Fissure: from a model and a data set to findings one can trust.
//!
//! A [`RunConfig`] says what is wanted, a [`Plan`] what can be done, a [`Run`] asks the model and writes one append-only
//! file, and [`findings`] is a pure function of that file.

mod asked;
mod config;
mod error;
mod findings;
pub mod gate;
mod labels;
mod measure;
mod plan;
mod run;
mod shell;
pub mod suite;

// A run asks respondents and keeps what they say.
pub use fissure_ask::{Gone, ModelAbout, Respondent, Response};
use fissure_tasks::metrics;

pub use asked::{ASKED_FILE, AskedFile, Price, money, read_asked, seconds};
pub use config::{ChainConfig, Knobs, Plain, RunConfig, SliceConfig};
pub use error::{Error, Result};
pub use findings::{
    About, BiasFinding, Counts, DataAbout, Evidence, FINDINGS_FILE, Findings, Fragility, Interaction, NotRun,
    PartFinding, Reliability, ReliabilityBin, SaladRow, SliceFinding, Telling, Weighted, read_findings,
    written_findings,
};
pub use labels::{LabelError, LabelMap, LabelMatch, LabelSurvey, label_pairs};
pub use measure::{Answers, SaladTally, Together, acceptability, findings, together};
pub use plan::{Plan, PlanRecord, PlannedChain, PlannedSlice};
pub use run::{
    AnsweredSample, CaseRecord, Damage, DataFacts, Header, OpenData, Pieces, Prepared, RUN_FILE, Run, SampleRecord,
    Shard, Status, read_answers,
};
pub use shell::shell_word;
