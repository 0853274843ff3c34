//! Names that are held back: another text, or another word of this one, says the same thing in a way that would not change
//! with them.

use fissure_core::{Sample, Text};
use fissure_text::names::people;
use fissure_text::names::places::Kind;
use fissure_text::{EntityKind, Penn};

use super::place;
use crate::support::agreement;
use crate::support::annotated::Annotated;
use crate::support::names::Name;

/// Whether a text also names it in a way that would not change with it: `Calif.` for California, `Arizona Cardinals` beside
/// Arizona, `Wells` alone beside Wells Fargo.
pub(super) fn is_said_otherwise(text: &Text, kind: EntityKind, name: &str) -> bool {
    let annotated = Annotated::of(text);
    let words: Vec<&str> = name.split(' ').collect();
    let is_capital = |place: usize| annotated.word(place).starts_with(char::is_uppercase);
    let stands = |from: usize| words.iter().enumerate().all(|(offset, word)| annotated.word(from + offset) == *word);
    match kind {
        // `David to the Goliaths of television`.
        EntityKind::Person => {
            // `Emlyn Hughes, the son of Fred Hughes`: the other Hughes would keep the name.
            let first = words.first().copied().unwrap_or("");
            let of_another = |at: usize| {
                let before = annotated.before(at);
                words.len() > 1
                    && words.last() == Some(&annotated.word(at))
                    && before != first
                    && people::is_first_name(before)
                    && !annotated.starts_sentence(at)
            };
            (words.contains(&"David") && text.contains("Goliath")) || (0..annotated.len()).any(of_another)
        }
        EntityKind::Place => {
            let short = SHORT_STATES.iter().filter(|(state, _)| *state == name).map(|(_, short)| *short);
            let mut short = short.map(|short| short.trim_end_matches('.'));
            let is_short = |short: &str| {
                (0..annotated.len()).any(|at| {
                    let word = annotated.word(at);
                    word == short && annotated.word(at + 1) == "." || word.strip_suffix('.') == Some(short)
                })
            };
            // A team: `Arizona Cardinals`.
            let is_team = |from: usize| {
                let next = from + words.len();
                stands(from) && is_capital(next) && matches!(annotated.penn(next), Some(Penn::Nnps))
            };
            // `Chicago, IL` and `ST. PETERSBURG, Fla.`: the state would not move along.
            let own_country = place(name).map(|(_, place)| place.country);
            let has_state = |from: usize| {
                let state = from + words.len() + 1;
                let behind = annotated.word(state);
                // `ATHENS, Greece` moves as a whole.
                let apart = || place(behind).is_some_and(|(_, land)| own_country != Some(land.country));
                let is_land =
                    || !super::is_country(name) && (is_state(behind) || (super::is_country(behind) && apart()));
                stands(from) && annotated.word(state - 1) == "," && is_land()
            };
            // `BASRA, Iraq`: the town would not move along.
            let has_town = |from: usize| {
                let Some(town) = from.checked_sub(2).filter(|_| stands(from) && annotated.before(from) == ",") else {
                    return false;
                };
                let is_its = place(annotated.word(town)).is_some_and(|(_, town)| Some(town.country) == own_country);
                super::is_country(name) && is_capital(town) && !super::is_country(annotated.word(town)) && !is_its
            };
            // `ethnic Danish`, `post-Soviet Germany`, `Nazi Spain`.
            let is_history = |at: usize| {
                let before = annotated.before(at).to_lowercase();
                let adjective = place(name).map_or("", |(_, place)| place.adjective);
                let of_it = stands(at) || (!adjective.is_empty() && annotated.word(at).starts_with(adjective));
                of_it && HISTORY.iter().any(|word| before == *word || before.ends_with(&format!("-{word}")))
            };
            // Of North and South Korea one would stay behind, and so would both Koreas.
            if name.contains("Korea") && text.matches("Korea").count() != text.matches(name).count() {
                return true;
            }
            // `Parisian` beside Paris.
            let start = name.len().checked_sub(1).filter(|start| *start >= 4 && words.len() == 1 && name.is_ascii());
            let adjective = place(name).map_or("", |(_, place)| place.adjective);
            let is_derived = |at: usize| {
                let word = annotated.word(at);
                let of_country = !adjective.is_empty() && word.starts_with(adjective);
                word != name
                    && word.len() >= name.len()
                    && start.is_some_and(|start| word.starts_with(&name[..start]))
                    && !of_country
            };
            short.any(is_short)
                || (0..annotated.len())
                    .any(|at| is_team(at) || has_state(at) || has_town(at) || is_history(at) || is_derived(at))
        }
        EntityKind::Organisation => {
            let alone = |at: usize| {
                let inside = (0..words.len()).any(|back| at.checked_sub(back).is_some_and(stands));
                !inside && words.len() > 1 && annotated.word(at).len() > 3 && words.contains(&annotated.word(at))
            };
            // `Microsoft Internet Explorer` is a product.
            let is_product = |from: usize| {
                let behind = from + words.len();
                // `Apple's iPod`.
                let owns = ["'s", "\u{2019}s", "s"].contains(&annotated.word(behind));
                let next = behind + usize::from(owns);
                let is_inner = |word: &str| {
                    word.starts_with(['i', 'I', 'e']) && word.chars().nth(1).is_some_and(char::is_uppercase)
                };
                if owns {
                    return stands(from) && is_inner(annotated.word(next));
                }
                stands(from)
                    && is_capital(next)
                    && !FIRM.contains(&annotated.word(next))
                    && matches!(annotated.penn(next), Some(Penn::Nnp | Penn::Nnps))
                    && !is_headline(&annotated, next)
            };
            (0..annotated.len()).any(|at| alone(at) || is_product(at))
        }
    }
}

/// What is said of one country or its people alone.
const HISTORY: [&str; 16] = [
    "ethnic",
    "soviet",
    "nazi",
    "apartheid",
    "communist",
    "ottoman",
    "imperial",
    "mainland",
    "colonial",
    "occupied",
    "fascist",
    "unified",
    "reunified",
    "tsarist",
    "unoccupied",
    "divided",
];

/// What stands behind the name of a company that is still the company.
const FIRM: [&str; 14] = [
    "Inc",
    "Inc.",
    "Corp",
    "Corp.",
    "Co",
    "Co.",
    "Ltd",
    "Ltd.",
    "Group",
    "Company",
    "Corporation",
    "Holdings",
    "PLC",
    "AG",
];

/// Whether most longer words of the sentence are capitalised: there a capital says nothing.
pub(super) fn is_headline(annotated: &Annotated, at: usize) -> bool {
    let Some(sentence) = annotated.analysis().sentence_of(at) else { return false };
    let long: Vec<&str> = sentence.map(|at| annotated.word(at)).filter(|word| word.len() >= 4).collect();
    2 * long.iter().filter(|word| word.starts_with(char::is_uppercase)).count() > long.len()
}

/// Whether a word is how a state is written behind its cities.
fn is_state(word: &str) -> bool {
    const POSTAL: &str = "AL AZ AR CA CO CT DE FL GA IL KS KY LA MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI \
                          SC SD TN TX UT VT VA WA WV WI WY";
    let bare = word.trim_end_matches('.');
    POSTAL.split(' ').any(|state| state == word)
        || SHORT_STATES.iter().any(|(state, short)| word == *state || short.trim_end_matches('.') == bare)
}

/// Whether the text has a place where no name was found that is this one alone: in a longer name (`Bank of Japan`, `Real
/// Madrid`), or in capitals that the finder took for something else (`BRUSSELS Turkey won`). It would stay behind.
pub(super) fn is_said_unfound(text: &Text, (kind, name): &(EntityKind, String), names: &[Name]) -> bool {
    if *kind != EntityKind::Place {
        return false;
    }
    let annotated = Annotated::of(text);
    let (words, capitals) = (name.split(' ').collect::<Vec<_>>(), name.to_uppercase());
    let shouted: Vec<&str> = capitals.split(' ').collect();
    let titled = super::titled(name);
    let small: Vec<&str> = titled.split(' ').collect();
    let stands = |from: usize, words: &[&str]| {
        words.iter().enumerate().all(|(offset, word)| annotated.word(from + offset) == *word)
    };
    let is_found = |from: usize| {
        let start = annotated.analysis().tokens()[from].span.start;
        names.iter().any(|found| {
            found.kind == *kind
                && found.words.len() == words.len()
                && found.words.first().is_some_and(|word| word.start == start)
        })
    };
    (0..annotated.len())
        .any(|from| (stands(from, &words) || stands(from, &shouted) || stands(from, &small)) && !is_found(from))
}

/// How newspapers shorten the names of states.
const SHORT_STATES: [(&str, &str); 42] = [
    ("Alabama", "Ala."),
    ("Arizona", "Ariz."),
    ("Arkansas", "Ark."),
    ("California", "Calif."),
    ("Colorado", "Colo."),
    ("Connecticut", "Conn."),
    ("Delaware", "Del."),
    ("Florida", "Fla."),
    ("Georgia", "Ga."),
    ("Illinois", "Ill."),
    ("Indiana", "Ind."),
    ("Kansas", "Kan."),
    ("Kentucky", "Ky."),
    ("Louisiana", "La."),
    ("Maryland", "Md."),
    ("Massachusetts", "Mass."),
    ("Michigan", "Mich."),
    ("Minnesota", "Minn."),
    ("Mississippi", "Miss."),
    ("Missouri", "Mo."),
    ("Montana", "Mont."),
    ("Nebraska", "Neb."),
    ("Nevada", "Nev."),
    ("New Hampshire", "N.H."),
    ("New Jersey", "N.J."),
    ("New Mexico", "N.M."),
    ("New York", "N.Y."),
    ("North Carolina", "N.C."),
    ("North Dakota", "N.D."),
    ("Oklahoma", "Okla."),
    ("Oregon", "Ore."),
    ("Pennsylvania", "Pa."),
    ("Rhode Island", "R.I."),
    ("South Carolina", "S.C."),
    ("South Dakota", "S.D."),
    ("Tennessee", "Tenn."),
    ("Texas", "Tex."),
    ("Vermont", "Vt."),
    ("Virginia", "Va."),
    ("Washington", "Wash."),
    ("West Virginia", "W.Va."),
    ("Wisconsin", "Wis."),
];

/// Takes out names whose tie to another name the lists do not know: other names of a country, the state of a city, the
/// initials of an organisation.
pub(super) fn hold_back(sample: &Sample, names: &mut Vec<(EntityKind, String)>) {
    let of_kind = |names: &[(EntityKind, String)], is: fn(Kind) -> bool| -> Vec<&'static str> {
        names.iter().filter_map(|(_, name)| place(name)).filter(|(_, p)| is(p.kind)).map(|(_, p)| p.country).collect()
    };
    let states = of_kind(names, |kind| kind == Kind::State);
    let cities = of_kind(names, |kind| matches!(kind, Kind::City | Kind::Capital));
    names.retain(|(kind, name)| {
        if *kind == EntityKind::Person && is_grown(sample, name) {
            return false;
        }
        if *kind == EntityKind::Organisation {
            return !agreement::says_initials(sample, name);
        }
        let Some((_, place)) = place(name).filter(|_| *kind == EntityKind::Place) else { return true };
        let tied = match place.kind {
            Kind::State => cities.contains(&place.country),
            Kind::City | Kind::Capital => states.contains(&place.country),
            Kind::Country => agreement::says_other_name(sample, place.name),
        };
        !tied
    });
}

/// Whether a text has a word of the name with an ending, which would not change with it: `Roberts campaign` beside Robert,
/// `the Normans` beside Norman.
fn is_grown(sample: &Sample, name: &str) -> bool {
    const LONGEST_ENDING: usize = 3;
    let grown = |word: &str, of: &str| {
        let ending = word.get(..of.len()).filter(|start| start.eq_ignore_ascii_case(of)).map(|_| &word[of.len()..]);
        ending.is_some_and(|ending| {
            (1..=LONGEST_ENDING).contains(&ending.len()) && ending.chars().all(char::is_alphabetic)
        })
    };
    let mut words = sample.fields.iter().flat_map(|field| field.text.words());
    words.any(|word| name.split(' ').any(|of| of.len() > LONGEST_ENDING && grown(word.text, of)))
}
