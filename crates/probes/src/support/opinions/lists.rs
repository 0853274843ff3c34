//! One judgement of several things, parted: `great food and service` becomes `great food but terrible service` for one
//! target, and `terrible food but great service` for the other.

use fissure_core::{BroughtMark, Change, Edit, Mark, Piece, Sample, Span};
use fissure_text::{Penn, casing};

use super::{Aspect, Turns, places, sharing, turned_value};
use crate::clauses::is_any;

/// The change that leaves the judgement of the target as it is and turns that of the others; nothing unless the judging
/// word stands before a list of things of which the target is the first or the last, or is said of two subjects.
pub(crate) fn part(turns: &Turns<'_>, aspects: &[Aspect], target: usize) -> Option<Change> {
    let Some(list) = List::of(turns.sample, aspects, target) else { return part_subjects(turns, aspects, target) };
    let says = aspects[target].says?;
    let edits = turns.turn(list.place, says)?;
    let turned = edits.iter().find(|edit| edit.span == list.place)?.with.clone();
    if turns.rests_on(list.place, says) {
        return None;
    }
    let text = &turns.sample.fields[0].text;
    let (first, last) = (*list.members.first()?, *list.members.last()?);
    let others: Vec<usize> = list.members.iter().copied().filter(|at| *at != target).collect();
    let mut made = if target == first {
        list.with_word(turns.sample, aspects, 1, &small(&turned), &others)?
    } else if target == last {
        let mut made = list.with_word(turns.sample, aspects, list.members.len() - 1, &small(list.place.of(text)), &[target])?;
        made.extend(edits);
        made
    } else {
        return None;
    };
    made.sort_by_key(|edit| edit.span);
    with_values(turns.sample, aspects, &others, Change::from(made))
}

/// Gives the aspects at `turned` the other polarity.
fn with_values(sample: &Sample, aspects: &[Aspect], turned: &[usize], mut change: Change) -> Option<Change> {
    for at in turned {
        let mark = aspects[*at].mark;
        change = change.with_value(mark, turned_value(&sample.marks[mark].value)?);
    }
    Some(change)
}

fn small(word: &str) -> String {
    match casing::Case::of(word) {
        casing::Case::Title => word.to_lowercase(),
        _ => word.to_owned(),
    }
}

/// `The food and service were great.` to `The food was great but the service was terrible.`: two subjects of one judgement,
/// with a verb for each.
fn part_subjects(turns: &Turns<'_>, aspects: &[Aspect], target: usize) -> Option<Change> {
    let sample = turns.sample;
    let text = &sample.fields[0].text;
    let annotated = &turns.annotated;
    let mut members = sharing(sample, aspects, target);
    let span = |at: usize| sample.marks[aspects[at].mark].span;
    members.sort_by_key(|at| span(*at));
    let [one, two] = members[..] else { return None };
    let says = aspects[target].says?;
    let [place] = places(sample, &[&aspects[one], &aspects[two]])[..] else { return None };
    let alike = |at: usize| aspects[at].says == Some(says) && aspects[at].opinions.len() == 1;
    let joined = span(one).end < span(two).start
        && [" and ", " and the "].contains(&Span::new(span(one).end, span(two).start).of(text));
    if !alike(one) || !alike(two) || !joined || span(two).end >= place.start || turns.rests_on(place, says) {
        return None;
    }
    // The verb, and words of degree, between the second subject and the judgement; nothing but an end behind it.
    let between = Span::new(span(two).end, place.start).of(text).trim();
    let (verb, degree) = between.split_once(' ').unwrap_or((between, ""));
    let plain = degree.split(' ').all(|word| word.is_empty() || is_any(word, &["very", "really", "so", "quite", "extremely"]));
    let ends = text[place.end..].trim_start().chars().next().is_none_or(|sign| matches!(sign, '.' | '!' | ','));
    let past = is_any(verb, &["was", "were"]);
    if !plain || !ends || !(past || is_any(verb, &["is", "are"])) {
        return None;
    }
    let edits = turns.turn(place, says)?;
    let turned = edits.iter().find(|edit| edit.span == place)?.with.clone();
    let be = |at: usize| {
        let token = annotated.analysis().tokens().iter().position(|token| token.span.end == span(at).end)?;
        let plural = matches!(annotated.penn(token), Some(Penn::Nns | Penn::Nnps));
        Some(match (past, plural) {
            (true, true) => "were",
            (true, false) => "was",
            (false, true) => "are",
            (false, false) => "is",
        })
    };
    let judged = |at: usize| -> Option<Piece> {
        let word = if at == target { place.of(text).to_owned() } else { turned.clone() };
        let gap = if degree.is_empty() { "" } else { " " };
        let lead = format!(" {} {degree}{gap}", be(at)?);
        let word_span = Span::new(lead.len(), lead.len() + word.len());
        let opinion = *aspects[at].opinions.first()?;
        let mut piece = Piece::words(format!("{lead}{word}"));
        let mark = Mark { span: word_span, ..sample.marks[opinion].clone() };
        piece.labels.marks.push(BroughtMark { mark, moved: Some(opinion) });
        Some(piece)
    };
    let before = text[..span(one).start].split_whitespace().next_back().unwrap_or("");
    let article = is_any(before, &["the", "their", "its", "our", "my"]).then(|| before.to_lowercase());
    let the = article.map_or_else(String::new, |word| format!("{word} "));
    let piece = judged(one)? + format!(" but {the}") + Piece::cut(sample, 0, span(two)) + judged(two)?;
    let edit = Edit::put(span(one).end..place.end, piece);
    let others: Vec<usize> = members.into_iter().filter(|at| *at != target).collect();
    with_values(sample, aspects, &others, Change::from(edit))
}

/// Aspects in a row behind the one word that judges them all.
struct List {
    place: Span,
    /// In order of place.
    members: Vec<usize>,
    /// What stands between each and the next.
    gaps: Vec<Span>,
}

impl List {
    fn of(sample: &Sample, aspects: &[Aspect], target: usize) -> Option<Self> {
        let text = &sample.fields[0].text;
        let mut members = sharing(sample, aspects, target);
        let span = |at: usize| sample.marks[aspects[at].mark].span;
        members.sort_by_key(|at| span(*at));
        let [place] = places(sample, &members.iter().map(|at| &aspects[*at]).collect::<Vec<_>>())[..] else { return None };
        let alike = |at: &usize| aspects[*at].says == aspects[target].says && aspects[*at].opinions.len() == 1;
        let start = span(*members.first()?).start;
        if members.len() < 2 || !members.iter().all(alike) || place.end >= start || !text[place.end..start].trim().is_empty() {
            return None;
        }
        let gaps: Vec<Span> = members
            .windows(2)
            .filter(|pair| span(pair[0]).end < span(pair[1]).start)
            .map(|pair| Span::new(span(pair[0]).end, span(pair[1]).start))
            .collect();
        let listed = |gap: &Span| [" and ", ", ", ", and "].contains(&gap.of(text));
        (gaps.len() + 1 == members.len() && gaps.iter().all(listed)).then_some(Self { place, members, gaps })
    }

    /// `word` before the member at `at`, which takes the opinion marks of `aspects` along, and `but` before it.
    fn with_word(
        &self,
        sample: &Sample,
        aspects: &[Aspect],
        at: usize,
        word: &str,
        judged: &[usize],
    ) -> Option<Vec<Edit>> {
        let gap = *self.gaps.get(at.checked_sub(1)?)?;
        let between = gap.of(&sample.fields[0].text);
        let mut edits = Vec::new();
        let lead = match between.find("and") {
            Some(and) => {
                edits.push(Edit::replace(gap.start + and..gap.start + and + 3, "but"));
                ""
            }
            None => "but ",
        };
        let mut piece = Piece::words(format!("{lead}{word} "));
        let span = Span::new(lead.len(), lead.len() + word.len());
        for opinion in judged.iter().flat_map(|at| aspects[*at].opinions.iter().copied()) {
            let mark = Mark { span, ..sample.marks[opinion].clone() };
            piece.labels.marks.push(BroughtMark { mark, moved: Some(opinion) });
        }
        edits.push(Edit::put(gap.end..gap.end, piece));
        Some(edits)
    }
}
