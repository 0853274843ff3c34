use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Span, Text, transform};
use fissure_text::names::{Gender, gendered_words, people, places};
use fissure_text::{EntityKind, Penn};

use crate::clauses::{is_any, is_any_in};
use crate::support::annotated::Annotated;
use crate::support::candidates::{self, Candidates};
use crate::support::names;

transform! {
    /// Makes the men of a text women and the women men: names, pronouns and words such as `brother`.
    ///
    /// Both candidates of the pronoun have its gender before and after, so it refers as it did. A text stays as it is if the
    /// gender of one of the candidates is not known, is not that of the pronoun, or if somebody in it is called by a name whose
    /// gender the lists do not know.
    pub struct SwapGender {}
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        tags: &[Tag::Bias],
        requires: &[Has::Layer(layer::MENTION)],
        languages: &[English],
        aliases: &["SwapGender", "WscSwapGender"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020"),
    }
    examples: [
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." => "[Aaron|mention:1] thanked [Jesse|mention:0] because [he|mention:0] helped.",
        { seed = "1" } "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." => "[Gregory|mention:1] thanked [Benjamin|mention:0] because [he|mention:0] helped.",
        "[Tom|mention:1] told [Carl|mention:0] that [his|mention:0] brother had left." => "[Julia|mention:1] told [Jane|mention:0] that [her|mention:0] sister had left.",
        "[Tom|mention:1] told [Carl|mention:0] that King Philip knew [his|mention:0] brother." => "[Tom|mention:1] told [Carl|mention:0] that King Philip knew [his|mention:0] brother.",
        "[Tom|mention:1] told [Carl|mention:0] that [his|mention:0] brother was a newsman." => "[Tom|mention:1] told [Carl|mention:0] that [his|mention:0] brother was a newsman.",
    ]
}

/// New names are among this many most common ones.
const COMMON: usize = 100;

impl EditSample for SwapGender {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let found = Candidates::of(sample)?;
        let field = &sample.fields[0];
        let text = &field.text;
        let Some(spoken) = found.gender(sample) else { return Ok(Vec::new()) };
        if found.names.iter().any(|mark| candidates::gender_of(sample.words_of(mark)) != Some(spoken)) {
            return Ok(Vec::new());
        }
        let annotated = Annotated::of(text);
        if found.names.iter().any(|mark| is_no_person(text, mark.span)) || is_any_in(text, &["lady", "sir", "princess"])
        {
            return Ok(Vec::new());
        }
        let Some(given) = new_names(sample, dice) else { return Ok(Vec::new()) };
        if (0..annotated.len()).any(|at| is_title(&annotated, at) || is_trade(&annotated, at))
            || names_others(&annotated, &given)
        {
            return Ok(Vec::new());
        }
        let mut edits: Vec<Edit> = Vec::new();
        for (old, new) in &given {
            edits.extend(candidates::places(text, old).into_iter().map(|span| Edit::replace(span, new.as_str())));
        }
        let taken: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
        for at in 0..annotated.len() {
            let span = Span::from(annotated.analysis().tokens()[at].span.clone());
            let Some(penn) = annotated.penn(at).filter(|_| !taken.contains(&span)) else { continue };
            // `does` is a plural of `doe`; `her hand` may be tagged as if `her` stood alone.
            let noun = |at: usize| matches!(annotated.penn(at), Some(Penn::Nn | Penn::Nns | Penn::Jj));
            let penn = match penn {
                Penn::Prp if annotated.word(at).eq_ignore_ascii_case("her") && noun(at + 1) => Penn::PrpPoss,
                Penn::PrpPoss if annotated.word(at).eq_ignore_ascii_case("her") && ends_phrase(&annotated, at + 1) => {
                    Penn::Prp
                }
                // `Susan King` is a name, `Lady Holland` is called so.
                Penn::Nnp | Penn::Nnps if is_part_of_name(&annotated, at) => continue,
                Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Prp | Penn::PrpPoss => penn,
                _ => continue,
            };
            if let Some(new) =
                gendered_words::swap(annotated.word(at), penn.as_str()).filter(|new| new != annotated.word(at))
            {
                edits.push(Edit::replace(span, new));
            }
        }
        Ok(names::with_articles(text, edits))
    }
}

/// Whether a word with a gender is part of a title or a name: `King Philip`, the band `Queen`.
fn is_title(annotated: &Annotated, at: usize) -> bool {
    let word = annotated.word(at);
    word.starts_with(char::is_uppercase)
        && !annotated.starts_sentence(at)
        && matches!(annotated.penn(at), Some(Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps))
        && gendered_words::of(word).is_some()
        && !is_any(word.trim_end_matches('.'), &["Mr", "Mrs", "Ms", "Miss"])
        && !is_part_of_name(annotated, at)
}

/// Whether a word says that somebody is a man or a woman, and no list has its other: `newsman`.
fn is_trade(annotated: &Annotated, at: usize) -> bool {
    let word = annotated.small(at);
    let ending = ["man", "men", "woman", "women"].iter().any(|ending| word.ends_with(ending));
    let other = [
        "human", "humans", "shaman", "caiman", "talisman", "ottoman", "specimen", "regimen", "abdomen", "omen",
        "acumen",
    ];
    ending
        && word.len() > 4
        && annotated.word(at).starts_with(char::is_lowercase)
        && !other.contains(&&*word)
        && gendered_words::of(&word).is_none()
}

/// Whether somebody else is named by a first name that stays: `a daughter called Renata`.
fn names_others(annotated: &Annotated, given: &BTreeMap<String, String>) -> bool {
    (0..annotated.len()).any(|at| {
        let word = annotated.word(at);
        let surname =
            at > 0 && matches!(annotated.penn(at - 1), Some(Penn::Nnp | Penn::Nnps)) && people::is_surname(word);
        annotated.penn(at) == Some(Penn::Nnp) && people::gender(word).is_some() && !given.contains_key(word) && !surname
    })
}

/// `in Fletcher, Oklahoma`, `the National Gallery of Victoria`, `Matthew 12:40`: what has the name of a person and is none.
fn is_no_person(text: &Text, name: Span) -> bool {
    let before = text[..name.start].trim_end();
    let word = before.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or("");
    let above = before.len().checked_sub(word.len()).map_or("", |end| before[..end].trim_end());
    let titled = above.rsplit(' ').next().is_some_and(|word| word.starts_with(char::is_uppercase));
    let after = text[name.end..].trim_start();
    let numbered = name.of(text).contains(|sign: char| sign.is_ascii_digit())
        || after.starts_with(|sign: char| sign.is_ascii_digit());
    let state = after.strip_prefix(", ").is_some_and(|rest| {
        let next = rest.split(|sign: char| !sign.is_alphanumeric()).next().unwrap_or("");
        places::find(next).is_some()
    });
    numbered || state || ["in", "near"].contains(&word) || (word == "of" && titled)
}

/// Whether nothing that `her` could own follows: `tells her that`.
fn ends_phrase(annotated: &Annotated, next: usize) -> bool {
    is_any(annotated.word(next), &["that", "to", "and", "but", "for", "with", "in", "on", "at", "as", "when", "if"])
        || annotated.word(next).starts_with(|sign: char| !sign.is_alphanumeric())
}

/// Whether a capitalised word stands beside another one, as in a name.
fn is_part_of_name(annotated: &Annotated, at: usize) -> bool {
    let named = |at: usize| matches!(annotated.penn(at), Some(Penn::Nnp | Penn::Nnps));
    at > 0 && named(at - 1) && people::is_first_name(annotated.word(at - 1))
}

/// A first name of the other gender for each that the text has; nothing if somebody's gender is not known.
fn new_names(sample: &Sample, dice: &mut Dice) -> Option<BTreeMap<String, String>> {
    let text = &sample.fields[0].text;
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    let mut firsts: Vec<String> = Vec::new();
    for name in names::of(sample, 0, text).into_iter().filter(|name| name.kind == EntityKind::Person) {
        let words: Vec<&str> = name.words.iter().map(|word| &text[word.clone()]).collect();
        match words[..] {
            // A word alone that is as good a surname, and names such as `John Paul II`, are not understood.
            [only] if people::gender(only).is_some() && people::surname_rank(only).is_some_and(|rank| rank < 1_000) => {
                return None;
            }
            // `Mary Margaret` is one first name.
            [first, second]
                if people::gender(first).is_some()
                    && people::gender(second).is_some()
                    && people::surname_rank(second).is_none_or(|rank| rank > 1_000) =>
            {
                return None;
            }
            [first] | [first, _] if people::gender(first).is_some() => firsts.push(first.to_owned()),
            // A surname alone has no gender.
            [only] if people::is_surname(only) => {}
            _ => return None,
        }
    }
    let marked = sample.layer(fissure_core::layer::MENTION).map(|(_, mark)| sample.words_of(mark));
    firsts.extend(
        marked
            .filter_map(|words| words.split_whitespace().next())
            .filter(|first| people::gender(first).is_some())
            .map(str::to_owned),
    );
    firsts.sort();
    firsts.dedup();
    for first in firsts {
        let other = match people::gender(&first)? {
            Gender::Female => Gender::Male,
            Gender::Male => Gender::Female,
        };
        let names = people::first_names(other).get(..COMMON)?;
        let new = (0..50).find_map(|_| {
            let name = dice.pick(names)?.text;
            (!text.contains(name) && !given.values().any(|taken| taken == name)).then(|| name.to_owned())
        })?;
        given.insert(first, new);
    }
    Some(given)
}
