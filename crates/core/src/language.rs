//! The language of a text, recognised by its letters: no flag, no table, one look at the text.
//!
//! Scripts are distinguished, not languages: a text in Latin letters counts as English, one in Han characters as Chinese
//! unless kana stand between them. Of a text with both, the Han characters are compared with the Latin words, not with
//! their letters. That is enough to keep parts off texts that they would only harm.

use serde::{Deserialize, Serialize};

/// A language that a text is in or a part knows.
///
/// On a card, `Any` and `Alphabetic` stand for several. As the language of a text, `Any` means that nobody asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Language {
    #[serde(rename = "any")]
    Any,
    /// Every language that is written with an alphabet and spaces between words: a slip of a letter is a slip there.
    #[serde(rename = "alphabetic")]
    Alphabetic,
    /// And for now every other language in Latin letters.
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh")]
    Chinese,
    #[serde(rename = "ja")]
    Japanese,
    #[serde(rename = "ko")]
    Korean,
    #[serde(rename = "cyrillic")]
    Cyrillic,
    #[serde(rename = "greek")]
    Greek,
    #[serde(rename = "hebrew")]
    Hebrew,
    #[serde(rename = "arabic")]
    Arabic,
    #[serde(rename = "devanagari")]
    Devanagari,
    #[serde(rename = "thai")]
    Thai,
    /// A script that has no name here.
    #[serde(rename = "other")]
    Other,
}

/// What a letter is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Han,
    Kana,
    /// A script with a language of its own.
    Of(Language),
}

impl Language {
    /// Those a user can name.
    pub const ALL: &'static [Self] = &[
        Self::Any,
        Self::English,
        Self::Chinese,
        Self::Japanese,
        Self::Korean,
        Self::Cyrillic,
        Self::Greek,
        Self::Hebrew,
        Self::Arabic,
        Self::Devanagari,
        Self::Thai,
        Self::Other,
    ];

    /// The language of a text, by the script of its letters. A text without letters is English.
    pub fn of(text: &str) -> Self {
        if text.is_ascii() { Self::English } else { Letters::of(text).language() }
    }

    /// Its short name, as it is written on a command line: `zh`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Alphabetic => "alphabetic",
            Self::English => "en",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
            Self::Korean => "ko",
            Self::Cyrillic => "cyrillic",
            Self::Greek => "greek",
            Self::Hebrew => "hebrew",
            Self::Arabic => "arabic",
            Self::Devanagari => "devanagari",
            Self::Thai => "thai",
            Self::Other => "other",
        }
    }

    /// Its name in a sentence: "the text is Chinese".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any language",
            Self::Alphabetic => "languages with an alphabet",
            Self::English => "English",
            Self::Chinese => "Chinese",
            Self::Japanese => "Japanese",
            Self::Korean => "Korean",
            Self::Cyrillic => "in Cyrillic letters",
            Self::Greek => "Greek",
            Self::Hebrew => "Hebrew",
            Self::Arabic => "in Arabic letters",
            Self::Devanagari => "in Devanagari letters",
            Self::Thai => "Thai",
            Self::Other => "in another script",
        }
    }

    /// Its tag in HTML (BCP 47), where a page in English must say it.
    pub const fn tag(self) -> Option<&'static str> {
        Some(match self {
            Self::Any | Self::Alphabetic | Self::English | Self::Other => return None,
            Self::Chinese => "zh",
            Self::Japanese => "ja",
            Self::Korean => "ko",
            Self::Cyrillic => "und-Cyrl",
            Self::Greek => "el",
            Self::Hebrew => "he",
            Self::Arabic => "und-Arab",
            Self::Devanagari => "und-Deva",
            Self::Thai => "th",
        })
    }

    /// The language of a short name; case does not matter.
    pub fn find(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// Whether words are written in letters, with spaces between them.
    pub const fn is_alphabetic(self) -> bool {
        matches!(self, Self::English | Self::Cyrillic | Self::Greek | Self::Hebrew | Self::Arabic)
    }

    /// Whether its words are not separated by spaces, so that a reader goes by characters.
    pub const fn is_unspaced(self) -> bool {
        matches!(self, Self::Chinese | Self::Japanese | Self::Thai)
    }

    /// Whether a part that names this language on its card may work on a text in `text`.
    pub const fn serves(self, text: Self) -> bool {
        matches!((self, text), (Self::Any, _) | (_, Self::Any))
            || (matches!(self, Self::Alphabetic) && text.is_alphabetic())
            || self as u8 == text as u8
    }

    /// Whether a word is written in the letters of this language. An English word in a Chinese text is no English text, and
    /// a Chinese name in an English text is no word for a slip of the finger. Digits belong to every language.
    pub fn writes(self, word: &str) -> bool {
        if self == Self::Any || (self == Self::English && word.is_ascii()) {
            return true;
        }
        word.chars().filter_map(Script::of).all(|script| match script {
            Script::Latin => self == Self::English,
            Script::Han => matches!(self, Self::Chinese | Self::Japanese | Self::Korean),
            Script::Kana => self == Self::Japanese,
            Script::Of(language) => self == language,
        })
    }
}

/// Whether a letter stands for a word or a syllable of its own: Han characters and kana.
#[inline]
pub fn is_word_character(letter: char) -> bool {
    letter >= '\u{2e80}' && matches!(Script::of(letter), Some(Script::Han | Script::Kana))
}

/// Whether a letter is a Han character, as Chinese, Japanese and Korean texts have.
#[inline]
pub fn is_han(letter: char) -> bool {
    letter >= '\u{2e80}' && Script::of(letter) == Some(Script::Han)
}

impl Script {
    /// The script of a letter; `None` for what every script shares.
    fn of(letter: char) -> Option<Self> {
        use Language as L;
        Some(match letter {
            'a'..='z' | 'A'..='Z' => Self::Latin,
            '\0'..='\u{a9}' => return None,
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => Self::Han,
            // Radicals, the repeat mark, the full zero, the numbers of Suzhou, what is beyond the basic plane.
            '\u{2e80}'..='\u{2fdf}' | '\u{3005}' | '\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3038}'..='\u{303b}' => {
                Self::Han
            }
            '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Self::Han,
            // The dot between the parts of a foreign name is used in Chinese too.
            '\u{30fb}' | '\u{ff65}' => return None,
            '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => Self::Kana,
            '\u{1b000}'..='\u{1b16f}' => Self::Kana,
            '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => Self::Latin,
            other if !other.is_alphabetic() => return None,
            '\u{aa}'..='\u{2af}' | '\u{1d00}'..='\u{1dbf}' | '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}' => {
                Self::Latin
            }
            // Letters of signs: the Ohm, Roman numerals, mathematics.
            '\u{2b0}'..='\u{36f}' | '\u{2000}'..='\u{2bff}' | '\u{1d400}'..='\u{1d7ff}' => return None,
            '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}' | '\u{fb00}'..='\u{fb06}' => Self::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Of(L::Greek),
            '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{2de0}'..='\u{2dff}' | '\u{a640}'..='\u{a69f}' => {
                Self::Of(L::Cyrillic)
            }
            '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}' => Self::Of(L::Hebrew),
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}' | '\u{fb50}'..='\u{fdff}' => {
                Self::Of(L::Arabic)
            }
            '\u{fe70}'..='\u{fefe}' => Self::Of(L::Arabic),
            '\u{900}'..='\u{97f}' | '\u{a8e0}'..='\u{a8ff}' => Self::Of(L::Devanagari),
            '\u{e00}'..='\u{e7f}' => Self::Of(L::Thai),
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97f}' => Self::Of(L::Korean),
            '\u{ac00}'..='\u{d7ff}' | '\u{ffa0}'..='\u{ffdc}' => Self::Of(L::Korean),
            _ => Self::Of(L::Other),
        })
    }
}

/// The letters of a text, counted by script.
#[derive(Debug, Default)]
struct Letters {
    latin: usize,
    /// The words of Latin letters: an address is one, and so is `well-known`.
    latin_words: usize,
    han: usize,
    kana: usize,
    /// By the number of the language.
    others: [usize; Language::Other as usize + 1],
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut letters = Self::default();
        let mut in_latin = false;
        for letter in text.chars() {
            let Some(script) = Script::of(letter) else {
                in_latin &= letter.is_ascii() && !letter.is_ascii_whitespace();
                continue;
            };
            let is_latin = script == Script::Latin;
            letters.latin_words += usize::from(is_latin && !in_latin);
            in_latin = is_latin;
            match script {
                Script::Latin => letters.latin += 1,
                Script::Han => letters.han += 1,
                Script::Kana => letters.kana += 1,
                Script::Of(language) => letters.others[language as usize] += 1,
            }
        }
        letters
    }

    fn language(&self) -> Language {
        // A Han character says as much as several letters: two of them weigh as much as a Latin word.
        let latin = self.latin.min(2 * self.latin_words);
        let eastern = self.han + self.kana;
        let all = latin + eastern + self.others.iter().sum::<usize>();
        if eastern > 0 && eastern * 2 >= all {
            // A Japanese sentence has a kana in every few characters; the odd one in a Chinese text is decoration.
            let many = self.kana * 10 >= eastern && (self.kana > 1 || self.kana * 2 >= eastern);
            return if many { Language::Japanese } else { Language::Chinese };
        }
        let named = Language::ALL.iter().copied().map(|language| (self.others[language as usize], language));
        // The first of those that are equal, so that the order of the list decides.
        match named.rev().max_by_key(|(count, _)| *count) {
            Some((count, language)) if count > self.latin => language,
            _ => Language::English,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_in_the_language_of_its_letters() {
        use Language as L;
        for (text, language) in [
            ("", L::English),
            ("3.50 👍 €", L::English),
            ("Très bon, déjà vu, Łódź", L::English),
            ("这部电影很好看。", L::Chinese),
            ("這部電影很好看。", L::Chinese),
            ("我用iPhone拍照很方便，2008年买的", L::Chinese),
            ("这家hotel的service真的很nice，下次还来", L::Chinese),
            ("他也参与了Courtney Love新专辑的制作。", L::Chinese),
            ("见https://www.example.org/a/long-path.html", L::English),
            ("详情请见https://www.example.org/a/long-path.html", L::Chinese),
            ("The library is called 图书馆 in Chinese", L::English),
            ("We stayed at the 北京国际饭店 for a week", L::English),
            ("𠮷野家的牛丼", L::Chinese),
            ("我の最爱", L::Chinese),
            ("この映画はとても面白かった。", L::Japanese),
            ("東京へ行く", L::Japanese),
            ("猫だ", L::Japanese),
            ("Xi Jinping (习近平) met the president of France", L::English),
            ("Фильм очень хороший.", L::Cyrillic),
            ("Фильм Titanic хороший.", L::Cyrillic),
            ("Η ταινία", L::Greek),
            ("שלום עולם", L::Hebrew),
            ("هذا الفيلم جيد جدا", L::Arabic),
            ("यह फिल्म बहुत अच्छी है", L::Devanagari),
            ("หนังเรื่องนี้ดีมาก", L::Thai),
            ("이 영화는 정말 좋아요", L::Korean),
            ("ეს ფილმი კარგია", L::Other),
            ("ＦＵＬＬ　ＷＩＤＴＨ", L::English),
        ] {
            assert_eq!(L::of(text), language, "{text}");
        }
    }

    #[test]
    fn a_word_belongs_to_those_who_write_it() {
        use Language as L;
        assert!(L::English.writes("naïve") && L::English.writes("2nd") && !L::English.writes("电影"));
        assert!(L::Chinese.writes("电") && L::Chinese.writes("2008") && !L::Chinese.writes("iPhone"));
        assert!(L::Japanese.writes("映") && L::Japanese.writes("だ") && !L::Chinese.writes("だ"));
        assert!(L::Cyrillic.writes("Фильм") && !L::Cyrillic.writes("Titanic") && L::Any.writes("电影 so"));
    }

    #[test]
    fn a_card_may_name_several_at_once() {
        use Language as L;
        assert!(L::Any.serves(L::Thai) && L::English.serves(L::Any) && L::English.serves(L::English));
        assert!(L::Alphabetic.serves(L::Cyrillic) && !L::Alphabetic.serves(L::Chinese));
        assert!(!L::English.serves(L::Cyrillic));
        for language in L::ALL {
            assert_eq!(L::find(&language.code().to_uppercase()), Some(*language));
        }
    }
}
