//! The journal of a run with `--precision`: every answer as it comes, so that a run that was stopped asks nothing twice.
//!
//! Which questions are asked depends on earlier answers, so the run file, which goes sample by sample, is written at the end.
//! All decisions are functions of the answers: a run that goes on from its journal decides the same.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::questions::Reply;
use crate::{Error, Response, Result};

/// The name of the journal in the directory of the run.
pub const JOURNAL_FILE: &str = "answers.jsonl";

/// Which question: the sample, the chain (`None` for the original) and the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Asked {
    pub n: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<usize>,
    #[serde(default)]
    pub variant: usize,
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    asked: Asked,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said: Option<Response>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// All answers so far.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    known: HashMap<Asked, Reply>,
}

impl Journal {
    /// A new journal, or one to go on with: a line that was cut short is taken off.
    pub fn open(path: &Path, resume: bool) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(!resume);
        let mut file = options.open(path).map_err(Error::io("open", path))?;
        let mut known = HashMap::new();
        let mut whole = 0;
        if resume {
            let mut reader = BufReader::new(&mut file);
            let mut line = Vec::new();
            loop {
                line.clear();
                let read = reader.read_until(b'\n', &mut line).map_err(Error::io("read", path))?;
                let Ok(Line { asked, said, failed }) = serde_json::from_slice(&line) else { break };
                if line.last() != Some(&b'\n') {
                    break;
                }
                whole += read as u64;
                known.insert(asked, said.ok_or_else(|| failed.unwrap_or_default()));
            }
        }
        file.set_len(whole).map_err(Error::io("shorten", path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::io("write", path))?;
        Ok(Self { path: path.to_owned(), file, known })
    }

    pub fn get(&self, asked: &Asked) -> Option<&Reply> {
        self.known.get(asked)
    }

    /// Keeps answers. If there is none among the replies, the model may be about to be given up: they are asked again when
    /// the run is resumed.
    pub fn keep(&mut self, replies: Vec<(Asked, Reply)>) -> Result<()> {
        let mut bytes = Vec::new();
        if replies.iter().any(|(_, reply)| reply.is_ok()) {
            for (asked, reply) in &replies {
                let line =
                    Line { asked: *asked, said: reply.as_ref().ok().cloned(), failed: reply.as_ref().err().cloned() };
                super::window::line(&mut bytes, &line);
            }
        }
        self.file.write_all(&bytes).map_err(Error::io("write", &self.path))?;
        self.known.extend(replies);
        Ok(())
    }
}
