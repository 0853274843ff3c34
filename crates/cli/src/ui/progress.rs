//! Progress of long work: a bar on a terminal, a plain line now and then elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Counts things done.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    what: &'static str,
    plain: bool,
    total: Option<u64>,
    done: u64,
    next_line: Instant,
}

/// How often a plain line is printed: often enough to see that it lives, seldom enough for a log.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    /// Of `total` things called `what`; `None` where nobody knows how many there will be.
    pub fn new(what: &'static str, total: Option<u64>) -> Self {
        let plain = !std::io::stderr().is_terminal();
        let bar = match (plain, total) {
            (true, _) => ProgressBar::hidden(),
            (false, Some(total)) => ProgressBar::new(total)
                .with_style(style("{bar:30} {human_pos}/{human_len} {msg}, {per_sec}, {eta} left")),
            (false, None) => ProgressBar::new_spinner().with_style(style("{spinner} {human_pos} {msg}, {per_sec}")),
        };
        bar.set_message(what);
        Self { bar, what, plain, total, done: 0, next_line: Instant::now() + PLAIN_EVERY }
    }

    pub fn add(&mut self, count: u64) {
        self.done += count;
        self.bar.inc(count);
        if self.plain && Instant::now() >= self.next_line {
            let of = self.total.map_or_else(String::new, |total| format!(" of {total}"));
            super::note(&format!("{}{of} {} so far", self.done, self.what));
            self.next_line = Instant::now() + PLAIN_EVERY;
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
