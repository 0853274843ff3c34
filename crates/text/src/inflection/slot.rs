//! The forms that English words have, and the Penn tags that name them.

/// The kind of word a tag speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// `NN`, `NNS`, `NNP`, `NNPS`
    Noun,
    /// `VB`, `VBP`, `VBZ`, `VBD`, `VBN`, `VBG`
    Verb,
    /// `JJ`, `JJR`, `JJS`
    Adjective,
    /// `RB`, `RBR`, `RBS`
    Adverb,
}

/// An inflected form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Slot {
    /// `NNS`, `NNPS`
    Plural,
    /// `VBD`
    Past,
    /// `VBN`
    PastParticiple,
    /// `VBG`
    Ing,
    /// `VBZ`
    ThirdPerson,
    /// `VBP`: the base form of every verb but `be`.
    Present,
    /// `JJR`
    Comparative,
    /// `JJS`
    Superlative,
    /// `RBR`
    AdverbComparative,
    /// `RBS`
    AdverbSuperlative,
}

/// All slots; a slot's number is its place here.
pub const SLOTS: [Slot; 10] = [
    Slot::Plural,
    Slot::Past,
    Slot::PastParticiple,
    Slot::Ing,
    Slot::ThirdPerson,
    Slot::Present,
    Slot::Comparative,
    Slot::Superlative,
    Slot::AdverbComparative,
    Slot::AdverbSuperlative,
];

impl Slot {
    /// The Penn tag of the form.
    pub fn penn(self) -> &'static str {
        match self {
            Slot::Plural => "NNS",
            Slot::Past => "VBD",
            Slot::PastParticiple => "VBN",
            Slot::Ing => "VBG",
            Slot::ThirdPerson => "VBZ",
            Slot::Present => "VBP",
            Slot::Comparative => "JJR",
            Slot::Superlative => "JJS",
            Slot::AdverbComparative => "RBR",
            Slot::AdverbSuperlative => "RBS",
        }
    }

    /// The kind of word that has this form.
    pub fn kind(self) -> Kind {
        match self {
            Slot::Plural => Kind::Noun,
            Slot::Past | Slot::PastParticiple | Slot::Ing | Slot::ThirdPerson | Slot::Present => Kind::Verb,
            Slot::Comparative | Slot::Superlative => Kind::Adjective,
            Slot::AdverbComparative | Slot::AdverbSuperlative => Kind::Adverb,
        }
    }
}

impl Kind {
    /// The Penn tag of the base form.
    pub fn penn(self) -> &'static str {
        match self {
            Kind::Noun => "NN",
            Kind::Verb => "VB",
            Kind::Adjective => "JJ",
            Kind::Adverb => "RB",
        }
    }
}

/// What a Penn tag asks for: the kind of word, and the form, or none for the base form. Nothing for tags of words that
/// do not inflect.
pub fn of_penn(tag: &str) -> Option<(Kind, Option<Slot>)> {
    Some(match tag {
        "NN" | "NNP" => (Kind::Noun, None),
        "NNS" | "NNPS" => (Kind::Noun, Some(Slot::Plural)),
        "VB" => (Kind::Verb, None),
        "VBP" => (Kind::Verb, Some(Slot::Present)),
        "VBZ" => (Kind::Verb, Some(Slot::ThirdPerson)),
        "VBD" => (Kind::Verb, Some(Slot::Past)),
        "VBN" => (Kind::Verb, Some(Slot::PastParticiple)),
        "VBG" => (Kind::Verb, Some(Slot::Ing)),
        "JJ" => (Kind::Adjective, None),
        "JJR" => (Kind::Adjective, Some(Slot::Comparative)),
        "JJS" => (Kind::Adjective, Some(Slot::Superlative)),
        "RB" => (Kind::Adverb, None),
        "RBR" => (Kind::Adverb, Some(Slot::AdverbComparative)),
        "RBS" => (Kind::Adverb, Some(Slot::AdverbSuperlative)),
        _ => return None,
    })
}
