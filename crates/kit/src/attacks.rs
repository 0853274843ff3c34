//! Runs of attacks on disk: a line a text, and what was found.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use fissure_ask::hex;
use fissure_attacks::{AttackRun, Record, paired};
use fissure_evaluate::gate::{Judgement, Rule, judge_by};
use fissure_report::{Document, attack_comparison, attack_document};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::notice::note;
use crate::outputs::{self, sha256};
use crate::report::{EVERY, ending};
use crate::{Error, Result};

/// A line for each text, in the order of the data.
pub const ATTACKS_FILE: &str = "attacks.jsonl";
/// What was found: an [`AttackRun`].
pub const SUMMARY_FILE: &str = "summary.json";

/// The broken texts as data.
pub const BROKEN_FILE: &str = "broken.jsonl";

/// The keys of checksums in it: of the lines, and of everything else in the file.
const LINES_SUM: &str = "attacks_sha256";
const OWN_SUM: &str = "sha256";

/// Whether a directory holds a run of attacks.
pub fn is_run(folder: &Path) -> bool {
    folder.join(SUMMARY_FILE).exists() && folder.join(ATTACKS_FILE).exists()
}

/// The directory of an attack that was run beside an evaluation.
pub fn folder_of(run: &Path, recipe: &str) -> PathBuf {
    run.join("attacks").join(recipe)
}

/// The attacks that were run beside an evaluation, by name.
pub fn beside(run: &Path) -> Result<Vec<AttackRun>> {
    names_in(&run.join("attacks")).iter().map(|name| read_run(&folder_of(run, name))).collect()
}

/// The directories of the attacks in a folder, by the name of the attack, in order: those beside an evaluation, or those of
/// `fissure attack` with several recipes.
pub fn several(folder: &Path) -> Vec<(String, PathBuf)> {
    let beside = folder.join("attacks");
    let place = if beside.is_dir() { &*beside } else { folder };
    names_in(place).into_iter().map(|name| (name.clone(), place.join(name))).collect()
}

/// The runs in a directory that an attack with --out there would leave lying, and that gates and reports would then read in its place or
/// beside it. `names` are the directories of its own attacks, if it has several. A run that somebody put beside others by a
/// command of its own stays: it is one of a collection.
pub fn in_the_way(folder: &Path, names: &[String]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !names.is_empty() && is_run(folder) {
        found.push(folder.to_owned());
    }
    for name in names_in(folder).into_iter().filter(|name| !names.contains(name)) {
        let place = folder.join(name);
        if read_run(&place).is_ok_and(|run| !run.together.is_empty()) {
            found.push(place);
        }
    }
    Ok(found)
}

/// Removes the files that an attack wrote to a directory, and the directory if nothing else is in it. A run that was cut or edited is
/// refused: its files may be somebody's own by now.
pub fn remove_run(folder: &Path) -> Result<()> {
    read_run(folder).map_err(|_| Error::EditedAttack { place: folder.display().to_string() })?;
    // The summary first: without it the rest is no run, should the program be stopped here.
    for name in files() {
        let path = folder.join(name);
        if path.is_file() {
            fs::remove_file(&path).map_err(Error::writing(path.display().to_string()))?;
        }
    }
    // A directory with files of the user's stays.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// The files of a run of attacks.
pub fn files() -> impl Iterator<Item = String> {
    let pages = EVERY.iter().map(|format| format!("report.{}", ending(*format)));
    [SUMMARY_FILE, ATTACKS_FILE, BROKEN_FILE].map(str::to_owned).into_iter().chain(pages)
}

fn names_in(folder: &Path) -> Vec<String> {
    let Ok(folders) = fs::read_dir(folder) else { return Vec::new() };
    let entries = folders.filter_map(std::result::Result::ok).filter(|entry| is_run(&entry.path()));
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The recipe that a rule of an attack names: `attack(NAME).success <= 0.3`.
pub(crate) fn named_in(rule: &str) -> Option<&str> {
    let (_, rest) = rule.split_once("attack(")?;
    Some(rest.split_once(')')?.0.trim())
}

/// Writes what a run found, with the checksum of its lines and one of its own.
pub fn write_run(folder: &Path, run: &AttackRun, force: bool) -> Result<()> {
    let mut found = json!(run);
    found[LINES_SUM] = sha256(&folder.join(ATTACKS_FILE))?.into();
    found[OWN_SUM] = sum_of(&found).into();
    outputs::write_again(&folder.join(SUMMARY_FILE), format!("{found:#}\n").as_bytes(), force)
}

/// Reads what a run found; files that were cut or edited are refused.
pub fn read_run(folder: &Path) -> Result<AttackRun> {
    let path = folder.join(SUMMARY_FILE);
    let text = fs::read_to_string(&path).map_err(Error::reading(path.display().to_string()))?;
    let mut found: Value = serde_json::from_str(&text).map_err(|source| broken(&path, 1, &source))?;
    let own = found.as_object_mut().and_then(|found| found.shift_remove(OWN_SUM));
    for (file, whole) in [
        (SUMMARY_FILE, own == Some(sum_of(&found).into())),
        (ATTACKS_FILE, found[LINES_SUM] == *sha256(&folder.join(ATTACKS_FILE))?),
    ] {
        if !whole {
            return Err(Error::AttacksChanged { place: folder.join(file).display().to_string() });
        }
    }
    serde_json::from_value(found).map_err(|source| broken(&path, 1, &source))
}

fn sum_of(found: &Value) -> String {
    hex(&Sha256::digest(found.to_string()))
}

/// Every line of a run.
pub fn read_records(file: &Path) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    each_record(file, |record| records.push(record))?;
    Ok(records)
}

/// Every line of a run, one after the other, so that a long run needs no more memory than a short one.
pub fn each_record(file: &Path, mut see: impl FnMut(Record)) -> Result<()> {
    let reading = || Error::reading(file.display().to_string());
    for (at, line) in BufReader::new(File::open(file).map_err(reading())?).lines().enumerate() {
        let line = line.map_err(reading())?;
        see(serde_json::from_str(&line).map_err(|source| broken(file, at + 1, &source))?);
    }
    Ok(())
}

fn broken(file: &Path, line: usize, source: &serde_json::Error) -> Error {
    Error::BrokenAttacks { place: file.display().to_string(), line, why: source.to_string() }
}

/// The report of a run, or of two side by side, with its numbers.
pub fn report(folders: &[impl AsRef<Path>]) -> Result<(Document, Value)> {
    match folders {
        [first, second] => {
            let (a, b) = (read_run(first.as_ref())?, read_run(second.as_ref())?);
            let [one, other] = [first.as_ref(), second.as_ref()].map(|folder| read_records(&folder.join(ATTACKS_FILE)));
            let together = paired(&one?, &other?);
            Ok((attack_comparison(&a, &b, &together), json!({ "first": a, "second": b, "together": together })))
        }
        folders => {
            let folder = folders.first().map_or(Path::new("."), AsRef::as_ref);
            let run = read_run(folder)?;
            Ok((attack_document(&run), json!(run)))
        }
    }
}

/// Holds a run to rules such as `attack(pwws).success <= 0.3`; `change(attack(pwws).success) <= 0` compares with the baseline,
/// text by text. Without rules, it may not break more texts than the baseline.
pub fn check(folder: &Path, baseline: Option<&Path>, rules: &[String]) -> Result<Vec<Judgement>> {
    let run = read_run(folder)?;
    let mut other = None;
    let gap = match baseline {
        None => None,
        Some(earlier) => {
            // What one attack breaks says nothing of what happened to another.
            other = Some(read_run(earlier)?.finding.name).filter(|name| *name != run.finding.name);
            let [then, now] = [earlier, folder].map(|folder| read_records(&folder.join(ATTACKS_FILE)));
            Some(paired(&then?, &now?).difference.filter(|_| other.is_none()))
        }
    };
    if let (Some(other), Some(earlier)) = (&other, baseline) {
        note(&format!(
            "{} is a run of `{}` and {} one of `{other}`: what changed is not measured, since two attacks differ on one model too. Run `{}` \
             on the earlier model",
            folder.display(),
            run.finding.name,
            earlier.display(),
            run.finding.name,
        ));
    }
    let usual = [format!("change(attack({}).success) <= 0", run.finding.name)];
    let rules = match rules {
        [] if gap.is_some() => &usual,
        [] => return Err(Error::NoRules),
        rules => rules,
    };
    let find = |measure: &str, of: Option<&str>, change: bool| {
        let now = run.measure(measure, of)?;
        match (change, gap) {
            (false, _) => Ok(now),
            (true, _) if measure != "attack.success" => {
                Err("asks for a change: only that of `success` is measured".into())
            }
            (true, None) => Err("asks for a change: give the earlier run with --baseline".into()),
            (true, Some(gap)) => Ok(gap),
        }
    };
    let judged = |rule: &String| Ok(judge_by(&rule.parse::<Rule>()?, &find)?);
    rules.iter().map(judged).collect()
}
