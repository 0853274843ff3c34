//! Writes the report of findings to standard output, to look at it: `page FINDINGS.json > page.html`, and with a second
//! word `pdf` on paper.
use std::io::Write as _;

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

fn main() -> Result {
    let arguments: Vec<String> = std::env::args().collect();
    let path = arguments.get(1).map_or("tests/findings.json", String::as_str);
    let document = fissure_report::document(&serde_json::from_str(&std::fs::read_to_string(path)?)?);
    let bytes = match arguments.get(2).map(String::as_str) {
        #[cfg(feature = "pdf")]
        Some("pdf") => fissure_report::pdf(&document, None)?,
        _ => fissure_report::html(&document).into_bytes(),
    };
    std::io::stdout().write_all(&bytes)?;
    Ok(())
}
