//! What headlines leave out.

use fissure_text::Penn;

use super::{Clause, Sentence};

/// Whether the verb of a clause is a participle without its `was`, as headlines have it: `Mountie killed in crash`.
pub fn is_clipped_passive(sentence: &Sentence<'_>, clause: &Clause) -> bool {
    let next = clause.finite + 1;
    sentence.penn(clause.finite) == Penn::Vbd
        && DONE_TO.contains(&sentence.base(clause.finite).as_str())
        && (next >= sentence.tokens.end
            || matches!(sentence.penn(next), Penn::In | Penn::To | Penn::Rb | Penn::FullStop | Penn::Comma))
}

/// Verbs that have an object, unless what is done is done to their subject.
#[rustfmt::skip]
const DONE_TO: &[&str] = &[
    "accuse", "appoint", "arrest", "ban", "bomb", "charge", "clear", "convict", "delay", "detain", "elect", "evacuate", "expect",
    "fine", "find", "fire", "found", "free", "hold", "hurt", "injure", "jail", "kidnap", "kill", "name", "place", "raid", "release",
    "remove", "rescue", "seize", "sentence", "shoot", "sideline", "suspend", "treat", "wound",
];
