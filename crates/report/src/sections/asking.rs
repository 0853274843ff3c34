//! The cost of asking a remote model: requests, time, tokens, cost.

use fissure_evaluate::AskedFile;

use crate::document::{Block, Section, Words};
use crate::numbers::count;

pub fn section(file: &AskedFile) -> Section {
    let asked = &file.asked;
    let number = |value: u64| count(usize::try_from(value).unwrap_or(usize::MAX));
    let mut pairs = vec![
        ("questions", format!("{}, {} of them without an answer", number(asked.questions), number(asked.failures))),
        ("requests", format!("{}, {} of them retries", number(asked.requests), number(asked.retries))),
    ];
    if asked.scaled > 0 {
        let scaled = number(asked.scaled);
        pairs.push(("scores", format!("{scaled} replies had scores that do not sum to 1; they were scaled")));
    }
    if let (Some(median), Some(p95)) = (file.latency_median_s, file.latency_p95_s) {
        let (median, p95) = (fissure_evaluate::seconds(median), fissure_evaluate::seconds(p95));
        pairs.push(("time to a reply", format!("median {median}, 95 % within {p95}")));
    }
    let tokens = match asked.counted_replies {
        0 => "not measured: replies have no `usage`".to_owned(),
        replies => format!(
            "{} ({} in prompts, {} in replies), as {} replies say",
            number(asked.total_tokens),
            number(asked.prompt_tokens),
            number(asked.completion_tokens),
            number(replies)
        ),
    };
    pairs.push(("tokens", tokens));
    if let (Some(cost), Some(price)) = (file.cost, file.price) {
        let cost = fissure_evaluate::money(cost);
        let at = format!("at {} for a million tokens in prompts and {} in replies", price.prompt, price.completion);
        pairs.push(("estimated cost", format!("{cost}, {at}")));
    }
    let pairs = pairs.into_iter().map(|(name, value)| (name.to_owned(), Words::from(value))).collect();
    Section::new("asking", "Requests, time and cost")
        .words(
            "Unlike the findings, these numbers change from run to run. Resumed parts of the run are included.".into(),
        )
        .block(Block::Pairs(pairs))
}
