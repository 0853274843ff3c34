//! How weights are kept in files: buckets as gaps, then classes and weights in streams of their own, deflated.
//! Streams of like things deflate to about half of what mixed ones would.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::{Cell, MOST_CLASSES, Weights};

/// Weights that cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum WeightsError {
    #[error("the weights cannot be inflated ({0}); make them again with `cargo xtask train-taggers`")]
    Inflate(String),
    #[error("the weights end too early or do not fit together; make them again with `cargo xtask train-taggers`")]
    Broken,
}

const MOST_BITS: u32 = 24;

impl Weights {
    /// The bytes that [`Self::decode`] reads.
    pub fn encode(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        plain.push(self.bits as u8);
        plain.extend((self.labels.len() as u16).to_le_bytes());
        plain.extend(self.labels.iter().flat_map(|label| label.to_le_bytes()));
        let rows: Vec<Vec<Cell>> = self.cells().collect();
        let cells = || rows.iter().flatten();
        plain.extend((rows.len() as u32).to_le_bytes());
        plain.extend((cells().count() as u32).to_le_bytes());
        let mut next = 0;
        for bucket in self.buckets() {
            put_number(&mut plain, bucket - next);
            next = bucket + 1;
        }
        plain.extend(rows.iter().map(|row| row.len() as u8));
        plain.extend(cells().map(|cell| cell.class));
        let bytes = |place: usize| cells().map(move |cell| cell.weight.to_le_bytes()[place]);
        // Few weights need the high byte, so that a stream of it deflates to almost nothing.
        plain.extend(bytes(0).chain(bytes(1)));
        deflate(&plain)
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, WeightsError> {
        let plain = inflate(bytes)?;
        let mut rest = plain.as_slice();
        let bits = u32::from(take(&mut rest, 1)?[0]);
        let labels = usize::from(u16::from_le_bytes(array(&mut rest)?));
        if bits > MOST_BITS || labels > MOST_CLASSES {
            return Err(WeightsError::Broken);
        }
        let labels: Vec<u16> =
            (0..labels).map(|_| array(&mut rest).map(u16::from_le_bytes)).collect::<Result<_, _>>()?;
        let rows = u32::from_le_bytes(array(&mut rest)?) as usize;
        let count = u32::from_le_bytes(array(&mut rest)?) as usize;
        let mut buckets = Vec::with_capacity(rows.min(1 << bits));
        let mut next = 0_u32;
        for _ in 0..rows {
            let bucket = next.checked_add(get_number(&mut rest)?).ok_or(WeightsError::Broken)?;
            if bucket >= 1 << bits {
                return Err(WeightsError::Broken);
            }
            buckets.push(bucket);
            next = bucket + 1;
        }
        let lengths: Vec<usize> = take(&mut rest, rows)?.iter().map(|length| usize::from(*length)).collect();
        let classes = take(&mut rest, count)?;
        let (low, high) = (take(&mut rest, count)?, take(&mut rest, count)?);
        let known = classes.iter().all(|class| usize::from(*class) < labels.len());
        if !known || lengths.iter().sum::<usize>() != count {
            return Err(WeightsError::Broken);
        }
        let weights = low.iter().zip(high).map(|(low, high)| i16::from_le_bytes([*low, *high]));
        let mut cells = classes.iter().zip(weights).map(|(class, weight)| Cell { class: *class, weight });
        let rows =
            buckets.into_iter().zip(lengths).map(|(bucket, length)| (bucket, cells.by_ref().take(length).collect()));
        Ok(Self::new(labels, bits, rows))
    }
}

pub(crate) fn deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}

pub(crate) fn inflate(bytes: &[u8]) -> Result<Vec<u8>, WeightsError> {
    let mut plain = Vec::with_capacity(bytes.len() * 3);
    DeflateDecoder::new(bytes).read_to_end(&mut plain).map_err(|error| WeightsError::Inflate(error.to_string()))?;
    Ok(plain)
}

pub(crate) fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], WeightsError> {
    let (taken, left) = rest.split_at_checked(count).ok_or(WeightsError::Broken)?;
    *rest = left;
    Ok(taken)
}

fn array<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], WeightsError> {
    take(rest, N)?.try_into().map_err(|_| WeightsError::Broken)
}

/// Writes a number in as few bytes as it needs, seven bits each.
pub(crate) fn put_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(crate) fn get_number(rest: &mut &[u8]) -> Result<u32, WeightsError> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let byte = take(rest, 1)?[0];
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(WeightsError::Broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Weights {
        let row = |bucket: u32| {
            let cell = |class: u8| Cell { class, weight: (bucket as i32 * 7 - i32::from(class) * 50) as i16 };
            (bucket, (0..=(bucket % 3) as u8).map(cell).collect::<Vec<_>>())
        };
        Weights::new(vec![7, 1, 500], 12, [0, 1, 5, 900, 4095].into_iter().map(row))
    }

    #[test]
    fn weights_come_back() {
        assert_eq!(Weights::decode(&sample().encode()), Ok(sample()));
        let empty = Weights::new(vec![], 3, []);
        assert_eq!(Weights::decode(&empty.encode()), Ok(empty));
    }

    #[test]
    fn broken_weights_are_errors() {
        let plain = inflate(&sample().encode()).unwrap();
        for end in 0..plain.len() {
            assert_eq!(Weights::decode(&deflate(&plain[..end])), Err(WeightsError::Broken), "{end}");
        }
        for at in 0..plain.len() {
            let mut bent = plain.clone();
            bent[at] ^= 0xff;
            // Either refused or read as other weights: never a panic.
            if let Ok(weights) = Weights::decode(&deflate(&bent)) {
                weights.score(&[super::super::Hash(u32::MAX)], &mut [0; 256]);
            }
        }
        assert!(matches!(Weights::decode(b"\xff\xff no"), Err(WeightsError::Inflate(_))));
    }
}
