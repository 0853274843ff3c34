use fissure_core::{Amount, Change, Dice, Edit, Resources, Sample, Skip, Transform, choices, transform};
use fissure_text::inflection::Kind;
use fissure_text::{Penn, casing};

use crate::clauses::is_any;
use crate::support::annotated::Annotated;
use crate::support::chinese;
use crate::support::draw_words::{self, Drawn};
use crate::support::substitution;

mod chinese_question;

transform! {
    /// Puts the question of a passage into other words; names, numbers and what is asked for stay.
    ///
    /// `synonyms` replaces words as `swap_syn_wordnet` does, `syntax` puts the asking phrase in other words (`At which place
    /// was it held?` for `Where was it held?`, `什么地方` for `哪里`), `either` the first of them that can. `mlm` and `back_trans` ask a language
    /// model or a translator. A question without a word that has a fitting synonym and without a phrase that
    /// can be put in other words stays as it is.
    pub struct PerturbQuestion {
        ..Amount::share(0.3);
        /// How the question is put in other words.
        by: By = By::Either;
        /// The greatest chance that a swap reads badly, as for `swap_syn_wordnet`.
        risk: f64 = 0.1, in 0.0..=1.0;
    }
    card: {
        level: Some(Sentence),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::ANSWERS), Has::SeveralTexts],
        opens: &["question"],
        languages: &[English, Chinese],
        aliases: &["PerturbQuestion", "PerturbQuestion-BackTrans", "PerturbQuestion-MLM"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "context:: The fair was held in [Graz|answers]. // (question):: Where was the fair held?"
            => "context:: The fair was held in [Graz|answers]. // (question):: In which place was the fair held?",
        { by = "synonyms", rate = "1" } "context:: The film ended in [1950|answers]. // (question):: When did the film nearly end?"
            => "context:: The film ended in [1950|answers]. // (question):: When did the film almost end?",
        { by = "syntax" } "context:: It fell in [1950|answers]. // (question):: When did the tower fall?"
            => "context:: It fell in [1950|answers]. // (question):: At what point in time did the tower fall?",
        "context:: 会议在[北京|answers]举行。 // (question):: 会议在哪里举行？"
            => "context:: 会议在[北京|answers]举行。 // (question):: 会议在什么地方举行？",
        { by = "synonyms", rate = "1" } "context:: 他[去年|answers]突然走了。 // (question):: 他什么时候突然走了？"
            => "context:: 他[去年|answers]突然走了。 // (question):: 他什么时候忽然走了？",
        { by = "syntax" } "context:: It fell in [1950|answers]. // (question):: Did the tower fall?"
            => "context:: It fell in [1950|answers]. // (question):: Did the tower fall?",
    ]
}

choices! {
    /// How a question is put in other words.
    pub enum By { Either = "either", Synonyms = "synonyms", Syntax = "syntax", BackTrans = "back_trans", Mlm = "mlm" }
}

const NO_LANGUAGE_MODEL: &str = "it needs a masked language model: give --language-model DIR";
const NO_TRANSLATOR: &str = "it needs a translator: give --translator apertium or --translator 'COMMAND'";

impl Transform for PerturbQuestion {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        if self.amount.rate <= 0.0 {
            return Ok(Change::default());
        }
        let Some(index) = sample.fields.iter().position(|field| &*field.name == "question") else {
            return Err(Skip("there is no question".into()));
        };
        let text = &sample.fields[index].text;
        let in_chinese = chinese::is_chinese(text);
        let edits = match self.by {
            By::Synonyms if in_chinese => chinese_question::synonyms(text, self.amount, self.risk, dice),
            By::Syntax if in_chinese => chinese_question::syntax(text).into_iter().collect(),
            By::Either if in_chinese => match chinese_question::syntax(text) {
                Some(edit) => vec![edit],
                None => chinese_question::synonyms(text, self.amount, self.risk, dice),
            },
            By::BackTrans if in_chinese => chinese_question::translated(text, resources)?,
            By::Mlm if in_chinese => chinese_question::guessed(text, dice, resources)?,
            By::Synonyms => self.synonyms(sample, index, dice),
            By::Syntax => syntax(sample, index).into_iter().collect(),
            By::Either => {
                let edits: Vec<Edit> = syntax(sample, index).into_iter().collect();
                if edits.is_empty() { self.synonyms(sample, index, dice) } else { edits }
            }
            By::BackTrans => translated(sample, index, resources)?,
            By::Mlm => self.guessed(sample, index, dice, resources)?,
        };
        Ok(edits.into_iter().map(|edit| edit.on(index)).collect::<Vec<_>>().into())
    }
}

impl PerturbQuestion {
    fn synonyms(&self, sample: &Sample, index: usize, dice: &mut Dice) -> Vec<Edit> {
        let annotated = Annotated::of(&sample.fields[index].text);
        let may = |word: &str| substitution::is_possible(word, self.risk);
        let choose = |word: Drawn<'_>, dice: &mut Dice| {
            // `How great were the losses` asks how much.
            // `decision problems` is a term; `more difficult` would be `more tough`.
            let term = word.at > 0
                && annotated.kind(word.at) == Some(Kind::Noun)
                && matches!(annotated.penn(word.at - 1), Some(Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Jj));
            // `an example of`, `unable to`, `decided that`: what such a word means hangs on what follows it. And a noun that the
            // passage uses again and again is a term of its subject.
            let bound = is_any(annotated.after(word.at), &["of", "to", "that"]);
            let subject =
                annotated.kind(word.at) == Some(Kind::Noun) && self.is_term(sample, index, annotated.word(word.at));
            // What kind of thing is asked for is what the answer must be; a noun without an article may be no thing to count.
            let near = word.at.saturating_sub(3)..word.at;
            let noun = annotated.kind(word.at) == Some(Kind::Noun);
            let asked = noun
                && near.clone().any(|at| is_any(annotated.word(at), &["what", "which", "whose"]))
                && !near.into_iter().any(|at| annotated.kind(at) == Some(Kind::Verb));
            let before = word.at.checked_sub(1).and_then(|at| annotated.penn(at));
            let bare = annotated.penn(word.at) == Some(Penn::Nn)
                && !matches!(before, Some(Penn::Dt | Penn::PrpPoss | Penn::Pos | Penn::Jj | Penn::Cd));
            if term
                || bound
                || subject
                || asked
                || bare
                || is_any(annotated.before(word.at), &["how", "more", "most", "less"])
            {
                return None;
            }
            let fitting = substitution::fitting(&annotated, &word, self.risk, |_| true);
            substitution::draw(&fitting, dice)
        };
        let fits = |at: usize, lemma: &str| substitution::fits(&annotated, at, lemma, self.risk);
        draw_words::draw(&annotated, self.amount, dice, may, choose, fits)
    }

    /// Whether the other texts of the sample use a word three times or more.
    fn is_term(&self, sample: &Sample, index: usize, word: &str) -> bool {
        let stem = word.to_lowercase();
        let stem = stem.strip_suffix('s').unwrap_or(&stem);
        let others = sample.fields.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, field)| field);
        others.map(|field| field.text.to_lowercase().matches(stem).count()).sum::<usize>() >= 3
    }

    /// One word that a language model guesses, of those that are no name and do not ask.
    fn guessed(
        &self,
        sample: &Sample,
        index: usize,
        dice: &mut Dice,
        resources: &Resources,
    ) -> Result<Vec<Edit>, Skip> {
        let Some(masked_lm) = &resources.masked_lm else {
            return Err(Skip(NO_LANGUAGE_MODEL.into()));
        };
        let text = &sample.fields[index].text;
        let annotated = Annotated::of(text);
        let mut places: Vec<usize> =
            (1..annotated.len()).filter(|at| annotated.is_plain(*at) && annotated.kind(*at).is_some()).collect();
        dice.shuffle(&mut places);
        for at in places {
            let span = annotated.analysis().tokens()[at].span.clone();
            let guesses = masked_lm.guess(text, &[span.into()], 10)?;
            let lemma = annotated.lemma(at);
            // A model also guesses what means something else: only synonyms are taken.
            let senses = || fissure_text::wordnet::all_senses(&lemma);
            let alike = |word: &str| senses().flat_map(|sense| sense.synonyms()).any(|other| other.word() == word);
            let found = guesses.into_iter().flatten().find(|(word, _)| *word != annotated.small(at) && alike(word));
            if let Some((word, _)) = found {
                let mut edits = Vec::new();
                annotated.put(at, &word, &mut edits);
                return Ok(edits);
            }
        }
        Ok(Vec::new())
    }
}

fn translated(sample: &Sample, index: usize, resources: &Resources) -> Result<Vec<Edit>, Skip> {
    let Some(translator) = &resources.translator else {
        return Err(Skip(NO_TRANSLATOR.into()));
    };
    let text = &sample.fields[index].text;
    let new = translator.translate(text, None)?;
    // A translation that loses a name asks for something else.
    let annotated = Annotated::of(text);
    let is_name = |at: &usize| matches!(annotated.penn(*at), Some(Penn::Nnp | Penn::Nnps | Penn::Cd));
    let kept = (0..annotated.len()).filter(is_name).all(|at| new.contains(annotated.word(at)));
    let changed = kept && new != text.as_str() && !new.trim().is_empty();
    Ok(if changed { vec![Edit::replace(0..text.len(), new)] } else { Vec::new() })
}

/// Verbs behind which `where` is no place at which something happens.
const MOVING: &[&str] = &[
    "call",
    "go",
    "come",
    "move",
    "flee",
    "travel",
    "send",
    "head",
    "lead",
    "originate",
    "flow",
    "migrate",
    "immigrate",
    "get",
];

/// The phrase that asks, in other words.
fn syntax(sample: &Sample, index: usize) -> Option<Edit> {
    let annotated = Annotated::of(&sample.fields[index].text);
    let last = annotated.len().checked_sub(1)?;
    let verb = is_any(
        annotated.word(1),
        &["was", "were", "did", "is", "are", "does", "do", "has", "have", "can", "could", "would", "will"],
    );
    if annotated.word(last) != "?" || last < 3 || !verb {
        return None;
    }
    // `Where is it from?` has no place for another preposition.
    let stranded = matches!(annotated.penn(last - 1), Some(Penn::In | Penn::To | Penn::Rp));
    // `Where did he go?` asks for the way, and `Where does he call home?` for a thing.
    let moves = (2..last).any(|at| is_any(&annotated.lemma(at), MOVING));
    let new = match annotated.word(0).to_lowercase().as_str() {
        "where" if !stranded && !moves => "in which place",
        "when" if !stranded => "at what point in time",
        "why" => "for what reason",
        // `How did he feel about it?` asks for no way.
        "how" if !(2..last).any(|at| is_any(&annotated.lemma(at), &["feel", "look", "sound", "do", "be"])) => {
            "in what way"
        }
        "who" if is_any(annotated.word(1), &["was", "is"]) => "which person",
        _ => return None,
    };
    let span = annotated.analysis().tokens()[0].span.clone();
    Some(Edit::replace(span, casing::follow(annotated.word(0), new).into_owned()))
}
