//! Other samples that a part may take words from: a sentence to add, an entity of the same type, a clause about another
//! aspect.
//!
//! The pool depends on the samples alone, not on their order: of more samples than it holds, it keeps those with the
//! smallest hash, sorted by it. A part draws with the sample's own dice, so an outcome still depends on seed, part, sample
//! and pool. The [checksum](Donors::checksum) names the pool in a run file.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::{Dice, Sample};

/// A frozen pool of samples.
#[derive(Debug, Clone, Default)]
pub struct Donors {
    /// By hash, then by id.
    samples: Vec<(u64, Arc<Sample>)>,
    memory: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl PartialEq for Donors {
    fn eq(&self, other: &Self) -> bool {
        self.samples == other.samples
    }
}

impl Donors {
    /// The number of samples that a pool holds at most.
    pub const MOST: usize = 10_000;

    /// The pool of these samples.
    pub fn of(samples: impl IntoIterator<Item = Sample>) -> Self {
        let mut pool = Self::default();
        for sample in samples {
            pool.offer(sample);
        }
        pool.finish()
    }

    /// Offers a sample; it stays in the pool if its hash is small enough. Call [`finish`](Self::finish) after the last one.
    pub fn offer(&mut self, sample: Sample) {
        let hash = hash(&sample);
        self.samples.push((hash, Arc::new(sample)));
        // Sorting once for every `MOST` samples keeps memory bounded at little cost.
        if self.samples.len() >= 2 * Self::MOST {
            *self = std::mem::take(self).finish();
        }
    }

    /// The pool, cut to its size and in order.
    pub fn finish(mut self) -> Self {
        self.samples.sort_by(|a, b| (a.0, &a.1.id).cmp(&(b.0, &b.1.id)));
        self.samples.dedup_by(|a, b| a.0 == b.0 && a.1.id == b.1.id && a.1.fields == b.1.fields);
        self.samples.truncate(Self::MOST);
        self.memory = OnceLock::new();
        self
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// All donors, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Sample>> {
        self.samples.iter().map(|(_, sample)| sample)
    }

    /// A donor in the same language that `accepts` takes and that is not `sample` itself; `None` if `tries` draws find none.
    pub fn draw(
        &self,
        sample: &Sample,
        dice: &mut Dice,
        tries: usize,
        mut accepts: impl FnMut(&Sample) -> bool,
    ) -> Option<&Arc<Sample>> {
        for _ in 0..tries.min(16 * self.len()) {
            let (_, donor) = &self.samples[dice.below(self.len())];
            let is_itself = donor.id == sample.id || donor.fields == sample.fields;
            if !is_itself && speak_alike(sample, donor) && accepts(donor) {
                return Some(donor);
            }
        }
        None
    }

    /// The value that `work_out` makes of the pool: made on the first call, remembered for the later ones. There is one place
    /// to remember in, as in a [`Text`](crate::Text); it belongs to the type that came first.
    pub fn remember<T: Any + Send + Sync>(&self, work_out: impl FnOnce(&Self) -> T) -> Arc<T> {
        if let Some(known) = self.memory.get() {
            return Arc::clone(known).downcast().unwrap_or_else(|_| Arc::new(work_out(self)));
        }
        let made = Arc::new(work_out(self));
        let _ = self.memory.set(made.clone());
        made
    }

    /// A number that changes with the pool.
    pub fn checksum(&self) -> String {
        let hashes: String = self.samples.iter().map(|(hash, _)| format!("{hash:016x}")).collect();
        format!("{:016x}", Dice::new(0, &[&hashes]).bits())
    }
}

/// Whether the first texts are in one language: words of another would not be read as part of the text.
fn speak_alike(sample: &Sample, donor: &Sample) -> bool {
    let [one, other] = [sample, donor].map(|sample| sample.fields.first().map(|field| field.text.language()));
    one.zip(other).is_none_or(|(one, other)| one.serves(other))
}

/// A hash of what a sample says, whatever its place in the file.
fn hash(sample: &Sample) -> u64 {
    let mut names = vec![sample.id.as_str()];
    names.extend(sample.fields.iter().map(|field| field.text.as_str()));
    Dice::new(0, &names).bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(count: usize) -> Vec<Sample> {
        (0..count).map(|n| Sample::of_text(n.to_string(), format!("text {n}"))).collect()
    }

    #[test]
    fn a_pool_does_not_depend_on_the_order_of_the_file() {
        let forward = samples(2 * Donors::MOST + 5_000);
        let mut backward = forward.clone();
        backward.reverse();
        let [one, other] = [Donors::of(forward), Donors::of(backward)];
        assert_eq!(one.len(), Donors::MOST);
        assert!(one == other);
        assert_eq!(one.checksum(), other.checksum());
        assert_ne!(one.checksum(), Donors::of(samples(3)).checksum());
    }

    #[test]
    fn a_sample_is_never_its_own_donor() {
        let pool = Donors::of(samples(2));
        let sample = Sample::of_text("0", "text 0");
        for seed in 0..20 {
            let donor = pool.draw(&sample, &mut Dice::new(seed, &["part", "0"]), 50, |_| true).unwrap();
            assert_eq!(donor.id, "1");
        }
        assert_eq!(pool.draw(&sample, &mut Dice::new(1, &["part"]), 50, |_| false), None);
        let chinese = Sample::of_text("2", "很好看");
        assert_eq!(pool.draw(&chinese, &mut Dice::new(1, &["part"]), 50, |_| true), None, "all donors are English");
        assert_eq!(Donors::default().draw(&sample, &mut Dice::new(1, &["part"]), 50, |_| true), None);
    }
}
