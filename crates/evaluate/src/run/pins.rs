//! Checksums of what was lent, so that a resumed run is not finished with other help than it began with.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Result;
use crate::config::RunConfig;
use crate::respond::checksum;

/// The checksum of every file and directory that the config lends, by the name that the config gives it. A command, and
/// what lies on a hub, has none.
pub fn pins(config: &RunConfig) -> Result<BTreeMap<String, String>> {
    // Phrases that are learnt are written there, not read.
    let phrases = config.phrases.iter().filter(|_| config.train.is_empty());
    let lent = [&config.language_model, &config.encoder, &config.vectors, &config.prompt].into_iter().flatten();
    let mut pins = BTreeMap::new();
    for name in lent.chain(&config.train).chain(phrases) {
        let path = Path::new(name);
        if path.exists() {
            pins.insert(name.clone(), checksum(path)?);
        }
    }
    Ok(pins)
}
