//! The grammar of rules: `drop(universal) <= 0.05`, `agreement(word-salad) <= chance + 0.1`, `change(accuracy) >= -1%`.
//!
//! ```text
//! rule    = sum ("<=" | "<" | ">=" | ">") sum
//! sum     = ["-"] term (("+" | "-") term)*
//! term    = NUMBER ["%"] | "chance" | measure
//! measure = NAME | "attack(" name of an attack ")." NAME | NAME "(" name of a part, group or slice ")" | "change(" measure ")"
//! ```

use std::fmt;
use std::str::FromStr;

/// A rule that findings must keep.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// As the user wrote it.
    pub text: String,
    pub(super) left: Vec<(f64, Term)>,
    pub(super) compare: Compare,
    pub(super) right: Vec<(f64, Term)>,
}

/// How both sides must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compare {
    AtMost,
    Below,
    AtLeast,
    Above,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Number(f64),
    /// What guessing gives, for the row that the rule speaks of.
    Chance,
    Measure(Call),
}

/// `drop(typos)`, `accuracy`, `change(drop(typos))`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub measure: String,
    pub of: Option<String>,
    /// The difference to the baseline.
    pub change: bool,
}

/// A rule that cannot be read, or names something unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rule `{rule}` {why}")]
pub struct BadRule {
    pub rule: String,
    pub why: String,
}

impl FromStr for Rule {
    type Err = BadRule;

    fn from_str(text: &str) -> Result<Self, BadRule> {
        let bad = |why: String| BadRule { rule: text.trim().into(), why };
        let signs = [("<=", Compare::AtMost), (">=", Compare::AtLeast), ("<", Compare::Below), (">", Compare::Above)];
        // A name in brackets may hold any sign: `flips(prejudice: men > women)`.
        let mut depth = 0;
        let outside = text.char_indices().find(|(_, letter)| {
            depth += i32::from(*letter == '(') - i32::from(*letter == ')');
            depth == 0 && matches!(letter, '<' | '>')
        });
        let found = outside.and_then(|(at, _)| {
            let after = &text[at..];
            let (sign, compare) = signs.iter().find(|(sign, _)| after.starts_with(sign))?;
            Some(((&text[..at], &after[sign.len()..]), *compare))
        });
        let Some(((left, right), compare)) = found else {
            if text.matches('(').count() != text.matches(')').count() {
                return Err(bad("has a bracket that does not close".into()));
            }
            return Err(bad("compares nothing: write `drop(typos) <= 0.05`, with one of <= < >= >".into()));
        };
        let rule =
            Self { text: text.trim().into(), left: sum(left).map_err(bad)?, compare, right: sum(right).map_err(bad)? };
        if rule.calls().next().is_none() {
            return Err(bad("measures nothing: it has only numbers".into()));
        }
        // Such a rule would hold always or never. The entropy of an answer is no share.
        let shares = rule.calls().all(|call| call.measure != "entropy");
        if let Some(limit) =
            [&rule.left, &rule.right].into_iter().filter_map(|side| number(side)).find(|limit| shares && *limit > 1.0)
        {
            return Err(bad(format!(
                "compares with {limit}, but what it measures is at most 1: write {limit}% if that is meant"
            )));
        }
        Ok(rule)
    }
}

impl Rule {
    /// Everything it measures.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Call> {
        self.left.iter().chain(&self.right).filter_map(|(_, term)| match term {
            Term::Measure(call) => Some(call),
            _ => None,
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = match &self.of {
            Some(of) => match self.measure.split_once('.') {
                Some((kind, measure)) => format!("{kind}({of}).{measure}"),
                None => format!("{}({of})", self.measure),
            },
            None => self.measure.clone(),
        };
        if self.change { write!(f, "change({plain})") } else { f.write_str(&plain) }
    }
}

/// What a side without measures comes to, whatever its sign.
fn number(side: &[(f64, Term)]) -> Option<f64> {
    let terms = side.iter().map(|(sign, term)| match term {
        Term::Number(number) => Some(sign * number),
        _ => None,
    });
    terms.sum::<Option<f64>>().map(f64::abs)
}

fn sum(text: &str) -> Result<Vec<(f64, Term)>, String> {
    let mut terms = Vec::new();
    let mut rest = text.trim();
    let mut sign = 1.0;
    if let Some(after) = rest.strip_prefix('-') {
        (sign, rest) = (-1.0, after.trim_start());
    }
    loop {
        let (read, after) = term(rest)?;
        terms.push((sign, read));
        rest = after.trim_start();
        match rest.chars().next() {
            None => return Ok(terms),
            Some('+') => sign = 1.0,
            Some('-') => sign = -1.0,
            Some(_) => return Err(format!("has `{rest}` where `+`, `-` or an end should be")),
        }
        rest = rest[1..].trim_start();
    }
}

/// The first term of a text, and what follows it.
fn term(text: &str) -> Result<(Term, &str), String> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = text.find(|letter: char| !(is_name(letter) || letter == '.')).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.') {
        let number: f64 = word.parse().map_err(|_| format!("has `{word}`, which is not a number"))?;
        return Ok(match rest.trim_start().strip_prefix('%') {
            Some(rest) => (Term::Number(number / 100.0), rest),
            None => (Term::Number(number), rest),
        });
    }
    if word.is_empty() {
        return Err(match text {
            "" => "ends where a number or a measure should be".into(),
            _ => format!("has `{text}` where a number or a measure should be"),
        });
    }
    let Some(inner) = rest.strip_prefix('(') else {
        let plain = Call { measure: word.into(), of: None, change: false };
        return Ok((if word == "chance" { Term::Chance } else { Term::Measure(plain) }, rest));
    };
    let mut depth = 1;
    let close = inner.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    });
    let Some(close) = close else { return Err(format!("has `{text}`, whose bracket does not close")) };
    let (of, rest) = (inner[..close].trim(), &inner[close + 1..]);
    if word == "change" {
        return match term(of)? {
            (Term::Measure(call), "") if !call.change => Ok((Term::Measure(Call { change: true, ..call }), rest)),
            _ => Err(format!("asks for the change of `{of}`, which is not a measure")),
        };
    }
    if of.is_empty() {
        return Err(format!("does not say of what: `{word}()`"));
    }
    // `attack(pwws).success` is the measure `attack.success` of `pwws`.
    if let Some(after) = rest.strip_prefix('.') {
        let end = after.find(|letter: char| !is_name(letter)).unwrap_or(after.len());
        let measure = format!("{word}.{}", &after[..end]);
        return Ok((Term::Measure(Call { measure, of: Some(of.into()), change: false }), &after[end..]));
    }
    Ok((Term::Measure(Call { measure: word.into(), of: Some(of.into()), change: false }), rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn calls(text: &str) -> Vec<String> {
        text.parse::<Rule>().unwrap().calls().map(Call::to_string).collect()
    }

    #[test]
    fn rules_are_read() {
        let rule: Rule = " agreement(word-salad) <= chance + 10% ".parse().unwrap();
        assert_eq!(rule.compare, Compare::AtMost);
        assert_eq!(rule.right, [(1.0, Term::Chance), (1.0, Term::Number(0.1))]);
        assert_eq!(calls("drop(contraction+typos) < 0.05"), ["drop(contraction+typos)"]);
        assert_eq!(calls("attack(textfooler -encoder).success <= 0.3"), ["attack(textfooler -encoder).success"]);
        assert_eq!(calls("change(attack(pwws).success) <= 0"), ["change(attack(pwws).success)"]);
        assert_eq!(calls("accuracy - drop(typos) >= .8"), ["accuracy", "drop(typos)"]);
        assert_eq!(calls("change(drop(prejudice: men > women)) > -2%"), ["change(drop(prejudice: men > women))"]);
    }

    #[test]
    fn what_is_no_rule_says_why() {
        let why = |text: &str| text.parse::<Rule>().unwrap_err().why;
        assert!(why("drop(typos)").contains("compares nothing"));
        assert!(why("1 <= 2").contains("measures nothing"));
        assert!(why("accuracy > 50").contains("write 50% if that is meant"));
        assert!("entropy(shuffle) >= 1.2".parse::<Rule>().is_ok());
        assert!(why("drop(typos <= 0.1").contains("does not close"));
        assert!(why("drop() <= 0.1").contains("does not say of what"));
        assert!(why("drop(typos) <= ").contains("ends where"));
        assert!(why("drop(typos) 3 <= 0.1").contains("has `3`"));
        assert!(why("change(0.5) <= 0.1").contains("not a measure"));
        assert!(why("1.2.3 <= ece").contains("not a number"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[ a-z0-9.()<>=+%é-]{0,30}") {
            let _ = text.parse::<Rule>();
        }
    }
}
