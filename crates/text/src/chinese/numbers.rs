//! Numbers in Chinese characters and in digits, both ways.

use std::ops::Range;

const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The largest number that is written or read.
pub const LARGEST: u64 = 999_999_999_999;

/// A number in characters: 105 is `一百零五`, 2008 is `二千零八`, 15 is `十五`.
pub fn write(number: u64) -> Option<String> {
    if number > LARGEST {
        return None;
    }
    if number == 0 {
        return Some("零".into());
    }
    let mut groups: Vec<(u64, &str)> = Vec::new();
    let mut rest = number;
    for unit in ["", "万", "亿"] {
        groups.push((rest % 10_000, unit));
        rest /= 10_000;
    }
    let mut written = String::new();
    let mut gap = false;
    for (group, unit) in groups.into_iter().rev() {
        if group == 0 {
            gap = !written.is_empty();
            continue;
        }
        if gap || (!written.is_empty() && group < 1000) {
            written.push('零');
        }
        write_group(group, &mut written);
        written.push_str(unit);
        gap = false;
    }
    // Ten is `十`, and so is the ten of 10 to 19 at the start.
    Some(match written.strip_prefix("一十") {
        Some(rest) => format!("十{rest}"),
        None => written,
    })
}

fn write_group(group: u64, written: &mut String) {
    let mut gap = false;
    let mut begun = false;
    for (size, unit) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
        let digit = group / size % 10;
        if digit == 0 {
            gap = begun;
            continue;
        }
        if gap {
            written.push('零');
        }
        written.push(DIGITS[digit as usize]);
        written.push_str(unit);
        (gap, begun) = (false, true);
    }
}

/// Digit by digit, as years and telephone numbers are read: 1998 is `一九九八`.
pub fn write_digits(digits: &str) -> Option<String> {
    digits
        .chars()
        .map(|digit| digit.to_digit(10).map(|digit| if digit == 0 { '〇' } else { DIGITS[digit as usize] }))
        .collect()
}

/// The value of a number in characters; `None` if it is none, or is not written as numbers are (`三五`).
pub fn read(text: &str) -> Option<u64> {
    let (mut whole, mut group, mut digit) = (0_u64, 0_u64, None);
    let mut least = u64::MAX;
    // The unit before a last digit without one: `三百五` is 350.
    let mut last_unit = None;
    for c in text.chars() {
        match c {
            '零' | '〇' if digit.is_none() => last_unit = None,
            '十' | '百' | '千' => {
                let unit = match c {
                    '十' => 10,
                    '百' => 100,
                    _ => 1000,
                };
                let count = match digit.take() {
                    Some(count) => count,
                    None if unit == 10 && group == 0 => 1,
                    None => return None,
                };
                if unit >= least {
                    return None;
                }
                (least, last_unit) = (unit, Some(unit));
                group += count * unit;
            }
            '万' | '亿' | '萬' | '億' => {
                let unit = if matches!(c, '万' | '萬') { 10_000 } else { 100_000_000 };
                group += digit.take().unwrap_or(0);
                if group == 0 && whole == 0 {
                    return None;
                }
                whole = if unit == 100_000_000 { (whole + group).checked_mul(unit)? } else { whole + group * unit };
                (group, least, last_unit) = (0, u64::MAX, Some(unit));
            }
            _ => {
                let value = value_of(c)?;
                if digit.replace(value).is_some() {
                    return None;
                }
            }
        }
    }
    let ones = match (digit, last_unit) {
        (Some(digit), Some(unit)) if unit > 10 => digit * (unit / 10),
        (Some(digit), _) => digit,
        (None, _) => 0,
    };
    let total = whole.checked_add(group)?.checked_add(ones)?;
    (!text.is_empty() && total <= LARGEST).then_some(total)
}

/// The value of one digit in characters.
pub fn value_of(c: char) -> Option<u64> {
    match c {
        '〇' => Some(0),
        '两' | '兩' => Some(2),
        _ => DIGITS.iter().position(|digit| *digit == c).map(|at| at as u64),
    }
}

/// Whether the character is part of numbers.
pub fn is_numeral(c: char) -> bool {
    value_of(c).is_some() || matches!(c, '十' | '百' | '千' | '万' | '亿' | '萬' | '億')
}

/// The runs of numerals in characters, and of digits.
pub fn runs(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<(Range<usize>, bool)> = Vec::new();
    for (at, c) in text.char_indices() {
        let (digit, numeral) = (c.is_ascii_digit(), is_numeral(c));
        if !digit && !numeral {
            continue;
        }
        match found.last_mut() {
            Some((range, digits)) if range.end == at && *digits == digit => range.end = at + c.len_utf8(),
            _ => found.push((at..at + c.len_utf8(), digit)),
        }
    }
    found.into_iter().map(|(range, _)| range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_written_as_people_write_them() {
        for (number, written) in [
            (0, "零"),
            (2, "二"),
            (10, "十"),
            (15, "十五"),
            (20, "二十"),
            (105, "一百零五"),
            (110, "一百一十"),
            (150, "一百五十"),
            (1005, "一千零五"),
            (1050, "一千零五十"),
            (2008, "二千零八"),
            (10_000, "一万"),
            (100_000, "十万"),
            (120_003, "十二万零三"),
            (1_000_000_000, "十亿"),
            (100_010_000, "一亿零一万"),
            (100_000_001, "一亿零一"),
        ] {
            assert_eq!(write(number).as_deref(), Some(written));
            assert_eq!(read(written), Some(number), "{written}");
        }
        assert_eq!(write_digits("1998").as_deref(), Some("一九九八"));
        assert_eq!(write_digits("2008").as_deref(), Some("二〇〇八"));
        assert_eq!(
            (read("两百"), read("三百五"), read("一万二"), read("两千")),
            (Some(200), Some(350), Some(12_000), Some(2000))
        );
        for text in ["", "三五", "百", "一九九八", "十十", "五百千", "a", "万"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(number in 0..=LARGEST) {
            let written = write(number).unwrap();
            prop_assert_eq!(read(&written), Some(number), "{}", written);
        }

        #[test]
        fn runs_lie_in_the_text(text in "[一二十百万零a1 2，]{0,30}") {
            for run in runs(&text) {
                prop_assert!(text.is_char_boundary(run.start) && text.is_char_boundary(run.end) && run.start < run.end);
            }
        }
    }
}
