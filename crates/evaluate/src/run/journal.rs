//! The journal of a run with `--precision`: every answer as it comes, so that a run that was stopped asks nothing twice.
//!
//! Which questions are asked depends on earlier answers, so the run file, which goes sample by sample, is written at the end.
//! All decisions are functions of the answers: a run that goes on from its journal decides the same. Each line ends with a seal of
//! all lines so far, so that a journal which was edited is noticed.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use fissure_ask::hex;
use fissure_data::draft::keep_copy;
use sha2::{Digest as _, Sha256};

use super::file::Damage;
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
    /// Of all lines so far.
    sum: Sha256,
}

impl Journal {
    /// A new journal, or one to go on with. Whatever is wrong with a line, the run goes on from the last one before it: one that
    /// was cut short by a stop is taken off, and of any other the journal is kept as it was.
    pub fn open(path: &Path, resume: bool) -> Result<(Self, Option<Damage>)> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(!resume);
        let mut file = options.open(path).map_err(Error::io("open", path))?;
        let (mut known, mut sum, mut damage) = (HashMap::new(), Sha256::new(), None);
        let mut whole = 0;
        if resume {
            let mut reader = BufReader::new(&mut file);
            let mut line = Vec::new();
            for number in 1.. {
                line.clear();
                let read = reader.read_until(b'\n', &mut line).map_err(Error::io("read", path))?;
                if line.last() != Some(&b'\n') {
                    break;
                }
                let why = match unsealed(&line, &mut sum) {
                    Some(line) => match serde_json::from_slice(&line) {
                        Ok(Line { asked, said, failed }) => {
                            whole += read as u64;
                            known.insert(asked, said.ok_or_else(|| failed.unwrap_or_default()));
                            continue;
                        }
                        Err(why) => why.to_string(),
                    },
                    None => "it is not as it was written".into(),
                };
                let kept = keep_copy(path, "damaged").map_err(Error::io("copy", path))?;
                damage = Some(Damage { line: number, why, kept });
                break;
            }
        }
        file.set_len(whole).map_err(Error::io("shorten", path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::io("write", path))?;
        Ok((Self { path: path.to_owned(), file, known, sum }, damage))
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
                let mut written = Vec::new();
                super::window::line(&mut written, &line);
                bytes.extend(sealed(&written, &mut self.sum));
            }
        }
        self.file.write_all(&bytes).map_err(Error::io("write", &self.path))?;
        self.known.extend(replies);
        Ok(())
    }
}

/// What stands between an object and its seal.
const SEAL: &[u8] = b",\"seal\":\"";
/// Letters of a seal.
const LETTERS: usize = 16;

/// A line with the seal of it and all lines before it.
fn sealed(line: &[u8], sum: &mut Sha256) -> Vec<u8> {
    let open = line.strip_suffix(b"}\n").unwrap_or(line);
    sum.update(open);
    let seal = hex(&sum.clone().finalize());
    [open, SEAL, &seal.as_bytes()[..LETTERS], b"\"}\n"].concat()
}

/// The line without its seal; `None` if the seal is not of these lines.
fn unsealed(line: &[u8], sum: &mut Sha256) -> Option<Vec<u8>> {
    let open = line.len().checked_sub(SEAL.len() + LETTERS + b"\"}\n".len()).map(|end| &line[..end])?;
    let whole = [open, b"}\n"].concat();
    let mut next = sum.clone();
    (sealed(&whole, &mut next) == line).then(|| {
        *sum = next;
        whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_answer_is_asked_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join(JOURNAL_FILE);
        let asked = |n: usize| Asked { n, chain: None, variant: 0 };
        let (mut journal, _) = Journal::open(&path, false).unwrap();
        journal.keep(vec![(asked(0), Ok(Response::class("pos"))), (asked(1), Err("busy".into()))]).unwrap();
        journal.keep(vec![(asked(2), Ok(Response::class("pos")))]).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        // A line that a stop cut short is asked again, and nothing is said.
        std::fs::write(&path, format!("{whole}{{\"n\":3,")).unwrap();
        let (journal, damage) = Journal::open(&path, true).unwrap();
        assert!(damage.is_none() && journal.get(&asked(2)).is_some());
        assert_eq!(journal.get(&asked(1)), Some(&Err("busy".into())));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        std::fs::write(&path, whole.replacen("pos", "neg", 2)).unwrap();
        let (journal, damage) = Journal::open(&path, true).unwrap();
        let damage = damage.unwrap();
        assert_eq!((damage.line, journal.get(&asked(0))), (1, None));
        assert!(std::fs::read_to_string(damage.kept).unwrap().contains("neg"));
    }
}
