//! Knobs: the settings of a part, checked once at the door and trusted from then on.

use std::fmt::Write as _;

use crate::{Error, Result, nearest};

/// Settings as the user wrote them: `(knob, value)`.
pub type Settings = [(String, String)];

/// What the catalog knows of a knob.
#[derive(Debug, Clone, PartialEq)]
pub struct KnobCard {
    pub name: &'static str,
    pub docs: &'static str,
    pub shape: Shape,
    /// The default, written as a user would write it.
    pub default: String,
}

/// Which values a knob takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Flag,
    Count { least: usize, most: usize },
    Number { least: f64, most: f64 },
    Choice(&'static [&'static str]),
    Text,
}

/// A type that can be a knob.
pub trait Knob: Sized {
    /// What the declaration may say about the values allowed: a range for numbers, nothing for the others.
    type Limits;

    fn shape(limits: Option<Self::Limits>) -> Shape;
    fn read(value: &str) -> Option<Self>;
    fn show(&self) -> String;
}

/// A struct whose fields are knobs. Made by [`knobs!`](crate::knobs), never by hand.
pub trait Knobs: Default {
    fn cards() -> Vec<KnobCard>;

    /// Puts `value` into the knob called `name`; false if there is no such knob or the value does not fit its type.
    fn put(&mut self, name: &str, value: &str) -> bool;

    /// `(name, value)` of every knob, as set.
    fn values(&self) -> Vec<(&'static str, String)>;

    /// The defaults with `settings` put in, each checked against its knob.
    fn with(part: &str, settings: &Settings) -> Result<Self> {
        Self::default().set(part, settings)
    }

    /// These knobs with `settings` put in, each checked against its knob.
    fn set(self, part: &str, settings: &Settings) -> Result<Self> {
        let mut built = self;
        let cards = Self::cards();
        for (name, value) in settings {
            let Some(card) = cards.iter().find(|card| card.name == name) else {
                return Err(Error::unknown_knob(part, name, cards.iter().map(|card| card.name)));
            };
            if !card.shape.allows(value) || !built.put(name, value) {
                return Err(Error::KnobValue {
                    part: part.into(),
                    knob: card.name,
                    value: value.clone(),
                    wanted: card.shape.describe(),
                });
            }
        }
        Ok(built)
    }
}

impl Shape {
    /// Whether a user may write `value`.
    pub fn allows(&self, value: &str) -> bool {
        match self {
            Self::Flag => bool::read(value).is_some(),
            Self::Count { least, most } => usize::read(value).is_some_and(|n| (*least..=*most).contains(&n)),
            Self::Number { least, most } => f64::read(value).is_some_and(|x| (*least..=*most).contains(&x)),
            Self::Choice(names) => names.contains(&value),
            Self::Text => true,
        }
    }

    /// In words: "a number from 0 to 1".
    pub fn describe(&self) -> String {
        match self {
            Self::Flag => "true or false".into(),
            Self::Count { least, most: usize::MAX } => format!("a whole number, {least} or more"),
            Self::Count { least, most } => format!("a whole number from {least} to {most}"),
            Self::Number { least, most } if most.is_infinite() => format!("a number, {least} or more"),
            Self::Number { least, most } => format!("a number from {least} to {most}"),
            Self::Choice(names) => {
                let mut words = String::from("one of ");
                for (at, name) in names.iter().enumerate() {
                    let _ = write!(words, "{}`{name}`", if at == 0 { "" } else { ", " });
                }
                words
            }
            Self::Text => "a text".into(),
        }
    }
}

impl Knob for bool {
    type Limits = ();

    fn shape(_: Option<()>) -> Shape {
        Shape::Flag
    }

    fn read(value: &str) -> Option<Self> {
        value.parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Knob for usize {
    type Limits = std::ops::RangeInclusive<Self>;

    fn shape(limits: Option<Self::Limits>) -> Shape {
        let (least, most) = limits.map_or((0, Self::MAX), std::ops::RangeInclusive::into_inner);
        Shape::Count { least, most }
    }

    /// `unlimited` is the largest number there is.
    fn read(value: &str) -> Option<Self> {
        if value == "unlimited" { Some(Self::MAX) } else { value.parse().ok() }
    }

    fn show(&self) -> String {
        if *self == Self::MAX { "unlimited".into() } else { self.to_string() }
    }
}

impl Knob for f64 {
    type Limits = std::ops::RangeInclusive<Self>;

    fn shape(limits: Option<Self::Limits>) -> Shape {
        let (least, most) = limits.map_or((f64::MIN, f64::INFINITY), std::ops::RangeInclusive::into_inner);
        Shape::Number { least, most }
    }

    fn read(value: &str) -> Option<Self> {
        value.parse().ok().filter(|x: &Self| x.is_finite())
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Knob for String {
    type Limits = ();

    fn shape(_: Option<()>) -> Shape {
        Shape::Text
    }

    fn read(value: &str) -> Option<Self> {
        Some(value.into())
    }

    fn show(&self) -> String {
        self.clone()
    }
}

/// A fixed set of named choices. Made by [`choices!`](crate::choices).
pub trait Choice: Copy + 'static {
    const ALL: &'static [(&'static str, Self)];
    const NAMES: &'static [&'static str];

    fn name(self) -> &'static str;
}

/// The end of a sentence about an unknown name: a few like it, most alike first, or a full stop.
pub(crate) fn suggestions(name: &str, among: impl Iterator<Item = &'static str>) -> String {
    match nearest(name, among).as_slice() {
        [] => ".".into(),
        [one] => format!("; did you mean `{one}`?"),
        many => format!("; did you mean one of `{}`?", many.join("`, `")),
    }
}

/// Declares an enum that can be a knob: `choices! { /// Docs. pub enum Layout { Qwerty = "qwerty", ... } }`.
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident { $( $(#[$vmeta:meta])* $Variant:ident = $text:literal ),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $Name { $( $(#[$vmeta])* $Variant, )+ }

        impl $crate::Choice for $Name {
            const ALL: &'static [(&'static str, Self)] = &[ $( ($text, Self::$Variant), )+ ];
            const NAMES: &'static [&'static str] = &[ $( $text, )+ ];

            fn name(self) -> &'static str {
                match self { $( Self::$Variant => $text, )+ }
            }
        }

        impl $crate::Knob for $Name {
            type Limits = ();

            fn shape(_: Option<()>) -> $crate::Shape {
                $crate::Shape::Choice(<Self as $crate::Choice>::NAMES)
            }

            fn read(value: &str) -> Option<Self> {
                <Self as $crate::Choice>::ALL.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice)
            }

            fn show(&self) -> String {
                $crate::Choice::name(*self).into()
            }
        }
    };
}

/// Declares a struct of knobs: docs, types, defaults and limits in one place.
///
/// ```
/// fissure_core::knobs! {
///     /// How to shout.
///     pub struct Shout {
///         /// Share of the words to shout.
///         rate: f64 = 0.5, in 0.0..=1.0;
///         /// What to put at the end.
///         end: String = "!".into();
///     }
/// }
/// # use fissure_core::Knobs;
/// let shout = Shout::with("shout", &[("rate".into(), "1".into())]).unwrap();
/// assert_eq!(shout.rate, 1.0);
/// let error = Shout::with("shout", &[("rote".into(), "1".into())]).unwrap_err();
/// assert!(error.to_string().contains("did you mean `rate`?"));
/// ```
///
/// A first line `..Amount { .. }` takes in the knobs of [`Amount`](crate::Amount) as a field `amount`.
#[macro_export]
macro_rules! knobs {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $( ..$amount:expr; )?
            $( $(#[doc = $doc:literal])+ $knob:ident : $ty:ty = $default:expr $(, in $limits:expr)?; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $vis struct $Name {
            $(
                #[doc = concat!("How many words to touch; ", stringify!($amount), " unless set.")]
                pub amount: $crate::Amount,
            )?
            $( $(#[doc = $doc])+ pub $knob: $ty, )*
        }

        impl Default for $Name {
            fn default() -> Self {
                Self { $( amount: $amount, )? $( $knob: $default, )* }
            }
        }

        impl $crate::Knobs for $Name {
            #[allow(unused_mut, clippy::vec_init_then_push)]
            fn cards() -> Vec<$crate::KnobCard> {
                let mut cards: Vec<$crate::KnobCard> = Vec::new();
                $( cards.extend($crate::Amount::cards_with(&$amount)); )?
                $(
                    cards.push($crate::KnobCard {
                        name: stringify!($knob),
                        docs: concat!($($doc, "\n"),+).trim_ascii(),
                        shape: <$ty as $crate::Knob>::shape($crate::knobs!(@limits $($limits)?)),
                        default: <$ty as $crate::Knob>::show(&$default),
                    });
                )*
                cards
            }

            #[allow(unused_variables)]
            fn put(&mut self, name: &str, value: &str) -> bool {
                $( { let _ = stringify!($amount); } if $crate::Knobs::put(&mut self.amount, name, value) { return true; } )?
                match name {
                    $( stringify!($knob) => match <$ty as $crate::Knob>::read(value) {
                        Some(read) => { self.$knob = read; true }
                        None => false,
                    }, )*
                    _ => false,
                }
            }

            #[allow(unused_mut, clippy::vec_init_then_push)]
            fn values(&self) -> Vec<(&'static str, String)> {
                let mut values: Vec<(&'static str, String)> = Vec::new();
                $( { let _ = stringify!($amount); } values.extend($crate::Knobs::values(&self.amount)); )?
                $( values.push((stringify!($knob), $crate::Knob::show(&self.$knob))); )*
                values
            }
        }
    };
    (@limits) => { None };
    (@limits $limits:expr) => { Some($limits) };
}
