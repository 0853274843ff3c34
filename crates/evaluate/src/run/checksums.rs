//! Checksums of the resources, so that a run is not resumed with others than it began with.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Result;
use fissure_ask::checksum;
use fissure_models::remote::{PROCESS, program_files};
use fissure_settings::RunConfig;

/// The checksum of every file and directory that the config names as a resource, by that name. A command has
/// those of its programs; what lies on a hub has none. The pool of donors that the data themselves are has the checksum `donors`.
pub fn checksums(config: &RunConfig, donors: Option<String>) -> Result<BTreeMap<String, String>> {
    let mut checksums: BTreeMap<String, String> = donors.map(|pool| ("donors".to_owned(), pool)).into_iter().collect();
    for name in config.resources.read_files().chain(config.endpoint.prompt.as_deref()) {
        let path = Path::new(name);
        if path.exists() {
            checksums.insert(name.to_owned(), checksum(path)?);
        }
    }
    let commands = config.resources.commands();
    let asked = config.model.as_deref().and_then(|model| model.strip_prefix(PROCESS));
    for file in commands.iter().map(String::as_str).chain(asked).flat_map(program_files) {
        let sum = checksum(Path::new(&file))?;
        checksums.insert(file, sum);
    }
    Ok(checksums)
}
