//! Well-known people and places in a text, with what can be said of them in passing.

use std::ops::Range;

use fissure_core::Text;
use fissure_text::TokenKind;
use fissure_text::names::instances::{self, Instance, Kind};
use fissure_text::names::{films, people};

use super::annotated::Annotated;

/// A name that is known, by tokens.
pub(crate) struct Known {
    pub tokens: Range<usize>,
    pub instance: Instance,
}

/// The well-known names of a text, the longest first at each place, in order.
pub(crate) fn find(text: &Text) -> Vec<Known> {
    let annotated = Annotated::of(text);
    let tokens = annotated.analysis().tokens();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let capital = annotated.word(at).starts_with(char::is_uppercase) && tokens[at].kind == TokenKind::Word;
        let known =
            capital.then(|| (1..=instances::LONGEST).rev().find_map(|count| known(&annotated, at, count))).flatten();
        match known {
            Some(known) => {
                at = known.tokens.end;
                found.push(known);
            }
            None => at += 1,
        }
    }
    found
}

fn known(annotated: &Annotated, at: usize, count: usize) -> Option<Known> {
    let tokens = annotated.analysis().tokens();
    let bytes = annotated.analysis().bytes(at..at + count);
    let name = annotated.analysis().text().get(bytes).filter(|_| at + count <= tokens.len())?;
    let instance = instances::find(name)?;
    let capital = |at: usize| annotated.word(at).starts_with(char::is_uppercase);
    // A name goes on to the left and right: `St. Paul Pioneer`, `Van Gogh Street`.
    let part = (at > 0 && capital(at - 1) && !annotated.starts_sentence(at - 1))
        || (capital(at + count) && !annotated.starts_sentence(at + count));
    let hyphen = !annotated.stands_free(at) || !annotated.stands_free(at + count - 1);
    // One word alone is a first name, or somebody else with that surname.
    let alone = count == 1
        && instance.kind == Kind::Person
        && (people::is_first_name(name)
            || people::surname_rank(name).is_some_and(|rank| rank < 3_000)
            || name.len() < 5);
    (!part && !hyphen && !alone).then_some(Known { tokens: at..at + count, instance })
}

/// Whether a description can stand behind the tokens: not before `'s`, a bracket, or the rest of a name or noun.
pub(crate) fn takes_aside(annotated: &Annotated, tokens: &Range<usize>) -> bool {
    use fissure_text::Penn;
    let next = tokens.end;
    let clings = annotated.word(next).starts_with(['\'', '\u{2019}', '(', '-', '/', '&']);
    let goes_on = matches!(
        annotated.penn(next),
        Some(Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Jj | Penn::Pos | Penn::Cd | Penn::Vbg | Penn::Vbn)
    );
    // `New York , N.Y. ,` and `Smith , 49 ,` have an aside already.
    let has_one = annotated.word(next) == ",";
    let opened = {
        let text = annotated.analysis().text();
        let start = annotated.analysis().tokens().get(tokens.start).map_or(0, |token| token.span.start);
        let before = &text[..start];
        before.matches('(').count() > before.matches(')').count() || before.matches('"').count() % 2 == 1
    };
    !clings && !goes_on && !has_one && !opened
}

/// The film whose title stands at these tokens.
pub(crate) fn film(annotated: &Annotated, at: usize) -> Option<(Range<usize>, &'static films::Film)> {
    let tokens = annotated.analysis().tokens();
    (1..=6usize).rev().filter(|count| at + count <= tokens.len()).find_map(|count| {
        let bytes = annotated.analysis().bytes(at..at + count);
        let film = films::find(annotated.analysis().text().get(bytes)?)?;
        Some((at..at + count, film))
    })
}
