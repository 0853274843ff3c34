//! A random order of words in which no two follow each other as they did, if there is one.

use fissure_core::Dice;

/// How many times a neighbour may be looked at, in repairing and in searching: seconds for the longest texts.
const PATIENCE: usize = 4_000_000;

/// A random order of the words, as numbers: a Hamiltonian path in the graph of those pairs of words that did not stand
/// next to each other. Where the patience ends first, the order with the fewest old pairs that was found.
pub fn apart(words: &[String], dice: &mut Dice) -> Vec<usize> {
    let old = Neighbours::of(words);
    let mut order: Vec<usize> = (0..words.len()).collect();
    // With one kind of word every order is the same.
    if old.kinds < 2 {
        return order;
    }
    dice.shuffle(&mut order);
    let mut kept = fix(&mut order, &old, dice);
    if kept > 0
        && let Some(found) = search(&old, dice)
    {
        (order, kept) = (found, 0);
    }
    debug_assert_eq!(kept, old.count(&order));
    order
}

/// Which words are the same, and which pairs of them stood next to each other.
struct Neighbours {
    /// For each word the number of its kind.
    kind: Vec<usize>,
    kinds: usize,
    /// For each kind those that followed it, sorted.
    followers: Vec<Vec<usize>>,
}

impl Neighbours {
    fn of(words: &[String]) -> Self {
        let mut known: Vec<&String> = words.iter().collect();
        known.sort_unstable();
        known.dedup();
        let kind: Vec<usize> = words.iter().map(|word| known.partition_point(|other| *other < word)).collect();
        let mut followers = vec![Vec::new(); known.len()];
        for pair in kind.windows(2) {
            followers[pair[0]].push(pair[1]);
        }
        for followers in &mut followers {
            followers.sort_unstable();
            followers.dedup();
        }
        Self { kind, kinds: known.len(), followers }
    }

    /// Whether the second word stood behind the first.
    fn met(&self, first: usize, second: usize) -> bool {
        self.followers[self.kind[first]].binary_search(&self.kind[second]).is_ok()
    }

    /// How many old pairs an order keeps.
    fn count(&self, order: &[usize]) -> usize {
        order.windows(2).filter(|pair| self.met(pair[0], pair[1])).count()
    }

    /// How many old pairs the words at these places, in order, have with the word before and behind them.
    fn around(&self, order: &[usize], mut places: [usize; 2]) -> usize {
        places.sort_unstable();
        let [first, second] = places;
        let pairs = [first.checked_sub(1), Some(first), second.checked_sub(1), Some(second)];
        let mut last = None;
        pairs
            .into_iter()
            .flatten()
            // Places side by side share a pair, which counts once.
            .filter(|pair| pair + 1 < order.len() && last.replace(*pair).is_none_or(|last| last < *pair))
            .filter(|pair| self.met(order[*pair], order[*pair + 1]))
            .count()
    }
}

/// Swaps words as long as that takes an old pair apart; gives how many are left.
fn fix(order: &mut [usize], old: &Neighbours, dice: &mut Dice) -> usize {
    let mut kept = old.count(order);
    let mut looks = 0;
    let mut fixed = true;
    while kept > 0 && fixed && looks < PATIENCE {
        fixed = false;
        for pair in 0..order.len() - 1 {
            if !old.met(order[pair], order[pair + 1]) {
                continue;
            }
            let start = dice.below(order.len());
            for place in (start..order.len()).chain(0..start) {
                looks += 1;
                let places = [pair + 1, place];
                let before = old.around(order, places);
                order.swap(pair + 1, place);
                let after = old.around(order, places);
                if after < before {
                    kept -= before - after;
                    fixed = true;
                    break;
                }
                order.swap(pair + 1, place);
            }
            if looks >= PATIENCE {
                break;
            }
        }
    }
    kept
}

/// Builds an order from the front, going back where it leads nowhere, the most frequent words first. Complete: where it
/// ends before the patience does, nothing found means that there is no such order.
fn search(old: &Neighbours, dice: &mut Dice) -> Option<Vec<usize>> {
    let count = old.kind.len();
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); old.kinds];
    let mut shuffled: Vec<usize> = (0..count).collect();
    dice.shuffle(&mut shuffled);
    shuffled.into_iter().for_each(|word| places[old.kind[word]].push(word));
    let mut left: Vec<usize> = places.iter().map(Vec::len).collect();

    let mut path: Vec<usize> = Vec::with_capacity(count);
    // For each step the kinds that are still to be tried there, the best last.
    let mut choices: Vec<Vec<usize>> = Vec::with_capacity(count);
    let mut looks = 0;
    loop {
        if path.len() == count {
            return Some(path.into_iter().filter_map(|kind| places[kind].pop()).collect());
        }
        if choices.len() == path.len() {
            looks += old.kinds;
            if looks > PATIENCE {
                return None;
            }
            let allowed =
                |kind: &usize| path.last().is_none_or(|last| old.followers[*last].binary_search(kind).is_err());
            let mut next: Vec<usize> = (0..old.kinds).filter(|kind| left[*kind] > 0).filter(allowed).collect();
            dice.shuffle(&mut next);
            next.sort_by_key(|kind| left[*kind]);
            choices.push(next);
        }
        match choices.last_mut().and_then(Vec::pop) {
            Some(kind) => {
                left[kind] -= 1;
                path.push(kind);
            }
            None => {
                choices.pop();
                left[path.pop()?] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn kept(words: &[String], order: &[usize]) -> usize {
        Neighbours::of(words).count(order)
    }

    #[test]
    fn a_hundred_different_words_have_no_old_neighbour() {
        let words: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        for seed in 0..50 {
            let order = apart(&words, &mut Dice::new(seed, &["apart"]));
            assert_eq!(kept(&words, &order), 0);
        }
    }

    #[test]
    fn where_it_cannot_be_little_is_kept() {
        assert_eq!(apart(&words("no no no"), &mut Dice::new(0, &[])), [0, 1, 2]);
        // `a b a` has the pairs ab and ba: only `a a b` and `b a a` keep one.
        assert_eq!(kept(&words("a b a"), &apart(&words("a b a"), &mut Dice::new(0, &[]))), 1);
    }

    /// Every order of the words, by Heap's algorithm.
    fn any_order_keeps_none(words: &[String]) -> bool {
        let mut order: Vec<usize> = (0..words.len()).collect();
        let mut counters = vec![0; words.len()];
        let mut at = 0;
        while at < words.len() {
            if kept(words, &order) == 0 {
                return true;
            }
            if counters[at] < at {
                order.swap(if at % 2 == 0 { 0 } else { counters[at] }, at);
                counters[at] += 1;
                at = 0;
            } else {
                counters[at] = 0;
                at += 1;
            }
        }
        false
    }

    proptest! {
        #[test]
        fn where_there_is_an_order_it_is_found(letters in "[a-d]{2,7}", seed: u64) {
            let words: Vec<String> = letters.chars().map(String::from).collect();
            let order = apart(&words, &mut Dice::new(seed, &["apart"]));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..words.len()).collect::<Vec<_>>());
            prop_assert_eq!(kept(&words, &order) == 0, any_order_keeps_none(&words));
        }
    }
}
