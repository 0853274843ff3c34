//! The laboratory of Fissure: from a model and a data set to findings one can trust.

mod findings;
pub mod gate;
pub mod metrics;
mod respond;

pub use findings::{
    About, BiasFinding, Counts, DataAbout, Evidence, Findings, Fragility, Interaction, ModelAbout, NotRun, PartFinding,
    Reliability, ReliabilityBin, SaladRow, SliceFinding, Telling,
};
pub use metrics::Metric;
pub use respond::{Gone, RemoteRespondent, Respondent, Response};
