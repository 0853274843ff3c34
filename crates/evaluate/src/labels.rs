//! What a data set and a model mean by their labels.

/// The tasks whose samples have one class each.
pub const CLASS_TASKS: &[&str] = &["classification", "sa", "nli", "sm", "re"];

/// Which of the model's labels a data set means by its own: those of the same name, or of the same number. Data sets
/// often number the labels that a model names, from 0 or from 1; and models often have no names for the two sides of
/// sentiment that data sets name, of which the negative one comes first by convention.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LabelMap {
    first: usize,
}

impl LabelMap {
    /// Looks at labels of the data: numbers count from 1 where none is 0 and one is the number of classes.
    pub fn new<'a>(known: &[String], labels: impl Iterator<Item = &'a str>) -> Self {
        let (mut lowest, mut highest) = (usize::MAX, 0);
        for number in labels.filter_map(|label| label.parse::<usize>().ok()) {
            (lowest, highest) = (lowest.min(number), highest.max(number));
        }
        Self { first: usize::from(lowest == 1 && highest == known.len()) }
    }

    /// The number of the model's label that the data call `label`.
    pub fn index(self, known: &[String], label: &str) -> Option<usize> {
        let of_that_name = known.iter().position(|known| known.eq_ignore_ascii_case(label));
        let of_that_number = || label.parse::<usize>().ok()?.checked_sub(self.first);
        let of_that_side = || {
            let wanted = side(label)?;
            let named = known.iter().position(|known| side(known) == Some(wanted));
            named.or_else(|| (known.len() == 2 && known.iter().all(|known| is_nameless(known))).then_some(wanted))
        };
        of_that_name.or_else(of_that_number).or_else(of_that_side).filter(|index| *index < known.len())
    }
}

/// Negative is 0, positive 1, by the names that data sets give them.
fn side(label: &str) -> Option<usize> {
    let names = [["negative", "neg"], ["positive", "pos"]];
    names.iter().position(|names| names.iter().any(|name| label.eq_ignore_ascii_case(name)))
}

/// A label that is a number, or that `transformers` numbered for want of a name.
fn is_nameless(label: &str) -> bool {
    label.strip_prefix("LABEL_").unwrap_or(label).parse::<usize>().is_ok()
}

/// The label that a model which looks for the same words in both texts of a pair gives when one is a copy of the other:
/// the one that copying destroyers are measured against. By its name, or by the custom of SNLI and MNLI, which number
/// entailment, neutral and contradiction from 0.
pub fn default_label(task: &str, known: &[String]) -> Option<String> {
    let names: &[&str] = match task {
        "nli" => &["entailment", "entail", "entails", "yes", "label_entailment"],
        "sm" => &["paraphrase", "equivalent", "duplicate", "similar", "same", "match", "true", "yes", "1", "label_1"],
        _ => return None,
    };
    let by_name = known.iter().find(|label| names.iter().any(|name| label.eq_ignore_ascii_case(name)));
    let by_custom = || known.first().filter(|first| task == "nli" && known.len() == 3 && first.as_str() == "0");
    by_name.or_else(by_custom).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_by_name_or_number() {
        let known = ["World", "Sports", "Business"].map(str::to_owned);
        let index = |seen: &[&str], label: &str| LabelMap::new(&known, seen.iter().copied()).index(&known, label);
        assert_eq!(index(&["sports"], "sports"), Some(1));
        assert_eq!(index(&["0", "2"], "2"), Some(2));
        assert_eq!(index(&["1", "3"], "3"), Some(2), "counted from 1");
        assert_eq!(index(&["1", "3"], "0"), None);
        assert_eq!(index(&["1", "2"], "2"), Some(2), "counted from 0 unless the labels show otherwise");
        assert_eq!(index(&["x"], "x"), None);
    }

    #[test]
    fn sides_of_sentiment_have_several_names() {
        let index = |known: [&str; 2], label: &str| LabelMap::default().index(&known.map(str::to_owned), label);
        assert_eq!(index(["0", "1"], "Positive"), Some(1));
        assert_eq!(index(["LABEL_0", "LABEL_1"], "neg"), Some(0));
        assert_eq!(index(["positive", "negative"], "neg"), Some(1), "a name goes before the convention");
        assert_eq!(index(["spam", "ham"], "pos"), None);
    }

    #[test]
    fn copies_have_a_default_label_where_the_task_has_one() {
        let nli = ["contradiction", "Entailment", "neutral"].map(str::to_owned);
        assert_eq!(default_label("nli", &nli).as_deref(), Some("Entailment"));
        assert_eq!(default_label("sm", &["0".into(), "1".into()]).as_deref(), Some("1"));
        assert_eq!(default_label("sa", &nli), None);
        assert_eq!(default_label("nli", &["0", "1", "2"].map(str::to_owned)).as_deref(), Some("0"));
        assert_eq!(default_label("nli", &["0", "1"].map(str::to_owned)), None);
    }
}
