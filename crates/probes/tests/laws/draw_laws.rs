//! What a part states as its law is what it draws.

use std::collections::BTreeMap;

use fissure_core::{Dice, Draws, Law, LawPlace, Resources, Sample, Span};

use crate::{Part, Verdict, at, holds, nasty};

/// Drawings of the part for each sample, and drawings at each place of its law.
const DRAWINGS: u64 = 10_000;
const EACH: usize = 2_000;
/// Outcomes that are expected less often than this are counted together.
const FEWEST: f64 = 8.0;

/// What happens at a place, by its edits.
type Key = Vec<(usize, Span, String)>;

fn samples(entry: &'static Part) -> Vec<Sample> {
    let mut samples = nasty::plain_for(entry);
    samples.truncate(1);
    samples.push(Sample::of_text(
        "law",
        "I can't say that the waiter brought a cold coffee, but we will not complain: the kitchen has definitely received \
         a separate committee's recommendation, and a modern friend really believes it's great.",
    ));
    samples
}

/// Over many drawings each place is taken as often as the law says, as many places at a time, and what happens there is
/// what the law says happens there.
pub fn what_is_stated_is_drawn(entry: &'static Part) -> Verdict {
    let resources = Resources::toy();
    let (part, _) = entry.build(&[]).map_err(|error| error.to_string())?;
    for sample in samples(entry) {
        let mut draws = Draws { each: EACH, dice: Dice::new(7, &["law", entry.card.name, &sample.id]) };
        let Some(law) = part.law(&sample, &resources, &mut draws) else { continue };
        let place_of = places(&law);
        let mut seen: BTreeMap<(usize, usize), BTreeMap<Key, f64>> = BTreeMap::new();
        for seed in 0..DRAWINGS {
            let fault = |what: String| format!("{what} {}", at(&sample, seed, &[]));
            let mut dice = Dice::new(seed, &[entry.card.name, &sample.id]);
            let Ok(change) = part.propose(&sample, &mut dice, &resources) else { continue };
            let mut drawn: BTreeMap<(usize, usize), Key> = BTreeMap::new();
            for edit in change.edits {
                let place = place_of.get(&(edit.field, edit.span));
                let place = place.ok_or_else(|| fault(format!("{edit:?} is at no place of the law")))?;
                drawn.entry(*place).or_default().push((edit.field, edit.span, edit.with));
            }
            for (number, drawing) in law.drawings.iter().enumerate() {
                let taken = drawn.keys().filter(|(of, _)| *of == number).count();
                holds(taken == drawing.taken, || fault(format!("{taken} places instead of {}", drawing.taken)))?;
            }
            for (place, outcome) in drawn {
                *seen.entry(place).or_default().entry(outcome).or_default() += 1.0;
            }
        }
        for (number, drawing) in law.drawings.iter().enumerate().filter(|(_, drawing)| drawing.taken > 0) {
            let share = drawing.taken as f64 / drawing.places.len() as f64;
            // Five standard deviations.
            let far = 5.0 * (share * (1.0 - share) / DRAWINGS as f64).sqrt() + 1e-9;
            for (index, place) in drawing.places.iter().enumerate() {
                let outcomes = seen.remove(&(number, index)).unwrap_or_default();
                let found = outcomes.values().sum::<f64>() / DRAWINGS as f64;
                let fault = |what: String| format!("{what} at {:?} {}", place.outcomes[0].edits, at(&sample, 0, &[]));
                holds((found - share).abs() <= far, || fault(format!("taken {found:.4} of the time, not {share:.4}")))?;
                let (distance, most) = distance(&outcomes, place);
                holds(distance <= most, || fault(format!("other outcomes: chi-square {distance:.0} > {most:.0}")))?;
            }
        }
    }
    Ok(())
}

/// Which place each edit belongs to.
fn places(law: &Law) -> BTreeMap<(usize, Span), (usize, usize)> {
    let mut places = BTreeMap::new();
    for (number, drawing) in law.drawings.iter().enumerate() {
        for (index, place) in drawing.places.iter().enumerate() {
            let edits = place.outcomes.iter().flat_map(|outcome| &outcome.edits);
            places.extend(edits.map(|edit| ((edit.field, edit.span), (number, index))));
        }
    }
    places
}

/// The chi-square statistic of two samples of outcomes, and the most that is believed: what a normal number exceeds at five
/// standard deviations, by the cube of Wilson and Hilferty. (Five deviations of the statistic itself would be exceeded once in
/// 400 places, since its tail is long.)
fn distance(drawn: &BTreeMap<Key, f64>, place: &LawPlace) -> (f64, f64) {
    let mut pairs: BTreeMap<Key, (f64, f64)> = BTreeMap::new();
    for (key, count) in drawn {
        pairs.entry(key.clone()).or_default().0 = *count;
    }
    for outcome in &place.outcomes {
        let key = outcome.edits.iter().map(|edit| (edit.field, edit.span, edit.with.clone())).collect();
        pairs.entry(key).or_default().1 = outcome.chance * EACH as f64;
    }
    let totals = pairs.values().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let (mut bins, mut rare) = (Vec::new(), (0.0, 0.0));
    for pair in pairs.into_values() {
        if pair.0 + pair.1 < FEWEST {
            rare = (rare.0 + pair.0, rare.1 + pair.1);
        } else {
            bins.push(pair);
        }
    }
    bins.extend((rare.0 + rare.1 > 0.0).then_some(rare));
    let scale = (totals.1 / totals.0).sqrt();
    let statistic = bins.iter().map(|(a, b)| (a * scale - b / scale).powi(2) / (a + b)).sum();
    let freedom = bins.len().saturating_sub(1) as f64;
    if freedom == 0.0 {
        return (statistic, 1e-6);
    }
    let spread = 2.0 / (9.0 * freedom);
    (statistic, freedom * (1.0 - spread + 5.0 * spread.sqrt()).powi(3))
}
