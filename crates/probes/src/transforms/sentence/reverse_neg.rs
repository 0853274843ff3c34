use std::collections::{HashMap, HashSet};
use std::ops::Range;

use fissure_core::{Dice, Edit, EditText, Proposal, Text, choices, transform};
use fissure_text::{Analysis, Penn, Relation, Tag, TokenKind, Upos, analyse, inflection};

use crate::clauses::{Clause, Role, Sentence, is_any, is_clipped_passive, is_finite};

mod add;
mod remove;

transform! {
    /// Negates what a text says, or takes its negation away: `likes` to `doesn't like` and back.
    ///
    /// The main clause of each sentence is turned round, and what is joined to it by `and` or `but`; in `I think it
    /// isn't good` the clause that is negated already. Agreement, helpers and word order follow: `Did you like it?`
    /// becomes `Didn't you like it?`, `Go!` becomes `Don't go!`, and `A great film.` becomes `Not a great film.` A
    /// sentence stays as it is where a word would not go with the turn (`hardly`, `nobody`, `at all`) or where the verb
    /// was not understood with certainty.
    pub struct ReverseNeg {
        /// How to write a new negation: `short` is `doesn't`, `long` is `does not`.
        form: Form = Form::Short;
        /// Whether negations are added.
        add: bool = true;
        /// Whether negations are taken away.
        remove: bool = true;
        /// Share of the sentences to turn round; 0 turns none.
        rate: f64 = 1.0, in 0.0..=1.0;
    }
    card: {
        level: Some(Sentence),
        family: Some(Paradigmatic),
        // Two texts that are both negated say the same of each other as before, and a topic stays what it is. A review need
        // not turn with one of its sentences: of 17 that were read, 8 did not.
        expectation: Some(Unsure),
        languages: &[English],
        // New words would be tokens without a label.
        does: &[Rewrites],
        aliases: &["ReverseNeg", "AddNeg", "RmvNeg"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.2"),
        human: Some(HumanScores { plausibility: (3.64, 3.62), grammaticality: (3.65, 3.82) }),
    }
    examples: [
        "John lives in Ireland." => "John doesn't live in Ireland.",
        "I didn't like the soup." => "I liked the soup.",
        "They are late, but the train has already left." => "They are late, but the train has already left.",
        "The food was good and the waiters smiled." => "The food wasn't good and the waiters didn't smile.",
        "Did you see it? Watch this film!" => "Didn't you see it? Don't watch this film!",
        { form = "long" } "He can sing, and she has some money." => "He cannot sing, and she does not have any money.",
        "I think it isn't worth the price." => "I think it is worth the price.",
        "A great film." => "Not a great film.",
        "A rebel counteroffensive swept through Iraq." => "A rebel counteroffensive swept through Iraq.",
        "He never really embraces the joy of it." => "He never really embraces the joy of it.",
        "I mean, he sings." => "I mean, he sings.",
        "What are some of the methods?" => "What are some of the methods?",
        "I hope he sings." => "I hope he sings.",
        "The space was small and crowded." => "The space wasn't small and crowded.",
        "Just completely unprofessional and disappointing." => "Just completely unprofessional and disappointing.",
    ]
}

choices! {
    /// How to write a negation.
    pub enum Form { Short = "short", Long = "long" }
}

/// The edits that deny a clause; nothing if that is not sure.
pub(crate) fn with_negation(sentence: &Sentence<'_>, clause: &Clause) -> Option<Vec<Edit>> {
    add::negation(sentence, clause, Form::Short).filter(|_| !is_clipped_passive(sentence, clause))
}

/// The edits that take the denial of a clause away; nothing if that is not sure.
pub(crate) fn without_negation(sentence: &Sentence<'_>, clause: &Clause) -> Option<Vec<Edit>> {
    remove::negation(sentence, clause)
}

pub(crate) use add::without_verb;

impl EditText for ReverseNeg {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let analysis = text.remember(analyse);
        let stubborn = |tokens: Range<usize>| tokens.into_iter().any(|at| is_any(analysis.word(at), STUBBORN));
        let denies = |tokens: Range<usize>| is_any(analysis.word(tokens.start), &["not"]);
        let sentences = Sentence::all(&analysis, |tokens| {
            !stubborn(tokens.clone()) && !denies(tokens.clone()) && !says_twice(&analysis, tokens)
        });
        let turn = |sentence: Sentence<'_>| Some((sentence.tokens.clone(), self.turn(&sentence)?));
        let mut turned: Vec<(Range<usize>, Vec<Edit>)> = sentences.filter_map(turn).collect();
        let wanted = if self.rate > 0.0 { ((self.rate * turned.len() as f64).round() as usize).max(1) } else { 0 };
        let chosen = dice.choose(turned.len(), wanted.min(turned.len()));
        // A headline and the sentence below it say the same: with one of them turned, the text contradicts itself.
        if repeats(&analysis, &chosen.iter().map(|at| turned[*at].0.clone()).collect::<Vec<_>>()) {
            return Ok(Vec::new());
        }
        Ok(chosen.into_iter().flat_map(|at| std::mem::take(&mut turned[at].1)).collect())
    }
}

/// Whether one of the `chosen` sentences shares two content words or more with one that stays, in whatever form: the first
/// five letters count.
fn repeats(analysis: &Analysis, chosen: &[Range<usize>]) -> bool {
    if chosen.is_empty() {
        return false;
    }
    let starts: HashSet<usize> = chosen.iter().map(|tokens| tokens.start).collect();
    // The sentences that stay, by what they have: comparing each with each would take long for a long text.
    let mut staying: HashMap<String, Vec<usize>> = HashMap::new();
    for tokens in analysis.sentences().iter().filter(|tokens| !starts.contains(&tokens.start)) {
        for stem in stems(analysis, tokens.clone()).collect::<HashSet<_>>() {
            staying.entry(stem).or_default().push(tokens.start);
        }
    }
    chosen.iter().any(|tokens| {
        let mut shared: HashSet<usize> = HashSet::new();
        let stems: HashSet<String> = stems(analysis, tokens.clone()).collect();
        stems.iter().filter_map(|stem| staying.get(stem)).flatten().any(|sentence| !shared.insert(*sentence))
    })
}

/// Whether a sentence has two content words twice: a headline without a full stop runs into the sentence that repeats it.
fn says_twice(analysis: &Analysis, tokens: Range<usize>) -> bool {
    let mut seen = HashSet::new();
    let again: HashSet<String> = stems(analysis, tokens).filter(|stem| !seen.insert(stem.clone())).collect();
    again.len() >= 2
}

/// The first letters of the content words.
fn stems(analysis: &Analysis, tokens: Range<usize>) -> impl Iterator<Item = String> {
    let content = tokens.filter(|at| {
        analysis.word(*at).len() >= 4
            && analysis.tokens()[*at].kind == TokenKind::Word
            && analysis.tag(*at).is_some_and(is_content)
    });
    content.map(|at| analysis.word(at).to_lowercase().chars().take(5).collect())
}

fn is_content(tag: Tag) -> bool {
    matches!(tag.upos, Upos::Noun | Upos::Propn | Upos::Verb | Upos::Adj)
}

/// Words that already deny, or that only go with a statement or with a denial: a sentence that has one stays as it is.
const STUBBORN: &[&str] = &[
    "no",
    "nowt",
    "nobody",
    "nothing",
    "none",
    "nowhere",
    "neither",
    "nor",
    "hardly",
    "barely",
    "scarcely",
    "seldom",
    "rarely",
    "already",
    "least",
    "ai",
    "without",
    "few",
    "little",
    "unless",
    "let",
    "otherwise",
    "lest",
    "alone",
    "ago",
    "once",
    "thanks",
    "thank",
    "far",
];

impl ReverseNeg {
    /// The edits that turn a sentence round; nothing if there is a doubt.
    fn turn(&self, sentence: &Sentence<'_>) -> Option<Vec<Edit>> {
        let clauses = sentence.clauses();
        let main: Vec<&Clause> =
            clauses.iter().filter(|clause| clause.role == Role::Main && !is_aside(sentence, clause)).collect();
        if !main.is_empty() && !main.iter().any(|clause| sentence.relation(clause.head) == Relation::Root) {
            return None;
        }
        let content: Vec<&Clause> =
            clauses.iter().filter(|clause| clause.role == Role::Content && !is_aside(sentence, clause)).collect();
        if is_open_question(sentence, &main) {
            return None;
        }
        // `By saying that it begins, she opened it`: what is said there is not what the sentence says.
        let of_main = |clause: &&Clause| {
            let mut first = clause.head;
            while let Some(up) = sentence.dependency(first).head.filter(|_| sentence.relation(first) == Relation::Conj)
            {
                first = up;
            }
            let up = sentence.dependency(first).head;
            clauses.iter().any(|main| main.role == Role::Main && up == Some(main.head))
        };
        let content: Vec<&Clause> = content.into_iter().filter(of_main).collect();
        let denied = |clauses: &[&Clause]| clauses.iter().any(|clause| clause.negation.is_some());
        // `He is ill, she said`: what is said comes first, and is what is denied.
        let said_first = main.iter().any(|clause| content.iter().any(|content| content.head < clause.finite));
        let chosen = match (denied(&main), denied(&content)) {
            _ if said_first => content.into_iter().take(1).collect(),
            (false, true) => content.into_iter().filter(|clause| clause.negation.is_some()).collect(),
            _ => main,
        };
        let mut edits = Vec::new();
        if chosen.is_empty() {
            edits = if self.add { without_verb(sentence)? } else { Vec::new() };
        }
        if chosen.iter().any(|clause| {
            is_clipped_passive(sentence, clause)
                || is_denied_before(sentence, clause)
                || is_no_claim(sentence, clause)
                || is_doubtful(sentence, clause)
        }) {
            return None;
        }
        for clause in chosen {
            edits.extend(match clause.negation {
                Some(_) if self.remove => remove::negation(sentence, clause)?,
                None if self.add => add::negation(sentence, clause, self.form)?,
                _ => Vec::new(),
            });
        }
        edits.sort_by_key(|edit| edit.span);
        Some(edits).filter(|edits| !edits.is_empty())
    }
}

/// Whether a denial stands before the verb that the parse did not tie to it: `he never really embraces it`, `never have I seen`.
fn is_denied_before(sentence: &Sentence<'_>, clause: &Clause) -> bool {
    let first = clause.finite.saturating_sub(4).max(sentence.tokens.start);
    clause.negation.is_none() && (first..clause.finite).any(|at| sentence.is(at, &["never", "not", "nor"]))
}

/// Whether the clause is said in passing or asked inside another, whatever the parse makes of it: `I mean`, `how well he did`.
fn is_no_claim(sentence: &Sentence<'_>, clause: &Clause) -> bool {
    let Some(subject) = clause.subject else { return false };
    let asked = |at: usize| sentence.is(at, &["how", "what", "why"]) && at > sentence.tokens.start;
    let base = sentence.base(clause.head);
    // `I don't hope it was worth it` is no English.
    let in_passing = (sentence.is(subject, &["i"]) && base == "mean") || base == "hope";
    in_passing || (subject.saturating_sub(3).max(sentence.tokens.start)..subject).any(asked)
}

/// Whether the sentence asks for more than yes or no, but for a reason: `What aren't they doing?` asks something else.
fn is_open_question(sentence: &Sentence<'_>, main: &[&Clause]) -> bool {
    const ASKING: &[&str] = &["what", "who", "whom", "whose", "which", "where", "when", "how"];
    let asks = sentence.tokens.clone().rev().take(2).any(|at| sentence.is(at, &["?"]));
    let before = |clause: &&Clause| (sentence.tokens.start..clause.finite).any(|at| sentence.is(at, ASKING));
    asks && main.iter().any(before)
}

/// Whether the verb is part of a word with hyphens: `their will-they won't-they romance`.
fn is_in_hyphens(sentence: &Sentence<'_>, at: usize) -> bool {
    let (text, span) = (sentence.analysis.text(), sentence.span(at));
    let joined = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '\u{2019}');
    let end = span.end + text[span.end..].find(|c| !joined(c)).unwrap_or(text.len() - span.end);
    let before = &text[..span.start];
    let start = before.trim_end_matches(joined).len();
    text[start..end].trim_matches('-').contains('-')
}

/// Whether a denial of the clause could be another word than the verb's, or the verb none.
fn is_doubtful(sentence: &Sentence<'_>, clause: &Clause) -> bool {
    let finite = clause.finite;
    let is_also = |tag: &str| inflection::lemmas(&sentence.word(finite).to_lowercase(), tag).next().is_some();
    // `The portion was generous, served with garlic`: a participle, though it could be the past.
    let participle = clause.rest.is_empty()
        && clause.head == finite
        && !clause.own_subject
        && sentence.penn(finite) == Penn::Vbd
        && finite > sentence.tokens.start
        && sentence.is(finite - 1, &[","])
        && is_also("VBN");
    // `My steak cut like butter`: the past of one, not the present of many.
    let past = sentence.penn(finite) == Penn::Vbp
        && is_also("VBD")
        && clause.subject.is_some_and(|subject| {
            matches!(sentence.penn(subject), Penn::Nn | Penn::Nnp) || sentence.is(subject, &["he", "she", "it"])
        });
    // `Particularly memorable is the scene`.
    let turned = clause.inverted && clause.head < finite && !sentence.has(&["?"]);
    // `derring-do`.
    let in_compound = (finite > sentence.tokens.start && sentence.joined(finite) && sentence.is(finite - 1, &["-"]))
        || is_in_hyphens(sentence, finite);
    participle || past || turned || in_compound
}

/// Whether the clause is not what the sentence claims: it says who says so (`..., she said`), or under which condition.
fn is_aside(sentence: &Sentence<'_>, clause: &Clause) -> bool {
    const REPORTS: &[&str] =
        &["say", "tell", "report", "announce", "add", "think", "believe", "claim", "warn", "write", "suggest", "show"];
    let relation = sentence.relation(clause.head);
    let marked = sentence
        .children(clause.head)
        .iter()
        .any(|at| sentence.is(*at, &["if", "when", "because", "while", "although"]));
    let hangs = sentence.children(clause.head).iter().any(|at| {
        *at < clause.finite
            && sentence.relation(*at) == Relation::Mark
            && sentence.is(*at, &["before", "after", "until", "till", "since", "though", "whereas", "as", "whether"])
    });
    // `from the minute we walked in`.
    let of_noun = clause.subject.is_some_and(|subject| {
        clause.own_subject
            && relation != Relation::Root
            && subject > sentence.tokens.start
            && sentence.penn(subject) == Penn::Prp
            && matches!(sentence.penn(subject - 1), Penn::Nn | Penn::Nns)
    });
    // `whose contract expires`, behind a comma.
    let of_name = relation != Relation::Root
        && (sentence.tokens.start + 1..clause.finite)
            .rev()
            .take_while(|at| !sentence.is(*at, &[","]))
            .any(|at| matches!(sentence.penn(at), Penn::Wp | Penn::WpPoss | Penn::Wdt));
    let behind_comma = clause
        .subject
        .is_some_and(|subject| (sentence.tokens.start..subject).rev().take(5).any(|at| sentence.is(at, &[","])));
    let reports = REPORTS.contains(&sentence.base(clause.head).as_str());
    // `Prices fell, an official said.`, whatever the parse makes of it.
    let said_before = || {
        let subject = clause.subject.unwrap_or(clause.finite);
        (sentence.tokens.start..subject).any(|at| is_finite(sentence.penn(at)))
    };
    marked
        || hangs
        || of_noun
        || of_name
        || (reports && behind_comma && said_before())
        || (relation != Relation::Root && reports && (relation == Relation::Parataxis || behind_comma))
}
