//! `sentiment.bin`: the network that hears whether a text approves or disapproves, trained on labelled texts.

mod examples;
mod network;

use std::collections::HashMap;

use super::sources::{CAD, IMDB, SST, Sources, YELP};
use super::{Table, glove};
use crate::Result;

pub const TABLE: Table = Table {
    name: "sentiment",
    ending: "bin",
    what: "a small convolutional network that hears whether a text approves or disapproves: word vectors, filters over one to three words, weights",
    licence: "MIT OR Apache-2.0 (weights only; the texts were published for research); vectors from GloVe, PDDL-1.0",
    made: "trained on the phrases of SST-2 train, sentences of IMDb train and Yelp dev with the label of their review, softened, and the sentences that \
           differ between the reviews of CAD train and their revisions (those that do not differ count as undecided); vectors start from GloVe 6B 50d; \
           the mean of the weights from the second pass on, in bytes; right on 82 of 100 sentences of SST-2 dev and 93 of 100 reviews of Yelp test \
           that do not have three stars",
    build,
};

/// Bytes of the table of opposites: its words are in the vocabulary whether or not the texts have them.
const OPPOSITES: &str = include_str!("../../../../lexicons/opposites.txt");

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let mut draw = examples::Draw::new();
    let mut all = examples::phrases(&sources.text(&SST, "train.tsv")?);
    all.extend(examples::stars(&sources.text(&YELP, "dev.csv")?, &mut draw));
    for line in sources.gzipped_text(&IMDB, "train.jsonl.gz")?.lines() {
        let review: serde_json::Value = serde_json::from_str(line)?;
        let text = review["text"].as_str().ok_or("a review of IMDb has no text")?;
        all.extend(examples::review(text, review["label"] == 1, &mut draw));
    }
    all.extend(examples::revisions(&sources.text(&CAD, "sentiment/train_paired.tsv")?));
    println!("{} examples", all.len());
    let words = glove::words(sources)?;
    let vectors = glove::vectors(sources, words.len())?;
    let places: HashMap<&str, usize> = words.iter().enumerate().map(|(at, word)| (word.as_str(), at)).collect();
    let vector = |word: &str| {
        let at = *places.get(word)?;
        Some(&vectors[at * glove::DIMENSIONS..(at + 1) * glove::DIMENSIONS])
    };
    Ok(network::train(&all, vector, &examples::listed(OPPOSITES)))
}
