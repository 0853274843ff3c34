//! No part asks for memory character by character: counted, for every transformation and destroyer, on texts of 10 and
//! 100 kilobytes. A part that changes every word has to ask for a few pieces a word (the edit, and what the trail keeps of
//! the old word and the new one), and no part asks for more.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fissure_core::{Chain, Resources, Sample};
use fissure_probes::TRANSFORMS;

/// The allocator of the system, which counts what this thread asks for.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the allocator of the system with the arguments it came with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends has no counter any more.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`, and `memory` came from `System`.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises of `realloc`, and `memory` came from `System`.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// About this many bytes of plain English, with names, numbers and verbs in several tenses.
fn text(bytes: usize) -> String {
    const SENTENCES: [&str; 6] = [
        "The old lawyer purchased two automobiles in Boston, and her brother didn't like the larger one.",
        "Mary Johnson said on Monday that the company will cut 1,200 jobs because sales have fallen by 3.5 percent.",
        "I loved this beautiful film, although the plot is nearly as long as the book that it follows.",
        "Officials in Germany believe that the talks could begin soon; they aren't ready to announce a date.",
        "He has quietly left the house, but nobody knows where John Smith and his sister are staying tonight.",
        "A huge crowd watched the match at the stadium, which opened in 1998 and seats about fifty thousand people.",
    ];
    let mut text = String::new();
    for sentence in SENTENCES.iter().cycle() {
        if text.len() >= bytes {
            break;
        }
        text.push_str(sentence);
        text.push(' ');
    }
    text
}

/// How often `work` asks for memory.
fn asked(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// Says so if a part asks for more than `MOST` pieces of memory for a word.
fn greedy(name: &str, work: impl Fn(&Sample)) -> Option<String> {
    const MOST: f64 = 5.0;
    // Tables are unpacked at the first use.
    work(&Sample::of_text("warm", text(2_000)));
    let shares = [10_000, 100_000].map(|bytes| {
        let sample = Sample::of_text("counted", text(bytes));
        let words = sample.fields[0].text.split(' ').count();
        asked(|| work(&sample)) as f64 / words as f64
    });
    println!("{name:<28} {:.2} {:.2} pieces of memory a word", shares[0], shares[1]);
    shares.iter().any(|share| *share > MOST).then(|| format!("{name}: {shares:.2?} pieces a word"))
}

#[test]
fn no_transformation_allocates_per_character() {
    let mut found = Vec::new();
    for entry in TRANSFORMS.entries() {
        let name = entry.card.name;
        let chain = Chain::build(&TRANSFORMS, name, &[]).unwrap().with(Resources::toy());
        found.extend(greedy(name, |sample| _ = chain.run(sample, 0, 0)));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
