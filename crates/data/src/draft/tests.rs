use std::fs;
use std::io::Write as _;

use serde_json::Value;

use fissure_core::Choice as _;

use super::*;
use crate::{Format, Output, Row, Writer};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn journal(samples: u64) -> Journal {
    Journal {
        fissure: "1".into(),
        command: "fissure transform".into(),
        settings: String::new(),
        samples,
        input: String::new(),
        bytes: 0,
        output: String::new(),
        replace: false,
        format: Value::Null,
        counts: Value::Null,
    }
}

#[test]
fn a_file_gets_its_name_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let mut draft = Draft::create(&path, Existing::Refuse).unwrap();
    draft.write_all(b"one").unwrap();
    assert_eq!(names(folder.path()), ["a.txt.unfinished"]);
    draft.finish().unwrap();
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["a.txt".to_owned()], b"one".to_vec()));

    assert!(matches!(Draft::create(&path, Existing::Refuse), Err(Error::Exists { .. })));
    write(&path, b"two", Existing::Replace).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");

    // What is not finished leaves nothing behind, and the old file as it was.
    let mut draft = Draft::create(&path, Existing::Replace).unwrap();
    draft.write_all(b"thr").unwrap();
    drop(draft);
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["a.txt".to_owned()], b"two".to_vec()));
}

/// A draft that is about to get its name has no mark any more: a process that comes at that moment must not take it for the user's.
#[test]
fn a_writer_that_comes_last_is_told_of_the_other_and_of_no_stranger() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    for _ in 0..300 {
        let ready = std::sync::Barrier::new(2);
        let publish = || {
            ready.wait();
            Draft::create(&path, Existing::Refuse)?.publish().map(drop)
        };
        let come = || {
            ready.wait();
            std::iter::repeat_with(|| Draft::create(&path, Existing::Replace)).take(20).find_map(|made| match made {
                Ok(_) | Err(Error::Busy { .. }) => None,
                Err(other) => Some(other),
            })
        };
        let (first, second) = std::thread::scope(|threads| {
            let other = threads.spawn(come);
            (publish(), other.join().unwrap())
        });
        assert!(matches!(first, Ok(()) | Err(Error::Busy { .. } | Error::Exists { .. })), "{first:?}");
        assert!(second.is_none(), "{second:?}");
        let _ = fs::remove_file(&path);
    }
}

#[test]
fn two_writers_of_one_file_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let first = Draft::create(&path, Existing::Replace).unwrap();
    assert!(matches!(Draft::create(&path, Existing::Replace), Err(Error::Busy { .. })));
    first.finish().unwrap();
    // A file that appears meanwhile is not replaced, and what was written stays.
    let other = folder.path().join("b.txt");
    let mut draft = Draft::create(&other, Existing::Refuse).unwrap();
    draft.write_all(b"mine").unwrap();
    fs::write(&other, "yours").unwrap();
    assert!(matches!(draft.finish(), Err(Error::Appeared { .. })));
    assert_eq!(fs::read(&other).unwrap(), b"yours");
    assert_eq!(fs::read(folder.path().join("b.txt.unfinished")).unwrap(), b"mine");
}

/// What a killed process leaves.
fn left_behind(path: &Path, text: &str) {
    place::create_marked(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_draft_of_a_dead_process_goes_and_one_with_a_journal_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    left_behind(&folder.path().join("a.txt.unfinished"), "half");
    write(&path, b"whole", Existing::Refuse).unwrap();
    assert_eq!(names(folder.path()), ["a.txt"]);
    fs::remove_file(&path).unwrap();

    let mut draft = Draft::create(&path, Existing::Refuse).unwrap();
    draft.write_all(b"kept").unwrap();
    draft.keep(&mut journal(3)).unwrap();
    draft.write_all(b" lost").unwrap();
    drop(draft);
    assert!(matches!(Draft::create(&path, Existing::Refuse), Err(Error::Kept { samples: 3, .. })));
    let (mut draft, kept) = Draft::resume(&path).unwrap().unwrap();
    assert_eq!((kept.samples, kept.bytes, draft.bytes()), (3, 4, 4));
    draft.write_all(b" on").unwrap();
    draft.finish().unwrap();
    assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["a.txt".to_owned()], b"kept on".to_vec()));

    // Damage is noticed.
    let mut draft = Draft::create(&path, Existing::Replace).unwrap();
    draft.write_all(b"kept").unwrap();
    draft.keep(&mut journal(3)).unwrap();
    drop(draft);
    fs::write(folder.path().join("a.txt.unfinished"), "kepT").unwrap();
    assert!(matches!(Draft::resume(&path), Err(Error::KeptDamaged { .. })));
    write(&path, b"over", Existing::Replace).unwrap();
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_the_file_and_never_into_a_draft() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.txt"), folder.path().join("link.txt"));
    symlink("real.txt", &link).unwrap();
    write(&link, b"one", Existing::Refuse).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), b"one");

    let victim = folder.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    symlink(&victim, folder.path().join("new.txt.unfinished")).unwrap();
    assert!(matches!(write(&folder.path().join("new.txt"), b"x", Existing::Replace), Err(Error::Foreign { .. })));
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn devices_are_written_as_they_are() {
    write(Path::new("/dev/null"), b"one", Existing::Refuse).unwrap();
    assert!(Path::new("/dev/null").exists() && !Path::new("/dev/null.unfinished").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_is_a_file_wherever_its_path_begins() {
    use std::os::fd::AsRawFd as _;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("a.csv");
    fs::write(&data, "text\n").unwrap();
    let open = File::open(&data).unwrap();
    let mut ways = vec![
        PathBuf::from(format!("/proc/self/root{}", data.display())),
        format!("/dev/..{}", data.display()).into(),
        format!("/dev/fd/{}", open.as_raw_fd()).into(),
        format!("/proc/self/fd/{}", open.as_raw_fd()).into(),
    ];
    let shared = tempfile::tempdir_in("/dev/shm").ok();
    if let Some(shared) = &shared {
        let link = folder.path().join("link.csv");
        fs::write(shared.path().join("b.csv"), "text\n").unwrap();
        std::os::unix::fs::symlink(shared.path().join("b.csv"), &link).unwrap();
        assert!(matches!(refuse_inputs(&[&link], &[&shared.path().join("b.csv")]), Err(Error::OutputIsInput { .. })));
        ways.push(link);
        let new = shared.path().join("new.csv");
        write(&new, b"one", Existing::Refuse).unwrap();
        assert_eq!(names(shared.path()), ["b.csv", "new.csv"]);
    }
    for way in &ways[..4] {
        assert!(matches!(refuse_inputs(&[way], &[&data]), Err(Error::OutputIsInput { .. })), "{}", way.display());
    }
    for way in &ways {
        assert!(matches!(write(way, b"x", Existing::Refuse), Err(Error::Exists { .. })), "{}", way.display());
        assert_eq!(fs::read(way).unwrap(), b"text\n");
    }
    // A file that has lost its name is written as it is.
    let lost = File::options().read(true).write(true).open(&data).unwrap();
    fs::remove_file(&data).unwrap();
    let way = PathBuf::from(format!("/proc/self/fd/{}", lost.as_raw_fd()));
    write(&way, b"gone", Existing::Refuse).unwrap();
    assert!(names(folder.path()).iter().all(|name| name == "link.csv"));
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, model) = (folder.path().join("a.csv"), folder.path().join("model"));
    fs::write(&one, "text\n").unwrap();
    fs::create_dir(&model).unwrap();
    fs::write(model.join("config.json"), "{}").unwrap();
    let hard = folder.path().join("hard.csv");
    fs::hard_link(&one, &hard).unwrap();
    let roundabout = model.join("../a.csv");
    let mut outputs = vec![one.clone(), hard, roundabout, model.join("config.json"), model.clone()];
    #[cfg(unix)]
    {
        let link = folder.path().join("link.csv");
        std::os::unix::fs::symlink(&one, &link).unwrap();
        outputs.push(link);
    }
    for output in &outputs {
        let refused = refuse_inputs(&[output], &[&one, &model]);
        assert!(matches!(refused, Err(Error::OutputIsInput { .. })), "{}", output.display());
    }
    let new = folder.path().join("new.csv");
    refuse_inputs(&[&new, Path::new("-")], &[&one, &model]).unwrap();
    assert!(matches!(refuse_inputs(&[&new, &new], &[]), Err(Error::TwoOutputs { .. })));
}

#[test]
fn a_folder_gets_its_name_when_it_is_whole_and_others_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let make = |existing, text: &str| -> Result<()> {
        let draft = DraftFolder::create(&path, existing, &["config.json"])?;
        fs::write(draft.path().join("config.json"), text).unwrap();
        assert!(!path.join("config.json").exists() || fs::read_to_string(path.join("config.json")).unwrap() != text);
        draft.finish()
    };
    make(Existing::Refuse, "one").unwrap();
    assert!(matches!(make(Existing::Refuse, "two"), Err(Error::Exists { .. })));
    make(Existing::Replace, "two").unwrap();
    assert_eq!(fs::read(path.join("config.json")).unwrap(), b"two");
    fs::write(path.join("thesis.tex"), "years of work").unwrap();
    assert!(matches!(make(Existing::Replace, "three"), Err(Error::OtherFiles { .. })));
    assert_eq!(names(&path), ["config.json", "thesis.tex"]);

    // Left behind by a killed process.
    fs::create_dir(folder.path().join("other.unfinished")).unwrap();
    fs::write(folder.path().join("other.unfinished/config.json"), "half").unwrap();
    let other = |known| DraftFolder::create(&folder.path().join("other"), Existing::Refuse, known);
    // What no process of ours would have written is somebody's own.
    assert!(matches!(other(&[]), Err(Error::Foreign { .. })));
    let draft = other(&["config.json"]).unwrap();
    assert_eq!(names(draft.path()), Vec::<String>::new());
    drop(draft);
    assert_eq!(names(folder.path()), ["model"]);
}

/// Rows for a format.
fn rows(format: Format, length: usize) -> Vec<Row> {
    let row = |at: usize| {
        let words: Vec<String> = (0..length).map(|word| ((at * 7919 + word * word) % 65_537).to_string()).collect();
        let mut row = Row::default();
        match format {
            Format::Squad => {
                row.push("title", format!("title {}", at / 9));
                row.push("context", format!("{} {}", at / 3, words.join(" ")));
                row.push("question", at.to_string());
            }
            Format::Semeval => row.push("sentence", words.join(" ")),
            Format::Conll | Format::Conllu => row.push("tokens", words),
            Format::Conll2012 => row.push("sentences", vec![words]),
            Format::Lines => row.push("text", words.join(" ")),
            _ => {
                row.push("text", words.join(" "));
                row.push("label", at);
            }
        }
        row
    };
    (0..40).map(row).collect()
}

#[test]
fn every_format_but_parquet_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let task = fissure_tasks::find("sa").unwrap();
    let formats = Format::ALL.iter().map(|(_, format)| *format).filter(|format| *format != Format::Parquet);
    let plain = formats.map(|format| (format, ""));
    let compressed = [(Format::Jsonl, ".gz"), (Format::Csv, ".zst"), (Format::Squad, ".gz"), (Format::Tsv, ".gz")];
    for (format, ending) in plain.chain(compressed) {
        // A compressed file must be long enough to have several members.
        let (rows, name) = (rows(format, if ending.is_empty() { 9 } else { 6000 }), format.card().name);
        let whole = folder.path().join(format!("whole.{name}{ending}"));
        let mut writer = Writer::create(&whole, Some(format), task, Existing::Refuse).unwrap();
        for row in &rows {
            writer.write_row(row, "").unwrap();
            writer.end_row().unwrap();
        }
        writer.finish().unwrap();

        let path = folder.path().join(format!("stopped.{name}{ending}"));
        let (mut done, mut stops) = (0, 0);
        while !path.exists() {
            let mut writer = match Writer::resume(&path, Some(format), task).unwrap() {
                Some((writer, journal)) => {
                    assert!(journal.samples > done);
                    (done, stops) = (journal.samples, stops + 1);
                    writer
                }
                None => Writer::create(&path, Some(format), task, Existing::Refuse).unwrap(),
            };
            assert!(writer.can_be_kept(), "{name}");
            let mut kept = false;
            for (at, row) in rows.iter().enumerate().skip(done as usize) {
                if kept && at % 5 == 0 {
                    break;
                }
                writer.write_row(row, "").unwrap();
                if writer.end_row().unwrap() {
                    writer.keep(&mut journal(at as u64 + 1)).unwrap();
                    kept = true;
                }
                if at + 1 == rows.len() {
                    writer.finish().unwrap();
                    break;
                }
            }
        }
        assert!(stops > 0, "{name}{ending} was never stopped");
        assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap(), "{name}{ending}");
    }
}

#[test]
fn parquet_and_standard_output_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let task = fissure_tasks::find("sa").unwrap();
    let path = folder.path().join("a.parquet");
    assert!(!Writer::create(&path, Some(Format::Parquet), task, Existing::Refuse).unwrap().can_be_kept());
    assert!(!Output::create(Path::new("-"), Existing::Refuse).unwrap().can_be_kept());
}

#[cfg(target_os = "linux")]
#[test]
fn a_replaced_folder_is_never_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let make = |text: &str| {
        let draft = DraftFolder::create(&path, Existing::Replace, &["config.json"]).unwrap();
        fs::write(draft.path().join("config.json"), text).unwrap();
        draft.finish().unwrap();
    };
    make("0");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut looked = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                assert!(fs::read_to_string(path.join("config.json")).is_ok(), "a reader found no model");
                looked += 1;
            }
            looked
        });
        (1..200).for_each(|round| make(&round.to_string()));
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(reader.join().unwrap() > 0);
    });
    assert_eq!(fs::read_to_string(path.join("config.json")).unwrap(), "199");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the old one is gone");
}

#[test]
fn a_file_with_the_name_of_a_draft_is_somebodys() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for notes in ["a.jsonl.unfinished", "a.jsonl.unfinished.json"] {
        fs::write(at(notes), "my notes").unwrap();
        for existing in [Existing::Refuse, Existing::Replace] {
            assert!(matches!(Draft::create(&at("a.jsonl"), existing), Err(Error::Foreign { .. })), "{notes}");
        }
        assert_eq!(fs::read_to_string(at(notes)).unwrap(), "my notes");
        fs::remove_file(at(notes)).unwrap();
    }
    left_behind(&at("b.jsonl.unfinished"), "half");
    write(&at("b.jsonl"), b"b", Existing::Refuse).unwrap();
    assert_eq!(fs::read(at("b.jsonl")).unwrap(), b"b");
    assert!(!place::is_marked(&at("b.jsonl")), "a whole file has no mark");
    assert_eq!(names(folder.path()), ["b.jsonl"]);
}
