//! One judgement of several things, parted: `great food and service` becomes `great food but terrible service` for one
//! target, and `terrible food but great service` for the other.

use fissure_core::{BroughtMark, Change, Edit, Mark, Piece, Sample, Span};
use fissure_text::polarity::Polarity;
use fissure_text::{Penn, casing};

use super::{Aspect, Turns, places, sharing, turned_value};
use crate::clauses::is_any;

/// The change that leaves the judgement of the target as it is and turns that of the others; nothing unless the judging
/// word stands before a list of things, or is said of two subjects.
pub(crate) fn part(turns: &Turns<'_>, aspects: &[Aspect], target: usize) -> Option<Change> {
    let Some(list) = List::of(turns.sample, aspects, target) else { return part_subjects(turns, aspects, target) };
    if list.advises(turns.sample) {
        return list.without_the_rest(turns, aspects, target);
    }
    let says = aspects[target].says?;
    let (turned, edits) = if turns.is_plain_report() {
        let edits = turns.turn(list.place, says)?;
        (edits.iter().find(|edit| edit.span == list.place)?.with.clone(), edits)
    } else {
        let mild = mild_beside_the_rest(turns, aspects, &list.members, list.place, says)?;
        let edit =
            Edit::replace(list.place, casing::follow(list.place.of(&turns.sample.fields[0].text), &mild).into_owned());
        (mild, vec![edit])
    };
    let text = &turns.sample.fields[0].text;
    let at = list.members.iter().position(|member| *member == target)?;
    let (mut made, others) = if at == 0 {
        // The marks of the others leave the judgement, so that it is put again with the mark of the target alone.
        let others = list.members[1..].to_vec();
        let edits = list.with_word(turns.sample, aspects, 1, &small(&turned), &others)?;
        (vec![list.joined_to_judgement(turns.sample, aspects, target, edits)], others)
    } else {
        // What follows the target stays as good as it is.
        let kept = &list.members[at..];
        let mut made = list.with_word(turns.sample, aspects, at, &small(list.place.of(text)), kept)?;
        made.extend(edits);
        (made, list.members[..at].to_vec())
    };
    made.sort_by_key(|edit| edit.span);
    with_values(turns.sample, aspects, &others, Change::from(made))
}

/// What is said of some of `members` in a review that says more than what there was: `not so great`.
fn mild_beside_the_rest(
    turns: &Turns<'_>,
    aspects: &[Aspect],
    members: &[usize],
    place: Span,
    says: Polarity,
) -> Option<String> {
    let mut spans: Vec<Span> = members.iter().map(|at| turns.sample.marks[aspects[*at].mark].span).collect();
    spans.push(place);
    if says != Polarity::Positive || !turns.bears_a_turn(&spans) || turns.is_set_against(place) {
        return None;
    }
    turns.is_plain_praise(place).then(|| format!("not so {}", small(place.of(&turns.sample.fields[0].text))))
}

/// Gives the aspects at `turned` the other polarity.
pub(super) fn with_values(sample: &Sample, aspects: &[Aspect], turned: &[usize], mut change: Change) -> Option<Change> {
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
    if !alike(one) || !alike(two) || !joined || span(two).end >= place.start {
        return None;
    }
    // The verb, and words of degree, between the second subject and the judgement; nothing but an end behind it.
    let between = Span::new(span(two).end, place.start).of(text).trim();
    let (verb, degree) = between.split_once(' ').unwrap_or((between, ""));
    let plain =
        degree.split(' ').all(|word| word.is_empty() || is_any(word, &["very", "really", "so", "quite", "extremely"]));
    let ends = text[place.end..].trim_start().chars().next().is_none_or(|sign| matches!(sign, '.' | '!' | ','));
    let past = is_any(verb, &["was", "were"]);
    if !plain || !ends || !(past || is_any(verb, &["is", "are"])) {
        return None;
    }
    let turned = if turns.is_plain_report() {
        turns.turn(place, says)?.iter().find(|edit| edit.span == place)?.with.clone()
    } else {
        mild_beside_the_rest(turns, aspects, &members, place, says).filter(|_| degree.is_empty())?
    };
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
        Some(Piece::words(format!(" {} {degree}{gap}", be(at)?)) + judging(sample, &word, &aspects[at].opinions))
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
    /// The words between the judgement and the first: `with the` of `impressed with the food and wine`.
    lead: String,
}

/// Words between a judgement and what is judged.
const LEADS: &[&str] =
    &["", "with", "by", "with the", "by the", "with their", "by their", "with our", "with my", "the"];
/// Judgements that are advice.
const ADVICE: &[&str] = &["try", "recommend", "reccomend", "recomend"];

impl List {
    fn of(sample: &Sample, aspects: &[Aspect], target: usize) -> Option<Self> {
        let text = &sample.fields[0].text;
        let mut members = sharing(sample, aspects, target);
        let span = |at: usize| sample.marks[aspects[at].mark].span;
        members.sort_by_key(|at| span(*at));
        let [place] = places(sample, &members.iter().map(|at| &aspects[*at]).collect::<Vec<_>>())[..] else {
            return None;
        };
        let alike = |at: &usize| aspects[*at].says == aspects[target].says && aspects[*at].opinions.len() == 1;
        let start = span(*members.first()?).start;
        if members.len() < 2
            || !members.iter().all(alike)
            || place.end >= start
            || !LEADS.contains(&text[place.end..start].trim())
        {
            return None;
        }
        let lead = text[place.end..start].trim().to_owned();
        if lead == "the" && !is_any(place.of(text), ADVICE) {
            return None;
        }
        let gaps: Vec<Span> = members
            .windows(2)
            .filter(|pair| span(pair[0]).end < span(pair[1]).start)
            .map(|pair| Span::new(span(pair[0]).end, span(pair[1]).start))
            .collect();
        let listed = |gap: &Span| {
            [" and ", ", ", ", and "].contains(&gap.of(text)) || (!lead.is_empty() && gap.of(text) == " and the ")
        };
        (gaps.len() + 1 == members.len() && gaps.iter().all(listed)).then_some(Self { place, members, gaps, lead })
    }

    fn advises(&self, sample: &Sample) -> bool {
        is_any(self.place.of(&sample.fields[0].text), ADVICE)
    }

    /// `Try the soup and the fish` to `Try the soup but not the fish`.
    fn without_the_rest(&self, turns: &Turns<'_>, aspects: &[Aspect], target: usize) -> Option<Change> {
        let sample = turns.sample;
        let ([one, two], [gap]) = (&self.members[..], &self.gaps[..]) else { return None };
        aspects[target].says.filter(|says| *says == Polarity::Positive)?;
        let and = gap.start + gap.of(&sample.fields[0].text).find("and")?;
        if *one != target || turns.is_set_against(self.place) || !turns.is_plain_report() {
            return None;
        }
        let opinion = *aspects[*two].opinions.first()?;
        let not = Edit::put(and..and + 3, Piece::words("but ") + judging(sample, "not", &[opinion]));
        with_values(
            sample,
            aspects,
            &[*two],
            Change::from(self.joined_to_judgement(sample, aspects, target, vec![not])),
        )
    }

    /// The edits as one that begins with the judgement, which stays as it is with the mark of the target.
    fn joined_to_judgement(&self, sample: &Sample, aspects: &[Aspect], target: usize, edits: Vec<Edit>) -> Edit {
        let mut piece = judging(sample, self.place.of(&sample.fields[0].text), &aspects[target].opinions);
        let mut at = self.place.end;
        for edit in edits {
            let labels = edit.labels.map(|labels| *labels).unwrap_or_default();
            piece = piece + Piece::cut(sample, 0, at..edit.span.start) + Piece { text: edit.with, labels };
            at = edit.span.end;
        }
        Edit::put(self.place.start..at, piece)
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
        // `but disappointed with the wine`: an article that stands there is enough.
        let the = between.ends_with(" the ");
        let with = match (self.lead.split_once(' '), the) {
            (Some((with, _)), true) => with,
            _ => &self.lead,
        };
        let with = if with.is_empty() { String::new() } else { format!("{with} ") };
        let place = if the { gap.end - "the ".len() } else { gap.end };
        let opinions: Vec<usize> = judged.iter().flat_map(|at| aspects[*at].opinions.iter().copied()).collect();
        let piece = Piece::words(lead) + judging(sample, word, &opinions) + format!(" {with}");
        edits.push(Edit::put(place..place, piece));
        Some(edits)
    }
}

/// A word that takes these opinion marks along.
pub(super) fn judging(sample: &Sample, word: &str, opinions: &[usize]) -> Piece {
    let mut piece = Piece::words(word);
    for opinion in opinions {
        let mark = Mark { span: Span::new(0, word.len()), ..sample.marks[*opinion].clone() };
        piece.labels.marks.push(BroughtMark { mark, moved: Some(*opinion) });
    }
    piece
}
