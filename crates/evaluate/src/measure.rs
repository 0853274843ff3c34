//! Findings from a run file: a pure function of it, read once, sample by sample.
//!
//! Texts are let go as soon as they are read; what is kept of a sample is a few numbers, and of most cases only that one
//! more of their kind was seen.

mod bias;
mod clean;
mod compare;
mod fragility;
mod interactions;
mod parts;
mod precise;
mod reservoir;
mod salad;
mod scores;
mod showcase;
mod slices;
mod unanswered;
mod weighted;

use std::path::Path;

use fissure_core::{Dice, Expectation};

use crate::metrics::Metric;
use crate::run::{Block, Blocks, CaseRecord, Header, Next, about};
use crate::{Error, Findings, NotRun, PartFinding, Result};
pub use compare::{Answers, RunComparison, together, within_bounds};
pub use salad::SaladTally;
pub use weighted::{ENOUGH_FOR_MEAN, acceptability, enter_mean};

/// What was found in the run whose file this is; the run must be complete.
pub fn findings(path: &Path) -> Result<Findings> {
    let mut blocks = Blocks::open(path)?;
    if let Some(shard) = blocks.header.shard {
        let folder = path.parent().unwrap_or(path).to_owned();
        return Err(Error::OnlyAPiece { folder, shard });
    }
    let run = Measured::new(blocks.header.clone())?;
    let mut clean = clean::Clean::new(&run);
    let mut parts = parts::Parts::new(&run);
    let mut weighted = weighted::Weights::new(&run);
    let mut slices = slices::Slices::new(&run);
    let mut bias = bias::Biases::new(&run);
    let mut interactions = interactions::Interactions::new(&run);
    let mut salad = salad::Salad::new(&run);
    let mut fragility = fragility::Seen::default();
    let mut telling = showcase::Best::new(&run);
    let mut unanswered = unanswered::Unanswered::default();
    let mut done = 0;
    loop {
        match blocks.next_block()? {
            Next::Block(block) => {
                clean.add(&run, &block);
                parts.add(&run, &block);
                weighted.add(&block);
                slices.add(&run, &block);
                bias.add(&run, &block);
                interactions.add(&block);
                salad.add(&block);
                fragility.add(&run, &block);
                telling.add(&run, &block);
                unanswered.add(&block);
                done += 1;
            }
            Next::End => break,
            Next::Nothing => {
                return Err(Error::Unfinished { path: path.to_owned(), done, of: run.header.data.samples });
            }
        }
    }
    let scored = clean.scored();
    let (metrics, classes, reliability) = clean.finish(&run);
    let (salad, unmeasured) = salad.finish(&run);
    let mut not_run = run.header.plan.not_run.clone();
    not_run.extend(unmeasured);
    if done > reservoir::MOST {
        let reason = format!(
            "memory must not grow with the data: of more than {} samples a random part is looked at",
            reservoir::MOST
        );
        not_run.push(NotRun { name: "slices, calibration and fragility of every sample".into(), reason });
    }
    let parts = parts.finish(&run);
    let few = |part: &&PartFinding| run.is_precise() && part.evidence.is_none() && part.counts.changed > 0;
    not_run.extend(parts.iter().filter(few).map(|part| NotRun {
        name: part.name.clone(),
        reason: format!("fewer than {} changed texts were asked: give more with --budget", precise::FEWEST),
    }));
    Ok(Findings {
        about: about(&run.header),
        clean: metrics,
        scored,
        classes,
        reliability,
        parts,
        weighted: weighted.finish(&run).filter(|_| !run.is_precise()),
        slices: slices.finish(&run),
        bias: bias.finish(&run),
        interactions: if run.is_precise() { Vec::new() } else { interactions.finish(&run) },
        salad,
        fragility: fragility.finish(&run),
        telling: telling.finish(&run),
        not_run,
        questions: unanswered.questions,
        unanswered: unanswered.finish(),
    })
}

/// What all measures know of the run.
#[derive(Debug)]
struct Measured {
    header: Header,
    metrics: Vec<Box<dyn Metric>>,
}

impl Measured {
    fn new(header: Header) -> Result<Self> {
        let metrics = header.config.task()?.metrics(&header.labels);
        Ok(Self { header, metrics })
    }

    /// The main metric of a sum of tallies.
    fn metric(&self) -> &dyn Metric {
        &*self.metrics[0]
    }

    /// Whether texts were asked with different probabilities: then sums over answered cases mean nothing.
    fn is_precise(&self) -> bool {
        self.header.plan.precision.is_some()
    }

    fn expectation(&self, case: &CaseRecord) -> Expectation {
        self.header.plan.chains[case.chain].expectation
    }

    /// Dice of their own for each measurement.
    fn dice(&self, what: &str) -> Dice {
        Dice::new(self.header.config.seed(), &["findings", what])
    }

    /// Dice of its own for each sample: whether it stays where there are too many.
    fn dice_of(&self, block: &Block) -> Dice {
        thinning(self.header.config.seed(), block)
    }
}

/// Dice of its own for each sample, in every run with the same seed.
fn thinning(seed: u64, block: &Block) -> Dice {
    Dice::new(seed, &["findings", "thinned", &block.sample.n.to_string()])
}

impl Block {
    /// What the original adds to the main metric.
    fn before(&self) -> Option<&[f64]> {
        self.sample.tallies.first()?.as_deref()
    }

    /// The same for one of its cases: by the marks that are on trial there, if not all of them are.
    fn before_case<'a>(&'a self, case: &'a CaseRecord) -> Option<&'a [f64]> {
        case.before.as_deref().or_else(|| self.before())
    }

    /// The cases that were changed and answered.
    fn answered(&self) -> impl Iterator<Item = &CaseRecord> {
        self.cases.iter().filter(|case| case.said.is_some())
    }
}
