//! What may happen to outputs that are there already; the same for every command that writes.

use clap::Args as ClapArgs;
use fissure_data::Existing;

/// For commands whose output is written at once.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub struct Force {
    /// Replace the output if it exists
    #[arg(long)]
    pub force: bool,
}

/// For commands that can be stopped and gone on with.
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
    pub fn existing(self) -> Existing {
        Existing::forced(self.force)
    }
}
