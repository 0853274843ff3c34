//! A run file is the same bytes whatever happens on the way to it.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::sync::atomic::Ordering;

use fissure_core::Sample;
use fissure_evaluate::{CaseRecord, ChainConfig, Error, Header, NotRun, RUN_FILE, RunConfig, Status, findings};
use support::{LooksForGood, config, open, prepare, prepared, reviews, run};
use tempfile::TempDir;

fn many() -> Vec<Sample> {
    let texts = ["a good film", "no good at all, in 1999", "The plot drags.", "so good", "", "GOOD 3 times"];
    let sample = |at: usize| Sample {
        label: Some(if at.is_multiple_of(3) { "positive".into() } else { "negative".into() }),
        ..Sample::of_text(format!("s{at}"), format!("{} {}", texts[at % texts.len()], at / 9))
    };
    (0..60).map(sample).collect()
}

#[test]
fn windows_batches_and_threads_change_nothing() {
    let samples = many();
    let bytes = |window: usize, batch: usize, threads: usize| {
        let folder = TempDir::new().unwrap();
        let mut prepared = prepared(config(), &samples, LooksForGood::new());
        prepared.batch = batch;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&prepared, &samples, folder.path(), window))
    };
    let usual = bytes(64, 512, 2);
    for (window, batch, threads) in [(1, 512, 1), (7, 1, 2), (60, 3, 1), (1000, 10_000, 2)] {
        assert_eq!(bytes(window, batch, threads), usual, "{window} {batch} {threads}");
    }
}

#[test]
fn a_run_cut_off_anywhere_goes_on_to_the_same_end() {
    let samples = reviews();
    let whole = {
        let folder = TempDir::new().unwrap();
        run(&prepared(config(), &samples, LooksForGood::new()), &samples, folder.path(), 2)
    };
    let header = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(RUN_FILE);
    let prepared = prepared(config(), &samples, LooksForGood::new());
    // A step of 11 hits every kind of line at every kind of place; each byte in turn would take minutes.
    for cut in (header..=whole.len()).step_by(11) {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut resumed = prepared.resume(folder.path(), &open(samples.clone())).unwrap();
        while resumed.advance(3).unwrap() > 0 {}
        resumed.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
    // A disk that lost its way: zeros, or another line, where the end should be.
    for tail in [&[0; 4096][..], b"{\"n\":3}\n", b"garbage\n\n\n"] {
        let line_ends: Vec<usize> =
            whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        for cut in line_ends.iter().take(line_ends.len() - 1).step_by(3) {
            fs::write(&path, [&whole[..*cut], tail].concat()).unwrap();
            let mut resumed = prepared.resume(folder.path(), &open(samples.clone())).unwrap();
            while resumed.advance(3).unwrap() > 0 {}
            resumed.finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}, then {tail:?}");
        }
    }
}

#[test]
fn a_model_that_goes_away_leaves_what_it_said() {
    let samples = many();
    let folder = TempDir::new().unwrap();
    let whole = run(&prepared(config(), &samples, LooksForGood::new()), &samples, folder.path(), 64);
    let folder = TempDir::new().unwrap();
    let tired = prepared(config(), &samples, LooksForGood { patience: 70, ..LooksForGood::new() });
    let mut started = tired.start(folder.path(), &open(samples.clone())).unwrap();
    let error = loop {
        match started.advance(5) {
            Ok(done) => assert!(done > 0, "it should not have come to the end"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("had enough"), "{error}");
    assert!(started.done() > 0);
    drop(started);
    assert!(matches!(findings(&folder.path().join(RUN_FILE)), Err(Error::Unfinished { of: 60, .. })));
    let fresh = prepared(config(), &samples, LooksForGood::new());
    let mut resumed = fresh.resume(folder.path(), &open(samples)).unwrap();
    while resumed.advance(100).unwrap() > 0 {}
    resumed.finish().unwrap();
    assert_eq!(fs::read(folder.path().join(RUN_FILE)).unwrap(), whole);
}

#[test]
fn a_run_is_not_resumed_with_something_else() {
    let samples = reviews();
    let folder = TempDir::new().unwrap();
    run(&prepared(config(), &samples, LooksForGood::new()), &samples, folder.path(), 64);
    let refused = |config: RunConfig, samples: &[Sample], model: LooksForGood| {
        let prepared = prepared(config, samples, model);
        prepared.resume(folder.path(), &open(samples.to_vec())).unwrap_err().to_string()
    };
    let other_model = refused(config(), &samples, LooksForGood::new().with_checksum("2"));
    assert!(other_model.contains("its model was 1, and now is 2"), "{other_model}");
    assert!(refused(config(), &samples[..5], LooksForGood::new()).contains("its data was"));
    let other = support::with(config(), |config| {
        config.changes.seed = Some(1);
    });
    assert!(refused(other, &samples, LooksForGood::new()).contains("its config was"));
    let again = prepared(config(), &samples, LooksForGood::new());
    assert!(matches!(again.start(folder.path(), &open(samples.clone())), Err(Error::Exists { .. })));
    let empty = TempDir::new().unwrap();
    assert!(matches!(again.resume(empty.path(), &open(samples)), Err(Error::NoRun { .. })));
}

#[test]
fn the_same_question_is_asked_once() {
    let twins = vec![Sample::of_text("a", "SO GOOD"), Sample::of_text("b", "so good"), Sample::of_text("c", "so good")];
    let folder = TempDir::new().unwrap();
    let model = LooksForGood::new();
    let asked = model.asked.clone();
    let upper = support::with(config(), |config| {
        config.selection.chains.truncate(1);
    });
    run(&prepared(upper, &twins, model), &twins, folder.path(), 64);
    // `SO GOOD` stays as it is, and is what the other two become.
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[test]
fn every_outcome_is_written_and_counted() {
    let mut samples = reviews();
    samples.push(Sample { label: Some("negative".into()), ..Sample::of_text("x", "unspeakable") });
    let folder = TempDir::new().unwrap();
    // Capitals leave the space alone: a seventh of `so good`, a sixth of `so bad`.
    let keep = vec!["edit_distance<0.15".to_owned()];
    let config = support::with(config(), |config| {
        config.selection.chains.truncate(1);
        config.changes.keep = keep;
    });
    let prepared = prepared(config, &samples, LooksForGood::new());
    let bytes = run(&prepared, &samples, folder.path(), 2);
    let lines: Vec<&str> = std::str::from_utf8(&bytes).unwrap().lines().collect();
    let cases: Vec<CaseRecord> = lines
        .iter()
        .filter(|line| line.contains("\"status\""))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let statuses: Vec<Status> = cases.iter().map(|case| case.status).collect();
    use Status::*;
    assert_eq!(statuses, [Changed, Filtered, Changed, Unchanged, Unchanged, Changed, Changed]);
    assert_eq!(cases[1].reason.as_deref(), Some("edit_distance<0.15 does not hold"));
    assert!((cases[1].score.unwrap() - 1.0 / 6.0).abs() < 1e-12);
    let found = findings(&folder.path().join(RUN_FILE)).unwrap();
    let counts = found.parts[0].counts;
    assert_eq!((counts.changed, counts.unchanged, counts.skipped, counts.filtered), (4, 2, 0, 1));
    assert_eq!(found.parts[0].skips["edit_distance<0.15 does not hold"], 1);
    assert_eq!(found.clean[0].1.value, 3.0 / 5.0, "the sample that got no answer is not scored");
}

#[test]
fn what_was_lent_is_pinned_and_repeated() {
    let samples = reviews();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("our vectors.txt");
    fs::write(&file, "good 1 0\n").unwrap();
    let name = file.to_str().unwrap().to_owned();
    let lending = support::with(config(), |config| {
        config.resources.vectors = Some(name.clone());
        config.changes.keep = vec!["words_kept>=0".into()];
        config.changes.condition = Some("length > 1".into());
        config.resources.translator = Some("my translator".into());
        config.changes.variants = Some(2);
    });
    let prepared = |lending: &RunConfig| prepared(lending.clone(), &samples, LooksForGood::new());
    let before = prepared(&lending);
    assert_eq!(before.facts.samples, 5);
    let command = &before.header.command;
    for words in ["--where 'length > 1'", "--keep 'words_kept>=0'", "--translator 'my translator'", "--variants 2"] {
        assert!(command.contains(words), "{command}");
    }
    assert!(command.contains(&format!("--vectors '{name}'")), "{command}");
    let run_folder = folder.path().join("run");
    let whole = run(&before, &samples, &run_folder, 2);
    assert_eq!(whole.iter().filter(|byte| **byte == b'\n').count(), 2 + 5 * (1 + 6 + 1));
    fs::write(&file, "good 0 1\n").unwrap();
    let error = prepared(&lending).resume(&run_folder, &open(samples.clone())).unwrap_err().to_string();
    assert!(error.contains("its file was") && error.contains("our vectors.txt (SHA-256"), "{error}");
    let unlent = support::with(config(), |config| {
        config.changes.keep = vec!["similarity>=0.8".into()];
    });
    let error = prepare(unlent, &samples, Box::new(LooksForGood::new()));
    assert!(error.unwrap_err().to_string().contains("give --encoder DIR"));
}

fn chain(name: &str) -> ChainConfig {
    ChainConfig::Name(name.into())
}

#[test]
fn what_cannot_be_run_says_why() {
    let samples = vec![Sample::of_text("1", "so good")];
    let header = |config: RunConfig| -> Header { prepared(config, &samples, LooksForGood::new()).header };
    let header_of_default = header(support::with(RunConfig::default(), |config| {
        config.data.task = Some("sa".into());
    }));
    let reasons = &header_of_default.plan.not_run;
    let of = |name: &str| reasons.iter().find(|part: &&NotRun| part.name == name).map(|part| part.reason.as_str());
    assert!(of("fragility").is_some_and(|reason| reason.contains("needs gradients")), "{reasons:?}");
    let pair = header(support::with(RunConfig::default(), |config| {
        config.data.task = Some("sa".into());
        config.selection.chains = vec![chain("word_case+append_irr"), chain("word_case")];
    }));
    let missing = pair.plan.not_run.iter().find(|part| part.name.starts_with("interaction")).unwrap();
    assert!(missing.reason.contains("`append_irr` is not in the run by itself"), "{missing:?}");
    let set = vec!["typos.rte=1".to_owned()];
    let error = prepare(
        support::with(config(), |config| {
            config.changes.set = set;
        }),
        &samples,
        Box::new(LooksForGood::new()),
    );
    assert!(error.unwrap_err().to_string().contains("typos.rte"));
    let strange = vec![Sample { label: Some("meh".into()), ..Sample::of_text("1", "so good") }];
    let error = prepare(config(), &strange, Box::new(LooksForGood::new())).unwrap_err().to_string();
    assert!(error.contains("does not know the label `meh`") && error.contains("`positive`"), "{error}");
    let label_map = vec!["meh=".to_owned()];
    let header = prepared(
        support::with(config(), |config| {
            config.map.label_map = label_map;
        }),
        &strange,
        LooksForGood::new(),
    )
    .header;
    assert_eq!(header.data.labelled, 0);
}

#[test]
fn what_a_label_means_does_not_depend_on_the_limit_or_the_condition() {
    let samples: Vec<Sample> = ["0", "1"]
        .iter()
        .flat_map(|label| (0..5).map(move |at| (label, at)))
        .map(|(label, at)| Sample {
            label: Some((*label).into()),
            ..Sample::of_text(format!("{label}{at}"), "so good")
        })
        .rev()
        .collect();
    let only = |limit: Option<usize>, condition: Option<&str>| {
        let config = support::with(config(), |config| {
            config.data.limit = limit;
            config.changes.condition = condition.map(Into::into);
        });
        prepare(config, &samples, Box::new(LooksForGood::new())).map(|run| run.header.label_match)
    };
    let whole = only(None, None).unwrap();
    assert!(whole.is_some());
    // The first five have the label 1 only, which could be the first class or the second.
    assert_eq!(only(Some(5), None).unwrap(), whole);
    assert_eq!(only(None, Some("label == \"1\"")).unwrap(), whole);
    let alone = prepare(config(), &samples[..5], Box::new(LooksForGood::new()));
    assert!(alone.unwrap_err().to_string().contains("in 2 ways"));
}

#[test]
fn of_two_runs_begun_at_once_one_wins_and_nothing_is_lost() {
    let samples = reviews();
    for round in 0..40 {
        let folder = TempDir::new().unwrap();
        let ready = std::sync::Barrier::new(2);
        let begin = || {
            let prepared = prepared(config(), &samples, LooksForGood::new());
            ready.wait();
            let mut started = prepared.start(folder.path(), &open(samples.clone()))?;
            while started.advance(2)? > 0 {}
            started.finish()
        };
        let (first, second) = std::thread::scope(|threads| {
            let other = threads.spawn(begin);
            (begin(), other.join().unwrap())
        });
        let lost = match (first, second) {
            (Ok(_), Err(lost)) | (Err(lost), Ok(_)) => lost,
            both => panic!("round {round}: {both:?}"),
        };
        assert!(matches!(lost, Error::Exists { .. } | Error::Busy { .. }), "round {round}: {lost}");
        assert!(findings(&folder.path().join(RUN_FILE)).is_ok(), "round {round}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [RUN_FILE], "round {round}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_beside_the_run_file_is_not_followed() {
    let samples = reviews();
    let folder = TempDir::new().unwrap();
    let victim = folder.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    for name in ["run.new", "run.jsonl.unfinished"] {
        std::os::unix::fs::symlink(&victim, folder.path().join(name)).unwrap();
    }
    let prepared = prepared(config(), &samples, LooksForGood::new());
    assert!(prepared.start(folder.path(), &open(samples)).is_err());
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
}

#[test]
fn what_was_changed_in_a_run_file_is_noticed_kept_and_asked_again() {
    let samples = many();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(RUN_FILE);
    let prepared = prepared(config(), &samples, LooksForGood::new());
    let whole = run(&prepared, &samples, folder.path(), 64);
    let lines: Vec<&str> = std::str::from_utf8(&whole).unwrap().lines().collect();
    // An answer that is still an answer, in the middle of the run.
    let at = (lines.len() / 2..).find(|at| lines[*at].contains("\"status\":\"changed\"")).unwrap();
    let mut edited: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    edited[at] = edited[at].replace("\"status\":\"changed\"", "\"status\":\"skipped\"");
    let edited = edited.join("\n") + "\n";
    fs::write(&path, &edited).unwrap();
    let refused = findings(&path).unwrap_err().to_string();
    assert!(refused.contains("damaged") && refused.contains("evaluate --resume"), "{refused}");

    let mut resumed = prepared.resume(folder.path(), &open(samples.clone())).unwrap();
    let damage = resumed.damage().unwrap().clone();
    assert!(damage.line > at && damage.line < lines.len(), "{damage:?}");
    assert!(resumed.done() > 0 && resumed.done() < samples.len());
    assert_eq!(fs::read_to_string(&damage.kept).unwrap(), edited);
    assert!(damage.kept.ends_with("run.jsonl.damaged-1"));
    while resumed.advance(7).unwrap() > 0 {}
    resumed.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole);

    // A run that is only cut short is no damage: it was stopped.
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(prepared.resume(folder.path(), &open(samples.clone())).unwrap().damage().is_none());
    // The next damage does not write over the first.
    fs::write(&path, &edited).unwrap();
    let resumed = prepared.resume(folder.path(), &open(samples)).unwrap();
    assert!(resumed.damage().unwrap().kept.ends_with("run.jsonl.damaged-2"));
}

#[test]
fn findings_that_were_changed_and_runs_that_were_cut_are_refused() {
    use fissure_evaluate::{FINDINGS_FILE, read_findings, written_findings};
    let samples = reviews();
    let folder = TempDir::new().unwrap();
    let bytes = run(&prepared(config(), &samples, LooksForGood::new()), &samples, folder.path(), 64);
    let (run, path) = (folder.path().join(RUN_FILE), folder.path().join(FINDINGS_FILE));
    let found = findings(&run).unwrap();
    let text = written_findings(&found, folder.path()).unwrap();
    fs::write(&path, &text).unwrap();
    assert_eq!(read_findings(&path).unwrap(), found);
    fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    assert_eq!(read_findings(&path).unwrap(), found, "another line end is no other finding");

    let refused = |text: &str| {
        fs::write(&path, text).unwrap();
        read_findings(&path).unwrap_err()
    };
    let edited = refused(&text.replacen("\"samples\": ", "\"samples\": 1", 1));
    assert!(matches!(edited, Error::FindingsChanged { .. }), "{edited}");
    assert!(matches!(refused(&text[..text.len() / 2]), Error::NoFindings { .. }));
    let old = refused(&serde_json::to_string(&found).unwrap());
    assert!(old.to_string().contains("file format 1, and this Fissure reads 2"), "{old}");

    fs::write(&path, &text).unwrap();
    fs::write(&run, &bytes[..bytes.len() - 40]).unwrap();
    let cut = read_findings(&path).unwrap_err();
    assert!(matches!(cut, Error::RunChanged { .. }) && cut.to_string().contains("--resume"), "{cut}");
    // Findings alone, as CI may have them, are enough.
    fs::remove_file(&run).unwrap();
    assert_eq!(read_findings(&path).unwrap(), found);

    let older = String::from_utf8(bytes).unwrap().replacen("\"format\":2", "\"format\":1", 1);
    fs::write(&run, older).unwrap();
    let older = findings(&run).unwrap_err().to_string();
    assert!(older.contains("file format 1") && older.contains("an older version"), "{older}");
}
