//! Names that stand in the name of something else, of which the rest would stay: `Brussels sprouts`, `Tom and Jerry`, `The Lady from
//! Shanghai`.

use fissure_core::Text;
use fissure_text::names::people;
use fissure_text::{EntityKind, Penn};

use super::held_back::is_headline;
use crate::support::annotated::Annotated;
use crate::support::names::{Name, is_chain};

/// Whether the name is a part of the name of something else.
pub(super) fn is_part_of_name(text: &Text, name: &Name) -> bool {
    let (Some(first), Some(last)) = (name.words.first(), name.words.last()) else { return false };
    let annotated = Annotated::of(text);
    let tokens = annotated.analysis().tokens();
    let place_of = |byte: usize| tokens.iter().position(|token| token.span.start <= byte && byte < token.span.end);
    let (Some(from), Some(to)) = (place_of(first.start), place_of(last.start)) else { return false };
    let (before, after) = (annotated.before(from), annotated.after(to));
    // `Brussels sprouts`, `a Benedict pizza`, `St. Louis style`.
    let small = after.to_lowercase();
    if FOOD.contains(&&*small) || FOOD.contains(&small.trim_end_matches('s')) {
        return true;
    }
    // `Paul(Páll)`: the same name in another way. `Toledosaid`, `CBS.MW`: two words run together, the mark of a share.
    let rest = &text[last.end..];
    let runs_on = rest.starts_with(char::is_alphabetic)
        || rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_uppercase))
        || text[..first.start].ends_with(char::is_alphabetic);
    if runs_on || rest.starts_with('(') {
        return true;
    }
    match name.kind {
        EntityKind::Person => {
            // `the village of Mona Quibundo`.
            let place =
                ["village", "town", "city", "district", "province", "island", "port", "suburb", "region", "state"];
            let is_place = ["of", "in"].contains(&before)
                && from.checked_sub(2).is_some_and(|at| place.contains(&annotated.word(at)));
            // `rolled over James Madison, 72-47`: a team.
            let scores = after == ","
                && annotated.word(to + 2).contains('-')
                && annotated.word(to + 2).starts_with(|char: char| char.is_ascii_digit());
            // `Phil of the Future`.
            let of_the = after == "of"
                && annotated.word(to + 2) == "the"
                && annotated.word(to + 3).starts_with(char::is_uppercase)
                && from == to;
            // `Joel and Ethan Coen`, of whom one has the surname for both.
            let shared = from < to
                && ["and", "&"].contains(&before)
                && from.checked_sub(2).is_some_and(|at| is_lone_first(&annotated, at));
            // `Chad Michael Murray`.
            let third = from.checked_sub(1).is_some_and(|at| is_lone_first(&annotated, at));
            // `Denny's on the corner`: a place, if nothing of it follows.
            let shop = from == to && is_shop(&annotated, to);
            // The college of `Anna Maria`, `Boston College`.
            let school = (from..to + 3).any(|at| SCHOOLS.contains(&annotated.word(at)))
                || (from < to && is_double_first(&annotated, to));
            // `Donald Trumps empire`: a possessive without its mark.
            let surname = annotated.word(to);
            let owner = surname.ends_with('s') && !surname.ends_with("ss") && people::surname_rank(surname).is_none();
            is_place
                || (owner && from < to)
                || shop
                || school
                || scores
                || of_the
                || shared
                || third
                || is_half(&annotated, from, to)
                || in_title(&annotated, from)
        }
        EntityKind::Place => {
            // `New China`, `China Open`, `Taiwan Semiconductor Manufacturing Company`.
            let named = ["New", "Old", "Little", "Great", "Casa", "El", "La", "Café", "Cafe"].contains(&before);
            let event = ["Open", "Olympics", "Games", "Cup", "Masters", "Airport", "Marathon", "Film", "Festival"]
                .contains(&after);
            let firm = after.starts_with(char::is_uppercase)
                && (to + 2..to + 5)
                    .any(|at| ["Company", "Co", "Corp", "Corporation", "Inc", "Ltd"].contains(&annotated.word(at)));
            // `New York Attorney General`: the state, and not the city.
            let state = name.text(text) == "New York"
                && ["Attorney", "Governor", "Gov", "Gov.", "Senator", "Sen", "Sen.", "state", "State", "Legislature"]
                    .contains(&after);
            named
                || state
                || event
                || firm
                || ["county", "County", "Parish", "Street", "St", "Avenue", "Ave", "Blvd", "Road", "Rd"]
                    .contains(&after)
                || is_team(&annotated, to)
                || in_title(&annotated, from)
        }
        EntityKind::Organisation => false,
    }
}

/// A single name beside another capital that no name was found for: `Siskel and Ebert`, `Bloody Mary`, `Johnnie To`, `Fred Meyer
/// store`.
fn is_half(annotated: &Annotated, from: usize, to: usize) -> bool {
    if is_headline(annotated, from) {
        return false;
    }
    let entities = annotated.analysis().entities();
    let in_name = |at: usize| entities.iter().any(|entity| entity.tokens.contains(&at));
    let is_capital = |at: usize| {
        let word = annotated.word(at);
        word.chars().count() > 1
            && word.starts_with(char::is_uppercase)
            && word.chars().any(char::is_lowercase)
            && !in_name(at)
    };
    // A title, or what a person is called by: `Senator Smith`, `Mr. Smith`.
    let is_title = |at: usize| {
        (annotated.starts_sentence(at) && is_common_word(annotated.word(at)))
            || annotated.word(at).ends_with('.')
            || annotated.word(at + 1) == "."
            || {
                let word = annotated.word(at).to_lowercase();
                TITLES.contains(&&*word)
            }
    };
    let touches = |left: usize, right: usize| {
        let tokens = annotated.analysis().tokens();
        tokens
            .get(left)
            .zip(tokens.get(right))
            .is_some_and(|(left, right)| annotated.analysis().text().get(left.span.end..right.span.start) == Some(" "))
    };
    let one = from == to;
    let before = from.checked_sub(1);
    // `FAO Schwarz`.
    let initials = |at: usize| {
        let word = annotated.word(at);
        (2..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase()) && !in_name(at)
    };
    let behind_initials = one && before.is_some_and(|at| touches(at, from) && initials(at) && !is_title(at));
    let joined_before = one
        && before.is_some_and(|at| touches(at, from) && is_capital(at) && !is_title(at) && is_name_like(annotated, at));
    let joined_after =
        touches(to, to + 1) && is_capital(to + 1) && is_name_like(annotated, to + 1) && !is_title(to + 1);
    // `Tom and Jerry`.
    let and = |at: usize| ["and", "&", "or"].contains(&annotated.word(at));
    let pair = one
        && ((and(to + 1) && annotated.word(to + 2).starts_with(char::is_uppercase) && is_single(annotated, to + 2))
            || (from >= 2 && and(from - 1) && is_single(annotated, from - 2)));
    // `a Fred Meyer store`.
    let shop = [
        "store",
        "stores",
        "shop",
        "restaurant",
        "museum",
        "award",
        "prize",
        "suit",
        "movie",
        "film",
        "films",
        "movies",
    ]
    .contains(&annotated.after(to));
    behind_initials || joined_before || joined_after || pair || shop
}

/// Whether a possessive stands alone or before no noun, as the name of a shop or restaurant does: `Denny's on the corner`.
fn is_shop(annotated: &Annotated, to: usize) -> bool {
    let possessive = ["'s", "\u{2019}s", "#39;s", "'"].contains(&annotated.after(to));
    let is_thing = |penn| {
        matches!(
            penn,
            Penn::Nn
                | Penn::Nns
                | Penn::Nnp
                | Penn::Nnps
                | Penn::Jj
                | Penn::Jjs
                | Penn::Jjr
                | Penn::Cd
                | Penn::Vbg
                | Penn::Vbn
                | Penn::Rb
        )
    };
    possessive && (is_chain(annotated.word(to)) || !annotated.penn(to + 2).is_some_and(is_thing))
}

const SCHOOLS: [&str; 7] = ["College", "University", "High", "School", "Academy", "Institute", "Elementary"];

/// `Anna Maria`, `Mary Ann`: two first names and no surname.
fn is_double_first(annotated: &Annotated, to: usize) -> bool {
    let word = annotated.word(to);
    let first = people::first_name_rank(word).map(|(_, rank)| rank);
    let surname = people::surname_rank(word);
    first.is_some_and(|first| first < 200 && surname.is_none_or(|surname| surname > 4 * first.max(100)))
}

/// Whether a word is one of the dictionary, and no name alone.
fn is_common_word(word: &str) -> bool {
    fissure_text::inflection::readings(&word.to_lowercase()).next().is_some()
        || TITLES.contains(&&*word.to_lowercase())
        || fissure_text::function_words::contains(&word.to_lowercase())
}

/// A capitalised word alone that no name was found for, or a first name alone.
fn is_single(annotated: &Annotated, at: usize) -> bool {
    let word = annotated.word(at);
    let Some(entity) = annotated.analysis().entities().iter().find(|entity| entity.tokens.contains(&at)) else {
        return word.starts_with(char::is_uppercase) && is_name_like(annotated, at);
    };
    entity.tokens.len() == 1 && !people::is_first_name(word)
}

/// A first name with no other name before it.
fn is_lone_first(annotated: &Annotated, at: usize) -> bool {
    let alone = !annotated.before(at).starts_with(char::is_uppercase) || annotated.starts_sentence(at);
    alone && people::is_first_name(annotated.word(at))
}

fn is_name_like(annotated: &Annotated, at: usize) -> bool {
    matches!(annotated.penn(at), Some(Penn::Nnp | Penn::Nnps | Penn::Nn | Penn::To | Penn::Jj))
}

/// `New York Knicks`, where only the place was found; what follows is a plural with a capital.
fn is_team(annotated: &Annotated, to: usize) -> bool {
    let next = annotated.after(to);
    !is_headline(annotated, to)
        && next.len() > 3
        && next.starts_with(char::is_uppercase)
        && next.ends_with('s')
        && !next.ends_with("ss")
        && next.chars().skip(1).all(char::is_lowercase)
}

/// `The Lady from Shanghai`, `Who's Afraid of Virginia Woolf`, `Glen or Glenda`, `Texas de Brazil`: a capital, a small word of a
/// title, the name.
fn in_title(annotated: &Annotated, from: usize) -> bool {
    let Some(capital) = from.checked_sub(2) else { return false };
    let word = annotated.word(capital);
    let entities = annotated.analysis().entities();
    ["of", "from", "de", "or", "meets", "du", "del"].contains(&annotated.before(from))
        && word.len() > 2
        && word.starts_with(char::is_uppercase)
        && !annotated.starts_sentence(capital)
        && !TITLES.contains(&&*word.to_lowercase())
        && !is_headline(annotated, from)
        && !(annotated.before(from) == "from" && entities.iter().any(|entity| entity.tokens.contains(&capital)))
}

/// What people are called by.
#[rustfmt::skip]
const TITLES: &[&str] = &[
    "mr", "mrs", "ms", "dr", "sir", "lord", "lady", "president", "senator", "minister", "prime", "king", "queen", "prince",
    "princess", "pope", "judge", "justice", "captain", "coach", "manager", "general", "secretary", "chairman", "chancellor",
    "governor", "mayor", "chief", "executive", "director", "sen", "rep", "gov", "gen", "col", "sgt", "lt", "rev", "prof", "professor",
    "democrat", "republican", "officer", "commissioner", "ambassador", "sheikh", "imam", "ayatollah", "detective", "inspector",
    "spokesman", "spokeswoman", "attorney", "actor", "actress", "star", "leader", "candidate", "and", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "yesterday", "today", "emperor", "sultan", "premier", "uncle", "aunt",
    "jr", "sr", "i", "the", "champion", "british", "american", "english", "german", "russian", "french", "australian", "spanish",
    "italian", "dutch", "swiss", "canadian", "chinese", "japanese", "indian", "iraqi", "israeli", "palestinian", "turkish", "olympic",
];

/// What the name of a place or person before it is the kind of.
#[rustfmt::skip]
const FOOD: &[&str] = &[
    "sprout", "noodle", "burrito", "roll", "style", "pizza", "steak", "cheesesteak", "fry", "fries", "dog", "strip", "beef", "salsa",
    "wing", "dumpling", "chicken", "bbq", "barbecue", "sandwich", "sandwiches", "salad", "sauce", "coffee", "ale", "beer", "bean",
    "bread", "toast", "cream", "cake", "pie", "pasta", "soup", "taco", "tea", "wine", "cheese", "ham", "pork", "lamb", "rice",
    "curry", "curries", "omelet", "omelette", "egg", "burger", "bagel", "muffin", "dressing", "cookie", "brownie", "shrimp", "crab",
    "oyster", "lobster", "fish", "mule", "cocktail", "whiskey", "bourbon", "gin", "vodka", "oil", "spice", "budget", "syndrome",
    "disease", "terrier", "shepherd", "collar", "convertible", "suit",
];
