mod chinese;

use fissure_core::{Cut, Language, Sample, Skip, Slice, Text, Words, choices, slice};

slice! {
    /// Samples with a negation, a question, or one of your own phrases.
    ///
    /// In a Chinese text negations are 不, 没 and their like, but not in 不错 or 是不是; a question ends with 吗 or asks 什么.
    pub struct Phrase {
        /// What to look for: `negation` is `not`, `n't`, `never`, `no` and their like; `question` is a question mark or a
        /// text that starts as questions do; `list` is what `phrases` says.
        find: Find = Find::Negation;
        /// The phrases of `list`, with a comma between them; case does not matter, and words are matched whole.
        phrases: String = String::new();
        /// Whether to take the samples with it or those without.
        take: Take = Take::With;
    }
    card: {
        languages: &[English, Chinese],
        aliases: &["PhraseSubPopulation"],
        citation: Some("Wang et al. 2021 (TextFlint), section 4.2.3"),
    }
    examples: [
        "I don't like it, and never will." => "2",
        { find = "question" } "Is it good? Who knows?" => "2",
        { find = "list", phrases = "soup, hot bread" } "Soup with Hot Bread, not souper." => "2",
        "The soup is hot." => "0",
        "我不喜欢，也没去过；味道不错。" => "2",
    ]
}

choices! {
    /// What to look for.
    pub enum Find { Negation = "negation", Question = "question", List = "list" }
}

choices! {
    /// Which samples to take.
    pub enum Take { With = "with", Without = "without" }
}

const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "cannot", "without", "hardly",
    "barely", "dont", "cant", "wont", "didnt", "doesnt", "isnt", "wasnt",
];
const QUESTION_WORDS: &[&str] = &[
    "who", "whom", "whose", "what", "which", "when", "where", "why", "how", "is", "are", "was", "were", "do", "does",
    "did", "can", "could", "will", "would", "should", "has", "have",
];

impl Slice for Phrase {
    fn measure(&self, sample: &Sample) -> Result<f64, Skip> {
        let texts = sample.fields.iter().filter(|field| field.open).map(|field| &field.text);
        let is_chinese = |text: &Text| text.language() == Language::Chinese;
        let count = texts.map(|text| match self.find {
            Find::Negation if is_chinese(text) => chinese::negations(text),
            Find::Negation => Words::new(text).filter(|word| is_negation(word.text)).count(),
            Find::Question if is_chinese(text) => chinese::questions(text),
            Find::Question => questions(text),
            Find::List => self.phrases.split([',', '\u{ff0c}']).map(|phrase| mentions(text, phrase)).sum(),
        });
        Ok(count.sum::<usize>() as f64)
    }

    fn cut(&self) -> Cut {
        match self.take {
            Take::With => Cut::Between { least: 1.0, most: f64::INFINITY },
            Take::Without => Cut::Between { least: 0.0, most: 0.0 },
        }
    }
}

fn is_negation(word: &str) -> bool {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    lower.ends_with("n't") || NEGATIONS.contains(&lower.as_str())
}

/// Question marks, or else one for a text that starts as a question does and is not ended by another mark.
fn questions(text: &str) -> usize {
    let marks = text.chars().filter(|letter| matches!(letter, '?' | '\u{ff1f}' | '\u{61f}')).count();
    let starts =
        || Words::new(text).next().is_some_and(|word| QUESTION_WORDS.contains(&word.text.to_lowercase().as_str()));
    let ended = text.trim_end().ends_with(['.', '!', ';', ':']);
    if marks == 0 && !ended { usize::from(starts()) } else { marks }
}

/// How often a phrase stands in a text, word by word.
fn mentions(text: &str, phrase: &str) -> usize {
    let wanted: Vec<String> = Words::new(phrase).map(|word| word.text.to_lowercase()).collect();
    if wanted.is_empty() {
        return 0;
    }
    let words: Vec<String> = Words::new(text).map(|word| word.text.to_lowercase()).collect();
    words.windows(wanted.len()).filter(|window| *window == wanted).count()
}
