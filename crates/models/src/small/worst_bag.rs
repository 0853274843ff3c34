//! The worst text that a fasttext model could be given: the combination of words with the least lead.

use super::{FastText, Small};
use crate::kernels::{axpy, log_softmax};
use crate::train::certified::{Others, Pull};

/// Adds the gradient of the loss of the worst text, and returns that loss.
pub(super) fn worst(model: &Small<FastText>, ids: &[u32], others: &Others, label: usize, pull: &mut Pull<'_>) -> f64 {
    let features = worst_features(model, ids, others, label);
    let rows = model.gather(features.iter().copied());
    let (_, logits) = model.forward(&[&rows]);
    let log_probs = log_softmax(&logits[0]);
    let slopes: Vec<f32> = log_probs
        .iter()
        .enumerate()
        .map(|(class, log)| pull.weight * (log.exp() - f32::from(u8::from(class == label))))
        .collect();
    let share = 1.0 / features.len().max(1) as f32;
    let mut mean = vec![0.0; model.width];
    rows.chunks_exact(model.width).for_each(|row| axpy(share, row, &mut mean));
    crate::layers::Linear::backward_weights(&slopes, &mean, pull.head_weight, pull.head_bias);
    let mut row = vec![0.0; model.width];
    model.head.backward(&slopes, &mut row);
    row.iter_mut().for_each(|slope| *slope *= share);
    pull.rows.extend(features.iter().map(|id| (*id, row.clone())));
    -f64::from(log_probs[label])
}

/// A way through the words so far: the sum of what they, and the bigrams among them, say for the right class.
#[derive(Clone, Default)]
struct Way {
    lead: f32,
    words: Vec<u32>,
    bigrams: Vec<u32>,
}

/// The features of the text with the least lead of the right class over any other: a shortest path from word to word, because
/// a bigram is made by two neighbours.
fn worst_features(model: &Small<FastText>, ids: &[u32], others: &Others, label: usize) -> Vec<u32> {
    let logits = |id: u32| model.head.forward(&model.table[id as usize * model.width..][..model.width]);
    let mut worst: Option<(f32, Vec<u32>)> = None;
    for rival in (0..model.head.bias.len()).filter(|class| *class != label) {
        let lead = |id: u32| {
            let logits = logits(id);
            logits[label] - logits[rival]
        };
        // The best way to each word that may stand at the row.
        let mut ways = vec![Way::default()];
        for (row, own) in ids[..others.words].iter().enumerate() {
            let options =
                others.rows.binary_search_by_key(&row, |(at, _)| *at).map_or(&[][..], |at| &others.rows[at].1);
            let bigrams = row.checked_sub(1).map_or(&[][..], |before| others.bigrams_at(before));
            let bigrams: Vec<([u32; 2], u32, f32)> =
                bigrams.iter().map(|(_, two, id)| (*two, *id, lead(*id))).collect();
            let step = |id: u32| {
                let own = lead(id);
                let reached = ways.iter().map(|way| {
                    let two = way.words.last().map(|last| [*last, id]);
                    let bigram = bigrams.iter().find(|(known, _, _)| Some(*known) == two);
                    (way.lead + own + bigram.map_or(0.0, |(_, _, lead)| *lead), way, bigram)
                });
                let (lead, way, bigram) = reached.min_by(|a, b| a.0.total_cmp(&b.0))?;
                let mut way = Way { lead, ..way.clone() };
                way.words.push(id);
                way.bigrams.extend(bigram.map(|(_, id, _)| *id));
                Some(way)
            };
            ways = std::iter::once(own).chain(options).filter_map(|id| step(*id)).collect();
        }
        for way in ways {
            let features = [way.words, way.bigrams].concat();
            let mean = way.lead / features.len().max(1) as f32;
            if worst.as_ref().is_none_or(|(known, _)| mean < *known) {
                worst = Some((mean, features));
            }
        }
    }
    worst.map_or_else(|| ids.to_vec(), |(_, features)| features)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Linear;
    use crate::small::Reader;
    use crate::{Capabilities, Input};

    /// Two classes; the first number of a row speaks for class 0, the second for class 1.
    fn model() -> Small<FastText> {
        let vocabulary = ["<pad>", "<unk>", "good", "fine", "film", "movie", "fine movie"].map(str::to_owned).to_vec();
        Small {
            reader: Reader::new(vocabulary, 20, 2, true).expect("words"),
            width: 2,
            table: vec![0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 6.0],
            body: FastText { width: 2 },
            head: Linear { weight: vec![1.0, 0.0, 0.0, 1.0], bias: vec![0.0, 0.0] },
            capabilities: Capabilities { labels: Vec::new(), probabilities: true, gradients: true },
            notes: serde_json::Map::new(),
        }
    }

    #[test]
    fn the_worst_combination_may_need_a_bigram() {
        let model = model();
        let text = "good film";
        let reading = model.read(&[Input::from(text)]).expect("a text").remove(0);
        let choices = vec![(0, 0..4, vec!["fine".into(), "two words".into()]), (0, 5..9, vec!["movie".into()])];
        let others = Others::read(&model, &reading, &choices);
        assert_eq!(others.rows, [(0, vec![3]), (1, vec![5])]);
        assert_eq!(others.bigrams, [(0, [3, 5], 6)]);
        let ids: Vec<u32> = reading.ids().collect();
        // fine 1, movie -0.5 and the bigram -6: a lead of -5.5 over three features.
        assert_eq!(worst_features(&model, &ids, &others, 0), [3, 5, 6]);
        // For the other label `good film` is the worst.
        assert_eq!(worst_features(&model, &ids, &others, 1), [2, 4]);
        let (mut head_weight, mut head_bias) = (vec![0.0; 4], vec![0.0; 2]);
        let (head_weight, head_bias) = (&mut head_weight[..], &mut head_bias[..]);
        let mut pull = Pull { weight: 1.0, body: &mut [], head_weight, head_bias, rows: Vec::new() };
        let loss = worst(&model, &ids, &others, 0, &mut pull);
        // Logits 1/3 and 6.5/3.
        let expected = (5.5_f64 / 3.0).exp().ln_1p();
        assert!((loss - expected).abs() < 1e-5, "{loss} {expected}");
        assert_eq!(pull.rows.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [3, 5, 6]);
    }
}
