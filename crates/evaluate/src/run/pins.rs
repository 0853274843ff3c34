//! Checksums of what was lent, so that a resumed run is not finished with other help than it began with.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Result;
use crate::config::RunConfig;
use fissure_ask::checksum;

/// The checksum of every file and directory that the config lends, by the name that the config gives it. A command, and
/// what lies on a hub, has none. The pool of donors that the data themselves are has the checksum `donors`.
pub fn pins(config: &RunConfig, donors: Option<String>) -> Result<BTreeMap<String, String>> {
    // Phrases that are learnt are written there, not read.
    let phrases = config.phrases.iter().filter(|_| config.train.is_empty());
    let lent = [&config.language_model, &config.encoder, &config.vectors, &config.prompt].into_iter().flatten();
    let mut pins: BTreeMap<String, String> = donors.map(|pool| ("donors".to_owned(), pool)).into_iter().collect();
    for name in lent.chain(&config.train).chain(&config.donors).chain(phrases) {
        let path = Path::new(name);
        if path.exists() {
            pins.insert(name.clone(), checksum(path)?);
        }
    }
    Ok(pins)
}
