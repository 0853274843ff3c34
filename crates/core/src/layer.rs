//! The layers of marks and links: one name for each kind of label, said once.

use crate::Anchor;

/// A token of a list of tokens or a CoNLL file; its value is the tag.
pub const TOKEN: &str = "token";
/// A named entity; its value is the type.
pub const ENTITY: &str = "entity";
/// A word of a segmented text.
pub const WORD: &str = "word";
/// An answer to the question of a reading-comprehension sample.
pub const ANSWERS: &str = "answers";
/// An answer that looks right to a question that has none.
pub const PLAUSIBLE_ANSWERS: &str = "plausible_answers";
/// A thing that a review judges; its value is the polarity.
pub const ASPECT: &str = "aspect";
/// The words that judge an aspect, and the link from the aspect to them.
pub const OPINION: &str = "opinion";
/// The first argument of a relation.
pub const SUBJECT: &str = "subject";
/// The second argument of a relation.
pub const OBJECT: &str = "object";
/// A mention of something; its value is the cluster.
pub const MENTION: &str = "mention";
/// A word used in a certain sense; its value is the sense.
pub const SENSE: &str = "sense";
/// A sentence of a document.
pub const SENTENCE: &str = "sentence";
/// The text of one of several joined columns; its value is the column's name.
pub const COLUMN: &str = "column";
/// The link from a token to its head; its value is the relation.
pub const HEAD: &str = "head";
/// The link from the root of a sentence to itself; its value is the relation.
pub const ROOT: &str = "root";

/// Columns beside a token that say something of its form: they do not hold for another word in its place.
pub const OF_THE_FORM: &[&str] = &["lemma", "feats", "xpos"];

/// Every layer, with how its marks hold to their words. Links have no hold of their own.
const ALL: &[(&str, Anchor)] = &[
    (TOKEN, Anchor::Elastic),
    (ENTITY, Anchor::Elastic),
    (WORD, Anchor::Elastic),
    (ANSWERS, Anchor::Rigid),
    (PLAUSIBLE_ANSWERS, Anchor::Rigid),
    (ASPECT, Anchor::Rigid),
    (OPINION, Anchor::Rigid),
    (SUBJECT, Anchor::Rigid),
    (OBJECT, Anchor::Rigid),
    (MENTION, Anchor::Rigid),
    (SENSE, Anchor::Rigid),
    (SENTENCE, Anchor::Elastic),
    (COLUMN, Anchor::Elastic),
    (HEAD, Anchor::Elastic),
    (ROOT, Anchor::Elastic),
];

/// The layer called `name`, and how its marks usually hold.
pub fn find(name: &str) -> Option<(&'static str, Anchor)> {
    ALL.iter().find(|(known, _)| *known == name).copied()
}
