use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Span, transform};
use fissure_text::names::{Gender, gendered_words, people};
use fissure_text::{EntityKind, Penn};

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
        let Some(given) = new_names(sample, dice) else { return Ok(Vec::new()) };
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
