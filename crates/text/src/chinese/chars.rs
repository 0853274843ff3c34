//! What kinds of characters there are in a Chinese text.

/// Whether it is a Chinese character, rare ones and those beyond the basic plane included.
pub fn is_han(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}'
        | '\u{3007}' | '\u{3005}')
}

/// Whether all of a text is Chinese characters, and there is one at least.
pub fn all_han(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_han)
}

/// Whether a sentence ends here.
pub(super) fn ends_sentence(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '；' | '!' | '?' | ';' | '…' | '｡' | '\n')
}

/// Whether it closes what was opened before: the mark of a sentence takes it along.
pub(super) fn closes(c: char) -> bool {
    matches!(c, '”' | '’' | '」' | '』' | '）' | '》' | '〉' | '】' | ')' | '"')
}

/// A kind of character, as the segmenter sees it.
pub(super) fn kind(c: char) -> u32 {
    match c {
        '零' | '〇' | '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' | '百' | '千' | '万'
        | '亿' | '两' => 5,
        '年' | '月' | '日' | '时' | '分' | '秒' => 8,
        '0'..='9' => 1,
        'a'..='z' | 'A'..='Z' => 2,
        '\0' => 7,
        '\u{4e00}'..='\u{9fff}' => 0,
        _ if c.is_whitespace() => 6,
        _ if !c.is_alphanumeric() => 3,
        _ => 4,
    }
}

/// The character that the taggers see: treebanks write marks at half width, and in simplified characters.
pub(crate) fn plain(c: char) -> char {
    match c {
        '\u{20}'..='\u{7e}' => c,
        '。' | '｡' => '.',
        '『' | '「' => '“',
        '』' | '」' => '”',
        '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => super::script::simplified_char(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for c in ['我', '𠮷', '〇', '々', '㐀'] {
            assert!(is_han(c), "{c}");
        }
        for c in ['a', 'あ', '한', '，', '😀', '1', 'é'] {
            assert!(!is_han(c), "{c}");
        }
        assert_eq!(['，', '。', 'Ａ', 'a', '“'].map(plain), [',', '.', 'A', 'a', '“']);
    }
}
