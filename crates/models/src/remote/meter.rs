//! What asking costs: questions, requests, retries, tokens, and how long replies take.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use fissure_tasks::has_scaled_scores;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Counts what is asked; shared by everything that asks one model.
#[derive(Debug, Default)]
pub struct Meter(Mutex<Asked>);

/// What was asked so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Questions that were put, each counted once.
    pub questions: u64,
    /// Questions that got no answer.
    pub failures: u64,
    /// Requests that were sent, retries included; for a program, lines that it was to answer.
    pub requests: u64,
    /// Requests that repeat one that failed.
    pub retries: u64,
    /// Replies with scores that do not sum to 1, and were scaled.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scaled: u64,
    /// Replies that say how many tokens they cost.
    pub counted_replies: u64,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub total_tokens: u64,
    /// How many replies took how long: the number of a step of [`STEPS`] to a doubling, from a microsecond on.
    pub latency: BTreeMap<u32, u64>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Steps to a doubling of the latency: a quantile is off by 4.5 % at most.
const STEPS: f64 = 8.0;

impl Meter {
    pub fn asked(&self) -> Asked {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// Counts the replies whose scores are scaled to sum to 1.
    pub fn see_scores<'a>(&self, replies: impl Iterator<Item = &'a Value>, labels: &[String]) {
        let scaled = replies.filter(|reply| has_scaled_scores(reply, labels)).count() as u64;
        if scaled > 0 {
            self.change(|asked| asked.scaled += scaled);
        }
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Asked)) {
        change(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    }
}

impl Asked {
    /// Both together, as for a run that was stopped and resumed.
    pub fn with(mut self, other: &Self) -> Self {
        self.questions += other.questions;
        self.failures += other.failures;
        self.requests += other.requests;
        self.retries += other.retries;
        self.scaled += other.scaled;
        self.counted_replies += other.counted_replies;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.total_tokens += other.total_tokens;
        other.latency.iter().for_each(|(step, count)| *self.latency.entry(*step).or_default() += count);
        self
    }

    /// Adds what a reply says about tokens: `usage` as chat completions have it.
    pub(super) fn read_usage(&mut self, reply: &Value) {
        let usage = &reply["usage"];
        let number = |names: &[&str]| names.iter().find_map(|name| usage[*name].as_u64());
        let prompt = number(&["prompt_tokens", "input_tokens"]);
        let completion = number(&["completion_tokens", "output_tokens"]);
        let total = number(&["total_tokens"]);
        if prompt.is_none() && completion.is_none() && total.is_none() {
            return;
        }
        let (prompt, completion) = (prompt.unwrap_or(0), completion.unwrap_or(0));
        self.counted_replies += 1;
        self.prompt_tokens = self.prompt_tokens.saturating_add(prompt);
        self.completion_tokens = self.completion_tokens.saturating_add(completion);
        self.total_tokens = self.total_tokens.saturating_add(total.unwrap_or(prompt.saturating_add(completion)));
    }

    pub(super) fn took(&mut self, time: Duration) {
        let micros = (time.as_micros() as f64).max(1.0);
        *self.latency.entry((micros.log2() * STEPS).round() as u32).or_default() += 1;
    }

    /// The time within which this share of the replies came; `None` if there is no reply.
    pub fn latency_at(&self, share: f64) -> Option<Duration> {
        let all: u64 = self.latency.values().sum();
        let wanted = ((all as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        let step = self.latency.iter().find(|(_, count)| {
            seen += **count;
            seen >= wanted
        });
        step.map(|(step, _)| Duration::from_secs_f64((f64::from(*step) / STEPS).exp2() / 1e6))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn usage_is_summed_in_both_spellings() {
        let mut asked = Asked::default();
        asked.read_usage(&json!({"usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}}));
        asked.read_usage(&json!({"usage": {"input_tokens": 5, "output_tokens": 1}}));
        asked.read_usage(&json!({"usage": null}));
        asked.read_usage(&json!({"choices": []}));
        let found = (asked.counted_replies, asked.prompt_tokens, asked.completion_tokens, asked.total_tokens);
        assert_eq!(found, (2, 15, 3, 18));
    }

    #[test]
    fn quantiles_of_the_latency() {
        let mut asked = Asked::default();
        assert_eq!(asked.latency_at(0.5), None);
        (1..=100).for_each(|ms| asked.took(Duration::from_millis(ms)));
        let at = |share: f64| asked.latency_at(share).unwrap().as_secs_f64() * 1000.0;
        assert!((at(0.5) - 50.0).abs() < 50.0 * 0.05, "{}", at(0.5));
        assert!((at(0.95) - 95.0).abs() < 95.0 * 0.05, "{}", at(0.95));
        let both = asked.clone().with(&asked);
        assert_eq!(both.latency.values().sum::<u64>(), 200);
        assert_eq!(both.latency_at(0.5), asked.latency_at(0.5));
    }
}
