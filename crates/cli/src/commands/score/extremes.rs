//! The most fragile and the most robust examples of a run, kept in constant memory.

use fissure_geometry::{ExampleScore, Substitution};
use serde::{Deserialize, Serialize};

use crate::ui::{self, table};

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Extremes {
    most: usize,
    fragile: Vec<Kept>,
    robust: Vec<Kept>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    /// By its bits: it may be infinite, which JSON cannot say.
    #[serde(with = "bits")]
    fragility: f64,
    cells: Vec<String>,
    /// The id and the substitutions, where e_max was decoded.
    decoded: Option<Vec<String>>,
}

impl Extremes {
    /// From now on, keeps `most` at each end.
    pub fn keep(&mut self, most: usize) {
        self.most = most;
    }

    pub fn add(&mut self, row: &ExampleScore, text: &str) {
        let fragility = row.fragility();
        if self.most == 0 || fragility.is_nan() {
            return;
        }
        let enters = |kept: &[Kept], sign: f64| {
            kept.len() < self.most || kept.last().is_some_and(|last| sign * fragility > sign * last.fragility)
        };
        let (in_fragile, in_robust) = (enters(&self.fragile, 1.0), enters(&self.robust, -1.0));
        if !in_fragile && !in_robust {
            return;
        }
        let kept = Kept { fragility, cells: cells(row, text), decoded: decoded(row) };
        for (list, enters, sign) in [(&mut self.fragile, in_fragile, 1.0), (&mut self.robust, in_robust, -1.0)] {
            if enters {
                // Earlier examples go first among equals, so that the list does not depend on anything else.
                let at = list.partition_point(|other| sign * other.fragility >= sign * fragility);
                list.insert(at, kept.clone());
                list.truncate(self.most);
            }
        }
    }

    pub fn show(&self) {
        for (title, list) in [("most fragile", &self.fragile), ("most robust", &self.robust)] {
            if !list.is_empty() {
                let rows: Vec<Vec<String>> = list.iter().map(|kept| kept.cells.clone()).collect();
                let head = ["id", "flip forecast", "lambda_max", "1 - max p", "turned", "predicted", "label", title];
                ui::note(&format!("\n{}", table(&head, &rows)));
                let decoded: Vec<Vec<String>> = list.iter().filter_map(|kept| kept.decoded.clone()).collect();
                if !decoded.is_empty() {
                    ui::note(&format!("\n{}", table(&["id", "along e_max in words (! flips the answer)"], &decoded)));
                }
            }
        }
        ui::note("");
    }
}

fn decoded(row: &ExampleScore) -> Option<Vec<String>> {
    let one = |s: &Substitution| format!("{} → {}{}", s.from, s.to, if s.flips { " !" } else { "" });
    let all: Vec<String> = row.substitutions.as_ref()?.iter().map(one).collect();
    Some(vec![row.id.clone(), all.join(", ")])
}

fn cells(row: &ExampleScore, text: &str) -> Vec<String> {
    let number = |value: f64| if value.is_nan() { "-".into() } else { format!("{value:.3}") };
    let outside = row.log_lambda_max.is_nan();
    let needs = || "needs gradients".to_owned();
    let lambda = if outside { needs() } else { format!("{:.3e}", row.lambda_max) };
    let forecast = match row.flip_forecast {
        Some(p) => format!("{p:.3}"),
        None if outside => needs(),
        None => "-".into(),
    };
    vec![
        row.id.clone(),
        forecast,
        lambda,
        number(row.uncertainty),
        row.flips.map_or_else(|| "-".into(), |flips| format!("{} of {}", flips.turned, flips.changed)),
        row.predicted.clone(),
        row.label.clone().unwrap_or_default(),
        ui::shortened(text),
    ]
}

mod bits {
    use serde::{Deserialize as _, Deserializer, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
    pub fn serialize<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(number.to_bits())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        u64::deserialize(from).map(f64::from_bits)
    }
}
