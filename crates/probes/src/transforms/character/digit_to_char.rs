use fissure_core::{Amount, Candidate, Dice, Edit, EditText, Place, Proposal, Protected, Text, transform};
use fissure_text::chinese::numbers;
use fissure_text::chinese::script::script_of;

transform! {
    /// Writes numbers of a Chinese text in characters: `二十八度` for `28度`.
    ///
    /// `105` is `一百零五`, years are read digit by digit (`2008年` is `二〇〇八年`), `3.5` is `三点五`, `30%` is `百分之三十`, and two of
    /// something is `两` (`2个`). Telephone numbers, codes (`A4`, `007`), times (`12:30`), sums of money with a sign and
    /// numbers with a comma stay.
    pub struct DigitToChar {
        ..Amount::all();
    }
    card: {
        level: Some(Character),
        family: Some(Morphology),
        expectation: Some(Kept),
        does: &[Rewrites],
        languages: &[Chinese],
        aliases: &["DigitToChar", "Digit2Char", "CnDigit2Char"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.5"),
    }
    examples: [
        "今天28度，105个人来了。" => "今天二十八度，一百零五个人来了。",
        "2008年有2本书涨了3.5%。" => "二〇〇八年有两本书涨了百分之三点五。",
        "他跑了100米，用了12.5秒。" => "他跑了一百米，用了十二点五秒。",
        "请打13912345678，用A4纸，12:30见。" => "请打13912345678，用A4纸，12:30见。",
    ]
}

impl EditText for DigitToChar {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let found = found(text);
        let chosen = dice.choose(found.len(), self.amount.of(found.len()));
        Ok(chosen.into_iter().map(|at| found[at].clone()).collect())
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        let place = |edit: Edit| Place::new(edit.span, vec![Candidate::new(edit.with)]);
        Some(found(text).into_iter().map(place).collect())
    }
}

/// The numbers that can be written in characters, each with the edit that does so.
fn found(text: &Text) -> Vec<Edit> {
    let protected = Protected::of(text);
    let script = script_of(text);
    let mut edits: Vec<Edit> = Vec::new();
    for run in numbers::runs(text).into_iter().filter(|run| text[run.clone()].starts_with(|c: char| c.is_ascii_digit()))
    {
        if protected.covers(run.clone().into()) || edits.last().is_some_and(|edit| edit.span.end > run.start) {
            continue;
        }
        let (before, rest) = (&text[..run.start], &text[run.end..]);
        // Only what stands between Chinese characters and marks of a sentence is a number of the text's own.
        let joined = |c: char| {
            !c.is_whitespace() && (c.is_ascii_alphanumeric() || "-_/\\:：.．,+*#@$￥¥€£=~%％°&'\"".contains(c))
        };
        let fraction = rest
            .strip_prefix('.')
            .map(|rest| &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()]);
        let fraction = fraction.filter(|digits| (1..=4).contains(&digits.len()));
        let mut end = run.end + fraction.map_or(0, |digits| digits.len() + 1);
        let percent = text[end..].starts_with(['%', '％']);
        end += if percent { text[end..].chars().next().map_or(0, char::len_utf8) } else { 0 };
        if before.ends_with(joined) || text[end..].starts_with(joined) {
            continue;
        }
        let digits = &text[run.clone()];
        let Some(mut written) = write(digits, &text[end..], fraction.is_some() || percent) else { continue };
        if let Some(fraction) = fraction {
            let Some(read) = numbers::write_digits(fraction) else { continue };
            written = format!("{written}点{}", read.replace('〇', "零"));
        }
        if percent {
            written = format!("百分之{written}");
        }
        edits.push(Edit::replace(run.start..end, script.write(&written)));
    }
    edits
}

/// A run of digits in characters, as it is read before `rest`.
fn write(digits: &str, rest: &str, part_of_more: bool) -> Option<String> {
    if rest.starts_with('年') && digits.len() == 4 && !part_of_more {
        return numbers::write_digits(digits);
    }
    // `007` is a code, and what has seven digits or more is mostly a telephone number.
    if (digits.len() > 1 && digits.starts_with('0')) || digits.len() > 6 {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    let counts =
        rest.starts_with(|c: char| "个個位名本张張件条條只隻家次种種天年小块塊台部辆輛间間层層遍杯瓶碗".contains(c));
    let month = rest.starts_with("年级") || rest.starts_with("月");
    if number == 2 && counts && !part_of_more && !month {
        return Some("两".into());
    }
    numbers::write(number)
}
