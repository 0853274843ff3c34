//! Which judging words are denied or supposed, and texts that weigh one thing against another.

use fissure_text::Relation;

use crate::support::annotated::Annotated;

/// Whether the word is denied, compared or only supposed: then its opposite does not say the opposite.
pub(super) fn is_weighed(annotated: &Annotated, at: usize) -> bool {
    let near =
        |words: &[&str], mut places: std::ops::Range<usize>| places.any(|place| is_any(annotated.word(place), words));
    // `so bad that one laughs`, `fresh off the grill`, `a place for a good burger`
    let bound = near(&["so", "such"], at.saturating_sub(2)..at) && near(&["that"], at + 1..at + 15);
    // `as plain and pedestrian as catsup`
    let compared = near(&["as"], at.saturating_sub(4)..at) && near(&["as"], at + 1..at + 4);
    bound
        || compared
        || near(&["off", "lite"], at + 1..at + 2)
        || near(DENYING, at.saturating_sub(4)..at)
        || near(&["than", "enough"], at + 1..at + 3)
        || near(&["too", "as"], at.saturating_sub(1)..at)
}

/// Whether the word is said in passing of what the sentence tells something else about: `the good salads come from a farm`.
pub(super) fn is_in_passing(annotated: &Annotated, at: usize) -> bool {
    let parsed = annotated.analysis().dependencies();
    let Some(head) = parsed.get(at).filter(|word| word.relation == Relation::Amod).and_then(|word| word.head) else {
        return false;
    };
    let definite = |place: usize| {
        parsed[place].head == Some(head)
            && is_any(annotated.word(place), &["the", "these", "those", "their", "our", "my"])
    };
    parsed[head].relation == Relation::Nsubj && (0..at).any(definite)
}

/// Whether the text weighs one thing against another, denies or supposes, in a way that the words which turn do not cover: then it
/// is not sure which side the judgement is on.
pub(super) fn is_undecided(annotated: &Annotated, turned: impl Fn(usize) -> bool) -> bool {
    let stays = |at: usize| {
        let word = annotated.word(at);
        // `I love a good meal`: who loves the good hates the bad.
        // `I liked it, so we came back`: what follows from the judgement would contradict it.
        let follows = is_any(word, &["so"])
            && is_any(annotated.after(at), &["i", "we", "they", "he", "she", "you", "that", "when", "after"]);
        let feels = is_any(&annotated.lemma(at), &["love", "hate", "enjoy", "like", "appreciate"]);
        if follows || feels && is_any(annotated.after(at), &["a", "an", "any", "when"]) {
            true
        } else if turned(at) {
            false
        } else if is_any(word, &["not", "n't", "n\u{2019}t"]) {
            !is_any(annotated.after(at), &["only", "just", "merely"])
        } else if is_any(word, OPPOSING) {
            // Both sides must turn: `the food was great, but the staff was rude`.
            let Some(sentence) = annotated.analysis().sentence_of(at) else { return true };
            at != sentence.start && !(sentence.start..at).any(&turned) || !(at + 1..sentence.end).any(&turned)
        } else {
            // `I can only recommend it`, `a must`.
            let makes =
                is_any(word, &["make", "makes", "made"]) && is_any(annotated.after(at), &["it", "this", "up", "them"]);
            makes || is_any(word, WEIGHING) || is_any(word, &["must"]) && is_any(annotated.before(at), &["a"])
        }
    };
    // `I will be back` approves without a word that does.
    let returns = |at: usize| {
        is_any(annotated.word(at), &["back"])
            && is_any(annotated.before(at), &["be", "come", "coming", "go", "going", "went"])
            && !turned(at)
    };
    has_saying(annotated) || (0..annotated.len()).any(|at| stays(at) || returns(at))
}

/// Sayings that judge in words that do not: `on the ball`. Written for this project.
#[rustfmt::skip]
const SAYINGS: &[&str] = &[
    "on the ball", "on point", "top notch", "top-notch", "spot on", "second to none", "to die for", "blown away", "blew me away",
    "hands down", "thumbs up", "thumbs down", "hit the spot", "hits the spot", "hit and miss", "hit-and-miss", "hit or miss",
    "hit-or-miss", "the worst kind", "the best kind", "worst sort", "best sort", "hard to", "not bad", "a dozen", "go-to", "out of this world",
    "off the hook", "over the top", "under the weather", "fall flat", "falls flat", "run of the mill", "run-of-the-mill", "by the numbers",
    "by-the-numbers", "keep it up", "two thumbs", "rip off", "rip-off", "ripped off", "for the price", "in the state of", "piece of cake",
    "heart-string", "a treat", "with care", "five stars", "5 stars", "one star", "1 star", "zero stars", "stay away", "steer clear",
    "little fuss", "no wonder", "lacking in", "served cold", "operative word", "a lot funnier", "in spite of",
];

/// Whether the text has one of [`SAYINGS`] as words of its own.
fn has_saying(annotated: &Annotated) -> bool {
    let text = annotated.analysis().text().to_lowercase();
    let alone = |(at, saying): (usize, &str)| {
        !text[..at].ends_with(char::is_alphanumeric) && !text[at + saying.len()..].starts_with(char::is_alphanumeric)
    };
    SAYINGS.iter().any(|saying| text.match_indices(saying).any(alone))
}

pub(super) fn is_any(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

#[rustfmt::skip]
const DENYING: &[&str] = &[
    "not", "n't", "n\u{2019}t", "never", "no", "nothing", "hardly", "without", "otherwise", "might", "could", "would",
    "should", "may", "rather", "less", "if", "how", "neither", "least",
];

/// Words that set one side of a sentence against the other.
const OPPOSING: &[&str] =
    &["but", "however", "although", "though", "despite", "yet", "while", "instead", "nonetheless", "nevertheless"];

/// Words that approve or disapprove in most reviews, and have no opposite that suits most of them.
pub(super) fn side_of(word: &str) -> Option<f64> {
    if is_any(word, FOR) {
        Some(1.0)
    } else if is_any(word, AGAINST) || is_without(word) {
        Some(-1.0)
    } else {
        None
    }
}

/// Whether a word says that something good is missing: `spiritless`, but not `flawless`.
fn is_without(word: &str) -> bool {
    const NOT_BAD: &[&str] = &[
        "flawless",
        "seamless",
        "effortless",
        "timeless",
        "fearless",
        "breathless",
        "priceless",
        "tireless",
        "boundless",
        "endless",
        "countless",
        "nonetheless",
        "nevertheless",
        "regardless",
        "doubtless",
        "wireless",
        "unless",
        "matchless",
        "selfless",
        "ageless",
        "cordless",
        "limitless",
        "relentless",
        "homeless",
        "boneless",
    ];
    word.len() > 6 && word.to_ascii_lowercase().ends_with("less") && !is_any(word, NOT_BAD)
}

#[rustfmt::skip]
const FOR: &[&str] = &[
    "sweet", "wise", "wow", "yum", "kudos", "thank", "thanks", "hooked", "blowing", "bravo", "heart", "heaven", "melt", "melts", "melted",
    "perfection", "addicting", "addictive", "craving", "rare", "rich", "wit", "charm", "grace", "talent", "gift", "honest", "bonus",
    "reassuring", "deserves", "recommendation", "compliment", "complimentary", "smile", "smiling", "welcomed", "blessing", "miss",
    "classy", "upscale", "honorable", "noble", "attentive", "prompt", "promptly", "refresher", "triumph", "treasure", "gem",
];

#[rustfmt::skip]
const AGAINST: &[&str] = &[
    "dry", "mess", "trash", "garbage", "crap", "joke", "sorry", "shame", "waste", "wasted", "excuse", "hook", "pretension", "pretentious",
    "fails", "failed", "wrong", "avoid", "beware", "ruined", "cold", "clich\u{e9}s", "cliches", "problem", "problems", "complaint", "refund",
    "burnt", "cost", "charged", "loud", "average", "mindless", "desecration", "laggard", "object", "stop", "unfortunately",
    "dearth", "scarcity", "paucity", "folly", "hubristic", "histrionics", "weakly", "clumsily", "lazily", "thinly", "crudely", "sloppily",
    "tediously", "painfully", "woefully", "annoyingly", "standard", "formulaic", "routine", "rehash", "retread", "contrived", "spiritless", "overburdened",
    "substitutes", "substitute", "atrocities",
];

/// Words with which a text denies or supposes.
#[rustfmt::skip]
const WEIGHING: &[&str] = &[
    "unless", "supposed", "whether", "normally", "than", "if", "would", "could", "might", "should", "sometimes", "somewhat", "mildly",
    "lack", "lacks", "lacked", "lacking", "suffers", "suffer", "saved", "recommend", "recommended", "without", "never", "no", "nothing", "nobody", "shame", "thought", "claimed", "hoping", "wish", "otherwise", "almost",
    "nearly", "overcome", "overcomes", "somehow", "manages", "help", "helps", "cannot", "because", "forgive", "forgives", "overlook", "dunno", "hardly", "neither", "nor", "barely", "rather", "less",
];
