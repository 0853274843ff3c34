use fissure_core::{Anchor, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Span, Words, apply, transform};

use crate::support::agreement;
use crate::word_diff;

transform! {
    /// Translates a text into another language and back, and takes over the words that come back changed.
    ///
    /// What comes back the same stays byte for byte as it was, spaces and line breaks too, so that labels keep their
    /// words. The translator is the user's: `--translator apertium`, or any command that reads a line and writes one.
    pub struct BackTrans {}
    card: {
        level: Some(Sentence),
        family: Some(Model),
        expectation: Some(Kept),
        needs: &[Translator],
        // Words come, go and change places.
        does: &[Rewrites],
        aliases: &["BackTrans"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.5"),
        human: Some(HumanScores { plausibility: (3.79, 3.94), grammaticality: (3.69, 3.59) }),
    }
    examples: [
        "hot soup" => "soup hot",
        "the soup was the best" => "best the was soup the",
        "level level" => "level level",
        "one two three" => "three two one",
    ]
}

impl EditSample for BackTrans {
    fn edit_sample(&self, sample: &Sample, _: &mut Dice, resources: &Resources) -> Proposal {
        let Some(translator) = &resources.translator else { return Ok(Vec::new()) };
        let label = sample.label.as_ref().map(ToString::to_string);
        let mut edits = Vec::new();
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            if field.text.trim().is_empty() {
                continue;
            }
            let back = translator.translate(&field.text, label.as_deref())?;
            edits.extend(rewrite(&field.text, &back).into_iter().map(|edit| edit.on(index)));
        }
        if cuts_a_label(sample, &edits) {
            return Err(Skip("on the way back words that carry a label were lost".into()));
        }
        if !agreement::stays_shared(sample, &edits) {
            return Err(Skip("on the way back a name or number that the texts share was lost".into()));
        }
        Ok(edits)
    }
}

/// The edits that make of `text` what came back, word by word.
pub fn rewrite(text: &str, back: &str) -> Vec<Edit> {
    let (old, new) = (pieces(text), pieces(back));
    let same = |pieces: &[Span], of: &str| pieces.iter().map(|piece| piece.of(of).to_owned()).collect::<Vec<_>>();
    let mut edits = Vec::new();
    for (from, to) in word_diff::between(&same(&old, text), &same(&new, back)) {
        let before = from.start.checked_sub(1).map(|at| old[at].end);
        let with = match new.get(to.clone()) {
            Some([first, .., last]) => &back[first.start..last.end],
            Some([only]) => only.of(back),
            _ => "",
        };
        let next = old.get(from.end).map_or(text.len(), |next| next.start);
        edits.push(match old.get(from) {
            // What is left out takes a space along.
            Some([first, ..]) if with.is_empty() && before.is_none() => Edit::delete(first.start..next),
            Some([.., last]) if with.is_empty() => Edit::delete(before.unwrap_or(0)..last.end),
            Some([first, .., last]) => Edit::replace(first.start..last.end, with),
            Some([only]) => Edit::replace(*only, with),
            // New words between two that stay.
            _ => match before {
                Some(end) => {
                    let joined = to.start > 0 && new[to.start - 1].end == new[to.start].start;
                    Edit::insert(end, format!("{}{with}", if joined { "" } else { " " }))
                }
                None => Edit::insert(old.first().map_or(0, |first| first.start), format!("{with} ")),
            },
        });
    }
    edits
}

/// The words of a text, and what is neither word nor space between them.
fn pieces(text: &str) -> Vec<Span> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let ends = Words::new(text).map(|word| (word.span.start, Some(word.span))).chain([(text.len(), None)]);
    for (start, word) in ends {
        let mut from = at;
        for run in text[at..start].split(char::is_whitespace) {
            if !run.is_empty() {
                pieces.push(Span::new(from, from + run.len()));
            }
            from += run.len();
            from += text[from..].chars().next().map_or(0, char::len_utf8);
        }
        pieces.extend(word);
        at = word.map_or(start, |word| word.end);
    }
    pieces
}

/// Whether the edits would take a label away with its words, or could not be made because of one.
fn cuts_a_label(sample: &Sample, edits: &[Edit]) -> bool {
    let held = |sample: &Sample| sample.marks.iter().filter(|mark| mark.anchor == Anchor::Rigid).count();
    held(sample) > 0
        && apply(sample, edits.to_vec()).is_ok_and(|made| made.refused > 0 || held(&made.sample) < held(sample))
}
