//! Writes text from a grammar: draws lines, remembers what the review has said, and sees to spelling at the joints.

use std::collections::{BTreeMap, BTreeSet};

use fissure_core::Dice;

use super::grammar::{Grammar, Line, Piece, Section, Sign, filled};

/// Writes one text. What it has drawn it remembers, so that a text keeps to one film and does not repeat itself.
pub(super) struct Generator<'a> {
    grammar: &'a Grammar,
    dice: Dice,
    /// Lines already drawn, by section and line.
    used: BTreeSet<(usize, usize)>,
    /// The words of drawn lines that are nothing but words, whichever section they stood in.
    said: BTreeSet<&'a str>,
    /// What `once` sections stand for in this text, and whether it was mentioned yet.
    settled: BTreeMap<usize, (usize, bool)>,
}

impl<'a> Generator<'a> {
    pub fn new(grammar: &'a Grammar, dice: Dice) -> Self {
        Self { grammar, dice, used: BTreeSet::new(), said: BTreeSet::new(), settled: BTreeMap::new() }
    }

    /// Settles a `once` section on one of its lines that say `word`, whatever their weight.
    pub fn settle(&mut self, name: &str, word: &str) {
        let Some((number, section)) = self.grammar.section(name, Sign::Plus) else { return };
        let says_it = |line: &Line| line.words().is_some_and(|words| words.contains(word));
        let lines: Vec<usize> = (0..section.lines.len()).filter(|&line| says_it(&section.lines[line])).collect();
        if let Some(&line) = self.dice.pick(&lines) {
            self.settled.insert(number, (line, false));
        }
    }

    /// A text for the section `name`, carrying the opinion `sign`.
    pub fn write(mut self, name: &str, sign: Sign) -> String {
        let mut raw = String::new();
        self.expand(name, None, sign, &mut raw);
        polish(&raw)
    }

    fn expand(&mut self, name: &str, argument: Option<&str>, sign: Sign, out: &mut String) {
        // The grammar was checked: every name that can be reached is there.
        let Some((number, section)) = self.grammar.section(name, sign) else { return };
        let (line, again) = if section.once {
            let settled = self.settled.get(&number).copied();
            let (line, mentioned) = settled.unwrap_or_else(|| (self.draw(number, section), false));
            self.settled.insert(number, (line, true));
            (&section.lines[line], mentioned)
        } else {
            (&section.lines[self.draw(number, section)], false)
        };
        let pieces = line.later.as_ref().filter(|_| again).unwrap_or(&line.first);
        for piece in pieces {
            match piece {
                Piece::Words(words) => out.push_str(words),
                Piece::Reference { name, argument: given, turned } => {
                    self.expand(&filled(name, argument), given.as_deref(), sign.turned(*turned), out);
                }
            }
        }
    }

    /// Draws a line by weight: one that was not drawn or said before, while there is one.
    fn draw(&mut self, number: usize, section: &'a Section) -> usize {
        let fresh = |(at, line): (usize, &Line)| {
            let stale =
                self.used.contains(&(number, at)) || line.words().is_some_and(|words| self.said.contains(words));
            if stale { 0 } else { line.weight }
        };
        let mut weights: Vec<usize> = section.lines.iter().enumerate().map(fresh).collect();
        if weights.iter().all(|&weight| weight == 0) {
            weights = section.lines.iter().map(|line| line.weight).collect();
        }
        let mut ticket = self.dice.below(weights.iter().sum());
        let mut drawn = 0;
        while ticket >= weights[drawn] {
            ticket -= weights[drawn];
            drawn += 1;
        }
        self.used.insert((number, drawn));
        self.said.extend(section.lines[drawn].words());
        drawn
    }
}

/// Puts the joints of a text right: `a` before a vowel sound becomes `an`, and a sentence starts with a capital. Chinese has
/// no spaces.
fn polish(raw: &str) -> String {
    if raw.contains(fissure_core::is_han) {
        return raw.split_whitespace().collect();
    }
    let mut polished = String::with_capacity(raw.len() + 8);
    let mut words = raw.split_whitespace().peekable();
    let mut starts = true;
    while let Some(word) = words.next() {
        if !polished.is_empty() {
            polished.push(' ');
        }
        let article = word == "a" && words.peek().is_some_and(|next| sounds_like_a_vowel(next));
        let word = if article { "an" } else { word };
        let mut letters = word.chars();
        match letters.next() {
            Some(letter) if starts => polished.extend(letter.to_uppercase().chain(letters)),
            _ => polished.push_str(word),
        }
        starts = word.ends_with(['.', '!', '?']);
    }
    polished
}

/// Whether a word takes `an`: by its first letter, but for the usual exceptions.
fn sounds_like_a_vowel(word: &str) -> bool {
    let word = word.to_lowercase();
    let silent_h = ["hour", "honest", "honour", "heir"].iter().any(|start| word.starts_with(start));
    let like_you_or_one = ["uni", "use", "usual", "eu", "one", "once"].iter().any(|start| word.starts_with(start));
    silent_h || (word.starts_with(['a', 'e', 'i', 'o', 'u']) && !like_you_or_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_put_right() {
        assert_eq!(
            polish("what a  absorbing plot. a heiress, a unique one!"),
            "What an absorbing plot. An heiress, a unique one!"
        );
        assert_eq!(polish("I saw it. it took a hour"), "I saw it. It took an hour");
        assert_eq!(polish(""), "");
    }

    #[test]
    fn a_text_keeps_to_what_it_settled_and_does_not_repeat_itself() {
        let source = "[a]\n{name} {word} {word} {name}\n[name once]\n0: Ada L. | Ada\nBob R. | Bob\n[word]\nx\ny";
        let grammar = Grammar::read(source, &["a"]).expect("a good grammar");
        for seed in 0..20 {
            let text = Generator::new(&grammar, Dice::new(seed, &[])).write("a", Sign::Plus);
            assert!(["Bob R. X y Bob", "Bob R. Y x Bob"].contains(&text.as_str()), "{text}");
        }
        let mut pen = Generator::new(&grammar, Dice::new(0, &[]));
        pen.settle("name", "Ada");
        let text = pen.write("a", Sign::Plus);
        assert!(text.starts_with("Ada L. ") && text.ends_with(" Ada"), "{text}");
    }
}
