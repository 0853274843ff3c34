//! Bytes from a file or standard input: decompressed, without a byte-order mark, and with a look at their beginning.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Error, Result};

/// How much of the beginning is looked at to guess format, header and quoting.
const HEAD: usize = 256 * 1024;

/// What has to be read whole may unpack to this much; 50 MB of real data unpack to less.
const MOST_WHOLE: usize = 256 << 20;

/// No row may be longer: a file without line ends would otherwise fill the memory before anyone could say so.
const LONGEST_ROW: usize = 1 << 30;

/// An opened input.
pub(crate) struct Input {
    /// The file's name in messages.
    pub name: Arc<str>,
    /// The first bytes, decompressed; also what [`Input::lines`] gives first.
    pub head: Vec<u8>,
    rest: Box<dyn Read + Send>,
    /// Whether the file starts with a byte-order mark, which is no part of `head`.
    pub byte_order_mark: bool,
    /// Whether the bytes are as they are in the file: not decompressed.
    plain: bool,
    /// The file, where it is one.
    path: Option<PathBuf>,
}

pub(crate) type Bytes = BufReader<Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>>;

/// A stream of lines.
pub(crate) struct Lines {
    pub name: Arc<str>,
    bytes: Bytes,
    /// The number of the line last read, counted from 1.
    pub line: u64,
}

impl Input {
    /// Opens a file, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Self> {
        let name: Arc<str> = path.to_string_lossy().into();
        if &*name == "-" {
            return Self::of("standard input".into(), Box::new(io::stdin()));
        }
        let open = || {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name the files in it"));
            }
            Ok(file)
        };
        match open() {
            Ok(file) => {
                let input = Self::of(name, Box::new(file))?;
                Ok(Self { path: Some(path.to_owned()), ..input })
            }
            Err(why) => Err(Error::Open { file: name, why }),
        }
    }

    /// Reads from any stream.
    pub fn of(name: Arc<str>, mut bytes: Box<dyn Read + Send>) -> Result<Self> {
        let broken = |why| Error::Broken { file: Arc::clone(&name), rows: 0, why: explained(why) };
        let (magic, late) = first_bytes(&mut bytes, 4);
        if let Some(why) = late {
            return Err(broken(why));
        }
        let bytes = Cursor::new(magic.clone()).chain(bytes);
        let mut plain = false;
        let mut bytes: Box<dyn Read + Send> = match magic[..] {
            [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(bytes))),
            [0x28, 0xb5, 0x2f, 0xfd] => Box::new(zstd::Decoder::new(bytes).map_err(broken)?),
            _ => {
                plain = true;
                Box::new(bytes)
            }
        };
        let (mut head, late) = first_bytes(&mut bytes, HEAD);
        if let Some(why) = late {
            bytes = Box::new(Late(Some(why)));
        }
        if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
            return Err(Error::Utf16 { file: name });
        }
        let byte_order_mark = head.starts_with("\u{feff}".as_bytes());
        if byte_order_mark {
            head.drain(..3);
        }
        // Old Macs ended lines with CR alone; readers of lines look for LF.
        if !head.starts_with(b"PAR1") && head.contains(&b'\r') && !head.contains(&b'\n') {
            line_ends(&mut head);
            bytes = Box::new(CarriageReturns(bytes));
        }
        Ok(Self { name, head, rest: bytes, byte_order_mark, plain, path: None })
    }

    pub fn lines(self) -> Lines {
        let (name, bytes) = self.bytes();
        Lines { name, bytes, line: 0 }
    }

    pub fn bytes(self) -> (Arc<str>, Bytes) {
        (self.name, BufReader::with_capacity(HEAD, Cursor::new(self.head).chain(self.rest)))
    }

    /// The file itself, to be read here and there, where it is one and is not compressed.
    pub fn file(&self) -> Option<File> {
        self.path.as_ref().filter(|_| self.plain).and_then(|path| File::open(path).ok())
    }

    /// Everything at once, for formats that cannot be read piece by piece.
    pub fn all(mut self) -> Result<(Arc<str>, Vec<u8>)> {
        let mut bytes = std::mem::take(&mut self.head);
        let room = (MOST_WHOLE + 1).saturating_sub(bytes.len()) as u64;
        match self.rest.by_ref().take(room).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() > MOST_WHOLE => {
                let why = format!(
                    "it has to be read whole, and is more than {} MB; unpack it, or cut it into several files",
                    MOST_WHOLE >> 20
                );
                Err(Error::Unreadable { file: self.name, format: "one piece", why })
            }
            Ok(_) => Ok((self.name, bytes)),
            Err(why) => Err(Error::Broken { file: self.name, rows: 0, why: explained(why) }),
        }
    }
}

impl Lines {
    /// Appends the next line, with its line end, to `line`; false at the end.
    pub fn next(&mut self, line: &mut Vec<u8>, rows: u64) -> Result<bool> {
        let room = (LONGEST_ROW + 1).saturating_sub(line.len()) as u64;
        let read = self.bytes.by_ref().take(room).read_until(b'\n', line);
        let broken = |why| Error::Broken { file: Arc::clone(&self.name), rows, why };
        match read.map_err(|why| broken(explained(why)))? {
            0 if line.len() > LONGEST_ROW => Err(broken(too_long(self.line + 1))),
            0 => Ok(false),
            _ if line.len() > LONGEST_ROW => Err(broken(too_long(self.line + 1))),
            _ => {
                self.line += 1;
                Ok(true)
            }
        }
    }
}

fn too_long(line: u64) -> io::Error {
    io::Error::other(format!("line {line} is part of a row of more than 1 GiB; is this a text file, with line ends?"))
}

/// Up to `most` bytes, and the error that came after them, if one did.
fn first_bytes(from: &mut dyn Read, most: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut bytes = Vec::new();
    let read = from.take(most as u64).read_to_end(&mut bytes);
    (bytes, read.err())
}

/// A stream with CR as its line end, read as one with LF.
struct CarriageReturns(Box<dyn Read + Send>);

impl Read for CarriageReturns {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        line_ends(&mut buffer[..read]);
        Ok(read)
    }
}

fn line_ends(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
}

/// Gives back an error that was met while looking ahead, once the rows before it have been read.
struct Late(Option<io::Error>);

impl Read for Late {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Says of a compressed stream that ends too early that it does.
pub(crate) fn explained(why: io::Error) -> io::Error {
    match why.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::new(why.kind(), "the compressed data ends too early, or something else stands behind its end")
        }
        _ => why,
    }
}

/// A line without its line end.
pub(crate) fn trim_end(mut line: &[u8]) -> &[u8] {
    for end in [b"\n", b"\r"] {
        line = line.strip_suffix(end).unwrap_or(line);
    }
    line
}
