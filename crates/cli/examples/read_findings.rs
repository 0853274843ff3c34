//! Reads what a run found: `cargo run -p fissure --example read_findings -- fissure-demo/run/findings.json`.

use std::path::Path;

use fissure_evaluate::read_findings;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("give a findings.json")?;
    // Refuses findings that were cut or edited.
    let findings = read_findings(Path::new(&file))?;
    for part in &findings.parts {
        let drop = part.evidence.as_ref().and_then(|evidence| evidence.drop.as_ref());
        let drop = drop.map_or_else(|| "not measured".to_owned(), |drop| format!("{:.3}", drop.value));
        println!("{:30} {:12} drop {drop}", part.name, part.expectation.name());
    }
    Ok(())
}
