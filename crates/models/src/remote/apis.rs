//! The formats that endpoints speak: how questions are put, and how replies are read.

use fissure_core::counted;
use fissure_tasks::{Answers, Question, Task, short};
use serde_json::{Map, Value, json};

use super::{Api, Body, Prompt, Reply};

/// What every encoding may need to know.
pub(super) struct Speech<'a> {
    pub api: Api,
    pub task: &'static Task,
    /// The labels to choose from as the model is shown them, for chats.
    pub labels: &'a [String],
    pub prompt: Option<&'a Prompt>,
    pub body: &'a Body,
    pub model: Option<&'a str>,
}

/// The API that an address looks like.
pub(super) fn guess(address: &str) -> Api {
    let path = address.split(['?', '#']).next().unwrap_or(address).trim_end_matches('/');
    if path.ends_with("/chat/completions") {
        Api::Chat
    } else if path.contains("huggingface.") || path.contains("/hf-inference/") {
        Api::HuggingFace
    } else {
        Api::Fissure
    }
}

/// The messages of a chat, each with its role.
pub(super) fn messages(question: &Question, labels: &[String], prompt: Option<&Prompt>) -> Vec<(&'static str, String)> {
    if let Some(prompt) = prompt {
        return vec![("user", prompt.fill(question, labels))];
    }
    let system = format!(
        "You are a classifier for the task `{}`. Answer with exactly one of these labels and nothing else: {}",
        question.task,
        labels.join(", ")
    );
    let text = |(name, text): &(String, String)| format!("{name}: {text}");
    let fields: Vec<String> = question.fields.iter().map(text).collect();
    vec![("system", system), ("user", fields.join("\n\n"))]
}

impl Speech<'_> {
    /// Why this API cannot serve the task.
    pub fn refusal(&self) -> Option<String> {
        let (class, name) = (self.task.answers == Answers::Class, self.task.name());
        match self.api {
            Api::Chat if !class => {
                Some(format!("a chat answers with the name of a class, which `{name}` does not have"))
            }
            Api::Chat if self.labels.is_empty() => Some("a chat needs the labels to choose from: give --labels".into()),
            Api::Chat if self.model.is_none() => {
                Some("a chat endpoint serves several models: say which with --api-model".into())
            }
            Api::HuggingFace if !class && !self.finds_pieces() => {
                Some(format!("the Hugging Face format is read for classes and questions, not for `{name}`"))
            }
            _ => None,
        }
    }

    /// Whether answers are pieces of a passage.
    fn finds_pieces(&self) -> bool {
        self.task.answers == Answers::Piece
    }

    /// How many questions one request can take.
    pub fn most(&self) -> usize {
        match self.api {
            Api::Chat => 1,
            Api::HuggingFace if self.finds_pieces() => 1,
            _ => usize::MAX,
        }
    }

    /// The body of a request.
    pub fn put(&self, questions: &[Question]) -> Value {
        let mut body = self.own_body(questions);
        self.body.merge_into(&mut body);
        body
    }

    fn own_body(&self, questions: &[Question]) -> Value {
        match (self.api, questions) {
            (Api::Fissure, _) => {
                json!({"protocol": 1, "questions": questions.iter().map(Question::to_json).collect::<Vec<_>>()})
            }
            (Api::HuggingFace, [question, ..]) if self.finds_pieces() => {
                let fields: Map<String, Value> =
                    question.fields.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect();
                json!({ "inputs": fields })
            }
            (Api::HuggingFace, _) => {
                let input = |question: &Question| match &question.fields[..] {
                    [(_, text), (_, pair), ..] => json!({"text": text, "text_pair": pair}),
                    fields => fields.first().map_or(json!(""), |(_, text)| json!(text)),
                };
                json!({"inputs": questions.iter().map(input).collect::<Vec<_>>(), "parameters": {"top_k": null}})
            }
            (Api::Chat, _) => {
                let messages = questions.first().map_or_else(Vec::new, |one| messages(one, self.labels, self.prompt));
                let messages: Vec<Value> =
                    messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect();
                // No `max_tokens`: some endpoints refuse it, and a model that reasons would be cut short by a small one.
                json!({"model": self.model, "temperature": 0, "messages": messages})
            }
        }
    }

    /// Reads the reply to a request with this many questions; `Err` if it is not what the API promises.
    pub fn read(&self, reply: &Value, count: usize) -> Result<Vec<Reply>, String> {
        let replies: Vec<Reply> = match self.api {
            Api::Fissure => {
                let list = reply["answers"].as_array().ok_or_else(|| odd("no list `answers`", reply))?;
                list.iter().map(answer).collect()
            }
            Api::HuggingFace if self.finds_pieces() => {
                let best = if reply.is_array() { &reply[0] } else { reply };
                let text = best["answer"].as_str().ok_or_else(|| odd("no `answer`", reply))?;
                vec![Ok(json!({"answer": Some(text).filter(|text| !text.is_empty())}))]
            }
            Api::HuggingFace => hugging_face(reply, count)?,
            Api::Chat => {
                let content = &reply["choices"][0]["message"]["content"];
                // A text, or a list of parts of which some are text.
                let parts = content.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
                let said =
                    content.as_str().map(str::to_owned).or_else(|| parts.map(str::to_owned).reduce(|a, b| a + &b));
                vec![self.label_in(&said.ok_or_else(|| odd("no `choices[0].message.content`", reply))?)]
            }
        };
        if replies.len() != count {
            let (answers, questions) = (counted(replies.len(), "answer"), counted(count, "question"));
            return Err(format!("{answers} to {questions}"));
        }
        Ok(replies)
    }

    /// The label that a chat names: the whole reply, its last line, what follows its last colon, or the only label among words
    /// that deny nothing.
    fn label_in(&self, said: &str) -> Reply {
        let said = without_thoughts(said);
        let last = said.trim().lines().last().unwrap_or_default();
        let after_colon = last.rsplit(':').next().unwrap_or(last);
        let alone =
            |piece: &str| self.labels.iter().find(|label| words_of(label) == words_of(piece) && !is_part(piece, label));
        if let Some(label) = [said, last, after_colon].into_iter().find_map(alone) {
            return Ok(json!({ "label": label }));
        }
        let words = words_of(said);
        let is_there = |label: &[String]| !label.is_empty() && words.windows(label.len()).any(|words| words == label);
        let named: Vec<(&String, Vec<String>)> =
            self.labels.iter().map(|label| (label, words_of(label))).filter(|(_, label)| is_there(label)).collect();
        if let Some((label, _)) = named.iter().find(|(label, _)| is_part(said, label)) {
            return Err(format!("the reply `{}` may mean something else than the label `{label}`", short(said)));
        }
        // `duplicate` is no label of its own within `not duplicate`.
        let inside = |label: &[String]| {
            named.iter().any(|(_, longer)| {
                longer.len() > label.len() && longer.windows(label.len()).any(|words| words == label)
            })
        };
        let mut outer = named.iter().filter(|(_, label)| !inside(label));
        match (outer.next(), outer.next()) {
            (Some((label, own)), None) => {
                let denies = |word: &String| DENIALS.contains(&&**word) && !own.contains(word);
                if words.iter().any(denies) {
                    return Err(format!("the reply `{}` may deny the label that it names", short(said)));
                }
                Ok(json!({ "label": label }))
            }
            (Some(_), Some(_)) => Err(format!("the reply `{}` matches several labels", short(said))),
            _ => Err(format!("the reply `{}` matches no label", short(said))),
        }
    }
}

/// Whether a label that is a number or one word stands in a text as a part of something else: `1.5`, `1/10`, `non-positive`.
fn is_part(said: &str, label: &str) -> bool {
    let (said, label) = (said.to_lowercase(), label.to_lowercase());
    if label.is_empty() || !label.chars().all(char::is_alphanumeric) {
        return false;
    }
    let is_number = label.chars().all(|sign| sign.is_ascii_digit());
    said.match_indices(&label).any(|(at, _)| {
        let (before, behind) = (&said[..at], &said[at + label.len()..]);
        let mut after = behind.chars();
        let joins = |sign: Option<char>| sign.is_some_and(|sign| matches!(sign, '.' | ',' | '/' | ':'));
        let is_digit = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_digit());
        let last = before.chars().next_back();
        let joined = last.is_some_and(is_dash) && before.chars().rev().nth(1).is_some_and(char::is_alphanumeric);
        let fraction = is_number
            && ((joins(after.next()) && is_digit(after.next()))
                || (joins(last) && is_digit(before.chars().rev().nth(1))));
        joined || fraction
    })
}

fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '\u{2212}' | '\u{2010}' | '\u{2011}')
}

/// The words of a text in lower case, without signs but the minus of a number; `not_entailment` is two.
fn words_of(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_minus = is_dash(letter)
            && before.is_none_or(|before: char| !before.is_alphanumeric())
            && letters.peek().is_some_and(char::is_ascii_digit);
        if is_minus {
            words.push("-".into());
        } else if !letter.is_alphanumeric() {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Words that may turn a label into what it is not: `anything but negative`, `positive is wrong`; of `isn't`, the `t`. A reply
/// that is refused is counted where the user sees it, and a wrong label is not.
const DENIALS: &[&str] = &[
    "not", "never", "neither", "nor", "no", "none", "t", "hardly", "cannot", "anything", "instead", "except",
    "without", "opposite", "far", "unlikely", "than", "doubt", "doubtful", "wrong", "false", "fails", "fail", "absent",
    "lacks", "barely", "least", "if", "refuse", "sorry",
];

/// What a chat says after thinking aloud: models that reason put that before the answer, between `<think>` and `</think>`.
fn without_thoughts(said: &str) -> &str {
    const END: &str = "</think>";
    match said.rfind(END) {
        Some(end) if said.trim_start().starts_with("<think>") => said[end + END.len()..].trim(),
        _ => said,
    }
}

/// An answer of our protocol: an object, perhaps with an `error`.
pub(super) fn answer(answer: &Value) -> Reply {
    match answer {
        Value::Object(object) => match object.get("error") {
            None | Some(Value::Null) => Ok(answer.clone()),
            Some(Value::String(why)) => Err(short(why)),
            Some(why) => Err(short(&why.to_string())),
        },
        other => Err(odd("an answer must be an object", other)),
    }
}

/// `[[{label, score}, ...], ...]`, or one `{label, score}` for each question.
fn hugging_face(reply: &Value, count: usize) -> Result<Vec<Reply>, String> {
    let list = reply.as_array().ok_or_else(|| odd("no list of labels with scores", reply))?;
    let one = |scored: &[Value]| -> Reply {
        let pair = |each: &Value| Some((each["label"].as_str()?.to_owned(), each["score"].clone()));
        let scores: Option<Map<String, Value>> = scored.iter().map(pair).collect();
        match scores {
            Some(scores) if !scores.is_empty() => Ok(json!({ "scores": scores })),
            _ => Err(odd("no labels with scores", &json!(scored))),
        }
    };
    Ok(match list.first() {
        Some(Value::Object(_)) if count == 1 => vec![one(list)],
        _ => list.iter().map(|each| one(each.as_array().map_or(std::slice::from_ref(each), Vec::as_slice))).collect(),
    })
}

fn odd(what: &str, found: &Value) -> String {
    format!("{what} in the reply {}", short(&found.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str) -> Question {
        Question { task: "sa".into(), fields: vec![("text".into(), text.into())], more: Map::new() }
    }

    fn task(name: &str) -> &'static Task {
        fissure_tasks::find(name).unwrap()
    }

    fn speech(api: Api, labels: &[String]) -> Speech<'_> {
        const NOTHING: &Body = &Body::NONE;
        Speech { api, task: task("sa"), labels, prompt: None, body: NOTHING, model: Some("m") }
    }

    #[test]
    fn addresses_tell_their_api() {
        assert_eq!(guess("https://host/v1/chat/completions?x=1"), Api::Chat);
        assert_eq!(guess("https://router.huggingface.co/hf-inference/models/a/b"), Api::HuggingFace);
        assert_eq!(guess("http://localhost:8000/ask"), Api::Fissure);
    }

    #[test]
    fn hugging_face_in_all_its_shapes() {
        let speech = speech(Api::HuggingFace, &[]);
        let body = speech.put(&[question("good"), question("bad")]);
        assert_eq!(body, json!({"inputs": ["good", "bad"], "parameters": {"top_k": null}}));
        let scored = |label: &str, score: f64| json!({"label": label, "score": score});
        let all = |p: f64| json!([scored("pos", p), scored("neg", 1.0 - p)]);
        let expected = vec![Ok(json!({"scores": {"pos": 0.75, "neg": 0.25}}))];
        assert_eq!(speech.read(&json!([all(0.75)]), 1).unwrap(), expected);
        assert_eq!(speech.read(&all(0.75), 1).unwrap(), expected);
        assert_eq!(speech.read(&json!([all(0.75), all(0.5)]), 2).unwrap()[0], expected[0]);
        let tops = speech.read(&json!([scored("pos", 0.9), scored("neg", 0.8)]), 2).unwrap();
        assert_eq!(tops[1], Ok(json!({"scores": {"neg": 0.8}})));
        assert!(speech.read(&json!({"error": "loading"}), 1).is_err());
        assert_eq!(speech.read(&json!([all(0.5)]), 3).unwrap_err(), "1 answer to 3 questions");
    }

    #[test]
    fn a_chat_names_a_label() {
        let labels = ["pos", "neg"].map(str::to_owned);
        let speech = speech(Api::Chat, &labels);
        let said =
            |content: &str| speech.read(&json!({"choices": [{"message": {"content": content}}]}), 1).unwrap().remove(0);
        let parts = json!([{"type": "thinking", "thinking": "neg"}, {"type": "text", "text": "pos"}]);
        let reply = json!({"choices": [{"message": {"content": parts}}]});
        assert_eq!(speech.read(&reply, 1).unwrap(), [Ok(json!({"label": "pos"}))]);
        for content in ["pos", " POS.\n", "The label is: pos", "`pos`"] {
            assert_eq!(said(content), Ok(json!({"label": "pos"})), "{content}");
        }
        assert_eq!(said("<think>pos? No: neg.</think>\nPos."), Ok(json!({"label": "pos"})));
        assert!(said("either pos or neg").unwrap_err().contains("several"));
        assert!(said("positively wonderful").unwrap_err().contains("no label"));
        for content in [
            "The answer is not neg.",
            "It isn't really neg",
            "never pos",
            "anything but neg",
            "I don't think that it is neg",
        ] {
            assert!(said(content).unwrap_err().contains("may deny"), "{content}");
        }
        for content in
            ["There is not much to say here, it is clearly neg", "pos is wrong", "rather than neg", "Neg? No."]
        {
            assert!(said(content).unwrap_err().contains("may deny"), "{content}");
        }
        assert_eq!(said("It is not about food.\nLabel: neg"), Ok(json!({"label": "neg"})));
        for content in ["non-neg", "The review would be pos if the film were good", "the least pos of all"] {
            said(content).expect_err(content);
        }
        let numbers = ["0", "1"].map(str::to_owned);
        let numbers = Speech { labels: &numbers, ..speech };
        for content in ["-1", "\u{2212}1", "I say -1", "1.5", "1/10", "0,1", "non-1", "10"] {
            numbers.label_in(content).expect_err(content);
        }
        for content in ["1", "1.", "Label: 1", "- 1", "I choose 1, as it praises"] {
            assert_eq!(numbers.label_in(content), Ok(json!({"label": "1"})), "{content}");
        }
        let signed = ["-1", "1"].map(str::to_owned);
        let signed = Speech { labels: &signed, ..speech };
        for (content, label) in [("-1", "-1"), ("1", "1"), ("It is -1.", "-1"), ("It is 1.", "1")] {
            assert_eq!(signed.label_in(content), Ok(json!({"label": label})), "{content}");
        }
        let pair = ["duplicate", "not duplicate", "not_entailment"].map(str::to_owned);
        let pair = Speech { labels: &pair, ..speech };
        let of_pair = |content: &str| pair.label_in(content).map(|found| found["label"].clone());
        assert_eq!(of_pair("It is not duplicate."), Ok("not duplicate".into()));
        assert_eq!(of_pair("Not entailment"), Ok("not_entailment".into()));
        assert_eq!(of_pair("a duplicate"), Ok("duplicate".into()));
        let body = speech.put(&[question("good")]);
        assert_eq!(body["messages"][1]["content"], "text: good");
        assert!(body["messages"][0]["content"].as_str().unwrap().ends_with("pos, neg"));
        assert!(Speech { task: task("ner"), ..speech }.refusal().is_some());
    }
}
