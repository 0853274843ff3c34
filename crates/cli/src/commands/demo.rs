//! `fissure demo`: a tour on built-in data, stage by stage. A further stage is one function and one line in [`run`].

mod changes;
mod reviews;

use fissure_core::Sample;
use fissure_data::demo::{self, Split};

use crate::args;
use crate::ui::{self, Ui, bold};
use crate::{Error, Result};

/// What the stages share.
#[derive(Debug)]
pub struct Tour {
    pub seed: u64,
    pub ui: Ui,
    /// The reviews that the stages look at; no model has seen them.
    pub reviews: Vec<Sample>,
}

pub fn run(args: &args::Demo, ui: Ui) -> Result<()> {
    let reviews = demo::corpus(args.seed, Split::Test, args.limit as usize);
    let tour = Tour { seed: args.seed, ui, reviews };
    tour.stage("The reviews", reviews::show)?;
    tour.stage("What changes do to them", changes::show)?;
    tour.say(&format!(
        "\n{}\n  fissure list                                          everything there is\n  fissure explain typos                                 how one part works\n  fissure transform typos --data YOUR.csv --task sa     your own data\n",
        bold("Try next")
    ))
}

impl Tour {
    fn stage(&self, title: &str, show: fn(&Self) -> Result<()>) -> Result<()> {
        self.say(&format!("\n{}\n\n", bold(title)))?;
        show(self)
    }

    pub fn say(&self, text: &str) -> Result<()> {
        if self.ui.json {
            return Ok(());
        }
        ui::print(text).map_err(Error::writing("standard output"))
    }
}
