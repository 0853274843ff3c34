//! Reads the database files of WordNet (their form is described in the manual page wndb(5WN)).

use super::sources::{Sources, WORDNET};
use crate::Result;
use std::collections::HashMap;

/// The four kinds, in the order of the table, with the letter and the name that WordNet has for each.
pub const KINDS: [(char, &str); 4] = [('n', "noun"), ('v', "verb"), ('a', "adj"), ('r', "adv")];

pub struct Database {
    /// Nouns, verbs, adjectives, adverbs, each in the order of its file.
    pub synsets: Vec<Synset>,
    /// Where each kind ends.
    pub ends: [usize; 4],
    /// (kind, word as in the index) to its synsets, most frequent first.
    pub index: Vec<(usize, String, Vec<u32>)>,
    /// (word, kind, number of the sense from 1) to its count in tagged texts.
    pub counts: HashMap<(String, usize, usize), u16>,
}

pub struct Synset {
    pub topic: u8,
    /// As written, with spaces, without the marks of place of adjectives.
    pub words: Vec<String>,
    /// Sign, synset, place of the word here and there from 1; 0 is the whole synset.
    pub pointers: Vec<(String, u32, usize, usize)>,
    pub gloss: String,
}

pub fn read(sources: &Sources) -> Result<Database> {
    let mut numbers: HashMap<(char, &str), u32> = HashMap::new();
    let files: Vec<String> = KINDS
        .iter()
        .map(|(_, name)| sources.text(&WORDNET, &format!("usr/share/wordnet/data.{name}")))
        .collect::<Result<_>>()?;
    for (file, (kind, _)) in files.iter().zip(KINDS) {
        for line in lines(file) {
            let number = numbers.len() as u32;
            numbers.insert((kind, &line[..8]), number);
        }
    }
    let mut database = Database { synsets: Vec::new(), ends: [0; 4], index: Vec::new(), counts: HashMap::new() };
    for (at, file) in files.iter().enumerate() {
        for line in lines(file) {
            let synset =
                parse(line, &numbers).ok_or_else(|| format!("data.{} has a strange line: {line}", KINDS[at].1))?;
            database.synsets.push(synset);
        }
        database.ends[at] = database.synsets.len();
    }
    for (at, (kind, name)) in KINDS.iter().enumerate() {
        let index = sources.text(&WORDNET, &format!("usr/share/wordnet/index.{name}"))?;
        for line in lines(&index) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let count: usize = fields[2].parse()?;
            let synsets = fields[fields.len() - count..].iter().map(|offset| numbers[&(*kind, *offset)]).collect();
            database.index.push((at, fields[0].replace('_', " "), synsets));
        }
    }
    // lemma%type:file:id:head:id sense_number count; type 5 is an adjective too.
    for line in sources.text(&WORDNET, "usr/share/wordnet/cntlist.rev")?.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let ([key, sense, count], Some((lemma, rest))) = (&fields[..], fields[0].split_once('%')) else { continue };
        let kind = match rest.as_bytes().first() {
            Some(digit @ b'1'..=b'4') => usize::from(digit - b'1'),
            Some(b'5') => 2,
            _ => return Err(format!("cntlist.rev has a strange key: {key}").into()),
        };
        let count = count.parse::<u32>()?.min(u32::from(u16::MAX)) as u16;
        database.counts.insert((lemma.replace('_', " "), kind, sense.parse()?), count);
    }
    Ok(database)
}

/// The lines of a file without those of the licence at its head.
fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.starts_with(' '))
}

fn parse(line: &str, numbers: &HashMap<(char, &str), u32>) -> Option<Synset> {
    let (facts, gloss) = line.split_once(" | ")?;
    let mut fields = facts.split(' ').skip(1);
    let topic = fields.next()?.parse().ok()?;
    fields.next()?;
    let words = usize::from_str_radix(fields.next()?, 16).ok()?;
    let words = (0..words)
        .map(|_| {
            let word = fields.next()?;
            fields.next()?;
            Some(word.split('(').next()?.replace('_', " "))
        })
        .collect::<Option<_>>()?;
    let pointers = fields.next()?.parse().ok()?;
    let pointers = (0..pointers)
        .map(|_: usize| {
            let (sign, offset, kind, places) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            let kind = kind.chars().next()?;
            let number = *numbers.get(&(if kind == 's' { 'a' } else { kind }, offset))?;
            let place = |range| usize::from_str_radix(places.get(range)?, 16).ok();
            Some((sign.to_owned(), number, place(0..2)?, place(2..4)?))
        })
        .collect::<Option<_>>()?;
    Some(Synset { topic, words, pointers, gloss: gloss.trim().to_owned() })
}
