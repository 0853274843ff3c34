//! Bytes to a file or standard output, compressed as the file's name says.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Where bytes go.
pub enum Output {
    Plain(Bytes),
    Gzip(Box<GzEncoder<Bytes>>),
    Zstd(Box<zstd::Encoder<'static, Bytes>>),
}

type Bytes = BufWriter<Box<dyn Write + Send>>;

impl Output {
    /// Creates a file, or takes standard output for `-`. The endings `.gz` and `.zst` compress.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::of(Box::new(io::stdout())));
        }
        let bytes = buffered(Box::new(File::create(path)?));
        Ok(match path.extension().and_then(|end| end.to_str()) {
            Some("gz") => Self::Gzip(Box::new(GzEncoder::new(bytes, Compression::default()))),
            Some("zst") => Self::Zstd(Box::new(zstd::Encoder::new(bytes, 0)?)),
            _ => Self::Plain(bytes),
        })
    }

    /// Writes to any stream, without compression.
    pub fn of(bytes: Box<dyn Write + Send>) -> Self {
        Self::Plain(buffered(bytes))
    }

    /// Writes everything that is left.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut bytes) => bytes.flush(),
            Self::Gzip(gzip) => gzip.finish()?.flush(),
            Self::Zstd(zstd) => zstd.finish()?.flush(),
        }
    }
}

fn buffered(bytes: Box<dyn Write + Send>) -> Bytes {
    BufWriter::with_capacity(64 * 1024, bytes)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(to) => to.write(bytes),
            Self::Gzip(to) => to.write(bytes),
            Self::Zstd(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(to) => to.flush(),
            Self::Gzip(to) => to.flush(),
            Self::Zstd(to) => to.flush(),
        }
    }
}
