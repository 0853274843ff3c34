//! Evaluation: runs a model on a data set and on changed forms of it, and computes findings with intervals.
//!
//! A [`RunConfig`] says what is wanted, a [`Plan`] what can be done, a [`Run`] asks the model and writes one append-only
//! file, and [`findings`] is a pure function of that file.

mod asked;
mod error;
mod findings;
pub mod gate;
mod labels;
mod measure;
mod plan;
mod run;
pub mod suite;

// A run asks respondents and keeps what they say.
pub use fissure_ask::{ModelAbout, Respondent, Response, Unavailable};
pub use fissure_settings::{ChainConfig, Knobs, Plain, Price, RunConfig, SliceConfig, shell_word};
use fissure_tasks::metrics;

pub use asked::{ASKED_FILE, AskedFile, money, read_asked, seconds};
pub use error::{Error, Result};
pub use findings::{
    About, BiasFinding, Counts, DataAbout, Evidence, FINDINGS_FILE, Findings, Fragility, Interaction, NotRun,
    PartFinding, PartForecast, Reliability, ReliabilityBin, SaladRow, SliceFinding, TellingExample, Weighted,
    read_findings, written_findings,
};
pub use labels::{LabelError, LabelMap, LabelMatch, LabelSurvey, label_pairs, tag_match, tags_of};
pub use measure::{Answers, ENOUGH_FOR_MEAN, RunComparison, SaladTally, acceptability, enter_mean, findings, together};
pub use plan::{ForecastBy, Plan, PlanRecord, PlannedChain, PlannedSlice, PrecisionPlan};
pub use run::{
    AnsweredSample, CaseDesign, CaseRecord, Damage, DataFacts, Header, OpenData, PartPrediction, Pieces,
    PreciseProgress, Prepared, RUN_FILE, ReadSamples, Run, RunOutlook, SampleRecord, Shard, Status, TextPart,
    TextPrediction, read_answers,
};
