//! A translator on disk: one compact file with a version and checksums.

use std::fs;
use std::path::Path;

use fissure_text::lexicon::{LexiconError, Reader, Writer};
use fissure_text::ngrams::Model;

use crate::decode::Decoder;
use crate::extract::LONGEST;
use crate::table::{Rendering, Table};
use crate::{Error, Phrases, Result};

/// The first bytes of the file; the number is that of the format.
const MAGIC: &[u8] = b"fissure phrases 1\n";
/// How many steps of the stored logarithms make 1. Scores are rounded when they are learned, so that nothing changes here.
pub const STEPS: f32 = 1024.0;

impl Phrases {
    /// Writes the file that [`Phrases::open`] reads.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes();
        fs::write(path, bytes).map_err(|source| Error::Io { action: "write", path: path.to_owned(), source })
    }

    /// The content of that file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(self.decoders.len() as u64);
        for (label, decoder) in &self.decoders {
            writer.bytes(label.as_bytes());
            writer.words(&decoder.words);
            writer.bytes(&decoder.language.pack());
            writer.number(decoder.table.iter().count() as u64);
            for (source, renderings) in decoder.table.iter() {
                writer.numbers(source.iter().map(|word| u64::from(*word)));
                writer.number(renderings.len() as u64);
                for Rendering { target, scores } in renderings {
                    writer.numbers(target.iter().map(|word| u64::from(*word)));
                    scores.iter().for_each(|score| writer.number((-score * STEPS).round() as u64));
                }
            }
        }
        [MAGIC, &writer.finish()].concat()
    }

    /// Reads what [`Phrases::save`] wrote.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(|source| Error::Io { action: "read", path: path.to_owned(), source })?;
        let Some(packed) = bytes.strip_prefix(MAGIC) else { return Err(Error::NotPhrases { path: path.to_owned() }) };
        let mut phrases = read(packed).map_err(|error| {
            let why = match error {
                LexiconError::Compression(why) => why,
                LexiconError::Magic(_) => "it starts with something else".into(),
                LexiconError::Damaged { at, what } => format!("at byte {at}: {what}"),
            };
            Error::Damaged { path: path.to_owned(), why }
        })?;
        phrases.place = Some(path.to_owned());
        Ok(phrases)
    }
}

fn read(packed: &[u8]) -> std::result::Result<Phrases, LexiconError> {
    let mut reader = Reader::new(packed)?;
    let mut phrases = Phrases { decoders: Default::default(), place: None };
    for _ in 0..reader.count()? {
        let label = String::from_utf8(reader.bytes()?.to_vec()).map_err(|_| reader.damaged("a label is not UTF-8"))?;
        let words: Vec<String> = reader.words()?.iter().map(str::to_owned).collect();
        if !words.is_sorted() {
            return Err(reader.damaged("the words are not sorted"));
        }
        let language = Model::read(reader.bytes()?)?;
        let mut table = Table::default();
        let mut before: Vec<u32> = Vec::new();
        for _ in 0..reader.count()? {
            let source = reader.numbers()?;
            if source <= before || source.len() > LONGEST {
                return Err(reader.damaged("the phrases are not in order"));
            }
            for _ in 0..reader.count()? {
                let target = reader.numbers()?;
                let mut scores = [0.0; 4];
                for score in &mut scores {
                    *score = -(reader.number32()? as f32) / STEPS;
                }
                table.push(source.clone(), Rendering { target, scores });
            }
            before = source;
        }
        phrases.decoders.insert(label, Decoder::new(words, table, language));
    }
    reader.finish()?;
    Ok(phrases)
}
