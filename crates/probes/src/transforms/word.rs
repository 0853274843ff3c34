//! Transformations that put one word or phrase in the place of another.

fissure_core::shelf!(Transform: contraction, mlm_suggestion, prejudice, spelling_error, swap_num, tense, word_case);
