use fissure_core::{
    Amount, Candidate, Dice, Drawing, Draws, Edit, EditSample, Field, Law, Place, Proposal, Resources, Sample, Skip,
    Span, Text, transform,
};
use fissure_text::inflection::{self, Kind};
use fissure_text::{Penn, Tag, Upos, wordnet};

use crate::support::agreement;
use crate::support::annotated::Annotated;
use crate::support::chinese::{self, Han};
use crate::support::new_tokens::TokenLabels;
use crate::support::word_cache::WordCache;

mod chinese_places;

use chinese_places::{ADVERBS, places};

transform! {
    /// Puts an adverb before a verb, behind its auxiliaries: `has quietly left`.
    ///
    /// Which adverb depends on the verb: `firmly believe`, `officially announced`, `really love`; most verbs take `actually`,
    /// which stresses and adds no claim. Verbs of saying are left alone: `police actually said` doubts them.
    /// A verb that is negated, has an adverb already, or stands behind `to` is left alone. A hypothesis stays as it is:
    /// with an adverb it could claim more than its premise says. In Chinese `确实`, `的确` or `真的` goes between a subject and what is said
    /// of it: before its word of degree, its denial, or a verb of thinking, being or being able. Questions stay.
    pub struct InsertAdv {
        ..Amount::share(0.3);
    }
    card: {
        level: Some(Word),
        family: Some(Syntax),
        expectation: Some(Kept),
        // `He quickly left` need not mean what `He left` means.
        expectation_if: &[(Has::Sense(Sense::Same), Unsure)],
        languages: &[English, Chinese],
        does: &[AddsLabelledWords],
        aliases: &["InsertAdv"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3.2"),
        human: Some(HumanScores { plausibility: (3.76, 3.69), grammaticality: (3.79, 3.68) }),
    }
    examples: [
        { seed = "2" } "She has left the house." => "She has actually left the house.",
        "The committee rejected the plan, and its chairman will resign." => "The committee rejected the plan, and its chairman will actually resign.",
        { rate = "1" } "I think that they were hoping for rain." => "I really think that they were really hoping for rain.",
        { rate = "1", seed = "3" } "We ordered the soup, police said." => "We actually ordered the soup, police said.",
        "She did not leave. To err is human." => "She did not leave. To err is human.",
        "我觉得这里的服务太差。" => "我的确觉得这里的服务太差。",
        "房间很干净，你呢？" => "房间的确很干净，你呢？",
        "奥运会在北京开幕。" => "奥运会在北京开幕。",
        { seed = "2" } "[She|token:PRON] [has|token:AUX] [left|token:VERB] [.|token:PUNCT]"
            => "[She|token:PRON] [has|token:AUX] [actually|token:ADV] [left|token:VERB] [.|token:PUNCT]",
        { rate = "1" } "context:: [She left the party|answers]. // (question):: What happened?"
            => "context:: [She left the party|answers]. // (question):: What happened?",
        { rate = "1" } "As you know, he was suddenly being watched." => "As you know, he was suddenly being watched.",
    ]
}

impl EditSample for InsertAdv {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let takes = |field: &Field| field.open && !agreement::is_claim(field);
        let fields = sample.fields.iter().enumerate().filter(|(_, field)| takes(field));
        let labels = TokenLabels::of(sample)?;
        let mut edits = Vec::new();
        for (at, field) in fields {
            let made = self.edit_text(&field.text, &sample.labelled(at), dice);
            match &labels {
                None => edits.extend(made.into_iter().map(|edit| edit.on(at))),
                Some(_) if chinese::is_chinese(&field.text) => {
                    return Err(Skip("new Chinese words would need tags".into()));
                }
                Some(labels) => edits.extend(made.iter().filter_map(|edit| labelled(labels, edit))),
            }
        }
        Ok(edits)
    }

    /// A place stands before a verb and holds nothing yet.
    fn candidates_of(&self, sample: &Sample, _: &Resources) -> Option<Vec<Place>> {
        let takes = |field: &Field| field.open && !agreement::is_claim(field);
        let mut found = Vec::new();
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| takes(field)) {
            let spared = sample.labelled(index);
            if chinese::is_chinese(&field.text) {
                let han = Han::of(&field.text);
                let candidates = || ADVERBS.map(|adverb| Candidate::new(written(&han, adverb))).to_vec();
                let free = places(&han).into_iter().filter(|at| !is_inside(&spared, *at));
                found.extend(free.map(|at| Place::new(at..at, candidates()).on(index)));
                continue;
            }
            let annotated = Annotated::of(&field.text);
            for at in verbs(&annotated, &spared) {
                let start = annotated.analysis().tokens()[at].span.start;
                let mut adverbs = adverbs(&annotated.lemma(at)).to_vec();
                adverbs.dedup();
                let candidates = adverbs.into_iter().map(|adverb| Candidate::new(format!("{adverb} "))).collect();
                found.push(Place::new(start..start, candidates).on(index));
            }
        }
        Some(found)
    }

    fn law_of(&self, sample: &Sample, _: &Resources, draws: &mut Draws) -> Option<Law> {
        let takes = |field: &Field| field.open && !agreement::is_claim(field);
        let mut drawings = Vec::new();
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| takes(field)) {
            let spared = sample.labelled(index);
            if chinese::is_chinese(&field.text) {
                let han = Han::of(&field.text);
                let found: Vec<usize> = places(&han).into_iter().filter(|at| !is_inside(&spared, *at)).collect();
                let mut place = |at: &usize| draws.place(|dice| Some(vec![chinese_insertion(&han, *at, dice)]));
                let drawn = found.iter().filter_map(&mut place).collect();
                drawings.push(Drawing::new(drawn, self.amount.of(found.len())).on(index));
                continue;
            }
            let annotated = Annotated::of(&field.text);
            let verbs = verbs(&annotated, &spared);
            let mut place = |at: &usize| draws.place(|dice| Some(vec![insertion(&annotated, *at, dice)?]));
            let places = verbs.iter().filter_map(&mut place).collect();
            drawings.push(Drawing::new(places, self.amount.of(verbs.len())).on(index));
        }
        Some(Law { drawings })
    }
}

impl InsertAdv {
    fn edit_chinese(&self, text: &Text, spared: &[Span], dice: &mut Dice) -> Vec<Edit> {
        let han = Han::of(text);
        let found: Vec<usize> = places(&han).into_iter().filter(|at| !is_inside(spared, *at)).collect();
        let chosen = dice.choose(found.len(), self.amount.of(found.len()));
        chosen.into_iter().map(|at| chinese_insertion(&han, found[at], dice)).collect()
    }

    fn edit_text(&self, text: &Text, spared: &[Span], dice: &mut Dice) -> Vec<Edit> {
        if chinese::is_chinese(text) {
            return self.edit_chinese(text, spared, dice);
        }
        let annotated = Annotated::of(text);
        let verbs = verbs(&annotated, spared);
        let chosen = dice.choose(verbs.len(), self.amount.of(verbs.len()));
        chosen.into_iter().filter_map(|at| insertion(&annotated, verbs[at], dice)).collect()
    }
}

/// The verbs that an adverb may stand before. None is put inside of what carries a label: the answer to a question would grow.
fn verbs(annotated: &Annotated, spared: &[Span]) -> Vec<usize> {
    let start = |at: usize| annotated.analysis().tokens()[at].span.start;
    (0..annotated.len()).filter(|at| takes_adverb(annotated, *at) && !is_inside(spared, start(*at))).collect()
}

fn is_inside(spared: &[Span], at: usize) -> bool {
    spared.iter().any(|span| span.start < at && at < span.end)
}

/// The adverb of an edit as a token, which hangs on the verb behind it; nothing if the verb is no token of its own.
fn labelled(labels: &TokenLabels<'_>, edit: &Edit) -> Option<Edit> {
    let verb = labels.token_at(edit.span.end)?;
    let adverb = Tag { upos: Upos::Adv, penn: Penn::Rb };
    Some(Edit::put(edit.span, labels.hung(edit.with.trim_end(), adverb, verb, "advmod")))
}

/// A Chinese adverb at a byte of the text.
fn chinese_insertion(han: &Han, at: usize, dice: &mut Dice) -> Edit {
    Edit::insert(at, written(han, ADVERBS[dice.below(ADVERBS.len())]))
}

/// An adverb in the script of the text; in a list of characters each of its own is one.
fn written(han: &Han, adverb: &str) -> String {
    let written = han.script().write(adverb);
    if han.is_list() { written.chars().flat_map(|c| [c, ' ']).collect() } else { written.into_owned() }
}

/// An adverb before the verb.
fn insertion(annotated: &Annotated, at: usize, dice: &mut Dice) -> Option<Edit> {
    let adverb = dice.pick(adverbs(&annotated.lemma(at)))?;
    Some(Edit::insert(annotated.analysis().tokens()[at].span.start, format!("{adverb} ")))
}

/// Whether the token is a main verb with room for an adverb before it.
fn takes_adverb(annotated: &Annotated, at: usize) -> bool {
    // What the word alone shows is asked first, and then what stands before it: it spares most words their
    // tags.
    let possible =
        |_: &usize| annotated.may_be_content(at) && may_be_verb(&annotated.small(at)) && is_spaced(annotated, at);
    let Some(before) = at.checked_sub(1).filter(possible) else { return false };
    let analysis = annotated.analysis();
    let Some(previous) = analysis.tag(before).filter(|tag| may_govern(*tag)) else { return false };
    let (Some(tag), Some(Kind::Verb)) = (analysis.tag(at), annotated.kind(at)) else { return false };
    let helped = previous.upos == Upos::Aux;
    let governed = match tag.penn {
        Penn::Vbd | Penn::Vbz | Penn::Vbp => has_subject_before(annotated, at),
        // `a must see` has no verb.
        Penn::Vb => {
            (previous.penn == Penn::Md || (helped && &*annotated.lemma(before) == "do"))
                && !is_noun_phrase(annotated, before)
        }
        Penn::Vbn => helped && ["have", "be"].contains(&&*annotated.lemma(before)),
        Penn::Vbg => helped && &*annotated.lemma(before) == "be",
        _ => false,
    };
    let known = || inflection::lemmas(&annotated.word(at).to_ascii_lowercase(), tag.penn.as_str()).next().is_some();
    governed
        && known()
        && !annotated.starts_sentence(at)
        && !LEFT_ALONE.contains(&&*annotated.lemma(at))
        && !matches!(annotated.penn(at + 1), Some(Penn::Rb | Penn::Rbr | Penn::Rbs))
        && !is_negated(annotated, at)
        && !is_full(annotated, at)
}

/// Whether a word is a form of a verb in any of its readings.
fn may_be_verb(word: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|word| inflection::readings(word).any(|(tag, _)| tag.starts_with("VB")));
    KNOWN.of(word)
}

/// Whether a word can be the subject of the verb behind it, or help it.
fn may_govern(tag: Tag) -> bool {
    tag.upos == Upos::Aux || tag.penn == Penn::Md || is_subject(tag.penn)
}

/// A noun, a name, a pronoun.
fn is_subject(penn: Penn) -> bool {
    matches!(penn, Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Prp | Penn::Wp | Penn::Wdt)
}

/// Whether the word before can be the subject.
fn has_subject_before(annotated: &Annotated, at: usize) -> bool {
    let subject = annotated.penn(at - 1).is_some_and(is_subject);
    // `the anthem played at`, `half digested fish`: a participle that the tagger took for the past.
    let participle = annotated.penn(at) == Some(Penn::Vbd)
        && !is_pronoun(annotated, at - 1)
        && matches!(annotated.penn(at + 1), Some(Penn::In | Penn::Nn | Penn::Nns));
    subject
        && !participle
        && (is_pronoun(annotated, at - 1) || !is_also_noun(annotated, at) || takes_object(annotated, at))
}

fn is_pronoun(annotated: &Annotated, at: usize) -> bool {
    matches!(annotated.penn(at), Some(Penn::Prp | Penn::Wp | Penn::Wdt))
}

/// Whether the word could be a noun that the tagger took for a verb: `government bonds fell`.
fn is_also_noun(annotated: &Annotated, at: usize) -> bool {
    let word = annotated.word(at).to_ascii_lowercase();
    inflection::is_lemma(&word, "NN") || inflection::lemmas(&word, "NNS").next().is_some()
}

/// Whether an object follows, as behind a verb.
fn takes_object(annotated: &Annotated, at: usize) -> bool {
    matches!(annotated.penn(at + 1), Some(Penn::Dt | Penn::Prp | Penn::PrpPoss))
}

fn is_noun_phrase(annotated: &Annotated, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| annotated.penn(before) == Some(Penn::Dt))
}

/// Whether one space stands before the verb, and nothing else.
fn is_spaced(annotated: &Annotated, at: usize) -> bool {
    let tokens = annotated.analysis().tokens();
    &annotated.analysis().text()[tokens[at - 1].span.end..tokens[at].span.start] == " "
}

fn is_negated(annotated: &Annotated, at: usize) -> bool {
    let negations = [
        "not",
        "n't",
        "n\u{2019}t",
        "never",
        "no",
        "nothing",
        "nobody",
        "none",
        "hardly",
        "cannot",
        "neither",
        "nor",
        "likely",
        "probably",
    ];
    (at.saturating_sub(4)..at)
        .any(|place| negations.iter().any(|word| word.eq_ignore_ascii_case(annotated.word(place))))
}

/// Whether the clause has no room for another adverb: it has one just before (`constantly being hit`), is a set phrase
/// (`as you know`, `what happens`), or stands behind `to be`.
fn is_full(annotated: &Annotated, at: usize) -> bool {
    let is = |place: Option<usize>, words: &[&str]| {
        place.is_some_and(|place| words.iter().any(|word| word.eq_ignore_ascii_case(annotated.word(place))))
    };
    let has_adverb = (at.saturating_sub(3)..at).any(|place| {
        let word = annotated.word(place);
        word.len() > 4 && word.ends_with("ly")
    });
    has_adverb || is(at.checked_sub(1), &["being", "what"]) || is(at.checked_sub(2), &["as", "to"])
}

/// The adverbs that go with the verb: its own, or those that stress. One that is listed twice is drawn twice as often.
fn adverbs(lemma: &str) -> &'static [&'static str] {
    if let Some((_, adverbs)) = BY_VERB.iter().find(|(verbs, _)| verbs.contains(&lemma)) {
        return adverbs;
    }
    let topic = wordnet::senses(lemma, Kind::Verb).next().map_or("", |sense| sense.topic());
    match topic {
        "verb.emotion" | "verb.cognition" | "verb.perception" => &["really", "really", "actually"],
        // `I really ordered` and `when I really arrive` are not said.
        _ => &["actually"],
    }
}

/// Verbs with the adverbs that texts put before them and that add next to nothing.
const BY_VERB: &[(&[&str], &[&str])] = &[
    (&["announce", "confirm", "open", "launch", "name", "sign"], &["officially", "formally"]),
    (&["love", "enjoy", "admire", "adore"], &["really", "truly"]),
    (&["hate", "dislike", "regret", "detest"], &["really", "truly"]),
    (&["believe", "insist", "oppose", "support", "reject"], &["firmly", "strongly"]),
    (&["recommend"], &["highly", "strongly"]),
    (&["suggest", "urge"], &["strongly"]),
    (&["agree"], &["actually", "fully"]),
    (&["understand", "realize", "realise", "recover", "appreciate"], &["fully", "really"]),
    (&["hope", "wish", "want", "need", "care", "like", "think", "feel"], &["really"]),
    (&["show", "demonstrate", "indicate", "deserve", "lack"], &["clearly", "certainly"]),
    (&["seem", "appear", "look", "sound"], &["certainly", "really"]),
    (&["happen", "occur", "exist", "die", "mean", "refer", "call", "turn", "begin", "start"], &["actually"]),
];

/// Verbs that take no adverb before them, or not these. `police actually said` doubts what police say otherwise.
#[rustfmt::skip]
const LEFT_ALONE: [&str; 15] = [
    "be", "have", "let", "get", "need", "dare", "help", "keep", "wanna", "gotta", "say", "tell", "report", "add", "state",
];
