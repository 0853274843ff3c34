//! A share of many samples, for measures that have to look at every sample again: memory must not grow with the data.

use fissure_core::Dice;

/// The most samples that are kept.
pub const MOST: usize = 100_000;

/// All samples up to [`MOST`]; of more, some tens of thousands, each sample with the same chance whatever its place.
#[derive(Debug)]
pub struct Reservoir<T> {
    kept: Vec<(u32, T)>,
    /// Samples that threw at least this many heads in a row are kept.
    level: u32,
}

impl<T> Default for Reservoir<T> {
    fn default() -> Self {
        Self { kept: Vec::new(), level: 0 }
    }
}

impl<T> Reservoir<T> {
    /// Adds what is known of a sample; its own dice decide whether it stays.
    pub fn add(&mut self, dice: &mut Dice, item: T) {
        let heads = heads(dice);
        if heads < self.level {
            return;
        }
        self.kept.push((heads, item));
        while self.kept.len() > MOST {
            self.level += 1;
            self.kept.retain(|(heads, _)| *heads >= self.level);
        }
    }

    /// Whether nothing was left out.
    pub const fn is_whole(&self) -> bool {
        self.level == 0
    }

    /// What was kept, in the order it came.
    pub fn items(self) -> Vec<T> {
        self.kept.into_iter().map(|(_, item)| item).collect()
    }
}

/// How often a coin falls on heads before it falls on tails.
fn heads(dice: &mut Dice) -> u32 {
    (0..u64::BITS).take_while(|_| dice.chance(0.5)).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_all_kept_and_many_are_thinned_evenly() {
        let thinned = |count: usize| {
            let mut all = Reservoir::default();
            (0..count).for_each(|at| all.add(&mut Dice::new(3, &["thin", &at.to_string()]), at));
            all.items()
        };
        assert_eq!(thinned(1000), (0..1000).collect::<Vec<_>>());
        let kept = thinned(3 * MOST);
        assert!((MOST / 2..=MOST).contains(&kept.len()), "{}", kept.len());
        assert!(kept.is_sorted());
        let odd = kept.iter().filter(|at| *at % 2 == 1).count() as f64 / kept.len() as f64;
        let late = kept.iter().filter(|at| **at >= 2 * MOST).count() as f64 / kept.len() as f64;
        assert!((odd - 0.5).abs() < 0.01 && (late - 1.0 / 3.0).abs() < 0.01, "{odd} {late}");
    }
}
