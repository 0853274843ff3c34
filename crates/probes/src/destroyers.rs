//! Destroyers: the words are the user's own, but the meaning is gone, and no label is right any more.

mod units;

fissure_core::shelf!(Transform: sort, reverse, shuffle, copy_sort, drop, repeat, replace, copy_one, pbsmt);
