//! Splitting a batch over threads: texts of like length together, and the longest first.

use rayon::prelude::*;

/// Does `work` on groups of at most `most` indices, each group sorted by falling length, over all threads; gives the
/// results in the order of the indices. How the batch is cut depends on the threads, so `work` must give the same for
/// an index in any company.
pub(crate) fn in_groups<R: Send, E: Send>(
    lengths: &[usize],
    most: usize,
    work: impl Fn(&[usize]) -> Result<Vec<R>, E> + Send + Sync,
) -> Result<Vec<R>, E> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(lengths[*index]));
    let size = lengths.len().div_ceil(rayon::current_num_threads()).clamp(1, most);
    let done: Vec<Vec<R>> = order.par_chunks(size).map(work).collect::<Result<_, E>>()?;
    let mut results: Vec<(usize, R)> = order.into_iter().zip(done.into_iter().flatten()).collect();
    results.sort_unstable_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_indices() {
        let lengths = [3, 9, 1, 9, 4, 4, 0];
        let sorted = |group: &[usize]| group.is_sorted_by_key(|index| std::cmp::Reverse(lengths[*index]));
        let found = in_groups(&lengths, 3, |group| {
            assert!(!group.is_empty() && group.len() <= 3 && sorted(group));
            Ok::<_, ()>(group.iter().map(|index| index * 10).collect())
        });
        assert_eq!(found, Ok(vec![0, 10, 20, 30, 40, 50, 60]));
        assert_eq!(in_groups(&[], 3, |_| Ok::<Vec<()>, ()>(vec![])), Ok(vec![]));
        assert_eq!(
            in_groups(&lengths, 3, |group| if group.contains(&4) { Err(4) } else { Ok(vec![(); group.len()]) }),
            Err(4)
        );
    }
}
