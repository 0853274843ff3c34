//! Checksums of the resources, so that a run is not resumed with others than it began with.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Result;
use fissure_ask::checksum;
use fissure_settings::RunConfig;

/// The checksum of every file and directory that the config names as a resource, by that name. A command, and
/// what lies on a hub, has none. The pool of donors that the data themselves are has the checksum `donors`.
pub fn checksums(config: &RunConfig, donors: Option<String>) -> Result<BTreeMap<String, String>> {
    let mut checksums: BTreeMap<String, String> = donors.map(|pool| ("donors".to_owned(), pool)).into_iter().collect();
    for name in config.resources.read_files().chain(config.endpoint.prompt.as_deref()) {
        let path = Path::new(name);
        if path.exists() {
            checksums.insert(name.to_owned(), checksum(path)?);
        }
    }
    Ok(checksums)
}
