//! `english_3gram.bin` and `chinese_3gram.bin`: small language models of English words and of Chinese characters.

use super::sources::{COW_WORDS, EWT, GSD_TEXT, SOTU, Sources};
use super::{Table, wordnet_files};
use crate::Result;
use fissure_text::ngrams::{Trainer, chinese_tokens, english_token};

pub const TABLE: Table = Table {
    name: "english_3gram",
    ending: "bin",
    what: "n-gram language model of English, order 3, interpolated modified Kneser-Ney",
    licence: "CC BY-SA 4.0 (for the part from UD English EWT); the rest WordNet 3.0 and public domain",
    made: "trained on UD English EWT (train), WordNet's definitions and examples, and the State of the Union addresses from 1930 on; words met twice \
           at least, single trigrams pruned, logarithms rounded to 1/16",
    build,
};

pub const CHINESE: Table = Table {
    name: "chinese_3gram",
    ending: "bin",
    what: "n-gram language model of Chinese characters, order 3, interpolated modified Kneser-Ney",
    licence: "CC BY-SA 4.0 (for the part from UD Chinese GSD); the rest as WordNet",
    made: "trained on the characters of UD Chinese GSD (train, simplified) and of the words of the Chinese Open Wordnet; \
           characters met twice at least, single trigrams pruned, logarithms rounded to 1/16",
    build: build_chinese,
};

/// The years of the addresses whose English is of our time.
const MODERN: std::ops::Range<u32> = 1930..2100;

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let mut trainer = Trainer::new(3);
    let mut add = |tokens: Vec<String>| trainer.add(tokens.iter().map(|token| english_token(token)));
    treebank(sources, &mut add)?;
    for synset in wordnet_files::read(sources)?.synsets {
        // A definition, then examples in quotation marks.
        let mut parts = synset.gloss.split('"');
        let definition = parts.next().unwrap_or_default().trim_end_matches([';', ' ']);
        add(tokens(definition));
        parts.step_by(2).for_each(|example| add(tokens(example)));
    }
    for file in sources.files(&SOTU, "data", "txt")? {
        if file.get(..4).and_then(|year| year.parse().ok()).is_some_and(|year| MODERN.contains(&year)) {
            let text = sources.text(&SOTU, &format!("data/{file}"))?;
            text.lines().flat_map(sentences).for_each(|sentence| add(tokens(sentence)));
        }
    }
    let model = trainer.finish(2, &[1, 2]);
    println!("n-grams by order: {:?}", model.sizes());
    Ok(model.pack())
}

fn build_chinese(sources: &Sources) -> Result<Vec<u8>> {
    let mut trainer = Trainer::new(3);
    let text = sources.gzipped_text(&GSD_TEXT, "zh_gsd-simplified-train-ud1.conll.gz")?;
    for block in text.split("\n\n") {
        let words = block.lines().filter_map(|line| line.split('\t').nth(1));
        trainer.add(chinese_tokens(&words.collect::<String>()));
    }
    for line in sources.text(&COW_WORDS, "wn-data-cmn.tab")?.lines() {
        // Adjectives are listed with the particle that follows them.
        if let Some(word) = line.split('\t').nth(2) {
            trainer.add(chinese_tokens(&word.replace("+的", "")));
        }
    }
    let model = trainer.finish(2, &[1, 2]);
    println!("n-grams by order: {:?}", model.sizes());
    Ok(model.pack())
}

fn treebank(sources: &Sources, add: &mut impl FnMut(Vec<String>)) -> Result<()> {
    let text = sources.gzipped_text(&EWT, "en_ewt-ud-train.conllu.gz")?;
    for block in text.split("\n\n") {
        let columns = block.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let words = columns.filter(|columns| columns.len() == 10 && columns[0].parse::<u32>().is_ok());
        add(words.map(|columns| columns[1].to_owned()).collect());
    }
    Ok(())
}

/// Sentences of plain prose: they end in a full stop and the like before a space and a capital.
fn sentences(paragraph: &str) -> impl Iterator<Item = &str> {
    let mut rest = paragraph.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ends = rest.match_indices(['.', '?', '!']).map(|(at, _)| at + 1);
        let end = ends.into_iter().find(|end| {
            let word = rest[..end - 1].rsplit(' ').next().unwrap_or_default();
            let mut next = rest[*end..].chars();
            let short = matches!(word, "Mr" | "Mrs" | "Dr" | "St" | "U.S" | "U.N" | "No") || word.len() < 2;
            next.next() == Some(' ') && next.next().is_some_and(char::is_uppercase) && !short
        });
        let (sentence, left) = rest.split_at(end.unwrap_or(rest.len()));
        rest = left.trim_start();
        Some(sentence)
    })
}

/// Tokens as treebanks cut them, near enough for counting: punctuation, hyphens and clitics stand alone.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let text =
        text.replace(['`', '\u{2018}', '\u{2019}'], "'").replace(['\u{201c}', '\u{201d}'], "\"").replace("--", " -- ");
    for chunk in text.split_whitespace() {
        let mut rest = chunk;
        while let Some(first) =
            rest.chars().next().filter(|first| !first.is_alphanumeric() && !matches!(first, '\'' | '$'))
        {
            tokens.push(first.to_string());
            rest = &rest[first.len_utf8()..];
        }
        let body_end = rest.trim_end_matches(|last: char| !last.is_alphanumeric()).len();
        let (body, tail) = rest.split_at(body_end);
        for (at, piece) in body.split('-').enumerate() {
            if at > 0 {
                tokens.push("-".to_owned());
            }
            clitics(piece, &mut tokens);
        }
        tokens.extend(tail.chars().map(String::from));
    }
    tokens
}

fn clitics(word: &str, tokens: &mut Vec<String>) {
    let lower = word.to_lowercase();
    let cut = ["n't", "'s", "'re", "'ve", "'ll", "'d", "'m"]
        .iter()
        .find(|clitic| lower.ends_with(**clitic) && lower.len() > clitic.len());
    let (stem, clitic) = word.split_at(word.len() - cut.map_or(0, |clitic| clitic.len()));
    tokens.extend([stem, clitic].into_iter().filter(|piece| !piece.is_empty()).map(str::to_owned));
}
