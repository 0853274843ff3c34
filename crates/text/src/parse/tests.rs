use super::*;
use crate::{analyse, weights};

/// Sentences of several kinds and lengths, to be parsed as one text each.
const TEXTS: [&str; 6] = [
    "Dogs chase cats.",
    "The committee that the governor appointed last year has not yet published the report it promised.",
    "Oil prices fell on Tuesday , easing fears that high costs would slow the economy , traders said .",
    "i didn't like it at all",
    "Stop!",
    "What he wanted, she thought, was a house by the sea and nobody to talk to.",
];

#[cfg(feature = "share-alike")]
#[test]
fn the_shipped_network_parses() {
    let read = analyse("She liked the film.");
    let heads: Vec<_> = read.dependencies().iter().map(|word| (word.head, word.relation)).collect();
    let expected = [
        (Some(1), Relation::Nsubj),
        (None, Relation::Root),
        (Some(3), Relation::Det),
        (Some(1), Relation::Obj),
        (Some(1), Relation::Punct),
    ];
    assert_eq!(heads, expected);
}

/// Every number of the reading, and each hidden layer and score on the way, are the same with and without AVX2.
#[cfg(target_arch = "x86_64")]
#[test]
fn wider_registers_change_no_bit() {
    #[target_feature(enable = "avx2")]
    fn wide(network: &Network, looks: &[WordFeatures], tags: &[Tag]) -> Vec<i32> {
        numbers::<Avx2>(network, looks, tags)
    }
    if !std::arch::is_x86_feature_detected!("avx2") {
        return;
    }
    // Weights of many sizes, so that sums that wrap around or another rounding of gates show.
    let noise: Vec<i16> = (0..network::WEIGHTS).map(|at| ((at * 7919 % 4096) as i16 - 2048) >> (at % 7)).collect();
    let noise = noise.first_chunk().expect("as many as there are weights");
    let rows = (0..weights::parse().keys.all().len() * network::INPUT).map(|at| (at * 31 % 256) as u8 as i8).collect();
    let noisy = Network::new(weights::parse().keys.clone(), rows, 0.01, noise);
    let longest = TEXTS.join(" ");
    for network in [weights::parse(), &noisy] {
        for text in TEXTS.into_iter().chain([longest.as_str()]) {
            let read = analyse(text);
            let (looks, tags) = (read.looks(), read.tags());
            // SAFETY: the processor has AVX2, as asked above.
            let (a, b) = unsafe { (wide(network, looks, tags), piece_avx2(looks, tags, network)) };
            assert_eq!(a, numbers::<Plain>(network, looks, tags), "{text}");
            assert_eq!(b, piece_with::<Plain>(looks, tags, network), "{text}");
        }
    }
}

/// All numbers that a parse works out.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn numbers<P: Products>(network: &Network, looks: &[WordFeatures], tags: &[Tag]) -> Vec<i32> {
    let reading = Reading::new::<P>(network, looks, tags);
    let mut all = reading.added.clone();
    let mut state = State::new(looks.len());
    while !state.done() {
        let hidden = reading.hidden(network, &Seen::new(&state));
        let actions = network.actions(&hidden);
        all.extend(hidden.iter().map(|unit| i32::from(*unit)).chain(actions));
        (0..2).for_each(|side| all.extend(network.labels::<P>(&hidden, side)));
        state.apply(match best_action(&actions, state.allowed()) {
            0 => Move::Shift,
            1 if state.next == state.root() => Move::Left(Relation::Root),
            1 => Move::Left(Relation::Dep),
            _ => Move::Right(Relation::Dep),
        });
    }
    all
}

#[test]
fn long_sentences_have_one_root_and_no_circles() {
    for count in [LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST + 500] {
        let words = ["cats", "and", "small", "dogs", "chase", "the"];
        let text: Vec<&str> = (0..count).map(|at| words[at % words.len()]).collect();
        let read = analyse(&text.join(" "));
        assert_eq!(read.sentences().len(), 1);
        let parsed = read.dependencies();
        assert_eq!(parsed.len(), count);
        assert_eq!(parsed.iter().filter(|word| word.head.is_none()).count(), 1);
        assert_eq!(parsed.iter().filter(|word| word.relation == Relation::Root).count(), 1);
        for start in 0..count {
            let mut steps = 0;
            let mut at = start;
            while let Some(head) = parsed[at].head {
                (at, steps) = (head, steps + 1);
                assert!(steps < count, "{start} of {count}");
            }
        }
        // The pieces do not touch each other: only their roots depend on another piece, and on the first root.
        let root = parsed.iter().position(|word| word.head.is_none());
        for (at, word) in parsed.iter().enumerate() {
            let Some(head) = word.head else { continue };
            assert!(head / LONGEST == at / LONGEST || (Some(head) == root && word.relation == Relation::Parataxis));
        }
    }
}
