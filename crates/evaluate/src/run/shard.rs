//! A piece of a run: every N-th sample, counted from the K-th.
//!
//! Samples belong to a piece by their position, not by a hash of their id. Every piece reads the whole data anyway (the
//! match of labels and the calibration of the forecast must not depend on the cut), and all pieces must have the same
//! checksum of the data, so a position means the same in each. It makes pieces equal in size, needs no unique ids, and
//! shows `merge` which piece holds the next sample.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `2/5`: the second of five pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Counted from 1.
    piece: usize,
    of: usize,
}

impl Shard {
    /// All of a run.
    pub(crate) const WHOLE: Self = Self { piece: 1, of: 1 };
    /// The most pieces: `merge` reads all of them at once, and systems limit open files.
    pub const MOST: usize = 500;

    /// Which piece it is, counted from 1.
    pub fn piece(self) -> usize {
        self.piece
    }

    /// How many pieces there are.
    pub fn of(self) -> usize {
        self.of
    }

    /// How many of the run's samples are in this piece.
    pub fn samples(self, all: usize) -> usize {
        (all + self.of - self.piece) / self.of
    }

    /// The number in the whole run of a sample of this piece.
    pub(crate) fn number(self, at: usize) -> usize {
        self.piece - 1 + at * self.of
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        match text.split_once('/').and_then(|(piece, of)| Some((number(piece)?, number(of)?))) {
            Some((piece, of)) if (1..=of).contains(&piece) && of <= Self::MOST => Ok(Self { piece, of }),
            Some((_, of)) if of > Self::MOST => Err(format!("a run has at most {} pieces", Self::MOST)),
            Some((_, of)) => Err(format!("the pieces of {of} are 1/{of} to {of}/{of}")),
            None => Err("write K/N, such as 2/5 for the second of five pieces".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.piece, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_in_exactly_one_piece() {
        for (all, of) in [(0, 1), (1, 3), (7, 3), (9, 3), (500, 7)] {
            let pieces = (1..=of).map(|piece| Shard { piece, of });
            let mut numbers: Vec<usize> =
                pieces.flat_map(|piece| (0..piece.samples(all)).map(move |at| piece.number(at))).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..all).collect::<Vec<_>>(), "{all} samples in {of} pieces");
        }
    }

    #[test]
    fn pieces_are_written_as_k_of_n() {
        assert_eq!("2/5".parse::<Shard>().unwrap().to_string(), "2/5");
        for wrong in ["0/5", "6/5", "1/0", "5", "a/b", "", "1/501", "-1/5"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
