//! Bytes to a file or standard output, compressed as the file's name says.
//!
//! A compressed file is a row of members (gzip) or frames (zstd), each of which starts again: a run that was stopped goes
//! on behind the last whole one. Where one ends depends on the rows alone, so the bytes are the same however often the
//! run was stopped.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::draft::{Draft, Existing, Journal};
use crate::{Error, Result};

/// Where bytes go.
pub struct Output {
    /// The file's name in messages.
    name: Arc<str>,
    coded: Coded,
    /// Bytes since the start of the member, before compression.
    member: u64,
}

enum Coded {
    Plain(Bytes),
    Gzip(Box<GzEncoder<Bytes>>),
    Zstd(Box<zstd::Encoder<'static, Bytes>>),
    /// An error has been reported; nothing more can be written.
    Failed,
}

type Bytes = BufWriter<Sink>;

/// What is below compression and buffers.
enum Sink {
    Any(Box<dyn Write + Send>),
    Draft(Box<Draft>),
}

#[derive(Clone, Copy, PartialEq)]
enum Coding {
    Plain,
    Gzip,
    Zstd,
}

/// A member ends with the first row after this number of bytes: small enough that little is done again after a stop, large
/// enough that starting again costs next to nothing.
const MEMBER: u64 = 1 << 20;

impl Output {
    /// Starts a file, or takes standard output for `-`. The endings `.gz` and `.zst` compress.
    pub fn create(path: &Path, existing: Existing) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::of(Box::new(io::stdout())));
        }
        Self::coded(Draft::create(path, existing)?, path)
    }

    /// Goes on with a file that was stopped. `None` if nothing was kept.
    pub fn resume(path: &Path) -> Result<Option<(Self, Journal)>> {
        if path.as_os_str() == "-" {
            return Ok(None);
        }
        match Draft::resume(path)? {
            Some((draft, journal)) => Ok(Some((Self::coded(draft, path)?, journal))),
            None => Ok(None),
        }
    }

    fn coded(draft: Draft, path: &Path) -> Result<Self> {
        let coding = match path.extension().and_then(|end| end.to_str()) {
            Some("gz") => Coding::Gzip,
            Some("zst") => Coding::Zstd,
            _ => Coding::Plain,
        };
        let name: Arc<str> = path.to_string_lossy().into();
        let coded = Coded::new(coding, buffered(Sink::Draft(Box::new(draft))));
        let coded = coded.map_err(|why| Error::Write { file: Arc::clone(&name), why })?;
        Ok(Self { name, coded, member: 0 })
    }

    /// Writes to any stream, without compression.
    pub fn of(bytes: Box<dyn Write + Send>) -> Self {
        Self { name: "output".into(), coded: Coded::Plain(buffered(Sink::Any(bytes))), member: 0 }
    }

    /// Whether a stopped run could go on with it: not so for standard output, a device or a pipe.
    pub fn can_be_kept(&self) -> bool {
        matches!(self.coded.sink(), Some(Sink::Draft(draft)) if draft.is_beside())
    }

    /// To be called after every row. Whether a run that is stopped now could go on from here.
    pub fn end_row(&mut self) -> io::Result<bool> {
        let coding = self.coded.coding();
        if coding == Some(Coding::Plain) {
            return Ok(true);
        }
        if self.member < MEMBER {
            return Ok(false);
        }
        let bytes = std::mem::replace(&mut self.coded, Coded::Failed).finish()?;
        self.coded = Coded::new(coding.unwrap_or(Coding::Plain), bytes)?;
        self.member = 0;
        Ok(true)
    }

    /// Writes down that a run can go on from here: after a row, where [`Output::end_row`] said so.
    pub fn keep(&mut self, journal: &mut Journal) -> Result<()> {
        let failed = |why| Error::Write { file: Arc::clone(&self.name), why };
        self.coded.buffer().map_or(Ok(()), Write::flush).map_err(failed)?;
        match self.coded.buffer().map(BufWriter::get_mut) {
            Some(Sink::Draft(draft)) => draft.keep(journal),
            _ => Ok(()),
        }
    }

    /// Writes everything that is left, and gives the file its name.
    pub fn finish(self) -> Result<()> {
        let failed = |why| Error::Write { file: Arc::clone(&self.name), why };
        let mut bytes = self.coded.finish().map_err(failed)?;
        bytes.flush().map_err(failed)?;
        match bytes.into_inner().map_err(|error| failed(error.into_error()))? {
            Sink::Any(_) => Ok(()),
            Sink::Draft(draft) => draft.finish(),
        }
    }
}

impl Coded {
    fn new(coding: Coding, bytes: Bytes) -> io::Result<Self> {
        Ok(match coding {
            Coding::Plain => Self::Plain(bytes),
            Coding::Gzip => Self::Gzip(Box::new(GzEncoder::new(bytes, Compression::default()))),
            Coding::Zstd => {
                let mut zstd = zstd::Encoder::new(bytes, 0)?;
                // As gzip has it always: a bit that flipped is an error and not another text.
                zstd.include_checksum(true)?;
                Self::Zstd(Box::new(zstd))
            }
        })
    }

    fn coding(&self) -> Option<Coding> {
        match self {
            Self::Plain(_) => Some(Coding::Plain),
            Self::Gzip(_) => Some(Coding::Gzip),
            Self::Zstd(_) => Some(Coding::Zstd),
            Self::Failed => None,
        }
    }

    /// Ends the member.
    fn finish(self) -> io::Result<Bytes> {
        match self {
            Self::Plain(bytes) => Ok(bytes),
            Self::Gzip(gzip) => gzip.finish(),
            Self::Zstd(zstd) => zstd.finish(),
            Self::Failed => Err(io::Error::other("an earlier row could not be written")),
        }
    }

    fn buffer(&mut self) -> Option<&mut Bytes> {
        match self {
            Self::Plain(bytes) => Some(bytes),
            Self::Gzip(gzip) => Some(gzip.get_mut()),
            Self::Zstd(zstd) => Some(zstd.get_mut()),
            Self::Failed => None,
        }
    }

    fn sink(&self) -> Option<&Sink> {
        match self {
            Self::Plain(bytes) => Some(bytes.get_ref()),
            Self::Gzip(gzip) => Some(gzip.get_ref().get_ref()),
            Self::Zstd(zstd) => Some(zstd.get_ref().get_ref()),
            Self::Failed => None,
        }
    }
}

fn buffered(sink: Sink) -> Bytes {
    BufWriter::with_capacity(64 * 1024, sink)
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Any(to) => to.write(bytes),
            Self::Draft(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Any(to) => to.flush(),
            Self::Draft(to) => to.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.coded {
            Coded::Plain(to) => to.write(bytes),
            Coded::Gzip(to) => to.write(bytes),
            Coded::Zstd(to) => to.write(bytes),
            Coded::Failed => Err(io::Error::other("an earlier row could not be written")),
        }?;
        self.member += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.coded {
            Coded::Plain(to) => to.flush(),
            Coded::Gzip(to) => to.flush(),
            Coded::Zstd(to) => to.flush(),
            Coded::Failed => Ok(()),
        }
    }
}
