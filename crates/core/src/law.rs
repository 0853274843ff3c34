//! The law of a part: at which places it edits a sample, at how many of them, and what it does there.
//!
//! A forecast needs the whole distribution of a part's edits, not one throw of the dice. Most parts that change words share
//! one shape: `taken` of n places, each set of that many as likely, and at each place something that does not depend on the
//! others. What happens at a place is drawn by the part itself, so a law cannot favour other words than the part does: weights
//! that were written down beside the part could. A part whose edits depend on one another (names that change together) has no
//! law of this shape and says `None`; it is drawn as a whole instead. A law over the catalog compares 10,000 drawings of each
//! part with what it states.

use crate::{Dice, Edit};

/// How a part draws the edits of a sample: drawings that do not depend on one another, usually one for each text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Law {
    pub drawings: Vec<Drawing>,
}

/// `taken` of the places are edited, each set of that many as likely.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drawing {
    pub places: Vec<LawPlace>,
    /// Never more than there are places.
    pub taken: usize,
}

/// A place, and what may happen there.
#[derive(Debug, Clone, PartialEq)]
pub struct LawPlace {
    /// At least one; their chances add up to 1.
    pub outcomes: Vec<LawOutcome>,
}

/// One thing that may happen at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct LawOutcome {
    /// The edits that are made together; none if the place is left as it is although it was taken.
    pub edits: Vec<Edit>,
    pub chance: f64,
}

/// How the outcomes of a place are found: by drawing this many times with dice of the caller's.
#[derive(Debug, Clone)]
pub struct Draws {
    pub each: usize,
    pub dice: Dice,
}

impl Law {
    /// Whether the part can change anything.
    pub fn is_empty(&self) -> bool {
        self.drawings.iter().all(|drawing| drawing.taken == 0)
    }
}

impl Drawing {
    /// A drawing in which `wanted` places are taken, or all if there are fewer.
    pub fn new(places: Vec<LawPlace>, wanted: usize) -> Self {
        Self { taken: wanted.min(places.len()), places }
    }

    /// The same drawing in another field.
    pub fn on(mut self, field: usize) -> Self {
        let outcomes = self.places.iter_mut().flat_map(|place| &mut place.outcomes);
        outcomes.flat_map(|outcome| &mut outcome.edits).for_each(|edit| edit.field = field);
        self
    }
}

impl Draws {
    /// Draws what happens at a place. `None` of `draw` means that the part passes over the place; a place that is always passed
    /// over is none.
    pub fn place(&mut self, mut draw: impl FnMut(&mut Dice) -> Option<Vec<Edit>>) -> Option<LawPlace> {
        let mut outcomes: Vec<LawOutcome> = Vec::new();
        let mut drawn = 0.0;
        for _ in 0..self.each.max(1) {
            let Some(edits) = draw(&mut self.dice) else { continue };
            drawn += 1.0;
            match outcomes.iter_mut().find(|known| known.edits == edits) {
                Some(known) => known.chance += 1.0,
                None => outcomes.push(LawOutcome { edits, chance: 1.0 }),
            }
        }
        outcomes.iter_mut().for_each(|outcome| outcome.chance /= drawn);
        (!outcomes.is_empty()).then_some(LawPlace { outcomes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Amount, EditWord, Resources, Sample, Transform, Word};

    /// Writes a or b in place of a word of three letters, b twice as often.
    #[derive(Debug)]
    struct Letters;

    impl EditWord for Letters {
        fn amount(&self) -> Amount {
            Amount { rate: 0.5, min: 1, max: 9 }
        }

        fn accepts(&self, word: Word<'_>) -> bool {
            word.letter_count() == 3
        }

        fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
            // A word that starts with x is passed over when it is drawn.
            (!word.text.starts_with('x')).then(|| if dice.below(3) == 0 { "a".into() } else { "b".into() })
        }
    }

    #[test]
    fn the_law_of_a_part_that_changes_words() {
        let sample = Sample::of_text("0", "one two xxx four six ten");
        let mut draws = Draws { each: 3000, dice: Dice::new(1, &["law"]) };
        let law = Letters.law(&sample, &Resources::default(), &mut draws).unwrap();
        // Five words are accepted, so round(2.5) = 3 are wanted; four of them can be changed.
        let [drawing] = &law.drawings[..] else { panic!("{law:?}") };
        assert_eq!((drawing.taken, drawing.places.len()), (3, 4));
        for place in &drawing.places {
            let chance = |with: &str| place.outcomes.iter().find(|one| one.edits[0].with == with).unwrap().chance;
            assert!((chance("a") - 1.0 / 3.0).abs() < 0.05 && (chance("a") + chance("b") - 1.0).abs() < 1e-12);
        }
        assert!(!law.is_empty());
        assert!(Letters.law(&Sample::of_text("0", "a bc"), &Resources::default(), &mut draws).unwrap().is_empty());
    }

    #[test]
    fn a_place_that_is_always_passed_over_is_none() {
        let mut draws = Draws { each: 4, dice: Dice::new(0, &[]) };
        assert_eq!(draws.place(|_| None), None);
        let mut odd = 0;
        let place = draws.place(|_| {
            odd += 1;
            (odd % 2 == 0).then(|| vec![Edit::delete(0..1)])
        });
        assert_eq!(place.unwrap().outcomes, [LawOutcome { edits: vec![Edit::delete(0..1)], chance: 1.0 }]);
    }
}
