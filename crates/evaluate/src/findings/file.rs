//! `findings.json`: the findings with the checksum of the run file they were made from, and one of their own. A file that was
//! cut or edited is noticed by every reader.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::Findings;
use crate::{Error, RUN_FILE, Result};
use fissure_ask::hex;

/// The name of the findings beside the run file.
pub const FINDINGS_FILE: &str = "findings.json";

/// The version of this format; a change that old readers would misread counts it up.
const FORMAT: u32 = 2;

/// What the file has besides the findings.
#[derive(Deserialize)]
struct Head {
    /// Version 1 did not say so.
    format: Option<u32>,
    run_sha256: Option<String>,
}

/// The findings as they stand in their file, for the run in `folder`. Where the run file is gone, they say nothing of it.
pub fn written_findings(found: &Findings, folder: &Path) -> Result<String> {
    let run = folder.join(RUN_FILE);
    let failed = |why: serde_json::Error| Error::io("write", folder.join(FINDINGS_FILE))(why.into());
    let text = serde_json::to_string_pretty(found).map_err(failed)?;
    let fields = text.strip_prefix("{").and_then(|text| text.strip_suffix("\n}")).unwrap_or_default();
    let run = if run.exists() { format!("\"{}\"", sum_of(&run)?) } else { "null".to_owned() };
    let body = format!("{{\n  \"format\": {FORMAT},\n  \"run_sha256\": {run},{fields}");
    let sum = hex(&Sha256::digest(&body));
    Ok(format!("{body}{}", end(&sum)))
}

/// Reads findings, and the checksums of both files: a run or findings that were cut or edited are refused. Where only the
/// findings are there, theirs has to do.
pub fn read_findings(path: &Path) -> Result<Findings> {
    let text = fs::read_to_string(path).map_err(Error::io("read", path))?;
    // Git may have changed the line ends.
    let text = text.replace("\r\n", "\n");
    let none = |why: serde_json::Error| Error::NoFindings { path: path.to_owned(), why: why.to_string() };
    let head: Head = serde_json::from_str(&text).map_err(none)?;
    // The report has the same numbers without checksums.
    if head.format.is_none() && path.file_name().is_none_or(|name| name != FINDINGS_FILE) {
        let why =
            format!("it has no checksums, as a report has none; name the directory of the run, or its {FINDINGS_FILE}");
        return Err(Error::NoFindings { path: path.to_owned(), why });
    }
    let format = head.format.unwrap_or(1);
    if format != FORMAT {
        return Err(Error::OtherFormat { path: path.to_owned(), format, reads: FORMAT });
    }
    let length = text.len().saturating_sub(end(&"0".repeat(64)).len());
    let whole = text.get(..length).is_some_and(|body| text[length..] == end(&hex(&Sha256::digest(body))));
    if !whole {
        return Err(Error::FindingsChanged { path: path.to_owned() });
    }
    let run = path.with_file_name(RUN_FILE);
    if run.exists() && Some(sum_of(&run)?) != head.run_sha256 {
        return Err(Error::RunChanged { run, findings: path.to_owned() });
    }
    serde_json::from_str(&text).map_err(none)
}

/// The last lines: a checksum of all before them.
fn end(sum: &str) -> String {
    format!(",\n  \"sha256\": \"{sum}\"\n}}\n")
}

fn sum_of(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(Error::io("read", path))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(Error::io("read", path))? {
            0 => return Ok(hex(&hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}
