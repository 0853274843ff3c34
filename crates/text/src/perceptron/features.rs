//! Hashes of features: of texts, and of combinations of hashes. No strings are built.

/// A hash of a feature or of a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hash(pub u32);

impl Hash {
    /// The bucket that this feature falls into, among `2^bits`.
    pub fn bucket(self, bits: u32) -> usize {
        (self.0 >> (32 - bits)) as usize
    }
}

/// The hash of nothing, where hashes of texts begin.
pub(crate) const SEED: u32 = 0x811c_9dc5;

/// The hash of what was hashed so far and one more byte (FNV-1a).
pub(crate) fn extend(hash: Hash, byte: u8) -> Hash {
    Hash((hash.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The feature that template `template` makes of two values. The order matters. The high bits are the well mixed ones.
pub fn mix(template: u32, a: Hash, b: Hash) -> Hash {
    const ODD: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
    let packed = u64::from(a.0) | u64::from(b.0) << 32;
    let mixed = (packed ^ u64::from(template).wrapping_mul(ODD[1])).wrapping_mul(ODD[0]);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(ODD[2]);
    Hash((mixed >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_order_and_values_all_count() {
        let (a, b) = (extend(Hash(SEED), b'a'), extend(Hash(SEED), b'b'));
        let all = [mix(1, a, b), mix(1, b, a), mix(2, a, b), mix(1, a, a), mix(1, a, Hash::default())];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one));
        }
    }

    #[test]
    fn buckets_are_evenly_used() {
        let mut counts = [0; 256];
        for value in 0..25_600 {
            counts[mix(7, Hash(value), Hash(value / 3)).bucket(8)] += 1;
        }
        assert!(counts.iter().all(|count| (50..=150).contains(count)), "{counts:?}");
    }
}
