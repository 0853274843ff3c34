use fissure_core::{Amount, Dice, Edit, EditText, Proposal, Text, transform};
use fissure_text::{Penn, articles, casing, inflection, neighbours};

use crate::support::reading::Reading;

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
        let singular = reading.penn(head) == Some(Penn::Nn) && is_counted(reading, head);
        let open = !(at + 1..=head).any(|place| points_at_one(reading, place));
        let complete = !["of", "that", "who", "which", "where", "when", "to"].contains(&reading.after(head));
        // At the start of a sentence, `the` mostly points back.
        return (singular && open && complete && !reading.starts_sentence(at))
            .then(|| articles::article_before(&next, word).to_owned());
    }
    let before = reading.before(at).to_lowercase();
    let set = A_BEFORE.contains(&next.as_str())
        || A_BEHIND.contains(&before.as_str())
        || A_BEFORE.contains(&reading.word(head));
    // `A SINGLE SCREW` and `A single screw`: one letter does not tell, the next word does.
    let shouts = casing::Case::of(reading.after(at)) == casing::Case::Upper && word != "a";
    (!set).then(|| if shouts { "THE".to_owned() } else { casing::follow(word, "the").into_owned() })
}

/// The noun that the article belongs to: the last of the nouns behind it.
fn head_after(reading: &Reading, at: usize) -> Option<usize> {
    let mut head = None;
    for place in at + 1..reading.len() {
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

/// Whether texts use the plural of the noun, so that one of it can be spoken of.
fn is_counted(reading: &Reading, at: usize) -> bool {
    let noun = reading.word(at).to_ascii_lowercase();
    let plural = inflection::inflect(&noun, "NNS").filter(|_| inflection::is_lemma(&noun, "NN"));
    plural.is_some_and(|plural| plural != noun && neighbours::frequency_rank(&plural).is_some())
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

/// What can only be one, with nouns of which there is one.
const THE_BEFORE: [&str; 74] = [
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
