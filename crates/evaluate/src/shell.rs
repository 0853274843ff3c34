//! Words for the shell, in the commands that a run and its report tell.

/// A word as a shell reads it: as it is where that is safe, else in single quotes.
pub fn shell_word(word: &str) -> String {
    let safe = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=@%,+".contains(letter);
    if !word.is_empty() && word.chars().all(safe) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_the_shell() {
        assert_eq!(shell_word("data/test.csv"), "data/test.csv");
        assert_eq!(shell_word("my data.csv"), "'my data.csv'");
        assert_eq!(shell_word("$(rm -rf ~)'"), "'$(rm -rf ~)'\\'''");
        assert_eq!(shell_word(""), "''");
    }
}
