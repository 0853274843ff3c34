//! The workshop of Fissure: every transformation, destroyer, slice and validator, one file each.
//!
//! A part is one file and one line in a list. Its docs, knobs and examples stand on its card, which is all that lists,
//! help, forms and reference docs read; the laws in `tests/laws` hold for every part by its being in the list.

use fissure_core::{Catalog, Slice, Transform, Validator};

mod clauses;
mod destroyers;
mod differences;
mod slices;
mod support;
mod transforms;
mod validators;

pub use support::near::{NearestWords, VectorsError};

/// Every transformation, and every destroyer.
pub static TRANSFORMS: Catalog<dyn Transform> = Catalog::new(
    "transform",
    &[transforms::character::ALL, transforms::word::ALL, transforms::sentence::ALL, destroyers::ALL],
);

/// Every slice.
pub static SLICES: Catalog<dyn Slice> = Catalog::new("slice", &[slices::ALL]);

/// Every validator.
pub static VALIDATORS: Catalog<dyn Validator> = Catalog::new("validator", &[validators::ALL]);
