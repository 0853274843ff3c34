//! How good a change is: validators score it from 0 to 1, and a threshold keeps what is good enough.

use std::fmt;

use crate::{Catalog, Error, Resources, Result, Sample, Skip};

/// A part that says how good a change is.
pub trait Validator: fmt::Debug + Send + Sync {
    /// From 0 to 1; 1 if nothing was changed. `resources` holds at least what the part's card says it needs. Skipped if
    /// the change cannot be measured.
    fn score(&self, before: &Sample, after: &Sample, resources: &Resources) -> std::result::Result<f64, Skip>;
}

/// A threshold on a validator: `similarity>=0.8`.
#[derive(Debug)]
pub struct Threshold {
    name: &'static str,
    validator: Box<dyn Validator>,
    order: Order,
    threshold: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    AtLeast,
    Above,
    AtMost,
    Below,
}

/// Longer signs first, so that `>=` is not read as `>`.
const SIGNS: [(&str, Order); 4] =
    [(">=", Order::AtLeast), ("<=", Order::AtMost), (">", Order::Above), ("<", Order::Below)];

impl Threshold {
    /// Reads `NAME>=NUMBER`; also `>`, `<=` and `<`.
    pub fn parse(catalog: &Catalog<dyn Validator>, text: &str) -> Result<Self> {
        let bad = || Error::Threshold { text: text.into() };
        let (sign, order) = SIGNS.into_iter().find(|(sign, _)| text.contains(sign)).ok_or_else(bad)?;
        let (name, number) = text.split_once(sign).ok_or_else(bad)?;
        let threshold: f64 = number.trim().parse().map_err(|_| bad())?;
        if !(0.0..=1.0).contains(&threshold) {
            return Err(bad());
        }
        let entry = catalog.find(name.trim())?;
        let (validator, _) = entry.build(&[])?;
        Ok(Self { name: entry.card.name, validator, order, threshold })
    }

    /// The validator's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn holds(&self, score: f64) -> bool {
        match self.order {
            Order::AtLeast => score >= self.threshold,
            Order::Above => score > self.threshold,
            Order::AtMost => score <= self.threshold,
            Order::Below => score < self.threshold,
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = SIGNS.iter().find(|(_, order)| *order == self.order).map_or("", |(sign, _)| sign);
        write!(f, "{}{sign}{}", self.name, self.threshold)
    }
}

/// Thresholds that all must hold.
#[derive(Debug, Default)]
pub struct Thresholds(pub Vec<Threshold>);

/// The first threshold that a change did not meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub validator: &'static str,
    /// As it was asked for: `similarity>=0.8`.
    pub threshold: String,
    /// Nothing if it could not be measured.
    pub score: Option<f64>,
    pub reason: String,
}

impl Thresholds {
    /// Reads thresholds; one that needs help that is not there is refused before the run.
    pub fn parse(catalog: &Catalog<dyn Validator>, texts: &[String], resources: &Resources) -> Result<Self> {
        let thresholds = texts.iter().map(|text| Threshold::parse(catalog, text)).collect::<Result<Vec<_>>>()?;
        for keep in &thresholds {
            let needs = catalog.find(keep.name)?.card.needs;
            if let Some(need) = needs.iter().find(|need| !resources.serve(**need)) {
                return Err(Error::KeepNeeds { keep: keep.to_string(), advice: need.advice() });
            }
        }
        Ok(Self(thresholds))
    }

    /// The first threshold that the change does not meet; what cannot be measured does not meet it.
    pub fn failure(&self, before: &Sample, after: &Sample, resources: &Resources) -> Option<Failure> {
        self.0.iter().find_map(|keep| {
            let (score, reason) = match keep.validator.score(before, after, resources) {
                Ok(score) if keep.holds(score) => return None,
                Ok(score) => (Some(score), format!("{} is {score:.3}, not {keep}", keep.name)),
                Err(skip) => (None, format!("{} cannot be measured: {skip}", keep.name)),
            };
            Some(Failure { validator: keep.name, threshold: keep.to_string(), score, reason })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Card, Entry, Kind};

    /// The share of bytes that stay, by length alone.
    #[derive(Debug)]
    struct Length;

    impl Validator for Length {
        fn score(&self, before: &Sample, after: &Sample, _: &Resources) -> std::result::Result<f64, Skip> {
            let (before, after) = (before.fields[0].text.len(), after.fields[0].text.len());
            if before == 0 {
                return Err(Skip("there is no text".into()));
            }
            Ok((after as f64 / before as f64).min(1.0))
        }
    }

    static ENTRY: Entry<dyn Validator> =
        Entry::new(Card::new(Kind::Validator, "length", "", "", 0), Vec::new, |_| Ok((Box::new(Length), Vec::new())));
    static CATALOG: Catalog<dyn Validator> = Catalog::new("validator", &[&[&ENTRY]]);

    #[test]
    fn thresholds_filter_on_either_side() {
        let long = Sample::of_text("1", "abcd");
        let short = Sample::of_text("1", "ab");
        let fails = |text: &str| {
            let thresholds = Thresholds(vec![Threshold::parse(&CATALOG, text).unwrap()]);
            thresholds.failure(&long, &short, &Resources::default())
        };
        for (text, holds) in [
            ("length>=0.5", true),
            ("length > 0.5", false),
            ("length<=0.5", true),
            ("length<0.5", false),
            (" length >= 0.75", false),
        ] {
            assert_eq!(fails(text).is_none(), holds, "{text}");
        }
        assert_eq!(fails("length>=0.75").unwrap().reason, "length is 0.500, not length>=0.75");
        let thresholds = Thresholds::parse(&CATALOG, &["length>=0".into()], &Resources::default()).unwrap();
        let failure = thresholds.failure(&Sample::of_text("2", ""), &short, &Resources::default()).unwrap();
        assert_eq!((failure.score, failure.reason.as_str()), (None, "length cannot be measured: there is no text"));
    }

    #[test]
    fn a_threshold_that_cannot_be_read_is_named() {
        for text in ["length", "length=0.5", "length>=", "length>=x", "length>=2", "length>=NaN", ">=0.5"] {
            let error = Threshold::parse(&CATALOG, text).unwrap_err().to_string();
            assert!(error.contains(text.split('>').next().unwrap()), "{error}");
        }
        let error = Threshold::parse(&CATALOG, "lenght>=0.5").unwrap_err().to_string();
        assert!(error.contains("did you mean `length`"), "{error}");
    }
}
