//! Groups of settings, each of which may be left out.

use std::collections::BTreeMap;

/// A setting, or a group of settings, that may be left out.
pub trait Setting {
    /// Whether nothing was said.
    fn is_unset(&self) -> bool;

    /// This, with everything that `wins` says in its place.
    #[must_use]
    fn overruled_by(self, wins: Self) -> Self;
}

impl<T> Setting for Option<T> {
    fn is_unset(&self) -> bool {
        self.is_none()
    }

    fn overruled_by(self, wins: Self) -> Self {
        wins.or(self)
    }
}

impl<T> Setting for Vec<T> {
    fn is_unset(&self) -> bool {
        self.is_empty()
    }

    fn overruled_by(self, wins: Self) -> Self {
        if wins.is_empty() { self } else { wins }
    }
}

/// Tables are merged key by key, so that a flag can overrule one knob of a file and leave the others.
impl<T: Setting + Default> Setting for BTreeMap<String, T> {
    fn is_unset(&self) -> bool {
        self.is_empty()
    }

    fn overruled_by(mut self, wins: Self) -> Self {
        for (key, value) in wins {
            let ours = self.remove(&key).unwrap_or_default();
            self.insert(key, ours.overruled_by(value));
        }
        self
    }
}

/// Defines a group of settings: a struct that clap reads from flags and serde from files. What was left out is not written.
macro_rules! settings {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, clap::Args)]
        $(#[$meta])*
        #[serde(default)]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "crate::Setting::is_unset")]
                pub $field: $type,
            )*
        }

        impl crate::Setting for $name {
            fn is_unset(&self) -> bool {
                true $(&& self.$field.is_unset())*
            }

            fn overruled_by(self, wins: Self) -> Self {
                Self { $($field: self.$field.overruled_by(wins.$field),)* }
            }
        }
    };
}
pub(crate) use settings;
