//! Documents with a pronoun and two candidates: the three mentions that files such as GAP name, and all other mentions of
//! the candidates' names.

use fissure_core::{Mark, Sample, Skip, Span, layer};
use fissure_text::names::{Gender, people};

/// The attribute that says which of the three a mention is.
const WHO: &str = "who";

/// A pronoun and the two it may refer to.
pub(crate) struct Candidates<'s> {
    pub pronoun: &'s Mark,
    pub names: [&'s Mark; 2],
}

impl<'s> Candidates<'s> {
    pub fn of(sample: &'s Sample) -> Result<Self, Skip> {
        if !sample.fields.first().is_some_and(|field| field.open) {
            return Err(Skip("the text may not be edited".into()));
        }
        let find = |who: &str| {
            let is = |mark: &Mark| {
                mark.field == 0 && mark.attributes.iter().any(|(name, value)| &**name == WHO && value == who)
            };
            sample.layer(layer::MENTION).map(|(_, mark)| mark).find(|mark| is(mark))
        };
        let whole = find("pronoun").zip(find("a").zip(find("b")));
        // Documents of other spellings: a cluster with a pronoun, and two names.
        let (pronoun, (a, b)) =
            whole.or_else(|| by_clusters(sample)).ok_or(Skip("there is no pronoun with two candidates".into()))?;
        Ok(Self { pronoun, names: [a, b] })
    }

    /// The gender that the pronoun speaks of.
    pub fn gender(&self, sample: &Sample) -> Option<Gender> {
        fissure_text::names::gendered_words::of(sample.words_of(self.pronoun))
    }
}

fn by_clusters(sample: &Sample) -> Option<(&Mark, (&Mark, &Mark))> {
    let mentions = || sample.layer(layer::MENTION).map(|(_, mark)| mark).filter(|mark| mark.field == 0);
    let pronoun = mentions().find(|mark| {
        ["he", "she", "him", "her", "his", "hers", "they", "it"]
            .contains(&sample.words_of(mark).to_lowercase().as_str())
    })?;
    let is_name = |mark: &&Mark| sample.words_of(mark).starts_with(char::is_uppercase) && *mark != pronoun;
    let mut names: Vec<&Mark> = mentions().filter(is_name).collect();
    names.dedup_by_key(|mark| sample.words_of(mark));
    match names[..] {
        [a, b, ..] if a.value != b.value => Some((pronoun, (a, b))),
        _ => None,
    }
}

/// The gender of a person's full or first name.
pub(crate) fn gender_of(name: &str) -> Option<Gender> {
    people::gender(name.split_whitespace().next()?)
}

/// Where `words` stand in a text as whole words.
pub(crate) fn places(text: &str, words: &str) -> Vec<Span> {
    let apart = |at: usize| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        let joins = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '-');
        !joins(before) && !joins(after)
    };
    text.match_indices(words).filter(|(at, _)| apart(*at)).map(|(at, _)| Span::new(at, at + words.len())).collect()
}
