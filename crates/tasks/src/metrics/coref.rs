//! Clusters of mentions: MUC, B-cubed, CEAF by entities, and their mean, as for CoNLL-2012.

use std::collections::{BTreeMap, BTreeSet};

use fissure_core::Sample;

use super::assignment::best_total;
use super::{Metric, Tally, gold};
use crate::Response;

/// F1 of one measure, or the mean of the three (CoNLL F1). Recall and precision are each a sum over another sum, so the
/// tally is (recall's two, precision's two), for the mean of all three measures in turn.
#[derive(Debug, Clone, Copy)]
pub struct Coref(pub CorefMeasure);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorefMeasure {
    Mean,
    /// Links (Vilain et al. 1995).
    Muc,
    /// Mentions (Bagga and Baldwin 1998).
    BCubed,
    /// Entities, paired as well as can be (Luo 2005, with similarity phi 4).
    Ceafe,
}

type Mention = (usize, usize);
type Cluster = BTreeSet<Mention>;

impl Metric for Coref {
    fn name(&self) -> &'static str {
        match self.0 {
            CorefMeasure::Mean => "conll_f1",
            CorefMeasure::Muc => "muc",
            CorefMeasure::BCubed => "b_cubed",
            CorefMeasure::Ceafe => "ceaf_e",
        }
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let Response::Clusters(said) = response else { return None };
        let (key, said) = (partition(&gold::clusters(sample)?), partition(said));
        Some(match self.0 {
            CorefMeasure::Muc => muc(&key, &said).to_vec(),
            CorefMeasure::BCubed => b_cubed(&key, &said).to_vec(),
            CorefMeasure::Ceafe => ceaf_e(&key, &said).to_vec(),
            CorefMeasure::Mean => [muc(&key, &said), b_cubed(&key, &said), ceaf_e(&key, &said)].concat(),
        })
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        let measures: Vec<f64> = sum.chunks_exact(4).filter_map(f1).collect();
        (!measures.is_empty()).then(|| measures.iter().sum::<f64>() / measures.len() as f64)
    }

    fn right(&self, tally: &[f64]) -> bool {
        tally.chunks_exact(2).all(|half| half[0] == half[1])
    }
}

/// F1 of (recall's sum, of, precision's sum, of); `None` if there is nothing to find and nothing was found.
fn f1(sum: &[f64]) -> Option<f64> {
    let &[hits, all, said_hits, said] = sum else { return None };
    if all == 0.0 && said == 0.0 {
        return None;
    }
    let share = |hits: f64, all: f64| if all > 0.0 { hits / all } else { 0.0 };
    let (recall, precision) = (share(hits, all), share(said_hits, said));
    Some(if recall + precision > 0.0 { 2.0 * recall * precision / (recall + precision) } else { 0.0 })
}

/// Clusters in which no mention stands twice: the first one counts.
fn partition(clusters: &[Vec<Mention>]) -> Vec<Cluster> {
    let mut seen = BTreeSet::new();
    let fresh = |cluster: &Vec<Mention>| cluster.iter().copied().filter(|mention| seen.insert(*mention)).collect();
    let clusters: Vec<Cluster> = clusters.iter().map(fresh).collect();
    clusters.into_iter().filter(|cluster| !cluster.is_empty()).collect()
}

/// How many mentions each cluster of `a` shares with each of `b`, if there are any.
fn shared(a: &[Cluster], b: &[Cluster]) -> Vec<BTreeMap<usize, usize>> {
    let cluster_of: BTreeMap<Mention, usize> =
        b.iter().enumerate().flat_map(|(at, cluster)| cluster.iter().map(move |mention| (*mention, at))).collect();
    let counts = |cluster: &Cluster| {
        let mut counts = BTreeMap::new();
        cluster
            .iter()
            .filter_map(|mention| cluster_of.get(mention))
            .for_each(|at| *counts.entry(*at).or_insert(0) += 1);
        counts
    };
    a.iter().map(counts).collect()
}

fn muc(key: &[Cluster], said: &[Cluster]) -> [f64; 4] {
    let half = |a: &[Cluster], b: &[Cluster]| {
        let (mut kept, mut links) = (0, 0);
        for (cluster, shared) in a.iter().zip(shared(a, b)) {
            // A cluster falls into the parts that lie in clusters of `b`, and its mentions that lie in none.
            let alone = cluster.len() - shared.values().sum::<usize>();
            kept += cluster.len() - shared.len() - alone;
            links += cluster.len() - 1;
        }
        [kept as f64, links as f64]
    };
    let ([a, b], [c, d]) = (half(key, said), half(said, key));
    [a, b, c, d]
}

fn b_cubed(key: &[Cluster], said: &[Cluster]) -> [f64; 4] {
    let half = |a: &[Cluster], b: &[Cluster]| {
        let (mut hits, mut mentions) = (0.0, 0);
        for (cluster, shared) in a.iter().zip(shared(a, b)) {
            hits += shared.values().map(|count| (count * count) as f64).sum::<f64>() / cluster.len() as f64;
            mentions += cluster.len();
        }
        [hits, mentions as f64]
    };
    let ([a, b], [c, d]) = (half(key, said), half(said, key));
    [a, b, c, d]
}

fn ceaf_e(key: &[Cluster], said: &[Cluster]) -> [f64; 4] {
    let shared = shared(key, said);
    let alike = |a: usize, b: usize| {
        let common = shared[a].get(&b).copied().unwrap_or(0);
        2.0 * common as f64 / (key[a].len() + said[b].len()) as f64
    };
    let total = best_total(key.len(), said.len(), &alike);
    [total, key.len() as f64, total, said.len() as f64]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Pradhan et al. 2014, Figure 1: key {a b c} {d e f g}, response {a b} {c d} {f g h i}.
    #[test]
    fn the_worked_example_of_the_reference_scorer() {
        let clusters = |list: &[&str]| -> Vec<Cluster> {
            list.iter().map(|letters| letters.bytes().map(|letter| (letter.into(), letter.into())).collect()).collect()
        };
        let (key, said) = (clusters(&["abc", "defg"]), clusters(&["ab", "cd", "fghi"]));
        // MUC recall (3-2 + 4-3) / (2 + 3), precision (1 + 0 + 1) / (1 + 1 + 3).
        assert_eq!(muc(&key, &said), [2.0, 5.0, 2.0, 5.0]);
        // B-cubed recall ((4 + 1) / 3 + (1 + 4) / 4) / 7, precision (4/2 + (1 + 1)/2 + 4/4) / 8.
        let [hits, all, said_hits, of] = b_cubed(&key, &said);
        assert!((hits / all - 0.42).abs() < 0.004 && (said_hits / of - 0.5).abs() < 1e-12);
        // CEAF by entities: phi 4 of {abc, ab} = 0.8 and of {defg, fghi} = 0.5: 1.3 / 2 and 1.3 / 3.
        let [total, keys, _, responses] = ceaf_e(&key, &said);
        assert!((total - 1.3).abs() < 1e-12 && (keys, responses) == (2.0, 3.0));
    }

    #[test]
    fn no_answer_at_all_and_the_right_one() {
        let mut sample = Sample::of_text("1", "Ann saw her dog .");
        let mark = |start, end| {
            fissure_core::Mark::new("mention", 0, fissure_core::Span::new(start, end), "0", fissure_core::Anchor::Rigid)
        };
        sample.marks = vec![mark(0, 3), mark(8, 11)];
        let metric = Coref(CorefMeasure::Mean);
        let tally = |clusters: &[Vec<Mention>]| metric.tally(&sample, &Response::Clusters(clusters.to_vec())).unwrap();
        let right = tally(&[vec![(0, 0), (2, 2)]]);
        assert!(metric.right(&right));
        assert_eq!(metric.value(&right), Some(1.0));
        assert_eq!(metric.value(&tally(&[])), Some(0.0));
        assert_eq!(metric.value(&tally(&[vec![(0, 0), (2, 2)], vec![(0, 0), (3, 3)]])).map(|v| v < 1.0), Some(true));
        assert_eq!(metric.tally(&Sample::of_text("2", "x"), &Response::Clusters(vec![])), None);
    }
}
