//! What turns one judgement: the word that judges gives way to its opposite, or loses or gets a denial.

use fissure_core::{Candidate, Edit, Place};
use fissure_text::inflection::{self, Kind};
use fissure_text::{Penn, TokenKind, neighbours, opposites};

use super::claims::{self, is_any};
use crate::support::annotated::Annotated;
use crate::support::word_cache::WordCache;

/// A judgement that could turn.
pub(super) struct Turn {
    /// The token that judges.
    pub at: usize,
    /// The tokens that the edits change or take the meaning from.
    pub tokens: Vec<usize>,
    /// The ways to turn it, each with all its edits in order.
    pub ways: Vec<Vec<Edit>>,
}

impl Turn {
    /// The place for attacks: the last edit of each way is the change, the others come along.
    pub fn into_place(self) -> Place {
        let mut ways = self.ways.into_iter().filter_map(|mut edits| Some((edits.pop()?, edits)));
        let first = ways.next();
        let span = first.as_ref().map_or_else(|| (0..0).into(), |(edit, _)| edit.span);
        let candidate = |(edit, along): (Edit, Vec<Edit>)| Candidate { with: edit.with, score: None, along };
        Place::new(span, first.into_iter().chain(ways).map(candidate).collect())
    }
}

/// Every judgement of the text that could turn, in order.
pub(super) fn all(annotated: &Annotated) -> Vec<Turn> {
    let mut found: Vec<Turn> = Vec::new();
    for at in 0..annotated.len() {
        let word = annotated.small(at);
        let turn = if is_any(&word, &["back", "return"]) {
            returning(annotated, at)
        } else if is_any(&word, &["worth"]) {
            worth(annotated, at)
        } else if may_judge(&word) && is_eligible(annotated, at) {
            judging(annotated, at)
        } else {
            None
        };
        // No two of them change one word.
        found.extend(turn.filter(|turn| !found.iter().any(|other| overlap(turn, other))));
    }
    found
}

fn overlap(one: &Turn, other: &Turn) -> bool {
    one.tokens.iter().any(|token| other.tokens.contains(token))
}

/// A plain word, also with hyphens, with no capital inside a sentence, that nothing is joined to.
fn is_eligible(annotated: &Annotated, at: usize) -> bool {
    if annotated.is_plain(at) {
        return true;
    }
    let Some(token) = annotated.analysis().tokens().get(at) else { return false };
    let word = annotated.word(at);
    token.kind == TokenKind::Word
        && word.contains('-')
        && word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        && (word.as_bytes()[0].is_ascii_lowercase() || annotated.starts_sentence(at))
        && annotated.stands_free(at)
}

fn judging(annotated: &Annotated, at: usize) -> Option<Turn> {
    let (kind, lemma) = reading(annotated, at)?;
    if is_phrase(annotated, at, &lemma, kind) || annotated.in_phrase(at) || is_degree(annotated, at, kind) {
        return None;
    }
    if let Some(denial) = denial_before(annotated, at) {
        let edits = undenied(annotated, denial)?;
        return Some(Turn { at, tokens: vec![denial, at], ways: vec![edits] });
    }
    if claims::is_weighed(annotated, at) || claims::is_in_passing(annotated, at) {
        return None;
    }
    let mut tokens = vec![at];
    if &*lemma == "lack" || lemma == "devoid" {
        // What it lacks is not turned as well.
        tokens.extend(at + 1..at + 6);
    }
    let way = |other: &&'static str| {
        let mut edits = Vec::new();
        annotated.put(at, &form(annotated, at, &lemma, other)?, &mut edits);
        Some(edits)
    };
    let ways: Vec<Vec<Edit>> = opposites::of(&lemma, kind).iter().filter_map(way).collect();
    (!ways.is_empty()).then_some(Turn { at, tokens, ways })
}

/// As what it judges: by its tag, or as an adjective written like this.
fn reading(annotated: &Annotated, at: usize) -> Option<(Kind, String)> {
    let (kind, penn) = (annotated.kind(at), annotated.penn(at)?);
    let lemma = annotated.lemma(at);
    let word = annotated.small(at);
    // `disappointing` is no `impressing`.
    let adjective = penn == Penn::Vbg && !opposites::of(&word, Kind::Adjective).is_empty();
    if let Some(kind) = kind.filter(|kind| !adjective && !opposites::of(&lemma, *kind).is_empty()) {
        return Some((kind, lemma.into()));
    }
    // `Yummy sushi`: a capital at the start is easily taken for a name.
    let name = penn == Penn::Nnp && annotated.starts_sentence(at);
    let participle = matches!(penn, Penn::Vbn | Penn::Vbg | Penn::Vbd | Penn::Jj) && *lemma != *word;
    let may_be = name || adjective || participle || word.contains('-');
    (may_be && !opposites::of(&word, Kind::Adjective).is_empty()).then(|| (Kind::Adjective, word.into()))
}

/// Whether the word judges where it stands.
pub(super) fn judges_here(annotated: &Annotated, at: usize) -> bool {
    may_judge(&annotated.small(at))
        && reading(annotated, at)
            .is_some_and(|(kind, lemma)| !is_phrase(annotated, at, &lemma, kind) && !is_degree(annotated, at, kind))
}

/// The other word in the form that stands there. `_` is a space: of a phrase only the first word of a verb is inflected.
fn form(annotated: &Annotated, at: usize, lemma: &str, other: &str) -> Option<String> {
    let (first, rest) = other.split_once('_').unwrap_or((other, ""));
    let penn = annotated.penn(at)?;
    let base = matches!(penn, Penn::Jj | Penn::Nn | Penn::Nnp | Penn::Rb) || *annotated.small(at) == *lemma;
    let form = match annotated.kind(at).unwrap_or(Kind::Adjective) {
        _ if base && (rest.is_empty() || penn != Penn::Vbp) => first.to_owned(),
        Kind::Verb => annotated.inflect(at, first)?,
        _ if rest.is_empty() => {
            // `unfunnier` is no word.
            annotated.inflect(at, first).filter(|form| neighbours::frequency_rank(form).is_some())?
        }
        _ => return None,
    };
    Some(if rest.is_empty() { form } else { format!("{form} {}", rest.replace('_', " ")) })
}

/// `incredibly good`: the adverb says how much, and the adjective judges.
fn is_degree(annotated: &Annotated, at: usize, kind: Kind) -> bool {
    kind == Kind::Adverb
        && annotated.small(at).ends_with("ly")
        && matches!(annotated.penn(at + 1), Some(Penn::Jj | Penn::Jjr | Penn::Rb | Penn::Jjs))
}

/// The token that simply denies the word: `isn't very good`, `never disappoints`, `not a great place`.
fn denial_before(annotated: &Annotated, at: usize) -> Option<usize> {
    for place in (at.saturating_sub(5)..at).rev() {
        let word = annotated.small(place);
        if is_any(&word, &["not", "n't", "n\u{2019}t", "never"]) {
            let only = is_any(annotated.after(place), &["only", "just", "merely", "simply", "to", "because"]);
            return (!only).then_some(place);
        }
        let light = is_any(
            &word,
            &[
                "very",
                "really",
                "that",
                "a",
                "an",
                "the",
                "particularly",
                "all",
                "especially",
                "even",
                "be",
                "been",
                "as",
                "quite",
                "so",
                "have",
                "exactly",
                "being",
                "terribly",
                "overly",
                "always",
                "ever",
                "feel",
                "look",
                "taste",
                "recommend",
                "highly",
                "entirely",
                "completely",
                "totally",
                "truly",
                "nearly",
                "at",
                "any",
                "find",
                "get",
                "seem",
                "my",
                "this",
                "it",
            ],
        );
        if !light {
            return None;
        }
    }
    None
}

/// The edits that take a denial away: `is good` for `isn't good`, `always` for `never`.
fn undenied(annotated: &Annotated, denial: usize) -> Option<Vec<Edit>> {
    // `not worth it at all`: without the denial the rest is no English.
    let bound = |place: usize| {
        is_any(annotated.word(place), &["at"]) && is_any(annotated.after(place), &["all"])
            || is_any(
                annotated.word(place),
                &["any", "anything", "anyone", "anywhere", "ever", "either", "until", "yet", "anymore"],
            )
    };
    if (denial..denial + 10).any(bound) {
        return None;
    }
    let tokens = annotated.analysis().tokens();
    let text = annotated.analysis().text();
    let (word, span) = (annotated.small(denial), tokens.get(denial)?.span.clone());
    if &*word == "never" {
        return Some(vec![Edit::replace(span, fissure_text::casing::follow(annotated.word(denial), "always"))]);
    }
    let before = denial.checked_sub(1)?;
    let left = tokens.get(before)?.span.clone();
    let gone = left.end..span.end;
    if !text[left.end..span.start].chars().all(char::is_whitespace) {
        return None;
    }
    let mut edits = Vec::new();
    if &*word != "not" {
        let whole = match &*annotated.small(before) {
            "ca" => "can",
            "wo" => "will",
            "sha" => "shall",
            "ai" => return None,
            _ => "",
        };
        if !whole.is_empty() {
            edits.push(Edit::replace(left, fissure_text::casing::follow(annotated.word(before), whole)));
        }
    }
    edits.push(Edit::replace(gone, ""));
    Some(edits)
}

/// `I will be back`, `we won't return`: who comes back approves.
fn returning(annotated: &Annotated, at: usize) -> Option<Turn> {
    let back = is_any(annotated.word(at), &["back"]);
    let verb = if back { at.checked_sub(1)? } else { at };
    if back && !is_any(annotated.word(verb), &["be", "come", "go"]) {
        return None;
    }
    let modal = (verb.saturating_sub(3)..verb)
        .rev()
        .find(|place| is_any(annotated.word(*place), &["will", "wo", "'ll", "would", "'d"]))?;
    let subject = annotated.before(modal);
    if !is_any(subject, &["i", "we", "and"]) {
        return None;
    }
    let denied = (modal + 1..verb).find(|place| is_any(annotated.word(*place), &["not", "n't", "never", "n\u{2019}t"]));
    if let Some(denied) = denied {
        return Some(Turn { at, tokens: vec![denied, verb, at], ways: vec![undenied(annotated, denied)?] });
    }
    let start = annotated.analysis().tokens().get(verb)?.span.start;
    Some(Turn { at, tokens: vec![verb, at], ways: vec![vec![Edit::insert(start, "not ")]] })
}

/// `worth seeing`, `not worth the money`.
fn worth(annotated: &Annotated, at: usize) -> Option<Turn> {
    if let Some(denial) = denial_before(annotated, at) {
        return Some(Turn { at, tokens: vec![denial, at], ways: vec![undenied(annotated, denial)?] });
    }
    let (before, after) = (annotated.before(at), annotated.after(at));
    let plain = is_any(
        before,
        &[
            "is",
            "was",
            "are",
            "were",
            "'s",
            "definitely",
            "certainly",
            "be",
            "film",
            "movie",
            "food",
            "totally",
            "absolutely",
            "and",
            "it",
        ],
    );
    let goes_on =
        is_any(after, &["the", "a", "it", "your", "every", "checking"]) || annotated.penn(at + 1) == Some(Penn::Vbg);
    if !plain || !goes_on || claims::is_weighed(annotated, at) {
        return None;
    }
    let start = annotated.analysis().tokens().get(at)?.span.start;
    Some(Turn { at, tokens: vec![at], ways: vec![vec![Edit::insert(start, "not ")]] })
}

/// Adverbs with which a writer only comments on what is said: they turn nothing by themselves.
pub(super) fn is_comment(annotated: &Annotated, at: usize) -> bool {
    is_any(
        annotated.word(at),
        &[
            "sadly",
            "happily",
            "unfortunately",
            "fortunately",
            "luckily",
            "unluckily",
            "thankfully",
            "mercifully",
            "regrettably",
        ],
    )
}

/// Whether a word judges in any of its readings.
pub(super) fn may_judge(word: &str) -> bool {
    static KNOWN: WordCache =
        WordCache::new(|word| judges(word) || inflection::readings(word).any(|(_, lemma)| judges(lemma)));
    KNOWN.of(word)
}

fn judges(lemma: &str) -> bool {
    const KINDS: [Kind; 4] = [Kind::Noun, Kind::Verb, Kind::Adjective, Kind::Adverb];
    KINDS.iter().any(|kind| !opposites::of(lemma, *kind).is_empty())
}

/// Phrases that only look like a judgement.
fn is_phrase(annotated: &Annotated, at: usize, lemma: &str, kind: Kind) -> bool {
    let (before, after) = (annotated.before(at), annotated.after(at));
    let phrase = match (lemma, kind) {
        // `good luck`, `a great deal`, `better off`
        ("good" | "great" | "bad" | "nice" | "better" | "worse", Kind::Adjective) => {
            is_any(
                after,
                &[
                    "luck",
                    "deal",
                    "thing",
                    "things",
                    "news",
                    "guy",
                    "guys",
                    "old",
                    "many",
                    "enough",
                    "off",
                    "yet",
                    "number",
                    "at",
                    "as",
                    "will",
                    "evil",
                    "day",
                    "morning",
                    "friend",
                    "friends",
                    "part",
                    "measure",
                    "boy",
                    "still",
                    "fun",
                    "pains",
                    "pride",
                    "intentions",
                    "sized",
                    "size",
                    "natured",
                    "old-fashioned",
                ],
            ) || (is_any(after, &["job", "work"])
                && (at.saturating_sub(3)..at).any(|place| is_any(annotated.word(place), &["keep"])))
                || (annotated.penn(at) == Some(Penn::Jjs)
                    && (is_any(after, &["way", "known", "to", "of", "bet", "buy", "if", "when"])
                        || is_any(before, &["at", "its", "his", "her", "their", "your", "my", "do", "did", "second"])))
        }
        ("poor", _) => {
            !annotated.penn(at + 1).is_some_and(|tag| tag.as_str().starts_with("NN"))
                || is_any(after, &["people", "man", "girl", "boy", "guy", "kid", "family", "families", "countries"])
        }
        ("like", _) => {
            !is_any(before, &["i", "n't", "really", "you", "we", "not"]) || is_any(after, &["to", "a", "an"])
        }
        ("love" | "enjoy" | "hate", Kind::Verb) => {
            // `a place to relax and enjoy a meal`
            let wish = (at.saturating_sub(4)..at).any(|place| is_any(annotated.word(place), &["to"]));
            wish || is_any(after, &["to", "that", "how", "interest"]) || is_any(before, &["would", "'d", "will", "in"])
        }
        ("strong", _) => {
            is_any(after, &["voices", "women", "woman", "female", "language", "drinks", "coffee", "flavor"])
        }
        ("slow" | "quick" | "fast", _) => is_any(after, &["study", "food", "cooker", "motion", "burn"]),
        ("recommend", _) => {
            let object = annotated.penn(at + 1);
            let named = matches!(object, Some(Penn::Dt | Penn::Prp | Penn::PrpPoss | Penn::Nn | Penn::Nns | Penn::Vbg));
            let by_writer = is_any(
                before,
                &["i", "we", "would", "'d", "definitely", "highly", "strongly", "can", "and", "to", "do"],
            );
            !named || !by_writer || is_any(after, &["you", "me", "him", "them", "anyone"])
        }
        ("original", _) => is_any(before, &["the"]) || annotated.penn(at).is_none_or(|tag| tag != Penn::Jj),
        ("work", _) => {
            annotated.penn(at + 1).is_some_and(|tag| tag.as_str().starts_with(|c: char| c.is_alphabetic()))
                || is_any(before, &["i", "who", "they", "we", "you", "to", "he", "she"])
        }
        // `a dog friendly place`
        ("friendly", _) => annotated.penn(at.saturating_sub(1)) == Some(Penn::Nn) && at > 0,
        // `the word that best describes it`
        ("good" | "well", Kind::Adverb) if annotated.penn(at) == Some(Penn::Rbs) => true,
        ("touching" | "moving", _) => annotated.penn(at) == Some(Penn::Vbg),
        ("lack", Kind::Verb) => {
            is_any(before, &["it", "he", "she", "they"]) && is_any(annotated.word(at.saturating_sub(2)), &["what"])
        }
        ("lack", Kind::Noun) => !is_any(after, &["of"]),
        ("suffer", _) => !is_any(after, &["from"]),
        ("devoid", _) => !is_any(after, &["of"]),
        ("waste", _) => !is_any(before, &["a"]) || !is_any(after, &["of"]),
        ("skip" | "avoid", _) => {
            !is_any(after, &["it", "this"])
                || !is_any(before, &["", ".", ",", "!", "just", "and", "to", "i", "would", "i'd", "'d"])
        }
        ("perfection", _) => !is_any(before, &["is", "was", "pure", "absolute", "simply", "sheer"]),
        ("reasonably" | "unreasonably", _) => !is_any(after, &["priced"]),
        ("welcome", _) => !is_any(before, &["a", "feel", "felt", "feeling", "very", "most", "so"]),
        // `stop the stupidity`
        (_, Kind::Noun)
            if (at.saturating_sub(3)..at).any(|place| is_any(annotated.word(place), &["stop", "avoid", "prevent"])) =>
        {
            true
        }
        ("well", _) => !is_participle(annotated, at + 1) || is_any(before, &["as", "very"]),
        (
            "fun" | "treat" | "delight" | "chore" | "bore" | "drag" | "blast" | "riot" | "scream" | "hoot" | "steal"
            | "bomb" | "marvel" | "treasure" | "jewel" | "pearl" | "keeper" | "winner" | "knockout" | "scam"
            | "robbery" | "snooze" | "love" | "hassle" | "pleasure" | "joy",
            Kind::Noun,
        ) => !is_any(
            before,
            &["a", "real", "pure", "such", "an", "absolute", "total", "complete", "true", "big", "huge"],
        ),
        (
            "cold" | "fair" | "clean" | "light" | "sensitive" | "sharp" | "kind" | "cool" | "warm" | "patient",
            Kind::Adjective,
        ) => {
            !(annotated.penn(at + 1).is_none_or(|tag| tag.as_str().starts_with(|c: char| !c.is_alphabetic()))
                || is_any(after, &["and", "but"])
                || annotated.penn(at + 1).is_some_and(|tag| tag.as_str().starts_with("NN"))
                    && !is_any(lemma, &["cold", "light", "sensitive", "cool"]))
        }
        ("fresh" | "weak" | "effective" | "reasonable", _) => {
            is_any(after, &["air", "start", "one", "version", "film", "movie", "series", "book", "way"])
        }
        ("success" | "failure" | "disaster" | "mess", _) => {
            !is_any(before, &["a", "total", "complete", "absolute", "this", "an", "utter", "big", "huge"])
        }
        ("fail" | "succeed", _) => is_any(after, &["to"]),
        _ => false,
    };
    // `Good Friends is a great bar`
    let capital =
        |word: &str| word.starts_with(|c: char| c.is_uppercase()) && word.contains(|c: char| c.is_lowercase());
    let name = capital(annotated.word(at)) && capital(after);
    phrase || name
}

fn is_participle(annotated: &Annotated, at: usize) -> bool {
    matches!(annotated.penn(at), Some(Penn::Vbn | Penn::Vbd))
}
