//! Where a substitution holds: tests of the words around a word, written as one short string in the reviewed table.
//!
//! Alternatives are parted by `|`, the tests of one alternative by `&`; `!` before a test denies it.
//!
//! | test | holds if |
//! |---|---|
//! | `>to,that` | the next word is one of these (`COMMA` is the mark) |
//! | `<the,a` | the word before is one of these |
//! | `>>time`, `<<in` | the word after the next one, and before the one before |
//! | `>:NJ`, `<:D` | the neighbour is of one of these classes |
//! | `=NNS,JJ` | the word itself has one of these Penn tags |
//!
//! Classes: `N` noun, `J` adjective, `S` comparative or superlative, `R` adverb, `V` verb, `G` `-ing` form, `D` article,
//! determiner or possessive, `Q` personal pronoun, `P` preposition or particle, `C` number, `E` a mark or the end.

use crate::{Analysis, Penn, TokenKind};

/// The tests of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame(Vec<Vec<Test>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Test {
    denied: bool,
    /// How many tokens from the word: 0 is the word itself, negative is before it.
    place: isize,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Words(Vec<&'static str>),
    Classes(&'static str),
    Tags(Vec<Penn>),
}

impl Frame {
    /// Reads a frame; `None` if a test is not one of those above.
    pub fn parse(text: &'static str) -> Option<Self> {
        let alternatives = text.split('|').map(|tests| tests.split('&').map(Test::parse).collect());
        alternatives.collect::<Option<Vec<Vec<Test>>>>().map(Self)
    }

    /// Whether the words around the token at place `at` allow the substitution.
    pub fn holds(&self, analysis: &Analysis, at: usize) -> bool {
        self.0.iter().any(|tests| tests.iter().all(|test| test.holds(analysis, at) != test.denied))
    }

    /// Whether some word with this tag can pass: the tests of the word itself, without the words around.
    pub fn allows(&self, tag: Penn) -> bool {
        let passes = |test: &Test| match &test.what {
            What::Tags(tags) => tags.contains(&tag) != test.denied,
            _ => true,
        };
        self.0.iter().any(|tests| tests.iter().all(passes))
    }
}

impl Test {
    fn parse(text: &'static str) -> Option<Self> {
        let (denied, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        if let Some(tags) = text.strip_prefix('=') {
            let tags = tags.split(',').map(Penn::from_name).collect::<Option<Vec<Penn>>>()?;
            return Some(Self { denied, place: 0, what: What::Tags(tags) });
        }
        let signs = text.len() - text.trim_start_matches(['<', '>']).len();
        let (side, rest) = text.split_at(signs);
        let place = match side {
            ">" => 1,
            ">>" => 2,
            "<" => -1,
            "<<" => -2,
            _ => return None,
        };
        let what = match rest.strip_prefix(':') {
            Some(classes) if classes.chars().all(|class| "NJSRVGDQPCE".contains(class)) => What::Classes(classes),
            Some(_) => return None,
            None => What::Words(rest.split(',').map(|word| if word == "COMMA" { "," } else { word }).collect()),
        };
        Some(Self { denied, place, what })
    }

    fn holds(&self, analysis: &Analysis, at: usize) -> bool {
        let place = at.checked_add_signed(self.place).filter(|place| in_sentence(analysis, at, *place));
        match &self.what {
            What::Words(words) => {
                let word = place.map_or("", |place| analysis.word(place));
                words.iter().any(|known| known.eq_ignore_ascii_case(word))
            }
            What::Classes(classes) => classes.chars().any(|class| is_of_class(analysis, place, class)),
            What::Tags(tags) => analysis.tag(at).is_some_and(|tag| tags.contains(&tag.penn)),
        }
    }
}

/// Whether both tokens are of one sentence.
fn in_sentence(analysis: &Analysis, at: usize, other: usize) -> bool {
    analysis.sentence_of(at).is_some_and(|sentence| sentence.contains(&other))
}

fn is_of_class(analysis: &Analysis, place: Option<usize>, class: char) -> bool {
    let token = place.and_then(|place| analysis.tokens().get(place));
    if class == 'E' {
        return token.is_none_or(|token| token.kind == TokenKind::Mark);
    }
    let Some(tag) = place.and_then(|place| analysis.tag(place)).map(|tag| tag.penn) else { return false };
    match class {
        'N' => matches!(tag, Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps),
        'J' => tag == Penn::Jj,
        'S' => matches!(tag, Penn::Jjr | Penn::Jjs),
        'R' => matches!(tag, Penn::Rb | Penn::Rbr),
        'V' => matches!(tag, Penn::Vb | Penn::Vbd | Penn::Vbg | Penn::Vbn | Penn::Vbp | Penn::Vbz | Penn::Md),
        'G' => tag == Penn::Vbg,
        'D' => matches!(tag, Penn::Dt | Penn::Pdt | Penn::PrpPoss | Penn::Pos | Penn::Wdt),
        'Q' => tag == Penn::Prp,
        'P' => matches!(tag, Penn::In | Penn::To | Penn::Rp),
        'C' => tag == Penn::Cd,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse;

    fn holds(frame: &'static str, text: &str, word: &str) -> bool {
        let analysis = analyse(text);
        let at = (0..analysis.tokens().len()).find(|at| analysis.word(*at) == word).unwrap();
        Frame::parse(frame).unwrap().holds(&analysis, at)
    }

    #[test]
    fn frames_see_the_words_around() {
        assert!(holds(">to", "They try to win.", "try"));
        assert!(!holds(">to", "They try a cake.", "try"));
        assert!(holds("!>to", "They try a cake.", "try"));
        assert!(holds("<:D&>:E", "He saw the film.", "film"));
        assert!(!holds("<:D&!>:N", "He saw the film festival.", "film"));
        assert!(holds("=NNS|<the", "Good films win.", "films"));
        assert!(holds(">COMMA", "However, he left.", "However"));
        assert!(holds("<<in&<a", "We did it in a way.", "way"));
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        for text in ["", "to", ">:X", "=XYZ", ">>>to", ">to&", "?to"] {
            assert_eq!(Frame::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn tags_are_seen_without_the_words_around() {
        let frame = Frame::parse("=VBN&>by").unwrap();
        assert!(frame.allows(Penn::Vbn) && !frame.allows(Penn::Vbd));
    }
}
