//! Output to the terminal: tables, marked changes, progress, errors.

mod asking;
mod diff;
mod listener;
mod progress;
mod spinner;
mod wrap;

use std::error::Error as _;
use std::io::{self, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, ColumnConstraint, ContentArrangement, Table, Width, presets};

pub use asking::{accuracy, asking_progress, end_asking, question_progress};
pub use diff::marked;
pub use listener::{Listener, Said, Step, Stopped, Stopping, listen, listens, unwind_if_stopped};
pub use progress::Progress;
pub use spinner::busy;
pub use wrap::wrapped;

/// How the user wants to see things.
#[derive(Debug, Clone, Copy)]
pub struct Ui {
    /// For a program to read, not for a person.
    pub json: bool,
}

/// Writes to standard output, without colours if it is not a terminal.
pub fn print(text: &str) -> io::Result<()> {
    if listener::tell(text, |text| Said::Result(text)) {
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a line to standard error, where everything goes that is not the result itself.
pub fn note(text: &str) {
    if !listener::tell(text, |text| Said::Note(text)) {
        anstream::eprintln!("{text}");
    }
}

/// A table as wide as the terminal allows; without a head it is a list of pairs.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    set(Table::new(), head, rows, (!io::stdout().is_terminal() && !io::stderr().is_terminal()).then_some(120))
}

/// A table that also fits a narrow terminal.
pub fn narrow_table(head: &[&str], rows: &[Vec<String>]) -> String {
    set(Table::new(), head, rows, Some(columns() as u16))
}

/// A p-value as papers write it.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// The width of running text: what any terminal shows, and what reads well.
pub fn columns() -> usize {
    const MOST: u16 = 80;
    Table::new().width().map_or(MOST, |width| width.min(MOST)).into()
}

fn set(mut table: Table, head: &[&str], rows: &[Vec<String>], width: Option<u16>) -> String {
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = width {
        table.set_width(width);
    }
    let room = table.width().map_or(usize::MAX, usize::from);
    if head.len() > 2 && least_widths(head, rows).iter().sum::<usize>() > room {
        return stacked(head, rows, room);
    }
    if !head.is_empty() {
        table.set_header(head.iter().map(|name| Cell::new(name).add_attribute(Attribute::Bold)));
    }
    for row in rows {
        table.add_row(row);
    }
    for (column, width) in table.column_iter_mut().zip(least_widths(head, rows)) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width as u16)));
    }
    table.trim_fmt()
}

/// The columns in which no word is broken: neither of the head nor of a cell. Texts may be, beyond this many letters.
fn least_widths(head: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    const LONGEST: usize = 28;
    // A cell has a space on each side.
    let longest = |text: &str| 2 + text.split_whitespace().map(wrap::longest_part).max().unwrap_or(0).min(LONGEST);
    let column = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| longest(cell));
        head.get(at).map(|name| longest(name)).into_iter().chain(cells).max().unwrap_or(0)
    };
    let count = rows.iter().map(Vec::len).chain([head.len()]).max().unwrap_or(0);
    (0..count).map(column).collect()
}

/// The rows one below the other, for a terminal too narrow for a table: numbers that are broken in the middle read as others.
fn stacked(head: &[&str], rows: &[Vec<String>], room: usize) -> String {
    let mut text = String::new();
    for row in rows {
        let mut cells = row.iter();
        if let Some(name) = cells.next() {
            text += &wrap::within(room, name, "");
        }
        for (name, cell) in head.iter().skip(1).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            // A head on two lines is one name.
            let name = name.replace("/\n", "/").replace('\n', " ");
            text += &wrap::within(room, &format!("{name}: {cell}"), "  ");
        }
    }
    text.trim_end().to_owned()
}

/// The beginning of a text on one line, for a cell of a table.
pub fn shortened(text: &str) -> String {
    shortened_to(160, text)
}

/// The same, cut to at most `most` letters.
pub fn shortened_to(most: usize, text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = words.char_indices().nth(most) {
        // Whole words, unless one fills the room alone.
        words.truncate(words[..cut].rfind(' ').unwrap_or(cut));
        words.push_str(" …");
    }
    words
}

/// Text that stands out.
pub fn bold(text: &str) -> String {
    styled(Style::new().bold(), text)
}

/// Text in a style; the stream takes the style out again if it cannot be shown.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Prints an error, from the outermost message to its cause.
pub fn report(error: &crate::Error) {
    let head = styled(Style::new().bold().fg_color(Some(AnsiColor::Red.into())), "error");
    note(&format!("{head}: {}", with_causes(error)));
}

/// An error with its causes, from the outermost on.
pub fn with_causes(error: &crate::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let words = source.to_string();
        if !text.contains(&words) {
            text.push_str(&format!(": {words}"));
        }
        cause = source.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_broken_on_a_narrow_terminal() {
        let head = ["change", "changed/same/\nskipped/filtered", "before > after", "drop (95 %)", "p (Holm)"];
        let row = ["prejudice (change=gender)", "493/7/0/0", "0.911 > 0.905", "0.006 (-0.013 to 0.025)", "< 0.001"];
        let rows = [row.map(str::to_owned).to_vec()];
        for width in [40, 60, 80, 100, 120] {
            let shown = set(Table::new(), &head, &rows, Some(width));
            let words = row.iter().chain(&head).flat_map(|cell| cell.split_whitespace());
            // A head of two lines may stand on one.
            for word in words.filter(|word| !word.contains("same") && !word.contains("skipped")) {
                assert!(shown.contains(word), "{word} at {width}:\n{shown}");
            }
            assert!(shown.lines().all(|line| line.chars().count() <= usize::from(width)), "{width}:\n{shown}");
        }
    }
}
