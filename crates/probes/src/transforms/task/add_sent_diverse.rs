use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Span, Text, choices, layer, transform};
use fissure_text::inflection::Kind;
use fissure_text::names::{Gender, gendered_words, instances, people, places};
use fissure_text::{EntityKind, Penn, casing, inflection, wordnet};

use crate::clauses::is_any;
use crate::support::annotated::Annotated;
use crate::support::statements::{Asks, Question, Shape};
use crate::support::{agreement, fakes, names, sentences, statements};
use crate::transforms::sentence::append_irr::put_after;

transform! {
    /// Adds a sentence that looks like the answer and speaks of something else.
    ///
    /// The question becomes a statement about another person, place, year or thing, with a made-up answer of the same form:
    /// `Where was Tesla born?` gives `Edison was born in Graz.` At least one name, number, noun or adjective of the question is
    /// another one, so the passage still answers the question as before. Nouns become others only where both cannot be true (`brother`
    /// and `son`): an army is a corps as well, and a sentence about it would answer the question. Left alone are questions whose order as a statement is
    /// not sure, whose answer is neither a name nor a number (another noun seldom makes an answer that a reader would believe), and
    /// those of which no word has another of its kind: of the answerable questions of SQuAD about one in seventeen changes.
    pub struct AddSentDiverse {
        /// Where the sentence goes.
        place: Place = Place::Before;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::ANSWERS), Has::SeveralTexts],
        languages: &[English],
        aliases: &["AddSentDiverse", "AddSentenceDiverse"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Jia and Liang 2017; Wang and Bansal 2018"),
    }
    examples: [
        "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?"
            => "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1905. // (question):: Who invented the radio in 1911?",
        "context:: Robert drove them out. He landed with [30,000|answers] men. // (question):: How many men were in Robert's army?"
            => "context:: Robert drove them out. He landed with [30,000|answers] men. // (question):: How many men were in Robert's army?",
        { place = "end" } "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?"
            => "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1905. // (question):: Who invented the radio in 1911?",
        { place = "random" } "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?"
            => "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1905. // (question):: Who invented the radio in 1911?",
    ]
}

choices! {
    /// Where a misleading sentence goes.
    pub enum Place { Before = "before", End = "end", Random = "random" }
}

impl EditSample for AddSentDiverse {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the passage may not be edited".into()));
        };
        let Some(question) = sample.fields.iter().skip(1).find(|field| &*field.name == "question") else {
            return Err(Skip("there is no question".into()));
        };
        let answers: Vec<Span> =
            sample.layer(layer::ANSWERS).filter(|(_, mark)| mark.field == 0).map(|(_, mark)| mark.span).collect();
        let Some(first) = answers.first() else { return Err(Skip("the question has no answer in the passage".into())) };
        let Some(made) = distractor(sample, &question.text, *first, dice) else { return Ok(Vec::new()) };
        let spans = sentences::spans(sample, 0);
        let starts: Vec<usize> = spans.iter().map(|span| span.start).collect();
        let holds = |start: &&usize| spans.iter().any(|span| span.start == **start && span.covers(*first));
        // A sentence that refers to the one before it would refer to the new one.
        let free = |at: usize| {
            !sentences::refers(first_clause(spans[at].of(&field.text)))
                && !sentences::links_back(spans[at].of(&field.text))
        };
        let place = match self.place {
            Place::Before => starts
                .iter()
                .find(holds)
                .copied()
                .filter(|start| spans.iter().position(|span| span.start == *start).is_some_and(free)),
            Place::Random => {
                let fit: Vec<usize> = (0..spans.len()).filter(|at| free(*at)).map(|at| starts[at]).collect();
                dice.pick(&fit).copied()
            }
            Place::End => None,
        };
        let inside =
            |at: usize| sample.marks.iter().any(|mark| mark.field == 0 && mark.span.start < at && at < mark.span.end);
        Ok(vec![match place.filter(|at| !inside(*at)) {
            Some(at) => Edit::insert(at, format!("{made} ")),
            None => put_after(field, &made),
        }])
    }
}

fn first_clause(sentence: &str) -> &str {
    sentence.split([',', ';']).next().unwrap_or(sentence)
}

/// A statement like the answer to the question, about something else.
fn distractor(sample: &Sample, question: &Text, answer: Span, dice: &mut Dice) -> Option<String> {
    let annotated = Annotated::of(question);
    // `Beginning in what year was it`: the order of a statement is not sure.
    if annotated.penn(0) == Some(Penn::Vbg) {
        return None;
    }
    let asked = statements::read(&annotated)?;
    if is_unsure(&annotated, &asked) {
        return None;
    }
    let fake = (0..8).find_map(|_| {
        let fake = fakes::made_up(sample, answer, &asked, dice)?;
        (!in_use(sample, &fake.words) && agrees(&annotated, &fake.words)).then_some(fake)
    })?;
    // `in Spain` says where, not who.
    let names_thing = matches!(asked.asks, Asks::Thing | Asks::Count | Asks::Owner);
    let near = fake.words.split(' ').next().is_some_and(|first| is_any(first, &["about", "around", "over", "nearly"]));
    if names_thing && fake.is_adverbial && !near {
        return None;
    }
    let others = others(sample, question, &annotated, &asked, dice)?;
    let made = statements::statement(&asked, &fake, |at| others.get(&at).cloned())?;
    is_in_order(&annotated, &asked, &made).then_some(made)
}

/// Whether a question is none that a made-up answer fits, or its statement would not be in order.
fn is_unsure(question: &Annotated, asked: &Question<'_>) -> bool {
    let says = |words: &[&str]| (0..question.len()).any(|at| is_any(question.word(at), words));
    let is_verb = |at: usize| question.penn(at).is_some_and(|penn| penn.as_str().starts_with("VB"));
    // `did Edmond's characterize` is a slip of its writer.
    let torn = (0..question.len()).any(|at| question.penn(at) == Some(Penn::Pos) && is_verb(at + 1));
    // `As of what year were engines available`: the verb would stand before its subject.
    let before_verb = asked.shape == Shape::InPlace
        && asked.phrase.end < asked.end
        && is_any(
            question.word(asked.phrase.end),
            &["is", "are", "was", "were", "did", "does", "do", "has", "had", "have"],
        )
        && matches!(asked.asks, Asks::Time | Asks::Place | Asks::Thing)
        && asked.phrase.start > 0;
    // `votes out of the 352`: more than there are.
    // `sports does Harvard compete in`: what counts them is no object.
    let no_object = says(&["compete", "participate"]) && asked.asks == Asks::Count;
    torn || before_verb || no_object || (asked.asks == Asks::Count && says(&["out"]))
}

/// Whether a participle at the end of a question stands behind its verb: not `the word recorded was in 1066`.
fn is_in_order(question: &Annotated, asked: &Question<'_>, made: &str) -> bool {
    let by = (asked.verb + 1..asked.end).find(|at| is_any(question.word(*at), &["by"])).unwrap_or(asked.end);
    let Some(last) = by.checked_sub(1).filter(|last| *last > asked.verb) else { return true };
    let (verb, participle) = (question.word(asked.verb), question.word(last));
    // Taggers take the last word of a question for a noun.
    let may_be_one = matches!(question.penn(last), Some(Penn::Vbn | Penn::Vbd))
        || inflection::lemmas(&participle.to_lowercase(), "VBN").next().is_some();
    let passive = is_any(verb, &["was", "were", "is", "are"]) && may_be_one && made.contains(participle);
    !passive || made.find(&format!(" {verb} ")) < made.find(participle)
}

/// Whether the pronouns of a question can stand for a made-up person: `Who said he wanted it?`
fn agrees(question: &Annotated, made: &str) -> bool {
    let says = |words: &[&str]| (0..question.len()).any(|at| is_any(question.word(at), words));
    let says_one = |gender: Gender| (0..question.len()).any(|at| gendered_words::of(question.word(at)) == Some(gender));
    let first = made.split(' ').next().unwrap_or("");
    // `Who deployed its army`: a country did, and a person cannot stand for it.
    let person = people::is_first_name(first) || people::is_surname(first);
    if person && says(&["its", "itself"]) {
        return false;
    }
    match people::gender(first) {
        Some(Gender::Female) => !says(&["he", "him", "his", "himself"]) && !says_one(Gender::Male),
        Some(Gender::Male) => !says(&["she", "her", "hers", "herself"]) && !says_one(Gender::Female),
        None => true,
    }
}

/// Whether a made-up answer is one, or says something that the sample speaks of.
fn in_use(sample: &Sample, made: &str) -> bool {
    let made = made.to_lowercase();
    let bare = made.strip_prefix("the ").or(made.strip_prefix("a ")).or(made.strip_prefix("an ")).unwrap_or(&made);
    let gold = sample.layer(layer::ANSWERS).map(|(_, mark)| sample.words_of(mark).to_lowercase());
    let mut gold = gold.filter(|gold| !gold.is_empty());
    gold.any(|gold| gold.contains(bare) || made.contains(&gold)) || agreement::says(sample, bare)
}

/// Other words for the names and numbers of a question, by token, or for a thing that it speaks of; nothing if none can
/// change.
fn others(
    sample: &Sample,
    text: &Text,
    annotated: &Annotated,
    asked: &Question<'_>,
    dice: &mut Dice,
) -> Option<BTreeMap<usize, String>> {
    let tokens = annotated.analysis().tokens();
    let at_byte = |byte: usize| tokens.iter().position(|token| token.span.start == byte);
    let mut others: BTreeMap<usize, String> = BTreeMap::new();
    let blank = Sample { fields: vec![fissure_core::Field::open("question", text.as_str())], ..Sample::default() };
    for name in names::of(&blank, 0, text) {
        let places: Vec<usize> = name.words.iter().filter_map(|word| at_byte(word.start)).collect();
        if let Some((places, new)) = other_name(sample, annotated, &places, name.kind, dice) {
            others.extend(places.iter().skip(1).map(|at| (*at, String::new())));
            others.insert(places[0], new);
        }
    }
    // Years move together, so that the first of two stays the first.
    let shift = 5 + dice.below(30) as i64;
    for range in numbered(text) {
        // `two of his advisers`: how many there are is also how many the answer names.
        let named = |at: usize| is_any(annotated.after(at), &["of"]);
        let Some(at) = at_byte(range.start).filter(|at| fakes::can_change(annotated, *at) && !named(*at)) else {
            continue;
        };
        let year = text[range.clone()].parse::<i64>().ok().filter(|year| (1000..=2030).contains(year));
        let new = match year {
            Some(year) => Some((year - shift).to_string()),
            None => fakes::another(text, range, dice),
        };
        if let Some(new) = new.filter(|new| !agreement::says(sample, new) && !is_quoted(annotated, at)) {
            others.insert(at, casing::follow(annotated.word(at), &new).into_owned());
        }
    }
    // What the phrase that asks has is not said in the statement.
    let said = |at: &usize| !asked.phrase.contains(at);
    // `one of his daughters decided she`: another noun need not agree.
    let pronouns = ["he", "she", "his", "her", "him", "they", "their"];
    let referred = (0..annotated.len()).any(|at| is_any(annotated.word(at), &pronouns));
    if !others.keys().any(said) && !referred {
        let from = if asked.shape == Shape::InPlace { asked.lead.clone() } else { asked.verb + 1..asked.end };
        others.extend(fakes::other_thing(annotated, from, |made| agreement::says(sample, made), dice));
    }
    others.keys().any(said).then_some(others)
}

/// Another name for the one at these tokens of the question, without `'s` at its end.
fn other_name<'t>(
    sample: &Sample,
    annotated: &Annotated,
    tokens: &'t [usize],
    seen: EntityKind,
    dice: &mut Dice,
) -> Option<(&'t [usize], String)> {
    let tokens = match tokens.split_last() {
        Some((last, rest)) if annotated.penn(*last) == Some(Penn::Pos) => rest,
        _ => tokens,
    };
    let (first, last) = (*tokens.first()?, *tokens.last()?);
    let words: Vec<&str> = tokens.iter().map(|at| annotated.word(*at)).collect();
    let old = words.join(" ");
    // `Costa Rican`, `Anwar Sadat` of which one word was recognised: a name ends where the names end.
    let is_name = |at: usize| matches!(annotated.penn(at), Some(Penn::Nnp | Penn::Nnps));
    // `President Lincoln`: a title is no part of the name.
    let before = first.checked_sub(1).filter(|at| is_name(*at));
    let titled = |at: usize| inflection::is_lemma(&annotated.word(at).to_lowercase(), "NN");
    if is_name(last + 1) || before.is_some_and(|at| !titled(at)) || is_any(annotated.after(last), &["v", "v."]) {
        return None;
    }
    let listed = fakes::kind_of(&old);
    // `Kublai's China` is his and no other country.
    if first.checked_sub(1).is_some_and(|at| annotated.penn(at) == Some(Penn::Pos)) {
        return None;
    }
    // `Washington` is a town and a general: where no preposition stands before it, either may act.
    let said_of = is_any(annotated.before(first), &["in", "of", "at", "from", "near", "to"]);
    if words.len() == 1 && !said_of && places::find(&old).is_some() && people::is_surname(&old) {
        return None;
    }
    // A name that is on no list is a person if the recogniser takes it for one, no word of it is another (`Palace`), and
    // the passage does not say `in` of it.
    let put = is_any(annotated.before(first), &["in", "from", "at", "near", "into", "through"]);
    let placed = put || ["in", "from", "at", "of"].iter().any(|word| agreement::says(sample, &format!("{word} {old}")));
    let noun = words.iter().any(|word| inflection::is_lemma(&word.to_lowercase(), "NN"));
    let located = wordnet::senses(&old, Kind::Noun).next().is_some_and(|sense| sense.topic() == "noun.location");
    let land = located || instances::find(&old).is_some_and(|found| found.kind == instances::Kind::Place);
    let known = people::is_first_name(words[0]) || words.last().is_some_and(|last| people::is_surname(last));
    let person = Some(seen).filter(|kind| *kind == EntityKind::Person && known && !placed && !noun && !land);
    // `emigrated to Holland`: people bear the name as well, and nobody goes to them.
    let towards = put || is_any(annotated.before(first), &["to", "across", "around", "outside"]);
    // `Battle of Hastings`, and `England`, which is also a surname.
    let of = is_any(annotated.before(first), &["of"]);
    if listed == Some(EntityKind::Person) && words.len() == 1 && (towards || of || land) {
        return None;
    }
    // `the husband of` somebody whose gender is not known
    let married = ["husband", "wife", "concubine", "widow", "bride", "queen", "king"];
    if listed.or(person) == Some(EntityKind::Person)
        && people::gender(words[0]).is_none()
        && (0..annotated.len()).any(|at| is_any(annotated.word(at), &married))
    {
        return None;
    }
    let new = fakes::other_than(&old, listed.or(person)?, |made| agreement::says(sample, made), dice)?;
    // `Prime Minister Wilson` is called by a surname.
    let by_title = before.is_some() && words.len() == 1 && !people::is_surname(&new);
    (!is_quoted(annotated, first) && !by_title).then_some((tokens, new))
}

/// Whether a quotation opens before a token and closes behind it: titles stay as they are.
fn is_quoted(annotated: &Annotated, at: usize) -> bool {
    let quotes = |range: std::ops::Range<usize>| {
        range.into_iter().filter(|at| ["\"", "``", "''", "'"].contains(&annotated.word(*at))).count()
    };
    quotes(0..at) % 2 == 1
}

/// Numbers of one token that can be others.
fn numbered(question: &Text) -> Vec<std::ops::Range<usize>> {
    let single = |range: &std::ops::Range<usize>| !question[range.clone()].contains([' ', '-']);
    fissure_text::numbers::find(question).into_iter().map(|(range, _)| range).filter(single).collect()
}
