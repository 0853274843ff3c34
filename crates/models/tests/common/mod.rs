//! What the tests beside the shared reference data have in common.

use std::path::PathBuf;

/// A path in the folder that is shared beside the workspace, or `None`, loudly, where that is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("SKIPPED: {path} is not beside this workspace (looked for {})", full.display());
    None
}
