use fissure_core::{Amount, Dice, Edit, EditText, Place, Proposal, Text, choices, transform};
use fissure_text::inflection;
use fissure_text::wordnet::{self, Sense};
use fissure_text::{Token, TokenKind, neighbours};

use crate::support::annotated::Annotated;
use crate::support::chinese;
use crate::support::draw_words::{self, Drawn, Lemma};
use crate::support::synonyms;
use crate::support::word_cache::WordCache;
use turning::Turn;
use whole::Drawing;

mod chinese_turn;
mod claims;
mod turning;
mod whole;

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
    /// There are two promises. With `words=judging` every word that judges is swapped, or its denial taken away, and a small network
    /// reads the text and its clauses before and after: only if it sees the judgement of the whole text turn is the text changed, so
    /// that the label of a review flips. With `words=any` words that have an opposite in WordNet are swapped, also in texts that judge nothing;
    /// what happens to the label is unsure. Chinese words turn by lists of our own; with `judging` a text turns if all of its words
    /// that judge do and none weighs them, which is so of few: 27 of 9,600 reviews of hotels, books and computers change, since
    /// nearly every one also tells, weighs or advises.
    pub struct SwapAntWordnet {
        ..Amount::all();
        /// Which words give way to their opposites.
        words: Which = Which::Judging;
        /// With `judging`, how clear the judgement must be before and, the other way, after: the least logarithm of the odds that the
        /// scorer gives. Higher changes fewer texts, more surely.
        clear: f64 = 0.7, in 0.0..=100.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        expectation_if: &[(Has::Sense(Sense::Positive), Flipped)],
        expectation_with: &[("words", "any", Unsure)],
        languages: &[English, Chinese],
        aliases: &["SwapAntWordNet", "SwapAnt-WordNet"],
        retired: &[("turned", "set `clear` instead, how clear the judgement must be before and after (default 0.7)")],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.2"),
        human: Some(HumanScores { plausibility: (3.71, 3.69), grammaticality: (3.76, 3.68) }),
    }
    examples: [
        "Great food and a lovely view." => "Awful food and an ugly view.",
        "The service was good." => "The service was bad.",
        "It is the worst movie of the year." => "It is the best movie of the year.",
        "房间干净，服务热情。" => "房间肮脏，服务冷淡。",
        "房间很大，环境优美，交通方便。" => "房间很小，环境恶劣，交通麻烦。",
        { words = "any", rate = "0.3" } "He sold the old house before winter." => "He bought the old house before winter.",
        "The acting is good, but the plot is a disaster." => "The acting is good, but the plot is a disaster.",
        // What stays behind judges as before: nothing turns.
        "The food was great and never a bad experience." => "The food was great and never a bad experience.",
        "We love this store and were served great soup, but no bread." => "We love this store and were served great soup, but no bread.",
        "Good Friends is a great bar." => "Good Friends is an awful bar.",
        "It is not worth the money." => "It is worth the money.",
        "Really liked it, so we came here too!" => "Really liked it, so we came here too!",
        "Great service, the waitress was on the ball." => "Great service, the waitress was on the ball.",
        "The good salads come from a farm." => "The good salads come from a farm.",
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
        let turns = turning::all(&annotated);
        let drawn = self.drawn(&annotated, turns, dice);
        Ok(if whole::turns(&annotated, &drawn, self.clear) { edits_of(drawn) } else { Vec::new() })
    }

    /// Denials come and go, and some opposites are two words.
    fn keeps_tokens(&self) -> bool {
        true
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
            turning::all(&annotated).into_iter().map(Turn::into_place).collect()
        })
    }
}

impl SwapAntWordnet {
    /// As many of the turns as the amount allows, each in one of its ways.
    fn drawn(&self, annotated: &Annotated, mut turns: Vec<Turn>, dice: &mut Dice) -> Vec<Drawing> {
        let is_word = |token: &&Token| token.kind == TokenKind::Word;
        let wanted = self.amount.of(annotated.analysis().tokens().iter().filter(is_word).count());
        let mut drawn = Vec::new();
        while drawn.len() < wanted && !turns.is_empty() {
            let turn = turns.swap_remove(dice.below(turns.len()));
            if let Some(edits) = dice.pick(&turn.ways) {
                drawn.push(Drawing { at: turn.at, tokens: turn.tokens, edits: edits.clone() });
            }
        }
        drawn.sort_unstable_by_key(|drawing| drawing.at);
        drawn
    }
}

fn edits_of(drawn: Vec<Drawing>) -> Vec<Edit> {
    drawn.into_iter().flat_map(|drawing| drawing.edits).collect()
}

fn picked(words: &[&'static str], dice: &mut Dice) -> Option<String> {
    dice.pick(words).map(|word| (*word).to_owned())
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

fn lemmas(words: Vec<&'static str>) -> Vec<Lemma> {
    words.into_iter().map(|word| Lemma { word: word.to_owned(), score: None }).collect()
}

fn is_common(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase()) && neighbours::frequency_rank(word).is_some()
}
