//! Names: people by gender, places by kind and region, organisations by kind, and words that come in gendered pairs.

pub mod gender;
pub mod organisations;
pub mod people;
pub mod places;

pub use gender::Gender;
