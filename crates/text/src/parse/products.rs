//! Products of 16-bit numbers with matrices, summed in 32 bits. Sums of integers are exact in any order, so that every
//! processor finds the same bits, however many numbers it takes at once.

/// Columns of a matrix that are summed at once.
pub const PANEL: usize = 32;
const LANES: usize = 8;
const WIDE: usize = PANEL / LANES;

/// A matrix with `IN` rows (an even number) and `OUT` columns (a multiple of `PANEL`). Two rows are woven together, panel by
/// panel: the processor multiplies two pairs of numbers and adds the products in one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix<const IN: usize, const OUT: usize> {
    woven: Vec<[[i16; 2 * LANES]; WIDE]>,
}

impl<const IN: usize, const OUT: usize> Matrix<IN, OUT> {
    const FITS: () = assert!(IN.is_multiple_of(2) && OUT.is_multiple_of(PANEL));

    /// A matrix with `weight(row, column)` at each place.
    pub fn new(weight: impl Fn(usize, usize) -> i16) -> Self {
        let () = Self::FITS;
        let cell = |panel: usize, pair: usize, part: usize, lane: usize| {
            weight(2 * pair + lane % 2, panel * PANEL + part * LANES + lane / 2)
        };
        let places = (0..OUT / PANEL).flat_map(|panel| (0..IN / 2).map(move |pair| (panel, pair)));
        let woven = places
            .map(|(panel, pair)| std::array::from_fn(|part| std::array::from_fn(|lane| cell(panel, pair, part, lane))));
        Self { woven: woven.collect() }
    }

    /// Adds to each row of `out` the row of `from` at the same place times the matrix.
    #[inline(always)]
    pub fn add_product<P: Products>(&self, from: &[i16], out: &mut [i32]) {
        let whole = from.len() / IN / 2 * 2;
        let (from_whole, from_rest) = from.split_at(whole * IN);
        let (out_whole, out_rest) = out.split_at_mut(whole * OUT);
        // Two rows at a time, so that each weight is fetched once for both.
        for (from, out) in from_whole.chunks_exact(2 * IN).zip(out_whole.chunks_exact_mut(2 * OUT)) {
            let (a, b) = from.split_at(IN);
            let (a, b) = (a.as_chunks().0, b.as_chunks().0);
            let (out_a, out_b) = out.split_at_mut(OUT);
            for (at, panel) in self.woven.chunks_exact(IN / 2).enumerate() {
                let mut sums = [[P::zero(); WIDE]; 2];
                for ((weights, a), b) in panel.iter().zip(a).zip(b) {
                    for (part, weights) in weights.iter().enumerate() {
                        sums[0][part] = P::more(sums[0][part], *a, weights);
                        sums[1][part] = P::more(sums[1][part], *b, weights);
                    }
                }
                store::<P>(sums[0], &mut out_a[at * PANEL..][..PANEL]);
                store::<P>(sums[1], &mut out_b[at * PANEL..][..PANEL]);
            }
        }
        for (from, out) in from_rest.chunks_exact(IN).zip(out_rest.chunks_exact_mut(OUT)) {
            for (panel, out) in self.woven.chunks_exact(IN / 2).zip(out.chunks_exact_mut(PANEL)) {
                let mut sums = [P::zero(); WIDE];
                for (weights, pair) in panel.iter().zip(from.as_chunks().0) {
                    for (part, weights) in weights.iter().enumerate() {
                        sums[part] = P::more(sums[part], *pair, weights);
                    }
                }
                store::<P>(sums, out);
            }
        }
    }
}

#[inline(always)]
fn store<P: Products>(sums: [P::Sums; WIDE], out: &mut [i32]) {
    for (sums, out) in sums.into_iter().zip(out.chunks_exact_mut(LANES)) {
        out.iter_mut().zip(P::numbers(sums)).for_each(|(out, sum)| *out = out.wrapping_add(sum));
    }
}

/// How a processor multiplies and adds.
pub trait Products {
    /// Eight sums of 32 bits.
    type Sums: Copy;

    fn zero() -> Self::Sums;

    /// Adds to each sum the products of a pair of numbers with the pair of weights at its place.
    fn more(sums: Self::Sums, pair: [i16; 2], weights: &[i16; 2 * LANES]) -> Self::Sums;

    fn numbers(sums: Self::Sums) -> [i32; LANES];
}

/// Any processor.
pub struct Plain;

impl Products for Plain {
    type Sums = [i32; LANES];

    #[inline(always)]
    fn zero() -> Self::Sums {
        [0; LANES]
    }

    #[inline(always)]
    fn more(mut sums: Self::Sums, pair: [i16; 2], weights: &[i16; 2 * LANES]) -> Self::Sums {
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
            let products = [0, 1].map(|at| i32::from(pair[at]) * i32::from(weights[at]));
            *sum = sum.wrapping_add(products[0].wrapping_add(products[1]));
        }
        sums
    }

    #[inline(always)]
    fn numbers(sums: Self::Sums) -> [i32; LANES] {
        sums
    }
}

/// A processor with AVX2. Use it only in functions with that target feature.
#[cfg(target_arch = "x86_64")]
pub struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Products for Avx2 {
    type Sums = std::arch::x86_64::__m256i;

    #[inline(always)]
    fn zero() -> Self::Sums {
        // SAFETY: 32 bytes of zeroes are such a register.
        unsafe { std::mem::transmute([0_u8; 32]) }
    }

    #[inline(always)]
    fn more(sums: Self::Sums, pair: [i16; 2], weights: &[i16; 2 * LANES]) -> Self::Sums {
        use std::arch::x86_64::{_mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32};
        let pair = i32::from(pair[0] as u16) | i32::from(pair[1]) << 16;
        // SAFETY: the load needs 32 bytes at any address, which the weights are; the caller has made sure of AVX2.
        unsafe {
            let weights = _mm256_loadu_si256(weights.as_ptr().cast());
            _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_set1_epi32(pair), weights))
        }
    }

    #[inline(always)]
    fn numbers(sums: Self::Sums) -> [i32; LANES] {
        // SAFETY: a register of 32 bytes is eight numbers of 4 bytes.
        unsafe { std::mem::transmute(sums) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN: usize = 6;
    const OUT: usize = 64;

    fn weight(row: usize, column: usize) -> i16 {
        ((row * 7919 + column * 104_729) % 65_521) as u16 as i16
    }

    /// Rows with the smallest and the largest numbers among them.
    fn rows(count: usize) -> Vec<i16> {
        (0..count * IN).map(|at| [i16::MIN, i16::MAX, 0, 1, -1, 12_345, -321][at % 7]).collect()
    }

    fn by_hand(from: &[i16]) -> Vec<i32> {
        let cell = |row: &[i16], column: usize| {
            let products = row.iter().enumerate().map(|(at, x)| i32::from(*x).wrapping_mul(weight(at, column).into()));
            products.fold(column as i32, i32::wrapping_add)
        };
        from.chunks_exact(IN).flat_map(|row| (0..OUT).map(|column| cell(row, column)).collect::<Vec<_>>()).collect()
    }

    fn product<P: Products>(from: &[i16]) -> Vec<i32> {
        let mut out: Vec<i32> = (0..from.len() / IN * OUT).map(|at| (at % OUT) as i32).collect();
        Matrix::<IN, OUT>::new(weight).add_product::<P>(from, &mut out);
        out
    }

    #[test]
    fn products_are_those_of_the_definition_on_every_processor() {
        for count in 0..5 {
            let from = rows(count);
            assert_eq!(product::<Plain>(&from), by_hand(&from), "{count} rows");
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2")]
                fn wide(from: &[i16]) -> Vec<i32> {
                    product::<Avx2>(from)
                }
                // SAFETY: the processor has AVX2, as asked above.
                assert_eq!(unsafe { wide(&from) }, by_hand(&from), "{count} rows");
            }
        }
    }
}
