//! Data that a command cannot do without.

use std::ops::Deref;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use fissure_settings::DataSource;

/// Where samples come from, for commands that cannot do without.
#[derive(Debug, Clone, Default)]
pub struct Data(DataSource);

impl Deref for Data {
    type Target = DataSource;

    fn deref(&self) -> &DataSource {
        &self.0
    }
}

impl From<DataSource> for Data {
    fn from(data: DataSource) -> Self {
        Self(data)
    }
}

impl Args for Data {
    fn augment_args(command: Command) -> Command {
        DataSource::augment_args(command).mut_arg("data", |data| data.required(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        DataSource::augment_args_for_update(command)
    }
}

impl FromArgMatches for Data {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        DataSource::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}
