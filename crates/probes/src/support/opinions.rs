//! What a review says of the things that it names: aspects, the opinions about them, and how an opinion turns round.

use fissure_core::{Change, Dice, Edit, Sample, Skip, Span, layer};
use fissure_text::polarity::Polarity;

use super::annotated::Annotated;

mod apart;
mod context;
mod denial;
mod except;
mod joints;
mod lists;
mod stance;
mod strengthen;
mod turn;

pub(crate) use apart::turn_apart;
pub(crate) use except::except;
pub(crate) use lists::part;
pub(crate) use turn::{How, Turns};

/// An aspect with the opinions about it, by the indices of their marks.
#[derive(Debug, Clone)]
pub(crate) struct Aspect {
    pub mark: usize,
    pub opinions: Vec<usize>,
    /// Which way it is judged; `None` if it is neither praised nor blamed.
    pub says: Option<Polarity>,
}

/// The aspects of a review whose text may be edited, in the order of their marks.
pub(crate) fn aspects(sample: &Sample) -> Result<Vec<Aspect>, Skip> {
    if !sample.fields.first().is_some_and(|field| field.open) {
        return Err(Skip("the text may not be edited".into()));
    }
    let linked = |mark: usize| {
        let links = sample.links.iter().filter(move |link| link.layer == layer::OPINION && link.from == mark);
        links.map(|link| link.to).collect()
    };
    let aspects: Vec<Aspect> = sample
        .layer(layer::ASPECT)
        .filter(|(_, mark)| mark.field == 0)
        .map(|(mark, aspect)| Aspect { mark, opinions: linked(mark), says: says(&aspect.value) })
        .collect();
    if aspects.is_empty() {
        return Err(Skip("there is no aspect".into()));
    }
    Ok(aspects)
}

/// The same, if the words that judge are marked for one of them: without them nothing can be turned.
pub(crate) fn judged_aspects(sample: &Sample) -> Result<Vec<Aspect>, Skip> {
    let aspects = aspects(sample)?;
    if aspects.iter().all(|aspect| aspect.opinions.is_empty()) {
        return Err(Skip("the words that judge its aspects are not marked".into()));
    }
    Ok(aspects)
}

/// Which way a polarity as the file spells it judges.
pub(crate) fn says(value: &str) -> Option<Polarity> {
    match value.to_lowercase().as_str() {
        "positive" | "pos" => Some(Polarity::Positive),
        "negative" | "neg" => Some(Polarity::Negative),
        _ => None,
    }
}

/// Whether an aspect is named without praise or blame; one that is praised and blamed (`conflict`) is not.
pub(crate) fn is_neutral(value: &str) -> bool {
    ["neutral", "neu"].contains(&value.to_lowercase().as_str())
}

/// The spelling of the other polarity, as this one is spelled: `NEG` for `POS`.
pub(crate) fn turned_value(value: &str) -> Option<String> {
    let other = match value.to_lowercase().as_str() {
        "positive" => "negative",
        "negative" => "positive",
        "pos" => "neg",
        "neg" => "pos",
        _ => return None,
    };
    Some(fissure_text::casing::follow(value, other).into_owned())
}

/// Where the opinions of an aspect stand, in order, each place once.
pub(crate) fn places(sample: &Sample, aspects: &[&Aspect]) -> Vec<Span> {
    let mut places: Vec<Span> =
        aspects.iter().flat_map(|aspect| &aspect.opinions).map(|opinion| sample.marks[*opinion].span).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The aspects that hang together with the one at `first` because words judge several of them at once, itself among them.
pub(crate) fn sharing(sample: &Sample, aspects: &[Aspect], first: usize) -> Vec<usize> {
    let mut found = vec![first];
    let mut next = 0;
    while let Some(here) = found.get(next).copied() {
        let mine = places(sample, &[&aspects[here]]);
        let shares = |other: &usize| {
            let theirs = places(sample, &[&aspects[*other]]);
            !found.contains(other) && theirs.iter().any(|place| place.overlaps_any(&mine))
        };
        let more: Vec<usize> = (0..aspects.len()).filter(shares).collect();
        found.extend(more);
        next += 1;
    }
    found.sort_unstable();
    found
}

/// The edits that turn everything that is said of `group`, aspects that are judged alike; nothing if one of the opinions
/// cannot be turned.
pub(crate) fn turn_group(turns: &Turns<'_>, aspects: &[Aspect], group: &[usize]) -> Option<Vec<Edit>> {
    let members: Vec<&Aspect> = group.iter().map(|at| &aspects[*at]).collect();
    let says = members.first()?.says?;
    // Without an opinion of its own, what is said of an aspect stays.
    let turnable = |aspect: &&Aspect| aspect.says == Some(says) && !aspect.opinions.is_empty();
    if !members.iter().all(turnable) || members.iter().any(|aspect| turns.is_judged_unmarked(aspect, says)) {
        return None;
    }
    let all = places(turns.sample, &members);
    let mut edits = Vec::new();
    for place in &all {
        // What is part of a name stays (`Fresh veggies`) if more is said; of `reasonably priced` the inner words are enough.
        let holds_another = all.iter().any(|other| other != place && place.covers(*other));
        if holds_another || (all.len() > 1 && is_within_name(turns.sample, &members, *place)) {
            continue;
        }
        edits.extend(turns.turn(*place, says)?);
    }
    disjoint(edits)
}

/// The edits in order, each once; nothing if there are none or two of them meet, as where two things stand behind one article.
pub(crate) fn disjoint(mut edits: Vec<Edit>) -> Option<Vec<Edit>> {
    edits.sort_by_key(|edit| edit.span);
    edits.dedup();
    let apart = edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start && pair[0].span != pair[1].span);
    (apart && !edits.is_empty()).then_some(edits)
}

/// Whether words that judge belong to the name of an aspect of which more is said.
fn is_within_name(sample: &Sample, members: &[&Aspect], place: Span) -> bool {
    members.iter().any(|aspect| {
        let name = sample.marks[aspect.mark].span;
        let own = places(sample, &[aspect]);
        name.covers(place) && name != place && own.len() > 1 && own.contains(&place)
    })
}

/// The change that carries out `edits`, gives the `turned` aspects the other polarity, and sets `and` and `but` right.
pub(crate) fn change(
    annotated: &Annotated,
    sample: &Sample,
    aspects: &[Aspect],
    turned: &[usize],
    edits: Vec<Edit>,
) -> Change {
    let mut edits = edits;
    let free = |joint: &Edit| !edits.iter().any(|edit| edit.span.overlaps(joint.span));
    let joints: Vec<Edit> = joints::set_right(annotated, sample, aspects, turned).into_iter().filter(free).collect();
    edits.extend(joints);
    edits.sort_by_key(|edit| edit.span);
    let mut change = Change::from(edits);
    for at in turned {
        let mark = aspects[*at].mark;
        if let Some(value) = turned_value(&sample.marks[mark].value) {
            change = change.with_value(mark, value);
        }
    }
    change
}

/// The aspects that can be the target, in the order in which they are tried: the one that a knob names, or all of them, drawn.
pub(crate) fn targets(sample: &Sample, aspects: &[Aspect], name: &str, dice: &mut Dice) -> Vec<usize> {
    let mut order = named(sample, aspects, name);
    dice.shuffle(&mut order);
    order
}

/// The aspect that a knob names: by its key in the file, or by its term. Without a name, all of them.
pub(crate) fn named(sample: &Sample, aspects: &[Aspect], name: &str) -> Vec<usize> {
    let is_it = |aspect: &Aspect| {
        let mark = &sample.marks[aspect.mark];
        let keyed = mark.attributes.iter().any(|(key, value)| (key.is_empty() || &**key == "id") && value == name);
        keyed || sample.words_of(mark) == name
    };
    (0..aspects.len()).filter(|at| name.is_empty() || is_it(&aspects[*at])).collect()
}
