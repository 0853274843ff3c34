use fissure_core::{
    Amount, Candidate, Dice, Drawing, Draws, Edit, EditSample, Law, Place, Proposal, Resources, Sample, Text, Word,
    transform,
};

mod contract;
mod expand;
mod tokens;

transform! {
    /// Expands contractions and contracts what can be contracted: `can't` to `cannot`, `will not` to `won't`.
    ///
    /// The case of the words is kept, and so is the kind of apostrophe the text uses. A possessive (`the cook's`) is
    /// never touched. A question keeps its order: `Don't you agree?` becomes `Do you not agree?`. Where English does
    /// not contract (`Yes, I am.`, `what it is about`) neither does this. In data with tokens, which part `do` and `n't`, tokens
    /// are replaced, and none is joined or split.
    pub struct Contraction {
        ..Amount::all();
        /// Whether contractions are expanded.
        expand: bool = true;
        /// Whether phrases are contracted.
        contract: bool = true;
        /// Whether to expand also where `'s` or `'d` can be read in two ways: `'s` before a participle as `is`, and
        /// `'d` as `had` before `better` or a participle, else as `would`.
        ambiguous: bool = false;
    }
    card: {
        level: Some(Word),
        family: Some(Morphology),
        expectation: Some(Kept),
        languages: &[English],
        aliases: &["Contraction"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.3"),
        human: Some(HumanScores { plausibility: (3.64, 3.66), grammaticality: (3.76, 3.75) }),
    }
    examples: [
        "I can't go, and she won't ask." => "I cannot go, and she will not ask.",
        "We will not stop. No, I do not." => "We won't stop. No, I don't.",
        "Don't you agree? It's great." => "Do you not agree? It is great.",
        "DON'T PANIC, I AM HERE." => "DO NOT PANIC, I'M HERE.",
        { contract = "false" } "I'm sure they are late." => "I am sure they are late.",
        { expand = "false" } "I'm sure they are late." => "I'm sure they're late.",
        "It's been a while; the cook's soup is cold." => "It has been a while; the cook's soup is cold.",
        "Yes, I am. He's left." => "Yes, I am. He's left.",
        "[I|token:PRON] [do|token:AUX] [n't|token:PART] [know|token:VERB] [.|token:PUNCT]"
            => "[I|token:PRON] [do|token:AUX] [not|token:PART] [know|token:VERB] [.|token:PUNCT]",
        "[Ann|token:B-PER] [can|token:O] [not|token:O] [go|token:O]" => "[Ann|token:B-PER] [ca|token:O] [n't|token:O] [go|token:O]",
        { ambiguous = "true" } "I'd better go: he's wanted." => "I had better go: he is wanted.",
    ]
}

impl EditSample for Contraction {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let mut edits = Vec::new();
        for (index, mut places) in self.places(sample) {
            let chosen = dice.choose(places.len(), self.amount.of(places.len()));
            let made = chosen.into_iter().flat_map(|at| std::mem::take(&mut places[at]));
            edits.extend(made.map(|edit| edit.on(index)));
        }
        Ok(edits)
    }

    fn candidates_of(&self, sample: &Sample, _: &Resources) -> Option<Vec<Place>> {
        let place = |index: usize, mut edits: Vec<Edit>| {
            let Edit { span, with, .. } = edits.remove(0);
            Place::new(span, vec![Candidate { along: edits, ..Candidate::new(with) }]).on(index)
        };
        let mut found = Vec::new();
        for (index, places) in self.places(sample) {
            found.extend(places.into_iter().filter(|edits| !edits.is_empty()).map(|edits| place(index, edits)));
        }
        Some(found)
    }

    fn law_of(&self, sample: &Sample, _: &Resources, draws: &mut Draws) -> Option<Law> {
        let mut drawings = Vec::new();
        for (index, places) in self.places(sample) {
            let wanted = self.amount.of(places.len());
            let certain = |edits: Vec<Edit>| draws.place(|_| Some(edits.clone()));
            drawings.push(Drawing::new(places.into_iter().filter_map(certain).collect(), wanted).on(index));
        }
        Some(Law { drawings })
    }
}

impl Contraction {
    /// The open fields, with the edits of each place that can be expanded or contracted, in order.
    fn places(&self, sample: &Sample) -> Vec<(usize, Vec<Vec<Edit>>)> {
        let open = sample.fields.iter().enumerate().filter(|(_, field)| field.open);
        let plain = |text: &Text| {
            let words: Vec<Word<'_>> = text.words().collect();
            self.places_in(Phrase { text, words: &words, apostrophe: apostrophe(text) })
        };
        open.map(|(at, field)| (at, tokens::places(self, sample, at).unwrap_or_else(|| plain(&field.text)))).collect()
    }

    fn places_in(&self, phrase: Phrase<'_>) -> Vec<Vec<Edit>> {
        let mut places: Vec<Vec<Edit>> = Vec::new();
        let mut at = 0;
        while at < phrase.words.len() {
            let expanded = if self.expand { expand::at(phrase, at, self.ambiguous) } else { None };
            let found = expanded.or_else(|| if self.contract { contract::at(phrase, at) } else { None });
            at += match found {
                Some((edits, taken)) => {
                    places.push(edits);
                    taken
                }
                None => 1,
            };
        }
        places
    }
}

/// The edits of one place, and how many words they take in.
type Found = Option<(Vec<Edit>, usize)>;

/// The words of a text, and what stands between them.
#[derive(Clone, Copy)]
struct Phrase<'a> {
    text: &'a str,
    words: &'a [Word<'a>],
    apostrophe: char,
}

impl<'a> Phrase<'a> {
    /// The word after number `at`, where only one space lies between.
    fn after(self, at: usize) -> Option<&'a str> {
        let (word, next) = (self.words.get(at)?, self.words.get(at + 1)?);
        (&self.text[word.span.end..next.span.start] == " ").then_some(next.text)
    }

    /// The word before number `at`, where only one space lies between.
    fn before(self, at: usize) -> Option<&'a str> {
        let before = at.checked_sub(1)?;
        self.after(before)?;
        Some(self.words[before].text)
    }
}

/// The apostrophe this text uses.
fn apostrophe(text: &str) -> char {
    if !text.is_ascii() && text.contains('\u{2019}') && !text.contains('\'') { '\u{2019}' } else { '\'' }
}

fn is_any(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether the word has two letters or more and all are capitals.
fn shouts(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// `not`, or `NOT` beside capitals.
fn cased(addition: &'static str, shouting: bool) -> String {
    if shouting { addition.to_ascii_uppercase() } else { addition.to_owned() }
}

/// The subjects that stand before a contracted verb.
const SUBJECTS: &[&str] = &["i", "you", "he", "she", "it", "we", "they"];
/// The verbs that `n't` is joined to.
const AUXILIARIES: &[&str] = &[
    "are", "could", "did", "do", "does", "had", "has", "have", "is", "might", "must", "need", "should", "was", "were",
    "would",
];
/// Participles that are not made with `-ed`, and that stand behind `has` and `is` alike.
const PARTICIPLES: &[&str] = &[
    "become",
    "begun",
    "bought",
    "brought",
    "built",
    "caught",
    "come",
    "cost",
    "cut",
    "done",
    "felt",
    "found",
    "gone",
    "heard",
    "held",
    "hit",
    "hurt",
    "kept",
    "laid",
    "led",
    "left",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "put",
    "read",
    "run",
    "said",
    "sent",
    "set",
    "spent",
    "stood",
    "taught",
    "thought",
    "told",
    "understood",
    "won",
];
