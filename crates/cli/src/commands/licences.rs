//! `fissure licences`: the tables that are compiled in, with authors, licence and source.

use std::collections::BTreeMap;

use fissure_text::share_alike;
use serde::Deserialize;
use serde_json::json;

use crate::ui::{self, Ui};
use crate::{Error, Result};

const MANIFEST: &str = include_str!("../../../../lexicons/manifest.toml");
/// The licence of WordNet wants to be carried along with what is made from it.
const WORDNET: &str = include_str!("../../../../lexicons/WORDNET-LICENSE");

/// What the manifest says about a table.
#[derive(Debug, Deserialize)]
struct Table {
    file: String,
    what: String,
    licence: String,
    authors: String,
    sources: Vec<Source>,
}

/// Where a table comes from: a package, or a sentence.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Source {
    Package { package: String, registry: String, version: String, licence: String },
    Words(String),
}

impl Source {
    fn words(&self) -> String {
        match self {
            Self::Package { package, registry, version, licence } => {
                format!("{package} {version}, {registry} ({licence})")
            }
            Self::Words(words) => words.clone(),
        }
    }
}

impl Table {
    fn is_share_alike(&self) -> bool {
        self.licence.contains("BY-SA")
    }

    /// Whether this build has it.
    fn is_included(&self) -> bool {
        share_alike::INCLUDED || !self.is_share_alike()
    }

    /// Each source once: of some packages many files are read.
    fn sources(&self) -> Vec<String> {
        let mut sources: Vec<String> = self.sources.iter().map(Source::words).collect();
        sources.dedup();
        sources
    }
}

fn tables() -> BTreeMap<String, Table> {
    toml::from_str(MANIFEST).expect("the manifest is part of the program, and a test reads it")
}

pub fn run(ui: Ui) -> Result<()> {
    let tables = tables();
    let text = if ui.json {
        let table = |(name, table): (&String, &Table)| {
            json!({
                "name": name, "file": table.file, "what": table.what, "licence": table.licence,
                "authors": table.authors, "sources": table.sources(), "included": table.is_included(),
            })
        };
        let tables: Vec<_> = tables.iter().map(table).collect();
        format!("{:#}\n", json!({ "code": "MIT OR Apache-2.0", "tables": tables, "wordnet_licence": WORDNET }))
    } else {
        written(&tables)
    };
    ui::print(&text).map_err(Error::writing("standard output"))
}

fn written(tables: &BTreeMap<String, Table>) -> String {
    let mut text = String::from(
        "The code of Fissure: MIT or Apache-2.0, at your choice.\n\nThese tables are part of the program, under licences of \
         their own. CC BY-SA 4.0 is share-alike\n(https://creativecommons.org/licenses/by-sa/4.0/): who passes on what is \
         made from such a table names its\nauthors and keeps its licence. A build without the feature `share-alike` has no \
         such table.\n",
    );
    let (included, left_out): (Vec<_>, Vec<_>) = tables.iter().partition(|(_, table)| table.is_included());
    for (_, table) in included {
        text.push_str(&format!("\n{}: {}\n", ui::bold(&table.file), table.what));
        text.push_str(&format!("  licence: {}\n  authors: {}\n", table.licence, table.authors));
        for source in table.sources() {
            text.push_str(&format!("  source: {source}\n"));
        }
    }
    if !left_out.is_empty() {
        let files: Vec<&str> = left_out.iter().map(|(_, table)| &*table.file).collect();
        text.push_str(&format!("\nLeft out of this build: {}\n", files.join(", ")));
    }
    text.push_str(&format!("\nThe licence of WordNet:\n\n{}\n", WORDNET.trim_end()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_authors_a_licence_and_a_source() {
        let tables = tables();
        for (name, table) in &tables {
            assert!(!table.authors.is_empty() && !table.licence.is_empty(), "{name}");
            assert!(!table.sources().is_empty() || table.authors == "the authors of Fissure", "{name}");
        }
        let text = written(&tables);
        for words in ["CC BY-SA 4.0", "Princeton University", "AG News", "IMDb", "GeoNames", "spaCy"] {
            assert!(text.contains(words), "{words}");
        }
    }

    #[test]
    fn the_share_alike_tables_are_those_of_the_feature() {
        let names: Vec<String> =
            tables().into_iter().filter(|(_, table)| table.is_share_alike()).map(|(name, _)| name).collect();
        let known = [
            "certain_tags",
            "chinese_3gram",
            "chinese_segments",
            "chinese_tags",
            "english_3gram",
            "entities",
            "lemmas",
            "parse",
            "sentences",
            "tags",
        ];
        assert_eq!(names, known, "what is new here belongs behind the feature `share-alike`, and into `--version`");
    }
}
