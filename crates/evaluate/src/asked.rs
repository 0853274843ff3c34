//! `asked.json` beside a run: what the questions to a remote model cost. It stands apart from the run file, because the same answers
//! may take another time and other tries; findings do not depend on it.

use std::fs;
use std::path::Path;

use fissure_models::remote::Asked;
use fissure_settings::Price;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The name of the file beside the run file.
pub const ASKED_FILE: &str = "asked.json";

/// What stands in the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AskedFile {
    pub asked: Asked,
    /// The median and the 95th percentile of the time to a reply, in seconds.
    pub latency_median_s: Option<f64>,
    pub latency_p95_s: Option<f64>,
    /// What the user says a million tokens cost.
    pub price: Option<Price>,
    /// By that price and the tokens that replies counted.
    pub cost: Option<f64>,
    /// Whether the model is still asked. A process that is killed leaves it so, and has asked more than was written down.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// Whether a process that asked for this run was killed, so that these are the least numbers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}

impl AskedFile {
    /// What was asked, `earlier` included, which is of the same run before it was stopped.
    pub fn new(earlier: Option<Self>, asked: &Asked, price: Option<Price>) -> Self {
        let earlier = earlier.unwrap_or_default();
        let at_least = earlier.open || earlier.at_least;
        let price = price.or(earlier.price);
        let asked = earlier.asked.with(asked);
        let seconds = |share: f64| asked.latency_at(share).map(|time| (time.as_secs_f64() * 1e4).round() / 1e4);
        Self {
            latency_median_s: seconds(0.5),
            latency_p95_s: seconds(0.95),
            price,
            cost: price
                .filter(|_| asked.counted_replies > 0)
                .map(|price| price.of(asked.prompt_tokens as f64, asked.completion_tokens as f64)),
            asked,
            open: false,
            at_least,
        }
    }

    /// In a sentence: what a run ends with.
    pub fn summary(&self) -> String {
        let Asked { questions, failures, requests, retries, counted_replies, .. } = self.asked;
        let at_least = if self.at_least { "at least " } else { "" };
        let mut summary =
            format!("asked {at_least}{questions} questions in {requests} requests ({retries} of them retries)");
        if failures > 0 {
            summary += &format!("; {failures} got no answer");
        }
        if self.asked.scaled > 0 {
            summary += &format!("; {} had scores that do not sum to 1 and were scaled", self.asked.scaled);
        }
        if let (Some(median), Some(p95)) = (self.latency_median_s, self.latency_p95_s) {
            summary += &format!("; a reply took {} (median), {} (95 %)", seconds(median), seconds(p95));
        }
        if counted_replies > 0 {
            let Asked { prompt_tokens, completion_tokens, total_tokens, .. } = self.asked;
            summary += &format!("; {total_tokens} tokens ({prompt_tokens} prompt, {completion_tokens} completion)");
        }
        if let Some(cost) = self.cost {
            summary += &format!("; cost {} {}", if self.at_least { "at least" } else { "about" }, money(cost));
        }
        if self.at_least {
            summary += "; what a process asked shortly before it was killed is not counted";
        }
        summary
    }
}

/// A short time, for people.
pub fn seconds(time: f64) -> String {
    if time < 1.0 { format!("{:.0} ms", time * 1000.0) } else { format!("{time:.1} s") }
}

/// A sum of money; the currency is not known.
pub fn money(sum: f64) -> String {
    if sum < 1.0 { format!("{sum:.4}") } else { format!("{sum:.2}") }
}

/// The file beside a run; `None` if there is none.
pub fn read_asked(folder: &Path) -> Result<Option<AskedFile>> {
    let path = folder.join(ASKED_FILE);
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|why| Error::io("read", &path)(why.into())),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(Error::io("read", &path)(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_counts_what_came_before() {
        let asked = Asked {
            questions: 10,
            requests: 12,
            retries: 2,
            failures: 1,
            scaled: 3,
            counted_replies: 10,
            prompt_tokens: 1_000_000,
            completion_tokens: 500_000,
            total_tokens: 1_500_000,
            latency: [(80, 10)].into(),
        };
        let price = Some(Price { prompt: 2.0, completion: 8.0 });
        let first = AskedFile::new(None, &asked, price);
        assert_eq!(first.cost, Some(6.0));
        let text = serde_json::to_string(&first).unwrap();
        let read: AskedFile = serde_json::from_str(&text).unwrap();
        assert_eq!(read, first);
        let both = AskedFile::new(Some(read), &asked, None);
        assert_eq!((both.asked.questions, both.asked.retries, both.cost), (20, 4, Some(12.0)));
        assert!(
            both.summary()
                .contains("20 questions in 24 requests (4 of them retries); 2 got no answer; 6 had scores that"),
            "{}",
            both.summary()
        );
        assert!(both.summary().contains("3000000 tokens (2000000 prompt, 1000000 completion); cost about 12.00"));
        // A process that was killed has left its file open.
        let killed = AskedFile { open: true, ..AskedFile::new(None, &asked, price) };
        let resumed = AskedFile::new(Some(killed), &asked, None);
        assert!(resumed.at_least && resumed.summary().contains("asked at least 20 questions"), "{}", resumed.summary());
        assert!(AskedFile::new(Some(resumed), &asked, None).at_least);
    }
}
