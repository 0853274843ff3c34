use fissure_core::{Change, Dice, Edit, Piece, Resources, Sample, Skip, Span, Transform, choices, layer, transform};

use crate::support::{chinese, sentences};

transform! {
    /// Moves the sentence with the answer, or another one, to another place of the passage.
    ///
    /// With `either`, another one goes to the end, or if none can to the front, if the sentence with the answer has to stay.
    /// All answers travel with their words. A sentence that rests on the one before it (`He`, `However`, `Indeed`, `Notable examples
    /// include`, what points to `these`, what was announced by `the following`) moves with that one or stays; the first sentence often names the topic and stays. `careful=false`
    /// moves any sentence by itself.
    pub struct ModifyPos {
        /// Which sentence moves.
        what: Moved = Moved::Either;
        /// Where it goes.
        to: To = To::First;
        /// Whether sentences that refer to others stay where they are.
        careful: bool = true;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::ANSWERS)],
        languages: &[English, Chinese],
        aliases: &["ModifyPos", "ModifyPosition"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        { what = "other", to = "last" } "context:: The town is old. Rain is rare. The mill was built in [1850|answers]. // (question):: When was the mill built?"
            => "context:: The town is old. The mill was built in [1850|answers]. Rain is rare. // (question):: When was the mill built?",
        "context:: The town is old. The mill was built in [1850|answers]. The bridge is new. // (question):: When was the mill built?"
            => "context:: The mill was built in [1850|answers]. The town is old. The bridge is new. // (question):: When was the mill built?",
        "context:: 小镇很古老。磨坊建于[1850年|answers]。桥是新的。 // (question):: 磨坊建于哪一年？"
            => "context:: 磨坊建于[1850年|answers]。小镇很古老。桥是新的。 // (question):: 磨坊建于哪一年？",
        "context:: Towns grew. This means that [mills|answers] can be built. Indeed, this can be done at once. // (question):: What can be built?"
            => "context:: Towns grew. This means that [mills|answers] can be built. Indeed, this can be done at once. // (question):: What can be built?",
        { to = "last" } "context:: The town is old. The mill was built in [1850|answers]. The bridge is new. // (question):: When was the mill built?"
            => "context:: The town is old. The bridge is new. The mill was built in [1850|answers]. // (question):: When was the mill built?",
        "context:: The mill is old. It was built in [1850|answers]. The bridge is new. // (question):: When was the mill built?"
            => "context:: The bridge is new. The mill is old. It was built in [1850|answers]. // (question):: When was the mill built?",
        "context:: The mill is old. It was built in [1850|answers]. // (question):: When was the mill built?"
            => "context:: The mill is old. It was built in [1850|answers]. // (question):: When was the mill built?",
    ]
}

choices! {
    /// Which sentence moves.
    pub enum Moved { Either = "either", Answer = "answer", Other = "other" }
}

choices! {
    /// Where a sentence goes.
    pub enum To { First = "first", Last = "last", Random = "random" }
}

impl Transform for ModifyPos {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the passage may not be edited".into()));
        };
        let text = field.text.as_str();
        let found = sentences::spans(sample, 0);
        if found.len() < 2 {
            return Ok(Change::default());
        }
        let answers: Vec<Span> =
            sample.layer(layer::ANSWERS).filter(|(_, mark)| mark.field == 0).map(|(_, mark)| mark.span).collect();
        if answers.is_empty() {
            return Err(Skip("the question has no answer in the passage".into()));
        }
        let bound = |at: usize| {
            let one = found[at].of(text);
            sentences::links_back(one) || sentences::rests_on_others(one)
        };
        // `The problem is the following. The input is a graph. The problem consists in` a search: all that goes on after an
        // announcement belongs to it.
        let announced = |at: usize| {
            let back =
                (0..at).rev().take_while(|before| *before + 1 == at || found[*before + 1].of(text).starts_with("The "));
            back.into_iter().any(|before| sentences::announces(found[before].of(text)))
        };
        let free = |at: usize| !bound(at) && !sentences::refers(found[at].of(text)) && !announced(at);
        let followed = |at: usize| at + 1 < found.len() && (bound(at + 1) || announced(at + 1));
        let may = |at: usize| !self.careful || (at > 0 && free(at) && !followed(at));
        let change = self.moved(sample, text, &found, &answers, dice, &may);
        if !change.edits.is_empty() || !self.careful {
            return Ok(change);
        }
        // A sentence that has to stay beside others moves with them: each block begins with one that stands by itself.
        let starts: Vec<usize> = (0..found.len()).filter(|at| *at == 0 || free(*at)).collect();
        let ends = starts.iter().skip(1).copied().chain([found.len()]);
        let blocks: Vec<Span> =
            starts.iter().zip(ends).map(|(start, end)| Span::new(found[*start].start, found[end - 1].end)).collect();
        let change = self.moved(sample, text, &blocks, &answers, dice, &|at| at > 0);
        if !change.edits.is_empty() || self.what != Moved::Either || self.to != To::First {
            return Ok(change);
        }
        // The answer stands in the first block: another one, which begins with a sentence that needs none before it, goes there.
        let other = Self { what: Moved::Other, to: To::First, careful: true };
        Ok(other.moved(sample, text, &blocks, &answers, dice, &|at| at > 0))
    }
}

impl ModifyPos {
    /// Moves one of the `found` stretches, among those that `may`; nothing if none can.
    fn moved(
        &self,
        sample: &Sample,
        text: &str,
        found: &[Span],
        answers: &[Span],
        dice: &mut Dice,
        may: &dyn Fn(usize) -> bool,
    ) -> Change {
        // Answers in several sentences would change their order.
        let holds = |at: usize| answers.iter().all(|answer| found[at].covers(*answer));
        let whole = |at: usize| sample.marks.iter().all(|mark| mark.field != 0 || !cuts(found[at], mark.span));
        let movable = |answer: bool| {
            let wanted = |at: usize| match answer {
                true => holds(at),
                false => !answers.iter().any(|answer| found[at].overlaps(*answer)),
            };
            (0..found.len()).filter(|at| wanted(*at) && whole(*at) && may(*at)).collect::<Vec<usize>>()
        };
        let (mut fit, mut aim) = (movable(self.what != Moved::Other), self.to);
        if fit.is_empty() && self.what == Moved::Either {
            // Another sentence goes to the end: the first often names the topic.
            aim = if aim == To::First { To::Last } else { aim };
            fit = movable(false);
            fit.retain(|at| aim != To::Last || at + 1 < found.len());
        }
        let Some(&at) = dice.pick(&fit) else { return Change::default() };
        let to = match aim {
            To::First => 0,
            To::Last => found.len(),
            // Before any sentence but itself and the one behind it, where it would stay.
            To::Random => {
                let places: Vec<usize> = (0..=found.len()).filter(|to| *to != at && *to != at + 1).collect();
                *dice.pick(&places).unwrap_or(&at)
            }
        };
        if to == at || to == at + 1 {
            return Change::default();
        }
        // Chinese sentences touch each other.
        let gap = if chinese::is_chinese(&sample.fields[0].text) { "" } else { " " };
        let taken = Edit::delete(sentences::with_gap(text, found, at));
        let piece = Piece::cut(sample, 0, found[at]);
        let put = match found.get(to) {
            Some(place) => Edit::put(place.start..place.start, piece + gap),
            None => Edit::put(found[to - 1].end..found[to - 1].end, Piece::words(gap) + piece),
        };
        let mut edits = vec![taken, put];
        edits.sort_by_key(|edit| edit.span.start);
        edits.into()
    }
}

/// Whether the border of a sentence runs through a mark.
fn cuts(sentence: Span, mark: Span) -> bool {
    sentence.overlaps(mark) && !sentence.covers(mark) && !mark.covers(sentence)
}
