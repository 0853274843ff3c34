//! The words about models elsewhere; the same for every command that asks one.

use clap::{Args as ClapArgs, ValueEnum, value_parser};

/// Models behind an address, or in a program.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Remote models (http, https, process)")]
pub struct Remote {
    /// How the endpoint wants to be asked [default: by its address]
    #[arg(long, value_enum, value_name = "API")]
    pub api: Option<ApiName>,
    /// The name of the model, for endpoints that serve several
    #[arg(long, value_name = "NAME")]
    pub api_model: Option<String>,
    /// The labels, for a model that does not say them
    #[arg(long, value_name = "LABEL,...", value_delimiter = ',')]
    pub labels: Vec<String>,
    /// Seconds that one answer may take, and the start of a program [default: 60, and 600 for the start]
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u64).range(1..=86_400))]
    pub timeout: Option<u64>,
    /// How often a request is repeated when the endpoint is busy
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(0..=100))]
    pub retries: u32,
    /// Most requests a second
    #[arg(long, value_name = "N")]
    pub rate: Option<f64>,
    /// Requests in flight at a time, or copies of the program
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// Questions in one request
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u16).range(1..=4096))]
    pub batch: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ApiName {
    /// Fissure's own small protocol: docs/protocol.md
    Fissure,
    /// The inference format of Hugging Face
    Huggingface,
    /// Chat completions as OpenAI has them
    Chat,
}
