//! Transformations made for tasks: their cards say what a sample must have (a pair, entities, answers, clusters), never
//! the name of a task.

use fissure_core::{Entry, Transform};

mod add_diff;
mod add_sent;
mod add_sent_diverse;
mod add_sub_tree;
mod add_sum;
mod concat_sent;
mod delete_sub_tree;
mod double_denial;
mod ent_typos;
mod extent_adjust;
mod insert_clause;
mod insert_relative_clause;
mod mlm;
mod modify_pos;
mod num_word;
mod overlap;
mod parallel_twitter_type;
mod perturb_answer;
mod perturb_question;
mod reduplication;
mod rev_non;
mod rev_tgt;
mod rnd_delete;
mod rnd_insert;
mod rnd_repeat;
mod rnd_replace;
mod rnd_shuffle;
mod sentence_order_swap;
mod swap_ant;
mod swap_contraction;
mod swap_ent;
mod swap_gender;
mod swap_multi_pos;
mod swap_name;
mod swap_names;
mod swap_num_long;
mod swap_parallel_num;
mod swap_parallel_same_word;
mod swap_prefix;
mod swap_special_ent;
mod swap_syn;
mod swap_target;
mod swap_triple_pos;
mod swap_verb;
mod switch_voice;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Transform>] = &[
    &add_diff::ENTRY,
    &add_sent::ENTRY,
    &add_sent_diverse::ENTRY,
    &add_sub_tree::ENTRY,
    &add_sum::ENTRY,
    &concat_sent::ENTRY,
    &delete_sub_tree::ENTRY,
    &double_denial::ENTRY,
    &ent_typos::ENTRY,
    &extent_adjust::ENTRY,
    &insert_clause::ENTRY,
    &insert_relative_clause::ENTRY,
    &mlm::ENTRY,
    &modify_pos::ENTRY,
    &num_word::ENTRY,
    &overlap::ENTRY,
    &parallel_twitter_type::ENTRY,
    &perturb_answer::ENTRY,
    &perturb_question::ENTRY,
    &reduplication::ENTRY,
    &rev_non::ENTRY,
    &rev_tgt::ENTRY,
    &rnd_delete::ENTRY,
    &rnd_insert::ENTRY,
    &rnd_repeat::ENTRY,
    &rnd_replace::ENTRY,
    &rnd_shuffle::ENTRY,
    &sentence_order_swap::ENTRY,
    &swap_ant::ENTRY,
    &swap_contraction::ENTRY,
    &swap_ent::ENTRY,
    &swap_gender::ENTRY,
    &swap_multi_pos::ENTRY,
    &swap_name::ENTRY,
    &swap_names::ENTRY,
    &swap_num_long::ENTRY,
    &swap_parallel_num::ENTRY,
    &swap_parallel_same_word::ENTRY,
    &swap_prefix::ENTRY,
    &swap_special_ent::ENTRY,
    &swap_syn::ENTRY,
    &swap_target::ENTRY,
    &swap_triple_pos::ENTRY,
    &swap_verb::ENTRY,
    &switch_voice::ENTRY,
];
