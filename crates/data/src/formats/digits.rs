//! Whole numbers that do not fit 64 bits: JSON readers round them, so that two labels or ids become one. They are kept as
//! text, digit for digit.

use std::borrow::Cow;

/// Fewer digits than this always fit.
const FIT: usize = 19;

/// The JSON with quotes around whole numbers beyond 64 bits, at any depth.
pub(super) fn quoted(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    if !bytes.windows(FIT).any(|window| window.iter().all(u8::is_ascii_digit)) {
        return Cow::Borrowed(json);
    }
    let (mut out, mut copied) = (String::new(), 0);
    let (mut at, mut in_string) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'-' | b'0'..=b'9' if !in_string => {
                let number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
                let end = at + bytes[at..].iter().take_while(|byte| number(byte)).count();
                let written = &json[at..end];
                if is_large(written) {
                    out.push_str(&json[copied..at]);
                    out.extend(["\"", written, "\""]);
                    copied = end;
                }
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

/// A whole number, as JSON writes one, that neither 64 bits with a sign nor 64 without hold.
fn is_large(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    whole && !digits.starts_with('0') && number.parse::<i64>().is_err() && number.parse::<u64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_that_would_be_rounded_are_quoted() {
        let json = r#"{"a": 123456789012345678901234567890, "b": [-99999999999999999999], "c": 18446744073709551615}"#;
        let expected =
            r#"{"a": "123456789012345678901234567890", "b": ["-99999999999999999999"], "c": 18446744073709551615}"#;
        assert_eq!(quoted(json), expected);
        for same in [
            r#"{"a": -9223372036854775808, "b": 1234567890123456789012.5, "c": 1e400, "d": 12345678901234567890e3}"#,
            r#"{"a": "x \" 123456789012345678901234567890, ", "b": "naïve 123456789012345678901"}"#,
            "1234567890123456789",
        ] {
            assert_eq!(quoted(same), same);
        }
    }
}
