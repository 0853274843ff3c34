//! Caveats of a result on pairs: whether it contradicts the paper, and whether the model has seen the originals.

use fissure_geometry::PairsReport;
use fissure_statistics::Estimate;

use super::papers;

/// Sets whose kind is clear from the file name.
const KINDS: [(&str, &[&str]); 2] =
    [("contrast", &["contrast"]), ("counterfactual", &["counterfact", "paired", "revised_cf"])];

/// A sentence if the result contradicts the paper, and one about originals that the model saw in training.
pub fn sentences<'a>(found: &PairsReport, names: impl Iterator<Item = &'a str>, encoder: bool) -> Vec<String> {
    let names: String = names.map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    let is_named = |(_, marks): &&(&str, &[&str])| marks.iter().any(|mark| names.contains(mark));
    let named: Vec<&str> = KINDS.iter().filter(is_named).map(|(kind, _)| *kind).collect();
    let kinds = if named.is_empty() { KINDS.map(|(kind, _)| kind).to_vec() } else { named };
    let model = if encoder { "BERT" } else { "CNN" };
    let rows = papers::DIFFERENCES.iter().filter(|[whose, set, ..]| {
        *whose == model && set.ends_with("test") && kinds.iter().any(|kind| set.starts_with(kind))
    });
    let ours = found.all.mean_difference;
    let mut sentences: Vec<String> = rows
        .filter(|[_, _, mean, spread]| contradicts(ours, number(mean), number(spread)))
        .map(|[whose, set, mean, _]| {
            format!(
                "The mean difference {:+.3} ({:+.3} to {:+.3}) contradicts the paper's {whose} on {set}, {:+}.",
                ours.value,
                ours.low,
                ours.high,
                number(mean)
            )
        })
        .collect();
    let seen = found.pairs.iter().filter(|pair| pair.seen == Some(true)).count();
    sentences.push(if found.pairs.iter().all(|pair| pair.seen.is_none()) {
        "Whether the model saw the originals in training is not known: give --train FILE.".to_owned()
    } else if seen == 0 {
        "No original was seen in training.".to_owned()
    } else {
        format!(
            "{seen} of {} originals were seen in training, so the difference shows memory as well as difficulty: use \
             originals that the model was not trained on.",
            found.pairs.len()
        )
    });
    sentences
}

fn number(written: &str) -> f64 {
    written.parse().unwrap_or(0.0)
}

/// Ours is beyond noise, and on the other side of 0; where the paper found next to nothing, ours is beyond its spread.
fn contradicts(ours: Estimate, mean: f64, spread: f64) -> bool {
    let beyond_noise = ours.low > 0.0 || ours.high < 0.0;
    let next_to_nothing = mean.abs() < 0.3 * spread;
    beyond_noise && if next_to_nothing { ours.value.abs() > spread } else { ours.value * mean < 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contradicts_the_paper() {
        let ours = |value: f64, reach: f64| Estimate { value, low: value - reach, high: value + reach };
        assert!(contradicts(ours(-5.0, 0.5), 0.65, 1.15), "the other sign");
        assert!(!contradicts(ours(-5.0, 0.5), -0.57, 1.22) && !contradicts(ours(-0.1, 0.5), 0.65, 1.15));
        assert!(contradicts(ours(0.5, 0.1), -0.01, 0.11) && !contradicts(ours(0.05, 0.01), 0.004, 0.10));
    }
}
