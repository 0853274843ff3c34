//! Which files of a repository are meant: a file by its name, or the table of a split with its shards in order.

use std::collections::BTreeMap;

use super::address::is_inside;
use super::{Address, HubError};

/// Why no choice could be made.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unclear {
    /// There is nothing called so; these there are.
    Missing(String, Vec<String>),
    /// There are no tables at all; these files there are.
    NoTables(Vec<String>),
    /// Several tables fit.
    Several(Vec<String>),
    /// The largest number of shards of a table.
    Shards { stem: String, found: usize, total: usize },
}

/// The files with these names, if all are there.
pub(super) fn named(files: &[String], names: &[&str]) -> Result<Vec<String>, Unclear> {
    match names.iter().find(|name| !files.iter().any(|file| file == *name)) {
        Some(missing) => Err(Unclear::Missing((*missing).into(), files.to_vec())),
        None => Ok(names.iter().map(|name| (*name).to_owned()).collect()),
    }
}

/// The files of the one table that `wanted` means: a file, a split, a folder and a split, or the only table there is.
pub(super) fn data(files: &[String], wanted: Option<&str>) -> Result<Vec<String>, Unclear> {
    if let Some(file) = wanted.filter(|wanted| files.iter().any(|file| file == wanted)) {
        return Ok(vec![file.to_owned()]);
    }
    let all = tables(files);
    if all.is_empty() {
        return Err(Unclear::NoTables(files.to_vec()));
    }
    let mut fitting: Vec<&Table> = all.iter().collect();
    if let Some(wanted) = wanted {
        let (folder, split) = wanted.rsplit_once('/').map_or((None, wanted), |(folder, split)| (Some(folder), split));
        fitting.retain(|table| folder.is_none_or(|folder| table.lies_in(folder)));
        let exact = fitting.iter().any(|table| table.is_split(split));
        fitting.retain(|table| if exact { table.is_split(split) } else { table.mentions(split) });
        if fitting.is_empty() {
            return Err(Unclear::Missing(wanted.into(), all.iter().map(Table::first).collect()));
        }
    }
    // The same table in several formats: the first of FORMATS.
    let best = |table: &Table| {
        fitting
            .iter()
            .all(|other| !(other.folder == table.folder && other.stem == table.stem && other.format < table.format))
    };
    let mut left: Vec<&Table> = fitting.iter().copied().filter(|table| best(table)).collect();
    if left.iter().filter(|table| table.folder == "data").count() == 1 {
        left.retain(|table| table.folder == "data");
    }
    match left[..] {
        [table] => table.whole(),
        _ => Err(Unclear::Several(left.into_iter().map(Table::first).collect())),
    }
}

impl Unclear {
    /// The error for the user.
    pub fn about(self, address: &Address) -> HubError {
        let repository = address.repository.clone();
        match self {
            Self::Missing(file, known) => HubError::NoFile { repository, file, candidates: list(&known) },
            Self::NoTables(known) => HubError::NoData { repository, candidates: list(&known) },
            Self::Several(known) => HubError::Ambiguous {
                address: address.to_string(),
                candidates: format!("{}. Say which, as in `hf:{repository}:{}`", list(&known), known[0]),
            },
            Self::Shards { stem, found, total } => HubError::Shards { repository, stem, found, total },
        }
    }
}

/// Up to twelve names, for an error.
fn list(files: &[String]) -> String {
    const SHOWN: usize = 12;
    let more = if files.len() > SHOWN { format!(" and {} more", files.len() - SHOWN) } else { String::new() };
    match files {
        [] => ": it is empty".into(),
        files => format!(". There are: {}{more}", files[..files.len().min(SHOWN)].join(", ")),
    }
}

/// The formats of data files, best first.
const FORMATS: [&str; 8] = ["parquet", "jsonl", "ndjson", "json", "csv", "tsv", "conllu", "conll"];

/// Files that describe a repository and hold no data.
const ABOUT: [&str; 6] =
    ["dataset_infos.json", "dataset_info.json", "state.json", "config.json", "package.json", "metadata.json"];

/// Names that mean the same split.
const SPLITS: [&[&str]; 3] = [
    &["train", "training"],
    &["validation", "valid", "val", "dev", "development"],
    &["test", "testing", "eval", "evaluation"],
];

/// Files that belong together: `data/test-00000-of-00002.parquet` and its brother.
struct Table {
    folder: String,
    stem: String,
    format: usize,
    /// How many shards there should be, where their names say so.
    total: Option<usize>,
    shards: BTreeMap<usize, String>,
}

fn tables(files: &[String]) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for file in files {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let hidden = file.split('/').any(|part| part.starts_with('.'));
        if hidden || !is_inside(file) || ABOUT.contains(&name) {
            continue;
        }
        let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
        let Some((stem, ending)) = plain.rsplit_once('.') else { continue };
        let Some(format) = FORMATS.iter().position(|format| *format == ending) else { continue };
        let (stem, shard, total) = shard(stem);
        let same = |table: &&mut Table| {
            (&*table.folder, &*table.stem, table.format, table.total) == (folder, stem, format, total)
        };
        // A second file for the same shard (`a.csv` beside `a.csv.gz`) is a table of its own: one has to choose.
        match tables.iter_mut().find(|table| same(table) && !table.shards.contains_key(&shard)) {
            Some(table) => drop(table.shards.insert(shard, file.clone())),
            None => {
                let shards = BTreeMap::from([(shard, file.clone())]);
                tables.push(Table { folder: folder.into(), stem: stem.into(), format, total, shards });
            }
        }
    }
    tables
}

/// Takes `test-00001-of-00002` apart; a name of digits alone is a shard of its folder's table.
fn shard(stem: &str) -> (&str, usize, Option<usize>) {
    let parts: Vec<&str> = stem.rsplitn(4, '-').collect();
    if let [total, "of", number, name] = parts[..]
        && let (Ok(total), Ok(number)) = (total.parse(), number.parse())
    {
        return (name, number, Some(total));
    }
    match stem.parse() {
        Ok(number) => ("", number, None),
        Err(_) => (stem, 0, None),
    }
}

impl Table {
    /// Its files in order, if none is missing.
    fn whole(&self) -> Result<Vec<String>, Unclear> {
        let found = self.shards.len();
        match self.total {
            Some(total) if found < total => Err(Unclear::Shards { stem: self.stem.clone(), found, total }),
            _ => Ok(self.shards.values().cloned().collect()),
        }
    }

    /// The file that stands for it in a list.
    fn first(&self) -> String {
        self.shards.values().next().cloned().unwrap_or_default()
    }

    fn lies_in(&self, folder: &str) -> bool {
        self.folder == folder || self.folder.ends_with(&format!("/{folder}"))
    }

    /// Whether it is called like the split: `test.csv`, `data/test-00000-of-00001.parquet`, `test/0000.parquet`.
    fn is_split(&self, split: &str) -> bool {
        let name = if self.stem.is_empty() { self.folder.rsplit('/').next().unwrap_or_default() } else { &self.stem };
        same_split(name, split)
    }

    /// Whether the split is part of its name: `ag_news_test.csv`, `test/part.csv`.
    fn mentions(&self, split: &str) -> bool {
        let words = self.stem.split(['-', '_', '.', ' ']).chain(self.folder.split('/'));
        words.into_iter().any(|word| same_split(word, split))
    }
}

fn same_split(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    one == other || SPLITS.iter().any(|names| names.contains(&one.as_str()) && names.contains(&other.as_str()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn choice(files: &[&str], wanted: Option<&str>) -> Result<Vec<String>, Unclear> {
        data(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>(), wanted)
    }

    fn chosen(files: &[&str], wanted: &str) -> Vec<String> {
        choice(files, Some(wanted).filter(|wanted| !wanted.is_empty())).expect("a clear choice")
    }

    #[test]
    fn a_split_is_found_however_it_is_stored() {
        let news =
            [".gitattributes", "README.md", "data/test-00000-of-00001.parquet", "data/train-00000-of-00001.parquet"];
        assert_eq!(chosen(&news, "test"), [news[2]]);
        assert_eq!(chosen(&news, "training"), [news[3]]);
        let shards = ["train-00001-of-00002.parquet", "train-00000-of-00002.parquet", "dev.jsonl"];
        assert_eq!(chosen(&shards, "train"), [shards[1], shards[0]]);
        assert_eq!(chosen(&shards, "validation"), [shards[2]]);
        assert_eq!(chosen(&["default/test/0000.parquet", "default/test/0001.parquet"], "test").len(), 2);
        assert_eq!(chosen(&["ag_news_test.csv", "ag_news_train.csv"], "test"), ["ag_news_test.csv"]);
        assert_eq!(chosen(&["test.csv", "test_matched.csv"], "test"), ["test.csv"]);
        assert_eq!(chosen(&["test.csv", "test_matched.csv"], "test_matched"), ["test_matched.csv"]);
        assert_eq!(chosen(&["cola/test.csv", "data/sst2/test.csv"], "sst2/test"), ["data/sst2/test.csv"]);
        assert_eq!(chosen(&["test.csv", "test.parquet"], "test"), ["test.parquet"]);
        assert_eq!(chosen(&["test.csv", "data/test.csv"], "test"), ["data/test.csv"]);
        assert_eq!(chosen(&["dataset_infos.json", "reviews.jsonl.gz"], ""), ["reviews.jsonl.gz"]);
        assert_eq!(chosen(&["a.csv", "notes.txt"], "notes.txt"), ["notes.txt"]);
    }

    #[test]
    fn what_is_not_clear_is_said() {
        let error = |files: &[&str], wanted| {
            let address = Address { repository: "a/b".into(), revision: None, wanted: None };
            choice(files, wanted).expect_err("no clear choice").about(&address).to_string()
        };
        assert_eq!(
            error(&["test.csv", "train.csv"], None),
            "`hf:a/b` could be several tables. There are: test.csv, train.csv. Say which, as in `hf:a/b:test.csv`"
        );
        assert_eq!(error(&["test.csv", "README.md"], Some("trian")), "`a/b` has no file `trian`. There are: test.csv");
        assert_eq!(
            error(&["README.md"], Some("test")),
            "`a/b` has no data file that can be read (Parquet, JSON lines, CSV, TSV, CoNLL). There are: README.md"
        );
        assert_eq!(error(&["t-00000-of-00003.csv"], None), "`a/b` has only 1 of the 3 shards of `t`");
        assert!(error(&["x/test.csv", "y/test.csv"], Some("test")).contains("x/test.csv, y/test.csv"));
        assert!(error(&["a.csv", "a.csv.gz"], None).contains("a.csv, a.csv.gz"));
        assert!(error(&["../../a.csv"], None).contains("no data file"));
    }

    proptest! {
        #[test]
        fn a_choice_is_of_the_files_there_are(
            files in proptest::collection::btree_set(
                "((data|x|test)/)?(test|train|t|0|-)(-0000[0-3]-of-0000[0-3])?([.]csv|[.]json|[.]csv[.]gz|)",
                0..8,
            ),
            wanted in proptest::option::of("(x/)?(test|t|0|dev)"),
        ) {
            let files: Vec<String> = files.into_iter().collect();
            let address = Address { repository: "a/b".into(), revision: None, wanted: wanted.clone() };
            match data(&files, wanted.as_deref()) {
                Ok(chosen) => prop_assert!(!chosen.is_empty() && chosen.iter().all(|file| files.contains(file))),
                Err(why) => prop_assert!(why.about(&address).to_string().contains("a/b")),
            }
        }
    }
}
