//! Slices: parts of a data set picked by a measure of each sample.

fissure_core::shelf!(Slice: length, overlap, perplexity, phrase, prejudice);

pub(crate) use perplexity::of as perplexity_of;
