//! One clause from one tense to another.

use fissure_core::Edit;
use fissure_text::Penn;

use super::{Target, follows_another};
use crate::clauses::{Clause, Role, Sentence, conjugate};

/// `will` in all its forms.
pub const WILL: &[&str] = &["will", "'ll", "\u{2019}ll", "wo"];

/// Adverbs that stand between `will` and its verb.
const MIDDLE: &[&str] = &[
    "also",
    "always",
    "certainly",
    "clearly",
    "definitely",
    "never",
    "often",
    "probably",
    "really",
    "still",
    "surely",
    "truly",
    "usually",
    "obviously",
    "undoubtedly",
];

/// The edits that put a clause into a tense, none if it is in it; nothing if that is not sure.
pub fn clause(sentence: &Sentence<'_>, all: &[Clause], clause: &Clause, target: Target) -> Option<Vec<Edit>> {
    let here = Here { sentence, all, clause };
    let is_modal = sentence.penn(clause.finite) == Penn::Md;
    match target {
        Target::Past if is_modal => here.modal(true),
        Target::Past => here.finite(true),
        Target::Present | Target::Random if is_modal => here.modal(false),
        Target::Present | Target::Random => here.finite(false),
        // `If you like it` has no future, whatever it hangs on.
        Target::Future if sentence.is_marked(clause.head) && !is_modal && clause.role != Role::Relative => {
            here.finite(false)
        }
        Target::Future => match clause.role {
            Role::Main if is_modal => Some(Vec::new()),
            Role::Main => here.future(),
            Role::Content | Role::Adverbial if is_modal => here.modal(false),
            // `When he comes, he will sing.`
            Role::Content => here.finite(false),
            Role::Adverbial => here.finite(false).filter(|_| sentence.is_marked(clause.head)),
            Role::Relative => Some(Vec::new()),
            Role::Other => Some(Vec::new()).filter(|_| sentence.penn(clause.finite) != Penn::Vbd),
        },
    }
}

/// A clause where it stands.
#[derive(Clone, Copy)]
struct Here<'s, 'a> {
    sentence: &'s Sentence<'a>,
    all: &'s [Clause],
    clause: &'s Clause,
}

impl Here<'_, '_> {
    /// Past to present or back, by the form of the finite verb alone.
    fn finite(self, past: bool) -> Option<Vec<Edit>> {
        let Self { sentence, clause, .. } = self;
        let is_past = sentence.penn(clause.finite) == Penn::Vbd;
        if is_past == past {
            return Some(Vec::new());
        }
        let word = sentence.word(clause.finite);
        let base = self.base()?;
        let form = conjugate(&base, past, clause.person)?;
        // `amn't` is no English.
        if form == "am" && clause.negation.is_some_and(|not| sentence.joined(not)) {
            return None;
        }
        Some(if word.starts_with(['\'', '\u{2019}']) {
            // `I'm` has no short past.
            vec![Edit::replace(sentence.span(clause.finite), format!(" {form}"))]
        } else if form.eq_ignore_ascii_case(word) {
            Vec::new()
        } else {
            vec![sentence.replace(clause.finite, &form)]
        })
    }

    /// The dictionary form of the finite verb; `'s` is `has` before `been` and `got`.
    fn base(self) -> Option<String> {
        let Self { sentence, clause, .. } = self;
        let base = sentence.base(clause.finite);
        if base != "'s" && base != "\u{2019}s" {
            return Some(base).filter(|base| !base.starts_with(['\'', '\u{2019}']));
        }
        let has = clause.rest.first().is_some_and(|next| sentence.is(*next, &["been", "got"]));
        Some(if has { "have" } else { "be" }.into())
    }

    /// `will go` to `went` or `goes`; `can` to `could`; in reported speech, `would` to `will` and back.
    fn modal(self, past: bool) -> Option<Vec<Edit>> {
        let Self { sentence, clause, .. } = self;
        let finite = clause.finite;
        let swap = |with: &str| Some(vec![sentence.replace(finite, with)]);
        if sentence.is(finite, WILL) {
            return if follows_another(clause) && clause.role == Role::Content {
                match past {
                    true if sentence.joined(finite) => Some(vec![Edit::replace(sentence.span(finite), "'d")]),
                    true => swap("would"),
                    false => Some(Vec::new()),
                }
            } else if clause.role == Role::Main || past {
                self.without_will(past)
            } else {
                Some(Vec::new())
            };
        }
        let negated_short = clause
            .negation
            .is_some_and(|not| not == finite + 1 && (sentence.joined(not) || !sentence.is(not, &["not"])));
        match past {
            true if sentence.is(finite, &["can", "ca"]) => {
                let mut edits = swap("could")?;
                if negated_short && sentence.is(finite + 1, &["not"]) && sentence.joined(finite + 1) {
                    edits.push(Edit::insert(sentence.span(finite + 1).start, " "));
                }
                Some(edits)
            }
            false if clause.role == Role::Content && sentence.is(finite, &["would"]) => {
                swap(if negated_short { "wo" } else { "will" })
            }
            _ => Some(Vec::new()),
        }
    }

    /// `will go` becomes `went`, `will not go` becomes `did not go`, `will be` becomes `was`.
    fn without_will(self, past: bool) -> Option<Vec<Edit>> {
        let Self { sentence, clause, .. } = self;
        let &verb = clause.rest.first()?;
        if sentence.penn(verb) != Penn::Vb {
            return None;
        }
        let base = sentence.base(verb);
        let negated = clause.negation.is_some_and(|not| !sentence.is(not, &["never"]));
        if !negated && !clause.inverted {
            let mut edits = vec![match sentence.joined(clause.finite) {
                true => Edit::delete(sentence.span(clause.finite)),
                false => sentence.delete_with_space_after(clause.finite),
            }];
            for verb in std::iter::once(verb).chain(sentence.bare_conjuncts(verb)) {
                let form = conjugate(&sentence.base(verb), past, clause.person)?;
                if !form.eq_ignore_ascii_case(sentence.word(verb)) {
                    edits.push(sentence.replace(verb, &form));
                }
            }
            return Some(edits);
        }
        if sentence.joined(clause.finite) {
            return None;
        }
        if base == "be" || (base == "have" && clause.rest.len() > 1) {
            let form = conjugate(&base, past, clause.person)?;
            return Some(vec![sentence.replace(clause.finite, &form), sentence.delete_with_space_before(verb)]);
        }
        let form = conjugate("do", past, clause.person)?;
        Some(vec![sentence.replace(clause.finite, &form)])
    }

    /// Puts `will` before the verb, or replaces `do` with it.
    fn future(self) -> Option<Vec<Edit>> {
        let Self { sentence, clause, .. } = self;
        let finite = clause.finite;
        let base = self.base()?;
        let helps = !clause.rest.is_empty() || clause.head != finite;
        let negation = clause.negation.filter(|not| !sentence.is(*not, &["never"]));
        if base == "do" && !clause.rest.is_empty() {
            let short = negation.is_some_and(|not| !sentence.is(not, &["not"]));
            return Some(vec![sentence.replace(finite, if short { "wo" } else { "will" })]);
        }
        if base == "be" || (base == "have" && helps) {
            let progressive = clause.rest.iter().any(|verb| sentence.is(*verb, &["being"]));
            if clause.inverted || progressive || sentence.is(finite + 1, &["to"]) {
                return None;
            }
            let joined = sentence.joined(finite);
            return Some(match negation {
                Some(not) if !sentence.is(not, &["not"]) => {
                    vec![sentence.replace(finite, "wo"), Edit::insert(sentence.span(not).end, format!(" {base}"))]
                }
                // `It's not` becomes `It won't be`.
                Some(not) if joined => {
                    vec![Edit::replace(sentence.span(finite).start..sentence.span(not).end, format!(" won't {base}"))]
                }
                Some(not) => {
                    vec![sentence.replace(finite, "will"), Edit::insert(sentence.span(not).end, format!(" {base}"))]
                }
                // `is also` becomes `will also be`.
                None if sentence.is(finite + 1, MIDDLE) => {
                    let will = if joined {
                        Edit::replace(sentence.span(finite), "'ll")
                    } else {
                        sentence.replace(finite, "will")
                    };
                    vec![will, Edit::insert(sentence.span(finite + 1).end, format!(" {base}"))]
                }
                None if joined => vec![Edit::replace(sentence.span(finite), format!("'ll {base}"))],
                None => vec![sentence.replace(finite, &format!("will {base}"))],
            });
        }
        if clause.inverted || finite != clause.head {
            return None;
        }
        let mut edits = Vec::new();
        if !self.shares_will() {
            let first = sentence.before_adverbs(finite, &[]);
            if first > sentence.tokens.start && sentence.is(first - 1, &["never"]) {
                edits.push(Edit::insert(sentence.span(first - 1).start, "will "));
            } else if first == finite && base.eq_ignore_ascii_case(sentence.word(finite)) {
                edits.push(Edit::insert(sentence.span(finite).start, "will "));
            } else if first == finite {
                return Some(vec![sentence.replace(finite, &format!("will {base}"))]);
            } else {
                edits.push(Edit::insert(sentence.span(first).start, "will "));
            }
        }
        if !base.eq_ignore_ascii_case(sentence.word(finite)) {
            edits.push(sentence.replace(finite, &base));
        }
        Some(edits)
    }

    /// Whether a plain verb before it, joined to it and with the same subject, has the `will` for both.
    fn shares_will(self) -> bool {
        let Self { sentence, clause, all } = self;
        if clause.own_subject {
            return false;
        }
        let up = sentence.dependency(clause.head).head;
        let first = all.iter().find(|other| Some(other.head) == up);
        first.is_some_and(|first| {
            first.finite == first.head && first.negation.is_none() && sentence.base(first.head) != "be"
        })
    }
}
