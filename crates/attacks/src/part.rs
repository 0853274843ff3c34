//! The four kinds of parts that a recipe puts together.

use std::fmt;

use fissure_core::{Language, Part};

use crate::{AttackResources, Attempt, Change, Resource, Result, State, Target, Verdict};

/// What an attack wants of the model.
pub trait Goal: fmt::Debug + Send + Sync {
    /// Whether the answer is what the attack wants.
    fn reached(&self, attempt: &Attempt<'_>, state: &State, verdict: &Verdict) -> bool;

    /// The classes of which one must win for the goal to be reached; `None` if it is not reached by a class.
    fn rivals(&self, _: &Attempt<'_>) -> Option<Vec<usize>> {
        None
    }

    /// Whether it is reached by a class, whatever its probability: then [`Goal::rivals`] says by which.
    fn is_a_label(&self) -> bool {
        false
    }

    /// How near an answer is to the goal; larger is nearer.
    fn score(&self, attempt: &Attempt<'_>, state: &State, verdict: &Verdict) -> f64;

    /// Whether only answers that are labels can reach it.
    fn wants_labels(&self) -> bool {
        false
    }

    /// Whether somebody has to say which label it goes for.
    fn wants_target(&self) -> bool {
        false
    }

    /// Whether the goal is reached by degrees, so that a search goes on after it is reached.
    fn goes_on(&self) -> bool {
        false
    }

    fn needs(&self) -> Vec<Resource> {
        Vec::new()
    }
}

/// Where candidates for a word come from.
pub trait Source: fmt::Debug + Send + Sync {
    /// What could replace a word of the text as it is now, the best first. What changes nothing is left out by the caller.
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change>;

    /// Whether what it offers for a word depends on the rest of the text as it is now.
    fn looks_around(&self) -> bool {
        false
    }

    /// The languages of the texts that it has candidates for; it is not asked about words of others.
    fn languages(&self, _: &AttackResources) -> &'static [Language] {
        &[Language::Any]
    }

    fn needs(&self) -> Vec<Resource> {
        Vec::new()
    }
}

/// What must hold between the original and a changed text.
pub trait Constraint: fmt::Debug + Send + Sync {
    /// Whether a word of the original may be changed at all.
    fn word(&self, _: &Attempt<'_>, _: usize) -> bool {
        true
    }

    /// Whether a changed text is allowed, compared with the original. With `changed` only that word is new since the last
    /// look; without, everything is looked at.
    fn text(&self, _: &Attempt<'_>, _: &State, _: Option<usize>) -> bool {
        true
    }

    /// The most words that may be changed.
    fn most(&self, _: &Attempt<'_>) -> usize {
        usize::MAX
    }

    /// Whether a word that was changed stays as it is from then on.
    fn once(&self) -> bool {
        false
    }

    /// Whether it looks at each changed word alone, or at their number: then a search over words can hold it as it goes.
    fn is_separable(&self) -> bool {
        true
    }

    fn needs(&self) -> Vec<Resource> {
        Vec::new()
    }
}

/// How candidates are put together.
pub trait Search: fmt::Debug + Send + Sync {
    /// Looks for a text that reaches the goal; what it finds, the attempt keeps. Ends at the first one.
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()>;

    /// Why it cannot look for a goal in what a model answers, and what can; `None` if it can. It is asked before the first text: texts
    /// that a search cannot handle would look like texts that withstand it.
    fn refuses(&self, _: &dyn Goal, _: &Target<'_>) -> Option<&'static str> {
        None
    }

    /// Whether it can look at samples of one text only.
    fn wants_one_text(&self) -> bool {
        false
    }

    /// Whether it proves that nothing reaches the goal where it can.
    fn proves(&self) -> bool {
        false
    }

    fn needs(&self) -> Vec<Resource> {
        Vec::new()
    }
}

// Words come from sources, and `Attack::knows` asks these about languages: a source may know more with a user's own table, which
// no card can say.
impl Part for dyn Goal {}
impl Part for dyn Source {}
impl Part for dyn Constraint {}
impl Part for dyn Search {}

/// Declares a part of an attack: its docs and its knobs, in one place. Its name is that of its module.
macro_rules! attack_part {
    ($Trait:ident; $(#[doc = $doc:literal])+ pub struct $Name:ident { $($knobs:tt)* }) => {
        fissure_core::knobs! {
            $(#[doc = $doc])+
            pub struct $Name { $($knobs)* }
        }

        pub(crate) static ENTRY: fissure_core::Entry<dyn $crate::$Trait> = fissure_core::Entry::new(
            fissure_core::Card::new(
                fissure_core::Kind::$Trait,
                fissure_core::last_segment(module_path!()),
                concat!($($doc, "\n"),+),
                file!(),
                line!(),
            ),
            <$Name as fissure_core::Knobs>::cards,
            |settings| {
                let name = fissure_core::last_segment(module_path!());
                let part = <$Name as fissure_core::Knobs>::with(name, settings)?;
                let values = fissure_core::Knobs::values(&part);
                Ok((Box::new(part), values))
            },
        );
    };
}
