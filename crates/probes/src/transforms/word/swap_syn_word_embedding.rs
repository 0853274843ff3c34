use std::collections::HashSet;

use fissure_core::{Amount, Dice, Edit, EditSample, Place, Proposal, Resources, Sample, Skip, Text, transform};
use fissure_text::chinese::{dictionary, synonyms as chinese_words};
use fissure_text::inflection;
use fissure_text::substitutes::Substitute;
use fissure_text::wordnet;

use crate::support::annotated::Annotated;
use crate::support::chinese::{self, Han};
use crate::support::chinese_synonyms::synonyms_at;
use crate::support::draw_words::{self, Drawn, Lemma};
use crate::support::near_words;
use crate::support::substitution;
use crate::support::synonyms::{self, Form};

transform! {
    /// Replaces a word with a near neighbour in vector space, of the same part of speech and form.
    ///
    /// Words that are used alike need not mean the same (`north` and `south`, `Monday` and `Tuesday`), so the lexicon of
    /// substitutions has to confirm the neighbour, as in `swap_syn_wordnet`. The neighbours are a built-in table (GloVe, the
    /// 40,000 most frequent words), or those of the vectors given with `--vectors`. `rate` is a share of all words of a text. There is
    /// no built-in table for Chinese: it needs `--vectors`, of simplified words.
    pub struct SwapSynWordEmbedding {
        ..Amount::share(0.1);
        /// The greatest chance that a swap reads badly, as in `swap_syn_wordnet`.
        risk: f64 = 0.1, in 0.0..=1.0;
        /// Whether the lexicon has to confirm that the meaning stays; false trusts the vectors from a cosine of 0.6 on,
        /// antonyms left out, and leaves words alone that another text of the sample has too. Most such swaps read badly.
        confirmed: bool = true;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        languages: &[English, Chinese],
        aliases: &["SwapSynWordEmbedding", "SwapSyn-WordEmbedding"],
        retired: &[
            ("threshold", "set `risk` instead, the greatest chance that a swap reads badly (default 0.1)"),
            ("tolerance", "set `risk` instead, the greatest chance that a swap reads badly (default 0.1)"),
        ],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.1"),
        human: Some(HumanScores { plausibility: (3.72, 3.65), grammaticality: (3.78, 3.78) }),
    }
    examples: [
        "The investigation of the film was nearly over." => "The probe of the film was nearly over.",
        { rate = "1" } "She attempted to react to a huge movie." => "She tried to react to an enormous flick.",
        { confirmed = "false" } "They came from the north on Monday with two cats." => "They came from the area on Monday with two cats.",
        "They went north on Monday." => "They went north on Monday.",
        "Altogether, it is near." => "Altogether, it is near.",
    ]
}

impl EditSample for SwapSynWordEmbedding {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Proposal {
        let mut edits = Vec::new();
        for (at, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let shared = self.shared(sample, at);
            if chinese::is_chinese(&field.text) {
                if resources.neighbours.is_none() && self.amount.rate > 0.0 {
                    return Err(Skip(
                        "the built-in word vectors are English; give Chinese ones with --vectors FILE".into(),
                    ));
                }
                let near = |han: &Han, at: usize| self.chinese(han, at, &shared, resources);
                let made = chinese::draw(&field.text, self.amount, dice, near);
                edits.extend(made.into_iter().map(|edit| edit.on(at)));
                continue;
            }
            edits.extend(self.edit_text(&field.text, &shared, dice, resources).into_iter().map(|edit| edit.on(at)));
        }
        Ok(edits)
    }

    fn candidates_of(&self, sample: &Sample, resources: &Resources) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for (at, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let shared = self.shared(sample, at);
            if chinese::is_chinese(&field.text) {
                let near = |han: &Han, at: usize| self.chinese(han, at, &shared, resources);
                places.extend(chinese::list(&field.text, near).into_iter().map(|place| place.on(at)));
                continue;
            }
            places.extend(self.list(&field.text, &shared, resources).into_iter().map(|place| place.on(at)));
        }
        Some(places)
    }
}

impl SwapSynWordEmbedding {
    /// The words of the other texts that must stay: a neighbour that is not confirmed may mean something else, so what the
    /// texts share stays shared.
    fn shared(&self, sample: &Sample, at: usize) -> HashSet<String> {
        let others = sample.fields.iter().enumerate().filter(|(other, _)| *other != at && !self.confirmed);
        others.flat_map(|(_, other)| other.text.words().map(|word| word.text.to_lowercase())).collect()
    }

    /// The neighbours of a Chinese word with as many characters, used as the same part of speech; none without vectors of the user.
    fn chinese(&self, han: &Han, at: usize, shared: &HashSet<String>, resources: &Resources) -> Vec<String> {
        let (Some(vectors), word) = (&resources.neighbours, han.word(at)) else { return Vec::new() };
        let near = vectors.of(&word);
        if self.confirmed {
            let upos = (self.risk >= 0.3).then(|| han.upos(at)).flatten();
            let known = synonyms_at(han, at, upos, self.risk);
            return known
                .into_iter()
                .filter(|new| near.iter().any(|(near, _)| &**near == *new))
                .map(str::to_owned)
                .collect();
        }
        let Some(upos) = han.upos(at).filter(|_| !word.chars().any(|c| shared.contains(&c.to_string()))) else {
            return Vec::new();
        };
        let fits = |(new, like): &&(Box<str>, f32)| {
            *like >= LEAST
                && **new != *word
                && new.chars().count() == word.chars().count()
                && !dictionary::tag(new).is_empty()
                && dictionary::tag(new) == dictionary::tag(&word)
                && !chinese_words::opposites(&word, upos).contains(&&**new)
        };
        near.iter().filter(fits).map(|(new, _)| new.to_string()).collect()
    }

    fn list(&self, text: &Text, shared: &HashSet<String>, resources: &Resources) -> Vec<Place> {
        let annotated = Annotated::of(text);
        if !self.confirmed {
            let may = |word: &str| !shared.contains(word);
            let lemma = |word: String| Lemma { word, score: None };
            let lemmas = |word: &Drawn<'_>| unconfirmed(&annotated, word, resources).into_iter().map(lemma).collect();
            return draw_words::list(&annotated, may, lemmas, |_, _| true);
        }
        let may = |word: &str| substitution::is_possible(word, self.risk);
        let lemmas = |word: &Drawn<'_>| {
            let old = annotated.small(word.at);
            let near = |substitute: &Substitute| is_near(resources, &old, &substitute.form);
            substitution::list(substitution::fitting(&annotated, word, self.risk, near))
        };
        let fits = |at: usize, lemma: &str| substitution::fits(&annotated, at, lemma, self.risk);
        draw_words::list(&annotated, may, lemmas, fits)
    }

    fn edit_text(&self, text: &Text, shared: &HashSet<String>, dice: &mut Dice, resources: &Resources) -> Vec<Edit> {
        let annotated = Annotated::of(text);
        if !self.confirmed {
            let may = |word: &str| !shared.contains(word);
            let choose =
                |word: Drawn<'_>, dice: &mut Dice| dice.pick(&unconfirmed(&annotated, &word, resources)).cloned();
            return draw_words::draw(&annotated, self.amount, dice, may, choose, |_, _| true);
        }
        let may = |word: &str| substitution::is_possible(word, self.risk);
        let choose = |word: Drawn<'_>, dice: &mut Dice| {
            let old = annotated.small(word.at);
            let fitting = substitution::fitting(&annotated, &word, self.risk, |substitute| {
                is_near(resources, &old, &substitute.form)
            });
            substitution::draw(&fitting, dice)
        };
        let fits = |at: usize, lemma: &str| substitution::fits(&annotated, at, lemma, self.risk);
        draw_words::draw(&annotated, self.amount, dice, may, choose, fits)
    }
}

/// Whether one word is among the nearest of the other.
fn is_near(resources: &Resources, old: &str, new: &str) -> bool {
    if resources.neighbours.is_none() {
        return substitution::is_near(old, new);
    }
    let mut found = false;
    near_words::each(resources, old, |near, _| found |= near == new);
    found
}

/// The least likeness of a neighbour that only the vectors speak for.
const LEAST: f32 = 0.6;

/// The lemmas of the neighbours that only the vectors speak for, the nearest first.
fn unconfirmed(annotated: &Annotated, word: &Drawn<'_>, resources: &Resources) -> Vec<String> {
    let mut likely = Vec::new();
    near_words::each(resources, &annotated.small(word.at), |near, like| {
        if like >= LEAST {
            likely.extend(lemma_of(annotated, word, near));
        }
    });
    likely
}

/// The lemma of a neighbour that has the form of the word, is about as common, judges alike and is no antonym.
fn lemma_of(annotated: &Annotated, word: &Drawn<'_>, near: &str) -> Option<String> {
    /// How much worse than the word it may suit the words around, as a natural logarithm.
    const WORST: f64 = -2.0;
    let tag = annotated.penn(word.at)?.as_str();
    let lemma = inflection::lemmas(near, tag).next()?;
    let written = annotated.word(word.at).to_ascii_lowercase();
    // The cheapest questions first: most neighbours fall at them.
    let fits = lemma != word.lemma
        && synonyms::reads_like(word.form(&written), Form { form: near, lemma }, word.kind)
        && annotated.inflect(word.at, lemma).as_deref() == Some(near)
        && annotated.fit(word.at, near) >= WORST
        && !wordnet::are_antonyms(word.lemma, lemma, word.kind);
    fits.then(|| lemma.to_owned())
}
