use fissure_core::{
    Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Span, Words, choices, layer, transform,
};
use fissure_text::chinese::is_han;
use fissure_text::chinese::script::script_of;
use fissure_text::names::{people, places};

use crate::support::{chinese, chinese_slips};
use crate::transforms::character::typos::{self, Mode};

transform! {
    /// Makes one typo in a word of each entity.
    ///
    /// The result is no other word and no other name (`Iceland` for `Ireland`); numbers and initials stay as they are. The
    /// first letter stays by default. In a Chinese name one character is replaced with one that is read alike or looks alike,
    /// whatever `slip` and `keep_first` say.
    pub struct EntTypos {
        ..Amount::all();
        /// What happens to the letter.
        slip: Slips = Slips::Random;
        /// Whether the first letter stays as it is.
        keep_first: bool = true;
    }
    card: {
        tags: &[Tag::Slip],
        level: Some(Character),
        family: Some(Morphology),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::ENTITY)],
        languages: &[Alphabetic, Chinese],
        aliases: &["EntTypos"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.57, 3.50), grammaticality: (3.59, 3.54) }),
    }
    examples: [
        { slip = "delete" } "He met [Angela Merkel|entity:PER] in [Berlin|entity:LOC]." => "He met [Angea Merkel|entity:PER] in [Berin|entity:LOC].",
        { slip = "insert", keep_first = "false" } "[Microsoft|entity:ORG] grew." => "[TMicrosoft|entity:ORG] grew.",
        { slip = "swap" } "[Shanghai|entity:LOC] grows." => "[Sahnghai|entity:LOC] grows.",
        "他在[北京|entity:LOC]见到[王小明|entity:NAME]。" => "他在[北京|entity:LOC]见到[王小铭|entity:NAME]。",
        "[U.N.|entity:ORG] staff left in [1999|entity:DATE]." => "[U.N.|entity:ORG] staff left in [1999|entity:DATE].",
    ]
}

choices! {
    /// What a typo does.
    pub enum Slips { Random = "random", Replace = "replace", Swap = "swap", Insert = "insert", Delete = "delete" }
}

/// Words with fewer letters are left alone: initials and abbreviations.
const SHORTEST: usize = 4;
const TRIES: usize = 8;

impl EditSample for EntTypos {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let mut entities: Vec<(usize, Span)> = sample
            .layer(layer::ENTITY)
            .filter(|(_, mark)| sample.fields.get(mark.field).is_some_and(|field| field.open))
            .map(|(_, mark)| (mark.field, mark.span))
            .collect();
        if entities.is_empty() {
            return Err(Skip("there is no entity".into()));
        }
        entities.sort_by_key(|(field, span)| (*field, span.start));
        let chosen = dice.choose(entities.len(), self.amount.of(entities.len()));
        let edits = chosen.into_iter().filter_map(|at| self.misspell(sample, entities[at], dice));
        Ok(edits.collect())
    }
}

impl EntTypos {
    fn misspell(&self, sample: &Sample, (field, span): (usize, Span), dice: &mut Dice) -> Option<Edit> {
        let text = &sample.fields[field].text;
        let inside = span.of(text);
        if chinese::is_chinese(text) {
            let (at, old) = *dice.pick(&inside.char_indices().filter(|(_, c)| is_han(*c)).collect::<Vec<_>>())?;
            let new = *dice.pick(&chinese_slips::characters_like(old))?;
            let start = span.start + at;
            let new = script_of(text).write(&new.to_string()).into_owned();
            return Some(Edit::replace(start..start + old.len_utf8(), new).on(field));
        }
        let fits = |word: &fissure_core::Word<'_>| {
            word.letter_count() >= SHORTEST && word.text.chars().all(char::is_alphabetic)
        };
        let words: Vec<_> = Words::new(inside).filter(fits).collect();
        let word = *dice.pick(&words)?;
        let mode = match self.slip {
            Slips::Random => Mode::Random,
            Slips::Replace => Mode::Replace,
            Slips::Swap => Mode::Swap,
            Slips::Insert => Mode::Insert,
            Slips::Delete => Mode::Delete,
        };
        let new =
            (0..TRIES).filter_map(|_| typos::typo(word, mode, self.keep_first, dice)).find(|new| !is_name(new))?;
        let start = span.start + word.span.start;
        Some(Edit::replace(start..start + word.text.len(), new).on(field))
    }
}

/// Whether a word is a name of its own.
fn is_name(word: &str) -> bool {
    people::is_first_name(word) || people::is_surname(word) || places::find(word).is_some()
}
