#![allow(clippy::approx_constant, reason = "a human score happens to be 3.14")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Text, choices, transform};
use fissure_text::EntityKind;
use fissure_text::names::films::{self, Film};
use fissure_text::names::instances;
use fissure_text::names::people;

use crate::clauses::is_any;
use crate::support::annotated::Annotated;
use crate::support::names;
use crate::support::{candidates, known_names};

transform! {
    /// Replaces a person or a film that a review names with another.
    ///
    /// People become film people of the same gender, alike wherever they are named: `Tom Hanks tries; Hanks fails.` Titles
    /// change only where they are quoted or followed by a year, never where a film is what another is measured by (`worse
    /// than ...`). Reviews that name nobody stay as they are: none of the
    /// sentences of SST-2 dev, which have no capitals, changes.
    pub struct SwapSpecialEnt {
        /// What to replace.
        kind: What = What::Both;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Class, Has::Sense(Sense::Positive)],
        languages: &[English],
        aliases: &["SwapSpecialEnt", "SwapSpecialEnt-Person", "SwapSpecialEnt-Movie", "SaSwapSpecialEnt"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.37, 3.14), grammaticality: (3.75, 3.73) }),
    }
    examples: [
        "Tom Hanks tries; Hanks fails. // label:: negative" => "Fred Schepisi tries; Schepisi fails. // label:: negative",
        { kind = "film" } "I saw \"Jurassic Park\" twice. // label:: positive" => "I saw \"Snow Dogs\" twice. // label:: positive",
        { kind = "person" } "The film by Anna Keller is long. // label:: negative" => "The film by Jane Campion is long. // label:: negative",
        { kind = "film" } "It is worse than \"Jurassic Park\". // label:: negative" => "It is worse than \"Jurassic Park\". // label:: negative",
    ]
}

choices! {
    /// What is replaced.
    pub enum What { Both = "both", Person = "person", Film = "film" }
}

impl EditSample for SwapSpecialEnt {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let mut edits = Vec::new();
        if self.kind != What::Film {
            edits.extend(other_people(sample, &field.text, dice));
        }
        if self.kind != What::Person {
            edits.extend(other_films(&field.text, dice));
        }
        edits.sort_by_key(|edit: &Edit| edit.span);
        edits.dedup_by(|next, edit| next.span.overlaps(edit.span) || next.span == edit.span);
        Ok(edits)
    }
}

/// Every person that is named in full becomes another, at each mention of the full name and of the surname alone.
fn other_people(sample: &Sample, text: &Text, dice: &mut Dice) -> Vec<Edit> {
    let found: Vec<names::Name> = names::of(sample, 0, text)
        .into_iter()
        .filter(|name| name.kind == EntityKind::Person && !goes_on_before(text, name))
        .collect();
    let characters: BTreeSet<String> =
        found.iter().filter(|name| is_character(text, name)).map(|name| name.text(text)).collect();
    let full: Vec<String> = found.iter().map(|name| name.text(text)).collect();
    // The names of several words that a word is part of.
    let mut holding: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for name in full.iter().filter(|name| name.contains(' ')) {
        for word in name.split(' ') {
            holding.entry(word).or_default().insert(name);
        }
    }
    let mut given: BTreeMap<&str, (&'static str, &'static str)> = BTreeMap::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for name in full.iter().filter(|name| seen.insert(name) && !characters.contains(*name)) {
        let Some((first, last)) = name.split_once(' ').filter(|(_, last)| !last.contains(' ')) else { continue };
        let Some(gender) = people::gender(first).filter(|_| names::is_plain_person(&[first, last])) else { continue };
        if GENDERED_OTHERWISE.contains(&first) || opens_quotation(text, first) || stands_otherwise(text, first, last) {
            continue;
        }
        // Two people of one name cannot be known apart where it stands alone.
        if [first, last].iter().any(|word| holding.get(word).is_some_and(|names| names.len() > 1)) {
            continue;
        }
        let other = (0..50).find_map(|_| {
            let (first, last) = dice.pick(film_people())?.split_once(' ')?;
            let fits = people::gender(first) == Some(gender)
                && !text.contains(first)
                && !text.contains(last)
                && !given.values().any(|(_, taken)| *taken == last);
            fits.then_some((first, last))
        });
        given.extend(other.map(|other| (name.as_str(), other)));
    }
    let mut edits: Vec<Edit> = Vec::new();
    for (old, new) in &given {
        let Some((first, last)) = old.split_once(' ') else { continue };
        // The surname alone is the same person; the first name too.
        for (old, new) in [(last, new.1), (first, new.0)] {
            edits.extend(candidates::places(text, old).into_iter().map(|span| Edit::replace(span, new)));
        }
    }
    edits
}

/// Whether the word before a name is a name too, so that only a piece was recognised: `Polly` of `Polly Ann Young`. The first
/// word of a sentence may have its capital from there.
fn goes_on_before(text: &Text, name: &names::Name) -> bool {
    let Some(first) = name.words.first() else { return false };
    let before = text[..first.start].strip_suffix(' ').unwrap_or("");
    let word = before.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or("");
    people::is_first_name(word)
}

/// Whether a name stands in ways that its parts do not show: for a film (`Mary Poppins`), for a family (`the Macleans`), as a
/// piece of a longer word (`Ed Wood-style`) or of the name of somebody else (`Stewart Granger` beside `James Stewart`).
fn stands_otherwise(text: &Text, first: &str, last: &str) -> bool {
    let full = format!("{first} {last}");
    let family = [format!("{last}s"), format!("{last}es")];
    let whole = candidates::places(text, &full).len();
    let of_other = |name: &str| {
        candidates::places(text, name).into_iter().any(|span| {
            let before = text[..span.start].strip_suffix(' ').unwrap_or("");
            let word = before.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or("");
            people::is_first_name(word) && !(name == last && word == first)
        })
    };
    films::find(&full).is_some()
        || family.iter().any(|name| !candidates::places(text, name).is_empty())
        || text.matches(&*full).count() != whole
        || of_other(first)
        || of_other(last)
}

/// Whether a name opens a title: `"Sabrina, the Teenage Witch"`.
fn opens_quotation(text: &Text, name: &str) -> bool {
    let quotes = ['"', '\'', '\u{201c}', '\u{2018}', '`'];
    candidates::places(text, name).iter().any(|span| text[..span.start].ends_with(quotes))
}

/// Whether a name is one of the story, not of someone who made it: `plays Tony Montana`, `Inspector Gallien`, `Vito Corleone
/// (Marlon Brando)`.
fn is_character(text: &Text, name: &names::Name) -> bool {
    let (Some(first), Some(last)) = (name.words.first(), name.words.last()) else { return false };
    let acted = text[last.end..].strip_prefix(" (").or(text[last.end..].strip_prefix('('));
    let by = acted.is_some_and(|rest| rest.starts_with(|sign: char| sign.is_uppercase()));
    let before = &text[..first.start];
    let near = before.rsplit(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).take(3);
    let same_clause = !before.trim_end().ends_with(['.', ',', ';', '!', '?', ')', '>']);
    // `Robert Downey, Jr.` is more than the two words.
    let junior = text[last.end..].starts_with(", Jr");
    by || junior || (same_clause && near.into_iter().any(|word| is_any(word, PLAYING)))
}

/// Words before the name of a character.
const PLAYING: &[&str] = &[
    "as",
    "plays",
    "played",
    "playing",
    "play",
    "portrays",
    "portrayed",
    "portraying",
    "portray",
    "character",
    "role",
    "named",
    "called",
    "inspector",
    "detective",
    "captain",
    "agent",
    "officer",
    "sheriff",
    "colonel",
    "sergeant",
    "doctor",
    "dr",
    "homosexual",
    "like",
    "than",
    "unlike",
    "sequel",
    "boyfriend",
    "girlfriend",
    "husband",
    "wife",
    "brother",
    "sister",
    "son",
    "daughter",
];

/// First names that people of film bear against the census: Jean Cocteau, Drew Barrymore, Cameron Diaz.
const GENDERED_OTHERWISE: &[&str] = &["Jean", "Drew", "Gene", "Cameron"];

/// Directors, and people whom WordNet knows for films, of a first name and a surname.
fn film_people() -> &'static [&'static str] {
    static PEOPLE: std::sync::OnceLock<Vec<&'static str>> = std::sync::OnceLock::new();
    PEOPLE.get_or_init(|| {
        let of_film = |said: &str| ["film", "actor", "actress", "comedian"].iter().any(|word| said.contains(word));
        let known = instances::all().filter(|(_, one)| one.kind == instances::Kind::Person && of_film(one.description));
        let plain = |name: &&&str| {
            let words: Vec<&str> = name.split(' ').collect();
            let sure = !GENDERED_OTHERWISE.contains(&words[0]);
            words.len() == 2 && names::is_plain_person(&words) && people::gender(words[0]).is_some() && sure
        };
        let names: Vec<&'static str> = known.map(|(name, _)| name).collect();
        let mut all: Vec<&'static str> = films::directors().iter().chain(&names).filter(plain).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    })
}

/// Words that measure one film by another.
const COMPARING: &[&str] = &[
    "than",
    "like",
    "as",
    "unlike",
    "remake",
    "sequel",
    "prequel",
    "better",
    "worse",
    "compare",
    "compared",
    "comparison",
    "compares",
    "similar",
    "reminiscent",
    "reminds",
    "style",
    "la",
    "version",
    "superior",
    "inferior",
    "rival",
    "recalls",
    "echoes",
    "rip-off",
    "ripoff",
    "homage",
    "spoof",
    "parody",
    "best",
    "worst",
    "series",
    "trilogy",
    "above",
    "below",
    "notches",
    "more",
    "since",
    "days",
];

fn other_films(text: &Text, dice: &mut Dice) -> Vec<Edit> {
    let annotated = Annotated::of(text);
    let mut given: BTreeMap<&str, &'static str> = BTreeMap::new();
    let mut edits = Vec::new();
    let found = titles(&annotated);
    for (tokens, film) in found.iter().cloned() {
        // A film as a yardstick says how good this one is. And `Final Destination` stays beside `Final Destination 3`.
        let sentence = annotated.analysis().sentence_of(tokens.start).unwrap_or(tokens.clone());
        let unmarked =
            text.matches(film.title).count() != found.iter().filter(|(_, one)| one.title == film.title).count();
        if unmarked || sentence.into_iter().any(|at| is_any(annotated.word(at), COMPARING)) {
            continue;
        }
        let bytes = annotated.analysis().bytes(tokens.clone());
        let new = given.get(film.title).copied().or_else(|| {
            (0..50).find_map(|_| {
                let other = dice.pick(films::all())?;
                // A year behind the title stays.
                let dated =
                    annotated.word(tokens.end) == "(" && annotated.word(tokens.end + 1).parse() == Ok(film.year);
                let apart = other.title.split(' ').count() == film.title.split(' ').count()
                    && !text.contains(other.title)
                    && (!dated || other.year == film.year);
                (apart && !fissure_text::polarity::is_charged(&other.title.to_lowercase()) && is_calm(other.title))
                    .then_some(other.title)
            })
        });
        let Some(new) = new else { continue };
        given.insert(film.title, new);
        edits.push(Edit::replace(bytes, new));
    }
    edits
}

/// Whether no word of a title judges: `Awful Truth` would.
fn is_calm(title: &str) -> bool {
    !title.split(' ').any(|word| fissure_text::polarity::is_charged(&word.to_lowercase()))
}

/// The titles of a text that are marked as such: quoted, or followed by a year in brackets.
pub(super) fn titles(annotated: &Annotated) -> Vec<(Range<usize>, &'static Film)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < annotated.len() {
        let quote = |word: &str| ["\"", "\u{201c}", "\u{201d}", "``", "''"].contains(&word);
        match known_names::film(annotated, at) {
            Some((tokens, film)) => {
                let quoted = at > 0 && quote(annotated.word(at - 1)) && quote(annotated.word(tokens.end));
                let dated =
                    annotated.word(tokens.end) == "(" && annotated.word(tokens.end + 1).parse() == Ok(film.year);
                at = tokens.end;
                if quoted || dated {
                    found.push((tokens, film));
                }
            }
            None => at += 1,
        }
    }
    found
}
