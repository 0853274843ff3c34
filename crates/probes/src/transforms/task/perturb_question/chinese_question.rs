//! Chinese questions in other words.

use fissure_core::{Amount, Dice, Edit, Resources, Skip, Text};
use fissure_text::Upos;
use fissure_text::chinese::synonyms;

use super::{NO_LANGUAGE_MODEL, NO_TRANSLATOR};
use crate::support::chinese::{self, Han};
use crate::support::chinese_synonyms::synonyms_at;
use crate::support::guesses::Guessing;

/// Phrases that ask, and how else one asks so; longer ones first. Written for this project.
const ASKING: &[(&str, &str)] = &[
    ("什么时候", "何时"),
    ("什么地方", "哪里"),
    ("多长时间", "多久"),
    ("为什么", "为何"),
    ("哪一年", "哪年"),
    ("哪里", "什么地方"),
    ("哪儿", "什么地方"),
    ("何时", "什么时候"),
    ("何地", "什么地方"),
    ("何人", "什么人"),
    ("为何", "为什么"),
    ("多久", "多长时间"),
    ("哪年", "哪一年"),
    ("怎样", "如何"),
    ("如何", "怎样"),
    ("怎么", "如何"),
    ("谁", "什么人"),
];

/// What makes another phrase of one that asks if it follows, or of `谁` if it stands before.
const BOUND_BEHIND: &[&str] = &["样", "了", "办", "回事", "会", "说", "是", "的", "知", "都", "也"];

/// The phrase that asks in other words, if there is one and it stands there once.
pub(super) fn syntax(text: &Text) -> Option<Edit> {
    let han = Han::of(text);
    let (from, to, start) = ASKING.iter().find_map(|(from, to)| {
        let from = han.script().write(from);
        let start = text.find(&*from)?;
        (text.matches(&*from).count() == 1).then_some((from, *to, start))
    })?;
    let end = start + from.len();
    let bound = BOUND_BEHIND.iter().any(|word| text[end..].starts_with(word)) || text[..start].ends_with('是');
    // `谁` alone, not `谁是` or `是谁`, and `怎么`, not `怎么样`.
    let is_loose = matches!(&*from, "谁" | "誰" | "怎么" | "怎麼" | "怎样" | "怎樣") && bound;
    (!is_loose && han.is_cut_at(start) && han.is_cut_at(end))
        .then(|| Edit::replace(start..end, han.script().write(to).into_owned()))
}

/// Words that give way to synonyms.
pub(super) fn synonyms(text: &Text, amount: Amount, risk: f64, dice: &mut Dice) -> Vec<Edit> {
    chinese::draw(text, amount, dice, |han, at| {
        let upos = (risk >= 0.3).then(|| han.upos(at)).flatten();
        synonyms_at(han, at, upos, risk).into_iter().map(str::to_owned).collect()
    })
}

/// One word that a language model guesses and that is a synonym.
pub(super) fn guessed(text: &Text, dice: &mut Dice, resources: &Resources) -> Result<Vec<Edit>, Skip> {
    let Some(model) = &resources.masked_lm else { return Err(Skip(NO_LANGUAGE_MODEL.into())) };
    let guessing = Guessing::of(text);
    let mut places = guessing.open.clone();
    dice.shuffle(&mut places);
    for at in places {
        let (word, upos) = (guessing.han.word(at), guessing.han.upos(at).unwrap_or(Upos::X));
        let alike = |new: &str| {
            synonyms::reviewed(&word).contains(&new)
                || synonyms::synonyms(&word, upos).iter().any(|synonym| synonym.word == new)
        };
        let guesses = guessing.guess(&**model, &[at], 10)?;
        if let Some((new, _)) = guesses.into_iter().flatten().find(|(new, _)| alike(new)) {
            return Ok(guessing.han.replace(at, &new));
        }
    }
    Ok(Vec::new())
}

/// The whole question, translated there and back, if its names and numbers came back.
pub(super) fn translated(text: &Text, resources: &Resources) -> Result<Vec<Edit>, Skip> {
    let Some(translator) = &resources.translator else { return Err(Skip(NO_TRANSLATOR.into())) };
    let new = translator.translate(text, None)?;
    let han = Han::of(text);
    let is_name = |at: &usize| matches!(han.upos(*at), Some(Upos::Propn | Upos::Num));
    let kept = (0..han.len()).filter(is_name).all(|at| new.contains(han.written(at)));
    let changed = kept && new != text.as_str() && !new.trim().is_empty();
    Ok(if changed { vec![Edit::replace(0..text.len(), new)] } else { Vec::new() })
}
