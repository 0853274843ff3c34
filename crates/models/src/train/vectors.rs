//! Word vectors to start from: a text file with a word and its numbers on each line, as GloVe's.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use hashbrown::HashMap;

use crate::{Error, Result};

/// Writes the vectors of the words in `vocabulary` over their rows of `table`; gives how many there were.
pub(super) fn read_into(path: &Path, vocabulary: &[String], width: usize, table: &mut [f32]) -> Result<usize> {
    let rows: HashMap<&str, usize> = vocabulary.iter().enumerate().map(|(row, word)| (word.as_str(), row)).collect();
    let mut reader = BufReader::new(File::open(path).map_err(Error::io("read", path))?);
    let mut line = Vec::new();
    let mut found = 0;
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(Error::io("read", path))? == 0 {
            break;
        }
        let bad = |why: String| Error::BadVectors { path: path.to_owned(), line: number, why };
        let text = str::from_utf8(&line).map_err(|_| bad("it is not UTF-8".to_owned()))?;
        let mut parts = text.split_ascii_whitespace();
        let Some(word) = parts.next() else { continue };
        let count = parts.clone().count();
        // word2vec's text files begin with two numbers: how many words, and how wide.
        if number == 1 && count == 1 {
            continue;
        }
        if count != width {
            return Err(bad(format!("it has {count} numbers after {word:?} where the embedding width is {width}")));
        }
        let Some(row) = rows.get(word) else { continue };
        for (slot, part) in table[row * width..][..width].iter_mut().zip(parts) {
            let value = part.parse::<f32>().ok().filter(|value| value.is_finite());
            *slot = value.ok_or_else(|| bad(format!("{part:?} is not a number")))?;
        }
        found += 1;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(usize, Vec<f32>)> {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), text).expect("written");
        let mut table = vec![9.0; 6];
        let words = ["<pad>", "good", "bad"].map(str::to_owned);
        read_into(file.path(), &words, 2, &mut table).map(|found| (found, table))
    }

    #[test]
    fn known_words_get_their_vectors() {
        let expected = (1, vec![9.0, 9.0, 9.0, 9.0, 0.5, -1e-3]);
        assert_eq!(read("other 1 2\nbad 0.5 -1e-3\n").expect("read"), expected);
        assert_eq!(read("2 2\nother 1 2\nbad 0.5 -1e-3").expect("read"), expected);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, expected) in [
            ("other 1 2\nbad 1\n", "line 2"),
            ("bad 1 x\n", "\"x\" is not a number"),
            ("bad 1 NaN\n", "\"NaN\" is not a number"),
        ] {
            let message = read(text).expect_err("bad").to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
