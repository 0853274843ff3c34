//! Attacks on models small enough to know the answer, and on the reference models.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod bound;
mod exact;
mod laws;
mod recipes;
mod reference;
mod refusals;
mod replays;
mod tiny;
