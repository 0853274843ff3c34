//! Protected spans of a text: web and mail addresses, handles, markup. A letter changed there is no slip of the pen
//! but a dead link, another person or a broken page, so parts that change words leave it alone.

use crate::Span;

/// Finds the spans of a text that are not language.
#[derive(Debug, Clone)]
pub struct Protected<'a> {
    text: &'a str,
    /// The tags, in order; most texts have none.
    tags: Vec<Span>,
}

/// The longest tag or address that is looked for, in bytes.
const REACH: usize = 400;

/// What a web address without `http` or `www` ends with.
const DOMAINS: [&str; 6] = [".com", ".org", ".net", ".gov", ".edu", ".info"];

/// The entities that texts are full of.
const ENTITIES: [&str; 5] = ["quot", "amp", "lt", "gt", "nbsp"];

impl<'a> Protected<'a> {
    pub fn of(text: &'a str) -> Self {
        let mut tags = Vec::new();
        // Most texts have none, and one search shows it.
        if memchr::memchr2(b'<', b'&', text.as_bytes()).is_some() {
            tags.extend(tags_between(text, "<", ">").chain(tags_between(text, "&lt;", "&gt;")));
        }
        tags.sort_unstable();
        // A tag within a tag adds nothing.
        tags.dedup_by(|later, kept| later.start < kept.end);
        Self { text, tags }
    }

    /// Whether the span lies in an address (`www.example.org`, `jo@example.org`), a handle (`@jo`), an entity (`&quot;`)
    /// or a tag (`<br />`, `&lt;br&gt;`).
    pub fn covers(&self, span: Span) -> bool {
        self.is_entity(span) || self.is_in_tag(span) || self.is_address(span)
    }

    fn is_entity(&self, span: Span) -> bool {
        let opened = || self.text[..span.start].trim_end_matches('#').ends_with('&');
        // Old data sets have lost the `&`: `quot;so they say quot;`.
        self.text[span.end..].starts_with(';') && (ENTITIES.contains(&span.of(self.text)) || opened())
    }

    fn is_in_tag(&self, span: Span) -> bool {
        let behind = self.tags.partition_point(|tag| tag.end < span.end);
        self.tags.get(behind).is_some_and(|tag| tag.covers(span))
    }

    fn is_address(&self, span: Span) -> bool {
        let bytes = self.text.as_bytes();
        let (before, after) = (&bytes[..span.start], &bytes[span.end..]);
        // Nearly every word has a space before it, and a space or a mark and a space behind it.
        let is_space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        if is_space(before.last()) && (is_space(after.first()) || is_space(after.get(1))) {
            return false;
        }
        let start = span.start - before.iter().rev().take(REACH).take_while(|byte| byte.is_ascii_graphic()).count();
        let end = span.end + after.iter().take(REACH).take_while(|byte| byte.is_ascii_graphic()).count();
        let Some(chunk) = self.text.get(start..end) else { return false };
        // Every kind of address has one of these, and most words beside a mark have none.
        if memchr::memchr3(b'.', b'@', b':', chunk.as_bytes()).is_none() {
            return false;
        }
        let is_word_at = |at: usize| chunk.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
        let ends_domain = |domain: &str| {
            chunk.match_indices(domain).any(|(at, _)| at > 0 && is_word_at(at - 1) && !is_word_at(at + domain.len()))
        };
        chunk.contains("://")
            || chunk.trim_start_matches(|mark: char| !mark.is_alphanumeric()).starts_with("www.")
            || chunk.match_indices('@').any(|(at, _)| is_word_at(at + 1))
            || DOMAINS.into_iter().any(ends_domain)
    }
}

/// The tags of a text, with their brackets.
fn tags_between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = Span> + 'a {
    text.match_indices(open).filter_map(move |(start, _)| {
        let inside = &text[start + open.len()..text.ceil_char_boundary((start + REACH).min(text.len()))];
        // `a < b` and `I <3 you` open nothing.
        let named = inside.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '/' | '!'));
        let length = inside.find(close).filter(|length| named && !inside[..*length].contains(open))?;
        Some(Span::new(start, start + open.len() + length + close.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Words;
    use proptest::prelude::*;

    /// The words that are held.
    fn held(text: &str) -> Vec<&str> {
        let protected = Protected::of(text);
        Words::new(text).filter(|word| protected.covers(word.span)).map(|word| word.text).collect()
    }

    #[test]
    fn addresses_and_handles_are_signs() {
        assert_eq!(held("See http://example.org/a?b=c, please."), ["http", "example", "org", "a", "b", "c"]);
        assert_eq!(
            held("Ask jo.doe@example.org or @jo_doe (www.example.com)."),
            ["jo", "doe", "example", "org", "jo", "doe", "www", "example", "com"]
        );
        assert_eq!(held("Buy.com fell, said (newspaper.com)"), ["Buy", "com", "newspaper", "com"]);
        assert_eq!(held("It ended.Then it and/or he won - well-known, 5 @ 3 a.m. e.g. comma.command"), [""; 0]);
    }

    #[test]
    fn entities_and_tags_are_signs() {
        assert_eq!(held("a &quot;big&quot; AT&amp;T &#36;5 deal"), ["quot", "quot", "amp", "36"]);
        assert_eq!(held("he said  quot;so; quot;"), ["quot", "quot"]);
        assert_eq!(held("so <b class=\"x\">good</b>.<br /><br />The end"), ["b", "class", "x", "b", "br", "br"]);
        assert_eq!(held("&lt;B&gt;Post&lt;/B&gt; R&B"), ["lt", "B", "gt", "lt", "B", "gt"]);
        assert_eq!(held("a < b and c > d; I <3 you > me; R & B; x <unfinished business"), [""; 0]);
    }

    proptest! {
        #[test]
        fn any_text_gets_an_answer(text in "([<>&;@./:#]|lt|www|com|a|é| |\\PC)*") {
            for word in Words::new(&text) {
                Protected::of(&text).covers(word.span);
            }
        }
    }
}
