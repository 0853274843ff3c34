use fissure_core::{Amount, Dice, EditText, Place, Proposal, Text, choices, transform};
use fissure_text::inflection::{self, Kind};
use fissure_text::polarity::{self, Polarity};
use fissure_text::wordnet::{self, Sense};
use fissure_text::{Penn, neighbours};

use crate::support::known::Known;
use crate::support::reading::Reading;
use crate::support::senses;
use crate::support::swaps::{Drawn, Lemma, Swaps};

choices! {
    /// Which words give way to their opposites.
    pub enum Which {
        /// Words that judge (`good`, `love`, `boring`): the judgement of the text turns round.
        Judging = "judging",
        /// Any word that has an opposite.
        Any = "any",
    }
}

transform! {
    /// Puts the opposite in the place of a word, in the same form: `hated` for `loved`.
    ///
    /// Opposites are WordNet's, of the sense in which the word is mostly used. Words that judge are swapped all together,
    /// and only where no other word of feeling stays behind and nothing is weighed (`but`, `although`): else the judgement
    /// would not turn round. Set `turned` lower for long texts, and `words` to `any` for texts that judge nothing.
    pub struct SwapAntWordnet {
        ..Amount::all();
        /// Which words give way to their opposites.
        words: Which = Which::Judging;
        /// With `judging`, the least share of the words that judge, are felt or weigh (`but`, `if`) in a text that must have
        /// turned; else it is left alone.
        turned: f64 = 1.0, in 0.0..=1.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        expectation_on: &[("sa", Flipped)],
        languages: &[English],
        tasks: Tasks::Except(&["cws"]),
        aliases: &["SwapAntWordNet", "SwapAnt-WordNet"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.2"),
        human: Some(HumanScores { plausibility: (3.71, 3.69), grammaticality: (3.76, 3.68) }),
    }
    examples: [
        "I loved this beautiful film." => "I hated this ugly film.",
        "The service was good." => "The service was bad.",
        "It is the worst movie of the year." => "It is the best movie of the year.",
        { words = "any", rate = "0.3" } "He sold the old house before winter." => "He bought the old house before winter.",
        "The acting is good, but the plot is a disaster." => "The acting is good, but the plot is a disaster.",
    ]
}

impl EditText for SwapAntWordnet {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let reading = Reading::of(text);
        if self.words == Which::Any {
            return Ok(opposites(&reading).draw(self.amount, dice));
        }
        let edits = counter_judgements(&reading).draw(self.amount, dice);
        if edits.is_empty() {
            return Ok(edits);
        }
        // Whatever else judges, is felt strongly, or weighs one thing against another speaks against the turn.
        let (mut turned, mut staying) = (0, 0);
        for (at, token) in reading.analysis().tokens().iter().enumerate() {
            let felt = is_felt(&reading, at);
            let swapped = felt && edits.binary_search_by_key(&token.span.start, |edit| edit.span.start).is_ok();
            turned += usize::from(swapped);
            staying += usize::from(!swapped && (felt || is_any(reading.word(at), &WEIGHING)));
        }
        let share = turned as f64 / (turned + staying).max(1) as f64;
        Ok(if share >= self.turned { edits } else { Vec::new() })
    }

    /// Whether the text as a whole turns is for whoever puts candidates together to see.
    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        let reading = Reading::of(text);
        Some(match self.words {
            Which::Any => opposites(&reading).list(),
            Which::Judging => counter_judgements(&reading).list(),
        })
    }
}

type Opposites<'r, F> = Swaps<'r, fn(&str) -> bool, F>;

fn opposites(reading: &Reading) -> Opposites<'_, impl Fn(&Drawn<'_>) -> Option<Vec<Lemma>>> {
    Swaps { reading, may: has_opposite, lemmas: |word: &Drawn<'_>| opposites_of(reading, word) }
}

fn counter_judgements(reading: &Reading) -> Opposites<'_, impl Fn(&Drawn<'_>) -> Option<Vec<Lemma>>> {
    Swaps { reading, may: may_turn, lemmas: |word: &Drawn<'_>| counter_judgements_of(reading, word) }
}

/// Whether a word judges in any of its readings.
fn may_judge(word: &str) -> bool {
    static KNOWN: Known = Known::new(|word| {
        polarity::of(word).is_some() || inflection::readings(word).any(|(_, lemma)| polarity::of(lemma).is_some())
    });
    KNOWN.of(word)
}

/// Whether a word judges and has an opposite that judges the other way, in any of its readings.
fn may_turn(word: &str) -> bool {
    static KNOWN: Known = Known::new(|word| {
        let kind_of = |tag| inflection::slot::of_penn(tag).map(|(kind, _)| kind);
        let readings = inflection::readings(word).filter_map(|(tag, lemma)| Some((kind_of(tag)?, lemma)));
        let base = [(Kind::Adjective, word), (Kind::Verb, word)];
        readings
            .chain(base)
            .any(|(kind, lemma)| polarity::of(lemma).is_some_and(|judges| !counters(lemma, kind, judges).is_empty()))
    });
    KNOWN.of(word)
}

/// Whether a word judges, or people hear a feeling in it, in any of its readings.
fn may_be_felt(word: &str) -> bool {
    static KNOWN: Known = Known::new(|word| polarity::is_charged(word) || may_judge(word));
    KNOWN.of(word)
}

/// Whether a word has an opposite in any of its readings.
fn has_opposite(word: &str) -> bool {
    static KNOWN: Known = Known::new(|word| {
        let lemmas = inflection::readings(word).map(|(_, lemma)| lemma).chain([word]);
        lemmas.flat_map(wordnet::all_senses).any(|sense| sense.antonyms().next().is_some())
    });
    KNOWN.of(word)
}

/// Whether the word judges, or people hear a feeling in it.
fn is_felt(reading: &Reading, at: usize) -> bool {
    let written = reading.small(at);
    // Whether the word can be felt at all is known without its tag.
    may_be_felt(&written)
        && reading.kind(at).is_some()
        && (polarity::is_charged(&written)
            || polarity::of(&written).is_some()
            || polarity::of(&reading.lemma(at)).is_some())
}

/// The opposites of a word in its main sense.
fn opposites_of(reading: &Reading, word: &Drawn<'_>) -> Option<Vec<Lemma>> {
    let sense = senses::main_sense(word.lemma, word.kind, 0.4).filter(|_| !senses::is_left_alone(word.lemma))?;
    let takes = |antonym: &Sense| {
        let form = reading.inflect(word.at, antonym.word());
        is_common(antonym.word()) && form.is_some_and(|form| reading.fit(word.at, &form) >= -2.0)
    };
    Some(lemmas(sense.antonyms().filter(takes)))
}

fn lemmas(senses: impl Iterator<Item = Sense>) -> Vec<Lemma> {
    senses.map(|sense| Lemma { word: sense.word().to_owned(), score: None }).collect()
}

/// For a word that judges, the opposites that judge the other way.
fn counter_judgements_of(reading: &Reading, word: &Drawn<'_>) -> Option<Vec<Lemma>> {
    let judges = polarity::of(word.lemma).filter(|_| is_judgement(reading, word))?;
    let found = counters(word.lemma, word.kind, judges);
    Some(lemmas(found.into_iter().filter(|antonym| reading.inflect(word.at, antonym.word()).is_some())))
}

/// The opposites of a word that judge the other way.
fn counters(lemma: &str, kind: Kind, judges: Polarity) -> Vec<Sense> {
    let takes = |antonym: &Sense| {
        let turned = polarity::of(antonym.word()).is_some_and(|other| other != judges);
        turned && is_common(antonym.word())
    };
    let senses = || wordnet::senses(lemma, kind).take(3);
    let direct: Vec<Sense> = senses().flat_map(Sense::antonyms).filter(takes).collect();
    if !direct.is_empty() {
        return direct;
    }
    // By way of a similar adjective the opposite is only sure where it is as plain as can be.
    let plain = |antonym: &Sense| takes(antonym) && PLAIN.contains(&antonym.word());
    senses().flat_map(Sense::indirect_antonyms).filter(plain).collect()
}

/// Opposites that go with whatever is judged.
const PLAIN: [&str; 8] = ["good", "bad", "interesting", "uninteresting", "pleasant", "unpleasant", "beautiful", "ugly"];

/// Whether the word is said as a judgement here, of something that is judged: an adjective before a word for a work or a
/// service or behind a form of `be`, a verb of the writer's own feeling; not denied, not compared, not supposed.
fn is_judgement(reading: &Reading, word: &Drawn<'_>) -> bool {
    let at = word.at;
    let near =
        |words: &[&str], mut places: std::ops::Range<usize>| places.any(|place| is_any(reading.word(place), words));
    let denied = near(&DENYING, at.saturating_sub(5)..at);
    let compared = near(&["than", "as", "yet", "by", "to", "enough", "for"], at + 1..at + 2)
        || near(&["more", "most", "less", "as", "too", "so"], at.saturating_sub(1)..at);
    let said = match word.kind {
        Kind::Adjective => {
            let noun = if reading.kind(at + 1) == Some(Kind::Adjective) { at + 2 } else { at + 1 };
            let of_a_work = JUDGED.contains(&&*reading.lemma(noun)) && reading.kind(noun) == Some(Kind::Noun);
            let stated = reading.kind(at + 1).is_none()
                && near(&["is", "was", "are", "were", "'s", "been"], at.saturating_sub(2)..at)
                && (at.saturating_sub(6)..at).any(|place| is_subject(reading, place));
            of_a_work || (stated && !matches!(reading.penn(at), Some(Penn::Jjr | Penn::Jjs)))
        }
        Kind::Verb => {
            near(&["i", "we"], at.saturating_sub(2)..at)
                && near(&["this", "the", "it", "every", "that", "these", "those", "him", "them"], at + 1..at + 2)
        }
        Kind::Noun | Kind::Adverb => false,
    };
    said && !denied && !compared
}

/// Whether the word can be what a review speaks of.
fn is_subject(reading: &Reading, at: usize) -> bool {
    is_any(reading.word(at), &["it", "this", "everything"]) || JUDGED.contains(&&*reading.lemma(at))
}

fn is_any(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

const DENYING: [&str; 19] = [
    "not",
    "n't",
    "n\u{2019}t",
    "never",
    "no",
    "nothing",
    "hardly",
    "without",
    "otherwise",
    "might",
    "could",
    "would",
    "should",
    "may",
    "rather",
    "less",
    "how",
    "what",
    "only",
];

/// Words with which a text weighs one thing against another: then it is not sure which side the label is on.
const WEIGHING: [&str; 30] = [
    "but",
    "however",
    "although",
    "though",
    "if",
    "or",
    "whether",
    "usually",
    "normally",
    "other",
    "despite",
    "while",
    "unless",
    "except",
    "supposed",
    "not",
    "n't",
    "n\u{2019}t",
    "never",
    "enough",
    "lacks",
    "without",
    "nor",
    "yet",
    "no",
    "nothing",
    "nobody",
    "let",
    "away",
    "unnecessary",
];

/// What reviews judge.
const JUDGED: [&str; 74] = [
    "acting",
    "action",
    "actor",
    "actress",
    "adaptation",
    "album",
    "animation",
    "book",
    "cast",
    "character",
    "cinema",
    "cinematography",
    "comedy",
    "concept",
    "costume",
    "dialog",
    "dialogue",
    "direction",
    "director",
    "documentary",
    "drama",
    "editing",
    "effect",
    "ending",
    "entertainment",
    "episode",
    "experience",
    "film",
    "flick",
    "food",
    "game",
    "horror",
    "hotel",
    "humor",
    "humour",
    "idea",
    "job",
    "joke",
    "meal",
    "movie",
    "music",
    "novel",
    "performance",
    "photography",
    "picture",
    "place",
    "plot",
    "portrayal",
    "premise",
    "product",
    "remake",
    "restaurant",
    "ride",
    "role",
    "room",
    "scene",
    "score",
    "screenplay",
    "script",
    "sequel",
    "sequence",
    "series",
    "service",
    "show",
    "song",
    "soundtrack",
    "staff",
    "story",
    "storyline",
    "thriller",
    "twist",
    "version",
    "visuals",
    "writing",
];

fn is_common(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase()) && neighbours::frequency_rank(word).is_some()
}
