use fissure_core::{Cut, Language, Sample, Skip, Slice, choices, slice};
use fissure_text::{ngrams, tokens};

slice! {
    /// The most or the least fluent samples, by the perplexity of a language model.
    ///
    /// The models are the built-in ones, n-gram models of order 3: of English words, and of simplified Chinese characters.
    /// The perplexity of a sample is the highest of its open texts.
    pub struct Perplexity {
        /// Which samples to take: the most fluent have the lowest perplexity.
        take: Take = Take::LeastFluent;
        /// The share of the samples to take.
        share: f64 = 0.2, in 0.0..=1.0;
    }
    card: {
        languages: &[English, Chinese],
        aliases: &["LMSubPopulation"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.5"),
    }
    examples: [
        "He went to the house." => "24",
        "House the to went he." => "839",
        "" => "1",
    ]
}

choices! {
    /// Which end of the perplexities to take.
    pub enum Take { MostFluent = "most_fluent", LeastFluent = "least_fluent" }
}

impl Slice for Perplexity {
    fn measure(&self, sample: &Sample) -> Result<f64, Skip> {
        let texts = sample.fields.iter().filter(|field| field.open);
        Ok(texts.map(|field| of(&field.text, field.text.language())).fold(1.0, f64::max).round())
    }

    fn cut(&self) -> Cut {
        match self.take {
            Take::MostFluent => Cut::Lowest(self.share),
            Take::LeastFluent => Cut::Highest(self.share),
        }
    }
}

/// The perplexity of a text; 1 for one without words, in which nothing surprises.
pub fn of(text: &str, language: Language) -> f64 {
    if language == Language::Chinese {
        return if text.trim().is_empty() { 1.0 } else { ngrams::chinese_perplexity(text).clamp(1.0, 1e12) };
    }
    let words: Vec<&str> = tokens(text).iter().map(|token| &text[token.span.clone()]).collect();
    if words.is_empty() {
        return 1.0;
    }
    ngrams::english_perplexity(&words).clamp(1.0, 1e12)
}
