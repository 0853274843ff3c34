//! Models behind an address or in a program: what they are asked, and how patiently.

use clap::{Args, ValueEnum, value_parser};
use serde::{Deserialize, Serialize};

use crate::setting::settings;

/// The heading in the help, the same for all groups about remote models.
const HEADING: &str = "Models behind http, https or process";

settings! {
    /// What a remote model is asked. A run keeps it, so that it asks the same when it is resumed.
    #[command(next_help_heading = HEADING)]
    pub struct Endpoint {
        /// How the endpoint wants to be asked [default: by its address]
        #[arg(long, value_enum, value_name = "API")]
        pub api: Option<ApiName>,
        /// The name of the model, for endpoints that serve several
        #[arg(long, value_name = "NAME")]
        pub api_model: Option<String>,
        /// The labels, for a model that does not name them
        #[arg(long, value_name = "LABEL,...", value_delimiter = ',')]
        pub labels: Vec<String>,
        /// What the model is shown, and answers, instead of a label: 0=negative,1=positive. Results keep the label of the
        /// data. Without --labels, these are the labels. (--label-map is for a model whose own labels mean those of the data)
        #[arg(long, value_name = "LABEL=SHOWN,...")]
        pub label_names: Vec<String>,
        /// A file with the prompt for chats. {text}, {premise} or another field of the task, {labels} and {task} are filled
        /// in; {{ and }} are braces
        #[arg(long, value_name = "FILE")]
        pub prompt: Option<String>,
        /// Add this to the body of every request; may be repeated. The value is JSON if it parses as JSON, else text; dots
        /// lead into objects: max_tokens=20, reasoning.effort=low. `null` removes a key: temperature=null
        #[arg(long, value_name = "KEY=VALUE")]
        pub body: Vec<String>,
    }
}

/// How patiently a remote model is asked. It never changes an answer, so a run does not keep it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = HEADING)]
pub struct Patience {
    /// What a million tokens cost, in prompts and in replies: estimates the cost from the tokens that replies count
    #[arg(long, value_name = "IN,OUT", value_parser = price)]
    pub price: Option<Price>,
    /// Seconds that one answer may take, and the start of a program [default: 60, and 600 for the start]
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u64).range(1..=86_400))]
    pub timeout: Option<u64>,
    /// How often a request is repeated when the endpoint is busy
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(0..=100))]
    pub retries: u32,
    /// Requests in flight at a time, or copies of the program
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// Questions in one request [default: 16, or what the greeting of a program says]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=4096))]
    pub batch: Option<u16>,
}

impl Default for Patience {
    fn default() -> Self {
        Self { price: None, timeout: None, retries: 5, concurrency: 1, batch: None }
    }
}

/// How an endpoint wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApiName {
    /// Fissure's own small protocol: docs/protocol.md
    Fissure,
    /// The inference format of Hugging Face
    Huggingface,
    /// Chat completions as OpenAI has them
    Chat,
}

/// The price of a million tokens in a prompt and in a reply, in whatever money.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Price {
    pub prompt: f64,
    pub completion: f64,
}

impl Price {
    /// What these tokens cost.
    pub fn of(&self, prompt_tokens: f64, completion_tokens: f64) -> f64 {
        (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1e6
    }
}

fn price(written: &str) -> Result<Price, String> {
    let number = |text: &str| text.trim().parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
    let price = written
        .split_once(',')
        .and_then(|(prompt, completion)| Some(Price { prompt: number(prompt)?, completion: number(completion)? }));
    price.ok_or_else(|| "write two prices for a million tokens, for prompts and replies: 0.15,0.60".into())
}
