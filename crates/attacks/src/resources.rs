//! What an attack may need besides the model: encoders, language models, word vectors; and what stands in for them.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::Arc;

use fissure_core::{Resources, Sample, Span, counted};
use fissure_text::share_alike::INCLUDED;

use crate::{Change, Error, Result};

/// Something that a part of an attack needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Near words with distances; a built-in table stands in.
    Vectors,
    Encoder,
    MaskedModel,
    /// A language model that scores texts; the built-in n-gram model stands in.
    CausalModel,
    /// A model that answers with a text.
    TextModel,
    /// The inside of the model under attack.
    Gradients,
    /// The model under attack as a sum over features.
    Additive,
    /// The tables of tags and n-grams.
    Tables,
}

impl Resource {
    const ALL: [(&'static str, Self); 8] = [
        ("vectors", Self::Vectors),
        ("encoder", Self::Encoder),
        ("language-model", Self::MaskedModel),
        ("fluency", Self::CausalModel),
        ("text-model", Self::TextModel),
        ("gradients", Self::Gradients),
        ("additive", Self::Additive),
        ("tables", Self::Tables),
    ];
    pub const NAMES: [&'static str; 8] =
        ["vectors", "encoder", "language-model", "fluency", "text-model", "gradients", "additive", "tables"];

    pub fn find(name: &str) -> Result<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, resource)| *resource).ok_or_else(|| Error::unknown_resource(name))
    }

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, resource)| *resource == self).map_or("", |(name, _)| name)
    }

    /// What it is, in a sentence.
    pub fn what(self) -> &'static str {
        match self {
            Self::Vectors => "word vectors",
            Self::Encoder => "a sentence encoder",
            Self::MaskedModel => "a masked language model",
            Self::CausalModel => "a language model",
            Self::TextModel => "a model that answers with a text",
            Self::Gradients => "the gradients of a classifier on this machine",
            Self::Additive => "a fasttext model on this machine",
            Self::Tables => "the tables of tags and n-grams",
        }
    }

    /// What to do if it is missing.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Vectors => "give --vectors FILE or --synonyms FILE",
            Self::Encoder => "give --encoder DIR, or run without it with `--without encoder`",
            Self::MaskedModel => "give --language-model DIR",
            Self::CausalModel => "run without it with `--without fluency`",
            Self::TextModel => "give `--task mt`, and a model behind http(s):// or process: that answers with a text",
            Self::Gradients => {
                "give the directory of a classifier, or take an attack that only asks, such as pwws or deepwordbug"
            }
            Self::Additive => "give the directory of a fasttext model",
            Self::Tables => "build Fissure with the feature `share-alike`",
        }
    }
}

/// A table of words that may replace a word, from a user's file.
#[derive(Debug, Clone, Default)]
pub struct Synonyms(HashMap<Box<str>, Vec<Box<str>>>);

impl Synonyms {
    /// Reads a JSON object from word to words, or lines of a word and, behind a tab, its synonyms with commas between.
    pub fn read(mut file: impl BufRead) -> std::result::Result<Self, String> {
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| error.to_string())?;
        if text.trim_start().starts_with('{') {
            let table: HashMap<Box<str>, Vec<Box<str>>> =
                serde_json::from_str(&text).map_err(|error| error.to_string())?;
            return Ok(Self(table));
        }
        let mut table = HashMap::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let Some((word, others)) = line.split_once('\t') else {
                return Err(format!("line {} has no tab between a word and its synonyms", at + 1));
            };
            let others = others.split(',').map(str::trim).filter(|other| !other.is_empty()).map(Box::from);
            table.insert(word.trim().to_lowercase().into(), others.collect());
        }
        Ok(Self(table))
    }

    /// The words that may replace one in lower case, in the order of the file.
    pub fn of(&self, word: &str) -> &[Box<str>] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }
}

/// Candidates that a file gives for each sample by its id: they replace the sources of a recipe.
#[derive(Debug, Clone, Default)]
pub struct Given(HashMap<String, GivenText>);

/// The places of a sample in order, without overlap, and the line of the file that names them.
#[derive(Debug, Clone, Default)]
struct GivenText {
    line: usize,
    places: Vec<GivenPlace>,
}

/// A place of the first field, and what may stand there.
type GivenPlace = (Span, Vec<Box<str>>);

#[derive(serde::Deserialize)]
struct GivenLine {
    id: serde_json::Value,
    places: Vec<(usize, usize, Vec<Box<str>>)>,
}

impl Given {
    /// Reads JSON lines `{"id": ..., "places": [[start byte, end byte, [candidates]], ...]}` of the first field. A range may be a piece of a
    /// word or several words; candidates of the same range are put together, ranges that overlap are refused.
    pub fn read(file: impl BufRead) -> std::result::Result<Self, String> {
        let mut given: HashMap<String, GivenText> = HashMap::new();
        for (at, line) in file.lines().enumerate() {
            let line = line.map_err(|error| error.to_string())?;
            if line.trim().is_empty() {
                continue;
            }
            let bad = |why: String| format!("line {}: {why}", at + 1);
            let GivenLine { id, places } = serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?;
            let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            if let Some((start, end, _)) = places.iter().find(|(start, end, _)| start > end) {
                return Err(bad(format!("the range {start} to {end} of `{id}` ends before it begins")));
            }
            let mut read: Vec<GivenPlace> =
                places.into_iter().map(|(start, end, words)| (Span::new(start, end), words)).collect();
            read.sort_by_key(|(span, _)| *span);
            let mut places: Vec<GivenPlace> = Vec::with_capacity(read.len());
            for (span, words) in read {
                match places.last_mut() {
                    Some((last, known)) if *last == span => known.extend(words),
                    Some((last, _)) if span.start < last.end => {
                        return Err(bad(format!(
                            "the ranges {} to {} and {} to {} of `{id}` overlap",
                            last.start, last.end, span.start, span.end
                        )));
                    }
                    _ => places.push((span, words)),
                }
            }
            if let Some(known) = given.insert(id.clone(), GivenText { line: at + 1, places }) {
                return Err(bad(format!("`{id}` has candidates in line {} already", known.line)));
            }
        }
        Ok(Self(given))
    }

    /// Says what is wrong with the ranges of a sample, which only its text can show.
    pub fn check(&self, sample: &Sample) -> std::result::Result<(), String> {
        let (Some(given), Some(field)) = (self.0.get(&sample.id), sample.fields.first()) else { return Ok(()) };
        let text = field.text.as_str();
        for (span, _) in &given.places {
            let why = match () {
                () if span.end > text.len() => "is past the end of its text".to_owned(),
                () => match [span.start, span.end].into_iter().find(|at| !text.is_char_boundary(*at)) {
                    Some(at) => format!("cuts a character: byte {at} is inside one of its text"),
                    None => continue,
                },
            };
            return Err(format!(
                "line {}: the range {} to {} of `{}` {why}, `{}`, which has {}; ranges count the bytes of the text in UTF-8",
                given.line,
                span.start,
                span.end,
                sample.id,
                field.name,
                counted(text.len(), "byte"),
            ));
        }
        Ok(())
    }

    /// Whether there is anything for a sample.
    pub fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// A few of the ids, for messages.
    pub fn some_ids(&self) -> String {
        let mut ids: Vec<&str> = self.0.keys().map(String::as_str).collect();
        ids.sort_unstable();
        let shown: Vec<String> = ids.iter().take(3).map(|id| format!("`{id}`")).collect();
        if ids.len() > 3 { format!("{}, ...", shown.join(", ")) } else { shown.join(", ") }
    }

    /// The places of a sample, in order.
    pub fn of(&self, id: &str) -> &[GivenPlace] {
        self.0.get(id).map_or(&[], |given| &given.places)
    }
}

/// What is there for an attack.
#[derive(Debug, Clone, Default)]
pub struct AttackResources {
    pub for_parts: Resources,
    pub synonyms: Option<Arc<Synonyms>>,
    pub given: Option<Arc<Given>>,
    /// Whether the inside of the model can be seen, and whether it is a sum over features.
    pub gradients: bool,
    pub additive: bool,
    /// Whether the model answers with texts.
    pub texts: bool,
}

impl AttackResources {
    pub fn have(&self, need: Resource) -> bool {
        match need {
            Resource::Vectors => true,
            Resource::Encoder => self.for_parts.similarity.is_some(),
            Resource::MaskedModel => self.for_parts.masked_lm.is_some(),
            Resource::CausalModel | Resource::Tables => INCLUDED,
            Resource::TextModel => self.texts,
            Resource::Gradients => self.gradients,
            Resource::Additive => self.additive,
        }
    }

    /// What was used for a need, for reports; `None` if there is nothing to say.
    pub fn used(&self, need: Resource) -> Option<&'static str> {
        match need {
            Resource::Vectors if self.given.is_some() => Some("candidates: --candidates"),
            Resource::Vectors if self.synonyms.is_some() => Some("near words: --synonyms"),
            Resource::Vectors if self.for_parts.neighbours.is_some() => Some("near words: --vectors"),
            Resource::Vectors => Some(
                "near words: built-in GloVe table, 10 a word, without antonyms (stands in for counter-fitted vectors)",
            ),
            Resource::Encoder => Some("encoder: --encoder"),
            Resource::CausalModel => Some("fluency: built-in trigram model (stands in for a neural language model)"),
            Resource::MaskedModel => Some("masked language model: --language-model"),
            _ => None,
        }
    }

    /// The near words of a lower-case word, the nearest first, with their cosine if it is known.
    pub(crate) fn near(&self, word: &str, mut see: impl FnMut(&str, Option<f64>)) {
        if let Some(synonyms) = &self.synonyms {
            return synonyms.of(word).iter().for_each(|near| see(near, None));
        }
        match &self.for_parts.neighbours {
            Some(vectors) => vectors.of(word).iter().for_each(|(near, like)| see(near, Some((*like).into()))),
            None => fissure_text::neighbours::of(word).for_each(|(near, like)| see(near, Some(like.into()))),
        }
    }

    /// The cosine of two lower-case words; `None` if no table says it.
    pub(crate) fn cosine(&self, one: &str, other: &str) -> Option<f64> {
        let mut found = (one == other).then_some(1.0);
        for (from, to) in [(one, other), (other, one)] {
            if found.is_none() {
                self.near(from, |near, like| {
                    if near == to {
                        found = like;
                    }
                });
            }
        }
        found
    }
}

/// A word put in place of another, cased like it.
pub(crate) fn follow(old: &str, new: &str) -> Change {
    Change::new(&*fissure_text::casing::follow(old, new))
}
