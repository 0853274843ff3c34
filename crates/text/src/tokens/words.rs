//! Tokens that start with a letter or a digit.
//!
//! A word is a run of letters and digits that may go on over a sign (`3.5`, `AT&T`, `o'clock`, `e-mail`), or give up a
//! part of itself (`do|n't`, `5|pm`). [`Scanner::join`] decides what the sign after a run means.

use unicode_segmentation::UnicodeSegmentation;

use super::apostrophes::{fused_split, is_clitic};
use super::chars::{is_apostrophe, is_plain_letter};
use super::{Scanner, TokenKind, patterns};

/// A word while it grows: `start..end` so far, of which `run..end` is the last run without signs.
struct Growing {
    start: usize,
    run: usize,
    end: usize,
    /// Single letters with full stops between them, so far: `U.S`.
    acronym: bool,
    site: bool,
}

/// What the sign after a run does.
enum Join {
    /// It ends the word.
    No,
    /// It belongs to the word, which goes on to here and may go on further.
    On(usize),
    /// It belongs to the word, which ends here.
    Last(usize),
    /// The word parts in two: the first ends at the one place, the second at the other.
    Part(usize, usize),
}

impl Scanner<'_> {
    pub(super) fn word(&mut self) {
        let start = self.at;
        if let Some((end, kind)) = self.address(start) {
            return self.emit(end, kind);
        }
        let end = self.run_end(start);
        if !self.text[start..end].chars().all(is_plain_letter) {
            return self.emit_unicode_words(end);
        }
        let mut word = Growing { start, run: start, end, acronym: true, site: false };
        loop {
            match self.join(&mut word) {
                Join::No => break,
                Join::On(end) => word.end = end,
                Join::Last(end) => {
                    word.end = end;
                    break;
                }
                Join::Part(first, second) => {
                    self.emit(first, self.kind(start, first));
                    return self.emit(second, TokenKind::Word);
                }
            }
        }
        self.finish(&word);
    }

    /// A link, an e-mail address or an emoticon of letters.
    fn address(&mut self, start: usize) -> Option<(usize, TokenKind)> {
        const LONGEST_NAME: usize = 64;
        let rest = &self.text[start..];
        if let Some(length) = patterns::link_length(rest) {
            return Some((start + length, TokenKind::Link));
        }
        if self.next_at_sign.is_none_or(|at| at < start) {
            self.next_at_sign = Some(memchr::memchr(b'@', rest.as_bytes()).map_or(self.bytes.len(), |at| start + at));
        }
        if let Some(at_sign) = self.next_at_sign.filter(|at| at - start <= LONGEST_NAME)
            && let Some(length) = patterns::email_length(&self.bytes[start..], at_sign - start)
        {
            return Some((start + length, TokenKind::Email));
        }
        let may_smile = matches!(self.bytes[start], b'x' | b'X' | b'o' | b'O' | b'T' | b'B' | b'8');
        let loose = || start.checked_sub(1).is_none_or(|at| self.space_at(at));
        let length = (may_smile && loose()).then(|| patterns::emoticon_length(rest)).flatten()?;
        Some((start + length, TokenKind::Emoticon))
    }

    fn emit_unicode_words(&mut self, end: usize) {
        let text = self.text;
        for piece in text[self.at..end].split_word_bounds() {
            let end = self.at + piece.len();
            let kind = if piece.chars().any(char::is_alphabetic) {
                TokenKind::Word
            } else if piece.chars().any(char::is_numeric) {
                TokenKind::Number
            } else {
                TokenKind::Mark
            };
            self.emit(end, kind);
        }
    }

    fn join(&self, word: &mut Growing) -> Join {
        let Some(sign) = self.char_at(word.end) else { return Join::No };
        let after = word.end + sign.len_utf8();
        let run = &self.text[word.run..word.end];
        let first = word.run == word.start;
        let digits = self.digit_at(word.end - 1) && self.digit_at(after);
        let joined = match sign {
            '.' => self.join_full_stop(word, after),
            ':' if digits => Join::On(self.run_end(after)),
            ',' if digits && self.thousands(after) => Join::On(after + 3),
            '/' if digits => Join::On(self.run_end(after)),
            '/' if first && run.eq_ignore_ascii_case("w") => match self.short_run(after) {
                Some(rest @ ("o" | "O" | "out")) => Join::Last(after + rest.len()),
                _ => Join::Last(after),
            },
            '/' if first && is_letter(run) => match self.short_run(after) {
                Some(rest) if is_letter(rest) => Join::Last(after + rest.len()),
                _ => Join::No,
            },
            '-' if first && digits => self.hyphened_number(word.start).map_or(Join::No, Join::Last),
            '-' if first && patterns::is_prefix(run) && self.wordy_at(after) => Join::On(self.run_end(after)),
            '-' => match self.short_run(after) {
                Some(rest @ ("wise" | "esque")) => Join::On(after + rest.len()),
                _ => Join::No,
            },
            '&' if first && run.len() <= 3 && run.bytes().all(|byte| byte.is_ascii_uppercase()) || is_letter(run) => {
                match self.short_run(after) {
                    Some(rest) if rest.len() <= 2 && is_upper(rest) == is_upper(run) && !rest.is_empty() => {
                        Join::Last(after + rest.len())
                    }
                    _ => Join::No,
                }
            }
            '@' if self.wordy_at(after) => Join::On(self.run_end(after)),
            '$' if first && run.len() <= 2 && is_upper(run) => Join::Last(after),
            '+' if first && run.eq_ignore_ascii_case("c") && self.byte(after) == Some(b'+') => Join::Last(after + 1),
            '#' if first && matches!(run, "C" | "F") && !self.wordy_at(after) => Join::Last(after),
            '*' if run.len() <= 3 && run.bytes().all(|byte| byte.is_ascii_alphabetic()) => self.join_stars(after),
            _ if is_apostrophe(sign) => self.join_apostrophe(word, run, sign, after),
            _ => Join::No,
        };
        if let Join::On(_) = joined {
            word.acronym &= sign == '.';
            word.run = after;
        }
        joined
    }

    fn join_full_stop(&self, word: &mut Growing, after: usize) -> Join {
        let run = &self.text[word.run..word.end];
        let first = word.run == word.start;
        if !self.wordy_at(after) {
            let dotted = word.acronym && !first && is_letter(run);
            let initial = first && is_letter(run) && is_upper(run) && run != "I" && self.capital_follows(after);
            let number =
                first && run.eq_ignore_ascii_case("no") && self.byte(after) == Some(b' ') && self.digit_at(after + 1);
            let abbreviation = first && patterns::is_abbreviation(run);
            // `Inc..` ends with an abbreviation and a full stop, `so...` with an ellipsis.
            let more = self.byte(after) == Some(b'.') && (self.byte(after + 1) == Some(b'.') || !abbreviation);
            return if !more && (dotted || initial || number || abbreviation) { Join::Last(after) } else { Join::No };
        }
        if self.digit_at(word.end - 1) && self.digit_at(after) {
            return Join::On(self.run_end(after));
        }
        let following = self.short_run(after).unwrap_or_default();
        if word.acronym && is_letter(run) && is_letter(following) || run == "Ph" && following == "D" {
            return Join::On(after + 1);
        }
        if let Some((end, site)) = self.name_end(after) {
            word.site = site;
            return Join::On(end);
        }
        let initial = first && is_letter(run) && is_upper(run) && self.char_at(after).is_some_and(char::is_uppercase);
        if initial || first && patterns::is_abbreviation(run) { Join::Last(after) } else { Join::No }
    }

    /// Whether a space and a capital letter stand at `at`.
    fn capital_follows(&self, at: usize) -> bool {
        self.byte(at) == Some(b' ') && self.char_at(at + 1).is_some_and(char::is_uppercase)
    }

    /// Where the name of a site or a file ends that has a full stop before `at`, and whether it is a site.
    fn name_end(&self, mut at: usize) -> Option<(usize, bool)> {
        const MOST_LABELS: usize = 6;
        let mut small = self.byte(at.saturating_sub(2)).is_some_and(|byte| byte.is_ascii_lowercase());
        for labels in 1..=MOST_LABELS {
            let label = self.short_run(at).filter(|label| !label.is_empty())?;
            let end = at + label.len();
            let more = self.byte(end) == Some(b'.') && self.wordy_at(end + 1);
            small &= label.bytes().all(|byte| byte.is_ascii_lowercase());
            if !more {
                // Names such as `comp.sources.unix` have no known end, but two full stops between lower-case letters.
                let known = patterns::ends_name(label);
                return (known || small && labels > 1).then(|| (end, known && patterns::ends_site(label)));
            }
            at = end + 1;
        }
        None
    }

    /// Exactly three digits at `at`.
    fn thousands(&self, at: usize) -> bool {
        (0..3).all(|digit| self.digit_at(at + digit)) && !self.wordy_at(at + 3)
    }

    /// The end of a telephone number or a date whose groups of digits are joined by hyphens. Ranges (`10-15`) are not
    /// one number.
    fn hyphened_number(&self, start: usize) -> Option<usize> {
        const FORMS: &[&[usize]] =
            &[&[3, 4], &[3, 3, 4], &[1, 3, 3, 4], &[5, 4], &[2, 2, 4], &[1, 2, 4], &[2, 1, 4], &[2, 2, 2], &[4, 2, 2]];
        let mut groups = [0; 4];
        let mut count = 0;
        let mut at = start;
        loop {
            let length = (0..6).take_while(|digit| self.digit_at(at + digit)).count();
            *groups.get_mut(count)? = length;
            count += 1;
            at += length;
            if !(self.byte(at) == Some(b'-') && self.digit_at(at + 1)) {
                break;
            }
            at += 1;
        }
        (FORMS.contains(&&groups[..count]) && !self.wordy_at(at)).then_some(at)
    }

    /// Stars that hide letters: `f**k`.
    fn join_stars(&self, after: usize) -> Join {
        let stars = (0..6).take_while(|star| self.byte(after + star) == Some(b'*')).count();
        match self.byte(after + stars) {
            Some(byte) if byte.is_ascii_alphabetic() => Join::On(self.run_end(after + stars)),
            _ => Join::No,
        }
    }

    fn join_apostrophe(&self, word: &Growing, run: &str, sign: char, after: usize) -> Join {
        if !self.wordy_at(after) {
            return Join::No;
        }
        let rest = self.short_run(after);
        if let Some(rest) = rest {
            let end = after + rest.len();
            if rest.eq_ignore_ascii_case("t") && run.ends_with(['n', 'N']) {
                return if run.len() > 1 { Join::Part(word.end - 1, end) } else { Join::Last(end) };
            }
            if is_clitic(rest) {
                let decade = rest == "s" && run.bytes().all(|byte| byte.is_ascii_digit());
                return if decade { Join::Last(end) } else { Join::Part(word.end, end) };
            }
        }
        if matches!(sign, '\'' | '’') && !self.digit_at(word.end - 1) {
            Join::On(self.run_end(after))
        } else {
            Join::No
        }
    }

    fn finish(&mut self, word: &Growing) {
        let (start, mut end) = (word.start, word.end);
        if word.site {
            if self.byte(end) == Some(b'/') && !self.space_at(end + 1) {
                end += patterns::address_length(&self.text[end..]);
            }
            return self.emit(end, TokenKind::Link);
        }
        if let Some(part) = self.unit_split(start, end) {
            self.emit(part, TokenKind::Number);
            return self.emit(end, TokenKind::Word);
        }
        if word.run == start
            && let Some(part) = fused_split(&self.text[start..end])
        {
            self.emit(start + part, TokenKind::Word);
            return self.emit(end, TokenKind::Word);
        }
        self.emit(end, self.kind(start, end));
    }

    /// Where a number parts from the unit written onto it.
    fn unit_split(&self, start: usize, end: usize) -> Option<usize> {
        if !self.digit_at(start) {
            return None;
        }
        let text = &self.text[start..end];
        let part = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | ':'))?;
        patterns::is_unit(&text[part..]).then_some(start + part)
    }

    fn kind(&self, start: usize, end: usize) -> TokenKind {
        let text = &self.text[start..end];
        if text.chars().any(char::is_alphabetic) {
            TokenKind::Word
        } else if text.chars().any(char::is_numeric) {
            TokenKind::Number
        } else {
            TokenKind::Mark
        }
    }
}

fn is_letter(run: &str) -> bool {
    run.len() == 1 && run.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_upper(run: &str) -> bool {
    run.bytes().all(|byte| byte.is_ascii_uppercase())
}
