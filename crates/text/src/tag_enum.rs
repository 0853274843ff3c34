//! A closed set of names, such as the tags of a tag set: one byte each, with the name as it is written in treebanks.

/// Defines an enum of unit variants with their written names, and the ways between them.
macro_rules! tag_enum {
    ($(#[$attribute:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $written:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$note])* $variant,)+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name as treebanks write it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $written,)+
                }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($written => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// Its place in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

pub(crate) use tag_enum;
