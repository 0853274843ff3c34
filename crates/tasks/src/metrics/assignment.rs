//! The best one-to-one pairing of two lists.

/// The greatest sum of `gain(row, column)` over pairings in which no row and no column is taken twice.
///
/// The Hungarian method with potentials (Kuhn 1955, Munkres 1957; the row-by-row form of Jonker and Volgenant 1987), in
/// time `rows^2 * columns` for `rows <= columns`. Gains are 0 or more.
pub(super) fn best_total(rows: usize, columns: usize, gain: &dyn Fn(usize, usize) -> f64) -> f64 {
    if rows > columns {
        return best_total(columns, rows, &|row, column| gain(column, row));
    }
    // Numbered from 1; column 0 is where the row that is being placed waits.
    let mut row_potential = vec![0.0; rows + 1];
    let mut column_potential = vec![0.0; columns + 1];
    let mut row_of = vec![0; columns + 1];
    for row in 1..=rows {
        let mut cheapest = vec![f64::INFINITY; columns + 1];
        let mut came_from = vec![0; columns + 1];
        let mut done = vec![false; columns + 1];
        let mut at = 0;
        row_of[0] = row;
        while row_of[at] != 0 {
            done[at] = true;
            let here = row_of[at];
            let (mut step, mut next) = (f64::INFINITY, 0);
            for column in (1..=columns).filter(|column| !done[*column]) {
                let cost = -gain(here - 1, column - 1) - row_potential[here] - column_potential[column];
                if cost < cheapest[column] {
                    (cheapest[column], came_from[column]) = (cost, at);
                }
                if cheapest[column] < step {
                    (step, next) = (cheapest[column], column);
                }
            }
            for column in 0..=columns {
                if done[column] {
                    row_potential[row_of[column]] += step;
                    column_potential[column] -= step;
                } else {
                    cheapest[column] -= step;
                }
            }
            at = next;
        }
        // Everyone on the way moves one place on.
        while at != 0 {
            row_of[at] = row_of[came_from[at]];
            at = came_from[at];
        }
    }
    (1..=columns).filter(|column| row_of[*column] != 0).map(|column| gain(row_of[column] - 1, column - 1)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Tries every pairing.
    fn by_trying(table: &[Vec<f64>], row: usize, taken: &mut Vec<bool>) -> f64 {
        let Some(gains) = table.get(row) else { return 0.0 };
        let mut best = by_trying(table, row + 1, taken);
        for column in 0..gains.len() {
            if !taken[column] {
                taken[column] = true;
                best = best.max(gains[column] + by_trying(table, row + 1, taken));
                taken[column] = false;
            }
        }
        best
    }

    #[test]
    fn three_by_three_by_hand() {
        let table = [[7.0, 5.0, 0.0], [6.0, 1.0, 0.0], [0.0, 0.0, 2.0]];
        assert_eq!(best_total(3, 3, &|row, column| table[row][column]), 13.0, "5 + 6 + 2");
        assert_eq!(best_total(0, 3, &|_, _| 1.0), 0.0);
        assert_eq!(best_total(3, 1, &|row, _| row as f64), 2.0);
    }

    proptest! {
        #[test]
        fn as_good_as_trying_everything(
            table in (1..6usize, 1..6usize)
                .prop_flat_map(|(rows, columns)| prop::collection::vec(prop::collection::vec(0..9u8, columns), rows))
        ) {
            let table: Vec<Vec<f64>> =
                table.iter().map(|row| row.iter().map(|gain| f64::from(*gain)).collect()).collect();
            let found = best_total(table.len(), table[0].len(), &|row, column| table[row][column]);
            prop_assert_eq!(found, by_trying(&table, 0, &mut vec![false; table[0].len()]));
        }
    }
}
