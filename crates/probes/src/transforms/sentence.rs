//! Transformations that add to a text or take from it as a whole.

fissure_core::shelf!(Transform: append_irr, punctuation, twitter_type);
