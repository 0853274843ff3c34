//! A text that never changes and remembers what was worked out about it.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::{Language, Word, Words};

/// An immutable text, cheap to clone.
///
/// What is costly to work out (tags, a parse) can be [remembered](Text::remember), so that ten parts that look at one
/// text pay for it once.
#[derive(Clone, Default)]
pub struct Text {
    raw: Arc<str>,
    memory: OnceLock<Arc<dyn Any + Send + Sync>>,
    language: OnceLock<Language>,
    /// Whether the user said what the language is.
    language_is_given: bool,
}

impl Text {
    /// The text itself, as the user wrote it.
    pub fn as_str(&self) -> &str {
        &self.raw
    }

    /// The text itself, shared, without what is remembered about it.
    pub fn into_raw(self) -> Arc<str> {
        self.raw
    }

    /// Its words, in order. See [`Words`] for what counts as one.
    pub fn words(&self) -> impl Iterator<Item = Word<'_>> {
        Words::new(&self.raw)
    }

    /// The language it is in, by the script of its letters; worked out once.
    pub fn language(&self) -> Language {
        *self.language.get_or_init(|| Language::of(&self.raw))
    }

    /// The same text, in a language that the user names.
    #[must_use]
    pub fn in_language(self, language: Language) -> Self {
        Self { language: OnceLock::from(language), language_is_given: true, ..self }
    }

    /// What this text became. It is in the language that the user named for this one, if any; otherwise its own letters
    /// decide, as they do for every text.
    #[must_use]
    pub fn changed_into(&self, raw: String) -> Self {
        let new = Self::from(raw);
        if self.language_is_given { new.in_language(self.language()) } else { new }
    }

    /// The number of letters, signs and spaces a reader sees: grapheme clusters.
    pub fn letter_count(&self) -> usize {
        Word { text: &self.raw, span: (0..self.raw.len()).into() }.letter_count()
    }

    /// The value that `work_out` makes of this text: made on the first call, remembered for the later ones.
    ///
    /// There is one place to remember in; it belongs to the type that came first, and every other type is worked out
    /// again each time. The language toolbox keeps all its layers in one type for that reason.
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
        Self { raw: raw.into(), ..Self::default() }
    }
}

impl From<&str> for Text {
    fn from(raw: &str) -> Self {
        Self { raw: raw.into(), ..Self::default() }
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

    #[test]
    fn a_language_that_is_given_stays() {
        let text = Text::from("很好看");
        assert_eq!(
            (text.language(), text.changed_into("so good".into()).language()),
            (Language::Chinese, Language::English)
        );
        let said = Text::from("很好看").in_language(Language::Japanese);
        assert_eq!(
            (said.language(), said.changed_into("so good".into()).language()),
            (Language::Japanese, Language::Japanese)
        );
    }
}
