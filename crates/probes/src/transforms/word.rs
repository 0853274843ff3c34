//! Transformations that put one word or phrase in the place of another.

fissure_core::shelf!(
    Transform: contraction, insert_adv, mlm_suggestion, prejudice, spelling_error, swap_ant_wordnet, swap_article,
    swap_name_in_text, swap_named_ent, swap_neighbour, swap_num, swap_random_vocab, swap_syn_word_embedding,
    swap_syn_wordnet, tense, word_case
);
