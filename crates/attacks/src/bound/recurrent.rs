//! Looks at every combination of candidates of a bilstm: rules out what intervals rule out, and computes the rest.

use fissure_models::Recurrent;

use super::TOLERANCE;
use super::branch::{Turns, Verdicts};
use super::problem::Problem;
use crate::Result;

/// Texts that are computed together, and count as one bound.
const TOGETHER: usize = 32;

/// A search through the combinations of one text's rows.
pub(crate) struct Walk<'a, 'm> {
    network: &'m Recurrent<'m>,
    problem: &'a Problem,
    gold: usize,
    rivals: &'a [usize],
    /// How many more bounds may be worked out.
    left: &'a mut usize,
    /// For each rival what a feature adds to the lead of the right class, and the bias of that lead.
    leads: Vec<(Vec<f32>, f64)>,
}

/// A row with one of its options, and the least lead that is left with it.
type Single = (f32, usize, usize);

impl<'a, 'm> Walk<'a, 'm> {
    pub fn new(
        network: &'m Recurrent<'m>,
        problem: &'a Problem,
        gold: usize,
        rivals: &'a [usize],
        left: &'a mut usize,
    ) -> Self {
        let (right, right_bias) = network.output(gold);
        let lead = |rival: &usize| {
            let (other, bias) = network.output(*rival);
            let weights = right.iter().zip(other).map(|(right, other)| right - other).collect();
            (weights, f64::from(right_bias) - f64::from(bias))
        };
        Self { network, problem, gold, rivals, left, leads: rivals.iter().map(lead).collect() }
    }

    /// Looks at all combinations of exactly `edits` changes; those of fewer must have been looked at before.
    pub fn run(&mut self, edits: usize, turns: &mut Turns<'_>) -> Result<Verdicts> {
        let free: Vec<usize> = (0..self.problem.rows.len()).collect();
        // Intervals grow with every word behind a change, and a taken option makes them no smaller: where they do not decide
        // one change of the text as it is, they are not worked out again.
        let bounds = edits > 1 && self.ruled_out(&[], 1);
        self.below(&mut Vec::new(), &free, edits, bounds, turns)
    }

    /// Whether the bounds alone rule out all combinations of at most `edits` changes besides those taken.
    pub fn ruled_out(&mut self, taken: &[(usize, usize)], edits: usize) -> bool {
        let free: Vec<usize> = (0..self.problem.rows.len()).collect();
        self.free_ruled_out(taken, &free, edits)
    }

    fn free_ruled_out(&mut self, taken: &[(usize, usize)], free: &[usize], edits: usize) -> bool {
        if *self.left == 0 {
            return false;
        }
        *self.left -= 1;
        let options: Vec<(usize, Vec<u32>)> = free
            .iter()
            .map(|row| &self.problem.rows[*row])
            .map(|row| (row.at, row.options.iter().map(|option| option.id).collect()))
            .collect();
        let least = self.network.least_leads(&self.problem.ids_with(taken), &options, edits, &self.leads);
        least.iter().all(|lead| *lead > TOLERANCE)
    }

    fn below(
        &mut self,
        taken: &mut Vec<(usize, usize)>,
        free: &[usize],
        edits: usize,
        bounds: bool,
        turns: &mut Turns<'_>,
    ) -> Result<Verdicts> {
        if free.len() < edits || edits == 0 {
            return Ok(Verdicts::Excluded);
        }
        if bounds && self.free_ruled_out(taken, free, edits) {
            return Ok(Verdicts::Excluded);
        }
        let Some(mut singles) = self.singles(taken, free) else { return Ok(Verdicts::Open) };
        singles.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        if edits == 1 {
            for (_, row, option) in singles.iter().take_while(|single| f64::from(single.0) <= TOLERANCE) {
                taken.push((*row, *option));
                let found = turns(taken)?;
                taken.pop();
                if found {
                    return Ok(Verdicts::Found);
                }
            }
            return Ok(Verdicts::Excluded);
        }
        // What comes nearest alone comes first. A pair is looked at when the first of its two is taken, so an option that was
        // tried needs not be tried again below a later one: its row stays free until all its options were taken.
        let mut open: Vec<usize> = free.to_vec();
        let mut rows: Vec<usize> = Vec::new();
        singles.iter().for_each(|(_, row, _)| {
            if !rows.contains(row) {
                rows.push(*row);
            }
        });
        for row in rows {
            open.retain(|other| *other != row);
            for (_, _, option) in singles.iter().filter(|single| single.1 == row) {
                taken.push((row, *option));
                let below = self.below(taken, &open, edits - 1, bounds, turns)?;
                taken.pop();
                if below != Verdicts::Excluded {
                    return Ok(below);
                }
            }
        }
        Ok(Verdicts::Excluded)
    }

    /// Every single option on top of those taken, with the least lead it leaves. `None` if there is no time to look at all.
    fn singles(&mut self, taken: &[(usize, usize)], free: &[usize]) -> Option<Vec<Single>> {
        let ids = self.problem.ids_with(taken);
        let saved = self.network.save(&ids);
        let mut singles: Vec<Single> = Vec::new();
        let options =
            free.iter().flat_map(|row| (0..self.problem.rows[*row].options.len()).map(|option| (*row, option)));
        let options: Vec<(usize, usize)> = options.collect();
        for part in options.chunks(TOGETHER) {
            *self.left = self.left.checked_sub(1)?;
            let texts: Vec<Vec<u32>> = part
                .iter()
                .map(|(row, option)| {
                    let mut text = ids.clone();
                    text[self.problem.rows[*row].at] = self.problem.rows[*row].options[*option].id;
                    text
                })
                .collect();
            for ((row, option), logits) in part.iter().zip(self.network.logits(&saved, &texts)) {
                let leads = self.rivals.iter().map(|rival| logits[self.gold] - logits[*rival]);
                singles.push((leads.fold(f32::INFINITY, f32::min), *row, *option));
            }
        }
        Some(singles)
    }
}
