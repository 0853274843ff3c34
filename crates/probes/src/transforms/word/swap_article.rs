use fissure_core::{Amount, Dice, Edit, EditText, Proposal, Text, transform};
use fissure_text::{Penn, articles, casing, inflection};

use crate::support::reading::Reading;
use crate::support::senses;

transform! {
    /// Puts `the` in the place of `a` or `an`, and the other way round.
    ///
    /// Only where English takes both: `the` stays before plurals, names, superlatives and what can only be one (`the
    /// same`, `the end of`), `a` stays in `a few`, `such a` and `five times a day`.
    pub struct SwapArticle {
        ..Amount { rate: 0.1, min: 1, max: usize::MAX };
        /// How much worse than the old article the new one may fit between the words around it, as a natural logarithm.
        tolerance: f64 = 0.0, in 0.0..=100.0;
    }
    card: {
        level: Some(Word),
        family: Some(Syntax),
        expectation: Some(Kept),
        languages: &[English],
        tasks: Tasks::Except(&["cws"]),
        citation: Some("Geometry Matters: Exploring Language Examples at the Decision Boundary, section 5.3"),
    }
    examples: [
        "She saw a dog near the old bridge." => "She saw the dog near the old bridge.",
        "She waited at the station with an old suitcase." => "She waited at a station with an old suitcase.",
        { tolerance = "2", rate = "1" } "A driver opened the umbrella." => "The driver opened an umbrella.",
        "The best of the teams trains twice a day." => "The best of the teams trains twice a day.",
        "He knows that the lid fell, and Max the mule was the funniest thing in the hat industry."
            => "He knows that the lid fell, and Max the mule was the funniest thing in the hat industry.",
    ]
}

impl EditText for SwapArticle {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let reading = Reading::of(text);
        let other =
            |at| other(&reading, at).filter(|new| reading.fit(at, &new.to_ascii_lowercase()) >= -self.tolerance);
        let places: Vec<(usize, String)> = (0..reading.len()).filter_map(|at| Some((at, other(at)?))).collect();
        let chosen = dice.choose(places.len(), self.amount.of(places.len()));
        let span = |at: usize| reading.analysis().tokens()[at].span.clone();
        Ok(chosen.into_iter().map(|at| Edit::replace(span(places[at].0), places[at].1.as_str())).collect())
    }
}

/// The other article, where the words around take both.
fn other(reading: &Reading, at: usize) -> Option<String> {
    let word = reading.word(at);
    if !["the", "a", "an"].iter().any(|article| article.eq_ignore_ascii_case(word)) {
        return None;
    }
    // A capital inside a sentence belongs to a name: `Serie A`.
    let named = word.starts_with(char::is_uppercase) && word.len() < 3 && !reading.starts_sentence(at);
    if reading.penn(at) != Some(Penn::Dt) || !reading.stands_free(at) || named {
        return None;
    }
    let head = head_after(reading, at)?;
    let next = reading.after(at).to_lowercase();
    if word.eq_ignore_ascii_case("the") {
        let singular = reading.penn(head) == Some(Penn::Nn) && senses::is_counted(&reading.small(head));
        let open = !(at + 1..=head).any(|place| points_at_one(reading, place));
        // `the box office` is one thing, and doings (`the lip syncing`) are not counted.
        let whole = || reading.word(head).ends_with("ing") || (head > at + 1 && reading.in_phrase(head));
        // Old news has `#39;s` for the `'s` of a possessive.
        let after = reading.after(head);
        let complete =
            !["of", "that", "who", "which", "where", "when", "to"].contains(&after) && !after.starts_with('#');
        // At the start of a sentence or a clause, `the` mostly points back.
        return (singular
            && open
            && complete
            && !reading.starts_sentence(at)
            && !is_known(reading, at, head)
            && !whole())
        .then(|| articles::article_before(&next, word).to_owned());
    }
    // `is definitely a film`: what tells lies before the adverb.
    let adverb = at.checked_sub(1).is_some_and(|before| reading.penn(before) == Some(Penn::Rb));
    let before = reading.before(if adverb { at - 1 } else { at }).to_lowercase();
    let set = A_BEFORE.contains(&next.as_str())
        || A_BEHIND.contains(&before.as_str())
        || A_BEHIND.contains(&&*reading.before(at).to_lowercase())
        || A_BEFORE.contains(&reading.word(head))
        || (at.saturating_sub(4)..at).any(|place| reading.word(place).eq_ignore_ascii_case("there"));
    // `did not give us a clue`: what is denied is no particular one.
    let denied = (at.saturating_sub(5)..at).any(|place| DENIALS.contains(&&*reading.small(place)));
    // `A SINGLE SCREW` and `A single screw`: one letter does not tell, the next word does.
    let shouts = casing::Case::of(reading.after(at)) == casing::Case::Upper && word != "a";
    (!set && !denied).then(|| if shouts { "THE".to_owned() } else { casing::follow(word, "the").into_owned() })
}

/// Whether the phrase speaks of what is known: it is the subject of the verb behind it (`but the taste was`), says what
/// or who something is (`the trouble is the plot`, `Dobbin the mule`), or a clause tells which (`the land he owned`).
fn is_known(reading: &Reading, at: usize, head: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| reading.penn(before));
    let verb = matches!(reading.penn(head + 1), Some(Penn::Vbz | Penn::Vbd | Penn::Vbp | Penn::Md));
    let clause = !matches!(before, Some(Penn::In | Penn::To)) || reading.before(at).eq_ignore_ascii_case("that");
    let told = reading.penn(head + 1) == Some(Penn::Prp) || BE.contains(&&*reading.before(at).to_ascii_lowercase());
    (verb && clause) || told || matches!(before, Some(Penn::Nn | Penn::Nnp | Penn::Dt | Penn::Pdt))
}

/// The noun that the article belongs to: the last of the nouns behind it.
fn head_after(reading: &Reading, at: usize) -> Option<usize> {
    let mut head = None;
    for place in at + 1..reading.len() {
        if is_superlative(reading, place) {
            return None;
        }
        match reading.penn(place)? {
            Penn::Nn if reading.is_plain(place) => head = Some(place),
            Penn::Jj | Penn::Vbn | Penn::Vbg if head.is_none() && reading.is_plain(place) => {}
            Penn::Rb if head.is_none() && place == at + 1 => {}
            // A name, a plural or a possessive makes another phrase of it.
            Penn::Nnp | Penn::Nnps | Penn::Nns | Penn::Pos | Penn::Hyph | Penn::Cd | Penn::Jjs | Penn::Jjr => {
                return None;
            }
            _ => break,
        }
    }
    head
}

/// Whether it can be a superlative, whatever the tagger took it for: `the funniest thing`.
fn is_superlative(reading: &Reading, at: usize) -> bool {
    let word = reading.small(at);
    word.ends_with("est") && inflection::lemma(&word, "JJS").is_some_and(|lemma| lemma != word)
}

fn points_at_one(reading: &Reading, at: usize) -> bool {
    THE_BEFORE.contains(&&*reading.word(at).to_ascii_lowercase())
}

/// Words behind `a` with which it is a set phrase.
const A_BEFORE: [&str; 43] = [
    "step", "lot", "few", "little", "bit", "couple", "number", "hundred", "thousand", "million", "billion", "dozen",
    "while", "great", "good", "share", "year", "day", "week", "month", "barrel", "piece", "minute", "hour", "night",
    "pound", "ton", "time", "series", "result", "hurry", "shame", "pity", "mess", "joke", "waste", "must", "variety",
    "majority", "pleasure", "range", "way", "total",
];

/// Words before `a` that ask for it: also forms of `be`, behind which `a` tells the kind (`there is a`, `she is a`).
const A_BEHIND: [&str; 27] = [
    "such", "what", "quite", "many", "half", "rather", "as", "how", "so", "too", "not", "never", "once", "twice",
    "times", "without", "than", "of", "is", "was", "'s", "are", "were", "be", "been", "neither", "always",
];

const BE: [&str; 7] = ["is", "was", "'s", "are", "were", "be", "being"];

const DENIALS: [&str; 7] = ["not", "n't", "no", "nor", "never", "hardly", "without"];

/// What can only be one, with nouns of which there is one.
const THE_BEFORE: [&str; 82] = [
    "same",
    "only",
    "first",
    "second",
    "third",
    "last",
    "next",
    "other",
    "whole",
    "entire",
    "very",
    "right",
    "wrong",
    "latest",
    "former",
    "current",
    "previous",
    "following",
    "main",
    "ultimate",
    "final",
    "world",
    "sun",
    "moon",
    "sky",
    "internet",
    "web",
    "way",
    "fact",
    "rest",
    "end",
    "beginning",
    "start",
    "top",
    "bottom",
    "front",
    "back",
    "original",
    "department",
    "past",
    "future",
    "present",
    "time",
    "lack",
    "middle",
    "majority",
    "government",
    "public",
    "economy",
    "industry",
    "president",
    "dark",
    "one",
    "year",
    "title",
    "film",
    "movie",
    "plot",
    "script",
    "cast",
    "story",
    "day",
    "season",
    "company",
    "point",
    "bell",
    "bone",
    "book",
    "moment",
    "market",
    "nation",
    "power",
    "answer",
    "screen",
    "trip",
    "country",
    "director",
    "round",
    "ring",
    "house",
    "damage",
    "button",
];
