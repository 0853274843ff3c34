use std::collections::HashSet;
use std::sync::OnceLock;

use fissure_core::{Dice, Edit, EditText, Proposal, Protected, Text, Word, choices, transform};
use fissure_text::casing;

transform! {
    /// Makes a post of the text: someone is addressed, a link or a hashtag added, words shortened.
    ///
    /// Words are shortened wherever they stand (`you` to `u`, `by the way` to `btw`), and follow the case of the phrase
    /// where that is all capitals; names (`Great Britain`) stay. A hashtag is made of a word that says something.
    pub struct TwitterType {
        /// What to do: `mention` puts `@name` first, `link` puts a link last, `hashtag` makes one of a word,
        /// `abbreviate` shortens all words that it can, `random` does one of these, `all` does all four.
        mode: Mode = Mode::Random;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        languages: &[English],
        // Added words would be tokens without a label, and a phrase that is shortened is one token less.
        does: &[Rewrites],
        aliases: &["TwitterType"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.4.1"),
        human: Some(HumanScores { plausibility: (3.75, 3.60), grammaticality: (3.77, 3.71) }),
    }
    examples: [
        { mode = "abbreviate" } "By the way, I think you are great." => "btw, I think ur gr8.",
        { mode = "abbreviate" } "The people of Great Britain are really great." => "The ppl of Great Britain r rly gr8.",
        { mode = "mention" } "The soup was hot." => "@tiny_meadow99 The soup was hot.",
        { mode = "link" } "The soup was hot." => "The soup was hot. https://t.co/Fy9av43N0Q",
        { mode = "hashtag" } "The restaurant was quiet." => "The restaurant was #quiet.",
        { mode = "hashtag" } "She never said which well-made thing; see www.quiet.org" => "She never said which well-made thing; see www.quiet.org",
        { mode = "all" } "THANK YOU for your visit to the restaurant!"
            => "@north_anvil0 THX for ur visit to the #restaurant! https://t.co/v43N0QrFBF",
    ]
}

choices! {
    /// What makes the text a post.
    pub enum Mode {
        Random = "random",
        Mention = "mention",
        Link = "link",
        Hashtag = "hashtag",
        Abbreviate = "abbreviate",
        All = "all",
    }
}

const SINGLE: [Mode; 4] = [Mode::Mention, Mode::Link, Mode::Hashtag, Mode::Abbreviate];

impl EditText for TwitterType {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        if text.words().next().is_none() {
            return Ok(Vec::new());
        }
        Ok(match self.mode {
            Mode::All => {
                // A word that was shortened makes no hashtag.
                let mut edits = abbreviate(text);
                edits.extend(hashtag(text, &edits, dice));
                edits.extend([mention(text, dice), link(text, dice)]);
                edits.sort_by_key(|edit| edit.span);
                edits
            }
            Mode::Random => {
                let first = dice.below(SINGLE.len());
                let mut tries = (0..SINGLE.len()).map(|next| one(SINGLE[(first + next) % SINGLE.len()], text, dice));
                tries.find(|edits| !edits.is_empty()).unwrap_or_default()
            }
            mode => one(mode, text, dice),
        })
    }
}

fn one(mode: Mode, text: &Text, dice: &mut Dice) -> Vec<Edit> {
    match mode {
        Mode::Mention => vec![mention(text, dice)],
        Mode::Link => vec![link(text, dice)],
        Mode::Hashtag => Vec::from_iter(hashtag(text, &[], dice)),
        _ => abbreviate(text),
    }
}

fn mention(text: &str, dice: &mut Dice) -> Edit {
    const FIRST: [&str; 10] = ["quiet", "lazy", "paper", "north", "velvet", "tiny", "amber", "iron", "sunny", "odd"];
    const SECOND: [&str; 10] =
        ["lantern", "otter", "kettle", "meadow", "pigeon", "canoe", "biscuit", "comet", "fern", "anvil"];
    let (first, second) = (FIRST[dice.below(FIRST.len())], SECOND[dice.below(SECOND.len())]);
    let number = dice.below(100);
    Edit::insert(text.len() - text.trim_start().len(), format!("@{first}_{second}{number} "))
}

fn link(text: &str, dice: &mut Dice) -> Edit {
    const SIGNS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let code: String = (0..10).map(|_| char::from(SIGNS[dice.below(SIGNS.len())])).collect();
    Edit::insert(text.trim_end().len(), format!(" https://t.co/{code}"))
}

/// A hash before one of the longer words that no edit has taken.
fn hashtag(text: &Text, taken: &[Edit], dice: &mut Dice) -> Option<Edit> {
    let protected = Protected::of(text);
    let stands_free = |word: &Word<'_>| {
        let before = text[..word.span.start].chars().next_back();
        // A tag ends where a sign begins: of `then-head` it would be `#then`.
        let joined = text[word.span.end..].starts_with(['-', '_', '/', '*', '@']);
        let next = taken.partition_point(|edit| edit.span.end <= word.span.start);
        let is_taken = taken.get(next).is_some_and(|edit| edit.span.overlaps(word.span));
        before.is_none_or(char::is_whitespace) && !joined && !is_taken && !protected.covers(word.span)
    };
    let fits = |word: &Word<'_>| {
        let plain = word.text.len() >= 5 && word.text.bytes().all(|letter| letter.is_ascii_alphabetic());
        plain && !is_poor(word.text)
    };
    let words = || text.words().filter(fits).filter(stands_free);
    let word = words().nth(dice.below(words().count()))?;
    Some(Edit::insert(word.span.start, "#"))
}

/// Whether a word says too little to be a hashtag.
fn is_poor(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&str>> = OnceLock::new();
    let poor = WORDS.get_or_init(|| POOR_TAGS.split(' ').collect());
    poor.contains(word.to_ascii_lowercase().as_str())
}

/// Long words that serve grammar.
const POOR_TAGS: &str = "\
    about above across after again against along already although always among another anyone anything around \
    because before behind being below beneath beside besides between beyond could despite during either every \
    everyone everything except herself himself however inside instead itself maybe might myself neither never \
    nobody nothing often other others otherwise ought ourselves outside perhaps quite rather really shall should \
    since someone something sometimes still their theirs themselves there therefore these thing think those \
    though through throughout toward towards under unless until whatever whenever where whereas wherever whether \
    which while whoever whole whose within without would yours yourself yourselves";

/// Shortens every phrase of the table, the longest first.
fn abbreviate(text: &Text) -> Vec<Edit> {
    let words: Vec<Word<'_>> = text.words().collect();
    let protected = Protected::of(text);
    let mut edits = Vec::new();
    let mut at = 0;
    while let Some(first) = words.get(at) {
        match PHRASES.iter().find(|(phrase, _)| is_phrase(text, &words[at..], phrase)) {
            Some(_) if protected.covers(first.span) || is_name(text, &words[at..]) => at += 1,
            Some((phrase, short)) => {
                let last = &words[at + phrase.split(' ').count() - 1];
                let span = first.span.start..last.span.end;
                let shouts = casing::Case::of(&text[span.clone()]) == casing::Case::Upper;
                edits.push(Edit::replace(span, if shouts { short.to_uppercase() } else { (*short).to_owned() }));
                at += phrase.split(' ').count();
            }
            None => at += 1,
        }
    }
    edits
}

/// Whether the first of `words` has a capital as part of a name (`the Great Lakes`), and not from its sentence.
fn is_name(text: &str, words: &[Word<'_>]) -> bool {
    let is_titled = |word: &Word<'_>| casing::Case::of(word.text) == casing::Case::Title;
    let goes_on = text[..words[0].span.start].trim_end().ends_with(|last: char| last.is_alphanumeric() || last == ',');
    is_titled(&words[0]) && (goes_on || words.get(1).is_some_and(|next| is_titled(next) && next.text.len() > 1))
}

/// Whether `words` begin with the phrase, one space between its words.
fn is_phrase(text: &str, words: &[Word<'_>], phrase: &str) -> bool {
    // Nearly all phrases are distinguished by their first letter.
    if !words[0].text.as_bytes()[..1].eq_ignore_ascii_case(&phrase.as_bytes()[..1]) {
        return false;
    }
    let count = phrase.split(' ').count();
    let alike = |(word, wanted): (&Word<'_>, &str)| word.text.eq_ignore_ascii_case(wanted);
    words.len() >= count
        && words.iter().zip(phrase.split(' ')).all(alike)
        && words[..count].windows(2).all(|pair| &text[pair[0].span.end..pair[1].span.start] == " ")
}

/// Written for this project. A phrase comes before the words it begins with.
const PHRASES: [(&str, &str); 36] = [
    ("as soon as possible", "asap"),
    ("as far as i know", "afaik"),
    ("in my humble opinion", "imho"),
    ("in my opinion", "imo"),
    ("for what it's worth", "fwiw"),
    ("by the way", "btw"),
    ("oh my god", "omg"),
    ("to be honest", "tbh"),
    ("i don't know", "idk"),
    ("i do not know", "idk"),
    ("let me know", "lmk"),
    ("thank you", "thx"),
    ("see you", "cu"),
    ("right now", "rn"),
    ("of course", "ofc"),
    ("you are", "ur"),
    ("you're", "ur"),
    ("your", "ur"),
    ("you", "u"),
    ("are", "r"),
    ("because", "bc"),
    ("before", "b4"),
    ("please", "plz"),
    ("people", "ppl"),
    ("thanks", "thx"),
    ("tomorrow", "tmrw"),
    ("tonight", "2nite"),
    ("great", "gr8"),
    ("later", "l8r"),
    ("really", "rly"),
    ("though", "tho"),
    ("through", "thru"),
    ("without", "w/o"),
    ("with", "w/"),
    ("about", "abt"),
    ("favourite", "fave"),
];
