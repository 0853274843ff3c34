//! A text with the candidates that keep their place in what the model reads, and the others.

use fissure_core::{Field, Sample, is_word_character};
use fissure_models::{Recurrent, Windows, WordCut};

use crate::{Change, Questions, Result, State, Victim};

/// A word of the victim with what may stand there.
pub(crate) type Options = (usize, Vec<Change>);

/// One row of what the model reads, and what else may stand there.
#[derive(Debug)]
pub(crate) struct Row {
    pub at: usize,
    /// The word of the victim, by its number.
    pub word: usize,
    pub options: Vec<RowOption>,
    /// The most and the least that any option shifts, number by number; 0 if none does.
    pub high: Vec<f32>,
    pub low: Vec<f32>,
}

#[derive(Debug)]
pub(crate) struct RowOption {
    pub change: Change,
    pub id: u32,
    /// What it is worth to every filter of a cnn at every place, less what the word of the text is worth.
    pub shift: Vec<f32>,
}

impl Row {
    pub fn new(at: usize, word: usize) -> Self {
        Self { at, word, options: Vec::new(), high: Vec::new(), low: Vec::new() }
    }

    pub fn add(&mut self, change: &Change, id: u32, shift: Vec<f32>) {
        self.high.resize(shift.len(), 0.0);
        self.low.resize(shift.len(), 0.0);
        for ((high, low), shift) in self.high.iter_mut().zip(&mut self.low).zip(&shift) {
            *high = high.max(*shift);
            *low = low.min(*shift);
        }
        self.options.push(RowOption { change: change.clone(), id, shift });
    }
}

/// The model as its parts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Network<'m> {
    Windows(&'m Windows<'m>),
    Recurrent(&'m Recurrent<'m>),
}

impl<'m> Network<'m> {
    /// The parts of the model that is asked, if it has any that can be bounded.
    pub fn of(questions: &Questions<'m>) -> Option<Self> {
        questions.windows().map(Self::Windows).or_else(|| questions.recurrent().map(Self::Recurrent))
    }

    fn word_cut(self) -> WordCut {
        match self {
            Self::Windows(windows) => windows.word_cut(),
            Self::Recurrent(recurrent) => recurrent.word_cut(),
        }
    }

    fn shift(self, old: u32, new: u32) -> Vec<f32> {
        let Self::Windows(windows) = self else { return Vec::new() };
        let (new, old) = (windows.worth(new), windows.worth(old));
        new.iter().zip(&*old).map(|(new, old)| new - old).collect()
    }
}

/// A text and its rows with candidates. Every combination is read as the text with those rows replaced.
pub(crate) struct Problem {
    pub ids: Vec<u32>,
    pub rows: Vec<Row>,
}

impl Problem {
    /// What the model reads with these options taken, as (row, option).
    pub fn ids_with(&self, taken: &[(usize, usize)]) -> Vec<u32> {
        let mut ids = self.ids.clone();
        for (row, option) in taken {
            ids[self.rows[*row].at] = self.rows[*row].options[*option].id;
        }
        ids
    }

    /// The text with these options taken, on top of what `base` changes.
    pub fn state(&self, base: &State, taken: &[(usize, usize)]) -> State {
        let rows = taken.iter().map(|(row, option)| (&self.rows[*row], *option));
        rows.fold(base.clone(), |state, (row, option)| state.with(row.word, row.options[option].change.clone()))
    }
}

/// The candidates of a text: those that keep their place, and those that do not.
pub(crate) struct Split {
    pub problem: Problem,
    /// Changes that the model reads as several words, as none, or together with their neighbours.
    pub movers: Vec<(usize, Change)>,
}

/// Reads a text, and every candidate in it alone. `Err` says why combinations do not follow from single candidates.
pub(crate) fn split<'m>(
    questions: &Questions<'m>,
    network: Network<'m>,
    victim: &Victim<'_>,
    base: &State,
    options: &[Options],
) -> Result<std::result::Result<Split, &'static str>> {
    let cut = network.word_cut();
    if !apart(victim, options, cut) {
        return Ok(Err("two places have no space or sign between them"));
    }
    let Some(ids) = read(questions, &[base.question(victim)])?.pop() else { return Ok(Err("the model reads nothing")) };
    let mut problem = Problem { ids, rows: Vec::new() };
    let tokens = tokens(&base.question(victim), cut);
    let mut taken: Vec<usize> = Vec::new();
    let mut movers: Vec<(usize, Change)> = Vec::new();
    for (word, changes) in options.iter().filter(|(word, _)| base.get(*word).is_none()) {
        let texts: Vec<Sample> =
            changes.iter().map(|change| base.with(*word, change.clone()).question(victim)).collect();
        let mut row: Option<Row> = None;
        let mut own: Option<usize> = None;
        for ((change, text), new) in changes.iter().zip(&texts).zip(read(questions, &texts)?) {
            // Whether it keeps its place is seen on the whole text: of a long one the model reads the beginning, where words may
            // come in from behind.
            let read = self::tokens(text, cut);
            let plain = change.along.is_empty() && is_plain(&change.with);
            if plain && read == tokens {
                continue;
            }
            let token = one_token(&tokens, &read);
            let Some(token) = token.filter(|token| plain && own.is_none_or(|own| own == *token)) else {
                movers.push((*word, change.clone()));
                continue;
            };
            own = Some(token);
            let differ: Vec<usize> = (0..new.len()).filter(|at| problem.ids.get(*at) != Some(&new[*at])).collect();
            match differ.as_slice() {
                // The model reads the same, so it says the same.
                [] => {}
                [at] if row.as_ref().is_none_or(|row| row.at == *at) => {
                    let row = row.get_or_insert_with(|| Row::new(*at, *word));
                    if row.options.iter().all(|known| known.id != new[*at]) {
                        row.add(change, new[*at], network.shift(problem.ids[*at], new[*at]));
                    }
                }
                _ => movers.push((*word, change.clone())),
            }
        }
        if own.is_some_and(|own| taken.contains(&own)) {
            return Ok(Err("two places share a word of the model"));
        }
        taken.extend(own);
        problem.rows.extend(row);
    }
    Ok(Ok(Split { problem, movers }))
}

/// The words of a text as the model cuts it, of all fields, with a mark between fields.
fn tokens(text: &Sample, cut: WordCut) -> Vec<String> {
    let words =
        |field: &Field| cut.words(&field.text).map(|range| field.text[range].to_ascii_lowercase()).collect::<Vec<_>>();
    text.fields.iter().flat_map(|field| words(field).into_iter().chain([String::new()])).collect()
}

/// The only word in which two texts of as many words differ. `None` if there are several or none.
fn one_token(old: &[String], new: &[String]) -> Option<usize> {
    let mut differ = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new).map(|(at, _)| at);
    let first = differ.next();
    (old.len() == new.len() && differ.next().is_none()).then_some(first).flatten()
}

fn read(questions: &Questions<'_>, texts: &[Sample]) -> Result<Vec<Vec<u32>>> {
    let Some(inside) = questions.inside() else { return Ok(Vec::new()) };
    Ok(inside.readings(&texts.iter().map(fissure_ask::input).collect::<Vec<_>>())?)
}

/// Letters and digits, with hyphens and apostrophes: nothing that could become part of markup.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '\'' | '\u{2019}'))
}

/// Whether something that no word is made of stands between any two places: then changes of both are read as each alone.
/// A model that reads Han characters needs nothing between them.
fn apart(victim: &Victim<'_>, options: &[Options], cut: WordCut) -> bool {
    let is_characters = |(word, changes): &Options| {
        let old = victim.words[*word];
        let old = old.span.of(&victim.sample.fields[old.field].text);
        let mut forms = changes.iter().map(|change| &*change.with).chain([old]);
        cut == WordCut::Han && forms.all(|form| form.chars().all(is_word_character))
    };
    options.windows(2).all(|pair| {
        let (one, next) = (victim.words[pair[0].0], victim.words[pair[1].0]);
        if one.field != next.field || pair.iter().any(is_characters) {
            return true;
        }
        let between = victim.sample.fields[one.field].text.get(one.span.end..next.span.start).unwrap_or_default();
        between.chars().any(|sign| !sign.is_alphanumeric() && sign != '\'')
    })
}
