//! `cargo xtask generate [--check]`: the reference docs, the schemas of the configs and the functions of the
//! Python package, made from the cards. With
//! `--check` nothing is written; a stale file is an error, so that docs cannot drift from the code.

mod modules;
mod python;
mod reference;
mod schema;

use std::fs;
use std::path::Path;

use fissure::catalog;

use crate::{Result, root};

pub fn run(arguments: &[String]) -> Result<()> {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        other => return Err(format!("`generate` takes nothing but --check, not {other:?}").into()),
    };
    let cards = catalog::all();
    let mut files = reference::pages(&cards);
    files.push(modules::page()?);
    files.push(("docs/config.schema.json".into(), schema::transform(&cards)));
    files.push(("docs/run.schema.json".into(), schema::evaluate(&cards)));

    files.extend(python::modules(&cards));

    let mut stale = Vec::new();
    for (path, wanted) in &files {
        let at = root().join(path);
        if fs::read_to_string(&at).is_ok_and(|found| found == *wanted) {
            continue;
        }
        stale.push(path.as_str());
        if !check {
            fs::create_dir_all(at.parent().unwrap_or(Path::new(".")))?;
            fs::write(&at, wanted)?;
        }
    }
    match (check, stale.is_empty()) {
        (_, true) => println!("{} generated files are fresh", files.len()),
        (false, false) => println!("wrote {}", stale.join(", ")),
        (true, false) => return Err(format!("stale: {}; run `cargo xtask generate`", stale.join(", ")).into()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    /// What CI asks: here it needs nothing built but what the tests need anyway.
    #[test]
    fn generated_files_are_fresh() {
        if let Err(stale) = super::run(&["--check".to_owned()]) {
            panic!("{stale}");
        }
    }
}
