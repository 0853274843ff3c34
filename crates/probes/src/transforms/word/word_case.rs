use fissure_core::{Amount, Candidate, Dice, EditWord, Word, choices, transform};
use fissure_text::casing;

transform! {
    /// Writes words in capitals, in lower case, with a capital first, or in letters of either case by chance.
    ///
    /// Addresses and markup stay as they are, as for every part that changes words.
    pub struct WordCase {
        ..Amount::all();
        /// `upper` SHOUTS, `lower` whispers, `title` Gives Each Word A Capital and leaves the rest of it, `random`
        /// thRoWs a coin for each letter.
        mode: Mode = Mode::Upper;
    }
    card: {
        level: Some(Word),
        family: Some(Morphology),
        expectation: Some(Kept),
        // Han, kana, Thai and Devanagari have no case.
        languages: &[Alphabetic],
        // Capitals distinguish a name from a noun, in NER above all; but the name is still one.
        aliases: &["WordCase"],
        citation: Some("Wang et al. 2021 (TextFlint), Table 1"),
        human: Some(HumanScores { plausibility: (3.75, 3.67), grammaticality: (3.77, 3.69) }),
    }
    examples: [
        "The soup at McDonald's was hot." => "THE SOUP AT MCDONALD'S WAS HOT.",
        { mode = "lower" } "NASA says No." => "nasa says no.",
        { mode = "title" } "the soup at McDonald's was hot" => "The Soup At McDonald's Was Hot",
        { mode = "random", seed = "3" } "the soup was hot" => "tHE Soup wAS HoT",
        { rate = "0.3" } "The soup was hot, and so was the bread." => "The SOUP was hot, and SO WAS the bread.",
        { mode = "lower" } "all is quiet" => "all is quiet",
        "see www.example.org/Page &amp; <i>ask</i> @jo" => "SEE www.example.org/Page &amp; <i>ASK</i> @jo",
    ]
}

choices! {
    /// The case to write in.
    pub enum Mode { Upper = "upper", Lower = "lower", Title = "title", Random = "random" }
}

impl EditWord for WordCase {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        match self.mode {
            Mode::Upper => word.text.contains(char::is_lowercase),
            Mode::Lower => word.text.contains(char::is_uppercase),
            Mode::Title => word.text.starts_with(char::is_lowercase),
            Mode::Random => word.text.contains(|letter: char| letter.is_lowercase() || letter.is_uppercase()),
        }
    }

    /// Letters of either case by chance are too many words to list.
    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        self.written(word.text).map(|new| vec![Candidate::new(new)])
    }

    fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        Some(self.written(word.text).unwrap_or_else(|| mixed(word.text, dice)))
    }
}

impl WordCase {
    /// The word in the case of the mode; `None` if chance decides.
    fn written(&self, word: &str) -> Option<String> {
        match self.mode {
            // Most words are ASCII, for which the tables of Unicode need not be asked.
            Mode::Upper if word.is_ascii() => Some(word.to_ascii_uppercase()),
            Mode::Upper => Some(word.to_uppercase()),
            Mode::Lower if word.is_ascii() => Some(word.to_ascii_lowercase()),
            Mode::Lower => Some(word.to_lowercase()),
            Mode::Title => Some(casing::title(word).into_owned()),
            Mode::Random => None,
        }
    }
}

fn mixed(word: &str, dice: &mut Dice) -> String {
    let mut new = String::with_capacity(word.len());
    for letter in word.chars() {
        if dice.chance(0.5) {
            new.extend(letter.to_uppercase());
        } else {
            new.extend(letter.to_lowercase());
        }
    }
    new
}
