//! Questions to the model: the same question is asked once, and batches are filled whatever the questions come from.

use std::hash::{Hash, Hasher};

use fissure_core::Sample;
use hashbrown::HashMap;

use crate::{Respondent, Response, Unavailable};

/// What the model said, or why it said nothing.
pub type Reply = Result<Response, String>;

/// Questions, each different from the others.
#[derive(Debug, Default)]
pub struct Questions<'a> {
    asked: Vec<&'a Sample>,
    known: HashMap<Question<'a>, usize>,
}

impl<'a> Questions<'a> {
    /// The number of the answer that this sample will get.
    pub fn add(&mut self, sample: &'a Sample) -> usize {
        let Self { asked, known } = self;
        *known.entry(Question(sample)).or_insert_with(|| {
            asked.push(sample);
            asked.len() - 1
        })
    }

    /// Asks them all, `batch` at a time.
    pub fn ask(&self, respondent: &dyn Respondent, batch: usize) -> Result<Vec<Reply>, Unavailable> {
        let mut answers = Vec::with_capacity(self.asked.len());
        for batch in self.asked.chunks(batch.max(1)) {
            let said = respondent.respond(batch)?;
            if said.len() != batch.len() {
                return Err(Unavailable(format!("it gave {} answers to {} questions", said.len(), batch.len())));
            }
            answers.extend(said.into_iter().map(|said| said.and_then(sound)));
        }
        Ok(answers)
    }
}

/// A sample as far as a model sees it: its texts, and where its marks stand, not what they say.
#[derive(Debug)]
struct Question<'a>(&'a Sample);

impl Question<'_> {
    fn parts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.fields.iter().map(|field| (&*field.name, field.text.as_str()))
    }

    fn places(&self) -> impl Iterator<Item = (&str, usize, usize, usize)> {
        self.0.marks.iter().map(|mark| (mark.layer, mark.field, mark.span.start, mark.span.end))
    }
}

impl PartialEq for Question<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.parts().eq(other.parts()) && self.places().eq(other.places())
    }
}

impl Eq for Question<'_> {}

impl Hash for Question<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().for_each(|part| part.hash(state));
        self.places().for_each(|place| place.hash(state));
    }
}

/// A response whose numbers can be written down and read again.
fn sound(response: Response) -> Reply {
    let Response::Class { label, log_probs: Some(mut log_probs), own } = response else { return Ok(response) };
    if log_probs.iter().any(|log| log.is_nan() || *log == f32::INFINITY) {
        return Err("it gave a probability that is not a number".into());
    }
    log_probs.iter_mut().for_each(|log| *log = log.max(f32::MIN));
    Ok(Response::Class { label, log_probs: Some(log_probs), own: own.map(|log| log.max(f32::MIN)) })
}
