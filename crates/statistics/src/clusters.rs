//! Shares of answers that come in clusters: several variants of one sample are not several samples.
//!
//! Ten copies of one answer say no more than one, ten independent answers say more. How much is seen in the data: the
//! variance of the share between clusters gives the *effective number*, the number of independent answers that would
//! have the same variance, and the interval is that of this number of samples. Where few events were seen, that variance is itself hardly
//! known, and the answers of a cluster are taken to be nearly copies.

use crate::proportion::share_of;
use crate::{Estimate, paired_difference};

/// How many of how many, cluster by cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClusteredShare(Sums);

impl ClusteredShare {
    /// Adds a cluster: `count` of its `of` answers.
    pub fn add(&mut self, count: usize, of: usize) {
        self.0.add(count, 0, of);
    }

    /// How many clusters there are.
    pub const fn clusters(&self) -> usize {
        self.0.clusters
    }

    /// The share with Wilson's interval for the effective number of answers; `None` of none.
    pub fn estimate(&self) -> Option<Estimate> {
        share_of(self.0.broken / self.0.all, self.0.effective()?)
    }
}

/// How many answers went from right to wrong and back, cluster by cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClusteredPairs(Sums);

impl ClusteredPairs {
    /// Adds a cluster: of its `of` pairs `broken` went from right to wrong and `fixed` from wrong to right.
    pub fn add(&mut self, broken: usize, fixed: usize, of: usize) {
        self.0.add(broken, fixed, of);
    }

    /// How many clusters there are.
    pub const fn clusters(&self) -> usize {
        self.0.clusters
    }

    /// The share broken less the share fixed, as [`paired_difference`] has it for the effective number of pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        let (n, Sums { all, broken, fixed, .. }) = (self.0.effective()?, self.0);
        paired_difference(n, n * broken / all, n * fixed / all)
    }
}

/// How many clusters with an event it takes to believe what was seen as much as that answers of a cluster are copies. With
/// 1, drops of few events are missed up to 7 times in a hundred; with 4, hardly ever.
const DOUBT: f64 = 2.0;

/// The number of independent answers with the same variance.
///
/// `each` is the variance of one answer and `seen` that of the mean of all. `apart` is the number of answers if all were
/// independent, and `copies` if those of a cluster were copies. Of `events`, the clusters in which something happened, few
/// cannot know: what was seen weighs as much as they are, copies as much as [`DOUBT`] of them.
pub fn effective_number(each: f64, seen: f64, apart: f64, copies: f64, events: f64) -> f64 {
    let as_copies = 1.0 / copies;
    if each <= 0.0 {
        return copies;
    }
    let seen = (seen / each).max(1.0 / apart);
    // Rounding must not make ten copies say more than one.
    if (seen / as_copies - 1.0).abs() < 1e-9 {
        return copies;
    }
    (events + DOUBT) / (events * seen + DOUBT * as_copies)
}

/// Sums over clusters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Sums {
    clusters: usize,
    /// Clusters in which something happened, and those in which something did not.
    some: usize,
    not_all: usize,
    all: f64,
    broken: f64,
    fixed: f64,
    /// Sums of squares and products of (broken - fixed, of).
    squares: f64,
    products: f64,
    sizes: f64,
}

impl Sums {
    fn add(&mut self, broken: usize, fixed: usize, of: usize) {
        if of == 0 {
            return;
        }
        self.clusters += 1;
        self.some += usize::from(broken + fixed > 0);
        self.not_all += usize::from(broken.max(fixed) < of);
        let (b, c, k) = (broken as f64, fixed as f64, of as f64);
        self.all += k;
        self.broken += b;
        self.fixed += c;
        self.squares += (b - c) * (b - c);
        self.products += (b - c) * k;
        self.sizes += k * k;
    }

    fn effective(&self) -> Option<f64> {
        let Self { all, broken, fixed, squares, products, sizes, .. } = *self;
        if all <= 0.0 {
            return None;
        }
        let value = (broken - fixed) / all;
        let each = (broken + fixed) / all - value * value;
        let seen = (squares - 2.0 * value * products + value * value * sizes) / (all * all);
        Some(effective_number(each, seen, all, all * all / sizes, self.some.min(self.not_all) as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proportion;

    fn share(clusters: &[(usize, usize)]) -> Estimate {
        let mut all = ClusteredShare::default();
        clusters.iter().for_each(|(count, of)| all.add(*count, *of));
        all.estimate().unwrap()
    }

    #[test]
    fn ten_copies_say_what_one_says() {
        for right in [0, 1, 37, 40] {
            let one: Vec<_> = (0..40).map(|at| (usize::from(at < right), 1)).collect();
            let ten: Vec<_> = one.iter().map(|(count, of)| (10 * count, 10 * of)).collect();
            assert_eq!(share(&one), proportion(right, 40).unwrap());
            assert_eq!(share(&ten), share(&one));
        }
    }

    #[test]
    fn answers_that_are_not_copies_say_more() {
        // Of every sample half of ten variants: between samples there is no scatter at all.
        let even = share(&[(5, 10); 40]);
        let (narrow, wide) = (proportion(200, 400).unwrap(), proportion(20, 40).unwrap());
        assert!(even.high < wide.high && even.high > narrow.high, "{even:?}");
        // By hand: 40 clusters with events; 1/n = (40 / 400 + 2 / 40) / (40 + 2) = 1 / 280.
        assert!((even.high - share_of(0.5, 280.0).unwrap().high).abs() < 1e-12, "{even:?}");
    }

    #[test]
    fn one_event_among_copies_is_hardly_more_than_none() {
        // One of 400 answers, in one of 40 samples: 1/n = (1 / 400 + 2 / 40) / (1 + 2), so n = 57.143.
        let one = share(&[&[(1, 10)][..], &[(0, 10); 39]].concat());
        assert!((one.high - share_of(0.0025, 57.143).unwrap().high).abs() < 1e-4, "{one:?}");
    }

    #[test]
    fn pairs_in_clusters() {
        let pairs = |copies: usize| {
            let mut all = ClusteredPairs::default();
            for at in 0..100 {
                all.add(copies * usize::from(at < 6), copies * usize::from(at >= 98), copies);
            }
            all.estimate().unwrap()
        };
        assert_eq!(pairs(1), paired_difference(100.0, 6.0, 2.0).unwrap());
        assert_eq!(pairs(7), pairs(1));
        assert_eq!(ClusteredPairs::default().estimate(), None);
    }
}
