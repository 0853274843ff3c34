//! Looks at every combination of candidates, by ruling out many at a time.

use fissure_models::Windows;

use super::TOLERANCE;
use super::problem::Problem;
use super::table::{Node, Shifts};
use crate::Result;

/// What is true of all combinations of a number of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdicts {
    /// None turns the model.
    Excluded,
    /// One does, and was kept.
    Found,
    /// There was no time to look at all.
    Open,
}

/// Whether a combination, as (row, option), that our sums do not rule out flips the model's answer.
pub(crate) type Turns<'a> = dyn FnMut(&[(usize, usize)]) -> Result<bool> + 'a;

/// A search through the combinations of one text's rows.
pub(crate) struct Branch<'a, 'm> {
    pub windows: &'m Windows<'m>,
    pub problem: &'a Problem,
    pub gold: usize,
    pub rivals: &'a [usize],
    /// How many more bounds may be worked out.
    pub left: &'a mut usize,
    pub turns: &'a mut Turns<'a>,
}

impl Branch<'_, '_> {
    /// Looks at all combinations of exactly `edits` changes; those of fewer must have been looked at before.
    pub fn run(&mut self, edits: usize) -> Result<Verdicts> {
        let free: Vec<usize> = (0..self.problem.rows.len()).collect();
        if free.len() < edits {
            return Ok(Verdicts::Excluded);
        }
        self.below(&mut Vec::new(), &free, edits)
    }

    /// Whether the bounds alone rule out all combinations of at most `edits` changes.
    pub fn ruled_out_at_once(&self, edits: usize) -> bool {
        let free: Vec<usize> = (0..self.problem.rows.len()).collect();
        let node = Node::of(self.windows, self.problem, &[], self.gold, self.rivals);
        let shifts = free.iter().map(|row| node.shifts(&self.problem.rows[*row], edits)).collect();
        let worst = Worst::of(node.now(), shifts);
        worst.rules_out(&worst.now, &free, edits)
            || node.filter_by_filter(&free, edits).iter().all(|lead| *lead > TOLERANCE)
    }

    fn below(&mut self, taken: &mut Vec<(usize, usize)>, free: &[usize], edits: usize) -> Result<Verdicts> {
        if free.len() < edits || edits == 0 {
            return Ok(Verdicts::Excluded);
        }
        if *self.left == 0 {
            return Ok(Verdicts::Open);
        }
        *self.left -= 1;
        let node = Node::of(self.windows, self.problem, taken, self.gold, self.rivals);
        let now = node.now();
        let shifts: Vec<Vec<Shifts>> = free.iter().map(|row| node.shifts(&self.problem.rows[*row], edits)).collect();
        let worst = Worst::of(now, shifts);
        let all: Vec<usize> = (0..free.len()).collect();
        if worst.rules_out(&worst.now, &all, edits) {
            return Ok(Verdicts::Excluded);
        }
        if edits > 1 && node.filter_by_filter(free, edits).iter().all(|lead| *lead > TOLERANCE) {
            return Ok(Verdicts::Excluded);
        }
        drop(node);
        // Rows that could do most come first: what is left without them is soon ruled out.
        let mut order = all;
        order.sort_by(|a, b| worst.nearest(*a).total_cmp(&worst.nearest(*b)).then(a.cmp(b)));
        for (number, place) in order.iter().enumerate() {
            let rest = &order[number + 1..];
            let rest_rows: Vec<usize> = rest.iter().map(|place| free[*place]).collect();
            for option in worst.options(*place) {
                if worst.rules_out(&worst.with(*place, option), rest, edits - 1) {
                    continue;
                }
                taken.push((free[*place], option));
                let below = if edits == 1 {
                    if (self.turns)(taken)? { Verdicts::Found } else { Verdicts::Excluded }
                } else {
                    self.below(taken, &rest_rows, edits - 1)?
                };
                taken.pop();
                if below != Verdicts::Excluded {
                    return Ok(below);
                }
            }
            if worst.rules_out(&worst.now, rest, edits) {
                break;
            }
        }
        Ok(Verdicts::Excluded)
    }
}

/// The least that single rows add to each lead.
struct Worst {
    now: Vec<f64>,
    shifts: Vec<Vec<Shifts>>,
    /// For each row and lead the least over its options, at most 0.
    rows: Vec<Vec<f64>>,
}

impl Worst {
    fn of(now: Vec<f64>, shifts: Vec<Vec<Shifts>>) -> Self {
        let least = |options: &Vec<Shifts>| {
            (0..now.len()).map(|lead| options.iter().map(|shift| shift[lead]).fold(0.0, f64::min)).collect()
        };
        let rows = shifts.iter().map(least).collect();
        Self { now, shifts, rows }
    }

    /// The least lead of any rival with the worst option of a row.
    fn nearest(&self, row: usize) -> f64 {
        self.now.iter().zip(&self.rows[row]).map(|(now, shift)| now + shift).fold(f64::INFINITY, f64::min)
    }

    /// The options of a row, the worst first.
    fn options(&self, row: usize) -> Vec<usize> {
        let mut options: Vec<usize> = (0..self.shifts[row].len()).collect();
        let least = |option: usize| self.with(row, option).into_iter().fold(f64::INFINITY, f64::min);
        options.sort_by(|a, b| least(*a).total_cmp(&least(*b)).then(a.cmp(b)));
        options
    }

    /// The leads with an option taken.
    fn with(&self, row: usize, option: usize) -> Vec<f64> {
        self.now.iter().zip(&self.shifts[row][option]).map(|(now, shift)| now + shift).collect()
    }

    /// Whether every lead stays above 0 whatever at most `edits` of the rows become.
    fn rules_out(&self, leads: &[f64], rows: &[usize], edits: usize) -> bool {
        leads.iter().enumerate().all(|(lead, now)| {
            let mut shifts: Vec<f64> = rows.iter().map(|row| self.rows[*row][lead]).collect();
            if shifts.len() > edits {
                shifts.sort_by(f64::total_cmp);
            }
            now + shifts.iter().take(edits).sum::<f64>() > TOLERANCE
        })
    }
}
