use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Text, Transform, choices, transform};
use fissure_text::inflection::{self, Kind};
use fissure_text::{Penn, casing, wordnet};

use crate::clauses::{is_any, is_any_in};
use crate::support::annotated::Annotated;
use crate::support::chinese;
use crate::support::pairs;
use crate::support::synonyms;
use crate::support::word_cache::WordCache;

mod chinese_opposites;
mod literal;

transform! {
    /// Replaces a word of the second text of a pair with its opposite, so that the two contradict each other.
    ///
    /// If the second text follows from the first, or means the same, and both have the word, it turns in the second. Of other
    /// pairs the second text becomes the first with one word turned. Opposites are pairs that exclude each other (`young`,
    /// `old`), from a list of ours, and words with a denying prefix (`unhappy`), where only one of the two can be true: three days are
    /// no nights, and lost lives are never won. A text that denies, compares, asks or supposes something, or has both words, is left
    /// alone. In Chinese, adjectives turn where they say how a thing is (`价格很高`), and titles
    /// stay.
    pub struct SwapAnt {
        /// Which pairs to make: with a word that both texts share, with a copy of the first text, or either.
        pair: Pairs = Pairs::Either;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Class, Has::Pair],
        needs: &[LabelSenses],
        languages: &[English, Chinese],
        aliases: &["NliSwapAnt", "SmSwapAnt", "SmSwapWord", "SwapWord"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.08, 3.08), grammaticality: (3.98, 3.92) }),
    }
    examples: [
        "premise:: A tall man runs. // hypothesis:: A tall man moves. // label:: entailment"
            => "premise:: A tall man runs. // hypothesis:: A short man moves. // label:: contradiction",
        { pair = "copy" } "first:: The door was open. // second:: The open door was red. // label:: different"
            => "The door was open. // The door was closed. // label:: different",
        "premise:: An old dog sleeps. // hypothesis:: It rains. // label:: neutral"
            => "premise:: An old dog sleeps. // hypothesis:: A young dog sleeps. // label:: contradiction",
        "premise:: 一个男孩在跑步。 // hypothesis:: 男孩在运动。 // label:: entailment"
            => "premise:: 一个男孩在跑步。 // hypothesis:: 女孩在运动。 // label:: contradiction",
        "premise:: 这个女人怀孕了。 // hypothesis:: 一个女人怀孕了。 // label:: entailment"
            => "premise:: 这个女人怀孕了。 // hypothesis:: 一个女人怀孕了。 // label:: entailment",
        { pair = "shared" } "premise:: An old dog sleeps. // hypothesis:: It rains. // label:: neutral"
            => "premise:: An old dog sleeps. // hypothesis:: It rains. // label:: neutral",
        "premise:: The celebration lasted three days. // hypothesis:: The party lasted three days. // label:: entailment"
            => "premise:: The celebration lasted three days. // hypothesis:: The party lasted three days. // label:: entailment",
        "premise:: They sued the firm for failing to pay. // hypothesis:: A court met. // label:: neutral"
            => "premise:: They sued the firm for failing to pay. // hypothesis:: A court met. // label:: neutral",
        "premise:: A tall man and a short man run. // hypothesis:: A tall man runs. // label:: entailment"
            => "premise:: A tall man and a short man run. // hypothesis:: A tall man runs. // label:: entailment",
    ]
}

choices! {
    /// Which pairs an opposite is made for.
    pub enum Pairs { Either = "either", Shared = "shared", Copy = "copy" }
}

/// Words of which at most one can be true of a thing, either way. Written for this project.
const ADJECTIVES: &[(&str, &str)] = &[
    ("young", "old"),
    ("tall", "short"),
    ("big", "small"),
    ("large", "small"),
    ("huge", "tiny"),
    ("long", "short"),
    ("open", "closed"),
    ("wet", "dry"),
    ("full", "empty"),
    ("asleep", "awake"),
    ("happy", "sad"),
    ("hot", "cold"),
    ("male", "female"),
    ("dark", "bright"),
    ("clean", "dirty"),
    ("rich", "poor"),
    ("strong", "weak"),
    ("dead", "alive"),
    ("thick", "thin"),
    ("deep", "shallow"),
    ("wide", "narrow"),
    ("loud", "quiet"),
    ("fast", "slow"),
    ("black", "white"),
    ("public", "private"),
    ("guilty", "innocent"),
    ("sick", "healthy"),
    ("high", "low"),
    ("crowded", "deserted"),
    ("snowy", "sunny"),
    ("sunny", "rainy"),
    ("modern", "ancient"),
    ("blond", "bald"),
    ("smooth", "rough"),
    ("drunk", "sober"),
    ("northern", "southern"),
    ("eastern", "western"),
    ("positive", "negative"),
    ("successful", "unsuccessful"),
    ("profitable", "unprofitable"),
    ("higher", "lower"),
    ("larger", "smaller"),
    ("elderly", "young"),
    ("older", "younger"),
    ("taller", "shorter"),
    ("bearded", "beardless"),
];
const NOUNS: &[(&str, &str)] = &[
    ("man", "woman"),
    ("boy", "girl"),
    ("male", "female"),
    ("summer", "winter"),
    ("day", "night"),
    ("morning", "evening"),
    ("adult", "child"),
    ("gentleman", "lady"),
    ("brother", "sister"),
    ("father", "mother"),
    ("husband", "wife"),
    ("son", "daughter"),
    ("success", "failure"),
    ("profit", "loss"),
    ("increase", "decrease"),
    ("victory", "defeat"),
    ("uncle", "aunt"),
    ("beginning", "end"),
];
const VERBS: &[(&str, &str)] = &[
    ("rise", "fall"),
    ("increase", "decrease"),
    ("win", "lose"),
    ("gain", "lose"),
    ("accept", "reject"),
    ("love", "hate"),
    ("arrive", "depart"),
    ("push", "pull"),
    ("buy", "sell"),
    ("remember", "forget"),
    ("succeed", "fail"),
    ("laugh", "cry"),
    ("smile", "frown"),
    ("strengthen", "weaken"),
    ("climb", "descend"),
    ("sit", "stand"),
];
const ADVERBS: &[(&str, &str)] = &[
    ("inside", "outside"),
    ("indoors", "outdoors"),
    ("quickly", "slowly"),
    ("upstairs", "downstairs"),
    ("happily", "sadly"),
    ("loudly", "quietly"),
];

/// Words that make a text deny, compare, offer or suppose.
const HEDGES: &[&str] = &[
    "not",
    "t",
    "no",
    "never",
    "without",
    "if",
    "or",
    "than",
    "as",
    "could",
    "would",
    "may",
    "might",
    "either",
    "neither",
    "nor",
    "should",
    "can",
    "perhaps",
    "maybe",
    "probably",
    "likely",
    "some",
    "any",
    "both",
    "while",
    "nobody",
    "nothing",
    "cannot",
    "few",
    "other",
    "another",
    "one",
    "each",
    "every",
    "like",
    "different",
];

/// Words that say of somebody that it is a man or a woman.
const GENDERED: &[&str] = &[
    "he", "she", "his", "her", "him", "hers", "himself", "herself", "mr", "mrs", "ms", "beard", "pregnant", "bearded",
    "mustache", "bikini",
];

impl Transform for SwapAnt {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let (sense, differs) = pairs::contradicting(sample, resources)?;
        let [first, second, ..] = &sample.fields[..] else { return Ok(Change::default()) };
        if pairs::agree(sense) && self.pair != Pairs::Copy {
            let here = turnable(&first.text, &[&first.text, &second.text]);
            let mut shared = turnable(&second.text, &[&first.text, &second.text]);
            shared.retain(|there| here.iter().any(|word| word.lemma == there.lemma));
            if let Some(turned) = dice.pick(&shared) {
                let edits: Vec<Edit> = turned.edits.iter().cloned().map(|edit| edit.on(1)).collect();
                return Ok(Change::from(edits).with_label(differs.clone()));
            }
        }
        if self.pair == Pairs::Shared {
            return Ok(Change::default());
        }
        // What is said in a long Chinese text is too much to be sure that one word turns it.
        let long = chinese::is_chinese(&first.text) && first.text.chars().count() > LONG_IN_CHINESE;
        let words = if long { Vec::new() } else { turnable(&first.text, &[&first.text]) };
        let Some(turned) = dice.pick(&words) else { return Ok(Change::default()) };
        let copy = fissure_core::splice(&first.text, &turned.edits);
        if copy == second.text.as_str() {
            return Ok(Change::default());
        }
        Ok(Change::from(Edit::replace(0..second.text.len(), copy).on(1)).with_label(differs.clone()))
    }
}

/// A word that can turn, and how.
struct Turned {
    lemma: Box<str>,
    edits: Vec<Edit>,
}

/// The words of a text that have an opposite which none of `texts` has.
fn turnable(text: &Text, texts: &[&Text]) -> Vec<Turned> {
    if chinese::is_chinese(text) {
        return chinese_opposites::turnable(text, texts);
    }
    if texts.iter().any(|text| is_any_in(text, HEDGES) || literal::asks(text)) {
        return Vec::new();
    }
    let annotated = Annotated::of(text);
    let says = |word: &str| texts.iter().any(|text| is_any_in(text, &[word]));
    let mut found: Vec<Turned> = Vec::new();
    let mut again: Vec<Box<str>> = Vec::new();
    for at in 0..annotated.len() {
        // The word alone decides first: tags and phrases are looked up for the few that can turn.
        if !annotated.is_plain(at) || !may_turn(&annotated.small(at)) || annotated.in_phrase(at) {
            continue;
        }
        let (Some(kind), lemma) = (annotated.kind(at), annotated.lemma(at)) else { continue };
        let small = annotated.small(at).into_owned();
        let of_its_noun = literal::of_its_noun(&annotated, at, &lemma);
        let listed = opposite(&small, kind).filter(|_| of_its_noun.is_none());
        let opposite = listed.map(|form| (form.to_owned(), form.to_owned())).or_else(|| {
            let other = of_its_noun.or_else(|| opposite(&lemma, kind))?;
            Some((other.to_owned(), annotated.inflect(at, other)?))
        });
        let Some((other, form)) = opposite else { continue };
        if found.iter().any(|known| known.lemma == lemma) {
            again.push(lemma);
            continue;
        }
        let gendered = kind == Kind::Noun && fissure_text::names::gendered_words::of(&lemma).is_some();
        let bound = gendered && texts.iter().any(|text| is_any_in(text, GENDERED) || literal::names_somebody(text));
        // `black and white`, `stand up`, `a day trip`
        let joined = is_any(annotated.after(at), &["and", "-", "up", "down", "off", "out", "in", "over"])
            && kind != Kind::Noun
            || is_any(annotated.before(at), &["and", "all", "very", "per", "-", "these", "to"])
            || annotated.kind(at + 1) == Some(Kind::Noun) && kind == Kind::Noun
            || annotated.kind(at + 1) == Some(Kind::Adjective)
                && kind == Kind::Adjective
                && is_any(annotated.after(at), &["black", "white"]);
        // `an old boy` is somebody else.
        let child = matches!(&*lemma, "young" | "old")
            && is_any(
                annotated.after(at),
                &["boy", "girl", "child", "kid", "boys", "girls", "children", "kids", "lady"],
            );
        let plural = inflection::inflect(&other, "NNS").unwrap_or_default();
        let child = child
            || is_bound_to_its_word(&annotated, at, &lemma)
            || !literal::is_literal(&annotated, at, &lemma, kind, texts);
        if bound || joined || child || says(&other) || says(&form) || says(&plural) || says_like(&other, kind, texts) {
            continue;
        }
        let mut edits = Vec::new();
        annotated.put(at, &casing::follow(annotated.word(at), &form), &mut edits);
        found.push(Turned { lemma, edits });
    }
    // Turned in one place only, a word that is repeated would stand beside its opposite.
    found.retain(|turned| !again.contains(&turned.lemma));
    found
}

/// Whether a word means what it means only here: `old scores` are not young, `weight loss` is no profit, `her aunt, Eve,` is a woman
/// by her name, `White, who` is somebody, `stand by it` is not done on a chair.
fn is_bound_to_its_word(annotated: &Annotated, at: usize, lemma: &str) -> bool {
    let after = annotated.after(at);
    let lives = |noun: &str| {
        let sense = wordnet::senses(noun, Kind::Noun).next();
        sense.is_some_and(|sense| ["noun.person", "noun.animal", "noun.group"].contains(&sense.topic()))
    };
    let named = annotated.word(at + 1) == "," && matches!(annotated.penn(at + 2), Some(Penn::Nnp | Penn::Nnps));
    let kin = ["uncle", "aunt", "husband", "wife", "brother", "sister", "father", "mother", "son", "daughter", "widow"];
    match lemma {
        "old" | "young" | "elderly" => annotated.kind(at + 1) == Some(Kind::Noun) && !lives(&annotated.lemma(at + 1)),
        // A path in the snow may be sunny.
        "snowy" | "sunny" | "rainy" => !is_any(after, &["day", "days", "weather", "morning", "afternoon", "evening"]),
        "loss" | "profit" => at > 0 && annotated.kind(at - 1) == Some(Kind::Noun),
        "stand" | "sit" => is_any(after, &["by", "for", "to"]) || annotated.penn(at + 1) == Some(Penn::Cd),
        _ if kin.contains(&lemma) => named,
        _ => annotated.starts_sentence(at) && after == ",",
    }
}

/// Whether a word, in lower case, has an opposite as some part of speech.
fn may_turn(word: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|word| {
        let kinds = [Kind::Adjective, Kind::Noun, Kind::Verb, Kind::Adverb];
        let has = |lemma: &str| kinds.iter().any(|kind| opposite(lemma, *kind).is_some());
        has(word) || inflection::readings(word).any(|(_, lemma)| has(lemma))
    });
    KNOWN.of(word)
}

/// The word that excludes this one.
fn opposite(lemma: &str, kind: Kind) -> Option<&'static str> {
    let pairs = match kind {
        Kind::Adjective => ADJECTIVES,
        Kind::Noun => NOUNS,
        Kind::Verb => VERBS,
        Kind::Adverb => ADVERBS,
    };
    let listed = pairs.iter().find_map(|(one, other)| match lemma {
        _ if lemma == *one => Some(*other),
        _ if lemma == *other => Some(*one),
        _ => None,
    });
    listed.or_else(|| denied(lemma, kind))
}

/// `unhappy` for `happy`, and back.
fn denied(lemma: &str, kind: Kind) -> Option<&'static str> {
    if kind != Kind::Adjective {
        return None;
    }
    let sense = synonyms::main_sense(lemma, kind, 0.6)?;
    let denies = |one: &str, other: &str| {
        ["un", "in", "im", "il", "ir", "dis", "non"].iter().any(|prefix| one.strip_prefix(prefix) == Some(other))
    };
    let known = |word: &str| fissure_text::neighbours::frequency_rank(word).is_some_and(|rank| rank < 15_000);
    let found = sense.antonyms().map(|antonym| antonym.word());
    let excludes = |other: &&str| (denies(other, lemma) || denies(lemma, other)) && literal::is_deniable(lemma, other);
    found.into_iter().find(|other| known(other) && excludes(other))
}

/// Whether a text says the opposite in another word: `elderly` beside `young`.
fn says_like(other: &str, kind: Kind, texts: &[&Text]) -> bool {
    let like = wordnet::senses(other, kind).take(1).flat_map(|sense| sense.synonyms().chain(sense.similar()));
    like.into_iter().any(|word| texts.iter().any(|text| is_any_in(text, &[word.word()])))
}

/// The most characters of a Chinese text that is copied.
const LONG_IN_CHINESE: usize = 60;
