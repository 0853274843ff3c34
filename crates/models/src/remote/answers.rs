//! Reading what a model elsewhere says about a class.

use serde_json::{Map, Value};

use super::short;

/// A class, and how sure the model is.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// The number of the label.
    pub predicted: usize,
    /// Natural logarithms of the probabilities in the order of the labels; `None` where not all have a score.
    pub log_probs: Option<Vec<f32>>,
}

/// Reads `{"label": ..., "scores": {...}}`, in which one of the two may be missing.
pub fn read_class(answer: &Value, labels: &[String]) -> Result<Class, String> {
    let scores = match &answer["scores"] {
        Value::Null => None,
        Value::Object(scores) => Some(scores.clone()),
        Value::Array(scores) if scores.len() == labels.len() => {
            Some(labels.iter().cloned().zip(scores.iter().cloned()).collect())
        }
        other => {
            let other = short(&other.to_string());
            return Err(format!("`scores` is {other}, not an object with a number for each label"));
        }
    };
    let log_probs = scores.as_ref().map(|scores| log_probabilities(scores, labels)).transpose()?.flatten();
    let said = match &answer["label"] {
        Value::Null => None,
        Value::String(label) => Some(label.clone()),
        other => Some(other.to_string()),
    };
    let best = || best_of(scores.as_ref()?);
    let Some(said) = said.or_else(best) else {
        return Err(format!("the answer {} has neither a `label` nor `scores`", short(&answer.to_string())));
    };
    let exact = labels.iter().position(|label| *label == said);
    let alike = || labels.iter().position(|label| label.eq_ignore_ascii_case(&said));
    let predicted = exact.or_else(alike);
    let predicted =
        predicted.ok_or_else(|| format!("the answer `{}` is none of {}", short(&said), short(&labels.join(", "))))?;
    Ok(Class { predicted, log_probs })
}

/// The label with the highest score, the first of several.
fn best_of(scores: &Map<String, Value>) -> Option<String> {
    let mut best: Option<(&String, f64)> = None;
    for (label, score) in scores {
        let score = score.as_f64()?;
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((label, score));
        }
    }
    best.map(|(label, _)| label.clone())
}

/// Scores as probabilities that sum to 1; `None` where a label has none.
fn log_probabilities(scores: &Map<String, Value>, labels: &[String]) -> Result<Option<Vec<f32>>, String> {
    let mut found = Vec::with_capacity(labels.len());
    for label in labels {
        match scores.get(label).map(|score| (score, score.as_f64())) {
            None => return Ok(None),
            Some((_, Some(score))) if score >= 0.0 && score.is_finite() => found.push(score),
            Some((score, _)) => {
                let score = short(&score.to_string());
                return Err(format!("the score of `{label}` is {score}, not a probability"));
            }
        }
    }
    let sum: f64 = found.iter().sum();
    if sum <= 0.0 {
        return Err("all scores are 0".into());
    }
    if !sum.is_finite() {
        return Err("the scores are so large that their sum is beyond 64-bit numbers; give probabilities".into());
    }
    // The logarithm of 0 would not survive being written down as JSON.
    Ok(Some(found.into_iter().map(|score| (score / sum).max(f64::from(f32::MIN_POSITIVE)).ln() as f32).collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: &Value) -> Result<(usize, Option<Vec<f32>>), String> {
        let labels = ["neg", "pos"].map(str::to_owned);
        read_class(answer, &labels).map(|class| (class.predicted, class.log_probs))
    }

    #[test]
    fn labels_and_scores_in_all_their_spellings() {
        let halves = Some(vec![0.25f32.ln(), 0.75f32.ln()]);
        assert_eq!(read(&json!({"label": "pos"})), Ok((1, None)));
        assert_eq!(read(&json!({"label": "POS"})), Ok((1, None)));
        assert_eq!(read(&json!({"scores": {"pos": 0.75, "neg": 0.25}})), Ok((1, halves.clone())));
        assert_eq!(read(&json!({"scores": [1, 3]})), Ok((1, halves)));
        assert_eq!(read(&json!({"scores": {"pos": 0.9}})), Ok((1, None)), "a score is missing");
        let (predicted, sure) = read(&json!({"scores": {"neg": 1.0, "pos": 0.0}})).unwrap();
        assert!(predicted == 0 && sure.unwrap()[1].is_finite());
    }

    #[test]
    fn what_is_no_answer() {
        assert_eq!(read(&json!({"label": "good"})), Err("the answer `good` is none of neg, pos".into()));
        assert!(read(&json!({"answer": "pos"})).unwrap_err().contains("neither a `label` nor `scores`"));
        assert!(read(&json!({"scores": {"neg": -1.2, "pos": 0.1}})).unwrap_err().contains("not a probability"));
        assert!(read(&json!({"scores": {"neg": 1e308, "pos": 1e308}})).unwrap_err().contains("give probabilities"));
        assert!(read(&json!({"scores": "high"})).unwrap_err().contains("not an object"));
        assert!(read(&json!([1])).is_err());
        let long = "x".repeat(200_000);
        for answer in
            [json!({"label": long}), json!({"scores": long}), json!([long]), json!({"scores": {"neg": long, "pos": 1}})]
        {
            assert!(read(&answer).unwrap_err().len() < 1000);
        }
    }
}
