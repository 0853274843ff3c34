//! Words for other things of the same kind: `judge` for `lawyer`, `late` for `early`.

use fissure_core::Dice;
use fissure_text::inflection::{self, Kind};
use fissure_text::names::gendered_words;
use fissure_text::{Penn, neighbours, wordnet};

/// The rarest words that are put, by their rank among 40,000.
const RAREST: u32 = 10_000;
/// How near two nouns of one broad topic have to be, and if no more is known to bind them.
const NEAR: f32 = 0.55;
const NEARER: f32 = 0.7;
/// Topics of which one thing can stand for another; of events and thoughts it seldom can.
const CONCRETE: &[&str] = &[
    "noun.animal",
    "noun.artifact",
    "noun.body",
    "noun.food",
    "noun.group",
    "noun.object",
    "noun.person",
    "noun.plant",
    "noun.substance",
];

/// Kin of whom nobody is two to the same person.
const KIN: &[&str] = &["father", "mother", "brother", "sister", "son", "daughter", "uncle", "aunt", "grandfather"];

/// Another word in the form of the tag, for a lower-case lemma; nothing if none is known to mean something else of the
/// same kind.
pub(crate) fn sister(lemma: &str, tag: Penn, dice: &mut Dice) -> Option<String> {
    let others = match tag {
        Penn::Nn | Penn::Nns => nouns(lemma),
        Penn::Jj => adjectives(lemma),
        _ => Vec::new(),
    };
    let other = dice.pick(others.get(..others.len().min(4))?)?;
    let form = inflection::inflect(other, tag.as_str())?;
    (!form.contains(' ')).then(|| form.into_owned())
}

/// The same, but only a word that cannot be true of the thing as well: of nouns near each other most are other words for one thing
/// (`army` and `troops`, `oil` and `fuel`, `council` and `committee`), and what is said of the one then holds of the other.
pub(crate) fn excluding(lemma: &str, tag: Penn, dice: &mut Dice) -> Option<String> {
    const APART: &[&str] = &["noun.animal", "noun.body", "noun.plant"];
    let others: Vec<&str> = match tag {
        Penn::Nn | Penn::Nns if KIN.contains(&lemma) => {
            let alike = |other: &&str| *other != lemma && gendered_words::of(other) == gendered_words::of(lemma);
            KIN.iter().copied().filter(alike).collect()
        }
        Penn::Nn | Penn::Nns => {
            main_sense(lemma).filter(|sense| APART.contains(&sense.topic())).map(|_| nouns(lemma)).unwrap_or_default()
        }
        Penn::Jj => adjectives(lemma),
        _ => Vec::new(),
    };
    let form = inflection::inflect(dice.pick(&others)?, tag.as_str())?;
    (!form.contains(' ')).then(|| form.into_owned())
}

/// The same for a made-up answer, which may be anything of the broad topic.
pub(crate) fn answer(lemma: &str, tag: Penn, dice: &mut Dice) -> Option<String> {
    sister(lemma, tag, dice).or_else(|| {
        let others = if matches!(tag, Penn::Nn | Penn::Nns) { topical(lemma) } else { Vec::new() };
        let form = inflection::inflect(dice.pick(others.get(..others.len().min(4))?)?, tag.as_str())?;
        (!form.contains(' ')).then(|| form.into_owned())
    })
}

/// Words near this one of the same broad topic that mean something else.
fn topical(lemma: &str) -> Vec<&'static str> {
    let kind = Kind::Noun;
    let Some(own) = wordnet::senses(lemma, kind).next() else { return Vec::new() };
    let other = |(near, likeness): &(&'static str, f32)| {
        let Some(sense) = wordnet::senses(near, kind).next() else { return false };
        let means = |one: wordnet::Sense| wordnet::senses(near, kind).any(|other| other.synset() == one.synset());
        is_usable(near, "NN")
            && sense.topic() == own.topic()
            && *likeness >= NEAR
            && !wordnet::senses(lemma, kind).any(means)
            && !is_kin(lemma, near)
    };
    neighbours::of(lemma).filter(other).map(|(near, _)| near).collect()
}

/// Nouns near this one that share its kind and neither mean the same nor more or less of it.
fn nouns(lemma: &str) -> Vec<&'static str> {
    let Some(own) = main_sense(lemma) else { return Vec::new() };
    let above: Vec<u32> = own.hypernyms().map(wordnet::Sense::synset).collect();
    let alike = |(near, likeness): &(&'static str, f32)| {
        let Some(sense) = main_sense(near) else { return false };
        let over: Vec<u32> = sense.hypernyms().map(wordnet::Sense::synset).collect();
        let related = over.contains(&own.synset()) || above.contains(&sense.synset());
        let shares = over.iter().any(|one| above.contains(one));
        let same = wordnet::senses(lemma, Kind::Noun)
            .any(|one| wordnet::senses(near, Kind::Noun).any(|other| other.synset() == one.synset()));
        let concrete = CONCRETE.contains(&sense.topic());
        let topical = sense.topic() == own.topic() && (concrete || shares);
        let near_enough = *likeness >= if shares && concrete { NEAR } else { NEARER };
        is_usable(near, "NN") && !same && !related && topical && near_enough && !is_kin(lemma, near)
    };
    neighbours::of(lemma).filter(alike).map(|(near, _)| near).collect()
}

/// The sense that a noun has in most of its uses.
fn main_sense(lemma: &str) -> Option<wordnet::Sense> {
    wordnet::senses(lemma, Kind::Noun).next().filter(|sense| sense.share() >= 0.5)
}

fn adjectives(lemma: &str) -> Vec<&'static str> {
    let senses = wordnet::senses(lemma, Kind::Adjective).take(2);
    let opposites = senses.flat_map(|sense| sense.antonyms().map(wordnet::Sense::word).collect::<Vec<_>>());
    opposites.filter(|other| is_usable(other, "JJ")).collect()
}

fn is_usable(word: &str, tag: &str) -> bool {
    word.len() > 2
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && inflection::is_lemma(word, tag)
        && neighbours::frequency_rank(word).is_some_and(|rank| rank < RAREST)
}

/// Words with a common stem, which may speak of the same thing: `settler` and `settlement`.
fn is_kin(one: &str, other: &str) -> bool {
    let common = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    common >= 4 || one.ends_with(other) || other.ends_with(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_for_the_same_thing_exclude_nothing() {
        for seed in 0..20 {
            let mut dice = Dice::new(seed, &["sisters"]);
            for noun in ["army", "council", "oil", "turbine", "school", "community", "ship", "valley"] {
                assert_eq!(excluding(noun, Penn::Nn, &mut dice), None, "{noun}");
            }
            assert!(excluding("brother", Penn::Nn, &mut dice).is_some_and(|other| other != "brother"));
        }
    }

    #[test]
    fn sisters_are_of_the_same_kind() {
        let mut dice = Dice::new(1, &["sisters"]);
        for (lemma, tag) in [("lawyer", Penn::Nn), ("building", Penn::Nn), ("palace", Penn::Nns), ("early", Penn::Jj)] {
            let other = sister(lemma, tag, &mut dice).unwrap_or_default();
            assert!(!other.is_empty() && other != lemma, "{lemma}: {other}");
            assert_eq!(other.ends_with('s'), tag == Penn::Nns, "{lemma}: {other}");
        }
        assert_eq!(sister("xyzzy", Penn::Nn, &mut dice), None);
    }
}
