//! Fine-tuning a tagger: a label for each token, on its first piece.

use std::path::Path;

use super::step::Text;
use super::{FineTuneOptions, FineTuned, Headed, learn, random_linear};
use crate::encoder::classifier::labels as labels_of;
use crate::encoder::head::TagHead;
use crate::encoder::tagger::{Tagger, first_pieces};
use crate::tagging::{TaggedText, check_tags};
use crate::train::Progress;
use crate::train::start::{Split, split_sources};
use crate::{Input, Result};

/// Trains a tagger of `labels` that starts from the encoder in a Hugging Face directory; where that holds a tagger of
/// these labels, its head is trained on.
pub fn fine_tune_tagger(
    directory: &Path,
    texts: &[TaggedText],
    labels: &[String],
    options: &FineTuneOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<FineTuned<Tagger>> {
    options.check()?;
    check_tags(texts, labels)?;
    let split = split_sources(texts.iter().map(|text| text.source.as_deref()), options.validation, options.seed)?;
    let held_out = split.held_out_labels(|at| &texts[at].tags);
    let Split { training, validation } = split;
    let mut model = Headed::open(directory, options, |reader, network| {
        if reader.require("ForTokenClassification").is_ok()
            && let Ok(classes) = reader.classes("classifier")
            && labels_of(reader.config, classes).is_ok_and(|known| known == labels)
            && let Ok(head) = reader.head_linear("classifier", classes, network.width)
        {
            return Ok(TagHead(head));
        }
        Ok(TagHead(random_linear(labels.len(), network.width, options.seed)))
    })?;
    let [training, validation] = [training, validation].map(|indices| read(&model, texts, &indices));
    let (epochs, best_epoch) = learn(&mut model, &training?, &validation?, options, progress)?;
    let Headed { encoder, head } = model.finish()?;
    let model = Tagger { encoder, head, labels: labels.to_vec() };
    Ok(FineTuned { model, epochs, best_epoch, held_out })
}

fn read(model: &Headed<TagHead>, texts: &[TaggedText], indices: &[usize]) -> Result<Vec<Text<Vec<Option<usize>>>>> {
    let inputs: Vec<Input<'_>> = indices.iter().map(|at| Input::from(texts[*at].text.as_str())).collect();
    let points = model.encoder.embed(&inputs)?.into_iter().zip(indices);
    let text = |(point, at): (crate::Embedded, &usize)| {
        let mut target = vec![None; point.pieces.len()];
        for (row, tag) in first_pieces(&point.pieces, &texts[*at].tokens).into_iter().zip(&texts[*at].tags) {
            if let Some(row) = row {
                target[row].get_or_insert(*tag);
            }
        }
        Text { point, target }
    };
    // A text of which no token is read has nothing to teach.
    Ok(points.map(text).filter(|text| text.target.iter().any(Option::is_some)).collect())
}
