//! What a user should know while something runs: guesses about files, how labels were matched, what is waited for. Each door
//! shows it in its own way: the command line on standard error, Python through `logging`.

use std::sync::OnceLock;

use fissure_data::ReadAs;
use fissure_evaluate::LabelMatch;

/// Something a user should know.
#[derive(Debug, Clone, Copy)]
pub enum Notice<'a> {
    /// A sentence.
    Text(&'a str),
    /// How a file is read: format, columns, ids.
    Reads(&'a ReadAs),
    /// How the labels of a data set were matched with those of a model.
    Labels { of: &'a str, matched: &'a LabelMatch },
}

type Sink = fn(Notice<'_>);

static SINK: OnceLock<Sink> = OnceLock::new();

/// Sends notices there from now on; the first call of a process counts. Without one, nothing is shown.
pub fn send_to(sink: Sink) {
    let _ = SINK.set(sink);
}

pub fn notify(notice: Notice<'_>) {
    if let Some(sink) = SINK.get() {
        sink(notice);
    }
}

/// A sentence.
pub fn note(text: &str) {
    notify(Notice::Text(text));
}
