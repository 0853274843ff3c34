//! Questions made statements: `Where was Tesla born?` and `Graz` to `Tesla was born in Graz`.

mod order;
mod question;

use super::annotated::Annotated;
use crate::clauses::Sentence;

pub(crate) use question::{Asks, Question, Shape};

/// What is put where the question asks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    pub words: String,
    /// The preposition that a place or a time needs before it; none if the words bring their own.
    pub preposition: Option<&'static str>,
    /// Whether it begins with a preposition of its own.
    pub is_adverbial: bool,
    /// Whether it only says which kind of thing, so that the noun of the question has to follow.
    pub is_quality: bool,
    /// Whether it is a bare number.
    pub is_number: bool,
    /// Whether it names several things.
    pub is_plural: bool,
}

/// A word of a statement: one of the question, or a new one.
#[derive(Debug, Clone)]
enum Item {
    Token(usize),
    /// A word of the question in another form.
    Form(usize, String),
    Word(String),
}

/// The question of a text, taken apart.
pub(crate) fn read(annotated: &Annotated) -> Option<Question<'_>> {
    let mut sentences = Sentence::all(annotated.analysis(), |_| true);
    let sentence = sentences.next()?;
    sentences.next().is_none().then(|| Question::read(sentence)).flatten()
}

/// The statement that answers a question with `answer`; `instead` names other words for tokens of the question. Nothing
/// if it is not sure how the statement is ordered.
pub(crate) fn statement(
    question: &Question<'_>,
    answer: &Answer,
    instead: impl Fn(usize) -> Option<String>,
) -> Option<String> {
    let items = order::order(question, answer)?;
    // A mark within the question (`the right to "self-determination?"`) would stay.
    (items.len() > 3).then(|| render(question, &items, instead)).filter(|made| !made.contains('?'))
}

/// Words with spaces between them; those that follow each other in the question keep what is between them there.
fn render(question: &Question<'_>, items: &[Item], instead: impl Fn(usize) -> Option<String>) -> String {
    let analysis = question.sentence.analysis;
    let mut text = String::new();
    let mut last: Option<usize> = None;
    for item in items {
        let (word, at) = match item {
            Item::Token(at) => (instead(*at).unwrap_or_else(|| analysis.word(*at).to_owned()), Some(*at)),
            Item::Form(at, word) => (word.clone(), Some(*at)),
            Item::Word(word) => (word.clone(), None),
        };
        if word.is_empty() {
            continue;
        }
        let gap = match (last, at) {
            (Some(before), Some(at)) if before + 1 == at => {
                &analysis.text()[analysis.tokens()[before].span.end..analysis.tokens()[at].span.start]
            }
            _ if text.is_empty() || word.starts_with([',', '.', '%', ')']) || clings(&word) => "",
            _ => " ",
        };
        let gap = if gap.len() > 1 { " " } else { gap };
        // What the question itself has side by side stays as its writer wrote it.
        let as_it_was = last.zip(at).is_some_and(|(before, at)| before + 1 == at && word == analysis.word(at));
        if !as_it_was {
            fix_article(&mut text, &word);
        }
        text += gap;
        text += &word;
        last = at;
    }
    capitalised(&text) + "."
}

fn capitalised(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}

fn clings(word: &str) -> bool {
    matches!(word, "'s" | "\u{2019}s" | "n't")
}

/// Makes `a` or `an` at the end of `text` agree with the word that follows.
pub(crate) fn fix_article(text: &mut String, next: &str) {
    let start = text.rfind(' ').map_or(0, |space| space + 1);
    let article = &text[start..];
    if ["a", "an", "A", "An"].contains(&article) && next.starts_with(char::is_alphanumeric) {
        let right = fissure_text::articles::article_before(next, article);
        text.replace_range(start.., right);
    }
}

#[cfg(test)]
mod tests {
    use fissure_core::Text;

    use super::*;

    fn made(question: &str, answer: &Answer) -> Option<String> {
        let annotated = Annotated::of(&Text::from(question));
        let question = read(&annotated)?;
        statement(&question, answer, |_| None)
    }

    fn answer(words: &str) -> Answer {
        Answer { words: words.into(), is_number: words.bytes().all(|byte| byte.is_ascii_digit()), ..Answer::default() }
    }

    #[test]
    fn questions_become_statements() {
        let cases = [
            ("Where was Tesla born?", "Graz", "Tesla was born in Graz."),
            ("Who invented the radio in Italy?", "Peter Brown", "Peter Brown invented the radio in Italy."),
            ("What did Tesla build in 1899?", "a mill", "Tesla built a mill in 1899."),
            ("How many people live in the town?", "30", "30 people live in the town."),
            ("How many people did the king send?", "30", "The king sent 30 people."),
            ("When did the war in France end?", "1920", "The war in France ended in 1920."),
            ("When did the war end?", "1920", "The war ended in 1920."),
            ("What year did the war end?", "1920", "The war ended in 1920."),
            ("In what year did the war end?", "1920", "The war ended in 1920."),
            ("In 1920, who was the king of Spain?", "Peter", "In 1920, Peter was the king of Spain."),
            ("What is the capital of Spain?", "Rome", "The capital of Spain is Rome."),
            ("What is the river used for?", "trade", "The river is used for trade."),
            ("What did the king work on in 1899?", "a mill", "The king worked on a mill in 1899."),
            ("The river flows into what sea?", "the Aral Sea", "The river flows into the Aral Sea."),
            ("Who did the king marry?", "Anna", "The king married Anna."),
            ("What was the town called?", "Rome", "The town was called Rome."),
            ("How many mills are there in the town?", "30", "There are 30 mills in the town."),
            ("What can the engine move?", "a train", "The engine can move a train."),
            ("Which country has the king visited?", "Spain", "The king has visited Spain."),
            ("How long did the war last?", "30 years", "The war lasted 30 years."),
            ("Whose army took the town?", "Anna", "Anna's army took the town."),
            ("By whom was the castle destroyed?", "Anna", "The castle was destroyed by Anna."),
        ];
        for (question, words, wanted) in cases {
            assert_eq!(made(question, &answer(words)).as_deref(), Some(wanted), "{question}");
        }
        for strange in [
            "Why?",
            "",
            "Is it so?",
            "How come it rained?",
            "Name the king.",
            "What did the king do in Spain?",
            "Who wrote \"Why?\"",
        ] {
            assert_eq!(made(strange, &answer("x")), None, "{strange}");
        }
    }

    #[test]
    fn nouns_of_the_question_follow_what_only_says_which() {
        let quality = Answer { words: "Gothic".into(), is_quality: true, ..Answer::default() };
        assert_eq!(
            made("What type of architecture is used in the town?", &quality).as_deref(),
            Some("Gothic architecture is used in the town.")
        );
    }
}
