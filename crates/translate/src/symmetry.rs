//! Two alignments, one in each direction, made one: grow-diag-final (Koehn, Och and Marcu 2003).

/// Which words of two sentences belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    pub sources: usize,
    pub targets: usize,
    /// Row by row of the source.
    points: Vec<bool>,
}

impl Alignment {
    pub fn new(sources: usize, targets: usize) -> Self {
        Self { sources, targets, points: vec![false; sources * targets] }
    }

    pub fn has(&self, source: usize, target: usize) -> bool {
        self.points[source * self.targets + target]
    }

    pub fn add(&mut self, source: usize, target: usize) {
        self.points[source * self.targets + target] = true;
    }

    /// The source words of a target word.
    pub fn of_target(&self, target: usize) -> impl Iterator<Item = usize> {
        (0..self.sources).filter(move |source| self.has(*source, target))
    }

    /// The target words of a source word.
    pub fn of_source(&self, source: usize) -> impl Iterator<Item = usize> {
        (0..self.targets).filter(move |target| self.has(source, *target))
    }

    /// Whether one of the two words belongs to nothing yet.
    fn is_free(&self, source: usize, target: usize) -> bool {
        self.of_source(source).next().is_none() || self.of_target(target).next().is_none()
    }
}

/// Joins `forward` (for each target word its source word) and `backward` (for each source word its target word): what
/// both say; then, from there, neighbours that one of them says and that bring in a new word; then what is left of either
/// that does.
pub fn grow_diag_final(forward: &[Option<usize>], backward: &[Option<usize>]) -> Alignment {
    let (sources, targets) = (backward.len(), forward.len());
    let says_forward = |source: usize, target: usize| forward[target] == Some(source);
    let says_backward = |source: usize, target: usize| backward[source] == Some(target);
    let mut joined = Alignment::new(sources, targets);
    let everywhere = || (0..targets).flat_map(move |target| (0..sources).map(move |source| (source, target)));
    for (source, target) in everywhere() {
        if says_forward(source, target) && says_backward(source, target) {
            joined.add(source, target);
        }
    }
    let mut grows = true;
    while grows {
        grows = false;
        for (source, target) in everywhere() {
            if !joined.has(source, target) {
                continue;
            }
            for (down, right) in [(0, -1), (-1, 0), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let (Some(source), Some(target)) = (source.checked_add_signed(down), target.checked_add_signed(right))
                else {
                    continue;
                };
                let inside = source < sources && target < targets;
                if inside
                    && (says_forward(source, target) || says_backward(source, target))
                    && joined.is_free(source, target)
                {
                    joined.add(source, target);
                    grows = true;
                }
            }
        }
    }
    for says in [&says_forward as &dyn Fn(usize, usize) -> bool, &says_backward] {
        for (source, target) in everywhere() {
            if says(source, target) && joined.is_free(source, target) {
                joined.add(source, target);
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(alignment: &Alignment) -> Vec<(usize, usize)> {
        let all = (0..alignment.sources).flat_map(|s| (0..alignment.targets).map(move |t| (s, t)));
        all.filter(|(s, t)| alignment.has(*s, *t)).collect()
    }

    #[test]
    fn agreement_grows_to_neighbours_and_ends_with_the_rest() {
        // Both say (0,0). Forward says target 1 comes from source 0: a neighbour that brings in target 1. Backward says
        // source 2 goes to target 3 and forward that target 3 comes from nothing: far off, so only the end brings it in.
        let forward = [Some(0), Some(0), None, None];
        let backward = [Some(0), None, Some(3)];
        assert_eq!(points(&grow_diag_final(&forward, &backward)), [(0, 0), (0, 1), (2, 3)]);
        // A point that brings in no new word stays out: (3,3) grew from (2,2), so (0,3) has nothing to add.
        let forward = [Some(0), None, Some(2), Some(0)];
        let backward = [Some(0), None, Some(2), Some(3)];
        assert_eq!(points(&grow_diag_final(&forward, &backward)), [(0, 0), (2, 2), (3, 3)]);
        assert_eq!(points(&grow_diag_final(&[], &[])), []);
    }
}
