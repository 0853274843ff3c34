use fissure_text::ngrams::Trainer;
use proptest::prelude::*;

use super::*;
use crate::extract::LONGEST;
use crate::table::Rendering;

const WIDE: Limits = Limits { beam: 100_000, gap: f32::INFINITY, renderings: 100, jump: 100 };

/// Source words a, b, c; target words u, v, w.
fn decoder(rows: &[(&str, &str, f32)]) -> Decoder {
    let mut trainer = Trainer::new(3);
    for sentence in ["u v w", "u w", "v v u", "w u v w"] {
        trainer.add(sentence.split(' '));
    }
    let language = trainer.finish(1, &[]);
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let number = |word: &str| words.iter().position(|known| known == word).unwrap() as u32 + 1;
    let mut rows: Vec<(Vec<u32>, Rendering)> = rows
        .iter()
        .map(|(source, target, score)| {
            let target = target.split(' ').map(|word| language.id(word)).collect();
            (source.split(' ').map(number).collect(), Rendering { target, scores: [*score; 4] })
        })
        .collect();
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut table = Table::default();
    rows.into_iter().for_each(|(source, rendering)| table.push(source, rendering));
    Decoder::new(words, table, language)
}

fn tokens(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Every way to cut the rest of the sentence into phrases, in every order: the best score, from its definition.
fn by_brute_force(decoder: &Decoder, tokens: &[String], covered: u64, end: usize, words: &[u32], score: f32) -> f32 {
    if covered.count_ones() as usize == tokens.len() {
        let mut ids = vec![START];
        ids.extend(words);
        ids.push(END);
        let language: f64 = (1..ids.len()).map(|at| decoder.language.log_probability_of(&ids[..at], ids[at])).sum();
        return score + weight::LANGUAGE * language as f32;
    }
    let mut best = f32::NEG_INFINITY;
    for start in 0..tokens.len() {
        for stop in start + 1..=tokens.len().min(start + LONGEST) {
            if covered & mask(start, stop) != 0 {
                continue;
            }
            let known: Option<Vec<u32>> = tokens[start..stop]
                .iter()
                .map(|t| decoder.words.binary_search(t).ok().map(|at| at as u32 + 1))
                .collect();
            let renderings = known.as_ref().map_or(&[][..], |known| decoder.table.of(known));
            let mut ways: Vec<(Vec<u32>, f32)> =
                renderings.iter().map(|r| (r.target.clone(), weight::PHRASES * r.scores.iter().sum::<f32>())).collect();
            if ways.is_empty() && stop == start + 1 {
                ways.push((vec![0], weight::COPIED));
            }
            for (target, phrase) in ways {
                let step = phrase + weight::PHRASE + weight::WORD * target.len() as f32
                    - weight::DISTORTION * start.abs_diff(end) as f32;
                let words = [words, &target].concat();
                let covered = covered | mask(start, stop);
                best = best.max(by_brute_force(decoder, tokens, covered, stop, &words, score + step));
            }
        }
    }
    best
}

#[test]
fn the_best_phrase_wins_and_unknown_words_are_copied() {
    let decoder = decoder(&[("a", "u", -0.1), ("a", "w", -3.0), ("b", "v", -0.1), ("a b", "w u v w", -5.0)]);
    assert_eq!(decoder.search(&tokens("a b"), WIDE).1, ["u", "v"]);
    assert_eq!(decoder.search(&tokens("a zebra b"), WIDE).1.iter().filter(|word| *word == "zebra").count(), 1);
    assert_eq!(decoder.search(&[], WIDE), (0.0, vec![]));
}

#[test]
fn a_long_sentence_is_decoded_within_the_limits() {
    let decoder = decoder(&[("a", "u", -0.1), ("b", "v w", -0.2), ("b a", "w", -0.2)]);
    let long: Vec<String> = tokens(&"a b ".repeat(20));
    let (score, words) = decoder.search(&long, Limits::default());
    assert!(score.is_finite() && words.len() >= 20, "{score} {words:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wide_search_finds_the_best_there_is(
        rows in prop::collection::btree_map(("[abc]( [abc])?", "[uvw]( [uvw]){0,3}"), -6.0..0.0f32, 0..8),
        sentence in "[abcz]( [abcz]){0,3}",
    ) {
        let rows: Vec<(&str, &str, f32)> = rows.iter().map(|((s, t), score)| (s.as_str(), t.as_str(), *score)).collect();
        let decoder = decoder(&rows);
        let sentence = tokens(&sentence);
        let (score, _) = decoder.search(&sentence, WIDE);
        let best = by_brute_force(&decoder, &sentence, 0, 0, &[], 0.0);
        prop_assert!((score - best).abs() < 1e-3, "{score} {best}");
    }
}
