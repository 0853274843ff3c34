//! What a user may say about data, models, resources and runs. Every setting is defined once: the same field is a flag of the
//! command line, a key of a config file, a key in the header of a run file, and an entry of the schema.
//!
//! A group of settings is a struct made with `settings!`. All of its fields may be left out, so that a file, a command
//! line and a default can be laid over each other ([`Setting::overruled_by`]).

mod config;
mod data;
mod endpoint;
mod flags;
mod report;
mod resources;
mod selection;
mod setting;

pub use config::{ConfigError, RunConfig};
pub use data::{DataSource, LabelMapping, MinusOne, OnBadRow, comes_once, task_name};
pub use endpoint::{ApiName, Endpoint, Patience, Price};
pub use flags::{as_keywords, keys, shell_word, words};
pub use report::ReportFormat;
pub use resources::{Importance, ResourceFiles};
pub use selection::{ChainConfig, ChangeOptions, Knobs, Plain, Selection, SliceConfig, split_setting};
pub use setting::Setting;
