//! The local page of `fissure explore`: a person sees why a model is fragile, and breaks it by hand.
//!
//! It is a door: it asks `geometry`, `text`, `data` and the models, and shows what they say. [`Session`] holds what is
//! looked at and what is known so far; a thread of its own scores it in the background; [`Server`] shows it to one
//! person behind a token.

mod attacks;
mod auth;
mod basket;
mod cancel;
mod charts;
mod connections;
mod error;
mod inspection;
mod pages;
mod routes;
mod scoring;
mod selection;
mod server;
mod session;
mod threats;

pub use auth::Token;
pub use basket::Shelf;
pub use connections::Limits;
pub use error::{Error, Result};
pub use server::{Server, Stop};
pub use session::{Planted, Session, Setup, Subject, Training};
