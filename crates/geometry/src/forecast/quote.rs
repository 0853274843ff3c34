//! What may happen to a text by a part, with the price of each outcome.

use fissure_core::{Dice, Edit, Law};

use super::blend::{Blend, Price};
use super::edit_line::{EditLine, Pricing};
use super::readings::Readings;
use super::surrogate::Shift;
use crate::Result;

/// The places of a law are drawn this many times, which costs a few additions each.
const SUMS: usize = 128;

/// The outcomes of a part for one text.
pub(super) struct Quote {
    outcomes: Vec<Vec<Edit>>,
    /// Of each outcome the price of every margin.
    prices: Vec<Vec<Price>>,
    /// In the order of the outcomes.
    drawings: Vec<Drawing>,
    /// Whether the outcomes are whole edits, or what may happen at places that are drawn.
    whole: bool,
    /// How a drawn text is priced to be comparable.
    pub pricing: Pricing,
}

/// `taken` of the places without replacement, at each an outcome by its chance.
struct Drawing {
    places: Vec<Vec<f64>>,
    taken: usize,
}

/// What a part does to a text, to first order.
pub(super) struct Priced<'q> {
    quote: &'q Quote,
    pub shifts: Vec<Shift>,
    /// Of each outcome the shift of every margin.
    moved: Vec<Vec<f64>>,
    /// Whole edits as the part draws them: the shift of every margin.
    pub draws: Vec<Vec<f64>>,
}

impl Quote {
    pub fn of_law(law: Law, line: &EditLine<'_>, readings: &Readings<'_>) -> Result<Self> {
        let (mut outcomes, mut drawings) = (Vec::new(), Vec::new());
        for drawing in law.drawings.into_iter().filter(|drawing| drawing.taken > 0) {
            let mut places = Vec::new();
            for place in drawing.places {
                places.push(place.outcomes.iter().map(|outcome| outcome.chance).collect());
                outcomes.extend(place.outcomes.into_iter().map(|outcome| outcome.edits));
            }
            drawings.push(Drawing { places, taken: drawing.taken });
        }
        let prices = prices(&outcomes, line, readings)?;
        Ok(Self { outcomes, prices, drawings, whole: false, pricing: Pricing::Apart })
    }

    /// Of whole edits, each as likely as the others.
    pub fn of_draws(outcomes: Vec<Vec<Edit>>, line: &EditLine<'_>, readings: &Readings<'_>) -> Result<Self> {
        let prices = prices(&outcomes, line, readings)?;
        let chances = vec![1.0 / outcomes.len().max(1) as f64; outcomes.len()];
        let drawings = vec![Drawing { places: vec![chances], taken: 1 }];
        Ok(Self { outcomes, prices, drawings, whole: true, pricing: Pricing::Together })
    }

    /// The margins with the mean and variance of their shifts.
    pub fn shifts(&self, blend: Blend, margins: impl Iterator<Item = f64>) -> Vec<Shift> {
        self.moments(&self.moved(blend), margins)
    }

    pub fn priced(&self, blend: Blend, margins: impl Iterator<Item = f64>, dice: &mut Dice) -> Priced<'_> {
        let moved = self.moved(blend);
        let shifts = self.moments(&moved, margins);
        let draws = if self.whole { moved.clone() } else { self.draws(&moved, shifts.len(), dice) };
        Priced { quote: self, shifts, moved, draws }
    }

    fn moved(&self, blend: Blend) -> Vec<Vec<f64>> {
        self.prices.iter().map(|rivals| rivals.iter().map(|price| blend.shift(*price)).collect()).collect()
    }

    fn moments(&self, moved: &[Vec<f64>], margins: impl Iterator<Item = f64>) -> Vec<Shift> {
        let shift = |(rival, margin): (usize, f64)| {
            let mut shift = Shift { margin, mean: 0.0, variance: 0.0 };
            let mut rest = moved;
            self.drawings.iter().for_each(|drawing| drawing.add_moments(&mut shift, rival, &mut rest));
            shift
        };
        margins.enumerate().map(shift).collect()
    }

    /// Drawings as they fall.
    fn draws(&self, moved: &[Vec<f64>], rivals: usize, dice: &mut Dice) -> Vec<Vec<f64>> {
        let mut draws = vec![vec![0.0; rivals]; SUMS];
        let mut rest = moved;
        for drawing in &self.drawings {
            let places = drawing.split(&mut rest);
            draws.iter_mut().for_each(|draw| drawing.add_drawn(draw, &places, dice));
        }
        draws
    }
}

impl Drawing {
    /// The shifts of the outcomes at each place, taken from the front of `rest`.
    fn split<'m>(&self, rest: &mut &'m [Vec<f64>]) -> Vec<&'m [Vec<f64>]> {
        let place = |chances: &Vec<f64>| {
            let (now, later) = rest.split_at(chances.len());
            *rest = later;
            now
        };
        self.places.iter().map(place).collect()
    }

    /// Adds the mean and variance of the shift of a margin.
    fn add_moments(&self, shift: &mut Shift, rival: usize, rest: &mut &[Vec<f64>]) {
        let (n, k) = (self.places.len() as f64, self.taken as f64);
        let (mut sum, mut squares, mut within) = (0.0, 0.0, 0.0);
        for (chances, moved) in self.places.iter().zip(self.split(rest)) {
            let outcomes = || chances.iter().zip(moved).map(|(chance, shifts)| (chance, shifts[rival]));
            let mean: f64 = outcomes().map(|(chance, shift)| chance * shift).sum();
            within += outcomes().map(|(chance, shift)| chance * (shift - mean).powi(2)).sum::<f64>();
            sum += mean;
            squares += mean * mean;
        }
        let mean = sum / n;
        let between = (squares / n - mean * mean).max(0.0);
        shift.mean += k * mean;
        shift.variance += k * within / n + k * (n - k) / (n - 1.0).max(1.0) * between;
    }

    /// Adds one drawing as it falls.
    fn add_drawn(&self, sum: &mut [f64], moved: &[&[Vec<f64>]], dice: &mut Dice) {
        for place in dice.choose(self.places.len(), self.taken) {
            let mut left = dice.unit();
            let outcome = self.places[place].iter().zip(moved[place]).find(|(chance, _)| {
                left -= **chance;
                left < 0.0
            });
            // Chances that add up to a little less than 1 leave the last one.
            if let Some(shifts) = outcome.map(|(_, shifts)| shifts).or(moved[place].last()) {
                sum.iter_mut().zip(shifts).for_each(|(sum, shift)| *sum += shift);
            }
        }
    }
}

impl Priced<'_> {
    /// The outcomes with the shift of every margin.
    pub fn outcomes(&self) -> impl Iterator<Item = (&[Edit], &[f64])> {
        self.quote.outcomes.iter().map(Vec::as_slice).zip(self.moved.iter().map(Vec::as_slice))
    }
}

fn prices(outcomes: &[Vec<Edit>], line: &EditLine<'_>, readings: &Readings<'_>) -> Result<Vec<Vec<Price>>> {
    let lists: Vec<&[Edit]> = outcomes.iter().map(Vec::as_slice).collect();
    line.prices(&lists, Pricing::Together, readings)
}
