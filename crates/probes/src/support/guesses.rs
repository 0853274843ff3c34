//! What a masked language model puts in place of words.

use fissure_core::{Amount, Dice, Edit, Guess, MaskedLm, Place, Protected, Skip, Span, Text};
use fissure_text::Upos;
use fissure_text::chinese::dictionary;
use fissure_text::chinese::script::to_simplified;

use super::chinese::{self, Han};

/// Draws which of the words to ask about. Some have no guess that fits: half as many more than wanted are asked for at
/// once, in one batch.
pub(crate) fn asked(open: &[usize], wanted: usize, dice: &mut Dice) -> Vec<usize> {
    let mut order = dice.choose(open.len(), open.len());
    dice.shuffle(&mut order);
    order.into_iter().take(wanted + wanted / 2).map(|at| open[at]).collect()
}

/// Words of more characters are few, and there are too many ways to put them together.
const MOST_CHARACTERS: usize = 3;

/// Characters that deny: with them a text says something else.
const DENYING: &[char] = &['不', '没', '无', '未', '非', '别'];

/// Whether a Chinese word could be another: it has content, is no name, and does not deny.
pub(crate) fn is_open(word: &str, upos: Upos) -> bool {
    (2..=MOST_CHARACTERS).contains(&word.chars().count())
        && matches!(upos, Upos::Noun | Upos::Verb | Upos::Adj | Upos::Adv)
        && dictionary::has(word)
        && !word.contains(DENYING)
}

/// The words that guesses for the pieces of a word make, the likeliest first: words of the dictionary with as many
/// characters, of the part of speech, in simplified characters.
pub(crate) fn words(pieces: &[Vec<Guess>], old: &str, upos: Upos) -> Vec<Guess> {
    if pieces.len() > MOST_CHARACTERS {
        return Vec::new();
    }
    let mut made = vec![(String::new(), 1.0)];
    for guesses in pieces {
        let longer = |(start, likely): &Guess| {
            let join = |(piece, more): &Guess| (format!("{start}{}", to_simplified(piece)), likely * more);
            guesses.iter().map(join).collect::<Vec<_>>()
        };
        made = made.iter().flat_map(longer).collect();
    }
    let length = old.chars().count();
    made.retain(|(new, _)| new != old && new.chars().count() == length && is_open(new, upos) && is_used_as(new, upos));
    made.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    made.dedup_by(|next, word| next.0 == word.0);
    made
}

/// Whether the dictionary has the word as this part of speech.
fn is_used_as(word: &str, upos: Upos) -> bool {
    match dictionary::tag(word) {
        "nr" | "ns" | "nt" | "nz" | "nrt" | "nrfg" => false,
        "vn" => matches!(upos, Upos::Verb | Upos::Noun),
        "an" | "ad" | "a" => upos == Upos::Adj,
        tag => match tag.as_bytes().first() {
            Some(b'n') => upos == Upos::Noun,
            Some(b'v') => upos == Upos::Verb,
            Some(b'd') => upos == Upos::Adv,
            _ => false,
        },
    }
}

/// A Chinese text whose words may be guessed.
pub(crate) struct Guessing {
    pub han: Han,
    /// The places of the words that may give way.
    pub open: Vec<usize>,
}

impl Guessing {
    pub fn of(text: &Text) -> Self {
        let han = Han::of(text);
        let protected = Protected::of(text);
        let may = |at: &usize| {
            !protected.covers(han.span(*at).into()) && han.upos(*at).is_some_and(|upos| is_open(&han.word(*at), upos))
        };
        let open = han.han().filter(may).collect();
        Self { han, open }
    }

    /// What can stand in these places, for each the likeliest first.
    pub fn guess(&self, model: &dyn MaskedLm, places: &[usize], count: usize) -> Result<Vec<Vec<Guess>>, Skip> {
        let hidden: Vec<Span> = places.iter().map(|at| self.han.place(*at).into()).collect();
        if hidden.is_empty() {
            return Ok(Vec::new());
        }
        let guesses = model.guess_pieces(self.han.text(), &hidden, count)?;
        let fitting = |(at, pieces): (&usize, Vec<Vec<Guess>>)| {
            self.han.upos(*at).map_or_else(Vec::new, |upos| words(&pieces, &self.han.word(*at), upos))
        };
        Ok(places.iter().zip(guesses).map(fitting).collect())
    }
}

/// The edits that put guesses in place of some words of a Chinese text.
pub(crate) fn edits(
    text: &Text,
    amount: Amount,
    count: usize,
    model: &dyn MaskedLm,
    dice: &mut Dice,
) -> Result<Vec<Edit>, Skip> {
    let guessing = Guessing::of(text);
    let wanted = amount.of(guessing.open.len());
    let asked = asked(&guessing.open, wanted, dice);
    let guesses = guessing.guess(model, &asked, count)?;
    let best = asked.iter().zip(&guesses).filter_map(|(at, guesses)| Some((*at, &guesses.first()?.0)));
    let mut edits: Vec<Edit> = best.take(wanted).flat_map(|(at, new)| guessing.han.replace(at, new)).collect();
    edits.sort_by_key(|edit| edit.span);
    Ok(edits)
}

/// Everything that [`edits`] could do; `None` if the model cannot be asked.
pub(crate) fn places(text: &Text, count: usize, model: &dyn MaskedLm) -> Option<Vec<Place>> {
    let guessing = Guessing::of(text);
    let guesses = guessing.guess(model, &guessing.open, count).ok()?;
    let mut places: Vec<Place> = Vec::new();
    for (at, guesses) in guessing.open.iter().zip(guesses) {
        for (new, likely) in guesses {
            chinese::add(&mut places, guessing.han.replace(*at, &new), Some(f64::from(likely)));
        }
    }
    places.sort_by_key(|place| place.span);
    Some(places)
}

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use super::*;

    fn guesses(pieces: &[&str]) -> Vec<Guess> {
        pieces.iter().enumerate().map(|(rank, piece)| ((*piece).to_owned(), 0.5_f32.powi(rank as i32 + 1))).collect()
    }

    #[test]
    fn words_are_put_together_from_pieces() {
        let pieces = [guesses(&["学", "老", "不"]), guesses(&["生", "师", "好", "##a"])];
        let found: Vec<String> = words(&pieces, "朋友", Upos::Noun).into_iter().map(|(word, _)| word).collect();
        assert_eq!(found, ["学生", "老生", "老师"]);
        // The word itself, other parts of speech and words that deny are left out.
        assert_eq!(words(&pieces, "学生", Upos::Noun).len(), 2);
        assert!(words(&pieces, "很好", Upos::Adj).is_empty());
        assert!(words(&[], "朋友", Upos::Noun).is_empty());
        // A model that reads whole words guesses them as one piece.
        assert_eq!(words(&[guesses(&["學生", "了"])], "朋友", Upos::Noun)[0].0, "学生");
    }
}
