//! The laboratory of Fissure: from a model and a data set to findings one can trust.

mod findings;

pub use findings::{
    About, BiasFinding, Counts, DataAbout, Evidence, Findings, Fragility, Interaction, ModelAbout, NotRun, PartFinding,
    Reliability, ReliabilityBin, SaladRow, SliceFinding, Telling,
};
