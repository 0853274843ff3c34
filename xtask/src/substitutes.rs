//! `cargo xtask substitutes pool TEXTS...` lists the commonest words of real texts with what might replace them, for
//! review. Each file has one text a line; its name is the name of the set.
//!
//! `cargo xtask substitutes fit` fits the weights of the score for pairs that were not reviewed on the reviewed ones, and
//! prints how well it separates them on words that it was not fitted on.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use fissure_text::inflection::{Kind, slot};
use fissure_text::substitutes::pool::{self, Source};
use fissure_text::substitutes::score::{self, FACTS};
use fissure_text::{Analysis, TokenKind, Upos, analyse};
use rayon::prelude::*;

use crate::Result;

pub fn run(arguments: &[String]) -> Result<()> {
    match arguments {
        [pool, files @ ..] if pool == "pool" && !files.is_empty() => list_pool(files),
        [fit] if fit == "fit" => fit_score(),
        _ => Err("usage: cargo xtask substitutes pool TEXTS... | fit".into()),
    }
}

/// A word as it is met in the texts.
#[derive(Default)]
struct Met {
    /// By set: how often.
    counts: Vec<usize>,
    /// By set: the first contexts.
    contexts: Vec<Vec<String>>,
}

type Pool = HashMap<(String, Kind), Met>;

fn list_pool(files: &[String]) -> Result<()> {
    let mut words: Pool = HashMap::new();
    let mut sizes = vec![0; files.len()];
    let mut names = Vec::new();
    for (set, file) in files.iter().enumerate() {
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
        names.push(Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default());
        let lines: Vec<&str> = text.lines().collect();
        let met: Vec<Vec<(String, Kind, String)>> = lines.par_iter().map(|line| content_words(line)).collect();
        for (lemma, kind, context) in met.into_iter().flatten() {
            sizes[set] += 1;
            let word = words.entry((lemma, kind)).or_default();
            word.counts.resize(files.len(), 0);
            word.contexts.resize(files.len(), Vec::new());
            word.counts[set] += 1;
            if word.contexts[set].len() < 3 {
                word.contexts[set].push(context);
            }
        }
    }
    let mut rows: Vec<(f64, String, Kind, Met)> = words
        .into_iter()
        .map(|((lemma, kind), met)| {
            let share = |(count, size): (&usize, &usize)| *count as f64 / (*size).max(1) as f64;
            let weight = met.counts.iter().zip(&sizes).map(share).sum::<f64>() / files.len() as f64;
            (weight * 1e6, lemma, kind, met)
        })
        .collect();
    rows.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut out = String::new();
    for (weight, lemma, kind, met) in rows.iter().filter(|row| row.0 >= 5.0) {
        let candidates = pool::candidates(lemma, *kind);
        if candidates.is_empty() {
            continue;
        }
        let source = |source| match source {
            Source::Sense(rank) => format!("w{}", rank + 1),
            Source::Similar => "s".into(),
            Source::Near => "n".into(),
        };
        let listed: Vec<String> =
            candidates.iter().map(|candidate| format!("{}:{}", candidate.lemma, source(candidate.source))).collect();
        let counts: Vec<String> =
            names.iter().zip(&met.counts).map(|(name, count)| format!("{name}={count}")).collect();
        write!(out, "{lemma}\t{}\t{weight:.0}\t{}\t{}", kind.penn(), counts.join(" "), listed.join(" "))?;
        // One context of each set in turn, at most four.
        let mut shown = 0;
        for turn in 0..3 {
            for contexts in &met.contexts {
                if let Some(context) = contexts.get(turn).filter(|_| shown < 4) {
                    write!(out, "\t{context}")?;
                    shown += 1;
                }
            }
        }
        out.push('\n');
    }
    print!("{out}");
    Ok(())
}

/// The plain content words of a text outside set phrases, each with its kind and the words around it.
fn content_words(text: &str) -> Vec<(String, Kind, String)> {
    let analysis = analyse(text);
    let mut found = Vec::new();
    for (at, tag) in analysis.tags().iter().enumerate() {
        let Some((kind, _)) = slot::of_penn(tag.penn.as_str()).filter(|_| tag.upos != Upos::Aux) else { continue };
        let plain = is_plain(&analysis, at) && !tag.penn.as_str().starts_with("NNP");
        if plain && !analysis.in_phrase(at) {
            found.push((analysis.lemmas()[at].to_string(), kind, context(&analysis, at)));
        }
    }
    found
}

fn is_plain(analysis: &Analysis, at: usize) -> bool {
    let token = &analysis.tokens()[at];
    let word = analysis.word(at).as_bytes();
    let text = analysis.text().as_bytes();
    let joins = |byte: Option<&u8>| byte.is_some_and(|byte| b"-/\\@#&_=*+~".contains(byte) || *byte >= 128);
    let first = analysis.sentence_of(at).is_some_and(|sentence| sentence.start == at);
    token.kind == TokenKind::Word
        && word.len() >= 3
        && word[1..].iter().all(u8::is_ascii_lowercase)
        && (word[0].is_ascii_lowercase() || (first && word[0].is_ascii_uppercase()))
        && !joins(token.span.start.checked_sub(1).and_then(|at| text.get(at)))
        && !joins(text.get(token.span.end))
}

fn context(analysis: &Analysis, at: usize) -> String {
    let words = at.saturating_sub(4)..(at + 5).min(analysis.tokens().len());
    let shown = |place: usize| match place == at {
        true => format!("[{}]", analysis.word(place)),
        false => analysis.word(place).to_owned(),
    };
    words.map(shown).collect::<Vec<_>>().join(" ")
}

/// A reviewed pair: its facts, whether it was taken, and the fold that its word is in.
struct Reviewed {
    facts: [f64; FACTS],
    taken: bool,
    fold: usize,
}

const FOLDS: usize = 8;

fn fit_score() -> Result<()> {
    let path = crate::root().join("lexicons/substitutes.txt");
    let table = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut pairs = Vec::new();
    for (number, line) in table.lines().filter(|line| !line.starts_with('#')).enumerate() {
        let mut fields = line.split(' ');
        let (Some(lemma), Some(kind)) = (fields.next(), fields.next()) else { continue };
        let kind = match kind {
            "n" => Kind::Noun,
            "v" => Kind::Verb,
            "a" => Kind::Adjective,
            _ => Kind::Adverb,
        };
        let verdicts: HashMap<&str, bool> = fields
            .skip(2)
            .filter_map(|verdict| Some((verdict.get(1..)?.split(':').next()?, !verdict.starts_with('-'))))
            .collect();
        for candidate in pool::candidates(lemma, kind) {
            if let Some(taken) = verdicts.get(candidate.lemma) {
                let facts = score::facts(lemma, kind, &candidate);
                pairs.push(Reviewed { facts, taken: *taken, fold: number % FOLDS });
            }
        }
    }
    let mut scored: Vec<(f64, bool)> = Vec::new();
    for fold in 0..FOLDS {
        let weights = fit(pairs.iter().filter(|pair| pair.fold != fold));
        scored.extend(
            pairs.iter().filter(|pair| pair.fold == fold).map(|pair| (chance(&weights, &pair.facts), pair.taken)),
        );
    }
    let taken = scored.iter().filter(|(_, taken)| *taken).count();
    println!("{} pairs, {taken} taken; area under the curve on other words {:.3}", pairs.len(), area(&scored));
    for least in [0.3, 0.4, 0.5, 0.6, 0.7, 0.8] {
        let above: Vec<bool> = scored.iter().filter(|(score, _)| *score >= least).map(|(_, taken)| *taken).collect();
        let right = above.iter().filter(|taken| **taken).count();
        println!("score {least}: {} pairs, {right} of them taken", above.len());
    }
    let weights = fit(pairs.iter());
    let listed: Vec<String> = weights.iter().map(|weight| format!("{weight:.3}")).collect();
    println!("const WEIGHTS: [f64; FACTS] = [{}];", listed.join(", "));
    Ok(())
}

fn chance(weights: &[f64; FACTS], facts: &[f64; FACTS]) -> f64 {
    let sum: f64 = weights.iter().zip(facts).map(|(weight, fact)| weight * fact).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Logistic regression by gradient steps, with a little shrinking.
fn fit<'a>(pairs: impl Iterator<Item = &'a Reviewed>) -> [f64; FACTS] {
    let pairs: Vec<&Reviewed> = pairs.collect();
    let mut weights = [0.0; FACTS];
    for _ in 0..4_000 {
        let mut slope = [0.0; FACTS];
        for pair in &pairs {
            let error = chance(&weights, &pair.facts) - f64::from(u8::from(pair.taken));
            slope.iter_mut().zip(&pair.facts).for_each(|(slope, fact)| *slope += error * fact);
        }
        for (weight, slope) in weights.iter_mut().zip(slope) {
            *weight -= 0.1 * (slope / pairs.len() as f64 + 1e-4 * *weight);
        }
    }
    weights
}

/// The chance that a pair that was taken scores above one that was not.
fn area(scored: &[(f64, bool)]) -> f64 {
    let mut sorted = scored.to_vec();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut below, mut wins, mut taken) = (0.0, 0.0, 0.0);
    for (_, is_taken) in sorted {
        match is_taken {
            true => (wins, taken) = (wins + below, taken + 1.0),
            false => below += 1.0,
        }
    }
    wins / f64::max(taken * below, 1.0)
}
