//! A line every 30 seconds for work whose progress cannot be counted.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// When the first line comes, and how often the next ones.
const FIRST: Duration = Duration::from_secs(5);
const EVERY: Duration = Duration::from_secs(30);

/// Work that goes on until this is dropped.
#[derive(Debug)]
pub struct Busy {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Says what the program does if it takes longer than a few seconds: `measuring: 35 s so far`.
pub fn busy(what: impl Into<String>) -> Busy {
    said(what.into(), FIRST, EVERY, super::note)
}

fn said(what: String, first: Duration, every: Duration, say: impl Fn(&str) + Send + 'static) -> Busy {
    let (end, ended) = mpsc::channel::<()>();
    let started = Instant::now();
    let talk = move || {
        let mut wait = first;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            say(&format!("  {what}: {} s so far", started.elapsed().as_secs()));
            wait = every;
        }
    };
    // A system that gives no thread gets no signs of life.
    let thread = thread::Builder::new().name("busy".into()).spawn(talk).ok();
    Busy { end: Some(end), thread }
}

impl Drop for Busy {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It only prints; there is nothing to learn from how it ended.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn it_speaks_until_the_work_is_done() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (kept, (heard, hears)) = (Arc::clone(&lines), mpsc::channel());
        let busy = said("measuring".into(), Duration::ZERO, Duration::from_secs(3600), move |line| {
            kept.lock().unwrap().push(line.to_owned());
            let _ = heard.send(());
        });
        hears.recv().unwrap();
        // Does not wait for the next line.
        drop(busy);
        assert_eq!(*lines.lock().unwrap(), ["  measuring: 0 s so far"]);
    }
}
