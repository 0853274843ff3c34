use fissure_core::{Amount, Dice, EditText, Place, Proposal, Text, transform};

use crate::support::annotated::Annotated;
use crate::support::chinese::{self, Han};
use crate::support::chinese_synonyms::synonyms_at;
use crate::support::draw_words::{self, Drawn};
use crate::support::substitution;

transform! {
    /// Replaces a word with a synonym in the same form: `likes` for `loves`.
    ///
    /// Synonyms come from a lexicon of pairs that were reviewed one by one with texts in which the word stands: some fit
    /// always, some only between certain words (`attempt` for `try` only before `to`). A higher `risk` adds pairs from
    /// WordNet that were not reviewed. `a` and `an` stay right, words of set phrases (`prime minister`) stay, and a word that
    /// is repeated becomes the same synonym wherever it fits. `rate` is a share of all words of a text. Chinese words give way to
    /// words of as many characters, from a reviewed list of its own; a `risk` from 0.3 on adds pairs of the Chinese Open Wordnet.
    pub struct SwapSynWordnet {
        ..Amount::share(0.1);
        /// The greatest chance that a swap reads badly. From 0.02 pairs that fit always are taken, from 0.05 those that fit
        /// between certain words, above about 0.25 the likeliest of those that were not reviewed, at 1 all that WordNet has.
        risk: f64 = 0.1, in 0.0..=1.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        languages: &[English, Chinese],
        aliases: &["SwapSynWordNet", "SwapSyn-WordNet"],
        retired: &[
            ("certainty", "set `risk` instead, the greatest chance that a swap reads badly (default 0.1)"),
            ("tolerance", "set `risk` instead, the greatest chance that a swap reads badly (default 0.1)"),
        ],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.1"),
        human: Some(HumanScores { plausibility: (3.68, 3.45), grammaticality: (3.72, 3.75) }),
    }
    examples: [
        "The lawyer purchased two automobiles." => "The attorney purchased two automobiles.",
        { rate = "1" } "An enormous film began, and the film nearly ended." => "An enormous flick started, and the flick almost ended.",
        { rate = "1" } "Doctors attempted to conceal it." => "Physicians tried to conceal it.",
        "The prime minister made a speech." => "The prime minister made a speech.",
        { rate = "1" } "图书馆很大。" => "图书馆很大。",
        "老板突然走了，我们确实很高兴。" => "老板忽然走了，我们确实很高兴。",
    ]
}

impl EditText for SwapSynWordnet {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        if chinese::is_chinese(text) {
            return Ok(chinese::draw(text, self.amount, dice, |han, at| self.chinese(han, at)));
        }
        let annotated = Annotated::of(text);
        let may = |word: &str| substitution::is_possible(word, self.risk);
        let choose = |word: Drawn<'_>, dice: &mut Dice| {
            let fitting = substitution::fitting(&annotated, &word, self.risk, |_| true);
            substitution::draw(&fitting, dice)
        };
        let fits = |at: usize, lemma: &str| substitution::fits(&annotated, at, lemma, self.risk);
        Ok(draw_words::draw(&annotated, self.amount, dice, may, choose, fits))
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        if chinese::is_chinese(text) {
            return Some(chinese::list(text, |han, at| self.chinese(han, at)));
        }
        let annotated = Annotated::of(text);
        let may = |word: &str| substitution::is_possible(word, self.risk);
        let lemmas =
            |word: &Drawn<'_>| substitution::list(substitution::fitting(&annotated, word, self.risk, |_| true));
        let fits = |at: usize, lemma: &str| substitution::fits(&annotated, at, lemma, self.risk);
        Some(draw_words::list(&annotated, may, lemmas, fits))
    }
}

impl SwapSynWordnet {
    /// Synonyms of a Chinese word, in simplified characters.
    fn chinese(&self, han: &Han, at: usize) -> Vec<String> {
        // The tagger is asked only if the wordnet is.
        let upos = (self.risk >= 0.3).then(|| han.upos(at)).flatten();
        synonyms_at(han, at, upos, self.risk).into_iter().map(str::to_owned).collect()
    }
}
