use fissure_core::{Resources, Sample, Skip, Validator, validator};

use super::worst;

validator! {
    /// The share of letters that stayed: 1 less the edit distance divided by the length of the longer text.
    ///
    /// The distance is Levenshtein's: letters put in, taken out or replaced, counted in characters of Unicode. Equal
    /// beginnings and ends cost nothing; where what lies between is too long to compare, the change is not measured.
    pub struct EditDistance {}
    card: {
        citation: Some("Levenshtein 1966"),
    }
    examples: [
        "kitten => sitting" => "0.571",
        "The soup was hot. => The soup was cold." => "0.833",
        "abc => xyz" => "0.000",
    ]
}

/// At most this many pairs of characters are compared: about a second.
const MOST_PAIRS: usize = 400_000_000;

impl Validator for EditDistance {
    fn score(&self, before: &Sample, after: &Sample, _: &Resources) -> Result<f64, Skip> {
        worst(before, after, kept)
    }
}

fn kept(before: &str, after: &str) -> Result<f64, Skip> {
    let (before, after): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let longest = before.len().max(after.len());
    let start = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[..before.len() - end], &after[..after.len() - end]);
    if before.len().saturating_mul(after.len()) > MOST_PAIRS {
        let count = before.len().max(after.len());
        return Err(Skip(format!("the texts differ over {count} characters, too many to compare").into()));
    }
    if longest == 0 {
        return Ok(1.0);
    }
    let distance = strsim::generic_levenshtein(&Letters(before), &Letters(after));
    Ok(1.0 - distance as f64 / longest as f64)
}

/// Lets `strsim` walk over a slice.
struct Letters<'a>(&'a [char]);

impl<'b> IntoIterator for &'b Letters<'_> {
    type Item = &'b char;
    type IntoIter = std::slice::Iter<'b, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(kept("kitten", "sitting"), Ok(1.0 - 3.0 / 7.0));
        assert_eq!(kept("naïve", "naive"), Ok(0.8));
        assert_eq!(kept("", "ab"), Ok(0.0));
        assert_eq!(kept("", ""), Ok(1.0));
        let long = "a".repeat(10_000_000);
        assert_eq!(kept(&long, &format!("{long}b")), Ok(1.0 - 1.0 / 10_000_001.0));
        assert!(kept(&long, &"b".repeat(10_000_000)).is_err());
    }
}
