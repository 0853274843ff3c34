use std::collections::HashMap;

use fissure_core::{Resources, Sample, Skip, Validator, validator};

use super::worst;

validator! {
    /// Shared runs of one to six letters: chrF of the changed text, with the original as its reference.
    ///
    /// As sacreBLEU's sentence chrF2: spaces left out, recall counted twice, orders that one text is too short for left
    /// out (`nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no`), divided by 100.
    pub struct Chrf {}
    card: {
        citation: Some("Popović 2015; Post 2018 (sacreBLEU)"),
    }
    examples: [
        "The soup was hot, and the bread wasn't. => The soup was warm, and the bread wasn't." => "0.804",
        "A great film. => Not a great film." => "0.818",
        "abc => xyz" => "0.000",
    ]
}

impl Validator for Chrf {
    fn score(&self, before: &Sample, after: &Sample, _: &Resources) -> Result<f64, Skip> {
        worst(before, after, |before, after| Ok(chrf(before, after)))
    }
}

/// How much recall weighs against precision, squared.
const RECALL_WEIGHT: f64 = 4.0;

fn chrf(reference: &str, text: &str) -> f64 {
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<Vec<char>>();
    let (reference, text) = (letters(reference), letters(text));
    if reference.is_empty() && text.is_empty() {
        return 1.0;
    }
    let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0.0);
    for order in 1..=6 {
        if reference.len() < order || text.len() < order {
            break;
        }
        let mut known: HashMap<&[char], usize> = HashMap::new();
        for gram in reference.windows(order) {
            *known.entry(gram).or_default() += 1;
        }
        let mut matched = 0;
        for gram in text.windows(order) {
            if let Some(left) = known.get_mut(gram).filter(|left| **left > 0) {
                *left -= 1;
                matched += 1;
            }
        }
        precision += f64::from(matched) / (text.len() + 1 - order) as f64;
        recall += f64::from(matched) / (reference.len() + 1 - order) as f64;
        orders += 1.0;
    }
    if precision + recall == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (precision / orders, recall / orders);
    ((1.0 + RECALL_WEIGHT) * precision * recall / (RECALL_WEIGHT * precision + recall)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of sacreBLEU 2.6.0.
    #[test]
    fn as_sacrebleu_counts() {
        for (reference, text, expected) in [
            ("The soup was hot, and the bread wasn't.", "The soup was warm, and the bread wasn't.", 80.41174370375661),
            ("I can't believe it's not butter.", "I can not believe it is not butter.", 70.49638080212867),
            ("the cat sat on the mat", "the the the", 14.6961481883762),
            ("good", "good film", 74.22630560928432),
            ("It cost $3.50 (in 2004), he said.", "It cost $8.60 (in 1989), he said.", 51.17517707735099),
            ("A great film.", "Not a great film.", 81.80543923872638),
            ("one two three four five", "one two three four five", 100.0),
            ("abc", "xyz", 0.0),
            ("He likes tea", "He doesn't like tea at all, does he?", 27.005416603410826),
            ("这部电影很好看，我看了3遍。", "这部电影不好看，我看了5遍。", 45.403300403300406),
            ("房间很小", "房间非常小", 25.673791821561338),
        ] {
            let found = 100.0 * chrf(reference, text);
            assert!((found - expected).abs() < 1e-9, "{text}: {found}, not {expected}");
        }
    }
}
