//! Ranks, with ties sharing the mean of theirs.

/// The rank of every value, from 1; equal values share the mean of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let equal = order[start..].iter().take_while(|&&at| values[at] == values[order[start]]).count().max(1);
        let shared = start as f64 + (equal as f64 + 1.0) / 2.0;
        order[start..start + equal].iter().for_each(|&at| ranks[at] = shared);
        start += equal;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0, 3.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert_eq!(ranks(&[]), [] as [f64; 0]);
        assert_eq!(ranks(&[f64::NAN, 0.0]), [2.0, 1.0]);
    }
}
