//! Reading a run file, sample by sample, in the memory of one sample.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use super::Shard;
use super::record::{CaseRecord, End, FORMAT, Header, SampleRecord, Seal};
use crate::{Error, Result};
use fissure_ask::hex;

/// A sample with all its cases, in the order of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    pub sample: SampleRecord,
    pub cases: Vec<CaseRecord>,
}

/// What comes next in a run file.
#[derive(Debug)]
pub enum Next {
    Block(Box<Block>),
    /// The run is complete.
    End,
    /// The file ends; the run may not have.
    Nothing,
}

/// The blocks of a run file.
#[derive(Debug)]
pub struct Blocks {
    pub header: Header,
    path: PathBuf,
    file: BufReader<File>,
    /// (chain, variant) of the cases of every sample.
    places: Vec<(usize, usize)>,
    is_precise: bool,
    line: usize,
    bytes: u64,
    samples: usize,
    buffer: Vec<u8>,
    /// Of all lines before the one in the buffer.
    sum: Sha256,
    /// The lines of the last block, without its seal.
    lines: Vec<u8>,
}

/// What every version of the format has.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

impl Blocks {
    pub fn open(path: &Path) -> Result<Self> {
        let no_run = |why: String| Error::NoRun { path: path.to_owned(), why };
        let file = File::open(path).map_err(|why| no_run(why.to_string()))?;
        let mut file = BufReader::with_capacity(1 << 18, file);
        let mut buffer = Vec::new();
        file.read_until(b'\n', &mut buffer).map_err(Error::io("read", path))?;
        let broken = |why| no_run(format!("its header is broken ({why})"));
        let Version { format } = serde_json::from_slice(&buffer).map_err(broken)?;
        if format != FORMAT {
            return Err(Error::OtherFormat { path: path.to_owned(), format, reads: FORMAT });
        }
        let header: Header = serde_json::from_slice(&buffer).map_err(broken)?;
        let chains = header.plan.chains.iter().enumerate();
        let places = chains.flat_map(|(chain, planned)| (0..planned.variants).map(move |variant| (chain, variant)));
        Ok(Self {
            places: places.collect(),
            is_precise: header.plan.precision.is_some(),
            bytes: buffer.len() as u64,
            header,
            path: path.to_owned(),
            file,
            line: 1,
            samples: 0,
            buffer,
            sum: Sha256::new(),
            lines: Vec::new(),
        })
    }

    /// How many bytes were read, all of whole records.
    pub fn read_bytes(&self) -> u64 {
        self.bytes
    }

    /// The checksum of all that was read.
    pub fn sum(&self) -> Sha256 {
        self.sum.clone().chain_update(&self.buffer)
    }

    /// The lines of the last block as they stand in the file, without its seal.
    pub fn lines(&self) -> &[u8] {
        &self.lines
    }

    /// Whether the file has nothing more.
    pub fn at_end(&mut self) -> bool {
        self.file.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    pub fn next_block(&mut self) -> Result<Next> {
        if !self.next_line()? {
            return Ok(Next::Nothing);
        }
        if let Ok(End { end, seal }) = serde_json::from_slice(&self.buffer) {
            self.check(&seal)?;
            return if end == self.samples { Ok(Next::End) } else { Err(self.broken("it ends too early".into())) };
        }
        let sample: SampleRecord = self.parse()?;
        let number = self.header.shard.unwrap_or(Shard::WHOLE).number(self.samples);
        if sample.n != number {
            return Err(self.broken(format!("sample {} is where {number} should be", sample.n)));
        }
        self.lines.clear();
        self.lines.extend_from_slice(&self.buffer);
        let mut cases: Vec<CaseRecord> = Vec::with_capacity(self.places.len());
        let seal = loop {
            if !self.next_line()? {
                return Err(self.broken("it ends inside a sample".into()));
            }
            if cases.len() >= self.places.len()
                && let Ok(Seal { seal }) = serde_json::from_slice(&self.buffer)
            {
                break seal;
            }
            let case: CaseRecord = self.parse()?;
            let is_next = match cases.last() {
                // A run with a precision may ask about further variants of a sample; their numbers grow.
                Some(last) if self.is_precise && case.chain == last.chain => case.variant > last.variant,
                last if self.is_precise => case.chain == last.map_or(0, |last| last.chain + 1),
                _ => self.places.get(cases.len()) == Some(&(case.chain, case.variant)),
            };
            if case.n != sample.n || !is_next {
                return Err(self.broken("a case is in the wrong place".into()));
            }
            self.lines.extend_from_slice(&self.buffer);
            cases.push(case);
        };
        self.check(&seal)?;
        self.samples += 1;
        Ok(Next::Block(Box::new(Block { sample, cases })))
    }

    /// Reads a line into the buffer; false at the end of the file. A line without its end is no line.
    fn next_line(&mut self) -> Result<bool> {
        self.sum.update(&self.buffer);
        self.buffer.clear();
        let read = self.file.read_until(b'\n', &mut self.buffer).map_err(Error::io("read", &self.path))?;
        self.line += 1;
        if read > 0 && self.buffer.last() != Some(&b'\n') {
            return Err(self.broken("it ends inside a line".into()));
        }
        self.bytes += read as u64;
        Ok(read > 0)
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.buffer).map_err(|why| self.broken(why.to_string()))
    }

    /// Compares the seal in this line with what is before it.
    fn check(&self, seal: &str) -> Result<()> {
        if hex(&self.sum.clone().finalize()) == seal {
            return Ok(());
        }
        Err(self.broken("the lines before it were changed after they were written".into()))
    }

    fn broken(&self, why: String) -> Error {
        Error::Broken { path: self.path.clone(), line: self.line, why }
    }
}
