//! The parts of attacks, by name.

use fissure_core::Catalog;

use crate::{Constraint, Goal, Search, Source, constraints, goals, searches, sources};

/// Every goal.
pub static GOALS: Catalog<dyn Goal> = Catalog::new("goal", &[goals::ALL]);
/// Every source of candidates.
pub static SOURCES: Catalog<dyn Source> = Catalog::new("source", &[sources::ALL]);
/// Every constraint.
pub static CONSTRAINTS: Catalog<dyn Constraint> = Catalog::new("constraint", &[constraints::ALL]);
/// Every search.
pub static SEARCHES: Catalog<dyn Search> = Catalog::new("search", &[searches::ALL]);
