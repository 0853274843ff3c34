//! Names: people by gender, places by kind and region, organisations by kind, and words that come in gendered pairs.

pub mod films;
pub mod gendered_words;
pub mod instances;
pub mod organisations;
pub mod people;
pub mod places;

pub use gendered_words::Gender;
