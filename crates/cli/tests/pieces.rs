//! A data set that is cut into pieces, or put in another order, is changed as the whole is.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use fissure_core::{Chain, Dice, Outcome};
use fissure_data::{ReadOptions, Samples};
use fissure_probes::TRANSFORMS;

const ROWS: usize = 60;

/// Rows without ids, as lines of a JSON file; some texts occur twice.
fn rows() -> Vec<String> {
    let words = ["the", "film", "was", "really", "good", "Anna", "paid", "12", "don't", "slowly", "hotel"];
    let mut dice = Dice::new(1, &["rows"]);
    let row = |n: usize| {
        let text: Vec<&str> = (0..8).filter_map(|_| dice.pick(&words).copied()).collect();
        format!("{{\"text\": \"{} {}\", \"label\": {}}}", text.join(" "), n / 2, n % 2)
    };
    (0..ROWS).map(row).collect()
}

/// What becomes of each row of a file.
fn changed(rows: &[String], chain: &Chain) -> Vec<String> {
    let options = ReadOptions::new(fissure_tasks::find("sa").unwrap());
    let file = rows.join("\n").into_bytes();
    let samples = Samples::of_bytes("rows.jsonl", std::io::Cursor::new(file), options).unwrap();
    let outcome = |sample: fissure_core::Sample| match chain.run(&sample, 3, 0) {
        Outcome::Changed(variant) => variant.sample.fields[0].text.to_string(),
        other => format!("{} {other:?}", sample.id),
    };
    samples.map(|sample| outcome(sample.unwrap())).collect()
}

#[test]
fn pieces_of_a_file_become_pieces_of_the_whole() {
    let chain = Chain::build(&TRANSFORMS, "swap_random_vocab+typos+keyboard", &[]).unwrap();
    let rows = rows();
    let whole = changed(&rows, &chain);
    assert_eq!(whole.len(), ROWS);
    for seed in 0..20 {
        let mut dice = Dice::new(seed, &["cuts"]);
        let count = dice.below(8);
        let mut cuts = dice.choose(ROWS, count);
        cuts.push(ROWS);
        let mut start = 0;
        let mut pieces = Vec::new();
        for end in cuts {
            if start < end {
                pieces.extend(changed(&rows[start..end], &chain));
            }
            start = end;
        }
        assert_eq!(pieces, whole, "cut with seed {seed}");

        let mut order: Vec<usize> = (0..ROWS).collect();
        dice.shuffle(&mut order);
        let shuffled: Vec<String> = order.iter().map(|at| rows[*at].clone()).collect();
        let expected: Vec<String> = order.iter().map(|at| whole[*at].clone()).collect();
        assert_eq!(changed(&shuffled, &chain), expected, "shuffled with seed {seed}");
    }
}
