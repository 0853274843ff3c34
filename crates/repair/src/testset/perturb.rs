//! Small changes of one example: along the fragile direction, to neighbouring words, to other names, and by parts.

use std::sync::Arc;

use fissure_attacks::RecordEdit;
use fissure_core::{Dice, Edit, Outcome, Sample, TrailEdit, Words, apply};
use fissure_geometry::{Candidates, Space, Vocabulary, decode, survey};
use fissure_models::{Model, WhiteBox};
use fissure_text::names::people;
use fissure_text::{casing, neighbours};

use super::TestsetOptions;
use crate::labelled::input;
use crate::{FoundAttacks, Result};

/// How alike a neighbour must be, by the cosine.
const ALIKE: f32 = 0.75;

/// A perturbed form of an example.
#[derive(Debug)]
pub struct Form {
    pub sample: Sample,
    pub kind: String,
    pub edits: Vec<TrailEdit>,
}

/// All forms that could be made, each once.
pub fn forms(
    model: &dyn Model,
    vocabulary: Option<&Vocabulary>,
    original: &Sample,
    options: &TestsetOptions,
) -> Result<Vec<Form>> {
    let mut forms: Vec<Form> = Vec::new();
    let mut add = |form: Option<Form>| {
        if let Some(form) = form.filter(|form| form.sample.fields != original.fields)
            && !forms.iter().any(|known| known.sample.fields == form.sample.fields)
        {
            forms.push(form);
        }
    };
    if let (Some(inside), Some(vocabulary)) = (model.as_white_box(), vocabulary) {
        for edit in along_e_max(inside, vocabulary, original, options.forms)? {
            add(form(original, "along e_max", edit));
        }
    }
    for (index, field) in original.fields.iter().enumerate().filter(|(_, field)| field.open) {
        let mut dice = Dice::new(options.seed, &["testset", &original.id]).fork(index);
        for word in Words::new(&field.text) {
            if let Some(gender) = people::gender(word.text)
                && let Some(name) = dice.pick(people::first_names(gender))
            {
                add(form(original, "name", Edit::replace(word.span, name.text).on(index)));
            } else if let Some((near, _)) =
                neighbours::of(&word.text.to_lowercase()).next().filter(|(_, s)| *s >= ALIKE)
            {
                add(form(original, "neighbour", Edit::replace(word.span, casing::follow(word.text, near)).on(index)));
            }
        }
    }
    for chain in &options.parts {
        if let Outcome::Changed(variant) = chain.run(original, options.seed, 0) {
            add(Some(Form { sample: variant.sample, kind: chain.name().into(), edits: variant.trail.edits }));
        }
    }
    Ok(forms)
}

/// The substitutions by near words that move the text farthest along its most fragile direction.
fn along_e_max(model: &dyn WhiteBox, vocabulary: &Vocabulary, original: &Sample, most: usize) -> Result<Vec<Edit>> {
    let input = input(original);
    let points = model.embed(&[input])?;
    let surveys = survey(model, &points, Space::Tokens)?;
    let (Some(point), Some(survey)) = (points.first(), surveys.first()) else { return Ok(Vec::new()) };
    let found = decode(model, &input, point, survey, vocabulary, Candidates::Neighbours, 2 * most)?;
    let edits = found.into_iter().map(|substitution| {
        let with = casing::follow(&substitution.from, &substitution.to).into_owned();
        Edit::replace(substitution.start..substitution.end, with).on(usize::from(substitution.in_pair))
    });
    Ok(edits.filter(|edit| original.fields.get(edit.field).is_some_and(|field| field.open)).collect())
}

/// The form that an attack left, if it broke the example.
pub fn found(original: &Sample, found: &FoundAttacks) -> Option<Form> {
    let (sample, record) = found.on(original)?;
    let edit = |edit: &RecordEdit| TrailEdit {
        field: edit.field.as_str().into(),
        start: edit.start,
        end: edit.end,
        old: edit.old.clone(),
        new: edit.new.clone(),
    };
    Some(Form { sample, kind: found.kind(), edits: record.edits.iter().map(edit).collect() })
}

fn form(original: &Sample, kind: &str, edit: Edit) -> Option<Form> {
    let field = original.fields.get(edit.field)?;
    let trail = TrailEdit {
        field: Arc::clone(&field.name),
        start: edit.span.start,
        end: edit.span.end,
        old: edit.span.of(&field.text).to_owned(),
        new: edit.with.clone(),
    };
    let applied = apply(original, vec![edit]).ok().filter(|applied| applied.refused == 0)?;
    Some(Form { sample: applied.sample, kind: kind.into(), edits: vec![trail] })
}
