use std::ops::Range;

use fissure_core::{Amount, Dice, Edit, EditText, Place, Proposal, Protected, Text, transform};
use fissure_text::chinese::script::{Script, script_of};
use fissure_text::chinese::{is_han, numbers};

use crate::support::chinese;

transform! {
    /// Writes numbers of a Chinese text in characters: `二十八度` for `28度`.
    ///
    /// `105` is `一百零五`, years are read digit by digit (`2008年` is `二〇〇八年`), `3.5` is `三点五`, `30%` is `百分之三十`, and two of
    /// something is `两` (`2个`), the second `第二个`. Telephone numbers, codes (`A4`, `007`, `邮编100084`), times (`12:30`), years of two
    /// digits and what is called by one (`98年`, `90后`), days that are remembered (`3·15晚会`), sums of money with a sign and
    /// groups of thousands (`72，000`) stay. A date or a span changes as a whole or not at all.
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
        "第2天的第2个人用了2小时。" => "第二天的第二个人用了两小时。",
        "90后在邮编100084看3·15晚会，来了72，000名观众。" => "90后在邮编100084看3·15晚会，来了72，000名观众。",
    ]
}

impl EditText for DigitToChar {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let found = found(text);
        let chosen = dice.choose(found.len(), self.amount.of(found.len()));
        Ok(chosen.into_iter().flat_map(|at| found[at].clone()).collect())
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for edits in found(text) {
            chinese::add(&mut places, edits, None);
        }
        Some(places)
    }
}

/// The numbers that can be written in characters, each with the edit that does so. Those of one date or span are together,
/// and left out if one of them has to stay: nobody writes `8月八日`.
fn found(text: &Text) -> Vec<Vec<Edit>> {
    let (protected, script) = (Protected::of(text), script_of(text));
    let mut found: Vec<Option<Vec<Edit>>> = Vec::new();
    let mut last = 0;
    for run in numbers::runs(text).into_iter().filter(|run| text[run.clone()].starts_with(|c: char| c.is_ascii_digit()))
    {
        // The digits behind a point were written with those before it.
        if run.start < last {
            continue;
        }
        let made = written(text, script, &run).filter(|edit| !protected.covers(edit.span));
        let linked = last > 0 && LINKS.contains(&&text[last..run.start]);
        last = made.as_ref().map_or(run.end, |edit| edit.span.end);
        match found.last_mut().filter(|_| linked) {
            Some(group) => {
                let joined = group.take().zip(made);
                *group = joined.map(|(group, edit)| group.into_iter().chain([edit]).collect());
            }
            None => found.push(made.map(|edit| vec![edit])),
        }
    }
    found.into_iter().flatten().collect()
}

/// What stands between the numbers of one date, time or span.
const LINKS: [&str; 22] = [
    "年", "年的", "月", "月份", "月的", "日", "点", "點", "时", "時", "分", "小时", "小時", "到", "至", "年到", "年至",
    "月到", "月至", "日到", "日至", "比",
];

/// What is between the digits of one number, or joins it to a sign.
const JOINS: &str = "-_/\\:：.．,+*#@$￥¥€£=~%％°&'\"·•・‧～－–—×";

/// What is no amount behind one of these: a code, read digit by digit.
const CODES: [&str; 30] = [
    "邮编",
    "郵編",
    "邮政编码",
    "电话",
    "電話",
    "手机",
    "手機",
    "热线",
    "熱線",
    "号码",
    "號碼",
    "代码",
    "代碼",
    "编号",
    "編號",
    "密码",
    "密碼",
    "型号",
    "型號",
    "帐号",
    "账号",
    "学号",
    "工号",
    "车次",
    "航班",
    "股票",
    "传真",
    "区号",
    "尾号",
    "QQ",
];

/// What is known by its day behind it: `9.11事件`.
const REMEMBERED: [&str; 12] =
    ["事件", "恐怖", "袭击", "襲擊", "地震", "大地震", "晚会", "晚會", "惨案", "运动", "運動", "空难"];

/// A run of digits as an edit that writes the number in characters, if it is a number of the text's own.
fn written(text: &str, script: Script, run: &Range<usize>) -> Option<Edit> {
    let (before, rest) = (&text[..run.start], &text[run.end..]);
    let fraction = rest
        .strip_prefix('.')
        .map(|rest| &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()]);
    let fraction = fraction.filter(|digits| (1..=4).contains(&digits.len()));
    let mut end = run.end + fraction.map_or(0, |digits| digits.len() + 1);
    let percent = text[end..].starts_with(['%', '％']);
    end += if percent { text[end..].chars().next().map_or(0, char::len_utf8) } else { 0 };
    let behind = &text[end..];
    if (!percent && is_heading(before, behind))
        || is_joined(before.chars().rev())
        || is_joined(behind.chars())
        || is_code(before)
    {
        return None;
    }
    // `2.5财务审计` is the heading of a section.
    if fraction.is_some()
        && !percent
        && before.trim().is_empty()
        && !COUNTED.iter().any(|word| behind.starts_with(word))
    {
        return None;
    }
    // So is `附录5.2` of an appendix.
    let section = ["附录", "附錄", "框", "表", "图", "圖", "节", "節", "章", "款", "条", "條", "第"];
    if fraction.is_some() && section.iter().any(|word| before.ends_with(word)) {
        return None;
    }
    if fraction.is_some() && REMEMBERED.iter().any(|word| behind.starts_with(word)) {
        return None;
    }
    if !percent && fraction.is_some_and(|day| is_day(&text[run.clone()], day, before, behind)) {
        return None;
    }
    let mut written = write(&text[run.clone()], before, behind, fraction.is_some() || percent)?;
    if let Some(fraction) = fraction {
        written = format!("{written}点{}", numbers::write_digits(fraction)?.replace('〇', "零"));
    }
    if percent {
        written = format!("百分之{written}");
    }
    Some(Edit::replace(run.start..end, script.write(&written)))
}

/// Whether month and day are written with a point: `7.24入住`, `于7.24，`. What measures has a unit behind it or a mark, and a day
/// has more than one digit where the text does not say so otherwise.
fn is_day(month: &str, day: &str, before: &str, behind: &str) -> bool {
    let is_in = |digits: &str, most: u32| digits.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number));
    if !is_in(month, 12) || !is_in(day, 31) || month.len() > 2 || day.len() > 2 {
        return false;
    }
    const UNITS: [&str; 36] = [
        "度", "级", "級", "千", "百", "亿", "億", "多", "英", "毫", "平", "厘", "万", "萬", "折", "寸", "点", "成",
        "升", "克", "公", "里", "亩", "立", "的", "以", "左", "版", "星", "比", "兆", "瓦", "分", "尺", "吋", "倍",
    ];
    let measures = || COUNTED.iter().chain(&UNITS).any(|unit| behind.starts_with(unit));
    let dated = ["于", "从", "自", "在", "至", "到", "是"].iter().any(|word| before.ends_with(word));
    (behind.starts_with(is_han) && !measures()) || (dated && !measures() && day.len() == 2)
}

/// Whether a number goes on, by the characters beside it: only what stands between Chinese characters and marks of a sentence
/// is a number of the text's own. `5 000` and `72，000` are groups of thousands, `iPhone 14` is a name.
fn is_joined(mut beside: impl Iterator<Item = char>) -> bool {
    match beside.next() {
        Some(c) if c.is_ascii_alphanumeric() || JOINS.contains(c) => true,
        Some('，' | '、') => beside.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) if c.is_whitespace() => beside.next().is_some_and(|c| c.is_ascii_alphanumeric()),
        _ => false,
    }
}

/// Whether a number opens a text or a sentence and counts nothing there: `14管理`, `3)你敢`, `第808(2)条`.
fn is_heading(before: &str, behind: &str) -> bool {
    let opens = before.trim_end().is_empty() || before.trim_end().ends_with(['。', '！', '？', '!', '?']);
    let counts = || COUNTED.iter().chain(&DATED).any(|word| behind.starts_with(word));
    let listed = behind.starts_with([')', '）']) && !before.ends_with(|c: char| is_han(c) || "(（".contains(c));
    let bracket = behind.strip_prefix(['(', '（']);
    (opens && behind.starts_with(is_han) && !counts() && !is_start_of_years(behind))
        || listed
        || bracket.is_some_and(|inside| inside.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// What a number at the start of a sentence dates, measures or multiplies.
const DATED: [&str; 24] = [
    "月", "日", "号", "點", "点", "时", "時", "分", "世纪", "世紀", "年", "度", "级", "級", "千", "百", "亿", "億",
    "多", "英", "毫", "平方", "厘", "万",
];

/// Whether a word before a number makes it a code: `邮编是100084`.
fn is_code(before: &str) -> bool {
    let start = before.char_indices().rev().nth(5).map_or(0, |(at, _)| at);
    CODES.iter().any(|code| before[start..].contains(code))
}

/// A run of digits in characters, as it is read between `before` and `rest`.
fn write(digits: &str, before: &str, rest: &str, part_of_more: bool) -> Option<String> {
    let year = rest.starts_with('年') && !part_of_more;
    let is_year = |digits: &str| digits.len() == 4 && ("1500".."2101").contains(&digits);
    let of_money = ["财政年度", "財政年度", "财年", "年度"].iter().any(|word| rest.starts_with(word));
    if (year || of_money || is_start_of_years(rest)) && is_year(digits) {
        return numbers::write_digits(digits);
    }
    // A year long ago is read digit by digit, a time that long is not, and only some say which.
    let ago = ["前", "后", "後", "来", "來", "以", "之", "的历史", "的歷史", "历史", "间", "間", "内", "內"];
    if year && digits.len() > 2 && !ago.iter().any(|word| rest["年".len()..].starts_with(word)) {
        return None;
    }
    // The number of a room, of a footnote or of a long list is read digit by digit, if at all.
    let long = digits.len() > 4 && !digits.ends_with("000");
    let numbered = digits.len() > 2 && rest.starts_with(['号', '號', '室', '房']);
    let quoted = before.ends_with(['(', '（', '“', '"', '‘', '[']) && rest.starts_with([')', '）', '”', '"', '’', ']']);
    if long || numbered || quoted {
        return None;
    }
    // `007` is a code, and what has seven digits or more is mostly a telephone number.
    if (digits.len() > 1 && digits.starts_with('0')) || digits.len() > 6 {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    // `98年` is mostly 1998, and so is `10年5月`; `90后` are those who were born then.
    let short = digits.len() == 2
        && year
        && !rest.starts_with("年代")
        && (number >= 50 || rest["年".len()..].starts_with(|c: char| c.is_ascii_digit()));
    if short || (rest.starts_with(['后', '後']) && number.is_multiple_of(5)) {
        return None;
    }
    let counts = COUNTED.iter().any(|word| rest.starts_with(word)) && !rest.starts_with("分之");
    // The second of a row is no two.
    let ordinal = rest.starts_with("年级")
        || rest.starts_with("年級")
        || before.ends_with(['第', '初', '周', '期', '拜', '禮', '十']);
    let floor = rest.starts_with(['层', '層']) && before.ends_with(['在', '住', '到', '上', '于']);
    if number == 2 && counts && !part_of_more && !ordinal && !floor {
        return Some("两".into());
    }
    numbers::write(number)
}

/// Whether the years go on behind the first: `1989至1993年`.
fn is_start_of_years(rest: &str) -> bool {
    let rest = rest.strip_prefix(['至', '到']);
    rest.is_some_and(|rest| {
        rest.len() > 4 && rest.as_bytes()[..4].iter().all(u8::is_ascii_digit) && rest[4..].starts_with('年')
    })
}

/// What is counted piece by piece: two of it is `两`.
const COUNTED: [&str; 62] = [
    "个", "個", "位", "名", "本", "张", "張", "件", "条", "條", "只", "隻", "家", "次", "种", "種", "天", "年", "小时",
    "小時", "小块", "块", "塊", "台", "臺", "部", "辆", "輛", "间", "間", "层", "層", "遍", "杯", "瓶", "碗", "人",
    "元", "美元", "欧元", "米", "公里", "公斤", "斤", "吨", "倍", "周", "週", "晚", "份", "双", "雙", "对", "對", "颗",
    "顆", "分钟", "分鐘", "秒", "岁", "歲", "万",
];

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use super::*;

    fn all(text: &str) -> String {
        let text = Text::from(text);
        let edits: Vec<Edit> = found(&text).into_iter().flatten().collect();
        fissure_core::splice(&text, &edits)
    }

    #[test]
    fn what_is_no_amount_stays() {
        for text in [
            "邮编100084",
            "邮编是100084。",
            "90后不懂",
            "看3·15晚会",
            "9.11事件以后",
            "来了72，000名观众",
            "约45，000",
            "花了5 000美元",
            "买了iPhone 14手机",
            "98年毕业，10年5月结婚",
            "2008年08月",
            "392年他死了，第32902节，住在217号",
            "2.5财务审计",
            "14管理人员的意见",
            "见附录5.2中的表",
            "我是7.24入住的",
            "从5.12，到现在",
            "3)你敢不敢",
            "第808(2)条",
        ] {
            assert_eq!(all(text), text);
        }
    }

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for (text, new) in [
            ("第2天第2个", "第二天第二个"),
            ("這是第2個，我買了2個", "這是第二個，我買了兩個"),
            ("2008年8月8日", "二〇〇八年八月八日"),
            ("花了2个小时、3.5元，80年代", "花了两个小时、三点五元，八十年代"),
            ("2分之1", "二分之一"),
            ("1989至1993年", "一九八九至一九九三年"),
            ("150年前", "一百五十年前"),
            ("在2000财政年度", "在二〇〇〇财政年度"),
            ("60%的人", "百分之六十的人"),
            ("2010年，105人", "二〇一〇年，一百零五人"),
        ] {
            assert_eq!(all(text), new);
        }
    }

    #[test]
    fn a_date_changes_as_a_whole() {
        let text = Text::from("8月8日来了3人");
        let found = found(&text);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    }
}
