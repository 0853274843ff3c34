//! The sentences of a text, by its marks or by our own splitter, and which of them can be moved.

use fissure_core::{Sample, Span, layer};

use super::annotated::Annotated;
use super::chinese;

/// Words that refer to what was said before.
const REFERRING: &[&str] = &[
    "he",
    "she",
    "it",
    "they",
    "him",
    "her",
    "them",
    "his",
    "hers",
    "its",
    "their",
    "theirs",
    "himself",
    "herself",
    "itself",
    "themselves",
];

/// First words that tie a sentence to the one before it.
const LINKING: &[&str] = &[
    "also",
    "another",
    "both",
    "other",
    "and",
    "but",
    "conversely",
    "consequently",
    "finally",
    "further",
    "furthermore",
    "hence",
    "however",
    "instead",
    "later",
    "meanwhile",
    "moreover",
    "nevertheless",
    "next",
    "nor",
    "or",
    "otherwise",
    "similarly",
    "so",
    "still",
    "such",
    "that",
    "then",
    "therefore",
    "these",
    "this",
    "those",
    "thus",
    "yet",
];

/// First words that tie a sentence to the one before it only with what follows: `In addition` does, `In 1850` does not.
const LINKING_PHRASES: &[&[&str]] = &[
    &["in", "addition"],
    &["in", "contrast"],
    &["in", "fact"],
    &["in", "other"],
    &["in", "particular"],
    &["in", "response"],
    &["in", "return"],
    &["in", "turn"],
    &["on", "the", "other"],
    &["on", "the", "contrary"],
    &["by", "contrast"],
    &["by", "comparison"],
    &["by", "then"],
    &["as", "a", "result"],
    &["as", "a", "consequence"],
    &["as", "a", "response"],
    &["as", "such"],
    &["in", "total"],
    &["as", "well"],
    &["for", "example"],
    &["for", "instance"],
    &["at", "the", "same"],
    &["at", "that"],
    &["at", "this"],
    &["after", "this"],
    &["after", "that"],
];

/// Words that point back when they follow a first preposition: `In this way`, `By such means`, `For these`.
const POINTING: &[&str] =
    &["this", "that", "these", "those", "such", "both", "which", "each", "either", "another", "same"];
const OPENING: &[&str] = &["in", "on", "by", "as", "for", "at", "from", "with", "under", "after", "before", "to", "of"];

/// What ties a Chinese sentence to the one before it.
const LINKING_IN_CHINESE: &[&str] = &[
    "他", "她", "它", "这", "那", "此", "其", "但", "不过", "然而", "因此", "所以", "于是", "而", "并", "同时", "另外",
    "此外", "后来", "随后", "之后", "最后", "接着", "也", "还", "又", "即", "以及", "即使", "由此", "该", "当时", "再",
];

/// The sentences of a field, in order.
pub(crate) fn spans(sample: &Sample, field: usize) -> Vec<Span> {
    let Some(text) = sample.fields.get(field).map(|field| &field.text) else { return Vec::new() };
    let mut marked: Vec<Span> = sample
        .layer(layer::SENTENCE)
        .filter(|(_, mark)| mark.field == field && !mark.span.is_empty())
        .map(|(_, mark)| mark.span)
        .collect();
    if !marked.is_empty() {
        marked.sort_by_key(|span| span.start);
        return marked;
    }
    if chinese::is_chinese(text) {
        let found = fissure_text::chinese::sentences(text).into_iter().map(Span::from);
        return found.filter(|span| span.of(text).contains(char::is_alphanumeric)).collect();
    }
    let annotated = Annotated::of(text);
    let analysis = annotated.analysis();
    let found = analysis.sentences().iter().map(|tokens| Span::from(analysis.bytes(tokens.clone())));
    let mut whole: Vec<Span> = Vec::new();
    for next in found {
        match whole.last_mut() {
            Some(last) if !is_whole(last.of(text)) || !starts_anew(next.of(text)) => last.end = next.end,
            _ => whole.push(next),
        }
    }
    whole
}

/// Whether a text ends as a sentence does, and closes every bracket and quotation that it opens.
fn is_whole(text: &str) -> bool {
    let count = |sign: &str| text.matches(sign).count();
    let last = text.trim_end_matches(['"', '\'', ')', ']', '\u{201d}', '\u{2019}']);
    last.ends_with(['.', '!', '?'])
        && count("(") == count(")")
        && count("[") == count("]")
        && count("``") == count("''")
        && count("\"") % 2 == 0
        && count("\u{201c}") == count("\u{201d}")
}

/// Whether a text starts as a sentence does: with a capital, a number, or a quotation.
fn starts_anew(text: &str) -> bool {
    let first = text.trim_start_matches(['"', '`', '\'', '\u{201c}', '(']).chars().next();
    first.is_some_and(|sign| sign.is_uppercase() || sign.is_numeric())
}

/// The words of a text in lower case, without what is no letter.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Whether a text has a pronoun of the third person.
pub(crate) fn refers(text: &str) -> bool {
    text.contains(['他', '她', '它']) || words(text).any(|word| REFERRING.contains(&&*word))
}

/// Whether a sentence is tied to the one before it by its first word.
pub(crate) fn links_back(text: &str) -> bool {
    LINKING_IN_CHINESE.iter().any(|word| text.starts_with(word))
        || words(text).any(|word| word == "however")
        || opens_linked(text)
}

/// Whether the first words of a sentence point to the one before it.
fn opens_linked(text: &str) -> bool {
    let first: Vec<String> = words(text).take(4).collect();
    let word = |at: usize| first.get(at).map_or("", String::as_str);
    // `In the same year`, `By the latter`.
    let pointed = OPENING.contains(&word(0))
        && (POINTING.contains(&word(1))
            || REFERRING.contains(&word(1))
            || (word(1) == "the" && ["same", "latter", "former", "above", "following", "meantime"].contains(&word(2))));
    LINKING.contains(&word(0))
        || REFERRING.contains(&word(0))
        || pointed
        || LINKING_PHRASES.iter().any(|phrase| phrase.iter().enumerate().all(|(at, part)| word(at) == *part))
}

/// Whether a sentence rests on what stands before it by more than its first word: it points back (`any of these classes`), goes on
/// with a list (`Notable examples include`, `Most influential among`), says again (`More precisely`) or goes on in time (`Some time
/// later`).
pub(crate) fn rests_on_others(text: &str) -> bool {
    const GOING_ON: &[&str] = &[
        "indeed",
        "likewise",
        "specifically",
        "subsequently",
        "afterwards",
        "afterward",
        "additionally",
        "succinctly",
        "accordingly",
        "alternatively",
        "nonetheless",
        "notably",
        "namely",
        "formally",
        "equivalently",
        "having",
        "eventually",
        "others",
        "neither",
        "either",
        "soon",
        "thereafter",
        "rather",
        "again",
        "besides",
        "too",
        "secondly",
        "thirdly",
        "lastly",
    ];
    const PHRASES: &[&[&str]] = &[
        &["more", "precisely"],
        &["more", "formally"],
        &["more", "specifically"],
        &["more", "generally"],
        &["more", "recently"],
        &["in", "conjunction"],
        &["to", "this"],
        &["the", "latter"],
        &["the", "former"],
        &["the", "same"],
        &["the", "following"],
        &["the", "second"],
        &["the", "third"],
        &["the", "other"],
        &["the", "others"],
        &["the", "rest"],
        &["the", "result"],
        &["at", "first"],
        &["for", "this"],
        &["on", "the", "one"],
    ];
    const POINTERS: &[&str] =
        &["this", "these", "those", "such", "latter", "former", "aforementioned", "thereby", "therefore"];
    let first: Vec<String> = words(text).take(14).collect();
    let word = |at: usize| first.get(at).map_or("", String::as_str);
    let goes_on = match word(0) {
        "most" => word(2) == "among" || word(1) == "notably" || word(1) == "importantly",
        other => GOING_ON.contains(&other),
    };
    let examples = first.iter().take(3).any(|word| word == "example" || word == "examples");
    let lists = first.iter().take(6).any(|word| word == "include" || word == "includes" || word == "included");
    let later =
        first.iter().take(4).any(|word| word == "later") && first.iter().take(3).any(|word| is_span_of_time(word));
    goes_on
        || later
        || (examples && (lists || word(0) == "another" || word(0) == "other"))
        || PHRASES.iter().any(|phrase| phrase.iter().enumerate().all(|(at, part)| word(at) == *part))
        || first.iter().enumerate().any(|(at, found)| {
            // `towns such as Graz`
            POINTERS.contains(&found.as_str()) && !(found == "such" && word(at + 1) == "as")
        })
}

fn is_span_of_time(word: &str) -> bool {
    [
        "time",
        "years",
        "year",
        "months",
        "month",
        "days",
        "day",
        "weeks",
        "week",
        "decades",
        "decade",
        "hours",
        "centuries",
    ]
    .contains(&word)
}

/// Whether a sentence says that another comes: `An example is the following.`, `as follows:`.
pub(crate) fn announces(text: &str) -> bool {
    let small = text.to_lowercase();
    let says = ["is the following", "are the following", "the following:", "as follows"];
    text.trim_end().ends_with(':') || says.iter().any(|words| small.contains(words))
}

/// The sentence with the white space behind it, or before it if it is the last: what goes when it goes.
pub(crate) fn with_gap(text: &str, sentences: &[Span], at: usize) -> Span {
    let Span { start, end } = sentences[at];
    match (sentences.get(at + 1), at.checked_sub(1)) {
        (Some(next), _) => Span::new(start, gap_end(text, end, next.start)),
        (None, Some(before)) => Span::new(gap_start(text, sentences[before].end, start), end),
        (None, None) => Span::new(start, end),
    }
}

/// The end of the white space that starts at `from`, at most `to`.
fn gap_end(text: &str, from: usize, to: usize) -> usize {
    let gap = text.get(from..to).unwrap_or("");
    from + gap.len() - gap.trim_start().len()
}

/// The start of the white space that ends at `to`, at least `from`.
fn gap_start(text: &str, from: usize, to: usize) -> usize {
    let gap = text.get(from..to).unwrap_or("");
    from + gap.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_go_with_one_gap() {
        let sample = Sample::of_text("1", "I came. I saw.  I won.");
        let spans = spans(&sample, 0);
        let text = sample.fields[0].text.as_str();
        let gone: Vec<&str> = (0..3).map(|at| with_gap(text, &spans, at).of(text)).collect();
        assert_eq!(gone, ["I came. ", "I saw.  ", "  I won."]);
    }

    #[test]
    fn a_preposition_ties_only_with_what_follows() {
        for tied in [
            "In addition, rain fell.",
            "In this year rain fell.",
            "For example, rain fell.",
            "By the same law it fell.",
        ] {
            assert!(links_back(tied), "{tied}");
        }
        for free in ["In 1850 the mill was built.", "By 1900 the town had grown.", "For the town it was a good year."] {
            assert!(!links_back(free), "{free}");
        }
    }

    #[test]
    fn what_a_sentence_rests_on() {
        for tied in [
            "Most influential among these was the Ming.",
            "Indeed, this can be done by a machine.",
            "Some time later, the town fell.",
            "Notable examples include oil and gas.",
            "Proving that any of these classes are unequal would be hard.",
            "Having deduced such inclusions, we go on.",
            "More precisely, the machine tries all ways.",
            "Three years later the mill burned.",
        ] {
            assert!(rests_on_others(tied), "{tied}");
        }
        for free in
            ["The mill was built in 1850.", "In 1850 rain fell.", "Many people live in the town.", "Warsaw is a city."]
        {
            assert!(!rests_on_others(free), "{free}");
        }
        assert!(announces("An example of a decision problem is the following.") && !announces("Rain fell."));
    }

    #[test]
    fn what_ties_a_sentence_to_others() {
        assert!(refers("Then he left.") && !refers("The hero."));
        assert!(links_back("However, it rained.") && links_back("He left.") && !links_back("Rain fell."));
    }
}
