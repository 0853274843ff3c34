use fissure_core::{
    Amount, Candidate, Dice, Edit, EditSample, Language, Place, Proposal, Resources, Sample, Span, Text, transform,
};
use fissure_text::{Analysis, Penn, Upos, analyse, articles, casing, inflection};

use crate::support::chinese;
use crate::support::guesses;

transform! {
    /// Replaces a word with what a masked language model suggests there.
    ///
    /// Nouns, verbs, adjectives and adverbs are replaced, by a word of the same part of speech and form, never by a piece
    /// of a word or by another form of the same one. Names, numbers and function words stay. Each place is guessed with
    /// the rest of the text as it was. Models read Chinese by characters: all characters of a word are hidden at once, and the
    /// guesses have to make a word of the dictionary with as many.
    pub struct MlmSuggestion {
        ..Amount::share(0.2);
        /// How many of the model's guesses to look through for one that fits.
        guesses: usize = 20, in 1..=1000;
    }
    card: {
        level: Some(Word),
        family: Some(Syntax),
        expectation: Some(Unsure),
        needs: &[LanguageModel],
        languages: &[English, Chinese],
        aliases: &["MLMSuggestion"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3.1"),
        human: Some(HumanScores { plausibility: (3.89, 3.84), grammaticality: (3.73, 3.64) }),
    }
    examples: [
        "It is cold." => "It is good.",
        "They are dogs." => "They are people.",
        { rate = "1" } "He did it slowly." => "He made it quickly.",
        { rate = "1" } "我的朋友经常帮助他。" => "我的电影常常喜欢他。",
        "In 1999 Mary and John were in it." => "In 1999 Mary and John were in it.",
    ]
}

impl EditSample for MlmSuggestion {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Proposal {
        let Some(masked_lm) = &resources.masked_lm else { return Ok(Vec::new()) };
        let mut edits = Vec::new();
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            if chinese::is_chinese(&field.text) {
                let made = guesses::edits(&field.text, self.amount, self.guesses, &**masked_lm, dice)?;
                edits.extend(made.into_iter().map(|edit| edit.on(index)));
                continue;
            }
            let analysis = field.text.remember(analyse);
            let open: Vec<usize> = (0..analysis.tokens().len()).filter(|at| is_open(&analysis, *at)).collect();
            let wanted = self.amount.of(open.len());
            let asked = guesses::asked(&open, wanted, dice);
            let hidden: Vec<Span> = asked.iter().map(|at| analysis.tokens()[*at].span.clone().into()).collect();
            if hidden.is_empty() {
                continue;
            }
            let guesses = masked_lm.guess(&field.text, &hidden, self.guesses)?;
            let fitting = asked.iter().zip(&guesses).filter_map(|(at, guesses)| {
                let word = guesses.iter().find_map(|(guess, _)| fit(&analysis, *at, guess))?;
                Some((*at, word))
            });
            let mut made: Vec<Edit> =
                fitting.take(wanted).flat_map(|(at, word)| put(&field.text, &analysis, at, &word)).collect();
            made.sort_by_key(|edit| edit.span);
            edits.extend(made.into_iter().map(|edit| edit.on(index)));
        }
        Ok(edits)
    }

    /// Every word that may be replaced, with all guesses that fit and their probabilities.
    fn candidates_of(&self, sample: &Sample, resources: &Resources) -> Option<Vec<Place>> {
        let masked_lm = resources.masked_lm.as_ref()?;
        let mut places = Vec::new();
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            if chinese::is_chinese(&field.text) {
                let found = guesses::places(&field.text, self.guesses, &**masked_lm)?;
                places.extend(found.into_iter().map(|place| place.on(index)));
                continue;
            }
            let analysis = field.text.remember(analyse);
            let open: Vec<usize> = (0..analysis.tokens().len()).filter(|at| is_open(&analysis, *at)).collect();
            let hidden: Vec<Span> = open.iter().map(|at| analysis.tokens()[*at].span.clone().into()).collect();
            if hidden.is_empty() {
                continue;
            }
            let guesses = masked_lm.guess(&field.text, &hidden, self.guesses).ok()?;
            for ((at, span), guesses) in open.into_iter().zip(hidden).zip(guesses) {
                let candidate = |(guess, probability): &(String, f32)| {
                    let word = fit(&analysis, at, guess)?;
                    let along = put(&field.text, &analysis, at, &word).into_iter().filter(|edit| edit.span != span);
                    Some(Candidate { along: along.collect(), ..Candidate::new(word).scored(*probability) })
                };
                places.push(Place::new(span, guesses.iter().filter_map(candidate).collect()).on(index));
            }
        }
        Some(places)
    }
}

/// Whether the word is one that could be another: it has content, and is not a name.
fn is_open(analysis: &Analysis, at: usize) -> bool {
    let tag = analysis.tags()[at];
    let word = analysis.word(at);
    let content = matches!(tag.upos, Upos::Noun | Upos::Verb | Upos::Adj | Upos::Adv);
    let denies = ["not", "n't", "never", "no"].iter().any(|no| no.eq_ignore_ascii_case(word));
    // A word of another script is no English word, whatever the tagger makes of it.
    content && !denies && word.len() > 1 && word.chars().all(char::is_alphabetic) && Language::English.writes(word)
}

/// The guess, if it can replace the word: the same part of speech and form, and another word.
fn fit(analysis: &Analysis, at: usize, guess: &str) -> Option<String> {
    let guess = guess.trim();
    if guess.chars().count() < 2 || !guess.chars().all(char::is_alphabetic) {
        return None;
    }
    let word = analysis.word(at);
    let tag = analysis.tags()[at].penn;
    let lower = guess.to_lowercase();
    let is_form = match tag {
        Penn::Nn | Penn::Vb | Penn::Vbp | Penn::Jj | Penn::Rb => inflection::is_lemma(&lower, tag.as_str()),
        other => {
            inflection::lemmas(&lower, other.as_str()).any(|lemma| lemma != lower)
                || (other == Penn::Nns && lower == "people")
        }
    };
    let is_form = is_form && (tag != Penn::Rb || word.ends_with("ly") == lower.ends_with("ly"));
    let lemma = |word: &str| inflection::lemma(word, tag.as_str()).map(|lemma| lemma.to_lowercase());
    let other = lemma(&lower) != lemma(&word.to_lowercase());
    (is_form && other).then(|| casing::follow(word, &lower).into_owned())
}

/// The edits that put a word in its place, with `a` or `an` before it.
fn put(text: &Text, analysis: &Analysis, at: usize, word: &str) -> Vec<Edit> {
    let span: Span = analysis.tokens()[at].span.clone().into();
    let mut edits = vec![Edit::replace(span, word)];
    let before = at.checked_sub(1).filter(|at| ["a", "an"].contains(&analysis.word(*at).to_lowercase().as_str()));
    if let Some(before) = before {
        let article: Span = analysis.tokens()[before].span.clone().into();
        let new = articles::article_before(word, article.of(text));
        if new != article.of(text) {
            edits.push(Edit::replace(article, new));
        }
    }
    edits
}
