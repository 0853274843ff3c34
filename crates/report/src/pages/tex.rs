//! Tables for a paper: every table of the report in LaTeX with `booktabs`, to paste or to `\input`.

use std::fmt::Write as _;

use crate::charts::ChartTable;
use crate::document::{Block, Document};

/// The tables, with the words around them as comments.
pub fn tex(document: &Document) -> String {
    let mut out =
        String::from("% Tables of a report by Fissure. Needs \\usepackage{booktabs} and \\usepackage{graphicx}.\n");
    let _ = writeln!(out, "% {}", comment(&format!("{}: {}", document.headline, document.subtitle.plain())));
    for section in &document.sections {
        let _ = writeln!(out, "\n% {}", comment(&section.title));
        for block in &section.blocks {
            match block {
                Block::Words(words) => {
                    let _ = writeln!(out, "% {}", comment(&words.plain()));
                }
                Block::Table(table) => write_table(&mut out, table, section.id),
                Block::Figures(figures) => {
                    figures.iter().for_each(|figure| write_table(&mut out, &figure.wide.table, section.id));
                }
                Block::Changes(_) => {}
                Block::Pairs(pairs) => pairs.iter().for_each(|(name, value)| {
                    let _ = writeln!(out, "% {}: {}", comment(name), comment(&value.plain()));
                }),
                Block::Commands(commands) => commands.iter().for_each(|(why, command)| {
                    let _ = writeln!(out, "% {} {}", comment(&why.plain()), comment(command));
                }),
            }
        }
    }
    if out.chars().any(|letter| letter.is_alphabetic() && letter > LAST_OF_LATIN) {
        out.insert_str(
            0,
            "% Some texts here are not in Latin letters: use LuaLaTeX or XeLaTeX, with a font that has theirs.\n",
        );
        if out.chars().any(fissure_core::is_word_character) {
            out.insert_str(
                0,
                "% Some are Chinese or Japanese: \\usepackage{ctex} sets them, with the fonts it finds.\n",
            );
        }
    }
    out
}

/// Letters beyond this one pdfLaTeX does not know by itself.
const LAST_OF_LATIN: char = '\u{24F}';
/// A text longer than this is set on several lines.
const LONG_TEXT: usize = 32;
/// A head longer than this is set on two.
const LONG_HEAD: usize = 14;
/// As wide as the line where it would be wider.
const FITTING: &str = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%";

/// Rows that a table in a paper can have; longer ones belong in a file of data.
const ROWS: usize = 60;

fn write_table(out: &mut String, table: &ChartTable, id: &str) {
    if table.rows.is_empty() || table.rows.len() > ROWS {
        return;
    }
    let numeric = table.numeric();
    let long = |column: usize| {
        table.rows.iter().any(|row| row.get(column).is_some_and(|cell| cell.chars().count() > LONG_TEXT))
    };
    let columns: String = (numeric.iter().enumerate())
        .map(|(column, numeric)| match numeric {
            true => "r",
            false if long(column) => "p{16em}",
            false => "l",
        })
        .collect();
    let row = |cells: &[String]| cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" & ");
    let _ = writeln!(
        out,
        "\n\\begin{{table}}\n  \\centering\n  \\small\n  {FITTING}\n  \\begin{{tabular}}{{{columns}}}\n    \\toprule"
    );
    let heads = table.head.iter().zip(&numeric).map(|(name, numeric)| head(name, *numeric));
    let _ = writeln!(out, "    {} \\\\\n    \\midrule", heads.collect::<Vec<_>>().join(" & "));
    for cells in &table.rows {
        let _ = writeln!(out, "    {} \\\\", row(cells));
    }
    let caption = escape(&table.caption);
    let _ = writeln!(
        out,
        "    \\bottomrule\n  \\end{{tabular}}}}\n  \\caption{{{caption}}}\n  % \\label{{tab:{id}}}\n\\end{{table}}"
    );
}

/// The head of a column, on two lines where one would be wider than what stands below.
fn head(name: &str, numeric: bool) -> String {
    let middle = name.len() / 2;
    let spaces = name.match_indices(' ').map(|(at, _)| at).min_by_key(|at| at.abs_diff(middle));
    match spaces.filter(|_| name.chars().count() > LONG_HEAD) {
        Some(at) => {
            let side = if numeric { 'r' } else { 'l' };
            format!("\\shortstack[{side}]{{{}\\\\{}}}", escape(&name[..at]), escape(&name[at + 1..]))
        }
        None => escape(name),
    }
}

/// Text that LaTeX shows as it is.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => safe.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                safe.push('\\');
                safe.push(letter);
            }
            '^' => safe.push_str("\\textasciicircum{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '|' => safe.push_str("\\textbar{}"),
            '"' => safe.push_str("\\textquotedbl{}"),
            '−' => safe.push_str("$-$"),
            '→' => safe.push_str("$\\to$"),
            '–' => safe.push_str("--"),
            // A cell that starts with a bracket would be taken for the option of the line break before it.
            '[' => safe.push_str("{[}"),
            ']' => safe.push_str("{]}"),
            '\u{202F}' => safe.push_str("\\,"),
            letter if letter.is_control() || letter == '\u{2028}' || letter == '\u{2029}' => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

/// Text in a comment: on one line, so that none of it can get out.
fn comment(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') { ' ' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_command() {
        assert_eq!(escape("50% of a_b & \\input{x}"), "50\\% of a\\_b \\& \\textbackslash{}input\\{x\\}");
        assert_eq!(escape("−1.0 [2]\r\nx"), "$-$1.0 {[}2{]}  x");
        assert_eq!(comment("a\nb\r\\end"), "a b \\end");
    }

    #[test]
    fn wide_tables_fit_a_page() {
        let mut table = ChartTable::new("Wide", &["text", "drop of a_b, percentage points"]);
        table.rows = vec![vec!["word ".repeat(20), "1.0".to_owned()]];
        let mut out = String::new();
        write_table(&mut out, &table, "wide");
        assert!(out.contains("\\begin{tabular}{p{16em}r}"), "{out}");
        assert!(out.contains("text & \\shortstack[r]{drop of a\\_b,\\\\percentage points} \\\\"), "{out}");
        assert!(out.contains("\\resizebox{") && out.contains("\\end{tabular}}\n"), "{out}");
        assert_eq!(head("samples", true), "samples");
    }
}
