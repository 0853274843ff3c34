//! Transformations that put one word or phrase in the place of another.

fissure_core::shelf!(Transform: contraction, spelling_error, swap_num, word_case);
