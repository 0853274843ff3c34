//! `fissure demo`: a tour on built-in data, stage by stage. A further stage is one module and one line in [`run`].

mod changes;
mod model;
mod reviews;
mod shortcuts;

use fissure_core::Sample;
use fissure_data::demo::{self, Split};
use serde_json::{Map, Value, json};

use crate::args;
use crate::ui::{self, Ui, bold};
use crate::{Error, Result};

/// How many reviews the model of the tour learns from.
const TRAINING: usize = 3000;

/// What the stages share.
#[derive(Debug)]
pub struct Tour {
    pub seed: u64,
    pub ui: Ui,
    /// What the model learns from.
    pub training: Vec<Sample>,
    /// The reviews that the stages look at; no model has seen them.
    pub reviews: Vec<Sample>,
    /// What was found, for `--json`.
    pub found: Map<String, Value>,
}

pub fn run(args: &args::Demo, ui: Ui) -> Result<()> {
    let mut tour = Tour {
        seed: args.seed,
        ui,
        training: demo::corpus(args.seed, Split::Train, TRAINING),
        reviews: demo::corpus(args.seed, Split::Test, args.limit as usize),
        found: Map::new(),
    };
    if let Some(folder) = &args.write {
        reviews::write(folder, args.seed)?;
    }
    tour.title("1. The reviews")?;
    reviews::show(&tour)?;
    tour.title("2. What changes do to them")?;
    changes::show(&mut tour)?;
    tour.title("3. A model, and where it is fragile")?;
    let model = model::show(&mut tour)?;
    tour.title("4. Which words carry its decisions")?;
    shortcuts::show(&mut tour, &*model)?;
    if ui.json {
        return ui::print(&format!("{:#}\n", json!(tour.found))).map_err(Error::writing("standard output"));
    }
    tour.title("Try next")?;
    tour.say(
        "  fissure list                                           everything there is\n  \
         fissure explain typos                                  how one part works\n  \
         fissure transform typos --data YOUR.csv --task sa      your own data, changed\n  \
         fissure score --model YOUR-DIR --data YOUR.csv         your own model, scored\n  \
         fissure demo --write reviews                           these reviews as files, to try commands on\n",
    )
}

impl Tour {
    fn title(&self, title: &str) -> Result<()> {
        self.say(&format!("\n{}\n\n", bold(title)))
    }

    /// Shows text to a person; a program that reads JSON sees only what was found, at the end.
    pub fn say(&self, text: &str) -> Result<()> {
        if self.ui.json {
            return Ok(());
        }
        ui::print(text).map_err(Error::writing("standard output"))
    }
}

/// The text of a review.
fn text(review: &Sample) -> &str {
    review.text("text").map_or("", |text| text.as_str())
}

/// The label of a review.
fn label(review: &Sample) -> String {
    review.label.as_ref().map_or_else(String::new, ToString::to_string)
}
