//! The workshop of Fissure: every transformation, destroyer and slice, one file each.
