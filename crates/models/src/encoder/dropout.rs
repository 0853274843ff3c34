//! Dropout whose choices belong to (seed, example, place): neither the batch nor the threads can change them, and the
//! backward pass draws the same ones again in place of storing them.

/// Dropout for one example of one training step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dropout {
    /// The probability of a number to be dropped.
    pub rate: f32,
    /// What sets this example in this step apart from all others.
    pub key: u64,
}

/// A place in the network where numbers are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Embeddings,
    /// The weights of one attention head of a layer.
    Attention {
        layer: usize,
        head: usize,
    },
    AttentionOutput {
        layer: usize,
    },
    LayerOutput {
        layer: usize,
    },
    Pooled,
}

impl Dropout {
    /// Drops some of the numbers and scales the others up, so that the mean stays. For gradients the same call again.
    pub fn apply(&self, place: Place, values: &mut [f32]) {
        if self.rate <= 0.0 {
            return;
        }
        let threshold = (f64::from(self.rate) * 65536.0) as u64;
        let factor = 1.0 / (1.0 - self.rate);
        let stream = mix(self.key ^ mix(place.number()));
        // One 64-bit draw decides four numbers.
        for (at, four) in values.chunks_mut(4).enumerate() {
            let draw = mix(stream.wrapping_add(at as u64));
            for (lane, value) in four.iter_mut().enumerate() {
                let kept = (draw >> (16 * lane)) & 0xffff >= threshold;
                *value *= if kept { factor } else { 0.0 };
            }
        }
    }
}

impl Place {
    fn number(self) -> u64 {
        let (kind, layer, head) = match self {
            Self::Embeddings => (0, 0, 0),
            Self::Attention { layer, head } => (1, layer, head),
            Self::AttentionOutput { layer } => (2, layer, 0),
            Self::LayerOutput { layer } => (3, layer, 0),
            Self::Pooled => (4, 0, 0),
        };
        kind | (layer as u64) << 8 | (head as u64) << 32
    }
}

/// A good shuffle of 64 bits (the finaliser of SplitMix64, after adding its odd constant).
pub(crate) fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_and_the_mean_are_right_and_the_choice_repeats() {
        let dropout = Dropout { rate: 0.1, key: 7 };
        let drop = |place| {
            let mut values = vec![1.0_f32; 100_000];
            dropout.apply(place, &mut values);
            values
        };
        let values = drop(Place::Embeddings);
        let dropped = values.iter().filter(|value| **value == 0.0).count();
        // The standard deviation is 95.
        assert!((9_600..10_400).contains(&dropped), "{dropped}");
        let mean = values.iter().sum::<f32>() / 100_000.0;
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        assert_eq!(values, drop(Place::Embeddings));
        assert_ne!(values, drop(Place::Attention { layer: 0, head: 0 }));
        assert_ne!(drop(Place::Attention { layer: 0, head: 1 }), drop(Place::Attention { layer: 1, head: 0 }));
    }
}
