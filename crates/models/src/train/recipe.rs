//! How a small model was trained, written beside its weights, so that it can be trained again in the same way.

use serde_json::{Map, Value, json};

use super::{Architecture, Loss, Optimizer, TrainOptions};
use crate::Result;
use crate::small::word_cut;
use crate::weights::Config;

/// The key of the recipe in `config.json`.
pub(super) const KEY: &str = "recipe";

impl TrainOptions {
    /// The options that a small model was trained with; the defaults of its architecture for what its directory does not
    /// say. Word vectors it started from are not among them: the file may be gone.
    pub fn of_model(config: &Config) -> Result<Self> {
        let mut options = Self::new(config.string("architecture")?.parse::<Architecture>()?);
        options.max_words = config.count("max_words")?;
        options.cut = Some(word_cut(config)?);
        options.embedding_width = config.count("embedding_dim")?;
        if let Some(Value::Object(recipe)) = config.get(KEY) {
            options.follow(recipe);
        }
        options.check()?;
        Ok(options)
    }

    pub(super) fn recipe(&self) -> Value {
        json!({
            "words": self.words, "bigrams": self.bigrams, "fewest_occurrences": self.fewest_occurrences,
            "spans": self.spans, "filters": self.filters, "hidden": self.hidden, "epochs": self.epochs,
            "batch": self.batch, "optimizer": if self.optimizer == Optimizer::Sgd { "sgd" } else { "adam" },
            "rate": self.rate, "rate_decay": self.rate_decay, "dropout": self.dropout,
            "label_smoothing": self.loss.smoothing, "focal": self.loss.focus, "validation": self.validation,
            "patience": self.patience, "refit": self.refit,
        })
    }

    fn follow(&mut self, recipe: &Map<String, Value>) {
        let count = |key: &str, option: &mut usize| {
            if let Some(given) = recipe.get(key).and_then(Value::as_u64) {
                *option = given as usize;
            }
        };
        count("words", &mut self.words);
        count("bigrams", &mut self.bigrams);
        count("fewest_occurrences", &mut self.fewest_occurrences);
        count("filters", &mut self.filters);
        count("hidden", &mut self.hidden);
        count("epochs", &mut self.epochs);
        count("batch", &mut self.batch);
        count("patience", &mut self.patience);
        let number = |key: &str, option: &mut f32| {
            if let Some(given) = recipe.get(key).and_then(Value::as_f64) {
                *option = given as f32;
            }
        };
        let Loss { mut smoothing, mut focus } = self.loss;
        number("rate", &mut self.rate);
        number("rate_decay", &mut self.rate_decay);
        number("dropout", &mut self.dropout);
        number("validation", &mut self.validation);
        number("label_smoothing", &mut smoothing);
        number("focal", &mut focus);
        self.loss = Loss { smoothing, focus };
        if let Some(spans) = recipe.get("spans").and_then(Value::as_array) {
            self.spans = spans.iter().filter_map(Value::as_u64).map(|span| span as usize).collect();
        }
        if let Some(refit) = recipe.get("refit").and_then(Value::as_bool) {
            self.refit = refit;
        }
        if recipe.get("optimizer").and_then(Value::as_str) == Some("sgd") {
            self.optimizer = Optimizer::Sgd;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_says_everything_again() {
        let mut options = TrainOptions::papers_fasttext();
        (options.dropout, options.words, options.loss.focus) = (0.25, 77, 2.0);
        options.refit = true;
        let Value::Object(recipe) = options.recipe() else { unreachable!("a recipe is an object") };
        let mut again = TrainOptions::new(Architecture::FastText);
        again.follow(&recipe);
        assert_eq!(again, options);
    }
}
