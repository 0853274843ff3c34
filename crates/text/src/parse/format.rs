//! How the network is kept in a file: keys as gaps, rows of words in bytes, other weights in two bytes each, deflated.

use super::Network;
use super::network::{INPUT, WEIGHTS};
use crate::perceptron::{Hash, WeightsError, deflate, get_number, inflate, put_number, take};

/// Steps to the greatest row of words and the greatest other weight.
const ROW_STEPS: f32 = 127.0;
const WEIGHT_STEPS: f32 = 32_767.0;

impl Network {
    /// The bytes that [`Self::decode`] reads.
    pub fn encode(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        put_number(&mut plain, self.keys.len() as u32);
        let mut last = 0;
        for key in &self.keys {
            put_number(&mut plain, key.0 - last);
            last = key.0;
        }
        let step = largest(&self.rows) / ROW_STEPS;
        plain.extend(step.to_le_bytes());
        plain.extend(self.rows.iter().map(|value| (value / step).round() as i8 as u8));
        let step = largest(&self.weights) / WEIGHT_STEPS;
        plain.extend(step.to_le_bytes());
        let rounded = || self.weights.iter().map(|value| (value / step).round() as i16);
        // The high bytes repeat, the low ones do not.
        plain.extend(rounded().map(|value| value.to_le_bytes()[0]));
        plain.extend(rounded().map(|value| value.to_le_bytes()[1]));
        deflate(&plain)
    }

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
        let step = step(&mut rest)?;
        let rows = take(&mut rest, count.checked_mul(INPUT).ok_or(WeightsError::Broken)?)?;
        let rows = rows.iter().map(|value| f32::from(*value as i8) * step).collect();
        let step = self::step(&mut rest)?;
        let (low, high) = (take(&mut rest, WEIGHTS)?, take(&mut rest, WEIGHTS)?);
        let weights = low.iter().zip(high).map(|(low, high)| f32::from(i16::from_le_bytes([*low, *high])) * step);
        if !rest.is_empty() {
            return Err(WeightsError::Broken);
        }
        Ok(Self::new(keys, rows, weights.collect()))
    }
}

fn step(rest: &mut &[u8]) -> Result<f32, WeightsError> {
    let bytes = take(rest, 4)?.try_into().map_err(|_| WeightsError::Broken)?;
    Some(f32::from_le_bytes(bytes)).filter(|step| step.is_finite() && *step > 0.0).ok_or(WeightsError::Broken)
}

fn largest(values: &[f32]) -> f32 {
    values.iter().fold(1e-3, |largest, value| largest.max(value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Network {
        let rows = (0..3 * INPUT).map(|at| (at as f32 * 0.7).sin()).collect();
        let weights = (0..WEIGHTS).map(|at| (at as f32 * 0.3).cos()).collect();
        Network::new(vec![Hash(3), Hash(70_000), Hash(u32::MAX)], rows, weights)
    }

    #[test]
    fn networks_come_back() {
        let once = Network::decode(&sample().encode()).unwrap();
        assert_eq!(once.keys, sample().keys);
        assert!(once.rows.iter().zip(&sample().rows).all(|(a, b)| (a - b).abs() <= 0.5 / 127.0 + 1e-6));
        assert!(once.weights.iter().zip(&sample().weights).all(|(a, b)| (a - b).abs() < 1e-4));
        assert_eq!(Network::decode(&Network::empty().encode()), Ok(Network::empty()));
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
