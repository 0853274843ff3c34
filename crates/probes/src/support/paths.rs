//! Every way that a part could take through a row of choices, one after the other, instead of one drawn way.

/// Runs `take` once for each row of choices it can make: it asks for a number below `n` wherever a drawing would throw
/// dice. `None` if there are more than `most` rows.
pub(crate) fn every_way<T>(most: usize, mut take: impl FnMut(&mut dyn FnMut(usize) -> usize) -> T) -> Option<Vec<T>> {
    let mut made = Vec::new();
    // What was chosen so far, of how many.
    let mut row: Vec<(usize, usize)> = Vec::new();
    loop {
        if made.len() == most {
            return None;
        }
        let mut at = 0;
        made.push(take(&mut |n| {
            if at == row.len() {
                row.push((0, n));
            }
            at += 1;
            row[at - 1].0
        }));
        while row.last().is_some_and(|(chosen, n)| chosen + 1 >= *n) {
            row.pop();
        }
        match row.last_mut() {
            Some((chosen, _)) => *chosen += 1,
            None => return Some(made),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_is_taken_once() {
        let ways = every_way(100, |pick| {
            let first = pick(2);
            // The second choice depends on the first; of nothing, 0 is chosen.
            (first, pick(if first == 0 { 3 } else { 0 }))
        });
        assert_eq!(ways, Some(vec![(0, 0), (0, 1), (0, 2), (1, 0)]));
        assert_eq!(every_way(3, |pick| pick(4)), None);
        assert_eq!(every_way(1, |_| ()), Some(vec![()]));
    }
}
