//! The words of a text, and those of the comments and string literals of a Rust file, with their lines.

/// A word as it is compared, and the line it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub line: usize,
}

/// The words of plain text or Markdown whose first line has the number `line`: in lower case, without the punctuation
/// around them.
pub fn of_text(text: &str, line: usize) -> Vec<Word> {
    let mut words = Vec::new();
    for (at, content) in text.lines().enumerate() {
        for raw in content.split_whitespace() {
            let bare = raw.trim_matches(|mark: char| !mark.is_alphanumeric());
            if !bare.is_empty() {
                words.push(Word { text: bare.to_lowercase(), line: line + at });
            }
        }
    }
    words
}

/// The words of each comment, and of each string literal of at least `prose` words. Comments on lines that follow each
/// other are one.
pub fn of_rust(source: &str, prose: usize) -> Vec<Vec<Word>> {
    let mut passages = Vec::new();
    let mut comment: Vec<Word> = Vec::new();
    let mut next_line = 0;
    for Piece { is_comment, text, line } in pieces(source) {
        if !is_comment {
            // A backslash at the end of a line joins it with the next.
            let words = of_text(&text.replace("\\\n", " \n").replace("\\n", " "), line);
            if words.len() >= prose {
                passages.push(words);
            }
            continue;
        }
        if line != next_line {
            passages.push(std::mem::take(&mut comment));
        }
        comment.extend(of_text(text, line));
        next_line = line + text.lines().count().max(1);
    }
    passages.push(comment);
    passages
}

/// A comment or the content of a string literal.
struct Piece<'a> {
    is_comment: bool,
    text: &'a str,
    line: usize,
}

fn pieces(source: &str) -> Vec<Piece<'_>> {
    let bytes = source.as_bytes();
    let (mut at, mut line) = (0, 1);
    let mut pieces = Vec::new();
    while at < bytes.len() {
        let rest = &source[at..];
        let (length, content) = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            (length, Some((true, 0..length)))
        } else if let Some(length) = raw_string(rest) {
            (length, Some((false, 0..length)))
        } else if rest.starts_with('"') {
            let length = string(rest);
            (length, Some((false, 1..length.saturating_sub(1).max(1))))
        } else if rest.starts_with('\'') {
            (character(rest), None)
        } else {
            // A name is passed over as a whole: the `r` that ends it opens no raw string.
            let name = rest.find(|mark: char| !mark.is_alphanumeric() && mark != '_').unwrap_or(rest.len());
            (name.max(rest.chars().next().map_or(1, char::len_utf8)), None)
        };
        if let Some((is_comment, range)) = content {
            pieces.push(Piece { is_comment, text: &rest[range], line });
        }
        line += rest[..length].matches('\n').count();
        at += length;
    }
    pieces
}

/// The length of the raw string that `rest` starts with.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let marks = after.len() - after.trim_start_matches('#').len();
    let body = after[marks..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(marks));
    let end = body.find(&close)?;
    Some(rest.len() - body.len() + end + close.len())
}

/// The length of the string literal that `rest` starts with, quotes included.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, mark) in rest.char_indices().skip(1) {
        match mark {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of the character that `rest` starts with, or of the quote of a lifetime.
fn character(rest: &str) -> usize {
    let mut marks = rest.char_indices().skip(1);
    match marks.next() {
        Some((_, '\\')) => rest[2..].char_indices().skip(1).find(|(_, mark)| *mark == '\'').map_or(1, |(at, _)| at + 3),
        Some((_, _)) => marks.next().filter(|(_, mark)| *mark == '\'').map_or(1, |(at, _)| at + 1),
        None => 1,
    }
}
