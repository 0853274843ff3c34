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

use chinese_places::places;

transform! {
    /// Puts an adverb before a verb, behind its auxiliaries: `has quietly left`.
    ///
    /// Which adverb depends on the verb: `firmly believe`, `officially announced`, `really love`; most verbs take `actually`,
    /// which stresses and adds no claim. Verbs of saying are left alone: `police actually said` doubts them.
    /// A verb that is negated, has an adverb already, or stands behind `to` is left alone. A hypothesis stays as it is:
    /// with an adverb it could claim more than its premise says. In Chinese `确实`, `的确`, `真的` and, by what follows, `实在`, `其实` or `真心` go between a subject and
    /// what is said of it: before its word of degree, its denial, or a verb of thinking, being or being able. Questions stay.
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
        { rate = "1" } "I think that they were hoping for rain." => "I really think that they were sincerely hoping for rain.",
        { rate = "1", seed = "3" } "We ordered the soup, police said." => "We actually ordered the soup, police said.",
        "It took all my will power." => "It actually took all my will power.",
        { seed = "2" } "The film will be made." => "The film will actually be made.",
        "She did not leave. To err is human." => "She did not leave. To err is human.",
        "我觉得这里的服务太差。" => "我真的觉得这里的服务太差。",
        "房间很干净，你呢？" => "房间实在很干净，你呢？",
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
                let candidates =
                    |adverbs: &[&str]| adverbs.iter().map(|one| Candidate::new(written(&han, one))).collect();
                let free = places(&han).into_iter().filter(|(at, _)| !is_inside(&spared, *at));
                found.extend(free.map(|(at, adverbs)| Place::new(at..at, candidates(adverbs)).on(index)));
                continue;
            }
            let annotated = Annotated::of(&field.text);
            for at in verbs(&annotated, &spared) {
                let start = place(&annotated, at);
                let mut adverbs = adverbs(&annotated, at).to_vec();
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
                let mut found = places(&han);
                found.retain(|(at, _)| !is_inside(&spared, *at));
                let mut place =
                    |at: &chinese_places::Room| draws.place(|dice| Some(vec![chinese_insertion(&han, *at, dice)]));
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
        let mut found = places(&han);
        found.retain(|(at, _)| !is_inside(spared, *at));
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
    (0..annotated.len())
        .filter(|at| takes_adverb(annotated, *at) && !is_inside(spared, place(annotated, *at)))
        .collect()
}

/// The byte before which the adverb of a verb goes: behind its first auxiliary, as in `will actually be made`.
fn place(annotated: &Annotated, verb: usize) -> usize {
    let tokens = annotated.analysis().tokens();
    let helps = |at: usize| {
        annotated.penn(at) == Some(Penn::Md) || annotated.analysis().tag(at).is_some_and(|tag| tag.upos == Upos::Aux)
    };
    let is_middle = |at: usize| ["be", "been"].contains(&&*annotated.small(at)) && is_spaced(annotated, at);
    let mut first = verb;
    while first >= 2 && is_middle(first - 1) && helps(first - 2) {
        first -= 1;
    }
    // `will have been made`
    if first >= 2
        && first < verb
        && annotated.small(first - 1) == "have"
        && helps(first - 2)
        && is_spaced(annotated, first - 1)
    {
        first -= 1;
    }
    tokens[first].span.start
}

fn is_inside(spared: &[Span], at: usize) -> bool {
    spared.iter().any(|span| span.start < at && at < span.end)
}

/// The adverb of an edit as a token, which hangs on the verb behind it; nothing if the verb is no token of its own.
fn labelled(labels: &TokenLabels<'_>, edit: &Edit) -> Option<Edit> {
    let mut verb = labels.token_at(edit.span.end)?;
    // `will actually be made`: it hangs on the verb.
    while labels.is_any(verb, &["have", "be", "been"]) {
        verb = labels.next(verb)?;
    }
    let adverb = Tag { upos: Upos::Adv, penn: Penn::Rb };
    Some(Edit::put(edit.span, labels.hung(edit.with.trim_end(), adverb, verb, "advmod")))
}

/// A Chinese adverb where there is room for it.
fn chinese_insertion(han: &Han, (at, adverbs): chinese_places::Room, dice: &mut Dice) -> Edit {
    Edit::insert(at, written(han, adverbs[dice.below(adverbs.len())]))
}

/// An adverb in the script of the text; in a list of characters each of its own is one.
fn written(han: &Han, adverb: &str) -> String {
    let written = han.script().write(adverb);
    if han.is_list() { written.chars().flat_map(|c| [c, ' ']).collect() } else { written.into_owned() }
}

/// An adverb before the verb.
fn insertion(annotated: &Annotated, at: usize, dice: &mut Dice) -> Option<Edit> {
    let adverb = dice.pick(adverbs(annotated, at))?;
    Some(Edit::insert(place(annotated, at), format!("{adverb} ")))
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
    // `my will power`, `the actor's will power`.
    let opens = |penn| matches!(penn, Penn::Dt | Penn::PrpPoss | Penn::Pos | Penn::Jj);
    at.checked_sub(1).is_some_and(|before| annotated.penn(before).is_some_and(opens))
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
    let has_small_adverb = (at.saturating_sub(2)..at)
        .any(|place| annotated.penn(place) == Some(Penn::Rb) && !annotated.word(place).ends_with("n't"));
    has_adverb || has_small_adverb || is(at.checked_sub(1), &["being", "what"]) || is(at.checked_sub(2), &["as", "to"])
}

/// The adverbs that go with the verb: its own, or those that stress. One that is listed twice is drawn twice as often.
fn adverbs(annotated: &Annotated, at: usize) -> &'static [&'static str] {
    const PLAIN: &[&str] = &["actually"];
    let lemma = annotated.lemma(at);
    let inside = is_in_inner_clause(annotated, at);
    if let Some((_, adverbs)) = BY_VERB.iter().find(|(verbs, _)| verbs.split(' ').any(|verb| verb == &*lemma)) {
        // `who certainly knew`, `what we clearly know` say more than they did.
        return if inside && adverbs.contains(&"certainly") { PLAIN } else { adverbs };
    }
    let topic = wordnet::senses(&lemma, Kind::Verb).next().map_or("", |sense| sense.topic());
    match topic {
        "verb.emotion" => &["really", "really", "actually", "truly"],
        // `I really saw it`, `we will really pick it` are not said, and `also` and `indeed` claim more.
        _ => PLAIN,
    }
}

/// Whether the verb stands in a clause that supposes, compares or says which one is meant.
fn is_in_inner_clause(annotated: &Annotated, at: usize) -> bool {
    const OPENING: &[&str] = &[
        "if", "unless", "when", "while", "because", "as", "than", "that", "who", "which", "what", "where", "how",
        "why", "whether", "since", "until", "before", "after", "so", "whose", "whom", "though", "although", "once",
        "like",
    ];
    (at.saturating_sub(6)..at)
        .rev()
        .take_while(|place| !annotated.word(*place).starts_with([',', '.', ';', '-', ':']))
        .any(|place| OPENING.contains(&&*annotated.small(place)))
}

/// Verbs with the adverbs that texts put before them and that add next to nothing.
const BY_VERB: &[(&str, &[&str])] = &[
    ("announce confirm launch name sign unveil approve endorse", &["officially", "formally"]),
    ("love enjoy admire adore like", &["really", "truly", "genuinely"]),
    ("hate dislike regret detest", &["really", "truly"]),
    ("believe insist oppose support reject deny", &["firmly", "strongly"]),
    ("recommend", &["highly", "strongly"]),
    ("suggest urge advise", &["strongly"]),
    ("agree", &["actually", "fully", "certainly"]),
    ("understand realize realise recover appreciate", &["fully", "really"]),
    ("expect intend", &["fully", "certainly"]),
    ("hope wish", &["really", "sincerely", "truly"]),
    ("want need care", &["really"]),
    ("think feel", &["really", "honestly"]),
    ("show demonstrate indicate deserve lack reflect", &["clearly", "certainly"]),
    ("seem appear look sound taste smell", &["certainly", "really"]),
    ("know remember", &["certainly", "definitely"]),
    ("improve contribute benefit help add", &["certainly", "definitely"]),
    ("destroy ruin forget ignore", &["completely", "totally"]),
    ("criticize criticise condemn denounce accuse", &["openly", "publicly"]),
    ("promise vow pledge", &["solemnly"]),
    ("depend rely", &["largely", "really"]),
    ("belong", &["really", "clearly"]),
    ("waste suck disappoint impress annoy bother scare surprise", &["really", "truly"]),
    ("describe explain state mention", &["actually", "clearly"]),
    ("arrive reach finish complete", &["finally", "eventually"]),
    ("happen occur exist die refer call turn begin start", &["actually"]),
    ("see hear watch find notice meet", &["actually"]),
];

/// Verbs that take no adverb before them, or not these. `police actually said` doubts what police say otherwise.
#[rustfmt::skip]
const LEFT_ALONE: [&str; 16] = [
    "be", "have", "let", "get", "need", "dare", "help", "keep", "wanna", "gotta", "say", "tell", "report", "add", "state", "mean",
];
