use fissure_core::{
    Anchor, Change, Dice, Edit, End, Mark, Piece, Resources, Sample, Skip, Span, Transform, choices, layer, transform,
};
use fissure_text::{Analysis, Penn, Tag, Upos, analyse};

use crate::support::annotated::Annotated;
use crate::support::known_names::{self, Known};
use crate::support::new_tokens::tell_more;
use crate::support::trees::Tree;

transform! {
    /// Adds a relative clause or an apposition behind a well-known name, with tags, heads and relations for its words.
    ///
    /// `for London .` becomes `for London , which is the capital and largest city of England .` The new words are one subtree
    /// that hangs on the name; all other heads stay. Relations are named as the file names them, or as Universal Dependencies
    /// do. Descriptions are from WordNet; only sentences that name a person or place that it describes can change, about one
    /// in sixty of UD English EWT.
    pub struct AddSubTree {
        /// What is added.
        kind: What = What::Either;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        requires: &[Has::Layer(layer::HEAD)],
        languages: &[English],
        aliases: &["AddSubTree", "DpAddSubTree"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        { kind = "clause" } "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [.|token:PUNCT >head=1:punct]" => "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [,|token:PUNCT >head=3:punct] [which|token:PRON >head=3:nsubj] [is|token:AUX >head=3:cop] [the|token:DET >head=3:det] [capital|token:NOUN #3 >head=2:acl:relcl] [and|token:CCONJ >head=4:cc] [largest|token:ADJ >head=4:amod] [city|token:NOUN #4 >head=3:conj] [and|token:CCONJ >head=7:cc] [economic|token:ADJ #5 >head=7:amod] [and|token:CCONJ >head=6:cc] [cultural|token:ADJ #6 >head=5:conj] [center|token:NOUN #7 >head=3:conj] [of|token:ADP >head=8:case] [Portugal|token:PROPN #8 >head=7:nmod] [.|token:PUNCT >head=1:punct]",
        { kind = "apposition" } "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [.|token:PUNCT >head=1:punct]" => "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [,|token:PUNCT >head=3:punct] [the|token:DET >head=3:det] [capital|token:NOUN #3 >head=2:appos] [and|token:CCONJ >head=4:cc] [largest|token:ADJ >head=4:amod] [city|token:NOUN #4 >head=3:conj] [and|token:CCONJ >head=7:cc] [economic|token:ADJ #5 >head=7:amod] [and|token:CCONJ >head=6:cc] [cultural|token:ADJ #6 >head=5:conj] [center|token:NOUN #7 >head=3:conj] [of|token:ADP >head=8:case] [Portugal|token:PROPN #8 >head=7:nmod] [.|token:PUNCT >head=1:punct]",
        "[Lisbon|token:PROPN >head=1:nsubj] [grew|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]" => "[Lisbon|token:PROPN #1 >head=8:nsubj] [,|token:PUNCT >head=2:punct] [which|token:PRON >head=2:nsubj] [is|token:AUX >head=2:cop] [the|token:DET >head=2:det] [capital|token:NOUN #2 >head=1:acl:relcl] [and|token:CCONJ >head=3:cc] [largest|token:ADJ >head=3:amod] [city|token:NOUN #3 >head=2:conj] [and|token:CCONJ >head=6:cc] [economic|token:ADJ #4 >head=6:amod] [and|token:CCONJ >head=5:cc] [cultural|token:ADJ #5 >head=4:conj] [center|token:NOUN #6 >head=2:conj] [of|token:ADP >head=7:case] [Portugal|token:PROPN #7 >head=6:nmod] [,|token:PUNCT >head=2:punct] [grew|token:VERB #8 >root=8:root] [.|token:PUNCT >head=8:punct]",
    ]
}

choices! {
    /// What is added behind a name.
    pub enum What { Either = "either", Clause = "clause", Apposition = "apposition" }
}

impl Transform for AddSubTree {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let Some(tree) = Tree::of(sample) else { return Err(Skip("the tokens are not one tree".into())) };
        let annotated = Annotated::of(&field.text);
        let mut found: Vec<(usize, Known)> = Vec::new();
        for known in known_names::find(&field.text) {
            if let Some(last) = place(&tree, &annotated, &known) {
                found.push((last, known));
            }
        }
        let Some((last, known)) = dice.pick(&found) else { return Ok(Change::default()) };
        let clause = match self.kind {
            What::Clause => true,
            What::Apposition => false,
            What::Either => dice.chance(0.5),
        };
        // People may be dead: `who is` would be wrong of them.
        let clause = clause && known.instance.kind == fissure_text::names::instances::Kind::Place;
        // The head of the name is the one that the others hang on.
        let head = head_of(&tree, &annotated, known).unwrap_or(*last);
        let ends = *last + 1 >= tree.len() || tree.word(last + 1).starts_with(['.', '!', '?', ';', ':', ')']);
        let Some(piece) = subtree(&tree, head, known, clause, !ends) else { return Ok(Change::default()) };
        let at = tree.span(*last).end;
        Ok(Edit::put(at..at, piece).into())
    }
}

/// The last token of a name that can take an aside, if the name is whole tokens of the tree and one noun phrase.
fn place(tree: &Tree<'_>, annotated: &Annotated, known: &Known) -> Option<usize> {
    let bytes = Span::from(annotated.analysis().bytes(known.tokens.clone()));
    let first = (0..tree.len()).find(|at| tree.span(*at).start == bytes.start)?;
    let last = (0..tree.len()).find(|at| tree.span(*at).end == bytes.end)?;
    let head = head_of(tree, annotated, known)?;
    let below = tree.below(head);
    // What hangs on the name behind it (`Paris of the 1920s`) would come between.
    let alone = (last + 1..tree.len()).all(|at| !below[at]);
    let inside = (first..=last).all(|at| at == head || below[at]);
    let flat = !["flat", "compound", "nn", "flat:name", "goeswith", "conj", "list", "vocative"]
        .contains(&tree.relations[head]);
    let next = last + 1;
    let takes =
        next >= tree.len() || !["'s", "'", "-", "(", "/", ",", "'S", "&", "and", "or"].contains(&tree.word(next));
    (alone && inside && flat && takes && known_names::takes_aside(annotated, &known.tokens)).then_some(last)
}

/// The token of a name on which its other tokens hang.
fn head_of(tree: &Tree<'_>, annotated: &Annotated, known: &Known) -> Option<usize> {
    let bytes = Span::from(annotated.analysis().bytes(known.tokens.clone()));
    let inside: Vec<usize> = (0..tree.len()).filter(|at| bytes.covers(tree.span(*at))).collect();
    let is_top = |at: &usize| tree.heads[*at].is_none_or(|head| !inside.contains(&head));
    let tops: Vec<usize> = inside.iter().copied().filter(is_top).collect();
    if let [top] = tops[..] { Some(top) } else { None }
}

/// The words `, which is the capital of Portugal ,` as tokens below the token at `head`.
fn subtree(tree: &Tree<'_>, head: usize, known: &Known, clause: bool, closed: bool) -> Option<Piece> {
    use fissure_text::names::instances::Kind;
    let relative = match known.instance.kind {
        Kind::Person => "who",
        Kind::Place => "which",
    };
    // The description is parsed as the predicate of a plain sentence.
    let parsed = Parsed::of(&analyse(&format!("It is {} .", known.instance.said())))?;
    let verb = if clause { Some(relative) } else { None };
    build(tree, head, &parsed, verb, closed)
}

/// A description with its parse.
struct Parsed {
    words: Vec<String>,
    tags: Vec<(Penn, Upos)>,
    /// By place; `None` for the head of the description.
    heads: Vec<Option<usize>>,
    relations: Vec<&'static str>,
}

impl Parsed {
    /// The words between `It is` and the full stop, if all hang on one noun among them.
    fn of(analysis: &Analysis) -> Option<Self> {
        let [sentence] = analysis.sentences() else { return None };
        let inner = sentence.start + 2..sentence.end - 1;
        let dependencies = analysis.dependencies();
        let root = dependencies.iter().position(|word| word.head.is_none())?;
        if !inner.contains(&root) {
            return None;
        }
        let place = |at: usize| at - inner.start;
        let mut parsed = Self { words: Vec::new(), tags: Vec::new(), heads: Vec::new(), relations: Vec::new() };
        for at in inner.clone() {
            let head = dependencies[at].head;
            if at != root && !head.is_some_and(|head| inner.contains(&head)) {
                return None;
            }
            parsed.words.push(analysis.word(at).to_owned());
            parsed.tags.push((analysis.tags()[at].penn, analysis.tags()[at].upos));
            parsed.heads.push(head.filter(|_| at != root).map(place));
            parsed.relations.push(dependencies[at].relation.as_str());
        }
        Some(parsed)
    }
}

/// How a file names tags and relations.
struct Scheme {
    universal: bool,
    relations_by_ud: bool,
}

impl Scheme {
    fn of(tree: &Tree<'_>) -> Self {
        let universal =
            (0..tree.len()).any(|at| ["PUNCT", "NOUN", "PROPN", "VERB"].contains(&tree.mark(at).value.as_str()));
        let old = tree.relations.iter().any(|relation| ["dobj", "pobj", "prep", "nn"].contains(relation));
        Self { universal, relations_by_ud: !old }
    }

    fn tag(&self, penn: Penn, upos: Upos) -> &'static str {
        if self.universal { upos.as_str() } else { penn.as_str() }
    }
}

/// The new words as tokens, the description hanging on the token at `head`.
fn build(tree: &Tree<'_>, head: usize, parsed: &Parsed, relative: Option<&str>, closed: bool) -> Option<Piece> {
    let scheme = Scheme::of(tree);
    if !scheme.relations_by_ud {
        return None;
    }
    let comma = (Penn::from_name(",")?, Upos::Punct);
    let mut words: Vec<(&str, (Penn, Upos))> = vec![(",", comma)];
    if let Some(relative) = relative {
        let pronoun = if relative == "who" { Penn::Wp } else { Penn::Wdt };
        words.extend([(relative, (pronoun, Upos::Pron)), ("is", (Penn::Vbz, Upos::Aux))]);
    }
    let first = words.len();
    words.extend(parsed.words.iter().map(String::as_str).zip(parsed.tags.iter().copied()));
    if closed {
        words.push((",", comma));
    }
    let top = first + parsed.heads.iter().position(Option::is_none)?;
    let mut text = String::new();
    let mut labels = fissure_core::Labels::default();
    for (at, (word, (penn, upos))) in words.iter().enumerate() {
        text.push(' ');
        let span = Span::new(text.len(), text.len() + word.len());
        text += word;
        let mut mark = Mark::new(layer::TOKEN, 0, span, value(tree, &scheme, *penn, *upos), Anchor::Elastic);
        tell_more(&mut mark, tree.mark(0), word, Tag { upos: *upos, penn: *penn });
        labels.marks.push(fissure_core::BroughtMark { mark, moved: None });
        let (to, relation) = match at {
            _ if at == top => (End::Kept(tree.tokens[head]), if relative.is_some() { "acl:relcl" } else { "appos" }),
            _ if *word == "," && *upos == Upos::Punct && (at == 0 || at + 1 == words.len()) => {
                (End::Brought(top), "punct")
            }
            1 if relative.is_some() => (End::Brought(top), "nsubj"),
            2 if relative.is_some() => (End::Brought(top), "cop"),
            _ => (End::Brought(first + parsed.heads[at - first]?), parsed.relations[at - first]),
        };
        labels.links.push(fissure_core::BroughtLink {
            layer: layer::HEAD,
            from: End::Brought(at),
            to,
            value: relation.to_owned(),
        });
    }
    Some(Piece { text, labels })
}

/// The tag of a new token, empty if the file has none.
fn value(tree: &Tree<'_>, scheme: &Scheme, penn: Penn, upos: Upos) -> String {
    if (0..tree.len()).all(|at| tree.mark(at).value.is_empty()) {
        String::new()
    } else {
        scheme.tag(penn, upos).to_owned()
    }
}
