//! Where Chinese sentences end: at 。！？；…… and line breaks, with a closing mark taken along.

use std::ops::Range;

use super::chars::{closes, ends_sentence};

/// The sentences of a text, as byte ranges without the white space around them.
///
/// ```
/// let text = "他说：“好。”我走了！\n再见";
/// let found: Vec<&str> = fissure_text::chinese::sentences(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["他说：“好。”", "我走了！", "再见"]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if !ends_sentence(c) || (c == ';' && ends_entity(&text[..at])) {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((at, next)) =
            characters.next_if(|(_, next)| *next != '\n' && (ends_sentence(*next) || closes(*next)))
        {
            end = at + next.len_utf8();
        }
        push(text, start..end, &mut found);
        start = end;
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Whether the semicolon behind this text is the last character of an entity, such as `&#20013;` or `&nbsp;`.
fn ends_entity(before: &str) -> bool {
    let name = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let length = before.len() - name.len();
    (1..=8).contains(&length) && (name.ends_with('&') || name.ends_with("&#"))
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let part = &text[range.clone()];
    let trimmed = part.trim();
    if !trimmed.is_empty() {
        let start = range.start + (part.len() - part.trim_start().len());
        found.push(start..start + trimmed.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_end_at_marks() {
        assert_eq!(
            cut("价格3.5元，U.S.也有。真的？！是……的；好"),
            ["价格3.5元，U.S.也有。", "真的？！", "是……", "的；", "好"]
        );
        assert_eq!(cut("  \n 你好 \n"), ["你好"]);
        assert_eq!(cut(""), [""; 0]);
        assert_eq!(cut("（对。）他走了"), ["（对。）", "他走了"]);
    }

    #[test]
    fn entities_are_not_cut() {
        assert_eq!(
            cut("价格便宜。&#20013;&#29702;&#x6587;服务好&nbsp;。很好;走了"),
            ["价格便宜。", "&#20013;&#29702;&#x6587;服务好&nbsp;。", "很好;", "走了"]
        );
    }
}
