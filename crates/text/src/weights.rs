//! The trained weights of the taggers, inflated when they are first needed and kept for the life of the program.

use std::sync::OnceLock;

use crate::parse::Network;
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

/// Moves of the parser.
pub fn parse() -> &'static Network {
    static LOADED: OnceLock<Network> = OnceLock::new();
    share_alike::used();
    #[cfg(feature = "share-alike")]
    return LOADED.get_or_init(|| {
        let bytes = include_bytes!("../../../lexicons/parse.weights");
        Network::decode(bytes).expect("the weights in the program are the ones that a test has read")
    });
    #[cfg(not(feature = "share-alike"))]
    LOADED.get_or_init(Network::empty)
}

weights!(
    /// Persons, places and organisations.
    entities,
    "entities.weights"
);

/// Weights that are part of the program if it has the feature `chinese` as well. Without them the segmenter and the tagger
/// go by the dictionary alone, so nobody misses them.
macro_rules! chinese_weights {
    ($(#[$attribute:meta])* $name:ident, $file:literal) => {
        $(#[$attribute])*
        pub fn $name() -> &'static Weights {
            static LOADED: OnceLock<Weights> = OnceLock::new();
            #[cfg(all(feature = "share-alike", feature = "chinese"))]
            return LOADED.get_or_init(|| {
                let bytes = include_bytes!(concat!("../../../lexicons/", $file));
                Weights::decode(bytes).unwrap_or_else(|_| Weights::new(Vec::new(), 5, []))
            });
            #[cfg(not(all(feature = "share-alike", feature = "chinese")))]
            LOADED.get_or_init(|| Weights::new(Vec::new(), 5, []))
        }
    };
}

chinese_weights!(
    /// Where Chinese words begin and end.
    chinese_segments,
    "chinese_segments.weights"
);

chinese_weights!(
    /// Parts of speech of Chinese words.
    chinese_tags,
    "chinese_tags.weights"
);

#[cfg(test)]
mod tests {
    #[test]
    fn the_weights_in_the_program_can_be_read() {
        for weights in [super::sentences(), super::tags(), super::entities()] {
            assert!(weights.labels.len() > 1);
        }
        assert!(super::parse().keys.all().len() > 1000);
    }
}
