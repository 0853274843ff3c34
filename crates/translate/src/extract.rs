//! Phrases: pairs of word sequences whose words belong to each other and to nothing outside.

use std::ops::Range;

use crate::symmetry::Alignment;

/// The most words of a phrase, on either side.
pub const LONGEST: usize = 5;

/// A pair of phrases, as places in their sentences.
pub type Phrase = (Range<usize>, Range<usize>);

/// Every pair of phrases that agrees with the alignment: at least one point inside, and none that leaves it. Words that
/// belong to nothing may stand at the edges.
pub fn phrases(alignment: &Alignment, longest: usize) -> Vec<Phrase> {
    let mut found = Vec::new();
    for start in 0..alignment.targets {
        for end in start + 1..=alignment.targets.min(start + longest) {
            // The source words of these target words, from the first to the last.
            let sources = (start..end).flat_map(|target| alignment.of_target(target));
            let Some((first, last)) = sources.fold(None, |range: Option<(usize, usize)>, source| match range {
                None => Some((source, source)),
                Some((first, last)) => Some((first.min(source), last.max(source))),
            }) else {
                continue;
            };
            let inside = |source: usize| alignment.of_source(source).all(|target| (start..end).contains(&target));
            if last - first >= longest || !(first..=last).all(inside) {
                continue;
            }
            let is_free = |source: usize| alignment.of_source(source).next().is_none();
            let mut from = first;
            loop {
                let mut to = last + 1;
                while to - from <= longest {
                    found.push((from..to, start..end));
                    if to == alignment.sources || !is_free(to) {
                        break;
                    }
                    to += 1;
                }
                if from == 0 || !is_free(from - 1) {
                    break;
                }
                from -= 1;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Koehn's example (Statistical Machine Translation, 5.2): `michael geht davon aus , dass er im haus bleibt` and
    /// `michael assumes that he will stay in the house`; the comma belongs to nothing.
    #[test]
    fn the_textbook_sentence() {
        let mut alignment = Alignment::new(10, 9);
        for (source, target) in [(0, 0), (1, 1), (2, 1), (3, 1), (5, 2), (6, 3), (9, 4), (9, 5), (7, 6), (7, 7), (8, 8)]
        {
            alignment.add(source, target);
        }
        let found = phrases(&alignment, 10);
        // assumes: geht davon aus, with or without the comma.
        assert!(found.contains(&(1..4, 1..2)) && found.contains(&(1..5, 1..2)));
        // that: dass, with or without the comma before it.
        assert!(found.contains(&(5..6, 2..3)) && found.contains(&(4..6, 2..3)));
        // in the: im; will stay: bleibt; but not `in` alone, and not `he will`.
        assert!(found.contains(&(7..8, 6..8)) && found.contains(&(9..10, 4..6)));
        assert!(!found.iter().any(|(_, target)| *target == (6..7) || *target == (3..5)));
        // The book's list: 24 pairs.
        assert_eq!(found.len(), 24, "{found:?}");
        assert!(phrases(&alignment, 3).iter().all(|(source, target)| source.len() <= 3 && target.len() <= 3));
    }

    fn by_definition(alignment: &Alignment, longest: usize) -> Vec<Phrase> {
        let mut found = Vec::new();
        for start in 0..alignment.targets {
            for end in start + 1..=alignment.targets.min(start + longest) {
                for from in 0..alignment.sources {
                    for to in from + 1..=alignment.sources.min(from + longest) {
                        let mut points = 0;
                        let mut leaves = false;
                        for source in 0..alignment.sources {
                            for target in 0..alignment.targets {
                                let inside = ((from..to).contains(&source), (start..end).contains(&target));
                                if alignment.has(source, target) {
                                    points += usize::from(inside == (true, true));
                                    leaves |= inside.0 != inside.1;
                                }
                            }
                        }
                        if points > 0 && !leaves {
                            found.push((from..to, start..end));
                        }
                    }
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn all_and_only_those_of_the_definition(
            points in prop::collection::vec((0..5usize, 0..6usize), 0..9), longest in 1..6usize,
        ) {
            let mut alignment = Alignment::new(5, 6);
            points.into_iter().for_each(|(source, target)| alignment.add(source, target));
            let key = |phrase: &Phrase| (phrase.0.start, phrase.0.end, phrase.1.start, phrase.1.end);
            let (mut found, mut wanted) = (phrases(&alignment, longest), by_definition(&alignment, longest));
            found.sort_by_key(key);
            wanted.sort_by_key(key);
            prop_assert_eq!(found, wanted);
        }
    }
}
