//! A text with its changes marked.

use anstyle::{AnsiColor, Style};
use fissure_core::TrailEdit;

use super::styled;

/// `before` with each change shown in place: the old words in red, the new ones behind them in green. The brackets say the
/// same without colours.
pub fn marked(before: &str, field: &str, edits: &[TrailEdit]) -> String {
    let old = Style::new().fg_color(Some(AnsiColor::Red.into()));
    let new = Style::new().fg_color(Some(AnsiColor::Green.into())).bold();
    let mut shown = String::with_capacity(before.len() * 2);
    let mut done = 0;
    for edit in edits.iter().filter(|edit| &*edit.field == field) {
        shown.push_str(before.get(done..edit.start).unwrap_or(""));
        if !edit.old.is_empty() {
            shown.push_str(&styled(old, &format!("[-{}-]", edit.old)));
        }
        if !edit.new.is_empty() {
            shown.push_str(&styled(new, &format!("{{+{}+}}", edit.new)));
        }
        done = edit.end;
    }
    shown.push_str(before.get(done..).unwrap_or(""));
    shown
}
