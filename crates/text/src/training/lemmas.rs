//! Learns the rules from words to their lemmas.

use std::collections::BTreeMap;

use super::tags::gold_tag;
use super::treebank::Treebank;
use crate::lemmas::{Lemmas, Rule, Table, base, endings};
use crate::tags::Penn;

/// How often an ending must be seen for a rule of its own.
const FEWEST: usize = 2;

/// The rules that are part of the program.
pub use crate::lemmas::shipped;

type Counts = BTreeMap<Rule, usize>;

/// Learns the lemmas of the words of `treebank`.
pub fn train(treebank: &Treebank) -> Lemmas {
    let mut seen: Vec<BTreeMap<String, Counts>> = vec![BTreeMap::new(); Penn::ALL.len()];
    for word in treebank.words().filter(|word| word.lemma != "_") {
        let base = base(&word.form, gold_tag(word));
        let rule = Rule::between(&base, &word.lemma);
        *seen[word.penn.index()].entry(base).or_default().entry(rule).or_default() += 1;
    }
    Lemmas::new(seen.iter().map(table).collect())
}

fn table(seen: &BTreeMap<String, Counts>) -> Table {
    let mut by_ending: BTreeMap<(usize, &str), Counts> = BTreeMap::new();
    for (word, counts) in seen {
        for ending in endings(word) {
            let all = by_ending.entry((ending.chars().count(), ending)).or_default();
            // Each word counts once: how often it is used says nothing about others with its ending.
            if let Some(rule) = most(counts) {
                *all.entry(rule.clone()).or_default() += 1;
            }
        }
    }
    let mut table = Table::default();
    // Short endings first, so that longer ones are kept only where they differ.
    for ((_, ending), counts) in &by_ending {
        if let Some(rule) = most(counts)
            && table.rule(ending) != Some(rule)
            && (ending.is_empty() || counts.values().sum::<usize>() >= FEWEST)
        {
            table.endings.insert((*ending).into(), rule.clone());
        }
    }
    for (word, counts) in seen {
        if let Some(rule) = most(counts)
            && table.rule(word) != Some(rule)
        {
            table.words.insert(word.as_str().into(), rule.clone());
        }
    }
    table
}

/// The rule that was seen most often; the first of equals.
fn most(counts: &Counts) -> Option<&Rule> {
    counts.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0))).map(|(rule, _)| rule)
}
