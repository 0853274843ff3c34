use fissure_core::{Amount, Candidate, Dice, Edit, EditWord, Place, Span, Text, Word, choices, transform};

use super::{is_typed, rewrite, slip, slips};
use crate::support::chinese::{self, Han};
use crate::support::chinese_slips;

transform! {
    /// Replaces, swaps, inserts or deletes one letter inside a word.
    ///
    /// The word is never the same afterwards, nor another English word (`fee` for `free`): letters that are alike are not
    /// swapped, and a letter is replaced by another one in the same case. In scripts other than Latin the new letter comes
    /// from the word itself. A Chinese word is mistyped in pinyin: a letter of one syllable slips (`shen` for `sheng`), and a common
    /// character of that syllable takes the place of the right one.
    pub struct Typos {
        ..Amount::share(0.1);
        /// What happens to the letter; `random` takes any of the four.
        mode: Mode = Mode::Random;
        /// Words with fewer letters are left alone.
        min_length: usize = 4, in 1..=usize::MAX;
        /// Whether the first letter stays as it is.
        keep_first: bool = true;
        /// Whether the last letter stays as it is.
        keep_last: bool = true;
        /// Whether words that carry a label (an answer, a term, a mention) may be hit too.
        labelled: bool = false;
    }
    card: {
        tags: &[Tag::Slip],
        level: Some(Character),
        family: Some(Morphology),
        expectation: Some(Kept),
        languages: &[Alphabetic, Chinese],
        aliases: &["Typos"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.5"),
        human: Some(HumanScores { plausibility: (3.69, 3.63), grammaticality: (3.74, 3.39) }),
    }
    examples: [
        "A wonderful story, told with patience and humour." => "A wonderful siory, told with patience and humour.",
        { mode = "swap" } "The waiter brought us cold coffee." => "The wiater brought us cold coffee.",
        { mode = "delete", rate = "0.5" } "The waiter brought us cold coffee." => "The witer broght us cold coffee.",
        { mode = "insert", seed = "2" } "Ireland has won the second game." => "Irelkand has won the second game.",
        { mode = "swap" } "Aaaah, I see." => "Aaaah, I see.",
        { mode = "delete", rate = "1" } "It seemed free: see www.free.org." => "It semed fre: see www.free.org.",
        "酒店的服务很好，价格便宜。" => "酒断的服务很好，价格便宜。",
    ]
}

choices! {
    /// What a typo does.
    pub enum Mode { Random = "random", Replace = "replace", Swap = "swap", Insert = "insert", Delete = "delete" }
}

const MODES: [Mode; 4] = [Mode::Replace, Mode::Swap, Mode::Insert, Mode::Delete];

impl EditWord for Typos {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        is_typed(word, self.min_length)
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        let modes = MODES.into_iter().filter(|mode| self.mode == Mode::Random || *mode == self.mode);
        Some(slips(modes.flat_map(|mode| self.all_by(mode, word))))
    }

    /// Each kind as likely, then each letter, then what happens to it.
    fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        slip(|| self.any_edit(word, dice))
    }

    fn edit_unspaced(&self, text: &Text, dice: &mut Dice) -> Option<Vec<Edit>> {
        chinese::is_chinese(text).then(|| chinese::draw(text, self.amount, dice, |han, at| self.mistyped(han, at)))
    }

    fn candidates_unspaced(&self, text: &Text) -> Option<Vec<Place>> {
        chinese::is_chinese(text).then(|| chinese::list(text, |han, at| self.mistyped(han, at)))
    }

    fn spares_labels(&self) -> bool {
        !self.labelled
    }
}

/// A typo in a word that makes no other English word; `None` if the word has no letter for it.
pub(crate) fn typo(word: Word<'_>, mode: Mode, keep_first: bool, dice: &mut Dice) -> Option<String> {
    let typos = Typos { amount: Amount::all(), mode, min_length: 1, keep_first, keep_last: false, labelled: true };
    typos.edit_word(word, dice)
}

impl Typos {
    /// The words that a slip of one letter of pinyin makes.
    fn mistyped(&self, han: &Han, at: usize) -> Vec<String> {
        let modes = || MODES.into_iter().filter(|mode| self.mode == Mode::Random || *mode == self.mode);
        let inner = Self {
            amount: self.amount,
            mode: self.mode,
            min_length: 1,
            keep_first: true,
            keep_last: false,
            labelled: true,
        };
        chinese_slips::mistyped(han, at, ("typos", self.mode as usize), |syllable| {
            let word = Word { text: syllable, span: Span::new(0, syllable.len()) };
            modes().flat_map(|mode| inner.all_by(mode, word)).collect()
        })
    }

    fn any_edit(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        let first = match self.mode {
            Mode::Random => dice.below(MODES.len()),
            mode => return self.edit_by(mode, word, dice),
        };
        // Where one kind cannot be had (a word of equal letters has nothing to swap), the next is tried.
        (0..MODES.len()).find_map(|next| self.edit_by(MODES[(first + next) % MODES.len()], word, dice))
    }

    /// Everything a typo of this kind can make of the word.
    fn all_by<'a>(&self, mode: Mode, word: Word<'a>) -> impl Iterator<Item = String> + use<'a> {
        let fits = move |place: &Spot<'_>| mode != Mode::Swap || place.next.is_some_and(|next| next != place.letter);
        self.places(word).filter(fits).flat_map(move |place| {
            let letters: Vec<&str> = match (mode, alphabet(place.letter)) {
                (Mode::Insert, Some((letters, _))) => letters.split("").filter(|letter| !letter.is_empty()).collect(),
                (Mode::Insert, None) => vec![place.letter],
                (Mode::Replace, Some((letters, _))) => {
                    letters.split("").filter(|letter| !letter.is_empty() && *letter != place.letter).collect()
                }
                (Mode::Replace, None) => {
                    word.letters().map(|(_, other)| other).filter(|other| *other != place.letter).collect()
                }
                _ => vec![""],
            };
            letters.into_iter().filter_map(move |letter| place.edited(mode, word, letter)).collect::<Vec<_>>()
        })
    }

    fn edit_by(&self, mode: Mode, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        let fits = |place: &Spot<'_>| mode != Mode::Swap || place.next.is_some_and(|next| next != place.letter);
        let places = || self.places(word).filter(fits);
        let spot = places().nth(dice.below(places().count()))?;
        let letter = match mode {
            Mode::Insert => any_letter(spot.letter, dice),
            Mode::Replace => other_letter(word, spot.letter, dice)?,
            Mode::Delete | Mode::Swap | Mode::Random => "",
        };
        spot.edited(mode, word, letter)
    }

    /// The letters that may be touched.
    fn places<'a>(&self, word: Word<'a>) -> impl Iterator<Item = Spot<'a>> + use<'a> {
        let first = usize::from(self.keep_first);
        let last = word.letter_count().saturating_sub(usize::from(self.keep_last));
        let inner = move || word.letters().take(last).skip(first);
        let followers = inner().skip(1).map(Some).chain(std::iter::once(None));
        let is_letter = |letter: &str| letter.starts_with(char::is_alphabetic);
        inner().zip(followers).filter(move |((_, letter), _)| is_letter(letter)).map(move |((at, letter), next)| Spot {
            at,
            letter,
            next: next.map(|(_, next)| next).filter(|next| is_letter(next)),
        })
    }
}

/// A letter that may be touched, and the one behind it where that may be touched as well.
struct Spot<'a> {
    at: usize,
    letter: &'a str,
    next: Option<&'a str>,
}

impl Spot<'_> {
    /// The word after a typo here; `new` is the letter that is typed, if one is.
    fn edited(&self, mode: Mode, word: Word<'_>, new: &str) -> Option<String> {
        let here = self.at..self.at + self.letter.len();
        match mode {
            Mode::Insert => Some(rewrite(word.text, self.at..self.at, new)),
            Mode::Delete => Some(rewrite(word.text, here, "")),
            Mode::Replace => Some(rewrite(word.text, here, new)),
            Mode::Swap | Mode::Random => {
                let mut without = rewrite(word.text, here, "");
                without.insert_str(self.at + self.next?.len(), self.letter);
                Some(without)
            }
        }
    }
}

/// A letter to stand beside `letter`, in the same case.
fn any_letter<'a>(letter: &'a str, dice: &mut Dice) -> &'a str {
    // A letter of another script is doubled: a Latin one would not be found on that keyboard.
    alphabet(letter).map_or(letter, |(letters, _)| &letters[dice.below(letters.len())..][..1])
}

/// A letter to stand in place of `letter`, in the same case, and never `letter` itself.
fn other_letter<'a>(word: Word<'a>, letter: &'a str, dice: &mut Dice) -> Option<&'a str> {
    if let Some((letters, at)) = alphabet(letter) {
        let other = (at + 1 + dice.below(letters.len() - 1)) % letters.len();
        return letters.get(other..other + 1);
    }
    let others = || word.letters().map(|(_, other)| other).filter(|other| *other != letter);
    others().nth(dice.below(others().count()))
}

/// The alphabet that has `letter`, and its place there.
fn alphabet(letter: &str) -> Option<(&'static str, usize)> {
    match letter.as_bytes() {
        [byte @ b'a'..=b'z'] => Some(("abcdefghijklmnopqrstuvwxyz", usize::from(byte - b'a'))),
        [byte @ b'A'..=b'Z'] => Some(("ABCDEFGHIJKLMNOPQRSTUVWXYZ", usize::from(byte - b'A'))),
        _ => None,
    }
}
