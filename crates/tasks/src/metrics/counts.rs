//! The two shapes that nearly all tallies have: (right, all), and (found rightly, found, to be found).

/// The value of a tally (right, all).
pub(super) fn share(sum: &[f64]) -> Option<f64> {
    let &[right, all] = sum else { return None };
    (all > 0.0).then(|| right / all)
}

/// Whether a tally (right, all) is wholly right.
pub(super) fn all(tally: &[f64]) -> bool {
    matches!(tally, [right, all] if right == all)
}

/// F1 of (found rightly, found, to be found); nothing to find and nothing found has none.
pub(super) fn f1(sum: &[f64]) -> Option<f64> {
    let &[hits, found, gold] = sum else { return None };
    (found + gold > 0.0).then(|| 2.0 * hits / (found + gold))
}

/// Whether everything that was to be found was found, and nothing else.
pub(super) fn exact(tally: &[f64]) -> bool {
    matches!(tally, [hits, found, gold] if hits == found && hits == gold)
}

/// The value of a metric over tallies: for tests.
#[cfg(test)]
pub(super) fn summed(metric: &dyn super::Metric, tallies: &[Option<super::Tally>]) -> Option<f64> {
    let mut sum: Vec<f64> = Vec::new();
    for tally in tallies.iter().flatten() {
        sum.resize(sum.len().max(tally.len()), 0.0);
        sum.iter_mut().zip(tally).for_each(|(sum, number)| *sum += number);
    }
    metric.value(&sum)
}
