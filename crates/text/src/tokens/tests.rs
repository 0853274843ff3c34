use proptest::prelude::*;

use super::{TokenKind, tokens};

/// The tokens of `text`, with bars between them.
fn cut(text: &str) -> String {
    tokens(text).iter().map(|token| token.text(text)).collect::<Vec<_>>().join("|")
}

#[test]
fn contractions_part_where_the_treebanks_part_them() {
    assert_eq!(cut("I don't think it's John's, y'all."), "I|do|n't|think|it|'s|John|'s|,|y'all|.");
    assert_eq!(cut("CAN'T won’t cannot gonna dont"), "CA|N'T|wo|n’t|can|not|gon|na|do|nt");
    assert_eq!(cut("I'd've"), "I|'d|'ve");
    assert_eq!(cut("the dogs' food"), "the|dogs|'|food");
    assert_eq!(cut("O'Neill's o'clock in the 80's"), "O'Neill|'s|o'clock|in|the|80's");
    assert_eq!(cut("get 'em in the '90s"), "get|'em|in|the|'90s");
    assert_eq!(cut("it 's what they do n't like"), "it|'s|what|they|do|n't|like");
    assert_eq!(cut("its well"), "its|well");
}

#[test]
fn hyphens_part_words_but_not_prefixes() {
    assert_eq!(cut("a well-known e-mail, anti-war, mid-July"), "a|well|-|known|e-mail|,|anti-war|,|mid-July");
    assert_eq!(cut("10-15 people, 713-853-3989, 2001-09-11"), "10|-|15|people|,|713-853-3989|,|2001-09-11");
}

#[test]
fn numbers_keep_their_signs_and_lose_their_units() {
    assert_eq!(cut("$1,200.50 is 3.5% at 7:30pm on 11/28/2000."), "$|1,200.50|is|3.5|%|at|7:30|pm|on|11/28/2000|.");
    assert_eq!(cut("1,2 and 1,20000"), "1|,|2|and|1|,|20000");
    assert_eq!(cut("the 2nd of the 1970s, 35mm, US$ 5"), "the|2nd|of|the|1970s|,|35|mm|,|US$|5");
}

#[test]
fn abbreviations_keep_their_full_stop() {
    assert_eq!(cut("Mr. J. Doe of the U.S. left at 5 p.m."), "Mr.|J.|Doe|of|the|U.S.|left|at|5|p.m.");
    assert_eq!(cut("No. 5, but no."), "No.|5|,|but|no|.");
    assert_eq!(cut("Dogs, cats, etc."), "Dogs|,|cats|,|etc.");
    assert_eq!(cut("It ended.Then it began."), "It|ended|.|Then|it|began|.");
    assert_eq!(cut("a Ph.D. from AT&T w/o C++"), "a|Ph.D.|from|AT&T|w/o|C++");
}

#[test]
fn addresses_handles_and_emoticons_stay_whole() {
    let text = "See http://a.org/b?c=d, mail jo.doe@x.com. @you #topic :-) great:) <br /> &amp; site.co.uk/x";
    assert_eq!(
        cut(text),
        "See|http://a.org/b?c=d|,|mail|jo.doe@x.com|.|@you|#topic|:-)|great|:)|<br />|&amp;|site.co.uk/x"
    );
    let kinds: Vec<TokenKind> = tokens(text).iter().map(|token| token.kind).collect();
    for kind in [TokenKind::Link, TokenKind::Email, TokenKind::Handle, TokenKind::Emoticon, TokenKind::Markup] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}

#[test]
fn marks_run_together_or_stand_alone() {
    assert_eq!(cut("Wait...what?!! (No.) -- \"yes\""), "Wait|...|what|?!!|(|No|.|)|--|\"|yes|\"");
    assert_eq!(cut("``quoted''"), "``|quoted|''");
    assert_eq!(cut("the world #39;s &#39;best&#39; #1;"), "the|world|#39;|s|&#39;|best|&#39;|#|1|;");
}

#[test]
fn other_scripts_are_cut_at_the_boundaries_of_unicode() {
    assert_eq!(cut("café naïve Москва"), "café|naïve|Москва");
    assert_eq!(cut("我爱你。好"), "我|爱|你|。|好");
    assert_eq!(cut("a👨‍👩‍👧‍👦b"), "a|👨‍👩‍👧‍👦|b");
    assert_eq!(cut("שלום, עולם"), "שלום|,|עולם");
    assert_eq!(cut(""), "");
}

#[test]
fn a_megabyte_without_spaces_takes_linear_time() {
    for piece in ["a", "-", "a-b.c@", "1,000", "don't", "é", "我", "www.", "<", "a'", ".com", "😀"] {
        let text = piece.repeat(1_000_000 / piece.len());
        check_cover(&text);
    }
}

fn check_cover(text: &str) {
    let mut at = 0;
    for token in tokens(text) {
        assert!(token.span.start >= at && token.span.end > token.span.start);
        assert!(text[at..token.span.start].chars().all(char::is_whitespace), "{text:?}");
        let written = token.text(text);
        assert!(token.kind == TokenKind::Markup || !written.contains(char::is_whitespace), "{text:?}: {written:?}");
        at = token.span.end;
    }
    assert!(text[at..].chars().all(char::is_whitespace), "{text:?}");
}

proptest! {
    #[test]
    fn tokens_cover_any_text(text in ".*") {
        check_cover(&text);
    }

    /// Dense in the signs that the rules look at.
    #[test]
    fn tokens_cover_texts_full_of_signs(text in "([a-zA-Z0-9]|[-'.,:/@#&$*+<>_ ’é]|n't|www\\.|http://|\\.com|😀|\u{301}){0,40}") {
        check_cover(&text);
    }
}
