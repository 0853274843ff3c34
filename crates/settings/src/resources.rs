//! Files and commands that parts and validators need besides the sample.

use std::ffi::OsStr;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, ValueEnum};
use serde::{Deserialize, Serialize};

use crate::setting::settings;

settings! {
    /// Files and commands that parts and validators need besides the sample and the model under test.
    pub struct ResourceFiles {
        /// How the importance of words is measured [default: grad_x_input if gradients are available,
        /// otherwise leave_one_out]
        #[arg(long, value_parser = ImportanceParser, value_name = "HOW")]
        pub importance: Option<Importance>,
        /// A masked language model for `mlm_suggestion`: a Hugging Face directory of a fill-mask checkpoint
        #[arg(long, value_name = "DIR")]
        pub language_model: Option<String>,
        /// A translator for `back_trans`: `apertium`, `apertium:PAIR`, or a command that reads a line and writes one
        #[arg(long, value_name = "WHAT")]
        pub translator: Option<String>,
        /// A sentence encoder for `--keep similarity>=...`: a Hugging Face directory
        #[arg(long, value_name = "DIR")]
        pub encoder: Option<String>,
        /// Labelled texts of the same task to learn phrases from: pbsmt needs them
        #[arg(long, value_name = "FILE", num_args = 1..)]
        pub train: Vec<String>,
        /// Other samples of the task that parts may take words from [default: the data themselves]
        #[arg(long, value_name = "FILE", num_args = 1..)]
        pub donors: Vec<String>,
        /// What the labels mean, for parts that set a new one [default: by their names, or the usual numbers]
        #[arg(long, value_name = "LABEL=SENSE", value_delimiter = ',')]
        pub senses: Vec<String>,
        /// A file of phrases: written if --train is given, else read
        #[arg(long, value_name = "FILE")]
        pub phrases: Option<String>,
        /// Word vectors for parts that ask for neighbours, as text (GloVe, word2vec, fastText) [default: a built-in table]
        #[arg(long, value_name = "FILE")]
        pub vectors: Option<String>,
        /// A TOML file with parts of your own, which join the catalog; may be repeated
        #[arg(long, value_name = "FILE")]
        pub parts_file: Vec<String>,
    }
}

impl ResourceFiles {
    /// The files and directories that are read. Phrases are read only if none are learned; a command is no file.
    pub fn read_files(&self) -> impl Iterator<Item = &str> {
        let phrases = self.phrases.iter().filter(|_| self.train.is_empty());
        let single = [&self.language_model, &self.encoder, &self.vectors].into_iter().flatten();
        single.chain(&self.train).chain(&self.donors).chain(phrases).chain(&self.parts_file).map(String::as_str)
    }
}

impl ResourceFiles {
    /// The commands of the programs that parts start: a translator, and those of the user's own parts. A file of parts that
    /// cannot be read has none; whoever opens it says why.
    pub fn commands(&self) -> Vec<String> {
        let own = self.parts_file.iter().filter_map(|file| std::fs::read_to_string(file).ok());
        let own = own.filter_map(|text| text.parse::<toml::Table>().ok());
        let programs = own.flat_map(|table| {
            let parts = table.into_iter().flat_map(|(_, parts)| match parts {
                toml::Value::Array(parts) => parts,
                other => vec![other],
            });
            parts.filter_map(|part| Some(part.get("program")?.as_str()?.to_owned())).collect::<Vec<_>>()
        });
        programs.chain(self.translator.clone()).collect()
    }
}

/// How the importance of words is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", try_from = "String")]
#[value(rename_all = "snake_case")]
pub enum Importance {
    /// Gradient times input: how much the loss rises, to first order, without the word
    GradXInput,
    /// Integrated gradients
    Ig,
    /// What the answer loses when the word is left out
    LeaveOneOut,
}

/// The former name of [`Importance::GradXInput`]. The token score of `fissure score` has that name and the other sign.
const FORMER: &str = "grad_dot_emb";
const RENAMED: &str = "the importance method `grad_dot_emb` is called `grad_x_input` now: it is high for words that support the \
                       answer, and the token score `grad_dot_emb` of `fissure score` is negative for them";

impl TryFrom<String> for Importance {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        if name == FORMER {
            return Err(RENAMED.into());
        }
        <Self as ValueEnum>::from_str(&name, false).map_err(|_| {
            let known = Self::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let known: Vec<String> = known.map(|value| format!("`{}`", value.get_name())).collect();
            format!("there is no importance method `{name}`; there are {}", known.join(", "))
        })
    }
}

/// Reads the method on the command line, and refuses the former name with the new one.
#[derive(Debug, Clone, Copy)]
struct ImportanceParser;

impl TypedValueParser for ImportanceParser {
    type Value = Importance;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Importance, clap::Error> {
        if value == FORMER {
            return Err(clap::Error::raw(ErrorKind::InvalidValue, format!("{RENAMED}\n")).with_cmd(command));
        }
        EnumValueParser::<Importance>::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Importance::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_former_name_of_a_method_is_refused_with_the_new_one() {
        let read = |name: &str| Importance::try_from(name.to_owned());
        assert_eq!(read("grad_x_input"), Ok(Importance::GradXInput));
        assert!(read("grad_dot_emb").unwrap_err().contains("is called `grad_x_input` now"));
        assert!(read("gradient").unwrap_err().ends_with("there are `grad_x_input`, `ig`, `leave_one_out`"));
        let parse = |name: &str| ImportanceParser.parse_ref(&Command::new("fissure"), None, OsStr::new(name));
        assert_eq!(parse("ig").unwrap(), Importance::Ig);
        assert!(parse("grad_dot_emb").unwrap_err().to_string().contains("is called `grad_x_input` now"));
        assert!(parse("gradient").is_err());
    }
}
