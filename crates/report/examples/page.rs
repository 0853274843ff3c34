//! The page of findings in a file: `cargo run -p fissure-report --example page -- findings.json > report.html`

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("give a findings.json")?;
    let findings = serde_json::from_slice(&std::fs::read(path)?)?;
    println!("{}", fissure_report::html(&fissure_report::document(&findings)));
    Ok(())
}
