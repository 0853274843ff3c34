//! Text from data sets, made safe for the place where it is shown. Data sets are hostile until proven otherwise.

use fissure_core::Language;

/// For the content of an element or a quoted attribute, in HTML and in XML.
pub fn markup(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(shown(other)),
        }
    }
    safe
}

/// The attribute that says in which language a quoted text is; nothing for English, the language of the page.
pub fn lang(text: &str) -> String {
    Language::of(text).tag().map_or_else(String::new, |tag| format!(" lang=\"{tag}\""))
}

/// For a short label inside a picture: as [`markup`], on one line, and unable to turn its neighbours around.
pub fn label(text: &str) -> String {
    markup(&text.chars().map(|letter| if turns(letter) { '\u{FFFD}' } else { one_line(letter) }).collect::<String>())
}

/// What XML cannot hold, not even escaped, becomes the sign for a letter that cannot be shown.
fn shown(letter: char) -> char {
    match letter {
        '\t' | '\n' | '\r' => letter,
        '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        other => other,
    }
}

fn one_line(letter: char) -> char {
    if matches!(letter, '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}') { ' ' } else { letter }
}

/// The marks that change the direction of what comes after them.
fn turns(letter: char) -> bool {
    matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{061C}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hostile_gets_through() {
        assert_eq!(markup("<b a='1' c=\"2\">&\u{0}"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;\u{FFFD}");
        assert_eq!(label("a\nb\u{202E}c"), "a b\u{FFFD}c");
        assert_eq!((lang("so good"), lang("很好看")), (String::new(), " lang=\"zh\"".to_owned()));
    }
}
