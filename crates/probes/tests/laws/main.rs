//! The laws that hold for every part of the workshop by its being on a shelf, and the proof that each law can fail.
//!
//! A law is one function over an entry. [`LAWS`] lists those of transformations with the broken part that each one must
//! catch; `slices` and `validators` do the same for the other parts.

mod agreement_laws;
mod broken;
mod brought_laws;
mod candidate_laws;
mod card_laws;
mod draw_laws;
mod edit_laws;
mod label_laws;
mod language_laws;
mod nasty;
mod order_laws;
mod random;
mod slices;
mod snapshots;
mod validators;

use fissure_core::{Catalog, Chain, Change, Dice, Entry, Outcome, Resources, Sample, Settings, Shape, Transform};
use fissure_probes::{SLICES, TRANSFORMS, VALIDATORS};

/// A transformation, as the catalog knows it.
type Part = Entry<dyn Transform>;

/// What keeps a law from holding, in words that name the part, the text and the seed.
type Verdict = Result<(), String>;

/// A law with its name, and a part that must be caught by it.
type Law<T> = (&'static str, fn(&'static Entry<T>) -> Verdict, &'static Entry<T>);

const LAWS: &[Law<dyn Transform>] = &[
    ("the name is the file's", card_laws::the_name_is_the_files, &broken::misfiled::ENTRY),
    ("the folder is the level's", card_laws::the_folder_is_the_levels, &broken::misfiled::ENTRY),
    ("the summary is a sentence", card_laws::the_summary_is_a_sentence, &broken::mumbling::ENTRY),
    ("the card is filled in", card_laws::the_card_is_filled_in, &broken::mumbling::ENTRY),
    ("every example holds", card_laws::every_example_holds, &broken::boastful::ENTRY),
    ("there are three examples", card_laws::there_are_three_examples, &broken::mumbling::ENTRY),
    ("defaults are allowed and true", card_laws::defaults_are_allowed_and_true, &broken::out_of_range::ENTRY),
    ("unknown knobs are refused", card_laws::unknown_knobs_are_refused, &broken::swallowing::ENTRY),
    ("the same seed gives the same bytes", order_laws::the_same_seed_gives_the_same_bytes, &broken::counting::ENTRY),
    ("order and threads do not matter", order_laws::order_and_threads_do_not_matter, &broken::counting::ENTRY),
    ("edits are sound", edit_laws::edits_are_sound, &broken::overlapping::ENTRY),
    ("changed means changed", edit_laws::changed_means_changed, &broken::idle::ENTRY),
    ("the trail leads there and back", edit_laws::the_trail_leads_there_and_back, &broken::overlapping::ENTRY),
    ("rate 0 changes nothing", edit_laws::rate_0_changes_nothing, &broken::rateless::ENTRY),
    ("something is changed", edit_laws::something_is_changed, &broken::sleeping::ENTRY),
    ("words that stay keep their marks", label_laws::words_that_stay_keep_their_marks, &broken::sweeping::ENTRY),
    ("what keeps the label keeps marks", label_laws::what_keeps_the_label_keeps_marks, &broken::cutting::ENTRY),
    ("token tasks keep their tokens", label_laws::token_tasks_keep_their_tokens, &broken::cutting::ENTRY),
    ("moved marks keep their words", brought_laws::moved_marks_keep_their_words, &broken::misplacing::ENTRY),
    ("tokens cover the words once", brought_laws::tokens_cover_the_words_once, &broken::tagless::ENTRY),
    ("a tree stays a tree", brought_laws::a_tree_stays_a_tree, &broken::two_roots::ENTRY),
    ("labels are spelled as in the file", brought_laws::labels_are_spelled_as_in_the_file, &broken::misspelling::ENTRY),
    ("who relabels says so", brought_laws::who_relabels_says_so, &broken::secretive::ENTRY),
    ("closed fields stay closed", label_laws::closed_fields_stay_closed, &broken::trespassing::ENTRY),
    ("closed texts only follow", agreement_laws::closed_texts_only_follow, &broken::trespassing::ENTRY),
    ("what is shared stays shared", agreement_laws::what_is_shared_stays_shared, &broken::one_sided::ENTRY),
    ("what is drawn is listed", candidate_laws::what_is_drawn_is_listed, &broken::unlisted::ENTRY),
    ("words are listed", candidate_laws::words_are_listed, &broken::careless::ENTRY),
    ("candidates are sound", candidate_laws::candidates_are_sound, &broken::blank_lists::ENTRY),
    ("other languages are left alone", language_laws::other_languages_are_left_alone, &broken::english_only::ENTRY),
    ("words of other scripts stay", language_laws::words_of_other_scripts_stay, &broken::careless_of_script::ENTRY),
    ("what is stated is drawn", draw_laws::what_is_stated_is_drawn, &broken::favouring::ENTRY),
    ("slips spare labelled words", agreement_laws::slips_spare_labelled_words, &broken::careless::ENTRY),
];

/// Whether a part serves the task of a name.
fn serves(entry: &Entry<dyn Transform>, task: &str) -> bool {
    entry.card.serves(&fissure_tasks::find(task).expect("a task").facts)
}

#[test]
fn every_transformation_keeps_every_law() {
    every_part_keeps(&TRANSFORMS, LAWS);
}

#[test]
fn every_law_can_fail() {
    every_broken_part_is_caught(LAWS);
}

/// What builds a part is made by the same macros for all, so one broken part is enough for all.
#[test]
fn slices_and_validators_refuse_unknown_knobs() {
    assert_eq!(SLICES.entries().try_for_each(card_laws::unknown_knobs_are_refused), Ok(()));
    assert_eq!(VALIDATORS.entries().try_for_each(card_laws::unknown_knobs_are_refused), Ok(()));
}

#[allow(clippy::disallowed_methods, reason = "an author of a part may ask for its laws alone")]
fn every_part_keeps<T: ?Sized>(catalog: &Catalog<T>, laws: &[Law<T>]) {
    let mut faults = Vec::new();
    // While a part is being written, its laws alone: `FISSURE_PARTS=rev_tgt,add_diff`.
    let wanted = std::env::var("FISSURE_PARTS").ok();
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|parts| parts.split(',').any(|part| part == name));
    for entry in catalog.entries().filter(|entry| is_wanted(entry.card.name)) {
        for (name, law, _) in laws {
            if let Err(fault) = law(entry) {
                faults.push(format!("{}: {name}: {fault}", entry.card.name));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

fn every_broken_part_is_caught<T: ?Sized>(laws: &[Law<T>]) {
    for (name, law, broken) in laws {
        assert!(law(broken).is_err(), "`{}` should break the law that {name}", broken.card.name);
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = TRANSFORMS.entries().map(|entry| entry.card.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for entry in TRANSFORMS.entries() {
        for name in entry.card.aliases.iter().chain([&entry.card.name]) {
            let found = TRANSFORMS.find(name).unwrap().card.name;
            assert_eq!(found, entry.card.name, "`{name}` finds `{found}`");
        }
    }
}

/// The part with its defaults, and with each value of each of its switches and choices in turn.
fn ways(entry: &'static Part) -> Vec<Vec<(String, String)>> {
    let mut ways = vec![Vec::new()];
    for knob in entry.knobs() {
        let values: &[&str] = match knob.shape {
            Shape::Flag => &["true", "false"],
            Shape::Choice(names) => names,
            Shape::Count { .. } | Shape::Number { .. } | Shape::Text => &[],
        };
        let others = values.iter().filter(|value| **value != knob.default);
        ways.extend(others.map(|value| vec![(knob.name.to_owned(), (*value).to_owned())]));
    }
    ways
}

/// The part alone, as users run it.
fn chain(entry: &'static Part, settings: &Settings) -> Result<Chain, String> {
    let built = Chain::of(&[entry], settings).map_err(|error| error.to_string())?;
    Ok(built.with(Resources::toy()))
}

/// Runs the part in all its ways, alone and without the guards of a chain, over samples; `check` sees each sample and
/// what the part proposes for it.
fn for_each_proposal(
    entry: &'static Part,
    samples: &[Sample],
    mut check: impl FnMut(&Sample, Change) -> Verdict,
) -> Verdict {
    let resources = Resources::toy();
    for settings in ways(entry) {
        let (part, _) = entry.build(&settings).map_err(|error| error.to_string())?;
        for sample in samples {
            for seed in 0..3 {
                let mut dice = Dice::new(seed, &[entry.card.name, &sample.id]);
                if let Ok(change) = part.propose(sample, &mut dice, &resources) {
                    check(sample, change).map_err(|fault| format!("{fault} {}", at(sample, seed, &settings)))?;
                }
            }
        }
    }
    Ok(())
}

/// Runs the part in all its ways, as users do; `check` sees each sample and what came of it.
fn for_each_outcome(
    entry: &'static Part,
    samples: &[Sample],
    mut check: impl FnMut(&Sample, &Outcome) -> Verdict,
) -> Verdict {
    for settings in ways(entry) {
        let chain = chain(entry, &settings)?;
        for sample in samples {
            for seed in 0..3 {
                check(sample, &chain.run(sample, seed, 0))
                    .map_err(|fault| format!("{fault} {}", at(sample, seed, &settings)))?;
            }
        }
    }
    Ok(())
}

fn at(sample: &Sample, seed: u64, settings: &Settings) -> String {
    let text: String = sample.fields[0].text.chars().take(60).collect();
    format!("(sample {}: {text:?}, seed {seed}, {settings:?})", sample.id)
}

fn holds(yes: bool, fault: impl FnOnce() -> String) -> Verdict {
    if yes { Ok(()) } else { Err(fault()) }
}
