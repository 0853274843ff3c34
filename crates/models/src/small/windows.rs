//! A model that takes the highest of its windows, seen from the words: cnn.
//!
//! What a filter finds in a window is a sum over the words in it, each with what it is worth at its place. So a text that
//! differs from another in one stretch is answered by looking at the windows that touch the stretch, and bounds over many
//! texts at once are sums and maxima of what single words are worth.

use std::ops::Range;
use std::sync::OnceLock;

use super::stretches::Run;
use super::worths::{Worth, Worths};
use super::{Body, Cnn, Small};
use crate::kernels::raise_by_sum;
use crate::layers::Linear;

/// A cnn as sums over words and maxima over windows.
#[derive(Debug)]
pub struct Windows<'m> {
    model: &'m Small<Cnn>,
    worths: Worths<'m>,
}

/// The filters that look at the same number of words.
#[derive(Debug, Clone, Copy)]
pub struct Filters<'m> {
    pub span: usize,
    /// Added to the highest window of each filter, before the relu.
    pub bias: &'m [f32],
}

/// A text with its windows, so that texts like it are answered from what differs.
#[derive(Debug, Clone)]
pub struct Saved {
    ids: Vec<u32>,
    filters: Vec<SavedFilters>,
}

#[derive(Debug, Clone)]
struct SavedFilters {
    wide: usize,
    /// What every filter finds in every window, window by window.
    windows: Vec<f32>,
    /// The highest of the first n windows, for each n, filter by filter; and of all from the n-th on.
    before: Vec<f32>,
    behind: Vec<f32>,
    /// The highest of 2, 4, 8, ... windows from the n-th on, for each n; made when a text shares words with this one on both sides of a
    /// change.
    powers: OnceLock<Vec<Vec<f32>>>,
}

impl<'m> Windows<'m> {
    pub(crate) fn of(model: &'m Small<Cnn>) -> Self {
        Self { model, worths: Worths::of(model) }
    }

    /// The same with room for this many words.
    #[cfg(test)]
    pub(super) fn keep(&mut self, frequent: usize, others: usize) {
        self.worths.keep(frequent, others);
    }

    fn head(&self) -> &'m Linear {
        &self.model.head
    }

    pub fn classes(&self) -> usize {
        self.head().bias.len()
    }

    /// The most words of a text that are read.
    pub fn most(&self) -> usize {
        self.model.reader.max_words()
    }

    /// How the model cuts texts into words.
    pub fn word_cut(&self) -> super::WordCut {
        self.model.reader.cut()
    }

    /// The filters by the number of words they look at. Features come in this order.
    pub fn filters(&self) -> impl Iterator<Item = Filters<'m>> + '_ {
        self.model.body.convolutions.iter().map(|layer| Filters { span: layer.span, bias: &layer.bias })
    }

    /// What a feature adds to each class, and the bias of the classes.
    pub fn output(&self, class: usize) -> (&'m [f32], f32) {
        let wide = self.model.body.features();
        (&self.head().weight[class * wide..][..wide], self.head().bias[class])
    }

    /// What a word is worth to every filter at every place of its window: for each of [`filters`](Self::filters), place by
    /// place, a number a filter.
    pub fn worth(&self, id: u32) -> Worth<'_> {
        self.worths.of_word(id)
    }

    /// The windows of a text, kept.
    pub fn save(&self, ids: &[u32]) -> Saved {
        let words: Vec<Worth<'_>> = ids.iter().map(|id| self.worth(*id)).collect();
        let mut filters: Vec<SavedFilters> = Vec::new();
        let mut start = 0;
        for layer in self.filters() {
            let (wide, count) = (layer.bias.len(), (ids.len() + 1).saturating_sub(layer.span));
            let windows = found(&words, (start, layer));
            let mut before = vec![f32::NEG_INFINITY; (count + 1) * wide];
            let mut behind = before.clone();
            for at in 0..count {
                let (known, next) = before.split_at_mut((at + 1) * wide);
                highest(&known[at * wide..], &windows[at * wide..][..wide], &mut next[..wide]);
            }
            for at in (0..count).rev() {
                let (next, known) = behind.split_at_mut((at + 1) * wide);
                highest(&known[..wide], &windows[at * wide..][..wide], &mut next[at * wide..]);
            }
            filters.push(SavedFilters { wide, windows, before, behind, powers: OnceLock::new() });
            start += layer.span * wide;
        }
        Saved { ids: ids.to_vec(), filters }
    }

    /// What every filter finds in every window of a text, before its bias: for each of [`filters`](Self::filters), window by
    /// window.
    pub fn found(&self, ids: &[u32]) -> Vec<Vec<f32>> {
        let words: Vec<Worth<'_>> = ids.iter().map(|id| self.worth(*id)).collect();
        let mut start = 0;
        let one = |layer: Filters<'m>| {
            let windows = found(&words, (start, layer));
            start += layer.span * layer.bias.len();
            windows
        };
        self.filters().map(one).collect()
    }

    /// The logits of a text that no other is like.
    pub fn logits_alone(&self, ids: &[u32]) -> Vec<f32> {
        self.logits(&self.save(&[]), ids)
    }

    /// The logits of a text, from the windows of one like it. How near the two are decides only how much work it is.
    pub fn logits(&self, saved: &Saved, ids: &[u32]) -> Vec<f32> {
        let (prefix, suffix) = saved.alike(ids);
        // The words of windows that touch what differs.
        let widest = self.filters().map(|layer| layer.span).max().unwrap_or(0);
        let from = (prefix + 1).saturating_sub(widest);
        let to = (ids.len() - suffix + widest).saturating_sub(1).min(ids.len());
        let words: Vec<Worth<'_>> = ids[from..to].iter().map(|id| self.worth(*id)).collect();
        let mut features: Vec<f32> = Vec::with_capacity(self.model.body.features());
        let mut start = 0;
        for (layer, kept) in self.filters().zip(&saved.filters) {
            let wide = layer.bias.len();
            let whole = |words: usize| (words + 1).saturating_sub(layer.span);
            let (count, saved_count) = (whole(ids.len()), whole(saved.ids.len()));
            let first = whole(prefix).min(count);
            let last = whole(suffix).min(count - first);
            let mut peaks = kept.before[first * wide..][..wide].to_vec();
            raise(&mut peaks, &kept.behind[(saved_count - last) * wide..][..wide]);
            for window in first..count - last {
                raise_by_window(&words[window - from..][..layer.span], (start, layer), &mut peaks);
            }
            features.extend(peaks.iter().zip(layer.bias).map(|(peak, bias)| (peak + bias).max(0.0)));
            start += layer.span * wide;
        }
        self.head().forward(&features)
    }
}

impl<'m> Windows<'m> {
    /// The logits of a text that shares runs of words with a saved one: of the windows within a run the highest are known, and the others are
    /// looked at. Runs are in order and may reach beyond the end of either text; which there are decides only how much work it is.
    pub fn logits_among(&self, saved: &Saved, ids: &[u32], runs: &[Run]) -> Vec<f32> {
        let widest = self.filters().map(|layer| layer.span).max().unwrap_or(0);
        let mut peaks = vec![f32::NEG_INFINITY; self.model.body.features()];
        // The windows that touch words between one run and the next.
        let look = |(end, next): (usize, usize), peaks: &mut [f32]| {
            let from = (end + 1).saturating_sub(widest);
            let to = (next + widest).saturating_sub(1).min(ids.len());
            let words: Vec<Worth<'_>> = ids[from..to].iter().map(|id| self.worth(*id)).collect();
            let (mut start, mut feature) = (0, 0);
            for layer in self.filters() {
                let wide = layer.bias.len();
                let last = next.min((ids.len() + 1).saturating_sub(layer.span));
                for window in (end + 1).saturating_sub(layer.span)..last {
                    let own = &mut peaks[feature..feature + wide];
                    raise_by_window(&words[window - from..][..layer.span], (start, layer), own);
                }
                start += layer.span * wide;
                feature += wide;
            }
        };
        let mut end = 0;
        for (here, there, count) in runs {
            let count = (*count).min(ids.len().saturating_sub(*here)).min(saved.ids.len().saturating_sub(*there));
            // A short run has few windows of its own, and those of all widths begin and end with a long one.
            if count < widest.max(1) {
                continue;
            }
            look((end, *here), &mut peaks);
            let mut feature = 0;
            for (layer, kept) in self.filters().zip(&saved.filters) {
                kept.raise(*there..there + count + 1 - layer.span, &mut peaks[feature..feature + kept.wide]);
                feature += kept.wide;
            }
            end = here + count;
        }
        look((end, ids.len()), &mut peaks);
        let mut feature = 0;
        for layer in self.filters() {
            for (peak, bias) in peaks[feature..].iter_mut().zip(layer.bias) {
                *peak = (*peak + bias).max(0.0);
            }
            feature += layer.bias.len();
        }
        self.head().forward(&peaks)
    }
}

impl SavedFilters {
    /// Raises peaks to the highest of some windows.
    fn raise(&self, windows: Range<usize>, peaks: &mut [f32]) {
        let row = |rows: &[f32], at: usize, peaks: &mut [f32]| raise(peaks, &rows[at * self.wide..][..self.wide]);
        let all = self.before.len() / self.wide.max(1) - 1;
        match windows {
            Range { start: 0, end } => row(&self.before, end, peaks),
            Range { start, end } if end == all => row(&self.behind, start, peaks),
            Range { start, end } => {
                let Some(power) = (end - start).checked_ilog2() else { return };
                let rows = match power {
                    0 => &self.windows,
                    power => &self.powers()[power as usize - 1],
                };
                row(rows, start, peaks);
                row(rows, end - (1 << power), peaks);
            }
        }
    }

    fn powers(&self) -> &[Vec<f32>] {
        self.powers.get_or_init(|| {
            let mut powers: Vec<Vec<f32>> = Vec::new();
            let mut step = self.wide;
            loop {
                let below = powers.last().unwrap_or(&self.windows);
                if below.len() <= step {
                    return powers;
                }
                let mut rows = below[..below.len() - step].to_vec();
                raise(&mut rows, &below[step..]);
                powers.push(rows);
                step *= 2;
            }
        })
    }
}

impl Saved {
    /// What the text reads as.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// How many words lie between the stretches that a text begins and ends with like this one.
    pub fn distance(&self, ids: &[u32]) -> usize {
        let (prefix, suffix) = self.alike(ids);
        ids.len() - prefix - suffix
    }

    /// How many words a text begins and ends with like this one; none counts twice.
    fn alike(&self, ids: &[u32]) -> (usize, usize) {
        let same = |(one, other): &(&u32, &u32)| one == other;
        // Most of two texts is the same: eight words at a time.
        let eight = |(one, other): &(&[u32; 8], &[u32; 8])| one == other;
        let begin = 8 * self.ids.as_chunks().0.iter().zip(ids.as_chunks().0).take_while(eight).count();
        let prefix = begin + self.ids[begin..].iter().zip(&ids[begin..]).take_while(same).count();
        let most = self.ids.len().min(ids.len()) - prefix;
        let (one, other) = (&self.ids[self.ids.len() - most..], &ids[ids.len() - most..]);
        let ends = one.as_rchunks().1.iter().rev().zip(other.as_rchunks().1.iter().rev());
        let end = 8 * ends.take_while(eight).count();
        let (one, other) = (&one[..most - end], &other[..most - end]);
        (prefix, end + one.iter().rev().zip(other.iter().rev()).take_while(same).count())
    }
}

/// What the filters of one span find in every window of a text, window by window.
fn found(words: &[Worth<'_>], (start, layer): (usize, Filters<'_>)) -> Vec<f32> {
    let wide = layer.bias.len();
    let mut windows = vec![f32::NEG_INFINITY; (words.len() + 1).saturating_sub(layer.span) * wide];
    for (words, window) in words.windows(layer.span).zip(windows.chunks_exact_mut(wide.max(1))) {
        raise_by_window(words, (start, layer), window);
    }
    windows
}

/// Raises peaks to what the filters find in one window. It adds its words in their order, whatever else is asked: the same text
/// gives the same bits.
fn raise_by_window(words: &[Worth<'_>], (start, layer): (usize, Filters<'_>), peaks: &mut [f32]) {
    let wide = layer.bias.len();
    let part = |place: usize| &words[place][start + place * wide..][..wide];
    match layer.span {
        3 => raise_by_sum(&std::array::from_fn::<_, 3, _>(part), peaks),
        4 => raise_by_sum(&std::array::from_fn::<_, 4, _>(part), peaks),
        5 => raise_by_sum(&std::array::from_fn::<_, 5, _>(part), peaks),
        span => raise_by_sum(&(0..span).map(part).collect::<Vec<_>>(), peaks),
    }
}

fn highest(one: &[f32], other: &[f32], out: &mut [f32]) {
    for ((one, other), out) in one.iter().zip(other).zip(out) {
        *out = one.max(*other);
    }
}

fn raise(peaks: &mut [f32], by: &[f32]) {
    for (peak, by) in peaks.iter_mut().zip(by) {
        *peak = peak.max(*by);
    }
}

#[cfg(test)]
mod tests {
    use super::Run;
    use crate::Input;
    use crate::train::{Architecture, Example, TrainOptions, train};

    /// Words that stand in both texts, in order, `least` at least together.
    fn shared(old: &[u32], new: &[u32], least: usize) -> Vec<Run> {
        let mut runs = Vec::new();
        let (mut here, mut there) = (0, 0);
        while here < new.len() {
            let found = (there..old.len()).find_map(|start| {
                let count = old[start..].iter().zip(&new[here..]).take_while(|(one, other)| one == other).count();
                (count >= least).then_some((start, count))
            });
            match found {
                Some((start, count)) => {
                    runs.push((here, start, count));
                    (here, there) = (here + count, start + count);
                }
                None => here += 1,
            }
        }
        runs
    }

    #[test]
    fn a_text_is_answered_from_one_like_it() {
        let words = ["good", "bad", "film", "plot", "fine", "dull"];
        let text = |seed: usize, count: usize| -> String {
            let word = |at: usize| words[(seed * 7 + at * at * 3 + at * seed) % words.len()];
            (0..count).map(word).collect::<Vec<_>>().join(" ")
        };
        let examples: Vec<Example> =
            (0..40).map(|seed| Example { text: text(seed, 9), pair: None, label: seed % 2, source: None }).collect();
        let options = TrainOptions { epochs: 1, validation: 0.0, ..TrainOptions::new(Architecture::Cnn) };
        let labels = ["no", "yes"].map(str::to_owned);
        let model = train(&examples, &labels, &options, &mut |_| {}).expect("a model").model;
        let windows = model.windows().expect("a cnn");
        for (base, new) in [
            (text(1, 12), text(2, 12)),
            (text(1, 12), format!("{} film", text(1, 12))),
            (text(1, 12), text(1, 12).replacen("film", "nobody", 1)),
            (text(3, 12), text(3, 11)),
            (text(3, 2), text(3, 1)),
            (text(4, 3), text(5, 30)),
            (text(5, 30), text(4, 3)),
            (text(5, 30), text(5, 30)),
            (text(7, 60), text(7, 60).replace("plot", "nobody")),
            (text(9, 60), text(9, 60).replace(" dull", "")),
            (text(8, 60), format!("film {} fine {}", text(8, 20), text(8, 60))),
        ] {
            let ids = model.readings(&[Input::from(&*base), Input::from(&*new)]).expect("texts");
            let saved = windows.save(&ids[0]);
            let found = windows.logits(&saved, &ids[1]);
            assert_eq!(found, windows.logits(&windows.save(&ids[1]), &ids[1]), "the text alone decides: {new}");
            assert_eq!(found, windows.logits_alone(&ids[1]), "{new}");
            for least in 1..=8 {
                let runs = shared(&ids[0], &ids[1], least);
                assert_eq!(found, windows.logits_among(&saved, &ids[1], &runs), "{new}: {runs:?}");
            }
            let point = model.embed(&[Input::from(&*new)]).expect("a text");
            let asked = model.logits_at(&point).expect("logits");
            for (found, asked) in found.iter().zip(&asked[0]) {
                assert!((found - asked).abs() < 1e-5, "{base} / {new}: {found} {asked}");
            }
        }
    }
}
