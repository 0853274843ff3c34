//! Pieces of a run become the run: the same bytes as if it had never been divided.

use std::fs::File;
use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use fissure_data::{Draft, Existing};
use sha2::{Digest as _, Sha256};

use super::file::{difference, end_line, seal_line};
use super::read::{Blocks, Next};
use super::record::Header;
use super::{RUN_FILE, Shard};
use crate::{Error, Result};

/// The pieces of a run in order, checked to be all of them, and to belong together.
#[derive(Debug)]
pub struct Pieces {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    folder: PathBuf,
    blocks: Blocks,
}

impl Pieces {
    /// Opens the pieces in these directories, in whatever order they are named.
    pub fn open(folders: &[PathBuf]) -> Result<Self> {
        let mut found = Vec::new();
        for folder in folders {
            let blocks = Blocks::open(&folder.join(RUN_FILE))?;
            let shard = blocks.header.shard.ok_or_else(|| Error::NotAPiece { folder: folder.clone() })?;
            found.push((shard, Piece { folder: folder.clone(), blocks }));
        }
        let Some((shard, first)) = found.first() else { return Err(Error::NoPieces) };
        let of = shard.of();
        for (other, piece) in &found[1..] {
            let apart = |what, then, now| {
                let (first, second) = (first.folder.clone(), piece.folder.clone());
                Err(Error::PiecesDiffer { what, first, then, second, now })
            };
            if other.of() != of {
                return apart("number of pieces", of.to_string(), other.of().to_string());
            }
            if let Some((what, then, now)) = difference(&whole(&first.blocks.header), &whole(&piece.blocks.header)) {
                return apart(what, then, now);
            }
        }
        let command = first.blocks.header.command.clone();
        found.sort_by_key(|(shard, _)| shard.piece());
        for pair in found.windows(2) {
            let [(one, first), (other, second)] = pair else { continue };
            if one == other {
                let (first, second) = (first.folder.clone(), second.folder.clone());
                return Err(Error::PieceTwice { shard: *one, first, second });
            }
        }
        let missing = (1..=of).filter(|piece| !found.iter().any(|(shard, _)| shard.piece() == *piece));
        let missing: Vec<String> = missing.map(|piece| format!("{piece}/{of}")).collect();
        match missing.first() {
            Some(next) => Err(Error::PieceMissing { next: next.clone(), command, missing: missing.join(", ") }),
            None => Ok(Self { pieces: found.into_iter().map(|(_, piece)| piece).collect() }),
        }
    }

    /// How many samples the run has.
    pub fn samples(&self) -> usize {
        self.header().data.samples
    }

    /// The header of the whole run.
    pub fn header(&self) -> Header {
        // `open` refuses an empty list.
        self.pieces.first().map(|piece| whole(&piece.blocks.header)).expect("there is a piece")
    }

    /// Writes the whole run into a new directory. The file gets its name when all of it is there; a merge that was killed
    /// after that can be repeated, because a file with the very bytes is as good as a new one. `from` is where the run began,
    /// seen from that directory; `tick` is called after each sample.
    pub fn merge(mut self, folder: &Path, from: Option<String>, mut tick: impl FnMut()) -> Result<()> {
        let path = folder.join(RUN_FILE);
        let taken = |error| match error {
            fissure_data::Error::Exists { .. } => Error::Exists { folder: folder.to_owned() },
            fissure_data::Error::Busy { .. } => Error::Busy { path: path.clone() },
            other => other.into(),
        };
        if folder.is_file() {
            return Err(Error::NotAFolder { path: folder.to_owned() });
        }
        std::fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let header = Header { from, ..self.header() };
        let mut place = match File::open(&path) {
            Ok(file) => Place::Same(BufReader::new(file)),
            Err(_) => Place::New(Draft::create(&path, Existing::Refuse).map_err(taken)?),
        };
        let mut sum = Sha256::new();
        let mut write = |bytes: &[u8], sum: &mut Sha256| {
            sum.update(bytes);
            match &mut place {
                Place::New(draft) => draft.write_all(bytes).map_err(Error::io("write", &path)),
                Place::Same(file) => {
                    let mut there = vec![0; bytes.len()];
                    match file.read_exact(&mut there) {
                        Ok(()) if there == bytes => Ok(()),
                        _ => Err(Error::Exists { folder: folder.to_owned() }),
                    }
                }
            }
        };
        let mut line = serde_json::to_vec(&header).map_err(|why| Error::io("write", &path)(why.into()))?;
        line.push(b'\n');
        write(&line, &mut sum)?;
        let samples = header.data.samples;
        let of = self.pieces.len();
        for number in 0..samples {
            let piece = &mut self.pieces[number % of];
            match piece.blocks.next_block() {
                Ok(Next::Block(_)) => write(piece.blocks.lines(), &mut sum)?,
                Ok(Next::End | Next::Nothing) => return Err(piece.unfinished(number / of)),
                // A piece that was killed while it wrote breaks off.
                Err(Error::Broken { .. }) if piece.blocks.at_end() => return Err(piece.unfinished(number / of)),
                Err(error) => return Err(error),
            }
            write(&seal_line(&sum), &mut sum)?;
            tick();
        }
        for piece in &mut self.pieces {
            if !matches!(piece.blocks.next_block()?, Next::End) {
                return Err(piece.unfinished(piece.shard().samples(samples)));
            }
        }
        write(&end_line(samples, &sum), &mut sum)?;
        match place {
            Place::New(draft) => draft.publish().map(|_| ()).map_err(taken),
            Place::Same(mut file) => match file.read(&mut [0]) {
                Ok(0) => Ok(()),
                _ => Err(Error::Exists { folder: folder.to_owned() }),
            },
        }
    }
}

/// Where a merged run goes: into a new file, or nowhere if one with these bytes is there.
enum Place {
    New(Draft),
    Same(BufReader<File>),
}

impl Piece {
    fn shard(&self) -> Shard {
        self.blocks.header.shard.unwrap_or(Shard::WHOLE)
    }

    fn unfinished(&self, done: usize) -> Error {
        let of = self.shard().samples(self.blocks.header.data.samples);
        Error::Unfinished { path: self.folder.join(RUN_FILE), done, of }
    }
}

/// The header of the run that a piece is of. Where it began is left out: pieces may come from several machines.
fn whole(header: &Header) -> Header {
    Header { shard: None, from: None, ..header.clone() }
}
