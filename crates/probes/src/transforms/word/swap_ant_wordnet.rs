use fissure_core::{Amount, Dice, Edit, EditText, Place, Proposal, Text, choices, transform};
use fissure_text::inflection::{self, Kind};
use fissure_text::wordnet::{self, Sense};
use fissure_text::{Penn, neighbours, opposites, sentiment};

use crate::support::annotated::Annotated;
use crate::support::chinese;
use crate::support::draw_words::{self, Drawn, Lemma};
use crate::support::synonyms;
use crate::support::word_cache::WordCache;
use claims::{is_any, is_claim, is_undecided, is_weighed};

mod chinese_turn;
mod claims;

choices! {
    /// Which words give way to their opposites.
    pub enum Which {
        /// Words that judge (`good`, `love`, `boring`), if the judgement of the whole text turns.
        Judging = "judging",
        /// Any word that has an opposite.
        Any = "any",
    }
}

transform! {
    /// Replaces words with their opposites, in the same form: `hated` for `loved`.
    ///
    /// There are two promises. With `words=judging` every word that judges is swapped, and a small scorer reads the text
    /// before and after: only if it sees the judgement of the whole text turn is the text changed, so that the label of a
    /// review flips. With `words=any` words that have an opposite in WordNet are swapped, also in texts that judge nothing;
    /// what happens to the label is unsure. Chinese words turn by lists of our own; with `judging` a text turns if all of its words
    /// that judge do and none weighs them.
    pub struct SwapAntWordnet {
        ..Amount::all();
        /// Which words give way to their opposites.
        words: Which = Which::Judging;
        /// With `judging`, how clear the judgement must be before and, the other way, after: the least size of the sum of word
        /// weights. Higher changes fewer texts, more surely.
        clear: f64 = 2.0, in 0.0..=100.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        expectation_if: &[(Has::Sense(Sense::Positive), Flipped)],
        expectation_with: &[("words", "any", Unsure)],
        languages: &[English, Chinese],
        aliases: &["SwapAntWordNet", "SwapAnt-WordNet"],
        retired: &[("turned", "set `clear` instead, how clear the judgement must be before and after (default 2)")],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.2"),
        human: Some(HumanScores { plausibility: (3.71, 3.69), grammaticality: (3.76, 3.68) }),
    }
    examples: [
        "Great food and a lovely view." => "Awful food and an ugly view.",
        "The service was good." => "The service was bad.",
        "It is the worst movie of the year." => "It is the best movie of the year.",
        "房间干净，服务热情。" => "房间肮脏，服务冷淡。",
        { words = "any", rate = "0.3" } "He sold the old house before winter." => "He bought the old house before winter.",
        "The acting is good, but the plot is a disaster." => "The acting is good, but the plot is a disaster.",
        // What stays behind judges as before: nothing turns.
        "The food was great and never a bad experience." => "The food was great and never a bad experience.",
        "We love this store and were served great soup, but no bread." => "We love this store and were served great soup, but no bread.",
        "Good Friends is a great bar." => "Good Friends is a great bar.",
    ]
}

impl EditText for SwapAntWordnet {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        if chinese::is_chinese(text) {
            return Ok(chinese_turn::edits(text, self.amount, self.words, self.clear, dice));
        }
        let annotated = Annotated::of(text);
        if self.words == Which::Any {
            let choose = |word: Drawn<'_>, dice: &mut Dice| picked(&opposites_of(&annotated, &word), dice);
            return Ok(draw_words::draw(&annotated, self.amount, dice, has_opposite, choose, |_, _| true));
        }
        // A passage in Chinese would still judge as before.
        if text.contains(fissure_text::chinese::is_han) {
            return Ok(Vec::new());
        }
        let choose = |word: Drawn<'_>, dice: &mut Dice| picked(&counter_judgements(&annotated, &word), dice);
        let fits = |at: usize, _: &str| !is_weighed(&annotated, at);
        let edits = draw_words::draw(&annotated, self.amount, dice, may_judge, choose, fits);
        Ok(if self.turns(&annotated, &edits) { edits } else { Vec::new() })
    }

    /// Every word that could turn, whether or not the text as a whole turns with it.
    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        if chinese::is_chinese(text) {
            return Some(chinese_turn::places(text, self.words));
        }
        let annotated = Annotated::of(text);
        Some(if self.words == Which::Any {
            draw_words::list(&annotated, has_opposite, |word| lemmas(opposites_of(&annotated, word)), |_, _| true)
        } else {
            let fits = |at: usize, _: &str| !is_weighed(&annotated, at);
            draw_words::list(&annotated, may_judge, |word| lemmas(counter_judgements(&annotated, word)), fits)
        })
    }
}

impl SwapAntWordnet {
    /// Whether the edits turn the judgement of the whole text: one of them is what a sentence claims, the text does not weigh
    /// one thing against another, no word of the old judgement stays behind, and the scorer sees it turn.
    fn turns(&self, annotated: &Annotated, edits: &[Edit]) -> bool {
        let swapped = |at: usize| edited(annotated, at, edits).is_some();
        if !(0..annotated.len()).any(|at| swapped(at) && is_claim(annotated, at)) || is_undecided(annotated) {
            return false;
        }
        let old = sentiment::word_weights(annotated.analysis(), |_| None);
        let new = sentiment::word_weights(annotated.analysis(), |at| edited(annotated, at, edits));
        let counted = |(at, weight): &(usize, f64)| {
            if swapped(*at) { *weight } else { weight.signum() * (weight.abs() - TOPIC).max(0.0) }
        };
        let (before, after): (f64, f64) = (old.iter().map(counted).sum(), new.iter().map(counted).sum());
        let weight_of = |at: usize| old.iter().find(|(place, _)| *place == at).map_or(0.0, |(_, weight)| *weight);
        let stays = |at: usize| {
            let (sides, word) = (weight_of(at) * before.signum(), annotated.small(at));
            sides >= STRONG || (sides >= SLIGHT && may_judge(&word))
        };
        let turned = before.abs() >= self.clear && after.abs() >= self.clear && (before > 0.0) != (after > 0.0);
        let content = |(at, _): &&(usize, f64)| !swapped(*at) && annotated.may_be_content(*at);
        let left: f64 = old.iter().filter(content).map(|(_, weight)| weight * before.signum()).sum();
        turned && left <= MOST_LEFT && !(0..annotated.len()).any(|at| !swapped(at) && stays(at))
    }
}

/// The least weight of a word that judges by itself.
const STRONG: f64 = 4.0;
/// A word of the table of opposites that stays counts as the old judgement unless it speaks against it by this much.
const SLIGHT: f64 = -1.0;
/// The most that words which stay may weigh together for the old judgement.
const MOST_LEFT: f64 = 2.5;
/// What is taken off the weight of words that stay: most of them name a topic that reviewers of one mind write about.
const TOPIC: f64 = 3.0;

fn picked(words: &[&'static str], dice: &mut Dice) -> Option<String> {
    dice.pick(words).map(|word| (*word).to_owned())
}

/// What an edit puts where the token at place `at` stands.
fn edited<'e>(annotated: &Annotated, at: usize, edits: &'e [Edit]) -> Option<&'e str> {
    let span = &annotated.analysis().tokens().get(at)?.span;
    let found = edits.binary_search_by_key(&span.start, |edit| edit.span.start).ok()?;
    Some(edits[found].with.as_ref())
}

/// Whether a word judges in any of its readings.
fn may_judge(word: &str) -> bool {
    static KNOWN: WordCache =
        WordCache::new(|word| judges(word) || inflection::readings(word).any(|(_, lemma)| judges(lemma)));
    KNOWN.of(word)
}

fn judges(lemma: &str) -> bool {
    const KINDS: [Kind; 4] = [Kind::Noun, Kind::Verb, Kind::Adjective, Kind::Adverb];
    KINDS.iter().any(|kind| !opposites::of(lemma, *kind).is_empty())
}

/// Whether a word has an opposite in any of its readings.
fn has_opposite(word: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|word| {
        let lemmas = inflection::readings(word).map(|(_, lemma)| lemma).chain([word]);
        lemmas.flat_map(wordnet::all_senses).any(|sense| sense.antonyms().next().is_some())
    });
    KNOWN.of(word)
}

/// The opposites of a word in its main sense.
fn opposites_of(annotated: &Annotated, word: &Drawn<'_>) -> Vec<&'static str> {
    let sense = synonyms::main_sense(word.lemma, word.kind, 0.4).filter(|_| !synonyms::is_left_alone(word.lemma));
    let takes = |antonym: &Sense| {
        let form = annotated.inflect(word.at, antonym.word());
        is_common(antonym.word()) && form.is_some_and(|form| annotated.fit(word.at, &form) >= -2.0)
    };
    sense.into_iter().flat_map(|sense| sense.antonyms().filter(takes)).map(|antonym| antonym.word()).collect()
}

/// For a word that judges, the words that judge the other way.
fn counter_judgements(annotated: &Annotated, word: &Drawn<'_>) -> Vec<&'static str> {
    let Some(kind) = judging_kind(annotated, word) else { return Vec::new() };
    opposites::of(word.lemma, kind)
        .iter()
        .copied()
        .filter(|other| annotated.inflect(word.at, other).is_some() && !is_weighed(annotated, word.at))
        .collect()
}

fn lemmas(words: Vec<&'static str>) -> Vec<Lemma> {
    words.into_iter().map(|word| Lemma { word: word.to_owned(), score: None }).collect()
}

/// As what kind of word it judges; nothing for phrases that only look like a judgement.
fn judging_kind(annotated: &Annotated, word: &Drawn<'_>) -> Option<Kind> {
    let (before, after) = (annotated.before(word.at), annotated.after(word.at));
    let phrase = match (word.lemma, word.kind) {
        // `good luck`, `a great deal`, `better off`
        ("good" | "great" | "bad" | "nice" | "better" | "worse", Kind::Adjective) => is_any(
            after,
            &[
                "luck", "deal", "thing", "news", "guy", "guys", "old", "many", "enough", "off", "yet", "number", "for",
                "at", "as", "will", "evil", "day", "morning",
            ],
        ),
        ("poor", _) => {
            !annotated.penn(word.at + 1).is_some_and(|tag| tag.as_str().starts_with("NN"))
                || is_any(after, &["people", "man", "girl", "boy", "guy", "kid", "family", "families", "countries"])
        }
        ("like", _) => {
            !is_any(before, &["i", "n't", "really", "you", "we", "not"]) || is_any(after, &["to", "a", "an"])
        }
        ("love" | "enjoy" | "hate", Kind::Verb) => {
            is_any(after, &["to", "that", "how", "interest"]) || is_any(before, &["would", "'d", "will", "in"])
        }
        ("well", _) => !is_participle(annotated, word.at + 1) || is_any(before, &["as", "very"]),
        ("fun" | "treat" | "joy" | "pleasure" | "love", Kind::Noun) => !is_any(before, &["a", "real", "pure", "such"]),
        ("fresh" | "weak" | "strong" | "slow" | "dry" | "effective" | "reasonable" | "original", _) => {
            is_any(after, &["air", "start", "one", "version", "film", "movie", "series", "book", "way"])
        }
        ("success" | "failure" | "disaster" | "mess", _) => {
            !is_any(before, &["a", "total", "complete", "absolute", "this", "an", "utter", "big", "huge"])
        }
        ("fail" | "succeed", _) => is_any(after, &["to"]),
        _ => false,
    };
    // `Good Friends is a great bar`
    let capital =
        |word: &str| word.starts_with(|c: char| c.is_uppercase()) && word.contains(|c: char| c.is_lowercase());
    let name = capital(annotated.word(word.at)) && capital(after);
    (!phrase && !name).then_some(word.kind)
}

fn is_participle(annotated: &Annotated, at: usize) -> bool {
    matches!(annotated.penn(at), Some(Penn::Vbn | Penn::Vbd))
}

fn is_common(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase()) && neighbours::frequency_rank(word).is_some()
}
