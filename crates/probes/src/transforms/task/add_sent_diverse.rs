use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Span, Text, choices, layer, transform};
use fissure_text::{EntityKind, Penn, casing};

use crate::clauses::is_any_in;
use crate::support::annotated::Annotated;
use crate::support::{agreement, fakes, names, sentences, statements};
use crate::transforms::sentence::append_irr::put_after;

transform! {
    /// Adds a sentence that looks like the answer and speaks of something else.
    ///
    /// The question becomes a statement about another person, place or year, with a made-up answer of the same kind:
    /// `Where was Tesla born?` gives `Edison was born in Graz.` At least one name or number of the question is another one, so
    /// the passage still answers the question as before. Questions of other forms, without a name or number, or whose answer
    /// is neither a name nor a number are left alone; that is most of SQuAD, of which about one in fifty changes.
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
            => "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1874. // (question):: Who invented the radio in 1911?",
        { place = "end" } "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?"
            => "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1874. // (question):: Who invented the radio in 1911?",
        { place = "random" } "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?"
            => "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1874. // (question):: Who invented the radio in 1911?",
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
    let text = &sample.fields[0].text;
    let gold: Vec<String> =
        sample.layer(layer::ANSWERS).map(|(_, mark)| sample.words_of(mark).to_lowercase()).collect();
    let in_use = |made: &str| {
        gold.iter().any(|gold| gold.contains(&made.to_lowercase()) || made.to_lowercase().contains(gold))
            || agreement::says(sample, made)
    };
    let said = answer.of(text);
    let found = names::of(sample, 0, text);
    let kind = found
        .iter()
        .find(|name| {
            name.words.first().map(|word| word.start) == Some(answer.start)
                && name.words.last().map(|word| word.end) == Some(answer.end)
        })
        .map(|name| name.kind)
        .or_else(|| fakes::kind_of(said));
    // `In 1961` and `31 million volumes` would not fit where the statement has its answer.
    let whole = said.split(' ').count() == 1 || kind.is_some() || fissure_text::numbers::parse(said).is_some();
    if !whole || !suits(question, kind) {
        return None;
    }
    let fake = fakes::other_than(said, kind, in_use, dice)?;
    let others = others(sample, question, dice)?;
    statements::statement(question, &fake, |at| others.get(&at).cloned())
}

/// Whether an answer of this kind is what the question asks for, as far as its first words tell.
fn suits(question: &Text, kind: Option<EntityKind>) -> bool {
    let annotated = Annotated::of(question);
    let asks = |words: &[&str]| (0..annotated.len().min(5)).any(|at| words.contains(&&*annotated.small(at)));
    let person = |at: usize| {
        let sense = fissure_text::wordnet::senses(&annotated.lemma(at), fissure_text::inflection::Kind::Noun).next();
        sense.is_some_and(|sense| sense.topic() == "noun.person")
    };
    let odd = ["known", "called", "named", "term", "name", "besides"];
    if (0..annotated.len()).any(|at| odd.contains(&&*annotated.small(at))) {
        return false;
    }
    match kind {
        Some(EntityKind::Person) => asks(&["who"]) || person(1) || person(2),
        Some(EntityKind::Place) => asks(&["where", "city", "country", "state", "place", "town", "capital"]),
        Some(EntityKind::Organisation) => asks(&["organization", "organisation", "company", "university", "group"]),
        None => asks(&["when", "year", "many"]),
    }
}

/// Other words for the names and numbers of a question, by token; nothing if none can change.
fn others(sample: &Sample, question: &Text, dice: &mut Dice) -> Option<BTreeMap<usize, String>> {
    let annotated = Annotated::of(question);
    let tokens = annotated.analysis().tokens();
    let at_byte = |byte: usize| tokens.iter().position(|token| token.span.start == byte);
    let mut others: BTreeMap<usize, String> = BTreeMap::new();
    let blank = Sample { fields: vec![fissure_core::Field::open("question", question.as_str())], ..Sample::default() };
    for name in names::of(&blank, 0, question) {
        let old = name.text(question);
        // A name that is on no list is a person if the recogniser takes it for one.
        let listed = fakes::kind_of(&old);
        let placed = ["in", "from", "at", "of"].iter().any(|word| agreement::says(sample, &format!("{word} {old}")));
        if listed.is_none() && placed {
            return None;
        }
        let kind = listed.or(Some(name.kind).filter(|kind| *kind == EntityKind::Person))?;
        let new = fakes::other_than(&old, Some(kind), |made| agreement::says(sample, made), dice)?;
        let mut words = new.split(' ');
        let last = name.words.len() - 1;
        for (at, word) in name.words.iter().enumerate() {
            let rest = if at == last {
                words.by_ref().collect::<Vec<_>>().join(" ")
            } else {
                words.next().unwrap_or("").to_owned()
            };
            // A name of fewer words leaves the others out.
            others.insert(at_byte(word.start)?, rest);
        }
    }
    for range in numbered(question) {
        let new = fakes::another(question, range.clone(), dice).filter(|new| !agreement::says(sample, new));
        if let (Some(new), Some(at)) = (new, at_byte(range.start)) {
            others.insert(at, casing::follow(annotated.word(at), &new).into_owned());
        }
    }
    // Names that the lists do not know would make the statement one about the same thing if nothing else changed.
    let unknown = (1..annotated.len())
        .filter(|at| matches!(annotated.penn(*at), Some(Penn::Nnp | Penn::Nnps)) && !others.contains_key(at))
        .count();
    let changed = others.iter().any(|(at, new)| *new != annotated.word(*at) && !new.is_empty());
    let told = !others.values().any(|new| new.is_empty());
    (changed && told && unknown == 0 && !is_any_in(question, &["not", "besides", "except", "other", "another", "also"]))
        .then_some(others)
}

/// Numbers of one token that can be others.
fn numbered(question: &Text) -> Vec<std::ops::Range<usize>> {
    let single = |range: &std::ops::Range<usize>| !question[range.clone()].contains([' ', '-']);
    fissure_text::numbers::find(question).into_iter().map(|(range, _)| range).filter(single).collect()
}
