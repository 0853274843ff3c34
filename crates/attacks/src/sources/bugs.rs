use fissure_core::{Dice, Language, Word};
use fissure_text::{keyboard, lookalikes};

use crate::{AttackResources, Attempt, Change, Source, State};

attack_part! { Source;
    /// Slips inside a word: two letters swapped, one replaced, deleted, inserted, hit on the next key, or one that looks alike.
    pub struct Bugs {
        /// Whether two neighbouring letters are swapped.
        swap: bool = true;
        /// Whether a letter is replaced with a random one.
        replace: bool = false;
        /// Whether a letter is deleted.
        delete: bool = true;
        /// Whether a random letter is inserted.
        insert: bool = true;
        /// Whether a space is put inside the word.
        space: bool = false;
        /// Whether a neighbouring key is hit.
        keyboard: bool = false;
        /// Whether a letter becomes one that looks alike.
        lookalikes: bool = false;
        /// Whether each kind is tried at every place, instead of at one place drawn at random.
        everywhere: bool = false;
        /// Whether the first and the last letter stay.
        inner: bool = true;
    }
}

/// What one kind of slip makes of the word at a letter.
type Slip<'s> = &'s dyn Fn(usize, &mut Dice) -> Vec<String>;

impl Source for Bugs {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let now = state.word(&attempt.victim, word);
        let letters: Vec<(usize, &str)> = Word { text: now, span: (0..now.len()).into() }.letters().collect();
        let edge = usize::from(self.inner);
        let inside = edge..letters.len().saturating_sub(edge);
        if letters.len() < 2 || inside.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<String> = Vec::new();
        let put = |at: usize, length: usize, with: &str| [&now[..at], with, &now[at + length..]].concat();
        let random = |dice: &mut Dice| &"abcdefghijklmnopqrstuvwxyz"[dice.below(26)..][..1];
        // A random edit belongs to the word and the kind, not to the order of calls. What changes one letter comes before what
        // changes two: the model often reads all of them alike, and then the first is taken.
        let kinds: [(bool, Slip<'_>); 7] = [
            (self.replace, &|at, dice| vec![put(letters[at].0, letters[at].1.len(), random(dice))]),
            (self.delete, &|at, _| vec![put(letters[at].0, letters[at].1.len(), "")]),
            (self.insert, &|at, dice| vec![put(letters[at].0, 0, random(dice))]),
            (self.swap, &|at, _| {
                let Some((next, letter)) = letters.get(at + 1).filter(|_| at + 1 < inside.end) else {
                    return Vec::new();
                };
                let (here, old) = letters[at];
                vec![put(here, next + letter.len() - here, &[*letter, old].concat())]
            }),
            (self.space, &|at, _| if at == 0 { Vec::new() } else { vec![put(letters[at].0, 0, " ")] }),
            (self.keyboard, &|at, _| {
                let key = letters[at].1.parse().ok();
                let keys = keyboard::layout("qwerty").zip(key).map_or(&[][..], |(layout, key)| layout.neighbours(key));
                let letter_keys = keys.iter().filter(|key| key.is_alphabetic());
                letter_keys.map(|key| put(letters[at].0, letters[at].1.len(), key.encode_utf8(&mut [0; 4]))).collect()
            }),
            (self.lookalikes, &|at, _| {
                lookalikes::of(letters[at].1).iter().map(|like| put(letters[at].0, letters[at].1.len(), like)).collect()
            }),
        ];
        for (kind, (_, edit)) in kinds.iter().enumerate().filter(|(_, (wanted, _))| *wanted) {
            let mut dice = attempt.dice("bugs", &[word, kind]);
            // All look-alikes count, wherever they are.
            if self.everywhere || kind == 6 {
                inside.clone().for_each(|at| found.extend(edit(at, &mut dice)));
            } else {
                // A place without such an edit (the last letter has none to swap with) gives way to the next.
                let first = dice.below(inside.len());
                let places = (0..inside.len()).map(|next| inside.start + (first + next) % inside.len());
                found.extend(places.map(|at| edit(at, &mut dice)).find(|made| !made.is_empty()).unwrap_or_default());
            }
        }
        found.into_iter().map(Change::new).collect()
    }

    fn languages(&self, _: &AttackResources) -> &'static [Language] {
        &[Language::Alphabetic]
    }
}
