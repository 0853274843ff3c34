//! The trained weights of the taggers, inflated when they are first needed and kept for the life of the program.

use std::sync::OnceLock;

use crate::perceptron::Weights;
use crate::share_alike;

/// A file of weights that is part of the program.
macro_rules! weights {
    ($(#[$attribute:meta])* $name:ident, $file:literal) => {
        $(#[$attribute])*
        pub fn $name() -> &'static Weights {
            static LOADED: OnceLock<Weights> = OnceLock::new();
            share_alike::used();
            #[cfg(feature = "share-alike")]
            return LOADED.get_or_init(|| {
                let bytes = include_bytes!(concat!("../../../lexicons/", $file));
                Weights::decode(bytes).expect("the weights in the program are the ones that a test has read")
            });
            #[cfg(not(feature = "share-alike"))]
            LOADED.get_or_init(|| Weights::new(Vec::new(), 5, []))
        }
    };
}

weights!(
    /// Where sentences end.
    sentences,
    "sentences.weights"
);

weights!(
    /// Parts of speech.
    tags,
    "tags.weights"
);

weights!(
    /// Moves of the parser.
    parse,
    "parse.weights"
);

weights!(
    /// Persons, places and organisations.
    entities,
    "entities.weights"
);

#[cfg(test)]
mod tests {
    #[test]
    fn the_weights_in_the_program_can_be_read() {
        for weights in [super::sentences(), super::tags(), super::parse(), super::entities()] {
            assert!(weights.labels.len() > 1);
        }
    }
}
