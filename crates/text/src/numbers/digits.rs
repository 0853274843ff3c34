//! Numbers in digits.

use super::{Number, Style};
use std::ops::Range;

pub(super) fn parse(text: &str) -> Option<Number> {
    let (negative, plus, unsigned) = match text.chars().next()? {
        sign @ ('-' | '\u{2212}') => (true, false, &text[sign.len_utf8()..]),
        '+' => (false, true, &text[1..]),
        _ => (false, false, text),
    };
    let body_end =
        unsigned.bytes().position(|byte| !matches!(byte, b'0'..=b'9' | b'.' | b',')).unwrap_or(unsigned.len());
    let (body, suffix) = unsigned.split_at(body_end);
    let (whole, fraction) = match body.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (body, ""),
    };
    let grouped = whole.contains(',');
    let groups_hold = !grouped || {
        let mut groups = whole.split(',');
        let first = groups.next().unwrap_or("");
        (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)
    };
    if !groups_hold || !fraction.bytes().all(|byte| byte.is_ascii_digit()) || (whole.is_empty() && fraction.is_empty())
    {
        return None;
    }
    let mut units: i64 = 0;
    for digit in whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit) {
        units = units.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
    }
    let ordinal = !suffix.is_empty();
    if ordinal && (!suffix.eq_ignore_ascii_case(ending(units)) || !fraction.is_empty() || negative || plus) {
        return None;
    }
    let digits = whole.bytes().filter(u8::is_ascii_digit).count();
    let padded = digits > 1 && whole.starts_with('0');
    let width = if padded { u8::try_from(digits).ok()? } else { digits.min(1) as u8 };
    Some(Number {
        units: if negative { -units } else { units },
        scale: u8::try_from(fraction.len()).ok()?,
        style: Style::Digits { grouped, ordinal, width, plus },
    })
}

pub(super) fn write(units: i64, scale: u8, grouped: bool, ordinal: bool, width: u8, plus: bool) -> String {
    let (scale, width) = (usize::from(scale), usize::from(width));
    let digits = format!("{:0>1$}", units.unsigned_abs(), scale + width);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let mut text = String::from(if units < 0 {
        "-"
    } else if plus {
        "+"
    } else {
        ""
    });
    for (at, digit) in whole.char_indices() {
        if grouped && at > 0 && (whole.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if scale > 0 {
        text.push('.');
        text.push_str(fraction);
    }
    if ordinal {
        text.push_str(ending(units));
    }
    text
}

/// Numbers that stand alone: between them and the next space there is nothing but ordinary punctuation, a currency or
/// a percent sign, or a unit behind them (`5kg`, `10%`, `$3.50`).
pub(super) fn find(text: &str) -> Vec<(Range<usize>, Number)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(ahead) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let mut start = at + ahead;
        let run = bytes[start..]
            .iter()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b'.' | b','))
            .unwrap_or(bytes.len() - start);
        let mut end = start + run;
        at = end;
        while matches!(bytes[end - 1], b'.' | b',') {
            end -= 1;
        }
        if start > 0 && bytes[start - 1] == b'.' && !before(text, start - 1).is_some_and(char::is_alphanumeric) {
            start -= 1;
        }
        if let Some(suffix) = text.get(end..end + 2).filter(|pair| pair.bytes().all(|byte| byte.is_ascii_alphabetic()))
        {
            let follows = text[end + 2..].chars().next();
            if parse(&text[start..end + 2]).is_some()
                && suffix.len() == 2
                && !follows.is_some_and(char::is_alphanumeric)
            {
                end += 2;
                at = at.max(end);
            }
        }
        // A sign belongs to the number when nothing that could be the left side of a minus or a hyphen precedes it.
        let signed = match before(text, start) {
            Some(sign @ ('-' | '+' | '\u{2212}')) => {
                let sign_start = start - sign.len_utf8();
                match before(text, sign_start) {
                    None => Some(sign_start),
                    Some(character) if character.is_whitespace() || matches!(character, '(' | '[' | '"') => {
                        Some(sign_start)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        start = signed.unwrap_or(start);
        if stands_alone(before(text, start), text[end..].chars())
            && let Some(number) = parse(&text[start..end])
        {
            found.push((start..end, number));
        }
    }
    found
}

fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

fn stands_alone(before: Option<char>, mut after: std::str::Chars<'_>) -> bool {
    let joins =
        |character: char| matches!(character, ':' | '/' | '-' | '_' | '@' | '#' | '\\' | '=' | '\'' | '\u{2019}');
    if before.is_some_and(|character| character.is_alphanumeric() || joins(character) || matches!(character, '.' | ','))
    {
        return false;
    }
    match after.next() {
        // `12s` and `1990s` are not twelve and 1990; `5kg` is five.
        Some('s') => after.next().is_some_and(char::is_alphanumeric),
        Some(joint) if joins(joint) => !after.next().is_some_and(char::is_alphanumeric),
        _ => true,
    }
}

/// What is written behind the digits of an ordinal.
fn ending(units: i64) -> &'static str {
    match (units % 100, units % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}
