//! What the destroyers share: which text they take, its words, which of them matter least, and how words change places.

use fissure_core::{Edit, Need, Proposal, Resources, Sample, Skip, Span, Words, choices};

choices! {
    /// Which text of a pair is destroyed. A text that may not be edited never is.
    pub enum Texts { Second = "second", First = "first", Both = "both" }
}

choices! {
    /// Which text of a pair is overwritten.
    pub enum Side { Second = "second", First = "first" }
}

impl Texts {
    /// The fields to destroy. Where only one text is open, it is that one.
    pub fn of(self, sample: &Sample) -> Vec<usize> {
        let open: Vec<usize> = (0..sample.fields.len()).filter(|field| sample.fields[*field].open).take(2).collect();
        match (self, open.as_slice()) {
            (Self::First, [first, _]) => vec![*first],
            (Self::Second, [_, second]) => vec![*second],
            _ => open,
        }
    }

    /// Puts the words of each text to destroy into the order that `order` gives for it.
    pub fn rearrange(self, sample: &Sample, mut order: impl FnMut(&str, &[Span]) -> Vec<usize>) -> Proposal {
        let mut edits = Vec::new();
        for field in self.of(sample) {
            let text = &sample.fields[field].text;
            let units = units(text);
            let order = order(text, &units);
            edits.extend(rearranged(text, &units, &order).into_iter().map(|edit| edit.on(field)));
        }
        Ok(edits)
    }

    /// Changes the share of the words of each text that matters least. `change` sees the text, its words, the numbers of
    /// those to change in order of place, and the numbers of the rest, those that matter most last.
    pub fn change_least(
        self,
        sample: &Sample,
        rate: f64,
        resources: &Resources,
        mut change: impl FnMut(&str, &[Span], &[usize], &[usize]) -> Vec<Edit>,
    ) -> Proposal {
        let mut edits = Vec::new();
        for field in self.of(sample) {
            let text = &sample.fields[field].text;
            let units = units(text);
            let count = share(rate, units.len());
            if count == 0 {
                continue;
            }
            let mut ranked = ranked(sample, field, &units, resources)?;
            let (least, rest) = ranked.split_at_mut(count);
            least.sort_unstable();
            edits.extend(change(text, &units, least, rest).into_iter().map(|edit| edit.on(field)));
        }
        Ok(edits)
    }
}

impl Side {
    /// The field to copy from and the field to overwrite; nothing if there is no pair, or neither may be edited.
    pub fn of(self, sample: &Sample) -> Option<(usize, usize)> {
        let [first, second, ..] = sample.fields.as_slice() else { return None };
        match self {
            Self::Second if second.open => Some((0, 1)),
            Self::First if first.open => Some((1, 0)),
            _ if second.open => Some((0, 1)),
            _ if first.open => Some((1, 0)),
            _ => None,
        }
    }
}

/// The words of a text as a reader sees them: what stands between spaces, without the marks around it. `by-the-numbers`
/// and `3.50` are one; the full stop behind the last word belongs to none, and so stays where it is. A Han character or a
/// kana is one by itself.
pub fn units(text: &str) -> Vec<Span> {
    let mut units: Vec<Span> = Vec::with_capacity(text.len() / 6 + 1);
    let mut last_is_character = false;
    for word in Words::new(text) {
        let is_character = word.is_character();
        match units.last_mut() {
            Some(last)
                if !last_is_character
                    && !is_character
                    && !text[last.end..word.span.start].contains(char::is_whitespace) =>
            {
                last.end = word.span.end;
            }
            _ => units.push(word.span),
        }
        last_is_character = is_character;
    }
    units
}

/// The edits that replace word `i` with the word `order[i]`.
pub fn rearranged(text: &str, units: &[Span], order: &[usize]) -> Vec<Edit> {
    units.iter().zip(order).flat_map(|(unit, from)| exchanged(text, *unit, units[*from].of(text))).collect()
}

/// The edits that turn `span` of the text into `new`, sparing the words at both ends that stay.
pub fn exchanged(text: &str, span: Span, new: &str) -> Vec<Edit> {
    let old = span.of(text);
    if is_one_word(old) && is_one_word(new) {
        return if old == new { Vec::new() } else { vec![Edit::replace(span, new)] };
    }
    let (before, after): (Vec<_>, Vec<_>) = (Words::new(old).collect(), Words::new(new).collect());
    let same = |(a, b): &(&fissure_core::Word<'_>, &fissure_core::Word<'_>)| a.text == b.text;
    let front = before.iter().zip(&after).take_while(same).count();
    let back = before[front..].iter().rev().zip(after[front..].iter().rev()).take_while(same).count();

    // Between two words that stay, and between the last of the front and the first of the back, the rest may differ.
    let mut edits = Vec::new();
    let mut done = (0, 0);
    let mut until = |from: usize, to: usize, next: (usize, usize)| {
        let (old, new) = (&old[done.0..from], &new[done.1..to]);
        if old != new {
            edits.push(Edit::replace(Span::new(done.0, from).shifted(span.start), new));
        }
        done = next;
    };
    for (a, b) in before[..front].iter().zip(&after[..front]) {
        until(a.span.start, b.span.start, (a.span.end, b.span.end));
    }
    for (a, b) in before[before.len() - back..].iter().zip(&after[after.len() - back..]) {
        until(a.span.start, b.span.start, (a.span.end, b.span.end));
    }
    until(old.len(), new.len(), (old.len(), new.len()));
    edits
}

fn is_one_word(text: &str) -> bool {
    Words::new(text).next().is_some_and(|word| word.text.len() == text.len())
}

/// The edits that replace a whole text with `new`; the white space around it stays.
pub fn overwritten(text: &str, new: &str) -> Vec<Edit> {
    let start = text.len() - text.trim_start().len();
    exchanged(text, Span::new(start, text.trim_end().len().max(start)), new)
}

/// The numbers of the words, those that matter least to the model first; the earlier of equals first.
pub fn ranked(sample: &Sample, field: usize, units: &[Span], resources: &Resources) -> Result<Vec<usize>, Skip> {
    let Some(importance) = &resources.importance else { return Err(Skip(Need::TokenImportance.advice().into())) };
    let scores = importance.of(sample, field, units)?;
    if scores.len() != units.len() {
        let reason = format!("{} gave {} numbers for {} words", importance.method(), scores.len(), units.len());
        return Err(Skip(reason.into()));
    }
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
    Ok(order)
}

/// How many of `n` words a share is: at least one where it is more than nothing, and never all, so that a word is left.
pub fn share(rate: f64, n: usize) -> usize {
    if rate <= 0.0 || n < 2 { 0 } else { ((rate * n as f64).round() as usize).clamp(1, n - 1) }
}

#[cfg(test)]
mod tests {
    use fissure_core::splice;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_around_a_word_are_not_of_it() {
        let text = "A (by-the-numbers) effort: $3.50, isn't it?";
        let found: Vec<&str> = units(text).into_iter().map(|unit| unit.of(text)).collect();
        assert_eq!(found, ["A", "by-the-numbers", "effort", "3.50", "isn't", "it"]);
        let text = "很好看，打3.5分，by-the-numbers！";
        let found: Vec<&str> = units(text).into_iter().map(|unit| unit.of(text)).collect();
        assert_eq!(found, ["很", "好", "看", "打", "3.5", "分", "by-the-numbers"]);
    }

    #[test]
    fn words_at_the_ends_are_spared() {
        let edits = exchanged("1,2,3 men", Span::new(0, 5), "1.2.4");
        assert_eq!(edits, [Edit::replace(1..2, "."), Edit::replace(3..5, ".4")]);
        assert_eq!(overwritten(" we came too ", "we saw it too"), [Edit::replace(3..9, " saw it ")]);
        assert_eq!(overwritten("", "so"), [Edit::insert(0, "so")]);
    }

    #[test]
    fn a_share_leaves_a_word() {
        assert_eq!(
            [(0.5, 5), (0.5, 1), (1.0, 4), (0.01, 3), (0.0, 9)].map(|(rate, n)| share(rate, n)),
            [3, 0, 3, 1, 0]
        );
    }

    proptest! {
        #[test]
        fn exchanged_text_is_the_new_text(old in "[ab1,. -]{0,12}", new in "[ab1,. -]{0,12}") {
            let edits = exchanged(&old, Span::new(0, old.len()), &new);
            prop_assert!(fissure_core::check(&old, &edits).is_ok());
            prop_assert_eq!(splice(&old, &edits), new);
        }
    }
}
