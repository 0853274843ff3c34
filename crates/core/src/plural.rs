//! Counts with their nouns in messages: `1 sample`, `2 samples`.

/// A count and what is counted: `1 sample`, `2 samples`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_alone() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "sample")), ["0 samples", "1 sample", "2 samples"]);
    }
}
