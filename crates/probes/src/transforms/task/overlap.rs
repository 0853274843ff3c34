use fissure_core::{
    Change, Dice, Edit, Label, Resources, Sample, Sense, Skip, Spelling, Transform, choices, transform,
};
use fissure_text::Relation;

use crate::clauses::{Role, Sentence};
use crate::support::annotated::Annotated;
use crate::support::templates::{self, Made};
use crate::support::{chinese, chinese_templates};

transform! {
    /// Makes a pair whose words overlap and whose label is known, though the overlap does not tell it.
    ///
    /// `The judge near the artist slept` does not say that the artist slept. With `templates`, both texts are new: swapped
    /// subject and object, the passive, dropped embeddings, `if`, `or` and adverbs, half of them pairs in which the second
    /// text does follow. Such pairs have nothing to do with the sample: compare the score with chance, not with the score of
    /// the originals. With `sentence`, the second text is made from the first one of the sample itself: its subject and
    /// object change places.
    pub struct Overlap {
        /// Which overlap misleads: of single words, of a stretch of words, or of a whole clause.
        family: Family = Family::All;
        /// What the pair is made from.
        from: From = From::Templates;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        requires: &[Has::Class, Has::Pair],
        needs: &[LabelSenses],
        languages: &[English, Chinese],
        aliases: &["Overlap", "NliOverlap", "SmOverlap"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; McCoy et al. 2019 (HANS)"),
    }
    examples: [
        "premise:: A man runs. // hypothesis:: He moves. // label:: entailment"
            => "premise:: The engineer was admired by the nurse who smiled. // hypothesis:: The engineer smiled. // label:: neutral",
        { family = "subsequence" } "premise:: A man runs. // hypothesis:: He moves. // label:: entailment"
            => "premise:: The engineer who admired the nurse smiled. // hypothesis:: The nurse smiled. // label:: neutral",
        "premise:: 一个男人在跑步。 // hypothesis:: 他在动。 // label:: entailment"
            => "premise:: 科学家身后的教授感谢了作家。 // hypothesis:: 科学家感谢了作家。 // label:: neutral",
        { from = "sentence" } "premise:: The judge saw the artist. // hypothesis:: He moves. // label:: entailment"
            => "premise:: The judge saw the artist. // hypothesis:: The artist saw the judge. // label:: neutral",
    ]
}

choices! {
    /// Which overlap misleads.
    pub enum Family { All = "all", Lexical = "lexical", Subsequence = "subsequence", Constituent = "constituent" }
}

choices! {
    /// What a pair is made from.
    pub enum From { Templates = "templates", Sentence = "sentence" }
}

impl Transform for Overlap {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let Some(spelling) = &resources.spelling else { return Err(Skip("what the labels mean is not known".into())) };
        let [first, second, ..] = &sample.fields[..] else { return Err(Skip("the sample has one text only".into())) };
        if !second.open {
            return Err(Skip("the second text may not be edited".into()));
        }
        if self.from == From::Sentence {
            if chinese::is_chinese(&first.text) {
                return Err(Skip("a sentence is turned in English only; `from=templates` knows Chinese".into()));
            }
            let (Some(turned), Some(label)) = (exchanged(first), label_of(spelling, false)) else {
                return Ok(Change::default());
            };
            let edit = Edit::replace(0..second.text.len(), turned).on(1);
            return Ok(Change::from(edit).with_label(label.clone()));
        }
        if !first.open {
            return Err(Skip("the first text may not be edited".into()));
        }
        let family = match self.family {
            Family::All => None,
            Family::Lexical => Some(templates::Overlap::Lexical),
            Family::Subsequence => Some(templates::Overlap::Subsequence),
            Family::Constituent => Some(templates::Overlap::Constituent),
        };
        let same = spelling.label_of(Sense::Same).is_some() && spelling.label_of(Sense::Entails).is_none();
        let make = if chinese::is_chinese(&first.text) { chinese_templates::make } else { templates::make };
        let Made { premise, hypothesis, follows } = make(family, same, dice);
        let Some(label) = label_of(spelling, follows) else {
            return Err(Skip("no label means that a text follows, or that it does not".into()));
        };
        let edits =
            vec![Edit::replace(0..first.text.len(), premise), Edit::replace(0..second.text.len(), hypothesis).on(1)];
        Ok(Change::from(edits).with_label(label.clone()))
    }
}

/// The label of pairs of which the second text follows, or does not.
fn label_of(spelling: &Spelling, follows: bool) -> Option<&Label> {
    let senses = if follows { [Sense::Entails, Sense::Same] } else { [Sense::Neutral, Sense::Different] };
    senses.iter().find_map(|sense| spelling.label_of(*sense))
}

/// A plain sentence with its subject and object exchanged: `The judge saw the artist.` Only people that act on people, so
/// that it makes sense and does not follow.
fn exchanged(field: &fissure_core::Field) -> Option<String> {
    let annotated = Annotated::of(&field.text);
    let analysis = annotated.analysis();
    let [tokens] = analysis.sentences() else { return None };
    if tokens.len() > 30 {
        return None;
    }
    let sentence = Sentence::all(analysis, |_| true).next()?;
    let clauses = sentence.clauses();
    let clause =
        clauses.iter().find(|clause| clause.role == Role::Main && sentence.relation(clause.head) == Relation::Root)?;
    let subject = clause.subject.filter(|_| clause.own_subject && clause.negation.is_none() && !clause.inverted)?;
    let objects: Vec<usize> =
        sentence.children(clause.head).iter().copied().filter(|at| sentence.relation(*at) == Relation::Obj).collect();
    let [object] = objects[..] else { return None };
    let one = templates::person_phrase(&sentence, subject)?;
    let other = templates::person_phrase(&sentence, object)?;
    if sentence.penn(subject) != sentence.penn(object) {
        return None;
    }
    let verb = sentence.base(clause.head);
    if !templates::is_one_way(&verb) || one.start != sentence.tokens.start {
        return None;
    }
    let bytes = |tokens: &std::ops::Range<usize>| analysis.bytes(tokens.clone());
    let text = analysis.text();
    let (one, other) = (bytes(&one), bytes(&other));
    let first = fissure_text::casing::title(&text[other.clone()]).into_owned();
    let small = |words: &str| {
        let mut letters = words.chars();
        letters.next().map(|first| first.to_lowercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    let second = small(&text[one.clone()]);
    if first.to_lowercase() == second.to_lowercase() {
        return None;
    }
    Some(format!("{first}{}{second}{}", &text[one.end..other.start], &text[other.end..]))
}
