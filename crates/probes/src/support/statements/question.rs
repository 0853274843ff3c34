//! A question taken apart: what it asks with, its verb, and what stands before and behind.

use std::ops::Range;

use fissure_text::{Penn, Relation, inflection};

use crate::clauses::{Sentence, is_finite};

/// What a question asks for, as far as its words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// `who`, `what`, `which river`.
    Thing,
    /// `whose army`.
    Owner,
    /// `when`, `what year`.
    Time,
    Place,
    /// `how many people`.
    Count,
    /// `how long`, `how old`.
    Degree,
    Manner,
    Reason,
}

/// A question with its parts, by tokens.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub sentence: Sentence<'a>,
    pub asks: Asks,
    /// `In 1911,` before the question itself.
    pub lead: Range<usize>,
    /// `in` of `In what year ...`.
    pub preposition: Option<usize>,
    /// `what year`, `who`, `how many people`.
    pub phrase: Range<usize>,
    /// The verb behind the phrase.
    pub verb: usize,
    /// The end of the question, without its mark.
    pub end: usize,
    pub shape: Shape,
}

/// How the rest of a question is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The phrase stands where a statement has it: `It flows into what sea?`
    InPlace,
    /// The phrase is the subject: `Who invented it?`
    Subject,
    /// The phrase is what the rest is: `What is the capital of Spain?`
    Identity,
    /// `How many mills are there?`
    There,
    /// The subject stands behind the helper and before the predicate: `When did the war end?`
    Inverted {
        /// Where the predicate begins, with its adverbs.
        predicate: usize,
        main: usize,
    },
}

/// Words that make a statement of the question mean something else, or nothing.
const REFUSED: &[&str] = &["else", "ever", "not", "n't", "besides", "except", "any"];
/// The same in the phrase that asks.
const REFUSED_IN_PHRASE: &[&str] = &["other", "another", "also"];
const ASKING: &[&str] = &["who", "whom", "whose", "what", "which", "when", "where", "why", "how"];
const TIMES: &[&str] = &["year", "decade", "century", "month", "day", "date"];
const ABOUT: &[&str] = &["about", "approximately", "around", "roughly"];
const FRONTED: &[&str] =
    &["in", "on", "at", "by", "from", "to", "for", "during", "with", "under", "through", "of", "as"];

pub(super) const BE: &[&str] = &["is", "was", "are", "were"];
const DO: &[&str] = &["did", "does", "do"];
const HAVE: &[&str] = &["has", "have", "had"];
/// Verbs that name what they are done to.
pub(super) const NAMING: &[&str] = &["call", "name", "consider", "dub", "term", "label", "title", "nickname"];

impl<'a> Question<'a> {
    /// Takes a question apart; nothing for what is none or of a form that is not known.
    pub fn read(sentence: Sentence<'a>) -> Option<Self> {
        let start = sentence.tokens.start;
        let mut end = sentence.tokens.end;
        while end > start && sentence.word(end - 1).chars().all(|sign| matches!(sign, '?' | '.')) {
            end -= 1;
        }
        let whole = start..end;
        let odd = |at: usize| sentence.is(at, REFUSED) || [";", ":", "("].contains(&sentence.word(at));
        if whole.len() < 3 || whole.clone().any(odd) {
            return None;
        }
        let first = first_asking(&sentence, whole)?;
        match fronted(&sentence, first, end) {
            Some(found) => Some(found.question(sentence, end)),
            None => in_place(&sentence, end).map(|found| found.question(sentence, end)),
        }
    }

    pub fn is_helped_by(&self, words: &[&str]) -> bool {
        self.sentence.is(self.verb, words)
    }

    pub fn does(&self) -> bool {
        self.is_helped_by(DO)
    }
}

/// What was found of a question.
struct Found {
    asks: Asks,
    lead: Range<usize>,
    preposition: Option<usize>,
    phrase: Range<usize>,
    verb: usize,
    shape: Shape,
}

impl Found {
    fn question(self, sentence: Sentence<'_>, end: usize) -> Question<'_> {
        let Self { asks, lead, preposition, phrase, verb, shape } = self;
        Question { sentence, asks, lead, preposition, phrase, verb, end, shape }
    }
}

/// The word that asks: behind a comma if one stands there, so that `When it rains, what happens?` asks with `what`.
fn first_asking(sentence: &Sentence<'_>, mut whole: Range<usize>) -> Option<usize> {
    let asks = |at: usize| at < whole.end && sentence.is(at, ASKING);
    let behind_comma = whole.clone().filter(|at| sentence.word(*at) == ",").find_map(|comma| {
        let fronted = asks(comma + 2) && sentence.is(comma + 1, FRONTED);
        (asks(comma + 1) || fronted).then_some(if fronted { comma + 2 } else { comma + 1 })
    });
    let opens = !sentence.is(whole.start, ASKING) || sentence.is(whole.start, &["when", "where"]);
    behind_comma.filter(|_| opens).or_else(|| whole.find(|at| sentence.is(*at, ASKING)))
}

/// A question whose phrase that asks stands first, but for words that say when or where.
fn fronted(sentence: &Sentence<'_>, word: usize, end: usize) -> Option<Found> {
    let start = sentence.tokens.start;
    let preposition = word.checked_sub(1).filter(|at| *at >= start && sentence.is(*at, FRONTED));
    let lead = start..preposition.unwrap_or(word);
    if !is_lead(sentence, &lead) {
        return None;
    }
    let (asks, mut phrase) = phrase(sentence, word, end)?;
    if phrase.clone().any(|at| sentence.is(at, REFUSED_IN_PHRASE)) {
        return None;
    }
    let mut verb = phrase.end;
    // `Who allegedly haunted it?`
    if verb + 1 < end && sentence.penn(verb) == Penn::Rb && is_finite(sentence.penn(verb + 1)) {
        verb += 1;
    }
    if verb >= end || !is_finite(sentence.penn(verb)) {
        verb = plural_like_verb(sentence, word + 2..end)?;
        phrase.end = verb;
    }
    if verb + 1 >= end || !sentence.word(verb).starts_with(char::is_alphabetic) {
        return None;
    }
    let mut found = Found { asks, lead, preposition, phrase, verb, shape: Shape::Subject };
    found.shape = shape(sentence, &found, end)?;
    // An adverb before a helper belongs to a subject.
    (found.verb == found.phrase.end || found.shape == Shape::Subject).then_some(found)
}

/// `houses` of `What castle houses the museum?`, which the tagger takes for a noun.
fn plural_like_verb(sentence: &Sentence<'_>, places: Range<usize>) -> Option<usize> {
    let end = places.end;
    let is_verb = |at: &usize| {
        let next = at + 1;
        sentence.penn(*at) == Penn::Nns
            && sentence.penn(at - 1) == Penn::Nn
            && next < end
            && matches!(sentence.penn(next), Penn::Dt | Penn::PrpPoss | Penn::In | Penn::To)
            && !sentence.is(next, &["of", "in", "that"])
            && inflection::lemmas(&sentence.word(*at).to_lowercase(), "VBZ").next().is_some()
    };
    places.into_iter().find(is_verb)
}

/// Whether words before a question only say when or where: `In 1911,`.
fn is_lead(sentence: &Sentence<'_>, lead: &Range<usize>) -> bool {
    let Some(last) = lead.clone().next_back() else { return true };
    let about = lead.len() == 1 && sentence.is(lead.start, ABOUT);
    let opens = matches!(sentence.penn(lead.start), Penn::In | Penn::To | Penn::Wrb);
    let plain = !lead.clone().any(|at| is_finite(sentence.penn(at)));
    let comma = sentence.word(last) == ",";
    let closes = comma || (plain && sentence.penn(last) == Penn::Cd);
    about || (opens && closes && lead.len() > 1)
}

/// The phrase that asks, which begins at `word`.
fn phrase(sentence: &Sentence<'_>, word: usize, end: usize) -> Option<(Asks, Range<usize>)> {
    let next = word + 1;
    let named = |asks: Asks| {
        let last = (next..end).find(|at| !is_nominal(sentence, *at))?;
        Some((asks, word..last))
    };
    match sentence.word(word).to_lowercase().as_str() {
        "who" | "whom" => Some((Asks::Thing, word..next)),
        "when" => Some((Asks::Time, word..next)),
        "where" => Some((Asks::Place, word..next)),
        "why" => Some((Asks::Reason, word..next)),
        "how" if sentence.is(next, &["many", "much"]) => {
            let last = (next + 1..end).find(|at| !is_nominal(sentence, *at)).unwrap_or(end);
            Some((Asks::Count, word..last))
        }
        "how" if next < end && matches!(sentence.penn(next), Penn::Jj | Penn::Rb) => {
            Some((Asks::Degree, word..next + 1))
        }
        "how" => Some((Asks::Manner, word..next)),
        "whose" => named(Asks::Owner).filter(|(_, phrase)| phrase.len() > 1),
        "what" | "which" => {
            let (_, phrase) = named(Asks::Thing).unwrap_or((Asks::Thing, word..end));
            let timed = phrase.clone().any(|at| sentence.is(at, TIMES)) && phrase.len() < 4;
            Some((if timed { Asks::Time } else { Asks::Thing }, phrase))
        }
        _ => None,
    }
}

/// Whether a word can belong to a noun and what is before and behind it.
fn is_nominal(sentence: &Sentence<'_>, at: usize) -> bool {
    matches!(
        sentence.penn(at),
        Penn::Nn
            | Penn::Nns
            | Penn::Nnp
            | Penn::Nnps
            | Penn::Jj
            | Penn::Jjr
            | Penn::Jjs
            | Penn::Cd
            | Penn::Dt
            | Penn::In
            | Penn::Pos
            | Penn::Cc
            | Penn::PrpPoss
    ) || sentence.word(at) == "-"
}

/// `It flows into what sea?`
fn in_place(sentence: &Sentence<'_>, end: usize) -> Option<Found> {
    let start = sentence.tokens.start;
    let mut asking = (start..end).filter(|at| sentence.is(*at, ASKING));
    // A second one may begin a clause: `the space in which it burns`.
    let word = asking.next().filter(|at| *at > start + 1 && asking.next().is_none())?;
    let (mut asks, mut phrase) = phrase(sentence, word, end)?;
    // `what type of measure in Spain`: what is asked for ends before the next preposition that is not `of`.
    let stops = |at: &usize| sentence.penn(*at) == Penn::In && !sentence.is(*at, &["of"]);
    phrase.end = (phrase.start + 1..phrase.end).find(stops).unwrap_or(phrase.end);
    let before = word - 1;
    let fronted = matches!(sentence.penn(before), Penn::In | Penn::To);
    let closes = phrase.end == end || stops(&phrase.end) || (fronted && is_finite(sentence.penn(phrase.end)));
    let behind = phrase.end == end;
    let stated = (start..if behind { word } else { end }).any(|at| sentence.penn(at).as_str().starts_with("VB"));
    if sentence.is(before, &["do", "does", "did", "'", "'s"]) || sentence.penn(before) == Penn::Pos {
        return None;
    }
    // `the what`; and `reported when` may begin a clause.
    let joined = matches!(sentence.penn(before), Penn::Dt | Penn::Jj | Penn::Cc | Penn::PrpPoss)
        || (phrase.end != end && phrase.len() == 1 && asks != Asks::Thing);
    let helped =
        sentence.is(start, ASKING) || sentence.is(start, BE) || sentence.is(start, DO) || sentence.is(start, HAVE);
    let degree = matches!(asks, Asks::Degree | Asks::Manner | Asks::Reason);
    if !closes || !stated || joined || helped || degree {
        return None;
    }
    let preposition = fronted.then_some(before);
    if preposition.is_some() && asks == Asks::Time {
        asks = Asks::Thing;
    }
    let verb = phrase.end;
    Some(Found { asks, lead: start..word, preposition, phrase, verb, shape: Shape::InPlace })
}

/// How the words behind the phrase are ordered.
fn shape(sentence: &Sentence<'_>, found: &Found, end: usize) -> Option<Shape> {
    let verb = found.verb;
    let next = verb + 1;
    let thing = matches!(found.asks, Asks::Thing | Asks::Count | Asks::Owner);
    let may_be_subject = thing && found.preposition.is_none() && !sentence.is(found.phrase.start, &["whom"]);
    let subject = || (may_be_subject && !is_stranded(sentence, end - 1)).then_some(Shape::Subject);
    if sentence.is(verb, DO) {
        return helped_verb(sentence, verb, end);
    }
    if sentence.base(verb) == "happen" {
        return None;
    }
    let be = sentence.is(verb, BE);
    if !be && !sentence.is(verb, HAVE) && sentence.penn(verb) != Penn::Md {
        return subject();
    }
    if be && found.asks == Asks::Count && sentence.is(next, &["there"]) {
        return Some(Shape::There);
    }
    if let Some(shape) = inverted(sentence, verb, end) {
        return Some(shape);
    }
    let named = (verb + 2..end).any(|at| sentence.penn(at) == Penn::Vbn && NAMING.contains(&&*sentence.base(at)));
    let perfect = sentence.is(verb, HAVE);
    if (be || perfect)
        && (perfect || !thing || found.preposition.is_some() || named || is_stranded(sentence, end - 1))
        && let Some(shape) = with_participle(sentence, verb, end)
    {
        return Some(shape);
    }
    if !starts_noun(sentence, next) {
        return subject();
    }
    if !be {
        let owned = sentence.is(verb, HAVE)
            && matches!(sentence.penn(next), Penn::Dt | Penn::PrpPoss)
            && !(next..end).any(|at| sentence.penn(at).as_str().starts_with("VB"));
        return if owned { subject() } else { None };
    }
    // What is left is `What is the capital of Spain?`, if the parse sees no other predicate.
    let last = sentence.penn(end - 1);
    let participle = matches!(last, Penn::Vbn | Penn::Vbd | Penn::Vbg | Penn::Vb | Penn::Rb | Penn::Jj);
    let root = (sentence.tokens.clone()).find(|at| sentence.relation(*at) == Relation::Root)?;
    let asked = found.phrase.contains(&root);
    let placed = matches!(found.asks, Asks::Time | Asks::Place);
    let linked = sentence.children(root).iter().any(|at| *at == verb && sentence.relation(*at) == Relation::Cop);
    let whole = !participle && !is_stranded(sentence, end - 1) && found.preposition.is_none();
    let noun_alone = thing && !(next..end).any(|at| sentence.penn(at).as_str().starts_with("VB"));
    (whole && (asked || noun_alone || (linked && !placed)) && (thing || placed)).then_some(Shape::Identity)
}

fn starts_noun(sentence: &Sentence<'_>, at: usize) -> bool {
    matches!(
        sentence.penn(at),
        Penn::Dt
            | Penn::PrpPoss
            | Penn::Nn
            | Penn::Nns
            | Penn::Nnp
            | Penn::Nnps
            | Penn::Cd
            | Penn::Prp
            | Penn::Jjs
            | Penn::Jj
            | Penn::Pdt
    )
}

/// Whether a word is a preposition that can be left behind.
pub(super) fn is_stranded(sentence: &Sentence<'_>, at: usize) -> bool {
    matches!(sentence.penn(at), Penn::In | Penn::To | Penn::Rp)
}

/// A subject behind the helper and its predicate behind that, as the parse has them.
fn inverted(sentence: &Sentence<'_>, verb: usize, end: usize) -> Option<Shape> {
    let root = (verb + 2..end).find(|at| sentence.relation(*at) == Relation::Root)?;
    let helps = sentence.dependency(verb).head == Some(root)
        && matches!(sentence.relation(verb), Relation::Aux | Relation::AuxPass | Relation::Cop);
    let is_subject = |at: &usize| {
        *at > verb && *at < root && matches!(sentence.relation(*at), Relation::Nsubj | Relation::NsubjPass)
    };
    let subject = sentence.children(root).iter().copied().find(is_subject)?;
    let form = sentence.penn(root);
    let fits = match sentence.word(verb).to_lowercase().as_str() {
        "has" | "have" | "had" => form == Penn::Vbn,
        _ if sentence.penn(verb) == Penn::Md => form == Penn::Vb || has_bare_helper(sentence, root),
        _ => matches!(form, Penn::Vbn | Penn::Vbg | Penn::Jj | Penn::Jjr | Penn::Nn | Penn::Nns | Penn::Vbd),
    };
    let predicate = last_of(sentence, subject) + 1;
    (helps && fits && predicate <= root && ends_noun(sentence, predicate - 1))
        .then_some(Shape::Inverted { predicate, main: root })
}

/// `Where were interviews held?`: the only participle is the predicate, whatever the parse takes it for.
fn with_participle(sentence: &Sentence<'_>, verb: usize, end: usize) -> Option<Shape> {
    let mut verbs = (verb + 2..end).filter(|at| sentence.penn(*at).as_str().starts_with("VB"));
    // Behind a helper the past form of a tagger is a participle.
    let main = verbs.next().filter(|at| matches!(sentence.penn(*at), Penn::Vbn | Penn::Vbd))?;
    let mut predicate = main;
    while predicate > verb + 2 && sentence.penn(predicate - 1) == Penn::Rb {
        predicate -= 1;
    }
    (verbs.next().is_none() && ends_noun(sentence, predicate - 1)).then_some(Shape::Inverted { predicate, main })
}

/// Whether a subject can end with this word.
fn ends_noun(sentence: &Sentence<'_>, at: usize) -> bool {
    matches!(
        sentence.penn(at),
        Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Prp | Penn::Cd | Penn::CloseQuote | Penn::Comma
    )
}

/// `be` of `could it be seen`.
fn has_bare_helper(sentence: &Sentence<'_>, root: usize) -> bool {
    sentence.children(root).iter().any(|at| sentence.is(*at, &["be", "have"]) && *at < root)
}

/// The last token of what hangs on a word.
fn last_of(sentence: &Sentence<'_>, at: usize) -> usize {
    sentence.children(at).iter().map(|child| last_of(sentence, *child)).max().unwrap_or(at).max(at)
}

/// The verb behind `did` and a subject. Behind `did` there is a bare verb, whatever the tagger takes it for: if no word is
/// tagged so, it is the last one (`When did the war end?`).
fn helped_verb(sentence: &Sentence<'_>, verb: usize, end: usize) -> Option<Shape> {
    let is_noun = |at: usize| {
        matches!(sentence.penn(at), Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Prp | Penn::Cd | Penn::Dt)
    };
    let bare = |at: &usize| {
        matches!(sentence.penn(*at), Penn::Vb | Penn::Vbp)
            && !sentence.is(*at - 1, &["to"])
            && starts_after_noun(sentence, verb, *at)
    };
    // `did the first trip in the world occur`: of two bare verbs either could be a noun.
    let mut candidates = (verb + 2..end).filter(bare);
    let first = candidates.next();
    if candidates.any(|at| at + 1 == end && first.is_some_and(|first| may_be_noun(sentence, first))) {
        return None;
    }
    let main = first.or_else(|| {
        let taken = sentence.is(end - 1, &["place"]) && sentence.is(end - 2, &["take"]);
        let last = if taken { end - 2 } else { end - 1 };
        let no_verb = |last: usize| !(verb + 1..last).any(|at| sentence.penn(at).as_str().starts_with("VB"));
        let named = |at: usize| is_noun(at) && sentence.penn(at) != Penn::Dt;
        let known = |at: usize| inflection::is_lemma(sentence.word(at), "VB") && named(at - 1) && no_verb(at);
        // `did the price drop to $10`: a noun behind a noun and before a preposition.
        let before = |at: &usize| {
            sentence.penn(*at) == Penn::Nn
                && matches!(sentence.penn(at + 1), Penn::In | Penn::To | Penn::Dt | Penn::PrpPoss)
                && known(*at)
        };
        let inside = (verb + 2..last).find(|at| before(at) && !sentence.is(at + 1, &["of"]));
        // `did the first trip in the world occur`: the last word is a verb and nothing else.
        let only_verb = known(last) && !inflection::is_lemma(sentence.word(last), "NN");
        inside.filter(|_| !only_verb || taken).or_else(|| Some(last).filter(|last| *last > verb + 1 && known(*last)))
    })?;
    let mut predicate = main;
    while predicate > verb + 2 && sentence.penn(predicate - 1) == Penn::Rb {
        predicate -= 1;
    }
    (verb + 1..predicate).any(is_noun).then_some(Shape::Inverted { predicate, main })
}

/// Whether the word is a noun as well, and stands where one can.
fn may_be_noun(sentence: &Sentence<'_>, at: usize) -> bool {
    inflection::is_lemma(&sentence.word(at).to_lowercase(), "NN")
        && matches!(sentence.penn(at + 1), Penn::In | Penn::Vb | Penn::Vbp)
}

/// Whether the words between a helper and a verb can be a subject and no more: no clause of their own.
fn starts_after_noun(sentence: &Sentence<'_>, verb: usize, main: usize) -> bool {
    !(verb + 1..main).any(|at| is_finite(sentence.penn(at)) && !sentence.is(at, &["-"]))
        && !sentence.is(verb + 1, &["to"])
}
