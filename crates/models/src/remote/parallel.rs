//! Several requests in flight at a time, replies in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::Result;

/// Asks the chunks of `questions` with this many workers (`ask` gets the worker's number) and puts the replies in order.
/// After an error no further chunk is begun; the error of the first chunk that has one is given.
pub(super) fn in_chunks<Q: Sync, R: Send>(
    questions: &[Q],
    chunk: usize,
    workers: usize,
    ask: impl Fn(usize, &[Q]) -> Result<Vec<R>> + Sync,
) -> Result<Vec<R>> {
    let chunks: Vec<&[Q]> = questions.chunks(chunk.max(1)).collect();
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done = Mutex::new(Vec::with_capacity(chunks.len()));
    let work = |worker: usize| {
        while !stop.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(at) else { break };
            let replies = ask(worker, chunk);
            stop.fetch_or(replies.is_err(), Ordering::Relaxed);
            done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((at, replies));
        }
    };
    thread::scope(|scope| {
        let others = 1..workers.clamp(1, chunks.len().max(1));
        others.for_each(|worker| {
            let work = &work;
            scope.spawn(move || work(worker));
        });
        work(0);
    });
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_by_key(|(at, _)| *at);
    let mut replies = Vec::with_capacity(questions.len());
    for (_, chunk) in done {
        replies.extend(chunk?);
    }
    Ok(replies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn order_is_kept_and_the_first_error_is_given() {
        let questions: Vec<usize> = (0..100).collect();
        for workers in [1, 3, 200] {
            let doubled = in_chunks(&questions, 7, workers, |_, chunk| Ok(chunk.iter().map(|n| n * 2).collect()));
            assert_eq!(doubled.unwrap(), questions.iter().map(|n| n * 2).collect::<Vec<_>>());
        }
        let failed = in_chunks(&questions, 10, 4, |_, chunk| match chunk[0] {
            0 => Ok(vec![0]),
            at => Err(Error::Remote { place: at.to_string(), why: "gone".into() }),
        });
        assert_eq!(failed.unwrap_err().to_string(), "10: gone");
        assert_eq!(in_chunks(&[] as &[u8], 3, 4, |_, _| Ok(vec![0u8])).unwrap(), [0u8; 0]);
    }
}
