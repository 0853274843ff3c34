//! Questions made statements: `Where was Tesla born?` and `Graz` to `Tesla was born in Graz`.

use std::ops::Range;

use fissure_core::Text;
use fissure_text::{Analysis, Penn, Relation, casing, inflection};

use super::annotated::Annotated;
use crate::clauses::is_any;

/// What a question asks for, and where its parts stand, by tokens.
#[derive(Debug)]
struct Asked {
    /// `in` of `In what year ...`.
    preposition: Option<usize>,
    /// `what year`, `who`, `how many people`.
    phrase: Range<usize>,
    /// What comes behind the phrase, without the question mark.
    rest: Range<usize>,
}

/// Words of a statement that is being made.
type Words = Vec<String>;

/// The statement that answers a question with `answer`; `instead` names other words for tokens of the question. Nothing
/// for questions of a form that is not known.
pub(crate) fn statement(question: &Text, answer: &str, instead: impl Fn(usize) -> Option<String>) -> Option<String> {
    let annotated = Annotated::of(question);
    let analysis = annotated.analysis();
    let [sentence] = analysis.sentences() else { return None };
    let asked = asked(&annotated, sentence.clone())?;
    let said = |tokens: Range<usize>| -> Words {
        tokens.map(|at| instead(at).unwrap_or_else(|| annotated.word(at).to_owned())).collect()
    };
    let verb = asked.rest.start;
    let how_many = is_any(annotated.word(asked.phrase.start), &["how"]);
    // `how many people`: the counted things stay.
    let answer_words: Words = if how_many {
        let mut words = vec![answer.to_owned()];
        words.extend(said(asked.phrase.start + 2..asked.phrase.end));
        words
    } else {
        vec![answer.to_owned()]
    };
    let be = is_any(annotated.word(verb), &["is", "was", "are", "were"]);
    let does = is_any(annotated.word(verb), &["did", "does", "do"]);
    let helps =
        be || does || is_any(annotated.word(verb), &["has", "have", "had"]) || annotated.penn(verb) == Some(Penn::Md);
    let main = main_verb(&annotated, analysis, &asked);
    let mut words = match main {
        Some(main) if helps && main > verb + 1 => {
            let mut words = said(verb + 1..main);
            if does {
                let tag = match annotated.word(verb) {
                    "did" => "VBD",
                    "does" => "VBZ",
                    _ => "VBP",
                };
                // Another word for the verb would need its forms.
                let lemma = inflection::lemma(annotated.word(main), "VB")?;
                words.push(inflection::inflect(&lemma, tag)?.into_owned());
            } else {
                words.push(annotated.word(verb).to_owned());
                words.extend(said(main..main + 1));
            }
            let behind = said(main + 1..asked.rest.end);
            with_complement(&annotated, &asked, words, behind, answer_words)?
        }
        // The question asks for the subject: `Who was the king?`, `What caused it?`
        _ if !does
            && asked.preposition.is_none()
            && !is_adverb(&annotated, &asked)
            && !is_stranded(&annotated, &asked) =>
        {
            let mut words = answer_words;
            words.extend(said(asked.rest));
            words
        }
        _ => return None,
    };
    if words.len() < 4 {
        return None;
    }
    if let Some(first) = words.first_mut() {
        *first = casing::title(first).into_owned();
    }
    Some(joined(&words) + ".")
}

/// Puts the answer where a statement has it.
fn with_complement(
    annotated: &Annotated,
    asked: &Asked,
    mut words: Words,
    behind: Words,
    answer: Words,
) -> Option<Words> {
    let first = annotated.word(asked.phrase.start).to_lowercase();
    let last = annotated.word(asked.rest.end - 1).to_lowercase();
    let stranded = ["in", "on", "at", "for", "by", "from", "with", "of", "to", "as", "into"].contains(&last.as_str());
    let timed = (asked.phrase.clone())
        .any(|at| is_any(annotated.word(at), &["year", "decade", "century", "month", "city", "country", "state"]));
    if let Some(preposition) = asked.preposition {
        words.extend(behind);
        words.push(annotated.word(preposition).to_lowercase());
        words.extend(answer);
    } else if is_adverb(annotated, asked) || (timed && !stranded && is_any(&first, &["what", "which"])) {
        words.extend(behind);
        let dated = answer[0].split_whitespace().count() > 1 && answer[0].contains(|sign: char| sign.is_ascii_digit());
        words.push(if dated { "on" } else { "in" }.to_owned());
        words.extend(answer);
    } else if stranded {
        words.extend(behind);
        words.extend(answer);
    } else {
        words.extend(answer);
        words.extend(behind);
    }
    Some(words)
}

/// Whether a preposition is left at the end: `on` of `What is it on?`.
fn is_stranded(annotated: &Annotated, asked: &Asked) -> bool {
    matches!(annotated.penn(asked.rest.end - 1), Some(Penn::In | Penn::To | Penn::Rp))
}

fn is_adverb(annotated: &Annotated, asked: &Asked) -> bool {
    is_any(annotated.word(asked.phrase.start), &["when", "where"])
}

/// The phrase that asks, and the rest.
fn asked(annotated: &Annotated, sentence: Range<usize>) -> Option<Asked> {
    let last = sentence.end.checked_sub(1)?;
    if annotated.word(last) != "?"
        || sentence.len() < 4
        || (sentence.start..last).any(|at| [",", ";", "\"", "("].contains(&annotated.word(at)))
    {
        return None;
    }
    let first = sentence.start;
    let is_preposition = is_any(annotated.word(first), &["in", "on", "at", "by", "from", "to", "for", "during"]);
    let start = if is_preposition { first + 1 } else { first };
    let noun = |at: usize| matches!(annotated.penn(at), Some(Penn::Nn | Penn::Nns | Penn::Jj | Penn::Jjs));
    let counts = is_any(annotated.word(start), &["how"]) && is_any(annotated.word(start + 1), &["many"]);
    let end = match annotated.word(start).to_lowercase().as_str() {
        "who" | "when" | "where" if !is_preposition => start + 1,
        "what" | "which" => (start + 1..last).find(|at| !noun(*at))?,
        "how" if counts => (start + 2..last).find(|at| !noun(*at)).filter(|end| *end > start + 2)?,
        _ => return None,
    };
    let verb = annotated.penn(end)?;
    let finite = matches!(verb, Penn::Vbd | Penn::Vbz | Penn::Vbp | Penn::Md);
    let phrase_named = end > start + 1 || !is_preposition;
    (finite && phrase_named && end + 1 < last).then_some(Asked {
        preposition: is_preposition.then_some(first),
        phrase: start..end,
        rest: end..last,
    })
}

/// The verb that helpers stand before, if the subject stands between: `born` of `was Tesla born`.
fn main_verb(annotated: &Annotated, analysis: &Analysis, asked: &Asked) -> Option<usize> {
    let number = analysis.sentences().iter().position(|tokens| tokens.contains(&asked.rest.start))?;
    let first = analysis.sentences()[number].start;
    let dependencies = analysis.dependencies_of(number);
    let root = (0..dependencies.len()).find(|at| dependencies[*at].head.is_none()).map(|at| at + first)?;
    let verbal = matches!(annotated.penn(root), Some(Penn::Vb | Penn::Vbn | Penn::Vbg | Penn::Vbd));
    let helped = dependencies[asked.rest.start - first].head == Some(root)
        && matches!(dependencies[asked.rest.start - first].relation, Relation::Aux | Relation::AuxPass);
    let has_subject = (asked.rest.start + 1..root).any(|at| {
        dependencies[at - first].head == Some(root)
            && matches!(dependencies[at - first].relation, Relation::Nsubj | Relation::NsubjPass)
    });
    let parsed = (verbal && helped && has_subject).then_some(root);
    parsed.or_else(|| last_verb(annotated, asked))
}

/// `end` of `When did the war end?`, which taggers take for a noun: behind `did` there is a verb, and if no other word can be it,
/// it is the last one.
fn last_verb(annotated: &Annotated, asked: &Asked) -> Option<usize> {
    let last = asked.rest.end - 1;
    let is_verb = |at: usize| annotated.penn(at).is_some_and(|tag| tag.as_str().starts_with("VB"));
    let is_noun = |at: usize| annotated.penn(at).is_some_and(|tag| tag.as_str().starts_with("NN"));
    let alone = is_any(annotated.word(asked.rest.start), &["did", "does", "do"])
        && last > asked.rest.start + 1
        && is_noun(last - 1)
        && !(asked.rest.start + 1..last).any(is_verb);
    (alone && inflection::is_lemma(annotated.word(last), "VB")).then_some(last)
}

/// Words with spaces between them, as English is written.
fn joined(words: &Words) -> String {
    let mut text = String::new();
    for word in words {
        let clings = word.starts_with(['\'', '\u{2019}', ',', '.', '%', ')', '-'])
            || word == "n't"
            || text.ends_with(['-', '(', '$']);
        if !text.is_empty() && !clings {
            text.push(' ');
        }
        text += word;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_become_statements() {
        let cases = [
            ("Where was Tesla born?", "Graz", "Tesla was born in Graz."),
            ("Who invented the radio in Italy?", "Peter Brown", "Peter Brown invented the radio in Italy."),
            ("What did Tesla build in 1899?", "a mill", "Tesla built a mill in 1899."),
            ("How many people live in the town?", "30", "30 people live in the town."),
            ("When did the war in France end?", "1920", "The war in France ended in 1920."),
            ("When did the war end?", "1920", "The war ended in 1920."),
            ("What year did the war end?", "1920", "The war ended in 1920."),
            ("What is the capital of Spain?", "Rome", "Rome is the capital of Spain."),
        ];
        for (question, answer, wanted) in cases {
            assert_eq!(statement(&Text::from(question), answer, |_| None).as_deref(), Some(wanted));
        }
        for strange in ["Why?", "", "Is it so?", "How come it rained?", "Name the king."] {
            assert_eq!(statement(&Text::from(strange), "x", |_| None), None, "{strange}");
        }
    }
}
