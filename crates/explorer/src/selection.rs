//! Which examples the person looks at, in which order: all of it stands in the address of the page, so that it can be
//! kept, shared and gone back to.

use std::cmp::Ordering;

use fissure_geometry::{ExampleScore, input_of};
use serde::{Deserialize, Serialize};

use crate::session::{Session, Slot, read};

/// Rows on one page of the list.
pub const PAGE: usize = 50;

/// What was chosen; an empty text is no choice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Selection {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub view: String,
    /// Words to look for in the texts, ids and labels.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub q: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub predicted: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lambda_from: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lambda_to: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub forecast_from: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub forecast_to: String,
    /// 1 - max p.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doubt_from: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doubt_to: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sort: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub order: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub page: String,
}

/// The views of the list: name in the address, title, what it shows.
pub const VIEWS: [(&str, &str, &str); 6] = [
    ("", "Most fragile", "The answers that a few changed words turn most easily, first."),
    ("robust", "Most robust", "The answers that hold best, first."),
    ("wrong", "Wrong and confident", "Wrong answers, the surest first."),
    (
        "flips",
        "Flips found",
        "One word, replaced by one that is near in meaning, flips the answer. The most fragile examples are searched.",
    ),
    (BROKEN, "Broken by the attack", "Texts that the run of attacks broke, the fewest changed words first."),
    ("file", "As in the file", "In the order of the data."),
];
/// The view of what a run of attacks broke; only there if such a run was given.
pub const BROKEN: &str = "broken";

impl Selection {
    /// The number of the chosen model.
    pub fn model(&self, session: &Session) -> usize {
        self.model.parse().ok().filter(|model| *model < session.setup.subjects.len()).unwrap_or(0)
    }

    pub fn page(&self) -> usize {
        self.page.parse().unwrap_or(0)
    }

    /// Whether fewer than all examples are chosen.
    pub fn narrows(&self) -> bool {
        let ranges = [
            &self.lambda_from,
            &self.lambda_to,
            &self.forecast_from,
            &self.forecast_to,
            &self.doubt_from,
            &self.doubt_to,
        ];
        !(self.q.is_empty()
            && self.label.is_empty()
            && self.predicted.is_empty()
            && ranges.iter().all(|range| range.is_empty()))
    }

    /// The address of a page with this selection, changed by `change`.
    pub fn link(&self, path: &str, change: impl FnOnce(&mut Self)) -> String {
        let mut other = Self { page: String::new(), ..self.clone() };
        change(&mut other);
        match serde_urlencoded::to_string(&other).unwrap_or_default() {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// The same model and nothing else.
    pub fn cleared(&self) -> Self {
        Self { model: self.model.clone(), ..Self::default() }
    }

    /// Whether an example is chosen. One that is not scored yet is chosen only where no score is asked for.
    pub fn takes(&self, session: &Session, example: usize, row: Option<&ExampleScore>) -> bool {
        let sample = &session.setup.samples[example];
        let gold = || sample.label.as_ref().map(ToString::to_string).unwrap_or_default();
        (self.label.is_empty() || gold() == self.label)
            && (self.predicted.is_empty() || row.is_some_and(|row| row.predicted == self.predicted))
            && within(&self.lambda_from, &self.lambda_to, row.map(|row| row.lambda_max))
            && within(&self.forecast_from, &self.forecast_to, row.and_then(|row| row.flip_forecast))
            && within(&self.doubt_from, &self.doubt_to, row.map(|row| row.uncertainty))
            && (self.q.is_empty() || {
                let wanted = self.q.to_lowercase();
                let input = input_of(sample);
                let has = |text: &str| text.to_lowercase().contains(&wanted);
                has(input.text) || input.pair.is_some_and(has) || has(&sample.id) || has(&gold())
            })
    }

    /// The chosen examples, in order.
    pub fn examples(&self, session: &Session, slots: &[Slot]) -> Vec<usize> {
        let model = self.model(session);
        let flips = read(&session.board(model).flips);
        let in_view = |example: usize, row: Option<&ExampleScore>| match self.view.as_str() {
            "wrong" => row.is_some_and(|row| session.right(model, example, row) == Some(false)),
            "flips" => flips.get(&example).is_some_and(Option::is_some),
            BROKEN => session.broken(example).is_some(),
            "file" => true,
            _ => row.is_some(),
        };
        let mut chosen: Vec<usize> = (0..slots.len())
            .filter(|&at| {
                let row = slots[at].row().map(|row| &**row);
                in_view(at, row) && self.takes(session, at, row)
            })
            .collect();
        let usual = match self.view.as_str() {
            "robust" => ("fragility", false),
            "wrong" => ("doubt", false),
            "file" => ("", false),
            BROKEN => ("changed", false),
            _ => ("fragility", true),
        };
        let (sort, falling) = if self.sort.is_empty() { usual } else { (self.sort.as_str(), self.order == "falling") };
        let key = |at: usize| -> f64 {
            let row = slots[at].row();
            let of = |value: fn(&ExampleScore) -> f64| row.map_or(f64::NAN, |row| value(row));
            match sort {
                "fragility" => of(ExampleScore::fragility),
                "forecast" => row.and_then(|row| row.flip_forecast).unwrap_or(f64::NAN),
                "lambda" => of(|row| row.log_lambda_max),
                "doubt" => of(|row| row.uncertainty),
                "margin" => of(|row| row.margin),
                "changed" => session.broken(at).map_or(f64::NAN, |record| record.changed as f64),
                _ => at as f64,
            }
        };
        let mut keyed: Vec<(f64, usize)> = chosen.drain(..).map(|at| (key(at), at)).collect();
        keyed.sort_by(|a, b| ordered(a.0, b.0, falling).then(a.1.cmp(&b.1)));
        keyed.into_iter().map(|(_, at)| at).collect()
    }
}

/// What was not measured comes last, whatever the direction.
fn ordered(a: f64, b: f64, falling: bool) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (false, false) if falling => b.total_cmp(&a),
        (false, false) => a.total_cmp(&b),
        (a, b) => a.cmp(&b),
    }
}

/// Whether a number lies between two ends, either of which may be left open. Ends that are no numbers are open.
fn within(from: &str, to: &str, value: Option<f64>) -> bool {
    let ends: (Option<f64>, Option<f64>) = (from.trim().parse().ok(), to.trim().parse().ok());
    match (ends, value) {
        ((None, None), _) => true,
        (_, None) => false,
        ((from, to), Some(value)) => from.is_none_or(|from| value >= from) && to.is_none_or(|to| value <= to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_be_open() {
        assert!(within("", "", None) && within("x", "", None));
        assert!(!within("0.1", "", None));
        assert!(within("0.1", "", Some(0.1)) && within("1e-3", "1", Some(0.5)));
        assert!(!within("", "0.2", Some(0.3)));
    }

    #[test]
    fn addresses_keep_the_choice_and_escape_it() {
        let selection = Selection { q: "a&b=<c>".into(), page: "3".into(), ..Selection::default() };
        assert_eq!(selection.link("/list", |s| s.view = "wrong".into()), "/list?view=wrong&q=a%26b%3D%3Cc%3E");
        assert_eq!(Selection::default().link("/", |_| ()), "/");
        assert!(selection.narrows() && !Selection::default().narrows());
    }

    #[test]
    fn what_was_not_measured_comes_last() {
        let mut keys = [f64::NAN, 1.0, 2.0];
        keys.sort_by(|a, b| ordered(*a, *b, true));
        assert_eq!(keys[..2], [2.0, 1.0]);
        keys.sort_by(|a, b| ordered(*a, *b, false));
        assert_eq!(keys[..2], [1.0, 2.0]);
    }
}
