//! Links, e-mail addresses, emoticons, HTML tags, abbreviations, and other fixed forms.

/// The length of the link that `text` starts with.
pub fn link_length(text: &str) -> Option<usize> {
    const STARTS: &[&str] = &["http://", "https://", "ftp://", "www.", "mailto:"];
    let head = text.as_bytes().get(..8.min(text.len()))?;
    if !matches!(head.first()?.to_ascii_lowercase(), b'h' | b'f' | b'w' | b'm') {
        return None;
    }
    let start = STARTS
        .iter()
        .find(|start| head.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes())))?;
    let length = address_length(text);
    (length > start.len()).then_some(length)
}

/// How far an address without spaces goes on from the start of `text`, without the punctuation of the sentence around it.
pub fn address_length(text: &str) -> usize {
    let end = text
        .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '“' | '”' | '«' | '»'))
        .unwrap_or(text.len());
    let address = text.as_bytes().get(..end).unwrap_or_default();
    // A closing bracket belongs to the address if it was opened there.
    let mut open = address.iter().filter(|byte| **byte == b'(').count();
    let mut closed = address.iter().filter(|byte| **byte == b')').count();
    let mut length = end;
    while let Some(&last) = address.get(..length).and_then(<[u8]>::last) {
        match last {
            b')' if closed > open => closed -= 1,
            b'(' => open -= 1,
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b']' | b'}' | b'*' => {}
            _ => break,
        }
        length -= 1;
    }
    length
}

/// The length of the e-mail address that `text` starts with, if the `@` is `at_sign` bytes ahead.
pub fn email_length(text: &[u8], at_sign: usize) -> Option<usize> {
    let (name, domain) = (text.get(..at_sign)?, text.get(at_sign + 1..)?);
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"._%+-&'".contains(byte);
    if name.is_empty() || !name.iter().all(in_name) {
        return None;
    }
    const LONGEST_DOMAIN: usize = 255;
    let domain = &domain[..domain.len().min(LONGEST_DOMAIN)];
    let in_domain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.' || *byte == b'-';
    let mut end = domain.iter().position(|byte| !in_domain(byte)).unwrap_or(domain.len());
    while end > 0 && !domain[end - 1].is_ascii_alphanumeric() {
        end -= 1;
    }
    (end > 0).then_some(at_sign + 1 + end)
}

/// Ends of site and file names: `enron.com`, `notes.doc`.
const NAME_ENDS: &[&str] = &[
    "ai", "asp", "avi", "biz", "ca", "com", "css", "csv", "dll", "doc", "docx", "edu", "exe", "fm", "gif", "gov",
    "htm", "html", "info", "io", "jpeg", "jpg", "js", "json", "mil", "mp3", "mp4", "mpeg", "net", "nz", "org", "pdf",
    "php", "png", "ppt", "py", "rtf", "tar", "tv", "txt", "uk", "url", "wav", "xls", "xlsx", "xml", "zip",
];

/// Whether `end`, after a full stop, makes a name of a site or a file of what stands before.
pub fn ends_name(end: &str) -> bool {
    end.is_ascii() && NAME_ENDS.binary_search(&end.to_ascii_lowercase().as_str()).is_ok()
}

/// Whether a name with such an end is a site, not a file.
pub fn ends_site(end: &str) -> bool {
    ["ai", "biz", "ca", "com", "edu", "fm", "gov", "info", "io", "mil", "net", "nz", "org", "tv", "uk"]
        .iter()
        .any(|site| site.eq_ignore_ascii_case(end))
}

/// Abbreviations that keep their full stop, in whatever case.
const ABBREVIATIONS: &[&str] = &[
    "approx", "apt", "attn", "ave", "bldg", "blvd", "bros", "capt", "cf", "cmdr", "co", "col", "corp", "cpl", "dept",
    "dr", "esq", "etc", "ext", "gen", "gov", "hon", "hwy", "inc", "jr", "llc", "lt", "ltd", "maj", "messrs", "mfg",
    "mr", "mrs", "ms", "mt", "pres", "prof", "reps", "rev", "sen", "sens", "sgt", "sr", "st", "viz", "vol", "vs",
];

/// Abbreviations that keep their full stop only with a capital letter: days, months, and words like `La.`.
const CAPITAL_ABBREVIATIONS: &[&str] = &[
    "Apr", "Aug", "Cal", "Calif", "Conn", "Dec", "Feb", "Fla", "Fri", "Ft", "Jan", "Jul", "Jun", "La", "Mar", "Mass",
    "Mon", "Nov", "Oct", "Rep", "Sat", "Sep", "Sept", "Sun", "Thu", "Thur", "Thurs", "Tue", "Tues", "Va", "Wed",
];

/// Whether a full stop after `word` belongs to it.
pub fn is_abbreviation(word: &str) -> bool {
    const LONGEST: usize = 7;
    if word.len() > LONGEST || !word.is_ascii() {
        return false;
    }
    ABBREVIATIONS.binary_search(&word.to_ascii_lowercase().as_str()).is_ok()
        || CAPITAL_ABBREVIATIONS.binary_search(&word).is_ok()
}

/// First parts of words that keep their hyphen: `e-mail`, `anti-war`, `mid-July`.
const PREFIXES: &[&str] = &[
    "anti", "arch", "bi", "co", "counter", "cross", "de", "e", "ex", "extra", "infra", "inter", "intra", "macro",
    "mega", "meta", "micro", "mid", "mini", "mis", "mono", "multi", "neo", "non", "over", "post", "pre", "pro",
    "proto", "pseudo", "psycho", "quasi", "re", "semi", "socio", "sub", "super", "supra", "trans", "tri", "ultra",
    "un", "uni", "vice",
];

/// Whether a word that starts with `first` and a hyphen is one token.
pub fn is_prefix(first: &str) -> bool {
    first.len() <= 7 && first.is_ascii() && PREFIXES.binary_search(&first.to_ascii_lowercase().as_str()).is_ok()
}

/// Units that part from the number before them: `5|pm`, `35|mm`, `$|3|M`.
pub fn is_unit(letters: &str) -> bool {
    const UNITS: &[&str] = &[
        "am", "b", "bn", "cm", "ft", "gb", "ghz", "hr", "hrs", "k", "kg", "km", "kw", "kwh", "lb", "lbs", "m", "mb",
        "mg", "mhz", "min", "mins", "ml", "mm", "mph", "mw", "mwh", "oz", "pm", "tb", "yo", "yr", "yrs",
    ];
    letters.len() <= 4 && UNITS.binary_search(&letters.to_ascii_lowercase().as_str()).is_ok()
}

/// Emoticons, longest first where one begins another.
const EMOTICONS: &[&str] = &[
    ":'-(", ":'-)", ">:-(", "}:-)", ":'(", ":')", ":-)", ":-(", ":-D", ":-P", ":-p", ":-/", ":-\\", ":-|", ":-*",
    ":-O", ":-o", ":-]", ":-[", ":^)", ";-)", ";-(", ";-P", ";-D", ">:(", ">:)", "^_^", "^.^", "-_-", "o_O", "O_o",
    "T_T", "=-)", "8-)", "B-)", "(-:", "(-;", ")-:", "</3", ":)", ":(", ":D", ":P", ":p", ":/", ":\\", ":|", ":*",
    ":O", ":o", ":]", ":[", ":3", ";)", ";(", ";P", ";D", "=)", "=(", "=D", "=P", "=]", "=/", "<3", "(:", "(;", "XD",
    "xD",
];

/// The length of the emoticon that `text` starts with. A letter or digit must not follow, nor more of an address.
pub fn emoticon_length(text: &str) -> Option<usize> {
    // Most of what is asked about are words and full stops, and no emoticon starts or goes on as they do.
    let [first, second, ..] = text.as_bytes() else { return None };
    if first.is_ascii_lowercase() && !matches!(first, b'o' | b'x') || matches!(first, b'.' | b',') || *second == b' ' {
        return None;
    }
    let found = EMOTICONS.iter().find(|emoticon| text.starts_with(**emoticon))?;
    let after = text[found.len()..].chars().next();
    let ends = after.is_none_or(|c| !c.is_alphanumeric() && c != '/' && c != '_');
    ends.then_some(found.len())
}

/// The length of the HTML tag that `text` starts with.
pub fn markup_length(text: &str) -> Option<usize> {
    const LONGEST: usize = 300;
    const NAMES: &[&str] = &[
        "a",
        "b",
        "blockquote",
        "br",
        "code",
        "div",
        "em",
        "font",
        "h1",
        "h2",
        "h3",
        "hr",
        "i",
        "img",
        "li",
        "ol",
        "p",
        "pre",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "td",
        "tr",
        "u",
        "ul",
    ];
    let bytes = text.as_bytes();
    let inside = bytes.strip_prefix(b"<")?;
    let name = inside.strip_prefix(b"/").unwrap_or(inside);
    let length = name.iter().take(LONGEST).position(|byte| !byte.is_ascii_alphanumeric())?;
    let known =
        std::str::from_utf8(&name[..length]).is_ok_and(|name| NAMES.contains(&name.to_ascii_lowercase().as_str()));
    if !known || !matches!(name[length], b' ' | b'/' | b'>') {
        return None;
    }
    let end = bytes.iter().take(LONGEST).skip(1).position(|byte| matches!(byte, b'<' | b'>' | b'\n'))? + 1;
    (bytes[end] == b'>').then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_lists_are_sorted() {
        for list in [NAME_ENDS, ABBREVIATIONS, CAPITAL_ABBREVIATIONS, PREFIXES] {
            assert!(list.is_sorted(), "{list:?}");
        }
        for emoticon in EMOTICONS {
            assert_eq!(emoticon_length(emoticon), Some(emoticon.len()), "{emoticon}");
        }
        for unit in ["am", "yrs", "KG", "kwh"] {
            assert!(is_unit(unit), "{unit}");
        }
    }

    #[test]
    fn addresses_leave_the_punctuation_around_them() {
        assert_eq!(link_length("http://a.org/x_(y)). Next"), Some("http://a.org/x_(y)".len()));
        assert_eq!(link_length("WWW.site.com, and"), Some("WWW.site.com".len()));
        assert_eq!(link_length("www."), None);
        assert_eq!(link_length("wwwé"), None);
        assert_eq!(email_length(b"jo.doe@enron.com.", 6), Some("jo.doe@enron.com".len()));
        assert_eq!(email_length(b"a@ b", 1), None);
    }

    #[test]
    fn tags_are_found_and_other_angle_brackets_left() {
        assert_eq!(markup_length("<br /><br />"), Some(6));
        assert_eq!(markup_length("</p>"), Some(4));
        assert_eq!(markup_length("<a href=\"x\">y</a>"), Some(12));
        assert_eq!(markup_length("<b"), None);
        assert_eq!(markup_length("<bee>"), None);
        assert_eq!(markup_length("< 5 > 4"), None);
    }
}
