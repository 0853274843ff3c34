use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Span, layer, transform};
use fissure_text::Penn;
use fissure_text::inflection::Kind;

use crate::clauses::is_any_in;
use crate::support::annotated::Annotated;
use crate::support::chinese::{self, Han};
use crate::support::chinese_synonyms::synonyms_at;
use crate::support::draw_words::Drawn;
use crate::support::substitution;

transform! {
    /// Replaces words of the sentence that holds the answer with synonyms; the answer stays.
    ///
    /// Names and numbers stay, and so do the words by which the question finds the sentence, unless `hard` is set. Synonyms
    /// are those of `swap_syn_wordnet`. A sentence in which no word has a synonym that fits stays as it is.
    pub struct PerturbAnswer {
        ..Amount::share(0.3);
        /// Whether words that the question has may change as well.
        hard: bool = false;
        /// The greatest chance that a swap reads badly, as for `swap_syn_wordnet`.
        risk: f64 = 0.1, in 0.0..=1.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::ANSWERS)],
        languages: &[English, Chinese],
        aliases: &["PerturbAnswer"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "context:: Rain fell. The lawyer built it in [Graz|answers]. // (question):: Where is it?"
            => "context:: Rain fell. The attorney built it in [Graz|answers]. // (question):: Where is it?",
        { rate = "1" } "context:: The film nearly ended in [1950|answers]. // (question):: When did it end?"
            => "context:: The flick almost ended in [1950|answers]. // (question):: When did it end?",
        "context:: 下雨了。他突然在[北京|answers]出现。 // (question):: 他在哪里出现？"
            => "context:: 下雨了。他忽然在[北京|answers]出现。 // (question):: 他在哪里出现？",
        { hard = "true" } "context:: The lawyer built it in [Graz|answers]. // (question):: Where did the lawyer build it?"
            => "context:: The attorney built it in [Graz|answers]. // (question):: Where did the lawyer build it?",
        "context:: Every problem has a solution. The average case complexity of the problem is [low|answers]. // (question):: What is it like?"
            => "context:: Every problem has a solution. The average case complexity of the problem is [low|answers]. // (question):: What is it like?",
        "context:: The lawyer built it in [Graz|answers]. // (question):: Where did the lawyer build it?"
            => "context:: The lawyer built it in [Graz|answers]. // (question):: Where did the lawyer build it?",
    ]
}

impl EditSample for PerturbAnswer {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the passage may not be edited".into()));
        };
        let answers: Vec<Span> =
            sample.layer(layer::ANSWERS).filter(|(_, mark)| mark.field == 0).map(|(_, mark)| mark.span).collect();
        let Some(answer) = answers.first() else {
            return Err(Skip("the question has no answer in the passage".into()));
        };
        if chinese::is_chinese(&field.text) {
            return Ok(self.chinese(sample, *answer, dice));
        }
        let annotated = Annotated::of(&field.text);
        let analysis = annotated.analysis();
        let holds = |tokens: &&std::ops::Range<usize>| Span::from(analysis.bytes((*tokens).clone())).overlaps(*answer);
        let Some(tokens) = analysis.sentences().iter().find(holds).cloned() else { return Ok(Vec::new()) };
        let asked = |word: &str| sample.fields.iter().skip(1).any(|other| is_any_in(&other.text, &[word]));
        let wanted = self.amount.of(tokens.len());
        let mut left: Vec<usize> = tokens
            .filter(|at| {
                let span = Span::from(analysis.tokens()[*at].span.clone());
                annotated.may_be_content(*at)
                    && substitution::is_possible(&annotated.small(*at), self.risk)
                    && !span.overlaps_any(&sample.labelled(0))
                    && (self.hard || !(asked(&annotated.small(*at)) || asked(&annotated.lemma(*at))))
            })
            .collect();
        let mut edits: Vec<Edit> = Vec::new();
        let mut swapped = 0;
        while swapped < wanted && !left.is_empty() {
            let at = left.swap_remove(dice.below(left.len()));
            let (Some(kind), lemma) = (annotated.kind(at), annotated.lemma(at)) else { continue };
            if is_term(&annotated, at, kind, &lemma) {
                continue;
            }
            let word = Drawn { at, lemma: &lemma, kind };
            let fitting = substitution::fitting(&annotated, &word, self.risk, |_| true);
            let Some(new) = dice.pick(&fitting).filter(|_| !annotated.in_phrase(at)) else { continue };
            let Some(form) = annotated.inflect(at, new.lemma) else { continue };
            annotated.put(at, &form, &mut edits);
            swapped += 1;
        }
        edits.sort_by_key(|edit| edit.span);
        edits.dedup_by(|next, edit| next.span == edit.span);
        Ok(edits)
    }
}

/// Whether a word is a term of its passage: a noun that the passage repeats (`problem`, `solution`), or one word of a compound (`average
/// case complexity`, `polynomial-time solution`).
fn is_term(annotated: &Annotated, at: usize, kind: Kind, lemma: &str) -> bool {
    let is_noun = |at: usize| {
        annotated.kind(at) == Some(Kind::Noun) || matches!(annotated.penn(at), Some(Penn::Nnp | Penn::Nnps))
    };
    match kind {
        Kind::Noun => {
            let repeated = (0..annotated.len()).filter(|at| *annotated.lemma(*at) == *lemma).take(2).count() > 1;
            let joined =
                at.checked_sub(1).is_some_and(|before| is_noun(before) || annotated.word(before).contains('-'));
            repeated || joined || is_noun(at + 1)
        }
        Kind::Adjective => is_noun(at + 1) && is_noun(at + 2),
        _ => false,
    }
}

impl PerturbAnswer {
    /// The edits of the sentence of a Chinese passage that holds the answer.
    fn chinese(&self, sample: &Sample, answer: Span, dice: &mut Dice) -> Vec<Edit> {
        let text = &sample.fields[0].text;
        let holds = |span: &Span| span.overlaps(answer);
        let sentences = fissure_text::chinese::sentences(text).into_iter().map(Span::from);
        let Some(sentence) = sentences.into_iter().find(holds) else { return Vec::new() };
        let han = Han::of(text);
        let asked = |word: &str| sample.fields.iter().skip(1).any(|other| other.text.contains(word));
        let labelled = sample.labelled(0);
        let inside = |at: &usize| sentence.covers(han.span(*at).into());
        let wanted = self.amount.of(han.han().filter(inside).count());
        let open =
            |at: &usize| !Span::from(han.span(*at)).overlaps_any(&labelled) && (self.hard || !asked(han.written(*at)));
        let mut left: Vec<usize> = han.han().filter(inside).filter(open).collect();
        let (mut edits, mut swapped) = (Vec::new(), 0);
        while swapped < wanted && !left.is_empty() {
            let at = left.swap_remove(dice.below(left.len()));
            let known = synonyms_at(&han, at, han.upos(at), self.risk);
            let Some(new) = dice.pick(&known) else { continue };
            edits.extend(han.replace(at, new));
            swapped += 1;
        }
        edits.sort_by_key(|edit| edit.span);
        edits
    }
}
