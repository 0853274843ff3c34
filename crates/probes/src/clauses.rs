//! Clauses as parts that change grammar see them: the finite verb, its helpers, its subject and its negation.
//!
//! The parse is right for about 87 words in 100, so what is found here is checked against the tags wherever the two can
//! contradict each other. A part that meets a doubt leaves the sentence alone: a text that stays is better than one
//! that English does not have.

mod headlines;
mod person;

use std::ops::Range;

use fissure_core::{Edit, Span};
use fissure_text::{Analysis, Dependency, Penn, Relation, Tag, Upos, casing, inflection, wordnet};

pub use headlines::is_clipped_passive;
pub use person::Person;

/// A clause with a finite verb. All places are those of tokens in the text.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The predicate: a verb, or what `be` links to the subject.
    pub head: usize,
    /// The verb that bears the tense.
    pub finite: usize,
    /// The other verbs of the group, in order: `been` and `seen` of `has been seen`.
    pub rest: Vec<usize>,
    /// The subject, its own or the one it shares with the clause it is joined to.
    pub subject: Option<usize>,
    /// Whether it has that subject to itself.
    pub own_subject: bool,
    /// What the finite verb agrees with, where that is sure.
    pub person: Option<Person>,
    /// `not`, `n't` or `never`.
    pub negation: Option<usize>,
    /// Whether the subject stands behind the finite verb.
    pub inverted: bool,
    /// What the clause is to its sentence.
    pub role: Role,
}

/// What a clause is to its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The main clause, or one joined to it.
    Main,
    /// Reported speech or thought: `he said that he was ill`.
    Content,
    /// When, why or if something is so.
    Adverbial,
    /// Of a noun: `the man who was ill`.
    Relative,
    Other,
}

/// A sentence of an analysed text, with who depends on whom.
#[derive(Debug)]
pub struct Sentence<'a> {
    pub analysis: &'a Analysis,
    pub tokens: Range<usize>,
    dependencies: &'a [Dependency],
    children: Vec<Vec<usize>>,
    tags: Vec<Tag>,
}

impl<'a> Sentence<'a> {
    /// The sentence of that number.
    fn new(analysis: &'a Analysis, number: usize) -> Self {
        let tokens = analysis.sentences()[number].clone();
        let dependencies = analysis.dependencies_of(number);
        let mut children = vec![Vec::new(); tokens.len()];
        for (at, word) in tokens.clone().zip(dependencies) {
            if let Some(head) = word.head {
                children[head - tokens.start].push(at);
            }
        }
        let tags = analysis.tags()[tokens.clone()].to_vec();
        let mut sentence = Self { analysis, tokens, dependencies, children, tags };
        for at in sentence.tokens.clone() {
            if let Some(tag) = sentence.fixed(at) {
                sentence.tags[at - sentence.tokens.start] = tag;
            }
        }
        sentence
    }

    /// Another tag for a token whose tag the parse contradicts.
    fn fixed(&self, at: usize) -> Option<Tag> {
        let up = self.dependency(at).head;
        let children = || self.children(at).iter().map(|child| self.relation(*child));
        let joined = self.relation(at) == Relation::Conj;
        let lower = || self.word(at).to_lowercase();
        if self.penn(at) == Penn::Nns {
            // `This film suffers`, `it aspires but stands`: a plural with a subject is a verb.
            let near = |subject: usize| {
                matches!(self.penn(subject), Penn::Nn | Penn::Prp)
                    && !self.word(subject).chars().all(char::is_uppercase)
                    && (subject + 1 == at || (subject + 2 == at && self.penn(at - 1) == Penn::Rb))
            };
            let subject =
                self.children(at).iter().any(|child| self.relation(*child) == Relation::Nsubj && near(*child));
            let verb_joined = joined && up.is_some_and(|up| self.penn(up) == Penn::Vbz);
            let noun = children().any(|relation| matches!(relation, Relation::Cop | Relation::Det | Relation::Amod));
            let known = || inflection::lemmas(&lower(), "VBZ").next().is_some();
            let is_verb = (subject || verb_joined) && !noun && known();
            return is_verb.then_some(Tag { upos: Upos::Verb, penn: Penn::Vbz });
        }
        // `It was small and crowded`: beside a quality the verb is a participle that is one.
        let is_quality = self.penn(at) == Penn::Vbd
            && joined
            && up.is_some_and(|up| {
                let be = |child: &usize| self.relation(*child) == Relation::Cop;
                matches!(self.upos(up), Upos::Adj | Upos::Verb) && self.children(up).iter().any(be)
            })
            && self.own_subject(at).is_none()
            && wordnet::senses(&lower(), inflection::Kind::Adjective).next().is_some()
            && (at + 1 >= self.tokens.end
                || self.upos(at + 1) == Upos::Punct
                || self.is(at + 1, &["and", "or", "but", "with", "by"]));
        if is_quality {
            return Some(Tag { upos: Upos::Adj, penn: Penn::Jj });
        }
        // `has taken it and turned away`: what is joined to a participle is one.
        let participle_joined = self.penn(at) == Penn::Vbd
            && joined
            && up.is_some_and(|up| self.penn(up) == Penn::Vbn)
            && self.own_subject(at).is_none()
            && inflection::lemmas(&lower(), "VBN").next().is_some();
        participle_joined.then_some(Tag { upos: Upos::Verb, penn: Penn::Vbn })
    }

    /// The sentences of a text that `worth` says are worth a parse, by their tokens.
    pub fn all(analysis: &'a Analysis, worth: impl Fn(Range<usize>) -> bool) -> impl Iterator<Item = Self> {
        let sentences = analysis.sentences().iter().enumerate().filter(move |(_, tokens)| worth((*tokens).clone()));
        sentences.map(|(number, _)| Self::new(analysis, number))
    }

    /// What the token at `at`, which must be of this sentence, depends on.
    pub fn dependency(&self, at: usize) -> Dependency {
        self.dependencies[at - self.tokens.start]
    }

    pub fn children(&self, at: usize) -> &[usize] {
        at.checked_sub(self.tokens.start).and_then(|at| self.children.get(at)).map_or(&[], |found| found)
    }

    pub fn penn(&self, at: usize) -> Penn {
        self.tags[at - self.tokens.start].penn
    }

    pub fn upos(&self, at: usize) -> Upos {
        self.tags[at - self.tokens.start].upos
    }

    pub fn relation(&self, at: usize) -> Relation {
        self.dependency(at).relation
    }

    pub fn word(&self, at: usize) -> &'a str {
        self.analysis.word(at)
    }

    /// Whether the token at `at` is one of these lower-case words, in any case.
    pub fn is(&self, at: usize, of: &[&str]) -> bool {
        self.tokens.contains(&at) && is_any(self.word(at), of)
    }

    pub fn has(&self, of: &[&str]) -> bool {
        self.tokens.clone().any(|at| self.is(at, of))
    }

    /// Whether a word says how the clause with this head hangs on another: `when`, `because`, `that`.
    pub fn is_marked(&self, head: usize) -> bool {
        self.children(head).iter().any(|at| self.relation(*at) == Relation::Mark || self.penn(*at) == Penn::Wrb)
    }

    pub fn span(&self, at: usize) -> Span {
        self.analysis.tokens()[at].span.clone().into()
    }

    /// Whether the token at `at` is joined to the one before it: `n't`, `'s`.
    pub fn joined(&self, at: usize) -> bool {
        at > 0 && self.span(at).start == self.span(at - 1).end
    }

    /// Replaces a token with `with`, cased like it.
    pub fn replace(&self, at: usize, with: &str) -> Edit {
        Edit::replace(self.span(at), casing::follow(self.word(at), with))
    }

    /// Takes out a token with the space behind it.
    pub fn delete_with_space_after(&self, at: usize) -> Edit {
        let end = if at + 1 < self.tokens.end { self.span(at + 1).start } else { self.span(at).end };
        Edit::delete(self.span(at).start..end)
    }

    /// Takes out a token with the space before it.
    pub fn delete_with_space_before(&self, at: usize) -> Edit {
        let start = if at > self.tokens.start { self.span(at - 1).end } else { self.span(at).start };
        Edit::delete(start..self.span(at).end)
    }

    /// The dictionary form of a noun.
    pub fn base_noun(&self, at: usize) -> String {
        let word = self.word(at).to_lowercase();
        inflection::lemma(&word, self.penn(at).as_str()).map_or_else(|| word.clone(), |lemma| lemma.into_owned())
    }

    /// The dictionary form of a verb.
    pub fn base(&self, at: usize) -> String {
        let word = self.word(at).to_lowercase();
        match word.as_str() {
            "am" | "are" | "is" | "was" | "were" | "'m" | "'re" | "been" | "being" => return "be".into(),
            "has" | "had" | "'ve" => return "have".into(),
            "does" | "did" => return "do".into(),
            _ => {}
        }
        let tag = self.penn(at).as_str();
        let known = inflection::lemma(&word, tag).map(|lemma| lemma.into_owned());
        known.unwrap_or(word)
    }

    /// The clauses with a finite verb, in order of that verb.
    pub fn clauses(&self) -> Vec<Clause> {
        let mut found: Vec<Clause> = self.tokens.clone().filter_map(|head| self.clause(head)).collect();
        found.sort_by_key(|clause| clause.finite);
        found
    }

    fn clause(&self, head: usize) -> Option<Clause> {
        use Relation::{Aux, AuxPass, Cop};
        let is_helper = |at: usize| matches!(self.relation(at), Aux | AuxPass | Cop);
        if is_helper(head) {
            return None;
        }
        let helpers = self.children(head).iter().copied().filter(|at| is_helper(*at));
        let own = Some(head).filter(|head| matches!(self.upos(*head), Upos::Verb | Upos::Aux));
        let mut verbs: Vec<usize> = helpers.chain(own).collect();
        verbs.sort_unstable();
        let (&finite, rest) = verbs.split_first()?;
        if !is_finite(self.penn(finite)) || !self.has_known_form(finite) {
            return None;
        }
        let (subject, own_subject) = self.subject(head);
        // `a film, played with care`: one comma between subject and verb makes a participle likely.
        let commas = |subject: usize| (subject..finite).filter(|at| self.is(*at, &[","])).count();
        let subject = subject.filter(|subject| !own_subject || *subject > finite || commas(*subject) != 1);
        // `I don't mind, but don't shout`: without a subject of its own it may be an order.
        let subject = subject.filter(|_| own_subject || !self.is(finite, &["do"]));
        let inverted = own_subject && subject.is_some_and(|subject| subject > finite);
        let mut clause = Clause {
            head,
            finite,
            rest: rest.to_vec(),
            subject,
            own_subject,
            person: None,
            negation: None,
            inverted,
            role: self.role(head),
        };
        clause.person = person::of_clause(self, &clause);
        clause.negation = self.negation(&clause);
        Some(clause)
    }

    /// Whether the verb is one that has the form its tag says: the tagger takes some nouns for verbs.
    fn has_known_form(&self, at: usize) -> bool {
        let word = self.word(at).to_lowercase();
        match self.penn(at) {
            Penn::Vbz | Penn::Vbd if !word.starts_with(char::is_alphabetic) => word.starts_with(['\'', '\u{2019}']),
            Penn::Vbz | Penn::Vbd => inflection::lemmas(&word, self.penn(at).as_str()).next().is_some(),
            Penn::Vbp => {
                inflection::is_lemma(&word, "VB")
                    || is_any(&word, &["am", "are", "'m", "'re", "'ve", "\u{2019}m", "\u{2019}re", "\u{2019}ve", "ai"])
            }
            Penn::Md => is_any(&word.replace('\u{2019}', "'"), MODALS),
            _ => true,
        }
    }

    /// The subject of a predicate, and whether it is its own; `there` is one.
    fn subject(&self, head: usize) -> (Option<usize>, bool) {
        let own = self.own_subject(head);
        if own.is_some() {
            return (own, true);
        }
        let mut at = head;
        while self.relation(at) == Relation::Conj {
            let Some(up) = self.dependency(at).head else { break };
            // `soldiers charged with theft are set`: what is joined has a joint.
            let (first, last) = (up.min(at), up.max(at));
            if !(first..last).any(|at| self.is(at, &[",", ";"]) || self.penn(at) == Penn::Cc) {
                break;
            }
            if let Some(found) = self.own_subject(up) {
                return (Some(found), false);
            }
            at = up;
        }
        (None, false)
    }

    pub fn own_subject(&self, head: usize) -> Option<usize> {
        use Relation::{Csubj, CsubjPass, Expl, Nsubj, NsubjOuter, NsubjPass};
        let of = |wanted: &[Relation]| {
            let found = self.children(head).iter().copied().filter(|child| wanted.contains(&self.relation(*child)));
            // Of several the one next to the predicate.
            found.min_by_key(|at| at.abs_diff(head))
        };
        let expletive = of(&[Expl]).filter(|at| self.is(*at, &["there", "it"]));
        expletive.or_else(|| of(&[Nsubj, NsubjPass, NsubjOuter, Csubj, CsubjPass]))
    }

    /// The negation of a verb group: between its verbs, right behind the first, or `never` right before it.
    fn negation(&self, clause: &Clause) -> Option<usize> {
        let behind = clause.head.max(clause.finite + 2).min(clause.finite + 6).min(self.tokens.end);
        let between = (clause.finite + 1..behind).find(|at| self.is(*at, &["not", "n't", "n\u{2019}t", "never"]));
        let before = || clause.finite.checked_sub(1).filter(|at| self.is(*at, &["never"]));
        between.or_else(before)
    }

    fn role(&self, head: usize) -> Role {
        use Relation::{Acl, AclRelcl, Advcl, AdvclRelcl, Ccomp, Conj, Parataxis, Root};
        let mut at = head;
        while self.relation(at) == Conj {
            match self.dependency(at).head {
                Some(up) => at = up,
                None => break,
            }
        }
        match self.relation(at) {
            Root | Parataxis => Role::Main,
            Ccomp => Role::Content,
            Advcl | AdvclRelcl => Role::Adverbial,
            Acl | AclRelcl => Role::Relative,
            _ => Role::Other,
        }
    }

    /// Where a helper goes that comes before the verb at `at`: before the adverbs that stand right before it, other
    /// than those of `leave`.
    pub fn before_adverbs(&self, at: usize, leave: &[&str]) -> usize {
        let mut first = at;
        while first > self.tokens.start {
            let before = first - 1;
            let is_its_adverb = self.penn(before) == Penn::Rb
                && self.relation(before) == Relation::Advmod
                && self.dependency(before).head.is_some_and(|head| head >= at);
            if !is_its_adverb || self.is(before, leave) || self.is(before, &["not", "n't", "never"]) {
                break;
            }
            first = before;
        }
        first
    }

    /// Base forms joined to a verb that follow the same helper: `drink` of `will eat and drink`.
    pub fn bare_conjuncts(&self, head: usize) -> Vec<usize> {
        let bare = |at: &usize| {
            self.relation(*at) == Relation::Conj
                && self.penn(*at) == Penn::Vb
                && !self.children(*at).iter().any(|child| {
                    matches!(self.relation(*child), Relation::Aux | Relation::Mark) || self.own_subject(*at).is_some()
                })
        };
        self.children(head).iter().copied().filter(bare).collect()
    }
}

/// Verbs that the tag `MD` can be right of, and the pieces that `n't` leaves of them.
const MODALS: &[&str] = &[
    "can", "could", "will", "would", "shall", "should", "may", "might", "must", "ought", "need", "dare", "'ll", "'d",
    "ca", "wo", "sha",
];

/// Tags of verbs that bear a tense.
pub fn is_finite(penn: Penn) -> bool {
    matches!(penn, Penn::Vbd | Penn::Vbz | Penn::Vbp | Penn::Md)
}

/// Whether the word is one of these lower-case words, in any case.
pub fn is_any(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Present and past of a verb as its subject asks, by its dictionary form.
pub fn conjugate(base: &str, past: bool, person: Option<Person>) -> Option<String> {
    let form = match (base, past, person) {
        ("be", true, Some(Person::Plural)) => "were",
        ("be", true, Some(_)) => "was",
        ("be", false, Some(Person::First)) => "am",
        ("be", false, Some(Person::Third)) => "is",
        ("be", false, Some(Person::Plural)) => "are",
        ("be", _, None) => return None,
        (_, true, _) => return inflection::inflect(base, "VBD").map(|form| form.into_owned()),
        (_, false, Some(Person::Third)) => return inflection::inflect(base, "VBZ").map(|form| form.into_owned()),
        (_, false, Some(_)) => base,
        (_, false, None) => return None,
    };
    Some(form.to_owned())
}

/// Whether a text has one of these lower-case words, in any case.
pub fn is_any_in(text: &str, of: &[&str]) -> bool {
    text.split(|sign: char| !sign.is_alphanumeric()).any(|word| is_any(word, of))
}
