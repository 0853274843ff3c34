//! The inspection of one text as the user has edited it: scores, words, and what other words would do.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use fissure_geometry::{
    Candidates, Confidence, Example, ExampleScore, LeftOut, PredictedEffect, Space, Substitution, Vocabulary, Word,
    confidences, decode, integrated_gradients, leave_one_out, predict_effect, survey, word_at, words_of, written_words,
};
use fissure_models::{Input, Model as _, WhiteBox as _};
use fissure_text::chinese::synonyms;
use fissure_text::{Kinship, analyse, neighbours, substitutes};
use serde::{Deserialize, Serialize};

use crate::cancel::Visit;
use crate::error::Problem;
use crate::session::Session;

/// A text on its way, from the page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Draft {
    pub text: String,
    #[serde(default)]
    pub pair: Option<String>,
}

impl Draft {
    pub fn input(&self) -> Input<'_> {
        Input { text: &self.text, pair: self.pair.as_deref() }
    }

    /// The text of field 0, or of the pair.
    pub fn field(&self, field: u8) -> &str {
        if field == 0 { &self.text } else { self.pair.as_deref().unwrap_or("") }
    }

    /// With some places of one field replaced; they must be in order and lie on characters.
    pub fn replaced(&self, field: u8, changes: &[(Range<usize>, &str)]) -> Result<Self, Problem> {
        let text = self.field(field);
        let edits: Vec<fissure_core::Edit> =
            changes.iter().map(|(range, with)| fissure_core::Edit::replace(range.clone(), *with)).collect();
        fissure_core::check(text, &edits).map_err(|fault| Problem::bad(fault.to_string()))?;
        let text = fissure_core::splice(text, &edits);
        Ok(if field == 0 { Self { text, ..self.clone() } } else { Self { pair: Some(text), ..self.clone() } })
    }
}

/// More words than this are not left out one by one.
const MOST_LEFT_OUT: usize = 1000;
/// Looks that are remembered.
const REMEMBERED: usize = 32;

/// A text seen closely.
#[derive(Debug)]
pub struct Inspection {
    pub row: ExampleScore,
    pub words: Vec<Word>,
    /// Integrated gradients of the tokens, computed on demand: they cost more than all the rest.
    integrated: OnceLock<Vec<f64>>,
    /// What leaving out each word does, computed on demand: it takes a question for each.
    left_out: OnceLock<Vec<f64>>,
}

/// Which of the scores of a token colours it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heat {
    #[default]
    EMax,
    Ig,
    Gradient,
    LeaveOneOut,
}

impl Heat {
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::EMax, "e_max", "share of e_max"),
        (Self::Ig, "ig", "integrated gradients"),
        (Self::Gradient, "gradient", "gradient · embedding"),
    ];
}

impl Inspection {
    /// How much each word counts, signed where the score is; `None` if that was not measured.
    pub fn heat(&self, heat: Heat) -> Option<Vec<f64>> {
        let tokens = match (&self.row.tokens, heat) {
            (Some(tokens), _) => tokens.as_slice(),
            (None, Heat::LeaveOneOut) => &[],
            (None, _) => return None,
        };
        let values: Vec<f64> = match heat {
            Heat::EMax => tokens.iter().map(|token| token.e_max * token.e_max).collect(),
            Heat::Ig => self.integrated.get()?.clone(),
            Heat::Gradient => tokens.iter().map(|token| token.grad_dot_emb).collect(),
            Heat::LeaveOneOut => return self.left_out.get().cloned(),
        };
        let of = |at: &usize| values.get(*at).copied().unwrap_or(0.0);
        let sums = self.words.iter().map(|word| word.pieces.iter().map(of).sum::<f64>());
        // Squares of e_max add up to 1 over the text: a word's share is their root.
        Some(if heat == Heat::EMax { sums.map(f64::sqrt).collect() } else { sums.collect() })
    }
}

/// A word that could stand there, and what the straight line says to it.
#[derive(Debug)]
pub struct Candidate {
    pub kinship: Kinship,
    pub text: String,
    pub effect: Option<PredictedEffect>,
}

impl Session {
    /// A close look; the last few are remembered, so that undo and another colouring cost nothing.
    pub fn look(&self, visit: &Visit<'_>, model: usize, id: &str, draft: &Draft) -> Result<Arc<Inspection>, Problem> {
        let same = |(of, text, _): &&(usize, Draft, Arc<Inspection>)| *of == model && text == draft;
        if let Some((_, _, look)) = self.looks().iter().find(same) {
            return Ok(Arc::clone(look));
        }
        let ready = self.calibrated(model);
        let look = Arc::new(self.look_anew(visit, model, id, draft)?);
        if !ready {
            // Without its forecast it is not worth remembering.
            return Ok(look);
        }
        let mut looks = self.looks();
        if looks.len() >= REMEMBERED {
            looks.pop_front();
        }
        looks.push_back((model, draft.clone(), Arc::clone(&look)));
        Ok(look)
    }

    /// Measures what this colouring needs, if it has not been measured yet.
    pub fn warm(
        &self,
        visit: &Visit<'_>,
        model: usize,
        draft: &Draft,
        look: &Inspection,
        heat: Heat,
    ) -> Result<(), Problem> {
        if heat == Heat::LeaveOneOut && look.left_out.get().is_none() && self.inside(model).is_none() {
            let (asked, input) = (self.asked(model, visit), draft.input());
            if look.words.len() > MOST_LEFT_OUT {
                return Err(Problem::bad(format!("The text has more than {MOST_LEFT_OUT} words to leave out.")));
            }
            let whole = asked.answer(&[input])?.pop().ok_or_else(|| Problem::bad("The model gave no answer."))?;
            let mut found = leave_one_out(&asked, &input, &whole)?.into_iter().peekable();
            let of_word = |word: &Word| {
                let here = |left: &LeftOut| (left.in_pair, left.start) == (word.field != 0, word.range.start);
                let left = found.next_if(here);
                left.map_or(0.0, |left| left.fall.unwrap_or(f64::from(u8::from(left.flips))))
            };
            let _ = look.left_out.set(look.words.iter().map(of_word).collect());
        }
        if heat == Heat::Ig
            && look.integrated.get().is_none()
            && let Some(inside) = self.watched(model, visit)
        {
            let points = inside.embed(&[draft.input()])?;
            let found = integrated_gradients(&inside, &points, false)?.pop();
            // Another request may have measured it meanwhile: the same numbers.
            let _ = look.integrated.set(found.map(|found| found.probability).unwrap_or_default());
        }
        Ok(())
    }

    fn look_anew(&self, visit: &Visit<'_>, model: usize, id: &str, draft: &Draft) -> Result<Inspection, Problem> {
        let input = draft.input();
        let Some(inside) = self.watched(model, visit) else {
            let answer = self.asked(model, visit).answer(&[input])?.pop();
            let answer = answer.ok_or_else(|| Problem::bad("The model gave no answer."))?;
            let row = ExampleScore::of_answer(id, None, self.labels(model), &answer);
            let words = written_words(&input);
            return Ok(Inspection { row, words, integrated: OnceLock::new(), left_out: OnceLock::new() });
        };
        let words = inside.embed(&[input])?.first().map(words_of).unwrap_or_default();
        let asked = [Example { id, input, label: None }];
        let mut rows = self.scorer(model, &inside, true).score(&asked)?;
        let row = rows.pop().ok_or_else(|| Problem::bad("The model gave no answer."))?;
        Ok(Inspection { row, words, integrated: OnceLock::new(), left_out: OnceLock::new() })
    }

    /// What could replace a word: those farthest along e_max first, within each kind.
    pub fn candidates(
        &self,
        visit: &Visit<'_>,
        model: usize,
        draft: &Draft,
        field: u8,
        bytes: &Range<usize>,
    ) -> Result<Vec<Candidate>, Problem> {
        let words = substitutes(&analyse(draft.field(field)), bytes.clone());
        let Some(inside) = &self.watched(model, visit) else {
            let candidate = |(kinship, text)| Candidate { kinship, text, effect: None };
            return Ok(words.into_iter().map(candidate).collect());
        };
        let points = inside.embed(&[draft.input()])?;
        let surveys = survey(inside, &points, Space::Tokens)?;
        let texts: Vec<&str> = words.iter().map(|(_, text)| text.as_str()).collect();
        let effect = match word_at(&points[0], field, bytes) {
            Some(word) => predict_effect(inside, &points[0], &surveys[0], word, &texts)?,
            None => vec![None; texts.len()],
        };
        let mut found: Vec<Candidate> = words
            .into_iter()
            .zip(effect)
            .map(|((kinship, text), effect)| Candidate { kinship, text, effect })
            .collect();
        let along = |candidate: &Candidate| candidate.effect.map_or(f64::NEG_INFINITY, |effect| effect.projection);
        found.sort_by(|a, b| a.kinship.cmp(&b.kinship).then(along(b).total_cmp(&along(a))));
        Ok(found)
    }

    /// The substitutions of the whole text that lie farthest along e_max.
    pub fn along(
        &self,
        visit: &Visit<'_>,
        model: usize,
        draft: &Draft,
        reach: Reach,
    ) -> Result<Vec<Substitution>, Problem> {
        let Some(inside) = &self.watched(model, visit) else { return Ok(Vec::new()) };
        let Some(vocabulary) = self.vocabulary(model) else { return Ok(Vec::new()) };
        let points = inside.embed(&[draft.input()])?;
        let surveys = survey(inside, &points, Space::Tokens)?;
        let candidates = match reach {
            Reach::Meaning => Candidates::Listed(self.near(model, vocabulary)),
            Reach::Model => Candidates::Neighbours,
            Reach::Any => Candidates::Vocabulary,
        };
        Ok(decode(inside, &draft.input(), &points[0], &surveys[0], vocabulary, candidates, 12)?)
    }

    /// What the model really says to some texts.
    pub fn truth(&self, visit: &Visit<'_>, model: usize, drafts: &[Draft]) -> Result<Vec<Confidence>, Problem> {
        let inputs: Vec<Input<'_>> = drafts.iter().map(Draft::input).collect();
        if let Some(inside) = self.watched(model, visit) {
            return Ok(confidences(&inside, &inputs)?);
        }
        let classes = self.labels(model).len();
        let answers = self.asked(model, visit).answer(&inputs)?;
        Ok(answers.iter().map(|answer| Confidence::from_answer(answer, classes)).collect())
    }
}

/// Which words may stand in for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Those near in meaning.
    #[default]
    Meaning,
    /// Those near in the model's own table.
    Model,
    Any,
}

/// For each word of a vocabulary those of its words that are near in meaning: neighbours in a space of word vectors, and for
/// Chinese words synonyms of a reviewed list.
pub fn near(vocabulary: &Vocabulary) -> Vec<Vec<u32>> {
    let entries = 0..vocabulary.len() as u32;
    let places: BTreeMap<&str, u32> = entries.clone().rev().map(|entry| (vocabulary.text(entry), entry)).collect();
    let of = |entry: u32| -> Vec<u32> {
        let word = vocabulary.text(entry).to_lowercase();
        // There are no vectors of Chinese words; reviewed synonyms are near as well.
        let near = neighbours::of(&word).map(|(other, _)| other).chain(synonyms::reviewed(&word).iter().copied());
        let found = near.filter_map(|other| places.get(other).copied());
        found.filter(|other| *other != entry).collect()
    };
    entries.map(of).collect()
}
