//! `fissure demo`: the full tour on built-in data, stage by stage. A further stage is one module and one line in [`run`].

mod attacked;
mod changes;
mod end;
mod model;
mod nonsense;
mod place;
mod reviews;
mod shortcuts;

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use fissure_core::{Language, Sample};
use fissure_data::Existing;
use fissure_data::demo::{self, Split};
use fissure_statistics::Estimate;
use serde_json::{Map, Value, json};

use crate::args;
use crate::commands::builtin::TRAINING_REVIEWS;
use crate::ui::{self, Ui, styled, wrapped};
use crate::{Error, Result};
use place::Place;

/// What the stages share.
#[derive(Debug)]
pub struct Tour {
    pub seed: u64,
    /// The language of the reviews.
    pub language: Language,
    pub ui: Ui,
    pub place: Place,
    /// What the model learns from.
    pub training: Vec<Sample>,
    /// The reviews that the stages look at; no model has seen them.
    pub reviews: Vec<Sample>,
    /// The answers of the model, by the id of the review.
    pub answers: BTreeMap<String, String>,
    /// What was found, for `--json`.
    pub found: Map<String, Value>,
}

pub fn run(args: &args::Demo, ui: Ui) -> Result<()> {
    if let Some(folder) = &args.write {
        return reviews::write(folder, args.language, args.seed, args.limit as usize, Existing::forced(args.force));
    }
    let mut tour = Tour {
        seed: args.seed,
        language: args.language,
        ui,
        place: Place::make(&args.out)?,
        training: demo::corpus_in(args.language, args.seed, Split::Train, TRAINING_REVIEWS),
        reviews: demo::corpus_in(args.language, args.seed, Split::Test, args.limit as usize),
        answers: BTreeMap::new(),
        found: Map::new(),
    };
    tour.title("1. Reviews of films")?;
    reviews::write(&tour.place.reviews(), args.language, args.seed, args.limit as usize, Existing::Replace)?;
    reviews::show(&tour)?;
    tour.title("2. A model, and where its answers are fragile")?;
    let model = model::show(&mut tour)?;
    tour.title("3. Which changes break it")?;
    let findings = changes::show(&mut tour)?;
    tour.title("4. Does it notice nonsense?")?;
    nonsense::show(&tour, &findings)?;
    tour.title("5. Which words carry its decisions")?;
    let shortcuts = shortcuts::show(&mut tour, &*model)?;
    tour.title("6. The least change that flips an answer")?;
    attacked::show(&mut tour)?;
    tour.title("What was found")?;
    end::verdict(&mut tour, &findings, &shortcuts)?;
    tour.place.finish()?;
    if ui.json {
        return ui::print(&format!("{:#}\n", json!(tour.found))).map_err(Error::writing("standard output"));
    }
    tour.title("Try next")?;
    end::next(&tour)
}

impl Tour {
    fn title(&self, title: &str) -> Result<()> {
        let style = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
        self.say(&format!("\n{}\n\n", styled(style, title)))
    }

    /// A paragraph for a person.
    pub fn paragraph(&self, text: &str) -> Result<()> {
        self.say(&wrapped(text, ""))
    }

    /// Shows text to a person as it is; a program that reads JSON sees only what was found, at the end.
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

/// A share in percent with its interval: `87.4 (85.1 to 89.5)`.
fn percent(estimate: &Estimate) -> String {
    let [value, low, high] = rounded(estimate);
    format!("{value:.1} ({low:.1} to {high:.1})")
}

/// The same within a sentence: `87.4 % (95 % interval 85.1 to 89.5)`.
fn percent_in_words(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(
        || "an unknown share".into(),
        |estimate| {
            let [value, low, high] = rounded(&estimate);
            format!("{value:.1} % (95 % interval {low:.1} to {high:.1})")
        },
    )
}

fn rounded(estimate: &Estimate) -> [f64; 3] {
    // Adding 0 makes -0.0 plain.
    [estimate.value, estimate.low, estimate.high].map(|share| (share * 1000.0).round() / 10.0 + 0.0)
}
