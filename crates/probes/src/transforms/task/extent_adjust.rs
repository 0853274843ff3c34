use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, transform};

use crate::support::chinese::Han;
use crate::support::chinese_judging::{DEGREES, GRADED, is_free, judges_a_thing};

transform! {
    /// Strengthens the judgements of a Chinese review: `非常好` for `很好`, `相当不错` for `不错`.
    ///
    /// A word of degree is replaced with another that is not weaker, and one is put before a judgement that has none; it is never
    /// doubled. What is denied, compared or weighed (`不太好`, `更好`, `有点贵`) stays.
    pub struct ExtentAdjust {
        ..Amount { rate: 1.0, min: 1, max: 3 };
    }
    card: {
        level: Some(Word),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        does: &[AddsWords],
        requires: &[Has::Class, Has::Sense(Sense::Positive)],
        languages: &[Chinese],
        aliases: &["ExtentAdjust", "CnExtentAdjust"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "房间很干净。 // label:: positive" => "房间十分干净。 // label:: positive",
        "我觉得价格挺便宜！ // label:: positive" => "我觉得价格十分便宜！ // label:: positive",
        "服务不太好，更贵。 // label:: negative" => "服务不太好，更贵。 // label:: negative",
        "读起来很让人开心。 // label:: positive" => "读起来很让人开心。 // label:: positive",
        "早餐不错，位置方便。 // label:: positive" => "早餐特别不错，位置相当方便。 // label:: positive",
    ]
}

/// What a degree gives way to, the weakest first.
const STRONG: [&str; 5] = ["相当", "非常", "十分", "特别", "格外"];
/// Degrees that `相当` would weaken.
const FULL: [&str; 3] = ["非常", "十分", "特别"];

impl EditSample for ExtentAdjust {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let han = Han::of(&field.text);
        let mut found: Vec<(std::ops::Range<usize>, String, bool)> = Vec::new();
        for at in han.han().filter(|at| GRADED.contains(&&*han.word(*at))) {
            let before = han.before(at);
            // `格外不错` is not said.
            let praises = han.word(at) == "不错";
            if DEGREES.contains(&&*before) {
                if at >= 2 && is_free(&han, at - 1) {
                    found.push((han.span(at - 1), before.into_owned(), praises));
                }
            } else if is_free(&han, at)
                && ends_clause(&han, at)
                && judges_a_thing(&han, at)
                && !is_graded_before(&han, at)
            {
                let start = han.span(at).start;
                found.push((start..start, String::new(), praises));
            }
        }
        let chosen = dice.choose(found.len(), self.amount.of(found.len()));
        let mut edits = Vec::new();
        for (span, old, praises) in chosen.into_iter().map(|at| &found[at]) {
            let weaker = |degree: &str| degree == "相当" && FULL.contains(&&**old);
            let fits = |degree: &&str| degree != old && !weaker(degree) && !(*praises && *degree == "格外");
            let others: Vec<&str> = STRONG.into_iter().filter(fits).collect();
            edits.extend(dice.pick(&others).map(|new| Edit::replace(span.clone(), han.script().write(new))));
        }
        Ok(edits)
    }
}

/// Whether a degree stands farther to the left in the clause: `很让人开心` has its own.
fn is_graded_before(han: &Han, at: usize) -> bool {
    const CAUSING: [&str; 6] = ["让", "使", "令", "叫", "教", "给"];
    let clause = (0..at).rev().take(16).take_while(|at| han.written(*at).chars().all(char::is_alphanumeric));
    let words: Vec<_> = clause.map(|at| han.word(at)).collect();
    words.iter().any(|word| DEGREES.contains(&&**word) || ["太", "最", "更", "真", "挺"].contains(&&**word))
        && words.iter().any(|word| CAUSING.iter().any(|verb| word.starts_with(verb)))
}

/// Whether the clause ends behind the word.
fn ends_clause(han: &Han, at: usize) -> bool {
    let next = han.after(at);
    next.is_empty() || next.starts_with(|c: char| "，。！；,!;.~～、".contains(c))
}

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use fissure_core::Label;

    use super::*;

    #[test]
    fn nothing_gets_weaker() {
        for (text, never) in [("房间非常干净。", "相当"), ("早餐不错。", "格外"), ("早餐非常不错。", "相当")]
        {
            let sample = Sample { label: Some(Label("positive".into())), ..Sample::of_text("1", text) };
            let mut changed = 0;
            for seed in 0..40 {
                let mut dice = Dice::new(seed, &["extent_adjust"]);
                let edits = ExtentAdjust::default().edit_sample(&sample, &mut dice, &Resources::default());
                let new = fissure_core::splice(text, &edits.unwrap_or_default());
                assert!(!new.contains(never), "{new}");
                changed += usize::from(new != text);
            }
            assert!(changed > 30, "{text} changes");
        }
    }
}
