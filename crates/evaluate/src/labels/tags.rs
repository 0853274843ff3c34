//! Tags of tokens. They are compared as they are, so a tagger and a data set have to call the same things by the same names.

use std::collections::BTreeSet;

use fissure_core::{LabelKind, Sample};

use super::{LabelError, LabelMatch};

/// Looks whether a tagger knows the tags of a data set; an error if it knows none. `None` if tokens have no tags in this task, or one of the
/// two lists no tags.
pub fn tag_match<'a>(
    kind: LabelKind,
    data: impl IntoIterator<Item = &'a str>,
    known: &[String],
) -> Result<Option<LabelMatch>, LabelError> {
    let name: fn(&str) -> Option<&str> = match kind {
        LabelKind::Chunks => type_of_name,
        LabelKind::Tokens => |tag| Some(tag),
        _ => return Ok(None),
    };
    let data: BTreeSet<&str> = data.into_iter().filter_map(name).collect();
    let known: BTreeSet<&str> = known.iter().filter_map(|tag| name(tag)).collect();
    if data.is_empty() || known.is_empty() {
        return Ok(None);
    }
    let (both, unknown): (Vec<&str>, Vec<&str>) = data.iter().partition(|tag| known.contains(*tag));
    let owned = |tags: Vec<&str>| tags.into_iter().map(str::to_owned).collect::<Vec<_>>();
    if both.is_empty() {
        return Err(LabelError::no_tag_in_common(&owned(unknown), &owned(known.into_iter().collect())));
    }
    let pairs = both.into_iter().map(|tag| (tag.to_owned(), Some(tag.to_owned()))).collect();
    let (how, absent, unused) = ("by name".to_owned(), Vec::new(), Vec::new());
    Ok(Some(LabelMatch { how, pairs, absent, unused, unknown: owned(unknown) }))
}

/// The tags of the tokens of some samples.
pub fn tags_of(samples: &[Sample]) -> BTreeSet<&str> {
    let tokens = samples.iter().flat_map(|sample| &sample.marks).filter(|mark| mark.layer == "token");
    tokens.map(|mark| mark.value.as_str()).filter(|tag| !tag.is_empty()).collect()
}

/// `PER` of `B-PER`; `None` of a token outside.
fn type_of_name(tag: &str) -> Option<&str> {
    let inside = match tag.split_once('-') {
        Some((place, kind)) if place.len() == 1 => kind,
        _ => tag,
    };
    Some(inside).filter(|kind| *kind != "O")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kind: LabelKind, data: &[&str], known: &[&str]) -> Result<Option<String>, String> {
        let known: Vec<String> = known.iter().map(|tag| (*tag).to_owned()).collect();
        let found = tag_match(kind, data.iter().copied(), &known);
        found.map(|found| found.map(|found| found.to_string())).map_err(|error| error.to_string())
    }

    #[test]
    fn tags_are_matched_by_name_whatever_the_scheme() {
        let model = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"];
        assert_eq!(found(LabelKind::Chunks, &["O", "S-PER", "E-LOC"], &model).unwrap().unwrap(), "by name (LOC, PER)");
        let said = found(LabelKind::Chunks, &["O", "B-PER", "B-MISC"], &model).unwrap().unwrap();
        assert!(said.starts_with("by name (PER)") && said.contains("the model has no label `MISC`"), "{said}");
        let said = found(LabelKind::Chunks, &["O", "B-PERSON", "B-GPE"], &model).unwrap_err();
        assert!(said.contains("`GPE`, `PERSON`") && said.contains("`LOC`, `PER`"), "{said}");
        assert_eq!(found(LabelKind::Chunks, &["O"], &model), Ok(None));
        assert_eq!(found(LabelKind::Chunks, &["B-GPE"], &[]), Ok(None), "a program that lists none");
        assert_eq!(found(LabelKind::Class, &["pos"], &["neg"]), Ok(None));
        assert!(found(LabelKind::Tokens, &["NN", "VB"], &["NOUN", "VERB"]).is_err());
    }
}
