//! Tags are a spelling of spans: tags on tokens are read into entities, and spelled again only where a change touched
//! them. So no part needs to know a scheme.

use std::borrow::Cow;

use fissure_core::layer::{ENTITY, TOKEN};
use fissure_core::{Anchor, Mark, Sample, Span};

use crate::chunks::chunks;
use crate::tokens::{self, Token, in_order};

/// The attribute with the tags that an entity had in the file.
const TAGS: &str = "tags";

/// The letters of a tagging scheme: BIO, BIOES, BMES, BILOU, or types alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scheme {
    /// The first of several tokens, those between, the last, and one alone; `None` for types alone.
    letters: Option<[&'static str; 4]>,
    separator: char,
}

impl Scheme {
    /// The scheme that tags are written in; BIO if they do not show it.
    fn of(tags: &[&str]) -> Self {
        let split = |tag: &&str| {
            let at = tag.find(['-', '_'])?;
            (at == 1).then(|| (tag[..1].to_owned(), tag.as_bytes()[1] as char))
        };
        let has = |letter: &str| tags.iter().any(|tag| split(tag).is_some_and(|(known, _)| known == letter));
        let separator = tags.iter().find_map(split).map_or('-', |(_, separator)| separator);
        let typed = tags.iter().filter(|tag| !matches!(**tag, "O" | "")).count();
        let letters = if typed > 0 && tags.iter().all(|tag| split(tag).is_none()) {
            None
        } else if has("U") || has("L") {
            Some(["B", "I", "L", "U"])
        } else if has("M") || ((has("E") || has("S")) && !has("I")) {
            Some(["B", "M", "E", "S"])
        } else if has("E") || has("S") {
            Some(["B", "I", "E", "S"])
        } else if has("I") && !has("B") {
            // IOB1 writes B only between two entities that touch; I alone is read the same.
            Some(["I", "I", "I", "I"])
        } else {
            Some(["B", "I", "I", "B"])
        };
        Self { letters, separator }
    }

    /// The tag of token `at` of an entity of `count` tokens. An entity that touches one before it must begin again.
    fn tag(self, kind: &str, at: usize, count: usize, touches: bool) -> String {
        let Some([first, middle, last, single]) = self.letters else { return kind.to_owned() };
        let letter = match at {
            0 if touches && first == "I" => "B",
            _ if count == 1 => single,
            0 => first,
            at if at + 1 == count => last,
            _ => middle,
        };
        format!("{letter}{}{kind}", self.separator)
    }
}

/// Marks the entities that the tags of the tokens describe. Tags that are numbers describe none: their names are not
/// known here.
pub(crate) fn mark_entities(sample: &mut Sample) {
    let tokens: Vec<(Span, String)> =
        in_order(sample, TOKEN).into_iter().map(|(_, mark)| (mark.span, mark.value.clone())).collect();
    let tags: Vec<&str> = tokens.iter().map(|(_, tag)| tag.as_str()).collect();
    if tags.iter().any(|tag| tag.parse::<i64>().is_ok()) {
        return;
    }
    let entity = |(first, last, kind): (usize, usize, &str)| {
        let mut entity =
            Mark::new(ENTITY, 0, Span::new(tokens[first].0.start, tokens[last].0.end), kind, Anchor::Elastic);
        entity.attributes.push((TAGS.into(), tags[first..=last].to_vec().into()));
        entity
    };
    let entities: Vec<Mark> = chunks(&tags).into_iter().map(entity).collect();
    sample.marks.extend(entities);
}

/// The tags of the tokens as they are now: as they were for entities that no change touched, and spelled again for others.
pub(crate) fn spelled<'a>(sample: &'a Sample, tokens: &[Token<'a>]) -> Vec<Cow<'a, str>> {
    let mut tags: Vec<Cow<'a, str>> =
        tokens.iter().map(|token| token.entity_tag(sample).unwrap_or("O".into())).collect();
    let entities = in_order(sample, ENTITY);
    if entities.is_empty() {
        return tags;
    }
    let had = |mark: &'a Mark| {
        let tags = mark.attributes.iter().find(|(name, _)| &**name == TAGS);
        let tags = tags.and_then(|(_, tags)| tags.as_array()).map_or(&[][..], Vec::as_slice);
        tags.iter().filter_map(|tag| tag.as_str())
    };
    let known: Vec<&str> = entities
        .iter()
        .flat_map(|(_, mark)| had(mark))
        .chain(sample.layer(TOKEN).map(|(_, mark)| mark.value.as_str()))
        .collect();
    let scheme = Scheme::of(&known);
    // Only entities have a type: what the tags still say of others is removed.
    let before = tags.clone();
    let read: Vec<&str> = before.iter().map(|tag| &**tag).collect();
    for (first, last, _) in chunks(&read) {
        tags[first..=last].fill("O".into());
    }
    let mut last_entity: Option<(usize, &str)> = None;
    for (_, mark) in entities {
        let Some([first, last]) = tokens::covered(tokens, mark.span) else { continue };
        let now: Vec<&str> = before[first..=last].iter().map(|tag| &**tag).collect();
        let untouched =
            had(mark).eq(now.iter().copied()) && chunks(&now).iter().all(|(_, _, kind)| *kind == mark.value);
        let touches = last_entity.is_some_and(|(end, kind)| end + 1 == first && kind == &*mark.value);
        for at in first..=last {
            tags[at] = if untouched {
                before[at].clone()
            } else {
                scheme.tag(&mark.value, at - first, last + 1 - first, touches).into()
            };
        }
        last_entity = Some((last, &mark.value));
    }
    tags
}

#[cfg(test)]
mod tests {
    use fissure_core::layer::ENTITY;
    use fissure_core::{Change, Edit, apply};
    use serde_json::json;

    use crate::Row;

    /// The tags after an edit of the words `old`.
    fn after(tags: &str, tokens: &str, old: &str, new: &str) -> String {
        let task = crate::find("ner").unwrap();
        let list = |words: &str| json!(words.split_whitespace().collect::<Vec<_>>());
        let row = Row(vec![("tokens".into(), list(tokens)), ("tags".into(), list(tags))]);
        let sample = task.sample(row).unwrap();
        let at = sample.fields[0].text.find(old).unwrap();
        let edit = Edit::replace(at..at + old.len(), new);
        let changed = apply(&sample, vec![edit]).unwrap().sample;
        let row = task.row(&changed);
        let written: Vec<String> = serde_json::from_value(row.get("tags").unwrap().clone()).unwrap();
        let words: Vec<String> = serde_json::from_value(row.get("tokens").unwrap().clone()).unwrap();
        assert_eq!(words.len(), written.len(), "{words:?} {written:?}");
        written.join(" ")
    }

    #[test]
    fn an_entity_is_spelled_in_its_scheme_when_it_grows_or_shrinks() {
        let cases = [
            ("O B-LOC I-LOC O", "B-LOC", "B-LOC I-LOC I-LOC"),
            ("O B-LOC E-LOC O", "S-LOC", "B-LOC M-LOC E-LOC"),
            ("O B_LOC E_LOC S_X", "S_LOC", "B_LOC M_LOC E_LOC"),
            ("O B-LOC E-LOC I-X", "S-LOC", "B-LOC I-LOC E-LOC"),
            ("O B-LOC L-LOC O", "U-LOC", "B-LOC I-LOC L-LOC"),
            ("O LOC LOC O", "LOC", "LOC LOC LOC"),
            ("O I-LOC I-LOC O", "I-LOC", "I-LOC I-LOC I-LOC"),
        ];
        for (tags, one, three) in cases {
            let last = tags.split(' ').next_back().unwrap();
            let old = |new: &str| after(tags, "in New York now", "New York", new);
            assert_eq!(old("Chicago"), format!("O {one} {last}"), "{tags}");
            assert_eq!(old("Rio de Janeiro"), format!("O {three} {last}"), "{tags}");
        }
        // Odd tags of words outside stay.
        assert_eq!(after("_ B-LOC I-LOC _", "in New York now", "New York", "Rio"), "_ B-LOC _");
    }

    #[test]
    fn what_no_edit_touches_keeps_its_tags_however_odd() {
        let odd = "I-PER I-LOC O B-X I-Y";
        assert_eq!(after(odd, "a b c d e", "c", "see"), odd);
        assert_eq!(after("1 2 0", "New York sleeps", "sleeps", "snores"), "1 2 0");
        let task = crate::find("ner").unwrap();
        let row = Row(vec![("tokens".into(), json!(["w"])), ("tags".into(), json!(["O# x = y_"]))]);
        assert_eq!(task.row(&task.sample(row.clone()).unwrap()), row);
    }

    #[test]
    fn an_entity_can_get_another_type_or_lose_its_mark() {
        let task = crate::find("ner").unwrap();
        let row = |tags: &str| {
            let list = |words: &str| json!(words.split_whitespace().collect::<Vec<_>>());
            Row(vec![("tokens".into(), list("Paris saw Li Bai")), ("tags".into(), list(tags))])
        };
        let sample = task.sample(row("S-LOC O B-PER E-PER")).unwrap();
        let entities: Vec<usize> = sample.layer(ENTITY).map(|(index, _)| index).collect();
        let change =
            Change { values: vec![(entities[0], Some("PER".into())), (entities[1], None)], ..Change::default() };
        assert_eq!(task.row(&apply(&sample, change).unwrap().sample), row("S-PER O O O"));
    }

    #[test]
    fn entities_that_touch_stay_two() {
        let tags = "I-PER B-PER I-PER O";
        assert_eq!(after(tags, "Ann Bob Ray left", "Bob Ray", "Tom"), "I-PER B-PER O");
    }
}
