//! A text that never changes and remembers what was worked out about it.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::{Word, Words};

/// An immutable text, cheap to clone.
///
/// What is costly to work out (tags, a parse) can be [remembered](Text::remember), so that ten parts that look at one
/// text pay for it once.
#[derive(Clone, Default)]
pub struct Text {
    raw: Arc<str>,
    memory: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl Text {
    /// The text itself, as the user wrote it.
    pub fn as_str(&self) -> &str {
        &self.raw
    }

    /// Its words, in order. See [`Words`] for what counts as one.
    pub fn words(&self) -> impl Iterator<Item = Word<'_>> {
        Words::new(&self.raw)
    }

    /// The number of letters, signs and spaces a reader sees: grapheme clusters.
    pub fn letter_count(&self) -> usize {
        Word { text: &self.raw, span: (0..self.raw.len()).into() }.letter_count()
    }

    /// The value that `work_out` makes of this text: made on the first call, remembered for the later ones.
    ///
    /// There is one place to remember in; it belongs to the type that came first, and every other type is worked out
    /// anew each time. The language toolbox keeps all its layers in one type for that reason.
    pub fn remember<T: Any + Send + Sync>(&self, work_out: impl FnOnce(&str) -> T) -> Arc<T> {
        if let Some(known) = self.memory.get() {
            return Arc::clone(known).downcast().unwrap_or_else(|_| Arc::new(work_out(&self.raw)));
        }
        let made = Arc::new(work_out(&self.raw));
        // Where two threads meet here, both made the same value of the same text: either may stay.
        let _ = self.memory.set(made.clone());
        made
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.raw
    }
}

impl From<String> for Text {
    fn from(raw: String) -> Self {
        Self { raw: raw.into(), memory: OnceLock::new() }
    }
}

impl From<&str> for Text {
    fn from(raw: &str) -> Self {
        Self { raw: raw.into(), memory: OnceLock::new() }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.raw, f)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Text {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_worked_out_once_and_another_type_does_not_disturb_it() {
        let text = Text::from("one two");
        let mut calls = 0;
        for _ in 0..3 {
            let length = text.remember(|raw| {
                calls += 1;
                raw.len()
            });
            assert_eq!(*length, 7);
        }
        assert_eq!(calls, 1);
        assert_eq!(*text.remember(str::to_uppercase), "ONE TWO");
        assert_eq!(*text.remember(str::len), 7);
    }
}
