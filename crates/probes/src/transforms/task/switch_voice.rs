use std::ops::Range;

use fissure_core::{
    Anchor, BroughtMark, Change, Dice, Edit, Mark, Piece, Resources, Sample, Skip, Span, Transform, layer, transform,
};
use fissure_text::{Penn, Relation, inflection};

use crate::clauses::{Clause, Person, Sentence, conjugate};
use crate::support::annotated::Annotated;

transform! {
    /// Turns a clause from the active to the passive.
    ///
    /// `Ann thanked Eve because she helped.` becomes `Eve was thanked by Ann because she helped.`
    /// The mentions move with their words. Only a clause of a name or noun phrase, a verb in the present or past and its
    /// object turns; pronouns, helpers, objects with more behind them and verbs that have no passive are left alone: about one in sixty passages of GAP has such a
    /// clause.
    pub struct SwitchVoice {}
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::MENTION)],
        languages: &[English],
        aliases: &["SwitchVoice", "WscSwitchVoice"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020"),
    }
    examples: [
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." => "[Eve|mention:0] was thanked by [Ann|mention:1] because [she|mention:0] helped.",
        "The lawyer visited [Tom|mention:0]. [He|mention:0] was ill." => "[Tom|mention:0] was visited by the lawyer. [He|mention:0] was ill.",
        "[Ann|mention:1] knows the teachers. [She|mention:1] left." => "The teachers are known by [Ann|mention:1]. [She|mention:1] left.",
        "[She|mention:1] thanked [Eve|mention:0]." => "[She|mention:1] thanked [Eve|mention:0].",
        "During [his|mention:0] acceptance speech for the Heisman Trophy, Alabama running back [Mark Ingram|mention:0] thanked [Irvin|mention:1] for helping [him|mention:0]." => "During [his|mention:0] acceptance speech for the Heisman Trophy, Alabama running back [Mark Ingram|mention:0] thanked [Irvin|mention:1] for helping [him|mention:0].",
        "The women cleaned the grills, drank blended meat and prepped a side of beef. [Carrie|mention:0] told [Ann|mention:1] that [she|mention:0] won." => "The women cleaned the grills, drank blended meat and prepped a side of beef. [Carrie|mention:0] told [Ann|mention:1] that [she|mention:0] won.",
        "She wanted the will in favour of [Daisy|mention:0] declared invalid. Jane told Daisy that [she|mention:0] lost." => "She wanted the will in favour of [Daisy|mention:0] declared invalid. Jane told Daisy that [she|mention:0] lost.",
        "[Flair|mention:0] betrayed [Styles|mention:1] during [his|mention:0] contest with Hardy." => "[Styles|mention:1] was betrayed by [Flair|mention:0] during [his|mention:0] contest with Hardy.",
    ]
}

/// Verbs whose object is not acted on.
const NO_PASSIVE: &[&str] = &[
    "have", "be", "become", "resemble", "lack", "cost", "fit", "suit", "mean", "weigh", "equal", "contain", "marry",
    "want", "like", "let", "make", "see", "hear", "get", "say", "try", "start", "begin", "reach", "enter", "leave",
    "join", "have", "do", "take", "give", "go", "spend", "play", "win", "lose", "feel", "remain", "total", "resign",
    "tell", "inform", "ask", "promise", "show", "teach", "lead", "injure", "help", "call", "offer", "star", "date",
];

impl Transform for SwitchVoice {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        if sample.layer(layer::MENTION).next().is_none() {
            return Err(Skip("there is no mention".into()));
        }
        let annotated = Annotated::of(&field.text);
        let mut found: Vec<Edit> = Vec::new();
        for sentence in Sentence::all(annotated.analysis(), |tokens| (4..=40).contains(&tokens.len())) {
            for clause in sentence.clauses() {
                found.extend(turned(sample, &sentence, &clause));
            }
        }
        Ok(dice.pick(&found).cloned().map(Change::from).unwrap_or_default())
    }
}

/// The clause in the passive.
fn turned(sample: &Sample, sentence: &Sentence<'_>, clause: &Clause) -> Option<Edit> {
    let verb = clause.head;
    let plain = clause.finite == verb
        && clause.rest.is_empty()
        && clause.own_subject
        && !clause.inverted
        && clause.negation.is_none();
    let base = sentence.base(verb);
    if !plain
        || NO_PASSIVE.contains(&base.as_str())
        || !matches!(sentence.penn(verb), Penn::Vbd | Penn::Vbz | Penn::Vbp)
    {
        return None;
    }
    let subject = phrase(sentence, clause.subject?)?;
    let children = sentence.children(verb);
    let objects: Vec<usize> = children.iter().copied().filter(|at| sentence.relation(*at) == Relation::Obj).collect();
    let [object] = objects[..] else { return None };
    let head = object;
    let object = phrase(sentence, head)?;
    let number = if is_plural(sentence, head, &object) { Person::Plural } else { Person::Third };
    // What else belongs to the verb: `asked Eve to leave`, `and left`, `told Eve that`.
    let bound = |at: &usize| {
        matches!(
            sentence.relation(*at),
            Relation::Xcomp | Relation::Ccomp | Relation::Iobj | Relation::Conj | Relation::CompoundPrt
        )
    };
    let shares = sentence.relation(verb) == Relation::Conj || children.iter().any(bound);
    let adjacent = subject.end == verb && verb + 1 == object.start;
    // `a finger on his hand`: what follows may belong to the object.
    let follows = object.end >= sentence.tokens.end
        || sentence.is(object.end, &[".", ",", ";", "!", "because", "when", "after", "before", "while", "so", "since"]);
    let person = matches!(sentence.penn(object.end - 1), Penn::Nnp | Penn::Nnps);
    let none = sentence.is(object.start, &["no"]);
    // `Eve happy`, `Eve and Ann`, `the will declared invalid`: what stands behind a name may belong to it, or to the verb.
    let joined = !opens_clause(sentence, subject.start)
        || is_judgement(sentence, &object)
        || (sentence.tokens.contains(&object.end) && may_belong(sentence.penn(object.end)));
    // `won it, was sent home`: another verb has the same subject. `By winning, she beat Eve`: she wins, not Eve.
    let goes_on = shares_subject(sentence, object.end);
    let led =
        (sentence.tokens.start..subject.start).take(3).any(|at| matches!(sentence.penn(at), Penn::Vbg | Penn::Vbn));
    if shares
        || !adjacent
        || none
        || goes_on
        || joined
        || led
        || !(follows
            || person
                && sentence.tokens.contains(&object.end)
                && !sentence.is(object.end, &["that", "to", "he", "she", "they", "about"]))
    {
        return None;
    }
    let past = sentence.penn(verb) == Penn::Vbd;
    let be = conjugate("be", past, Some(number))?;
    let participle = inflection::inflect(&base, "VBN")?;
    let bytes = |tokens: &Range<usize>| Span::from(sentence.analysis.bytes(tokens.clone()));
    let (one, other) = (bytes(&subject), bytes(&object));
    // A mention that goes over the edge of a phrase cannot move with it; the mark of the whole sentence stays around it.
    let all = Span::new(one.start, other.end);
    let around = |span: Span| span.covers(all) && span != all;
    let cut = |span: Span| {
        let marks = sample.marks.iter().filter(|mark| mark.field == 0 && mark.span.overlaps(span));
        marks.into_iter().any(|mark| !span.covers(mark.span) && !around(mark.span))
    };
    if cut(one) || cut(other) || cut(sentence.span(verb)) {
        return None;
    }
    let mut first = Piece::cut(sample, 0, other);
    let mut last = Piece::cut(sample, 0, one);
    if subject.start == sentence.tokens.start {
        first.text = fissure_text::casing::title(&first.text).into_owned();
        if !matches!(sentence.penn(subject.start), Penn::Nnp | Penn::Nnps) {
            let (head, rest) = last.text.split_at(sentence.word(subject.start).len());
            last.text = format!("{}{rest}", head.to_lowercase());
        }
    }
    let middle = between(sample, sentence.span(verb), &[be.as_ref(), participle.as_ref(), "by"]);
    Some(Edit::put(one.start..other.end, first + middle + last))
}

/// Whether a clause can begin with the token at `at`: nothing that may belong to its subject stands before it, as in `Alabama running
/// back Mark Ingram` and `the will in favour of Daisy`.
fn opens_clause(sentence: &Sentence<'_>, at: usize) -> bool {
    const OPENING: &[&str] = &[
        ",",
        ";",
        ":",
        "(",
        "--",
        "\u{2014}",
        "``",
        "\"",
        "\u{201c}",
        "that",
        "because",
        "when",
        "while",
        "whilst",
        "as",
        "if",
        "after",
        "before",
        "since",
        "although",
        "though",
        "until",
        "where",
        "but",
        "so",
        "then",
        "whereas",
        "how",
        "why",
        "whether",
        "once",
        "later",
        "eventually",
        "finally",
    ];
    let Some(before) = at.checked_sub(1).filter(|before| sentence.tokens.contains(before)) else { return true };
    let names = |at: usize| matches!(sentence.penn(at), Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Prp);
    let further = before.checked_sub(1).filter(|further| sentence.tokens.contains(further));
    // `Tom and Ann thanked`: of two subjects only one would move. `during which Ann thanked`
    sentence.is(before, OPENING)
        || (sentence.is(before, &["and", "or"]) && further.is_some_and(|further| !names(further)))
        || (sentence.is(before, &["which", "whom"])
            && further.is_some_and(|further| sentence.penn(further) == Penn::In))
}

/// Whether the tag is one of a word that can belong to the noun before it, or judge it.
fn may_belong(penn: Penn) -> bool {
    matches!(
        penn,
        Penn::Vbg
            | Penn::Vbn
            | Penn::Vbd
            | Penn::Vbz
            | Penn::Vbp
            | Penn::Md
            | Penn::Nn
            | Penn::Nns
            | Penn::Nnp
            | Penn::Nnps
            | Penn::Jj
            | Penn::Pos
            | Penn::Cc
            | Penn::Cd
    )
}

/// Whether what the parse takes for an object may be an adjective: `declared invalid`.
fn is_judgement(sentence: &Sentence<'_>, object: &Range<usize>) -> bool {
    let word = sentence.word(object.start).to_lowercase();
    object.len() == 1 && sentence.penn(object.start) == Penn::Nn && inflection::is_lemma(&word, "JJ")
}

/// Whether another verb behind the object has the same subject: `cleaned the grills, drank meat and left`.
fn shares_subject(sentence: &Sentence<'_>, from: usize) -> bool {
    const SUBORDINATING: &[&str] = &[
        "because", "when", "while", "after", "before", "who", "whom", "which", "that", "where", "if", "as", "though",
        ";",
    ];
    let own_clause = (from..sentence.tokens.end).take_while(|at| !sentence.is(*at, SUBORDINATING));
    let may_be_verb = |at: usize| {
        let small = sentence.word(at).to_lowercase();
        matches!(sentence.penn(at), Penn::Vbd | Penn::Vbz | Penn::Vbp | Penn::Vbn | Penn::Vbg)
            || (inflection::lemmas(&small, "VBD").next().is_some() && !inflection::is_lemma(&small, "NN"))
    };
    own_clause.clone().any(|at| {
        let mut next = at + 1;
        while next < sentence.tokens.end && sentence.penn(next) == Penn::Rb {
            next += 1;
        }
        next < sentence.tokens.end
            && (sentence.is(at, &["and", "or", "but"]) || (at == from && sentence.is(at, &[","])))
            && may_be_verb(next)
    })
}

/// Whether a noun with its article names several. `Styles` may be a person, and `the United States` is one country.
fn is_plural(sentence: &Sentence<'_>, noun: usize, phrase: &Range<usize>) -> bool {
    let is_name = sentence.word(noun).starts_with(char::is_uppercase);
    let the = sentence.is(phrase.start, &["the"]);
    match sentence.penn(noun) {
        Penn::Nns | Penn::Nnps if is_name => {
            let words: Vec<&str> = (phrase.start + 1..phrase.end).map(|at| sentence.word(at)).collect();
            the && fissure_text::names::places::find(&words.join(" ")).is_none()
        }
        Penn::Nns | Penn::Nnps => true,
        _ => false,
    }
}

/// The words between the two phrases. In a text with tokens each is one, and the second is the token of the old verb.
fn between(sample: &Sample, verb: Span, words: &[&str]) -> Piece {
    let old = sample.layer(layer::TOKEN).find(|(_, mark)| mark.field == 0 && mark.span == verb);
    let mut piece = Piece::words(" ");
    for (at, word) in words.iter().enumerate() {
        let span = Span::new(piece.text.len(), piece.text.len() + word.len());
        piece.text += word;
        piece.text.push(' ');
        let Some((index, mark)) = old else { continue };
        if at == 1 {
            piece.labels.marks.push(BroughtMark { mark: Mark { span, ..mark.clone() }, moved: Some(index) });
        } else {
            piece = piece.mark(Mark::new(layer::TOKEN, 0, span, "", Anchor::Elastic));
        }
    }
    piece
}

/// The tokens of a name or of a noun with its article, adjectives and parts of the name, if nothing else hangs on it.
fn phrase(sentence: &Sentence<'_>, noun: usize) -> Option<Range<usize>> {
    use Relation::{Amod, Compound, Det, Flat};
    if !matches!(sentence.penn(noun), Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps) {
        return None;
    }
    let mut tokens = vec![noun];
    let mut next = 0;
    while let Some(at) = tokens.get(next).copied() {
        tokens.extend(sentence.children(at));
        next += 1;
    }
    let fits = |at: &usize| *at == noun || matches!(sentence.relation(*at), Det | Amod | Compound | Flat);
    let (first, last) = (*tokens.iter().min()?, *tokens.iter().max()?);
    (tokens.iter().all(fits) && last + 1 - first == tokens.len()).then_some(first..last + 1)
}
