//! What changed between two rows of words: the fewest words taken out and put in.

use std::ops::Range;

/// At most this many pairs of words are compared; beyond that, everything between the equal ends counts as changed.
const MOST_PAIRS: usize = 4_000_000;

/// The ranges of `before` that became ranges of `after`, in order; all between them is the same in both.
pub fn between<T: PartialEq>(before: &[T], after: &[T]) -> Vec<(Range<usize>, Range<usize>)> {
    let start = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (old, new) = (&before[start..], &after[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return vec![(start..start + old.len(), start..start + new.len())];
    }
    let common = common_tails(old, new);
    let at = |one: usize, other: usize| common[one * (new.len() + 1) + other];
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut one, mut other) = (0, 0);
    while one < old.len() || other < new.len() {
        if one < old.len() && other < new.len() && old[one] == new[other] {
            (one, other) = (one + 1, other + 1);
            continue;
        }
        let (was_one, was_other) = (one, other);
        while one < old.len() || other < new.len() {
            if one < old.len() && other < new.len() && old[one] == new[other] {
                break;
            }
            if other == new.len() || (one < old.len() && at(one + 1, other) >= at(one, other + 1)) {
                one += 1;
            } else {
                other += 1;
            }
        }
        found.push((start + was_one..start + one, start + was_other..start + other));
    }
    found
}

/// How many words the rests from each pair of places have in common, in order.
fn common_tails<T: PartialEq>(old: &[T], new: &[T]) -> Vec<u32> {
    let width = new.len() + 1;
    let mut common = vec![0; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            common[one * width + other] = if old[one] == new[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        assert_eq!(between(&words("a b c d"), &words("a x c d")), [(1..2, 1..2)]);
        assert_eq!(between(&words("a b c"), &words("a c")), [(1..2, 1..1)]);
        assert_eq!(between(&words("a b c"), &words("a b c")), []);
        assert_eq!(between(&words("a b c d e"), &words("x b c y e")), [(0..1, 0..1), (3..4, 3..4)]);
    }

    proptest! {
        #[test]
        fn differences_lead_from_one_to_the_other(before in "[abc]{0,12}", after in "[abc]{0,12}") {
            let (before, after): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
            let mut made: Vec<char> = Vec::new();
            let mut at = 0;
            for (old, new) in between(&before, &after) {
                prop_assert!(!old.is_empty() || !new.is_empty());
                made.extend(&before[at..old.start]);
                made.extend(&after[new]);
                at = old.end;
            }
            made.extend(&before[at..]);
            prop_assert_eq!(made, after);
        }
    }
}
