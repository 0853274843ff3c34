//! `--force` and `--resume`, the same for every command that writes.

use clap::Args as ClapArgs;
use fissure_data::Existing;
use fissure_kit::resume::Begin;

/// For commands whose output is written at once.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub struct Force {
    /// Replace the output if it exists
    #[arg(long)]
    pub force: bool,
}

/// For commands that can be stopped and resumed.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub struct GoOn {
    /// Replace the output if it exists
    #[arg(long)]
    pub force: bool,
    /// Continue an output that was stopped; the result is the same as without the stop
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub resume: bool,
}

impl Force {
    pub fn existing(self) -> Existing {
        Existing::forced(self.force)
    }
}

impl GoOn {
    pub fn begin(self) -> Begin {
        Begin { force: self.force, resume: self.resume }
    }

    pub fn existing(self) -> Existing {
        Existing::forced(self.force)
    }
}
