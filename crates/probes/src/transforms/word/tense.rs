use std::ops::Range;

use fissure_core::{
    Candidate, Dice, Edit, EditSample, Field, Place, Proposal, Resources, Sample, Skip, Text, choices, transform,
};
use fissure_text::{Analysis, Penn, Relation, TokenKind, Upos, analyse, inflection};

use crate::clauses::{Clause, Role, Sentence, is_any, is_clipped_passive};

mod shift;

transform! {
    /// Puts the verbs of a text into another tense, agreeing with their subjects and helpers.
    ///
    /// A sentence moves as a whole or not at all: `He said he was ill` becomes `He says he is ill`, and in the future
    /// only the main clause takes `will`. A sentence stays as it is where a verb could not be placed with certainty, or
    /// where a time (`yesterday`, `next week`) contradicts the new tense. What could not be put in another tense without
    /// another meaning (`may`, `should`) is left alone.
    ///
    /// Two texts that are compared move together: all verbs of both go from one tense to the same other tense, or the
    /// sample is left alone. A question about a passage stays as it is, so there the label is unsure.
    pub struct Tense {
        /// The tense to move to; `random` takes one that the text is not in, the same for the whole text.
        target: Target = Target::Random;
        /// Share of the sentences to move; 0 moves none. Texts that are compared move as a whole.
        rate: f64 = 1.0, in 0.0..=1.0;
    }
    card: {
        level: Some(Word),
        family: Some(Morphology),
        expectation: Some(Kept),
        // The passage would be in another tense than the question.
        expectation_if: &[(Has::Layer(layer::ANSWERS), Unsure)],
        languages: &[English],
        // Helpers come and go, and with them tokens; and the tag of a verb says its tense.
        does: &[Rewrites],
        aliases: &["Tense"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.2"),
        human: Some(HumanScores { plausibility: (3.70, 3.59), grammaticality: (3.80, 3.69) }),
    }
    examples: [
        { target = "past" } "She likes the soup, but they don't want it." => "She liked the soup, but they didn't want it.",
        { target = "present" } "He said that the trains were late, but the drivers didn't agree."
            => "He says that the trains are late, but the drivers don't agree.",
        { target = "future" } "He always sings when he is happy." => "He will always sing when he is happy.",
        { target = "future" } "I'm ready. Did they call?" => "I'll be ready. Will they call?",
        { target = "past" } "The shop will open at noon, and it won't close." => "The shop opened at noon, and it didn't close.",
        { target = "present" } "They sold the house last year." => "They sold the house last year.",
        { target = "future" } "Glavine placed on disabled list." => "Glavine placed on disabled list.",
        { target = "past" } "You come early and snag a spot." => "You come early and snag a spot.",
        { target = "present" } "If the right actors were chosen, it could have had the potential." => "If the right actors were chosen, it could have had the potential.",
        { target = "future" } "They did what they could." => "They did what they could.",
        { target = "future" } "It was the best thing I ate." => "It was the best thing I ate.",
        { target = "past" } "The jokes bore no relation to the plot." => "The jokes bore no relation to the plot.",
    ]
}

choices! {
    /// A tense to move to.
    pub enum Target { Past = "past", Present = "present", Future = "future", Random = "random" }
}

impl EditSample for Tense {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let open: Vec<(usize, &Field)> = sample.fields.iter().enumerate().filter(|(_, field)| field.open).collect();
        match open[..] {
            [(at, field)] => Ok(self.edit_text(&field.text, dice).into_iter().map(|edit| edit.on(at)).collect()),
            _ => self.edit_together(&open, |tense| self.target_from(tense, dice)),
        }
    }

    /// A sentence moves as a whole, so its place is the first of its words that changes, and the others go along. Texts that
    /// are compared move as a whole.
    fn candidates_of(&self, sample: &Sample, _: &Resources) -> Option<Vec<Place>> {
        let open: Vec<(usize, &Field)> = sample.fields.iter().enumerate().filter(|(_, field)| field.open).collect();
        let moves: Vec<Vec<Edit>> = match open[..] {
            [(at, field)] => {
                let analysis = field.text.remember(analyse);
                let targets = self.targets_from(main_tense(&analysis));
                let moved = targets.into_iter().flat_map(|target| moved(&analysis, target));
                moved.map(|edits| edits.into_iter().map(|edit| edit.on(at)).collect()).collect()
            }
            _ => {
                let together = |pick: usize| self.edit_together(&open, |tense| self.targets_from(tense)[pick]);
                (0..2).filter_map(|pick| together(pick).ok()).collect()
            }
        };
        let mut places: Vec<Place> = Vec::new();
        for mut edits in moves.into_iter().filter(|edits| !edits.is_empty()) {
            let first = edits.remove(0);
            let candidate = Candidate { along: edits, ..Candidate::new(first.with) };
            match places.iter_mut().find(|place| (place.field, place.span) == (first.field, first.span)) {
                Some(place) => place.candidates.push(candidate),
                None => places.push(Place { field: first.field, ..Place::new(first.span, vec![candidate]) }),
            }
        }
        Some(places)
    }
}

impl Tense {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Vec<Edit> {
        let analysis = text.remember(analyse);
        let mut moved = match self.target {
            // Counting verbs needs all tags.
            Target::Random => {
                let tense = main_tense(&analysis);
                let target = self.target_from(tense, dice);
                let drawn = moved(&analysis, target);
                // What cannot go to one tense may go to the other.
                let other = others_than(tense).into_iter().find(|other| *other != target);
                if drawn.is_empty() { other.map_or(drawn, |other| moved(&analysis, other)) } else { drawn }
            }
            target => moved(&analysis, target),
        };
        let wanted = if self.rate > 0.0 { ((self.rate * moved.len() as f64).round() as usize).max(1) } else { 0 };
        let chosen = dice.choose(moved.len(), wanted.min(moved.len()));
        chosen.into_iter().flat_map(|at| std::mem::take(&mut moved[at])).collect()
    }

    /// The tenses that texts in `tense` may be moved to; twice the same if only one is allowed.
    fn targets_from(&self, tense: Target) -> [Target; 2] {
        match self.target {
            Target::Random => others_than(tense),
            target => [target; 2],
        }
    }

    fn target_from(&self, tense: Target, dice: &mut Dice) -> Target {
        match self.target {
            Target::Random => others_than(tense)[dice.below(2)],
            target => target,
        }
    }

    /// Puts all texts of a sample into the same tense: every clause of every sentence, or nothing. `He was a teacher`
    /// says nothing of `He is a teacher`, so texts in different tenses must not become texts in one.
    fn edit_together(&self, fields: &[(usize, &Field)], choose: impl FnOnce(Target) -> Target) -> Proposal {
        let analyses: Vec<_> = fields.iter().map(|(_, field)| field.text.remember(analyse)).collect();
        let counts: Vec<[usize; 3]> = analyses.iter().map(|analysis| tense_counts(analysis)).collect();
        if self.rate <= 0.0 || counts.iter().flatten().all(|count| *count == 0) {
            return Ok(Vec::new());
        }
        const TENSES: [Target; 3] = [Target::Past, Target::Present, Target::Future];
        let only = |tense: usize| {
            counts.iter().all(|counts| counts[tense] > 0 && counts[tense] == counts.iter().sum::<usize>())
        };
        let Some(tense) = (0..TENSES.len()).find(|tense| only(*tense)).map(|tense| TENSES[tense]) else {
            return Err(Skip("the texts are not all in one tense".into()));
        };
        let target = choose(tense);
        if target == tense {
            return Ok(Vec::new());
        }
        let mut edits = Vec::new();
        for ((index, _), analysis) in fields.iter().zip(&analyses) {
            let takes = |tokens: Range<usize>| !contradicts(analysis, tokens, target);
            if !analysis.sentences().iter().cloned().all(takes) {
                return Err(Skip("a text speaks of a time that the new tense contradicts".into()));
            }
            for sentence in Sentence::all(analysis, |_| true) {
                let Some(moved) = in_tense(&sentence, target, Clauses::All) else {
                    return Err(Skip("not every sentence can be put into the same tense".into()));
                };
                edits.extend(moved.into_iter().map(|edit| edit.on(*index)));
            }
        }
        Ok(edits)
    }
}

/// How many finite verbs are in the past, the present and the future.
fn tense_counts(analysis: &Analysis) -> [usize; 3] {
    let mut counts = [0; 3];
    for (at, tag) in analysis.tags().iter().enumerate() {
        match tag.penn {
            Penn::Vbd => counts[0] += 1,
            Penn::Vbz | Penn::Vbp => counts[1] += 1,
            Penn::Md if shift::WILL.iter().any(|will| will.eq_ignore_ascii_case(analysis.word(at))) => counts[2] += 1,
            _ => {}
        }
    }
    counts
}

/// The tense that most finite verbs are in.
fn main_tense(analysis: &Analysis) -> Target {
    let [past, present, future] = tense_counts(analysis);
    match past.max(present).max(future) {
        most if most == present => Target::Present,
        most if most == past => Target::Past,
        _ => Target::Future,
    }
}

/// The edits of each sentence that can be put into a tense.
fn moved(analysis: &Analysis, target: Target) -> Vec<Vec<Edit>> {
    let sentences = Sentence::all(analysis, |tokens| !contradicts(analysis, tokens, target));
    sentences.filter_map(|sentence| in_tense(&sentence, target, Clauses::Some)).collect()
}

fn others_than(tense: Target) -> [Target; 2] {
    match tense {
        Target::Past => [Target::Present, Target::Future],
        Target::Future => [Target::Past, Target::Present],
        Target::Present | Target::Random => [Target::Past, Target::Future],
    }
}

/// How many clauses of a sentence must move for the sentence to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clauses {
    Some,
    All,
}

/// The edits that put a sentence into a tense; nothing if there is a doubt or nothing to do.
fn in_tense(sentence: &Sentence<'_>, target: Target, clauses_moved: Clauses) -> Option<Vec<Edit>> {
    if has_doubtful_verb(sentence) || sentence.tokens.clone().any(|at| is_hidden_verb(sentence, at)) {
        return None;
    }
    let clauses = sentence.clauses();
    if clauses.iter().any(|clause| is_clipped_passive(sentence, clause)) {
        return None;
    }
    // A finite verb outside all clauses is one that the parse did not understand.
    let verbs = sentence.tokens.clone().filter(|at| matches!(sentence.penn(*at), Penn::Vbd | Penn::Vbz | Penn::Vbp));
    for verb in verbs {
        clauses.iter().find(|clause| clause.finite == verb)?;
    }
    // A verb at the root that bears no tense is one that was misread, unless it is an order.
    let root = sentence.tokens.clone().find(|at| sentence.relation(*at) == Relation::Root)?;
    let misread =
        matches!(sentence.penn(root), Penn::Vbn | Penn::Vbg) && !clauses.iter().any(|clause| clause.head == root);
    // `See it if you haven't`: an order has no other tense, and what hangs on it keeps its own.
    let order = sentence.penn(root) == Penn::Vb && !clauses.iter().any(|clause| clause.head == root);
    if misread || order {
        return None;
    }
    let mut edits = Vec::new();
    let mut kept = Vec::new();
    let mut left = Vec::new();
    for clause in &clauses {
        clause.subject?;
        let moved = shift::clause(sentence, &clauses, clause, target)?;
        if clauses_moved == Clauses::All && moved.is_empty() {
            return None;
        }
        if moved.is_empty() { &mut kept } else { &mut left }.push(clause);
        edits.extend(moved);
    }
    let stays_behind = |kept: &&Clause| {
        let time = |clause: &Clause| Time::of(sentence, clause);
        left.iter().any(|left| hangs_together(sentence, kept, left) && time(kept).contradicts(time(left), target))
    };
    if kept.iter().any(stays_behind) {
        return None;
    }
    edits.sort_by_key(|edit| edit.span);
    Some(edits).filter(|edits| !edits.is_empty())
}

/// When a clause is, by its finite verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Time {
    Past,
    Present,
    Future,
    /// `could`, `would`: beside a past they are one, beside a present they suppose.
    Supposed {
        perfect: bool,
    },
    /// `can`, `may`, `must`.
    Open,
}

impl Time {
    fn of(sentence: &Sentence<'_>, clause: &Clause) -> Self {
        let finite = clause.finite;
        let perfect = || clause.rest.iter().any(|verb| sentence.is(*verb, &["have", "'ve", "of"]));
        match sentence.penn(finite) {
            Penn::Vbd => Self::Past,
            Penn::Md if sentence.is(finite, shift::WILL) => Self::Future,
            Penn::Md if sentence.is(finite, &["could", "would", "might", "should", "'d", "\u{2019}d"]) => {
                Self::Supposed { perfect: perfect() }
            }
            Penn::Md => Self::Open,
            _ => Self::Present,
        }
    }

    /// Whether a clause of this time that stays contradicts one that left another: `If it is chosen, it could have had it`, `it will be
    /// the best I ate`.
    fn contradicts(self, left: Self, target: Target) -> bool {
        match self {
            Self::Past => left == Self::Past,
            Self::Supposed { perfect } => {
                perfect
                    || (left == Self::Past && target != Target::Past)
                    || (left == Self::Present && target == Target::Future)
            }
            Self::Present | Self::Future | Self::Open => false,
        }
    }
}

/// Whether one of two clauses hangs on the other, and not only beside it.
fn hangs_together(sentence: &Sentence<'_>, one: &Clause, other: &Clause) -> bool {
    let below = |low: &Clause, high: &Clause| {
        let (mut at, mut hangs) = (low.head, false);
        // A tree is no deeper than it has words.
        for _ in sentence.tokens.clone() {
            let Some(up) = sentence.dependency(at).head else { return false };
            hangs |= !matches!(sentence.relation(at), Relation::Conj | Relation::Parataxis);
            at = up;
            if at == high.head {
                return hangs;
            }
        }
        false
    };
    below(one, other) || below(other, one)
}

/// Whether the sentence speaks of a time that the tense does not go with.
fn contradicts(analysis: &Analysis, tokens: Range<usize>, target: Target) -> bool {
    const GONE: &[&str] =
        &["yesterday", "ago", "last", "once", "previously", "formerly", "earlier", "recently", "already", "since"];
    const TO_COME: &[&str] =
        &["tomorrow", "next", "soon", "upcoming", "today", "tonight", "now", "currently", "nowadays", "later"];
    let is_year = |at: usize| {
        let word = analysis.word(at);
        analysis.tokens()[at].kind == TokenKind::Number
            && word.len() == 4
            && word.parse::<u32>().is_ok_and(|year| (1500..2100).contains(&year))
    };
    let has = |of: &[&str]| tokens.clone().any(|at| is_any(analysis.word(at), of));
    match target {
        Target::Past => has(TO_COME),
        Target::Present | Target::Random => has(GONE) || has(TO_COME),
        Target::Future => has(GONE) || has(&["now", "currently", "nowadays"]) || tokens.clone().any(is_year),
    }
}

/// Whether a verb is there that has no other tense, or that cannot be read with certainty.
fn has_doubtful_verb(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.clone().any(|at| {
        let next = |words: &[&str]| at + 1 < sentence.tokens.end && sentence.is(at + 1, words);
        match sentence.word(at).to_lowercase().as_str() {
            "used" | "use" => next(&["to"]),
            "had" | "'d" => next(&["better"]) || (sentence.joined(at) && sentence.penn(at) != Penn::Md),
            "'s" => sentence.upos(at) != Upos::Part && is_doubtful_s(sentence, at),
            "let" => next(&["'s", "\u{2019}s", "us"]),
            "ai" | "ought" | "wish" | "were" if next(&["n't", "to"]) => true,
            // `bore` is the past of `bear`, `lay` of `lie`; the tagger often sees the other verb.
            "bore" | "lay" => true,
            "wish" | "lest" | "gotta" | "gonna" | "wanna" | "guessed" => true,
            // `I mean` is said in passing.
            "mean" => at.checked_sub(1).is_some_and(|before| sentence.is(before, &["i"])),
            // `the most fun I ever had in my life` is seen from now.
            "life" => at.checked_sub(1).is_some_and(|before| sentence.is(before, &["my"])),
            _ if is_bare_after_help(sentence, at) => true,
            // `If I were rich` is not past.
            "were" => {
                (1..4).any(|back| at.checked_sub(back).is_some_and(|at| sentence.is(at, &["if", "as", "though"])))
            }
            _ => false,
        }
    })
}

/// Whether a word that the tagger took for a noun or the like stands where a verb does, so that it would keep its tense: `you come
/// early and snag a spot`, `even like them`, `the cart heads away`.
fn is_hidden_verb(sentence: &Sentence<'_>, at: usize) -> bool {
    let tag = sentence.penn(at);
    let next = at + 1;
    // `dragged on and felt`: the past, taken for a participle.
    let past_joined = tag == Penn::Vbn
        && sentence.relation(at) == Relation::Conj
        && sentence.dependency(at).head.is_some_and(|up| sentence.penn(up) == Penn::Vbd)
        && inflection::lemmas(&sentence.word(at).to_lowercase(), "VBD").next().is_some();
    if past_joined || is_clause_of_participle(sentence, at) {
        return true;
    }
    if !matches!(tag, Penn::Nn | Penn::Nns | Penn::Jj | Penn::In | Penn::Vb) || next >= sentence.tokens.end {
        return false;
    }
    let is_verb = || {
        let word = sentence.word(at).to_ascii_lowercase();
        inflection::readings(&word).any(|(tag, _)| matches!(tag, "VB" | "VBP" | "VBZ"))
    };
    let joins = |place: usize| sentence.is(place, &["and", "but", "or", "even", "then"]);
    let joined = at > sentence.tokens.start && joins(at - 1);
    let object = matches!(sentence.penn(next), Penn::Dt | Penn::PrpPoss)
        || sentence.is(next, &["them", "him", "me", "us", "her"])
        || (tag == Penn::Nns && sentence.penn(next) == Penn::Vbn);
    let away = tag == Penn::Nns && sentence.is(next, &["away", "toward", "towards", "onto"]);
    // `to come and snag a spot` has no tense.
    let bare = tag == Penn::Vb && {
        let first = at.saturating_sub(8).max(sentence.tokens.start);
        (first..at).any(|place| matches!(sentence.penn(place), Penn::To | Penn::Md) || sentence.base(place) == "do")
    };
    ((joined && object && !bare) || away) && is_verb()
}

/// `as tech stocks rallied`: the past of a verb that the tagger took for a participle, behind a word that opens a clause and a
/// subject.
fn is_clause_of_participle(sentence: &Sentence<'_>, at: usize) -> bool {
    const OPENING: &[&str] =
        &["as", "when", "while", "because", "after", "before", "since", "if", "although", "though", "until", "but"];
    let is_name = |at: usize| {
        use Penn::{Cd, Dt, Jj, Jjr, Jjs, Nn, Nnp, Nnps, Nns, Pos, Prp, PrpPoss};
        matches!(sentence.penn(at), Nn | Nns | Nnp | Nnps | Prp | PrpPoss | Dt | Jj | Jjr | Jjs | Cd | Pos)
    };
    let is_noun = |at: usize| matches!(sentence.penn(at), Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Prp);
    if !matches!(sentence.penn(at), Penn::Vbn | Penn::Jj | Penn::Nn)
        || at == sentence.tokens.start
        || !is_noun(at - 1)
        || inflection::lemmas(&sentence.word(at).to_lowercase(), "VBD").next().is_none()
    {
        return false;
    }
    let before = (sentence.tokens.start..at).rev().find(|at| !is_name(*at));
    before.is_some_and(|before| before + 1 < at && sentence.is(before, OPENING))
}

/// `helped the team remain`, `let them go`: a bare verb that the tagger took for the present.
fn is_bare_after_help(sentence: &Sentence<'_>, at: usize) -> bool {
    const HELPING: &[&str] = &["help", "let", "make", "watch", "see", "have", "hear"];
    let first = at.saturating_sub(5).max(sentence.tokens.start);
    let helps = |place: usize| sentence.upos(place) == Upos::Verb && HELPING.contains(&sentence.base(place).as_str());
    sentence.penn(at) == Penn::Vbp
        && sentence.upos(at) == Upos::Verb
        && (first..at).any(|place| {
            let between = |tag| {
                matches!(
                    tag,
                    Penn::Dt
                        | Penn::Jj
                        | Penn::Nn
                        | Penn::Nns
                        | Penn::Nnp
                        | Penn::Nnps
                        | Penn::Prp
                        | Penn::PrpPoss
                        | Penn::Pos
                )
            };
            helps(place) && place + 1 < at && (place + 1..at).all(|place| between(sentence.penn(place)))
        })
}

/// `'s` before a participle is `is` or `has`.
fn is_doubtful_s(sentence: &Sentence<'_>, at: usize) -> bool {
    let behind = (at + 1..sentence.tokens.end.min(at + 4)).find(|at| sentence.penn(*at) != Penn::Rb);
    behind.is_some_and(|at| matches!(sentence.penn(at), Penn::Vbn | Penn::Vbd))
}

/// Whether the tense of a clause depends on that of another.
fn follows_another(clause: &Clause) -> bool {
    matches!(clause.role, Role::Content | Role::Adverbial)
}
