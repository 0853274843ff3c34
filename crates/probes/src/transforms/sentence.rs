//! Transformations that add to a text or take from it as a whole.

fissure_core::shelf!(Transform: append_irr, back_trans, punctuation, reverse_neg, twitter_type);
