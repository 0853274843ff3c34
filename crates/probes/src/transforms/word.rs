//! Transformations that replace one word or phrase with another.

use fissure_core::{Entry, Transform};

mod contraction;
mod insert_adv;
mod mlm_suggestion;
mod prejudice;
mod spelling_error;
mod swap_ant_wordnet;
mod swap_article;
mod swap_name_in_text;
mod swap_named_ent;
mod swap_neighbour;
pub(crate) mod swap_num;
mod swap_random_vocab;
mod swap_syn_word_embedding;
mod swap_syn_wordnet;
mod tense;
mod word_case;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Transform>] = &[
    &contraction::ENTRY,
    &insert_adv::ENTRY,
    &mlm_suggestion::ENTRY,
    &prejudice::ENTRY,
    &spelling_error::ENTRY,
    &swap_ant_wordnet::ENTRY,
    &swap_article::ENTRY,
    &swap_name_in_text::ENTRY,
    &swap_named_ent::ENTRY,
    &swap_neighbour::ENTRY,
    &swap_num::ENTRY,
    &swap_random_vocab::ENTRY,
    &swap_syn_word_embedding::ENTRY,
    &swap_syn_wordnet::ENTRY,
    &tense::ENTRY,
    &word_case::ENTRY,
];
