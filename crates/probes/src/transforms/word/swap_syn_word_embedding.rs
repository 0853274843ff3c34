use std::borrow::Cow;
use std::collections::HashSet;

use fissure_core::{Aids, Amount, Dice, EditSample, Place, Proposal, Sample, transform};
use fissure_text::inflection::{self, Kind};
use fissure_text::neighbours;
use fissure_text::wordnet::{self, Sense};

use crate::support::known::Known;
use crate::support::near;
use crate::support::reading::Reading;
use crate::support::senses::{self, Form};
use crate::support::swaps::{Drawn, Lemma, Swaps};

transform! {
    /// Puts a near neighbour in vector space in the place of a word, of the same part of speech and form.
    ///
    /// Words that are used alike need not mean the same (`north` and `south`, `Monday` and `Tuesday`), so WordNet has to
    /// know the neighbour as a synonym or a similar adjective, and antonyms never count. The
    /// neighbours are a built-in table (GloVe, the 40,000 most frequent words), or those of the vectors given with
    /// `--vectors`.
    pub struct SwapSynWordEmbedding {
        ..Amount::share(0.1);
        /// Least likeness of a neighbour: the cosine of the two vectors.
        threshold: f64 = 0.6, in 0.0..=1.0;
        /// Whether WordNet has to confirm that the meaning stays; false trusts the vectors, antonyms left out, and leaves
        /// words alone that another text of the sample has too.
        confirmed: bool = true;
        /// How much worse than the word a neighbour may fit between the words around it, as a natural logarithm.
        tolerance: f64 = 2.0, in 0.0..=100.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        languages: &[English],
        tasks: Tasks::Except(&["cws"]),
        aliases: &["SwapSynWordEmbedding", "SwapSyn-WordEmbedding"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.1"),
        human: Some(HumanScores { plausibility: (3.72, 3.65), grammaticality: (3.78, 3.78) }),
    }
    examples: [
        "The investigation of the film was nearly over." => "The investigation of the movie was nearly over.",
        { rate = "1" } "She attempted to react to a huge movie." => "She tried to respond to a vast movie.",
        { confirmed = "false" } "They came from the north on Monday with two cats." => "They came from the northeast on Monday with two cats.",
        "They went north on Monday." => "They went north on Monday.",
        "Altogether, it is near." => "Altogether, it is near.",
    ]
}

impl EditSample for SwapSynWordEmbedding {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, aids: &Aids) -> Proposal {
        let mut edits = Vec::new();
        for (at, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let (reading, shared) = (Reading::of(&field.text), self.shared(sample, at));
            let made = self.swaps(&reading, &shared, aids).draw(self.amount, dice);
            edits.extend(made.into_iter().map(|edit| edit.on(at)));
        }
        Ok(edits)
    }

    fn candidates_of(&self, sample: &Sample, aids: &Aids) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for (at, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let (reading, shared) = (Reading::of(&field.text), self.shared(sample, at));
            places.extend(self.swaps(&reading, &shared, aids).list().into_iter().map(|place| place.on(at)));
        }
        Some(places)
    }
}

impl SwapSynWordEmbedding {
    /// The words of the other texts that must stay: a neighbour that nobody confirmed may mean something else, so what the
    /// texts share stays shared.
    fn shared(&self, sample: &Sample, at: usize) -> HashSet<String> {
        let others = sample.fields.iter().enumerate().filter(|(other, _)| *other != at && !self.confirmed);
        others.flat_map(|(_, other)| other.text.words().map(|word| word.text.to_lowercase())).collect()
    }

    fn swaps<'a>(
        &'a self,
        reading: &'a Reading,
        shared: &'a HashSet<String>,
        aids: &'a Aids,
    ) -> Swaps<'a, impl Fn(&str) -> bool, impl Fn(&Drawn<'_>) -> Option<Vec<Lemma>>> {
        // The user's own vectors, or nobody to confirm, may lead anywhere.
        let may =
            |word: &str| (!self.confirmed || aids.neighbours.is_some() || has_near_kin(word)) && !shared.contains(word);
        Swaps { reading, may, lemmas: |word: &Drawn<'_>| Some(self.likely(reading, word, aids)) }
    }

    /// The lemmas of the neighbours that may stand for the word, the nearest first.
    fn likely(&self, reading: &Reading, word: &Drawn<'_>, aids: &Aids) -> Vec<Lemma> {
        let mut likely: Vec<Lemma> = Vec::new();
        // `Altogether, it works`, `not nearly enough`: an adverb that opens a clause speaks of all of it, one behind `not`
        // is part of a phrase, and few others can stand there.
        if word.kind == Kind::Adverb && (opens_clause(reading, word.at) || is_denied(reading, word.at)) {
            return likely;
        }
        let kin = self.confirmed.then(|| kin(reading, word));
        // Few words have kin, and of ten neighbours hardly one is of it: the neighbours are only looked at beside it.
        if kin.as_ref().is_some_and(Vec::is_empty) {
            return likely;
        }
        near::each(aids, &reading.word(word.at).to_ascii_lowercase(), |near, like| {
            let known = |kin: &Vec<Cow<'_, str>>| kin.iter().any(|form| form.eq_ignore_ascii_case(near));
            if f64::from(like) >= self.threshold && kin.as_ref().is_none_or(known) {
                let lemma = self.lemma_of(reading, word, near);
                likely.extend(lemma.map(|word| Lemma { word, score: Some(like.into()) }));
            }
        });
        likely
    }

    /// The lemma of a neighbour that may stand for the word.
    fn lemma_of(&self, reading: &Reading, word: &Drawn<'_>, near: &str) -> Option<String> {
        let tag = reading.penn(word.at)?.as_str();
        let lemma = inflection::lemmas(near, tag).next()?;
        let written = reading.word(word.at).to_ascii_lowercase();
        // The cheapest questions first: most neighbours fall at them.
        let fits = lemma != word.lemma
            && (!self.confirmed || means_the_same(word.lemma, lemma, word.kind))
            && (!self.confirmed
                || word.kind != Kind::Noun
                || senses::is_counted(word.lemma) == senses::is_counted(lemma))
            && senses::reads_like(word.form(&written), Form { form: near, lemma })
            && reading.inflect(word.at, lemma).as_deref() == Some(near)
            && reading.fit(word.at, near) >= -self.tolerance
            && !wordnet::are_antonyms(word.lemma, lemma, word.kind);
        fits.then(|| lemma.to_owned())
    }
}

/// Whether a word near to it could stand for this one, in some reading of it: a look at the word alone.
fn has_near_kin(word: &str) -> bool {
    static KNOWN: Known = Known::new(|word| {
        let kin = |sense: Sense| sense.synonyms().chain(sense.similar());
        senses::could_become(word, CERTAINTY, kin, |_, form| neighbours::of(word).any(|(near, _)| near == form))
    });
    KNOWN.of(word)
}

/// Whether nothing, or only a mark, stands before the word in its sentence.
fn opens_clause(reading: &Reading, at: usize) -> bool {
    reading.starts_sentence(at) || !reading.before(at).contains(char::is_alphanumeric)
}

fn is_denied(reading: &Reading, at: usize) -> bool {
    ["not", "n't", "never"].iter().any(|no| no.eq_ignore_ascii_case(reading.before(at)))
}

/// What WordNet could confirm: the words of the main sense and of those similar to it, in the form of the word.
fn kin(reading: &Reading, word: &Drawn<'_>) -> Vec<Cow<'static, str>> {
    let sense = senses::main_sense(word.lemma, word.kind, CERTAINTY);
    let (Some(sense), Some(tag)) = (sense, reading.penn(word.at)) else { return Vec::new() };
    let words = sense.synonyms().chain(sense.similar()).map(Sense::word);
    words.filter_map(|word| inflection::inflect(word, tag.as_str())).collect()
}

/// The least share of the uses of a word that must be in its first sense.
const CERTAINTY: f64 = 0.4;

/// Whether the first sense of the word, if there is little doubt about it, is the first of the other too, or one of its two
/// first as an adjective or adverb, or similar to the first, as adjectives are.
fn means_the_same(one: &str, other: &str, kind: Kind) -> bool {
    let Some(sense) = senses::main_sense(one, kind, CERTAINTY) else { return false };
    let depth = if matches!(kind, Kind::Adjective | Kind::Adverb) { 2 } else { 1 };
    let others: Vec<u32> = wordnet::senses(other, kind).take(depth).map(Sense::synset).collect();
    others.contains(&sense.synset()) || sense.similar().any(|similar| others.first() == Some(&similar.synset()))
}
