//! Resources for parts that models provide: a masked language model, similarity of texts, translation by a program.

mod masked_lm;
mod similarity;
mod translator;

pub use crate::programs::{ProgramFault, check_programs, finish_programs};
pub use masked_lm::LocalMaskedLm;
pub use similarity::LocalSimilarity;
pub use translator::{CommandTranslator, TranslatorError};
