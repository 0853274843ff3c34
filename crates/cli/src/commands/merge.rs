//! `fissure merge`: the pieces of a run that `evaluate --shard` wrote become the run.

use std::fs;
use std::io;
use std::path::Path;

use fissure_data::{Draft, Existing, draft};
use fissure_evaluate::{ASKED_FILE, AskedFile, Pieces, read_asked};
use fissure_kit::evaluation::{KEPT_INPUT, ensure_free};
use fissure_kit::{paths, stop};

use crate::args::Merge;
use crate::commands::evaluate;
use crate::ui::{self, Progress, Ui};
use crate::{Error, Result};

pub fn run(args: &Merge, ui: Ui) -> Result<()> {
    let pieces = Pieces::open(&args.pieces)?;
    ensure_free(&pieces.header().config, &args.out)?;
    // `open` refuses an empty list, and pieces are named by directories.
    if let Some(first) = args.pieces.first() {
        keep_input(first, &args.out)?;
    }
    stop::say(format!(
        "stopped: the pieces are as they were, and {} holds no whole run; the same command merges them again",
        args.out.display()
    ));
    let from = paths::from_of_piece(&args.pieces, &args.out);
    let mut progress = Progress::new("samples", Some(pieces.samples() as u64));
    pieces.merge(&args.out, from, || progress.add(1))?;
    progress.finish();
    merge_asked(args)?;
    evaluate::print_results(&args.out, ui)
}

/// What asking took, of all pieces together.
fn merge_asked(args: &Merge) -> Result<()> {
    let mut all: Option<AskedFile> = None;
    for piece in &args.pieces {
        if let Some(asked) = read_asked(piece)? {
            let at_least = asked.at_least || asked.open;
            let sum = AskedFile::new(all, &asked.asked, asked.price);
            all = Some(AskedFile { at_least: sum.at_least || at_least, ..sum });
        }
    }
    let Some(all) = all else { return Ok(()) };
    let path = args.out.join(ASKED_FILE);
    let text = serde_json::to_vec_pretty(&all).map_err(|why| Error::writing(path.display().to_string())(why.into()))?;
    Ok(draft::write(&path, &text, Existing::Replace)?)
}

/// Data that came by standard input are kept in each piece; the run needs one copy.
fn keep_input(piece: &Path, out: &Path) -> Result<()> {
    let (kept, copy) = (piece.join(KEPT_INPUT), out.join(KEPT_INPUT));
    if !kept.exists() || copy.exists() {
        return Ok(());
    }
    let writing = || Error::writing(copy.display().to_string());
    fs::create_dir_all(out).map_err(writing())?;
    let mut file = fs::File::open(&kept).map_err(Error::reading(kept.display().to_string()))?;
    let mut draft = Draft::create(&copy, Existing::Refuse)?;
    io::copy(&mut file, &mut draft).map_err(writing())?;
    ui::note(&format!("{} is copied from {}", copy.display(), piece.display()));
    Ok(draft.finish()?)
}
