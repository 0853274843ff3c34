//! The page as it is met: over HTTP, and in a real browser.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod browser;
mod hostile;
mod http;
mod journey;
mod pages;
mod served;
