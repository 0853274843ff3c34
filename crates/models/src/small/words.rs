//! How the small models cut a text into words.
//!
//! [`WordCut::Latin`]: a word is a match of `[a-z0-9]+(?:'[a-z]+)*|[!?.,;:]` in the text with ASCII capitals made small;
//! `<br />` separates words like a space. [`WordCut::Han`] reads these as well, and every Han character, kana, full-width
//! letter or digit run and full-width mark besides. [`WordCut::Segmented`] joins the Han characters of a word of the built-in
//! segmenter. Ranges point into the text as the user wrote it.

use std::ops::Range;

use fissure_core::{Language, is_word_character};

/// How a model cuts texts; `words` in its `config.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WordCut {
    /// ASCII letters and digits between anything else.
    #[default]
    Latin,
    /// The same, and single Han characters, kana and full-width marks.
    Han,
    /// The same, with the Han characters of each word of `fissure_text`'s segmenter as one word. Its name has a number: a model is
    /// only right with the segmenter that it was trained with.
    Segmented,
}

impl WordCut {
    /// How texts should be cut: by characters if more of them are Chinese or Japanese than not.
    pub fn for_texts<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut all, mut by_character) = (0, 0);
        for text in texts {
            all += 1;
            by_character += usize::from(matches!(Language::of(text), Language::Chinese | Language::Japanese));
        }
        if by_character * 2 > all { Self::Han } else { Self::Latin }
    }

    /// How texts of classes should be cut: by words if more of them are Chinese than not and the program has the tables for
    /// it, otherwise as [`Self::for_texts`] says. Words answer better; characters can be bounded (see [`Self::is_local`]).
    pub fn for_classes<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let chinese = texts.clone().filter(|text| Language::of(text) == Language::Chinese).count();
        if chinese * 2 > texts.clone().count() && fissure_text::chinese::SEGMENTER {
            Self::Segmented
        } else {
            Self::for_texts(texts)
        }
    }

    /// Its name in a `config.json`, which says nothing for Latin.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Latin => None,
            Self::Han => Some("han"),
            Self::Segmented => Some("segmented-1"),
        }
    }

    /// The cut with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Han, Self::Segmented].into_iter().find(|cut| cut.name() == Some(name))
    }

    /// Whether another word in a text leaves the words around it as they are. A segmenter looks at what stands around, so a
    /// change may move boundaries elsewhere: what is worked out from the words alone (the least change, a bound over all
    /// changes) would be wrong.
    pub fn is_local(self) -> bool {
        self != Self::Segmented
    }

    /// The byte ranges of the words of a text, found as they are asked for.
    pub fn words(self, text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut latin = words(text);
        let mut han = (self == Self::Han).then(|| han_words(text));
        let mut segmented = (self == Self::Segmented).then(|| segmented_words(text));
        std::iter::from_fn(move || match (&mut segmented, &mut han) {
            (Some(segmented), _) => segmented.next(),
            (None, Some(han)) => han.next(),
            (None, None) => latin.next(),
        })
    }
}

/// The words of a text that is cut by the segmenter. Only Han characters are joined: what else there is stays as it is for a
/// text that is read by characters.
fn segmented_words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut ends = fissure_text::chinese::cut(text).into_iter().map(|word| word.end).peekable();
    let mut characters = han_words(text).peekable();
    std::iter::from_fn(move || {
        let mut word = characters.next()?;
        if !is_han_word(&text[word.clone()]) {
            return Some(word);
        }
        while ends.next_if(|end| *end <= word.start).is_some() {}
        let end = ends.peek().copied().unwrap_or(word.end);
        while let Some(next) =
            characters.next_if(|next| next.start == word.end && next.end <= end && is_han_word(&text[next.clone()]))
        {
            word.end = next.end;
        }
        Some(word)
    })
}

fn is_han_word(word: &str) -> bool {
    fissure_text::chinese::all_han(word)
}

/// The words of a text that is read by characters.
fn han_words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    // What is outside ASCII stands between the words that the other cut finds.
    let mut latin = words(text).peekable();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            if latin.peek().is_some_and(|word| word.start <= at) {
                let word = latin.next()?;
                at = word.end;
                return Some(word);
            }
            let letter = text[at..].chars().next()?;
            let start = at;
            at += letter.len_utf8();
            if is_word_character(letter) || is_wide_mark(letter) {
                return Some(start..at);
            }
            if !letter.is_ascii() && letter.is_alphanumeric() {
                let is_run = |next: &char| !next.is_ascii() && next.is_alphanumeric() && !is_word_character(*next);
                at += text[at..].chars().take_while(is_run).map(char::len_utf8).sum::<usize>();
                return Some(start..at);
            }
        }
    })
}

/// The marks of Chinese texts that `!?.,;:` are in Latin ones, and those without a counterpart.
fn is_wide_mark(letter: char) -> bool {
    const MARKS: &str = "\u{3002}\u{ff0c}\u{ff01}\u{ff1f}\u{ff1b}\u{ff1a}\u{3001}\u{2026}\u{2014}\u{201c}\u{201d}\u{300a}\u{300b}\u{ff08}\u{ff09}\u{ff5e}";
    !letter.is_ascii() && MARKS.contains(letter)
}

/// The byte ranges of the words of a text, found as they are asked for.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at;
            match bytes.get(at)? {
                b'<' if bytes[at..].starts_with(BREAK) => at += BREAK.len(),
                b'!' | b'?' | b'.' | b',' | b';' | b':' => {
                    at += 1;
                    return Some(start..at);
                }
                byte if byte.is_ascii_alphanumeric() => {
                    at += run(&bytes[at..], u8::is_ascii_alphanumeric);
                    while bytes.get(at) == Some(&b'\'') {
                        match run(&bytes[at + 1..], u8::is_ascii_alphabetic) {
                            0 => break,
                            letters => at += 1 + letters,
                        }
                    }
                    return Some(start..at);
                }
                // No byte of a character outside ASCII is taken for one inside it.
                _ => at += 1,
            }
        }
    })
}

const BREAK: &[u8] = b"<br />";

/// How many bytes from the start are of a kind.
fn run(bytes: &[u8], kind: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| kind(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn words_by_hand() {
        assert_eq!(
            cut("I don't -- well, rock'n'roll's 2nd!"),
            ["I", "don't", "well", ",", "rock'n'roll's", "2nd", "!"]
        );
        assert_eq!(cut("good<br /><br />bad<BR />x<br/>"), ["good", "bad", "BR", "x", "br"]);
        assert_eq!(cut("a'1 b' 'c' d'e3"), ["a", "1", "b", "c", "d'e", "3"]);
        assert_eq!(
            cut("na\u{ef}ve \u{130}stanbul \u{1f468}\u{200d}\u{1f469} \u{5d0}.\u{5d1}"),
            ["na", "ve", "stanbul", "."]
        );
        assert_eq!(cut("U.S.A...?"), ["U", ".", "S", ".", "A", ".", ".", ".", "?"]);
        assert!(cut("").is_empty() && cut(" <br /> \n").is_empty());
    }

    fn cut_han(text: &str) -> Vec<&str> {
        WordCut::Han.words(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn han_characters_by_hand() {
        assert_eq!(
            cut_han("我用iPhone6拍，\u{20bb7}野家3.5分！<br />don't"),
            ["我", "用", "iPhone6", "拍", "，", "\u{20bb7}", "野", "家", "3", ".", "5", "分", "！", "don't"]
        );
        assert_eq!(cut_han("ＡＢ１２あ 映画…… «x»"), ["ＡＢ１２", "あ", "映", "画", "…", "…", "x"]);
        assert_eq!(cut_han("naïve, ok"), ["na", "ï", "ve", ",", "ok"]);
        assert!(cut_han("").is_empty() && cut_han(" \u{3000}\n").is_empty());
    }

    /// A model reads with the segmenter that it was trained with. If this fails, the segmenter has changed: raise the number in the
    /// name of [`WordCut::Segmented`], so that older models are refused.
    #[test]
    fn the_segmenter_is_the_one_of_the_name() {
        let texts =
            ["酒店的服务态度非常好，就是房间小了点。", "请问怎么申请开通花呗分期付款", "屏幕分辨率一般，散热不错"];
        let cut: Vec<String> = texts.iter().map(|text| cut_segmented(text).join(" ")).collect();
        assert_eq!(
            cut,
            [
                "酒店 的 服务 态度 非常 好 ， 就 是 房间 小 了 点 。",
                "请问 怎么 申请 开通 花呗 分期 付款",
                "屏幕 分辨率 一般 ， 散热 不错"
            ]
        );
        let digest = |bytes: &[u8]| {
            let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
        };
        let weights = include_bytes!("../../../../lexicons/chinese_segments.weights");
        let words = include_bytes!("../../../../lexicons/chinese_words.bin");
        assert_eq!((digest(weights), digest(words)), (0x6e3d_68e9_fd25_0339, 0xc876_df45_3e29_b580));
    }

    fn cut_segmented(text: &str) -> Vec<&str> {
        WordCut::Segmented.words(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn words_of_the_segmenter_by_hand() {
        let text = "我们明天去北京，用iPhone6拍\u{20bb7}野家3.5分！<br />don't ＡＢ";
        let found = cut_segmented(text);
        assert_eq!(found[..6], ["我们", "明天", "去", "北京", "，", "用"]);
        assert!(found.contains(&"iPhone6") && found.contains(&"don't") && found.contains(&"ＡＢ"), "{found:?}");
        // The same characters, joined.
        assert_eq!(found.concat(), cut_han(text).concat());
        assert!(cut_segmented("").is_empty());
        assert_eq!(WordCut::named("segmented-1"), Some(WordCut::Segmented));
        assert!(WordCut::Han.is_local() && !WordCut::Segmented.is_local());
        assert_eq!(WordCut::for_classes(["很好看", "so good", "不好"].into_iter()), WordCut::Segmented);
        assert_eq!(WordCut::for_classes(["とても良い", "so good"].into_iter()), WordCut::Latin);
    }

    #[test]
    fn texts_choose_their_cut() {
        assert_eq!(WordCut::for_texts(["很好看", "不好", "so good"].into_iter()), WordCut::Han);
        assert_eq!(WordCut::for_texts(["很好看", "so good"].into_iter()), WordCut::Latin);
        assert_eq!(WordCut::for_texts([].into_iter()), WordCut::Latin);
    }

    proptest! {
        #[test]
        fn han_words_lie_in_order_inside_the_text(text in ".{0,40}|[a-c0-1' 很好，。\u{20bb7}é]{0,60}") {
            let mut end = 0;
            for range in WordCut::Han.words(&text) {
                prop_assert!(end <= range.start && range.start < range.end);
                prop_assert!(text.get(range.clone()).is_some());
                end = range.end;
            }
            // A text that is all ASCII is cut alike.
            if text.is_ascii() {
                prop_assert!(WordCut::Han.words(&text).eq(WordCut::Latin.words(&text)));
            }
        }

        #[test]
        fn segmented_words_are_characters_joined(text in ".{0,40}|[a-c0-1' 很好看的电影，。\u{20bb7}é]{0,60}") {
            let written = |cut: WordCut| cut.words(&text).map(|range| text[range].to_owned()).collect::<String>();
            prop_assert_eq!(written(WordCut::Segmented), written(WordCut::Han));
        }

        #[test]
        fn words_lie_in_order_inside_the_text(text in ".{0,40}|[a-cA-C0-1' .<>br/]{0,60}") {
            let mut end = 0;
            for range in words(&text) {
                prop_assert!(end <= range.start && range.start < range.end);
                end = range.end;
                let word = &text[range];
                prop_assert!(word.is_ascii() && !word.starts_with('\'') && !word.ends_with('\''));
            }
        }
    }
}
