//! The parts: every transformation, destroyer, slice and validator, one file each.
//!
//! A part is one file and one line in a list. Its docs, knobs and examples stand on its card, which is all that lists,
//! help, forms and reference docs read; the laws in `tests/laws` hold for every part by its being in the list.

use fissure_core::{Catalog, Slice, Transform, Validator};
use fissure_text::share_alike::{INCLUDED, MISSING};

mod clauses;
mod destroyers;
mod slices;
mod support;
mod transforms;
mod validators;
mod word_diff;

pub use support::near_words::{NearestWords, VectorsError};
pub use transforms::sentence::rewrite;

/// Every transformation, and every destroyer.
pub static TRANSFORMS: Catalog<dyn Transform> = Catalog::new(
    "transform",
    &[
        transforms::character::ALL,
        transforms::word::ALL,
        transforms::sentence::ALL,
        transforms::task::ALL,
        destroyers::ALL,
    ],
)
.without(absent(READING), MISSING);

/// Every slice.
pub static SLICES: Catalog<dyn Slice> =
    Catalog::new("slice", &[slices::ALL]).without(absent(&["overlap", "perplexity"]), MISSING);

/// Every validator.
pub static VALIDATORS: Catalog<dyn Validator> =
    Catalog::new("validator", &[validators::ALL]).without(absent(&["fluency"]), MISSING);

/// The transformations and destroyers that need tags, parses, entities or n-grams; `tests/without_tables.rs` finds out
/// whether the list is right.
const READING: &[&str] = &[
    "add_sum",
    "double_denial",
    "insert_adv",
    "mlm_suggestion",
    "modify_pos",
    "prejudice",
    "replace",
    "reverse_neg",
    "rnd_delete",
    "rnd_insert",
    "rnd_repeat",
    "rnd_replace",
    "rnd_shuffle",
    "sentence_order_swap",
    "swap_ant_wordnet",
    "swap_article",
    "swap_name_in_text",
    "swap_named_ent",
    "swap_special_ent",
    "swap_syn_word_embedding",
    "swap_syn_wordnet",
    "tense",
];

/// The names of parts, if the tables they need are left out of this build.
const fn absent(names: &'static [&'static str]) -> &'static [&'static str] {
    if INCLUDED { &[] } else { names }
}
