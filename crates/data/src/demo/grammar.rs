//! Reads a grammar file (its notation is explained at the top of `reviews.txt`) and checks it once, so that writing
//! from it cannot fail.

use std::collections::{BTreeMap, BTreeSet};

/// A grammar: named sections of lines, each line words and references to other sections.
#[derive(Debug)]
pub(super) struct Grammar {
    sections: Vec<Section>,
    /// Where a name leads for a positive and for a negative opinion; the same section for most names.
    by_name: BTreeMap<String, [Option<usize>; 2]>,
}

#[derive(Debug, Default)]
pub(super) struct Section {
    pub once: bool,
    pub lines: Vec<Line>,
    /// Where its heading stands in the file.
    at: usize,
}

#[derive(Debug)]
pub(super) struct Line {
    pub weight: usize,
    pub first: Vec<Piece>,
    /// How a `once` section speaks of the same thing again.
    pub later: Option<Vec<Piece>>,
    at: usize,
}

#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Words(String),
    Reference { name: String, argument: Option<String>, turned: bool },
}

/// The opinion that a piece of text carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// A reference as it is met in the check: a section, what it is given, and the opinion it must carry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    name: String,
    argument: Option<String>,
    sign: Sign,
}

/// Why a grammar cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the grammar: {what}")]
pub(super) struct GrammarError {
    line: usize,
    what: String,
}

impl Sign {
    pub fn turned(self, turn: bool) -> Self {
        match (self, turn) {
            (Self::Plus, false) | (Self::Minus, true) => Self::Plus,
            (Self::Minus, false) | (Self::Plus, true) => Self::Minus,
        }
    }
}

impl Grammar {
    /// Reads a grammar and checks everything that can be reached from the sections called `roots`.
    pub fn read(source: &str, roots: &[&str]) -> Result<Self, GrammarError> {
        let mut grammar = Self { sections: Vec::new(), by_name: BTreeMap::new() };
        for (index, line) in source.lines().enumerate() {
            let (at, line) = (index + 1, line.trim());
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(heading) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                grammar.open(heading, at)?;
            } else if let Some(section) = grammar.sections.last_mut() {
                section.lines.push(Line::read(line, section.once, at)?);
            } else {
                return Err(wrong(at, format!("`{line}` comes before the first [section]")));
            }
        }
        if let Some(empty) = grammar.sections.iter().find(|section| section.lines.is_empty()) {
            return Err(wrong(empty.at, "the section has no lines"));
        }
        let mut done = BTreeSet::new();
        for root in roots {
            for sign in [Sign::Plus, Sign::Minus] {
                let call = Call { name: root.to_string(), argument: None, sign };
                grammar.check(&call, 0, &mut Vec::new(), &mut done)?;
            }
        }
        Ok(grammar)
    }

    /// The section that `name` leads to, with its number.
    pub fn section(&self, name: &str, sign: Sign) -> Option<(usize, &Section)> {
        let number = self.by_name.get(name)?[sign as usize]?;
        Some((number, self.sections.get(number)?))
    }

    /// Starts the section that a heading names.
    fn open(&mut self, heading: &str, at: usize) -> Result<(), GrammarError> {
        let (name, signs, once) = match heading.split_whitespace().collect::<Vec<_>>()[..] {
            [name] => (name, [true, true], false),
            [name, "once"] => (name, [true, true], true),
            [name, "+"] => (name, [true, false], false),
            [name, "-"] => (name, [false, true], false),
            _ => return Err(wrong(at, format!("[{heading}] is none of [name], [name +], [name -], [name once]"))),
        };
        let number = self.sections.len();
        self.sections.push(Section { once, lines: Vec::new(), at });
        let places = self.by_name.entry(name.to_owned()).or_default();
        for (place, taken) in places.iter_mut().zip(signs) {
            if taken && place.replace(number).is_some() {
                return Err(wrong(at, format!("[{heading}] was given before")));
            }
        }
        Ok(())
    }

    /// Follows every reference from one section on; `line` is where it was called, `path` the calls on the way there.
    fn check(
        &self,
        call: &Call,
        line: usize,
        path: &mut Vec<Call>,
        done: &mut BTreeSet<Call>,
    ) -> Result<(), GrammarError> {
        let Call { name, argument, sign } = call;
        if path.contains(call) {
            return Err(wrong(line, format!("{{{name}}} leads back to itself, and the text would never end")));
        }
        let Some((_, section)) = self.section(name, *sign) else {
            return Err(wrong(line, format!("{{{name}}} has no section for a {sign:?} opinion")));
        };
        if !section.lines.iter().any(|line| line.weight > 0) {
            return Err(wrong(section.at, "every line has weight 0: none could be drawn"));
        }
        if !done.insert(call.clone()) {
            return Ok(());
        }
        path.push(call.clone());
        for line in &section.lines {
            for piece in line.first.iter().chain(line.later.iter().flatten()) {
                if let Piece::Reference { name, argument: given, turned } = piece {
                    let name = filled(name, argument.as_deref());
                    let next = Call { name, argument: given.clone(), sign: sign.turned(*turned) };
                    self.check(&next, line.at, path, done)?;
                }
            }
        }
        path.pop();
        Ok(())
    }
}

impl Line {
    /// What the line says, where it is nothing but words.
    pub fn words(&self) -> Option<&str> {
        match &self.first[..] {
            [Piece::Words(words)] => Some(words),
            _ => None,
        }
    }

    fn read(line: &str, once: bool, at: usize) -> Result<Self, GrammarError> {
        let (weight, words) = match line.split_once(':') {
            Some((weight, words)) if weight.bytes().all(|byte| byte.is_ascii_digit()) => {
                let weight = weight.parse().map_err(|_| wrong(at, format!("`{weight}` is not a weight")))?;
                (weight, words.trim())
            }
            _ => (1, line),
        };
        let (first, later) = match words.split_once('|') {
            Some(_) if !once => return Err(wrong(at, "`first | later` belongs into a [name once] section")),
            Some((first, later)) => (first.trim(), Some(pieces(later.trim(), at)?)),
            None => (words, None),
        };
        Ok(Self { weight, first: pieces(first, at)?, later, at })
    }
}

/// Puts the argument of a reference where its section says `@`.
pub(super) fn filled(name: &str, argument: Option<&str>) -> String {
    argument.map_or_else(|| name.to_owned(), |argument| name.replace('@', argument))
}

/// Splits a line into words and references.
fn pieces(mut rest: &str, at: usize) -> Result<Vec<Piece>, GrammarError> {
    let mut pieces = Vec::new();
    while let Some((words, tail)) = rest.split_once('{') {
        let Some((reference, tail)) = tail.split_once('}') else {
            return Err(wrong(at, format!("`{{{tail}` is never closed with }}")));
        };
        if !words.is_empty() {
            pieces.push(Piece::Words(words.to_owned()));
        }
        let turned = reference.starts_with('!');
        let reference = reference.trim_start_matches('!');
        let (name, argument) = reference.split_once(':').map_or((reference, None), |(name, word)| (name, Some(word)));
        pieces.push(Piece::Reference { name: name.to_owned(), argument: argument.map(str::to_owned), turned });
        rest = tail;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest.to_owned()));
    }
    Ok(pieces)
}

fn wrong(line: usize, what: impl Into<String>) -> GrammarError {
    GrammarError { line, what: what.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(source: &str) -> String {
        Grammar::read(source, &["a"]).map(|_| ()).expect_err("the grammar is wrong").to_string()
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert_eq!(error("x\n[a]\n"), "line 1 of the grammar: `x` comes before the first [section]");
        assert_eq!(error("[a]\n\n{b}"), "line 3 of the grammar: {b} has no section for a Plus opinion");
        assert_eq!(error("[a]\n{!b}\n[b +]\nx"), "line 2 of the grammar: {b} has no section for a Minus opinion");
        assert_eq!(error("[a]\nx\n[a]\ny"), "line 3 of the grammar: [a] was given before");
        assert_eq!(error("[a]\nx {b"), "line 2 of the grammar: `{b` is never closed with }");
        assert_eq!(error("[a]\n[b]\nx"), "line 1 of the grammar: the section has no lines");
        assert_eq!(error("[a]\n0: x"), "line 1 of the grammar: every line has weight 0: none could be drawn");
        assert_eq!(error("[a]\nx | y"), "line 2 of the grammar: `first | later` belongs into a [name once] section");
        assert_eq!(
            error("[a]\n{b}\n[b]\n{a}"),
            "line 4 of the grammar: {a} leads back to itself, and the text would never end"
        );
        assert_eq!(
            error("[a twice]\nx"),
            "line 1 of the grammar: [a twice] is none of [name], [name +], [name -], [name once]"
        );
        assert_eq!(
            error("[a]\n{b:c}\n[b]\nthe {@-x}"),
            "line 4 of the grammar: {c-x} has no section for a Plus opinion"
        );
    }

    #[test]
    fn a_line_is_words_and_references() {
        let line = Line::read("3: a {!b:c} d", false, 1).expect("a good line");
        let reference = Piece::Reference { name: "b".into(), argument: Some("c".into()), turned: true };
        assert_eq!(line.weight, 3);
        assert_eq!(line.first, [Piece::Words("a ".into()), reference, Piece::Words(" d".into())]);
    }
}
