//! The sixth stage: the least change that flips an answer, or the proof that there is none.

use fissure_ask::LocalClassifier;
use fissure_attacks::{AttackResources, Certificate, Options, Outcome, Recipe, Record, Summary, Target, attack_all};
use fissure_core::Language;
use serde_json::json;

use super::{Tour, label, percent_in_words};
use crate::Result;

/// Reviews that are attacked: enough to see both ends, few enough for a tour.
const REVIEWS: usize = 100;

pub fn show(tour: &mut Tour) -> Result<()> {
    if tour.language != Language::English {
        // A proof over no candidates at all would say nothing.
        return tour.paragraph(
            "The near words that stand in for others are English: for these reviews there are none to try.",
        );
    }
    let model = fissure_models::open(&tour.place.model())?;
    let respondent = LocalClassifier::of("the model", None, model.into());
    let target = Target::new(&respondent);
    let resources = AttackResources {
        gradients: target.shows_gradients(),
        additive: target.is_additive(),
        ..AttackResources::default()
    };
    let attack = Recipe::builtin("bound")?.build(resources, &[])?;
    let reviews = &tour.reviews[..tour.reviews.len().min(REVIEWS)];
    let class = |name: String| target.labels().iter().position(|known| *known == name);
    let gold: Vec<Option<usize>> = reviews.iter().map(|review| class(label(review))).collect();
    let options = Options { seed: tour.seed, budget: usize::MAX, target: None, max_words: Options::MAX_WORDS };
    let records = attack_all(&attack, &target, reviews, &gold, options)?;
    let mut summary = Summary::default();
    records.iter().for_each(|record| summary.add(record));
    tour.paragraph(&format!(
        "Is there a word, or are there two, that flip an answer when a near word takes their place? Of {} reviews that it \
         answers correctly, {} break; for {} it is proved that no one or two of these words flip the answer; {} are open.",
        summary.attacked(),
        percent_in_words(summary.success()),
        percent_in_words(summary.certified_share()),
        summary.open(),
    ))?;
    let broken =
        records.iter().filter(|record| record.outcome == Outcome::Succeeded).min_by_key(|record| record.changed);
    if let Some(record) = broken {
        tour.say("\n")?;
        tour.paragraph(&broken_in_words(record))?;
    }
    let proved = records.iter().filter_map(|record| Some((record, record.certificate?)));
    if let Some((record, proof)) = proved.max_by_key(|(_, proof)| proof.candidates) {
        tour.paragraph(&proved_in_words(record, proof))?;
    }
    tour.found
        .insert("attacked".into(), json!({ "broken": summary.success(), "certified": summary.certified_share() }));
    Ok(())
}

fn broken_in_words(record: &Record) -> String {
    let changes: Vec<String> =
        record.edits.iter().map(|edit| format!("\"{}\" becomes \"{}\"", edit.old, edit.new)).collect();
    let said = |said: &Option<fissure_attacks::Said>| said.as_ref().map_or_else(String::new, |said| said.label.clone());
    format!(
        "Broken: in review {}, {}, and the answer {} becomes {}.",
        record.id,
        changes.join(" and "),
        said(&record.before),
        said(&record.after)
    )
}

fn proved_in_words(record: &Record, proof: Certificate) -> String {
    format!(
        "Certified: review {} has {} candidates for {} of its words, and no {} of them together flip the answer.",
        record.id, proof.candidates, proof.places, proof.edits
    )
}
