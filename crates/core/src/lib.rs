//! The foundation.
