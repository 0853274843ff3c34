//! One HTML file that needs nothing else: no script, no font, no picture from anywhere. Every text from outside goes
//! through `escape::markup` and stands in an element that keeps its direction to itself.

use std::fmt::Write as _;

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use crate::charts::{ChartTable, style};
use crate::document::{Bit, Block, Change, Document, Figure, Piece, Section, Words};
use crate::escape::{lang, markup};

/// The page.
pub fn html(document: &Document) -> String {
    let style = format!("{}{}", style(), include_str!("report.css"));
    // Only this very style sheet is let in; a style that came with the data would be refused by the browser.
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(&style));
    let mut page = String::new();
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<meta name=\"referrer\" content=\"no-referrer\"/>\n\
         <title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n<div class=\"page\">\n",
        markup(&format!("{}: {}", document.headline, document.subtitle.plain())),
    );
    let _ = write!(
        page,
        "<header>\n<p class=\"brand\">Fissure · {}</p>\n<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n</header>\n",
        markup(&document.title),
        markup(&document.headline),
        words(&document.subtitle),
    );
    page.push_str("<dl class=\"facts\">\n");
    for fact in &document.facts {
        let (name, value, note) = (markup(&fact.name), markup(&fact.value), markup(&fact.note));
        let _ =
            writeln!(page, "<div><dt>{name}</dt><dd class=\"value\">{value}</dd><dd class=\"note\">{note}</dd></div>");
    }
    page.push_str("</dl>\n<div class=\"columns\">\n<nav aria-label=\"Sections\"><ol>\n");
    for section in &document.sections {
        let _ = writeln!(page, "<li><a href=\"#{}\">{}</a></li>", section.id, markup(&section.title));
    }
    page.push_str("</ol></nav>\n<main>\n");
    for section in &document.sections {
        write_section(&mut page, section);
    }
    page.push_str("</main>\n</div>\n<footer><p>Made by Fissure from the run's findings alone; the same run gives the same bytes.</p></footer>\n</div>\n</body>\n</html>\n");
    page
}

fn write_section(page: &mut String, section: &Section) {
    let (id, title) = (section.id, markup(&section.title));
    let _ = writeln!(page, "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>");
    for block in &section.blocks {
        match block {
            Block::Words(text) => {
                let _ = writeln!(page, "<p>{}</p>", words(text));
            }
            Block::Figures(figures) => {
                let class = if figures.len() == 1 { "figures one" } else { "figures" };
                let _ = writeln!(page, "<div class=\"{class}\">");
                figures.iter().for_each(|figure| write_figure(page, figure));
                page.push_str("</div>\n");
            }
            Block::Table(table) => write_table(page, table),
            Block::Changes(changes) => changes.iter().for_each(|change| write_change(page, change)),
            Block::Pairs(pairs) => {
                page.push_str("<dl class=\"pairs\">\n");
                for (name, value) in pairs {
                    let _ = writeln!(page, "<dt>{}</dt><dd>{}</dd>", markup(name), words(value));
                }
                page.push_str("</dl>\n");
            }
            Block::Commands(commands) => {
                for (why, command) in commands {
                    let (why, command) = (words(why), markup(command));
                    let _ = writeln!(page, "<p class=\"why\">{why}</p>\n<pre><code>{command}</code></pre>");
                }
            }
        }
    }
    page.push_str("</section>\n");
}

fn write_figure(page: &mut String, figure: &Figure) {
    let class = if figure.wide.width < 600.0 { " class=\"small\"" } else { "" };
    let _ = writeln!(page, "<figure{class}>");
    match &figure.narrow {
        Some(narrow) => {
            let _ = writeln!(
                page,
                "<div class=\"wide\">{}</div><div class=\"narrow\">{}</div>",
                figure.wide.svg, narrow.svg
            );
        }
        None => page.push_str(&figure.wide.svg),
    }
    let _ =
        writeln!(page, "<figcaption>{}</figcaption>\n<details><summary>The numbers</summary>", words(&figure.caption));
    write_table(page, &figure.wide.table);
    page.push_str("</details>\n</figure>\n");
}

/// Letters of a cell that needs a broad column.
const LONG: usize = 60;
/// Rows of a table that is not torn apart on paper.
const SHORT: usize = 12;

fn write_table(page: &mut String, table: &ChartTable) {
    let numeric = table.numeric();
    let long = |column: usize| {
        table.rows.iter().filter_map(|row| row.get(column)).any(|cell| cell.chars().nth(LONG).is_some())
    };
    let classes: Vec<&str> = (numeric.iter().enumerate())
        .map(|(column, numeric)| {
            if *numeric {
                "n"
            } else if long(column) {
                "t long"
            } else {
                "t"
            }
        })
        .collect();
    let class = |column: usize| classes.get(column).copied().unwrap_or("t");
    let caption = markup(&table.caption);
    let short = if table.rows.len() <= SHORT { " short" } else { "" };
    let _ = write!(
        page,
        "<div class=\"scroll{short}\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\"><table>\n<caption><span>{caption}</span></caption>\n<thead><tr>"
    );
    for (column, name) in table.head.iter().enumerate() {
        let _ = write!(page, "<th scope=\"col\" class=\"{}\">{}</th>", class(column), markup(name));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(page, "<td class=\"{}\"><bdi{}>{}</bdi></td>", class(column), lang(cell), markup(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

fn write_change(page: &mut String, change: &Change) {
    let (mut before, mut after) = (String::new(), String::new());
    let language = lang(&change.text_before());
    for bit in &change.bits {
        match bit {
            Bit::Same(text) => {
                before.push_str(&markup(text));
                after.push_str(&markup(text));
            }
            Bit::Changed { old, new } => {
                if !old.is_empty() {
                    let _ = write!(before, "<del><bdi>{}</bdi></del>", markup(old));
                }
                if !new.is_empty() {
                    let _ = write!(after, "<ins><bdi>{}</bdi></ins>", markup(new));
                }
            }
            Bit::Cut => {
                before.push_str("<span class=\"cut\"> … </span>");
                after.push_str("<span class=\"cut\"> … </span>");
            }
        }
    }
    let text = |(name, text): &(String, String)| {
        format!("<p class=\"side\"><code>{}</code> <bdi{}>{}</bdi></p>\n", markup(name), lang(text), markup(text))
    };
    let beside: String = change.beside.iter().map(text).collect();
    let _ = writeln!(
        page,
        "<article class=\"change\">\n<h3>{}</h3>\n{beside}<div class=\"sides\">\n\
         <div><p class=\"side\">before: {}</p><p><bdi{language}>{before}</bdi></p></div>\n\
         <div><p class=\"side\">after: {}</p><p><bdi{language}>{after}</bdi></p></div>\n</div>\n</article>",
        words(&change.title),
        words(&change.before),
        words(&change.after),
    );
}

fn words(words: &Words) -> String {
    words
        .0
        .iter()
        .map(|piece| match piece {
            // A number and its sign stay on one line.
            Piece::Plain(text) => markup(text).replace(" %", "\u{A0}%"),
            Piece::Strong(text) => {
                format!("<strong><bdi{}>{}</bdi></strong>", lang(text), markup(text).replace(" %", "\u{A0}%"))
            }
            Piece::Code(text) => format!("<code><bdi{}>{}</bdi></code>", lang(text), markup(text)),
        })
        .collect()
}
