//! The tables of Chinese.

mod people;
mod places;
mod readings;
mod script;
mod shapes;
mod synonyms;
mod words;

use super::Table;

pub const TABLES: [Table; 7] =
    [words::TABLE, script::TABLE, readings::TABLE, shapes::TABLE, people::TABLE, places::TABLE, synonyms::TABLE];
