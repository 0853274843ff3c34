//! How the network is kept in a file: keys as gaps, rows of words in bytes, other weights in two bytes each, deflated.

use super::Network;
use super::network::{ACTION_ROWS, BITS, INPUT, Keys, SCORE_BITS, WEIGHTS};
use crate::perceptron::{Hash, WeightsError, deflate, get_number, inflate, put_number, take};

/// Steps to the greatest row of words.
const ROW_STEPS: f32 = 127.0;

/// A network as it is trained, in floating point.
#[derive(Debug, Clone)]
pub struct Draft {
    pub keys: Keys,
    pub rows: Vec<f32>,
    pub weights: Vec<f32>,
}

impl Draft {
    /// The bytes that [`Network::decode`] reads. Weights beyond 16 are cut (32 for actions and relations).
    pub fn encode(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        put_number(&mut plain, self.keys.all().len() as u32);
        let mut last = 0;
        for key in self.keys.all() {
            put_number(&mut plain, key.0 - last);
            last = key.0;
        }
        let step = self.rows.iter().fold(1e-3, |largest: f32, value| largest.max(value.abs())) / ROW_STEPS;
        plain.extend(step.to_le_bytes());
        plain.extend(self.rows.iter().map(|value| (value / step).round() as i8 as u8));
        let rounded = |(at, value): (usize, &f32)| {
            let bits = if at < ACTION_ROWS { BITS } else { SCORE_BITS };
            (value * (1 << bits) as f32).round() as i16
        };
        let rounded: Vec<i16> = self.weights.iter().enumerate().map(rounded).collect();
        // The high bytes repeat, the low ones do not.
        plain.extend(rounded.iter().map(|value| value.to_le_bytes()[0]));
        plain.extend(rounded.iter().map(|value| value.to_le_bytes()[1]));
        deflate(&plain)
    }
}

impl Network {
    pub fn decode(bytes: &[u8]) -> Result<Self, WeightsError> {
        let plain = inflate(bytes)?;
        let mut rest = plain.as_slice();
        let count = get_number(&mut rest)? as usize;
        let mut keys = Vec::with_capacity(count.min(plain.len()));
        let mut last = 0_u32;
        for _ in 0..count {
            last = last.checked_add(get_number(&mut rest)?).ok_or(WeightsError::Broken)?;
            keys.push(Hash(last));
        }
        let step = take(&mut rest, 4)?.try_into().map_err(|_| WeightsError::Broken)?;
        let step = Some(f32::from_le_bytes(step)).filter(|step| step.is_finite() && *step > 0.0);
        let rows = take(&mut rest, count.checked_mul(INPUT).ok_or(WeightsError::Broken)?)?;
        let (low, high) = (take(&mut rest, WEIGHTS)?, take(&mut rest, WEIGHTS)?);
        let weights: Vec<i16> = low.iter().zip(high).map(|(low, high)| i16::from_le_bytes([*low, *high])).collect();
        let weights = weights.first_chunk().filter(|_| rest.is_empty()).ok_or(WeightsError::Broken)?;
        let rows = rows.iter().map(|value| *value as i8).collect();
        Ok(Self::new(Keys::new(keys), rows, step.ok_or(WeightsError::Broken)?, weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole steps, so that nothing is rounded.
    fn rows() -> Vec<i8> {
        (0..3 * INPUT).map(|at| (at * 37 % 255) as i8).map(|row| row.max(-127)).collect()
    }

    fn weights() -> Vec<i16> {
        (0..WEIGHTS).map(|at| (at * 7919 % 65_536) as u16 as i16).collect()
    }

    fn keys() -> Keys {
        Keys::new(vec![Hash(3), Hash(70_000), Hash(u32::MAX)])
    }

    fn sample() -> Draft {
        let bits = |at: usize| if at < ACTION_ROWS { BITS } else { SCORE_BITS };
        let weight = |(at, weight): (usize, i16)| f32::from(weight) / (1 << bits(at)) as f32;
        let rows = rows().into_iter().map(|row| f32::from(row) * 0.5).collect();
        Draft { keys: keys(), rows, weights: weights().into_iter().enumerate().map(weight).collect() }
    }

    #[test]
    fn networks_come_back() {
        let expected = Network::new(keys(), rows(), 0.5, weights().first_chunk().unwrap());
        assert_eq!(Network::decode(&sample().encode()), Ok(expected));
    }

    #[test]
    fn broken_networks_are_errors() {
        let plain = inflate(&sample().encode()).unwrap();
        for end in (0..plain.len()).step_by(997).chain([plain.len() - 1]) {
            assert_eq!(Network::decode(&deflate(&plain[..end])), Err(WeightsError::Broken), "{end}");
        }
        let longer = [plain.as_slice(), &[0]].concat();
        assert_eq!(Network::decode(&deflate(&longer)), Err(WeightsError::Broken));
        assert!(matches!(Network::decode(b"\xff\xff no"), Err(WeightsError::Inflate(_))));
    }
}
