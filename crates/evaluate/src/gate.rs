//! The gate: rules about findings, decided on interval bounds so that noise does not break builds.
//!
//! A rule fails only when the whole 95 % interval lies on the wrong side, so a rule that just holds in truth raises a
//! false alarm at most one time in forty. A rule about a group (a family, a suite) speaks of each of its parts; the
//! intervals are then widened so that the rule as a whole keeps that rate.

mod judge;
mod measure;
mod rule;
mod show;

pub use judge::{Judgement, Outcome, State, Tally, Verdict, answered, judge, judge_by, readable};
pub use measure::Evidence as GateEvidence;
pub use rule::{BadRule, Rule};
pub use show::{JUNIT_SUITE, annotations, junit};
