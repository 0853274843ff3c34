//! Questions about passages, as SQuAD has them.

use std::io::Write;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Parser, Raw, Reader, Record, RowWriter, WriteFault, keys};
use crate::input::Input;
use crate::output::Output;
use crate::{Error, Fault, Result, Row};

super::reader! {
    /// SQuAD JSON: `data`, a list of articles with `paragraphs`, each a `context` with questions `qas`.
    ///
    /// A row is a question: `title`, `context`, and the columns of the question. The file is read whole, so it must fit in
    /// memory. Written article by article; questions in a row with the same title and context share a paragraph.
    endings: "", aliases: &["squad_json"]
}

pub(crate) struct Questions {
    /// Questions still to come, last first.
    rows: std::vec::IntoIter<Row>,
}

impl Questions {
    pub fn new(input: Input) -> Result<Self> {
        let (file, bytes) = input.all()?;
        let wrong = |why: String| Error::Unreadable { file: Arc::clone(&file), format: "SQuAD JSON", why };
        if fissure_tasks::may_have_more_values(&bytes, fissure_tasks::MOST_VALUES) {
            return Err(wrong(format!("more than {} values; cut it into several files", fissure_tasks::MOST_VALUES)));
        }
        serde_json::from_slice::<keys::Once>(&bytes).map_err(|why| wrong(why.to_string()))?;
        let root: Value = serde_json::from_slice(&bytes).map_err(|why| wrong(why.to_string()))?;
        let rows = rows(root).ok_or_else(|| {
            wrong(
                "an object with the list `data` is needed, of objects with the list `paragraphs`, of objects with \
                   `context` and the list `qas`"
                    .into(),
            )
        })?;
        Ok(Self { rows: rows.into_iter() })
    }
}

fn rows(root: Value) -> Option<Vec<Row>> {
    let Value::Object(mut root) = root else { return None };
    let Value::Array(articles) = root.remove("data")? else { return None };
    let mut rows = Vec::new();
    for mut article in articles {
        let title = article.get_mut("title").map(Value::take).filter(|title| !title.is_null());
        for mut paragraph in as_list(article.get_mut("paragraphs")?)? {
            let context = paragraph.get_mut("context")?.take();
            for question in as_list(paragraph.get_mut("qas")?)? {
                let Value::Object(question) = question else { return None };
                let mut row = Row::default();
                if let Some(title) = &title {
                    row.push("title", title.clone());
                }
                row.push("context", context.clone());
                for (name, value) in question {
                    row.push(name, value);
                }
                rows.push(row);
            }
        }
    }
    Some(rows)
}

fn as_list(value: &mut Value) -> Option<Vec<Value>> {
    value.as_array_mut().map(std::mem::take)
}

impl Reader for Questions {
    fn next_record(&mut self, _: u64) -> Result<Option<Record>> {
        Ok(self.rows.next().map(|row| Record { line: 0, raw: Raw::Row(row) }))
    }

    fn parser(&self) -> Parser {
        Box::new(|_| Err(Fault::new("not a question")))
    }
}

pub(crate) struct Articles {
    output: Output,
    /// Title and context of the paragraph that is being written.
    open: Option<(Value, Value)>,
    /// Whether some question says whether it can be answered, which is what version 2 of SQuAD added.
    second: bool,
}

impl Articles {
    pub fn new(output: Output) -> Self {
        Self { output, open: None, second: false }
    }
}

impl RowWriter for Articles {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        let title = row.get("title").cloned().unwrap_or_default();
        let context = match row.get("context") {
            Some(context @ Value::String(_)) if row.get("question").is_some() => context.clone(),
            _ => return Err(WriteFault::Unfit("it needs the columns `context` and `question`".into())),
        };
        let before = match &self.open {
            None => "{\"data\":[\n",
            Some((open, _)) if *open != title => "]}]},\n",
            Some((_, open)) if *open != context => "]},\n",
            Some(_) => ",",
        };
        self.output.write_all(before.as_bytes())?;
        if self.open.as_ref().is_none_or(|(open, _)| *open != title) {
            write!(self.output, "{{\"title\":{title},\"paragraphs\":[")?;
        }
        if before != "," {
            write!(self.output, "{{\"context\":{context},\"qas\":[")?;
        }
        self.open = Some((title, context));
        self.second |= row.get("is_impossible").is_some();
        let rest = row.0.iter().filter(|(name, _)| !matches!(&**name, "title" | "context"));
        let question: Map<String, Value> = rest.map(|(name, value)| (name.to_string(), value.clone())).collect();
        Ok(write!(self.output, "{}", Value::Object(question))?)
    }

    fn finish(mut self: Box<Self>) -> Result<Output, WriteFault> {
        let before = if self.open.is_some() { "]}]}" } else { "{\"data\":[" };
        let version = if self.second { "v2.0" } else { "1.1" };
        writeln!(self.output, "{before}\n],\"version\":\"{version}\"}}")?;
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }

    fn memory(&self) -> Value {
        serde_json::json!({ "open": self.open, "second": self.second })
    }

    fn recall(&mut self, memory: &Value) {
        self.open = serde_json::from_value(memory["open"].clone()).unwrap_or_default();
        self.second = memory["second"].as_bool().unwrap_or_default();
    }
}
