//! What happens to the user's files: inputs are never written over, outputs are whole or as they were.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use support::{done, fissure, refusal};
use tempfile::TempDir;

/// The built-in reviews and a model trained on them, made once for all tests.
static LAB: LazyLock<PathBuf> = LazyLock::new(|| {
    let lab = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs");
    // What an earlier run of the tests left.
    let _ = fs::remove_dir_all(&lab);
    let at = |name: &str| lab.join(name).to_str().unwrap().to_owned();
    done(&["demo", "--write", &at("reviews")]);
    let train = at("reviews/train.jsonl");
    done(&["train", "--arch", "fasttext", "--epochs", "1", "--data", &train, "--task", "sa", "--out", &at("model")]);
    done(&[
        "evaluate",
        "--model",
        &at("model"),
        "--data",
        &at("reviews/test.jsonl"),
        "--task",
        "sa",
        "--suite",
        "typos",
        "--limit",
        "60",
        "--out",
        &at("run"),
    ]);
    lab
});

fn lab(name: &str) -> String {
    LAB.join(name).to_str().unwrap().to_owned()
}

/// Every command that writes a file, without the last word: where to. MODEL, DATA, TRAIN and RUN are the lab's.
const FILES: &[&str] = &[
    "transform typos --data DATA --task sa --out",
    "slice length --data DATA --task sa --out",
    "predict --model MODEL --data DATA --task sa --out",
    "score --model MODEL --data DATA --task sa --limit 40 --out",
    "repair augment --data DATA --task sa --parts word_case --out",
    "repair testset --model MODEL --data DATA --task sa --examples 5 --forms 1 --limit 60 --out",
    "repair calibrate --model MODEL --data DATA --task sa --limit 300 --out",
    "repair threshold --model MODEL --data DATA --task sa --limit 100 --destroyers sort --out",
    "repair mitigate --arch fasttext --epochs 1 --data DATA --test TEST --task sa --limit 200 --destroyers sort --weights 1 --out",
    "gate RUN --rule ece<=1 --junit",
];

/// And those that write a directory, with a file that is in it.
const FOLDERS: &[(&str, &str)] = &[
    ("train --arch fasttext --epochs 1 --data DATA --task sa --limit 300 --out", "model.safetensors"),
    ("experiment gaussians --points 20 --out", "gaussians.json"),
    ("experiment fragility --model MODEL --data DATA --task sa --limit 120 --copies 3 --out", "fragility.json"),
    ("experiment words --model MODEL --data DATA --task sa --limit 60 --top 1 --out", "words.tex"),
    ("experiment pairs --model MODEL --originals DATA --revised DATA --out", "pairs.json"),
    ("report RUN --format html,tex,json --out", "report.html"),
    (
        "repair mitigate --arch fasttext --epochs 1 --data DATA --test TEST --task sa --limit 200 --destroyers sort --weights 1 --save",
        "baseline/model.safetensors",
    ),
    ("demo --write", "train.jsonl"),
];

fn words(command: &str, data: &str, out: &str) -> Vec<String> {
    let word = |word: &str| match word {
        "MODEL" => lab("model"),
        "DATA" => data.to_owned(),
        "TEST" => lab("reviews/test.jsonl"),
        "RUN" => lab("run"),
        word => word.to_owned(),
    };
    command.split(' ').map(word).chain([out.to_owned()]).collect()
}

fn refs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// A small data set of the user's.
fn own_data(folder: &Path) -> PathBuf {
    let path = folder.join("data.jsonl");
    let reviews = fs::read_to_string(lab("reviews/test.jsonl")).unwrap();
    fs::write(&path, reviews.lines().take(400).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    path
}

#[test]
fn no_command_writes_over_its_input() {
    let folder = TempDir::new().unwrap();
    let data = own_data(folder.path());
    let before = fs::read(&data).unwrap();
    let mut ways =
        vec![data.clone(), folder.path().join("../").join(folder.path().file_name().unwrap()).join("data.jsonl")];
    let hard = folder.path().join("hard.jsonl");
    fs::hard_link(&data, &hard).unwrap();
    ways.push(hard);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.jsonl");
        std::os::unix::fs::symlink(&data, &link).unwrap();
        ways.push(link);
    }
    let files = ways.len() - 1;
    // What lies under `/dev` or `/proc` need not be a device.
    #[cfg(target_os = "linux")]
    for root in ["/proc/self/root", "/dev/.."] {
        ways.push(PathBuf::from(format!("{root}{}", data.display())));
    }
    for command in FILES.iter().filter(|command| command.contains("DATA")) {
        for way in &ways {
            for force in [&[][..], &["--force"]] {
                let words = words(command, data.to_str().unwrap(), way.to_str().unwrap());
                let said = refusal(&[&refs(&words)[..], force].concat());
                assert!(said.contains("it is the input"), "{command}: {said}");
                assert!(fs::read(&data).unwrap() == before, "{command}");
            }
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files, "nothing is left beside the data");
}

#[test]
fn models_and_other_inputs_are_not_written_over() {
    let data = lab("reviews/test.jsonl");
    let weights = fs::read(lab("model/model.safetensors")).unwrap();
    for out in ["model/model.safetensors", "model/config.json"] {
        let said = refusal(&[
            "predict",
            "--model",
            &lab("model"),
            "--data",
            &data,
            "--task",
            "sa",
            "--force",
            "--out",
            &lab(out),
        ]);
        assert!(said.contains("it is the input"), "{said}");
    }
    assert!(fs::read(lab("model/model.safetensors")).unwrap() == weights);
    let said = refusal(&["gate", &lab("run"), "--rule", "ece <= 1", "--force", "--junit", &lab("run/run.jsonl")]);
    assert!(said.contains("it is the input"), "{said}");
}

#[test]
fn what_exists_is_replaced_only_by_force() {
    let folder = TempDir::new().unwrap();
    let data = own_data(folder.path());
    for (at, command) in FILES.iter().enumerate() {
        let out = folder.path().join(format!("out-{at}.jsonl"));
        fs::write(&out, "mine").unwrap();
        let words = words(command, data.to_str().unwrap(), out.to_str().unwrap());
        let said = refusal(&refs(&words));
        assert!(said.contains("--force"), "{command}: {said}");
        assert_eq!(fs::read(&out).unwrap(), b"mine", "{command}");
        done(&[&refs(&words)[..], &["--force"]].concat());
        assert_ne!(fs::read(&out).unwrap(), b"mine", "{command}");
    }
    for (at, (command, file)) in FOLDERS.iter().enumerate() {
        let out = folder.path().join(format!("folder-{at}"));
        let words = words(command, data.to_str().unwrap(), out.to_str().unwrap());
        done(&refs(&words));
        let whole = fs::read(out.join(file)).unwrap();
        fs::write(out.join(file), "mine").unwrap();
        let said = refusal(&refs(&words));
        assert!(said.contains("--force"), "{command}: {said}");
        assert_eq!(fs::read(out.join(file)).unwrap(), b"mine", "{command}");
        done(&[&refs(&words)[..], &["--force"]].concat());
        assert!(fs::read(out.join(file)).unwrap() == whole, "{command}");
    }
    // A directory with somebody's work in it is not a model, whatever the force.
    let model = folder.path().join("folder-0");
    fs::write(model.join("thesis.tex"), "years").unwrap();
    let words = words(FOLDERS[0].0, data.to_str().unwrap(), model.to_str().unwrap());
    assert!(refusal(&[&refs(&words)[..], &["--force"]].concat()).contains("thesis.tex"));
    let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| name.contains("unfinished") || name.contains("replaced")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Numbers that look like chance and are the same in every run of the tests.
struct Chance(u64);

impl Chance {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

/// The files of a folder and of those in it, with what is in them, but for drafts, which are called so.
fn whole_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.contains(".unfinished") {
            continue;
        }
        match path.is_dir() {
            true => files.extend(whole_files(&path).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes))),
            false => drop(files.insert(name, fs::read(path).unwrap())),
        }
    }
    files
}

#[test]
fn whoever_is_killed_leaves_the_old_file_or_the_new_one() {
    let data = lab("reviews/test.jsonl");
    let mut chance = Chance(1);
    for command in FILES.iter().copied().chain(["transform typos --data DATA --task sa --variants 3 --out"]) {
        let endings =
            if command.starts_with("transform") { &["jsonl", "csv", "jsonl.gz", "parquet"][..] } else { &["jsonl"] };
        for ending in endings {
            let folder = TempDir::new().unwrap();
            let out = folder.path().join(format!("out.{ending}"));
            let words = words(command, &data, out.to_str().unwrap());
            let forced = [&refs(&words)[..], &["--force"]].concat();
            let started = Instant::now();
            done(&forced);
            let (takes, whole) = (started.elapsed(), fs::read(&out).unwrap());
            for old in [None, Some(&b"{\"old\": 1}\n"[..])] {
                for _ in 0..3 {
                    match old {
                        Some(old) => fs::write(&out, old).unwrap(),
                        None => drop(fs::remove_file(&out)),
                    }
                    let mut child = fissure(&forced).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
                    sleep(takes.mul_f64(chance.share()));
                    child.kill().unwrap();
                    child.wait().unwrap();
                    let left = fs::read(&out).ok();
                    let fine = left.as_deref() == old || left.as_deref() == Some(&*whole);
                    assert!(fine, "{command} to {ending} left {:?} bytes", left.map(|left| left.len()));
                }
            }
            // What is left behind is no obstacle, and goes.
            done(&forced);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{command}");
        }
    }
}

#[test]
fn a_model_killed_while_it_is_replaced_is_the_old_one_or_the_new_one() {
    let data = lab("reviews/test.jsonl");
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let words = words(FOLDERS[0].0, &data, out.to_str().unwrap());
    let forced = [&refs(&words)[..], &["--force"]].concat();
    let started = Instant::now();
    done(&forced);
    let (takes, whole) = (started.elapsed(), whole_files(&out));
    let old = BTreeMap::from([("config.json".to_owned(), b"old".to_vec())]);
    let mut chance = Chance(4);
    for _ in 0..10 {
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).unwrap();
        fs::write(out.join("config.json"), "old").unwrap();
        let mut child = fissure(&forced).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(takes.mul_f64(0.5 + 0.5 * chance.share()));
        child.kill().unwrap();
        child.wait().unwrap();
        // Where the system cannot swap two names at once, the old one has another name for a moment; the next run gives it
        // back.
        let beside = folder.path().join("out.replaced");
        assert!(out.exists() || !cfg!(target_os = "linux"), "there is no moment without a model");
        let left = whole_files(if out.exists() { &out } else { &beside });
        assert!(left == old || left == whole, "{:?}", left.keys());
    }
    done(&forced);
    assert!(whole_files(&out) == whole);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_killed_directory_is_old_or_new() {
    let data = lab("reviews/test.jsonl");
    let mut chance = Chance(2);
    for (command, _) in FOLDERS {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("out");
        let words = words(command, &data, out.to_str().unwrap());
        let forced = [&refs(&words)[..], &["--force"]].concat();
        let started = Instant::now();
        done(&forced);
        let (takes, whole) = (started.elapsed(), whole_files(&out));
        for _ in 0..5 {
            let _ = fs::remove_dir_all(&out);
            let mut child = fissure(&forced).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            sleep(takes.mul_f64(chance.share()));
            child.kill().unwrap();
            child.wait().unwrap();
            for (name, bytes) in whole_files(&out) {
                assert!(whole[&name] == bytes, "{command} left a part of {name}");
            }
        }
        done(&forced);
        assert!(whole_files(&out) == whole, "{command}");
    }
}

#[test]
fn a_killed_tour_leaves_whole_files_and_is_run_again() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("tour");
    let words = ["demo", "--limit", "60", "--out", out.to_str().unwrap()];
    let started = Instant::now();
    done(&words);
    let (takes, whole) = (started.elapsed(), whole_files(&out));
    let mut chance = Chance(5);
    // The first kill comes in the first moments, when there is next to nothing.
    for share in [0.02, 0.3 * chance.share(), chance.share(), chance.share()] {
        let _ = fs::remove_dir_all(&out);
        let mut child = fissure(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(takes.mul_f64(share));
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in whole_files(&out) {
            // A run grows line by line, so that it can be resumed.
            let fine = if name == "run/run.jsonl" { whole[&name].starts_with(&bytes) } else { whole[&name] == bytes };
            assert!(fine, "a part of {name} was left");
        }
        done(&words);
        assert!(whole_files(&out) == whole, "after a kill at {share:.2}");
    }
}

/// Sends one request to a page, and gives back the status.
fn ask(address: &str, token: &str, path: &str, body: &str) -> u16 {
    use std::io::{Read as _, Write as _};
    let Ok(mut stream) = std::net::TcpStream::connect(address) else { return 0 };
    let port = address.rsplit(':').next().unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\ncookie: fissure-{port}={token}\r\n\
         content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut answer = String::new();
    // A server that is killed answers nothing.
    let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_string(&mut answer));
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

#[test]
fn a_killed_page_leaves_a_whole_basket() {
    use std::io::BufRead as _;
    let folder = TempDir::new().unwrap();
    let basket = folder.path().join("basket.jsonl");
    let (model, data) = (lab("model"), lab("reviews/test.jsonl"));
    let words = ["explore", "--model", &model, "--data", &data, "--task", "sa", "--limit", "30", "--no-open"];
    let words = [&words[..], &["--basket", basket.to_str().unwrap()]].concat();
    let mut chance = Chance(6);
    let mut kept = 0;
    for _ in 0..4 {
        let mut child = fissure(&words).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, token) = line.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        let wait = Duration::from_millis(100).mul_f64(chance.share());
        let pid = child.id().to_string();
        let answered = std::thread::scope(|scope| {
            let keeper = scope.spawn(|| {
                let mut answered = 0;
                for example in (0..30).cycle() {
                    let body = format!("{{\"example\":{example},\"steps\":[{{\"text\":\"A dull film.\"}}]}}");
                    match ask(address, token, "/basket/keep", &body) {
                        200 => answered += 1,
                        0 => break,
                        status => panic!("{status}"),
                    }
                }
                answered
            });
            while fs::read_to_string(&basket).map_or(0, |text| text.lines().count()) == kept {
                assert!(!keeper.is_finished(), "nothing was kept");
                sleep(Duration::from_millis(5));
            }
            sleep(wait);
            assert!(std::process::Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
            keeper.join().unwrap()
        });
        child.wait().unwrap();
        let text = fs::read_to_string(&basket).unwrap();
        assert!(text.ends_with('\n') && support::lines(&text).iter().all(|row| row["text"].is_string()), "{text}");
        let now = text.lines().count();
        // One more may have been written whose answer never came.
        assert!((kept + answered..=kept + answered + 1).contains(&now), "{kept} and {answered} kept, {now} found");
        kept = now;
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_there() {
    // A limit on the size of files is what a full disk is to the program: a write fails in the middle.
    let data = lab("reviews/test.jsonl");
    let folder = TempDir::new().unwrap();
    let probe = std::process::Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec head -c 100000 /dev/zero > probe"])
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .status();
    if !probe.is_ok_and(|status| !status.success()) {
        eprintln!("SKIPPED: there is no bash here that limits the size of files; a full disk was not tried");
        return;
    }
    fs::remove_file(folder.path().join("probe")).unwrap();
    let commands = [
        ("transform typos --data DATA --task sa --out", "out.jsonl"),
        ("transform typos --data DATA --task sa --out", "out.csv"),
        ("transform typos --data DATA --task sa --variants 20 --out", "out.jsonl.gz"),
        ("slice length --data DATA --task sa --set share=0.9 --out", "slice.csv"),
        ("predict --model MODEL --data DATA --task sa --out", "answers.jsonl"),
        ("score --model MODEL --data DATA --task sa --limit 60 --out", "scores.jsonl"),
        ("repair augment --data DATA --task sa --parts word_case --out", "augmented.jsonl"),
        ("train --arch fasttext --epochs 1 --data DATA --task sa --limit 300 --out", "model"),
    ];
    for (command, out) in commands {
        let out = folder.path().join(out);
        let is_model = command.starts_with("train");
        let old = || match is_model {
            true => {
                fs::create_dir_all(&out).unwrap();
                fs::write(out.join("config.json"), "old").unwrap();
            }
            false => fs::write(&out, "old").unwrap(),
        };
        old();
        let words = words(command, &data, out.to_str().unwrap());
        let program = env!("CARGO_BIN_EXE_fissure");
        let output = std::process::Command::new("bash")
            .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "-", program])
            .args(&words)
            .arg("--force")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("cannot write"), "{command}: {said}");
        match is_model {
            true => assert_eq!(fs::read(out.join("config.json")).unwrap(), b"old", "{command}"),
            false => assert_eq!(fs::read(&out).unwrap(), b"old", "{command}"),
        }
        // With room again, nothing that was left is in the way.
        done(&[&refs(&words)[..], &["--force"]].concat());
        match is_model {
            true => fs::remove_dir_all(&out).unwrap(),
            false => fs::remove_file(&out).unwrap(),
        }
    }
    // A run keeps what was answered, and goes on when there is room.
    let run = folder.path().join("run");
    let words = words(
        "evaluate --model MODEL --data DATA --task sa --suite typos --limit 60 --out",
        &data,
        run.to_str().unwrap(),
    );
    let output = std::process::Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 24; exec \"$@\"", "-", env!("CARGO_BIN_EXE_fissure")])
        .args(&words)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write") && said.contains("--resume"), "{said}");
    done(&["evaluate", "--resume", run.to_str().unwrap()]);
    // The paths are the same seen from both places.
    let whole = fs::read(lab("run/run.jsonl")).unwrap();
    let body = |bytes: &[u8]| bytes.iter().skip_while(|byte| **byte != b'\n').copied().collect::<Vec<u8>>();
    let samples = |bytes: &[u8]| {
        String::from_utf8(body(bytes))
            .unwrap()
            .lines()
            .filter(|line| !line.contains("\"seal\""))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(samples(&fs::read(run.join("run.jsonl")).unwrap()) == samples(&whole));
}

/// Commands that can be gone on with, and the endings of their outputs.
const RESUMED: &[(&str, &[&str])] = &[
    ("transform typos+contraction --data DATA --task sa --variants 2 --out", &["jsonl", "csv", "jsonl.gz", "json"]),
    ("slice length --data DATA --task sa --set share=0.9 --out", &["jsonl"]),
    ("predict --model MODEL --data DATA --task sa --out", &["jsonl", "jsonl.zst"]),
    ("score --model MODEL --data DATA --task sa --out", &["jsonl"]),
];

#[test]
fn a_stopped_command_goes_on_to_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    // Long enough to be stopped in the middle.
    let data = folder.path().join("long.jsonl");
    let reviews = fs::read_to_string(lab("reviews/train.jsonl")).unwrap();
    let rows = (0..8).flat_map(|round| reviews.lines().map(move |line| (round, line)));
    let text: String = rows
        .map(|(round, line)| format!("{}\n", line.replacen("\"id\":\"", &format!("\"id\":\"{round}-"), 1)))
        .collect();
    fs::write(&data, text).unwrap();
    let data = data.to_str().unwrap();
    let mut chance = Chance(3);
    for (command, endings) in RESUMED {
        for ending in *endings {
            let whole = folder.path().join(format!("whole.{ending}"));
            let started = Instant::now();
            let told = done(&[&refs(&words(command, data, whole.to_str().unwrap()))[..], &["--json"]].concat()).stderr;
            let mut takes = started.elapsed();
            let out = folder.path().join(format!("stopped.{ending}"));
            let words = words(command, data, out.to_str().unwrap());
            let resumed = [&refs(&words)[..], &["--resume", "--json"]].concat();
            let (mut kept, mut last) = (0, None);
            for kill in 0..40 {
                let mut child = fissure(&resumed).stdout(Stdio::null()).spawn().unwrap();
                if kill < 6 {
                    sleep(takes.mul_f64(0.2 + 0.7 * chance.share()));
                    child.kill().unwrap();
                }
                let output = child.wait_with_output().unwrap();
                // The first run may have been slowed down by others: then it is stopped sooner.
                if out.exists() && kept == 0 && kill < 6 {
                    fs::remove_file(&out).unwrap();
                    takes /= 2;
                    continue;
                }
                if output.status.success() {
                    last = Some(output.stderr);
                    break;
                }
                // Killed between its last byte and its summary: nothing is left to go on with.
                if out.exists() {
                    break;
                }
                kept += usize::from(folder.path().join(format!("stopped.{ending}.unfinished.json")).exists());
            }
            assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{command} {ending}");
            if *command == RESUMED[0].0 {
                assert!(kept > 0, "{command} {ending} was never stopped in the middle");
            }
            // The summary counts all samples, not those since the stop.
            let summary = |said: &[u8]| {
                String::from_utf8_lossy(said)
                    .lines()
                    // A resumed run says where it goes on.
                    .filter(|line| line.starts_with('{') && !line.starts_with("{\"note\""))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            if let Some(last) = last {
                assert_eq!(summary(&last), summary(&told), "{command} {ending}");
            }
            for path in [whole, out] {
                fs::remove_file(path).unwrap();
            }
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn who_stops_a_command_is_told_how_to_go_on() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out.jsonl");
    let mut command = fissure(&["transform", "typos", "--data", "-", "--task", "sa", "--out", out.to_str().unwrap()]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // The data never end, so the command has to be stopped.
    let mut pipe = child.stdin.take().unwrap();
    let feed = std::thread::spawn(move || {
        use std::io::Write as _;
        let rows: String =
            (0..5000).map(|at| format!("{{\"id\": \"{at}\", \"text\": \"a good film\", \"label\": 1}}\n")).collect();
        while pipe.write_all(rows.as_bytes()).is_ok() {}
    });
    let kept = folder.path().join("out.jsonl.unfinished.json");
    let waited = Instant::now();
    while !kept.exists() && waited.elapsed() < Duration::from_secs(120) {
        sleep(Duration::from_millis(20));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("samples kept in") && said.contains("--resume"), "{said}");
    assert!(!out.exists() && folder.path().join("out.jsonl.unfinished").exists());
    // Without a word about it, what is kept is not thrown away.
    let said = refusal(&[
        "transform",
        "typos",
        "--data",
        &lab("reviews/test.jsonl"),
        "--task",
        "sa",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(said.contains("--resume") && said.contains("--force"), "{said}");
    // And it is not gone on with by another command, or on other data.
    let said =
        refusal(&["transform", "keyboard", "--data", "-", "--task", "sa", "--resume", "--out", out.to_str().unwrap()]);
    assert!(said.contains("other settings"), "{said}");
    let said =
        refusal(&["transform", "typos", "--data", "-", "--task", "sa", "--resume", "--out", out.to_str().unwrap()]);
    assert!(said.contains("the data are not those"), "{said}");
    done(&[
        "transform",
        "typos",
        "--data",
        &lab("reviews/test.jsonl"),
        "--task",
        "sa",
        "--force",
        "--out",
        out.to_str().unwrap(),
    ]);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_written_as_before() {
    let data = lab("reviews/test.jsonl");
    done(&["transform", "typos", "--data", &data, "--task", "sa", "--out", "/dev/null"]);
    let to_stdout = done(&["transform", "typos", "--data", &data, "--task", "sa", "--out", "/dev/stdout"]).stdout;
    assert!(to_stdout == done(&["transform", "typos", "--data", &data, "--task", "sa"]).stdout);
    assert!(!to_stdout.is_empty());
}

/// `fissure ... >> data.jsonl` and `--out /dev/stdout >> log`: the first would read what it writes, the second goes on behind what is there.
#[cfg(unix)]
#[test]
fn standard_output_that_is_a_file_is_continued_and_is_no_input() {
    let folder = TempDir::new().unwrap();
    let data = own_data(folder.path());
    let before = fs::read(&data).unwrap();
    let log = folder.path().join("log");
    let run = |out: &[&str], to: &Path| {
        let command = ["transform", "typos", "--task", "sa", "--data", data.to_str().unwrap()];
        let mut command = fissure(&[&command, out].concat());
        command.stdout(fs::File::options().append(true).create(true).open(to).unwrap());
        command.output().unwrap()
    };
    let refused = run(&[], &data);
    assert!(!refused.status.success() && fs::read(&data).unwrap() == before);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("it is the input"));
    fs::write(&log, "first\n").unwrap();
    assert!(run(&["--out", "/dev/stdout"], &log).status.success());
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.starts_with("first\n") && log.lines().count() > 400, "{log:.200}");
}

#[test]
fn a_run_is_gone_on_with_from_any_directory() {
    let folder = TempDir::new().unwrap();
    let (there, elsewhere) = (folder.path().join("there"), folder.path().join("elsewhere"));
    fs::create_dir_all(&there).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    own_data(&there);
    let begin = [
        "evaluate",
        "--model",
        &lab("model"),
        "--data",
        "data.jsonl",
        "--task",
        "sa",
        "--suite",
        "typos",
        "--out",
        "runs/a",
    ];
    assert!(fissure(&begin).current_dir(&there).output().unwrap().status.success());
    let path = there.join("runs/a/run.jsonl");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let resumed = fissure(&["evaluate", "--resume", "../there/runs/a"]).current_dir(&elsewhere).output().unwrap();
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert!(fs::read(&path).unwrap() == whole);
    // Moved together with its data, it still finds them.
    fs::rename(&there, folder.path().join("moved")).unwrap();
    let path = folder.path().join("moved/runs/a/run.jsonl");
    fs::write(&path, &whole[..whole.len() / 3]).unwrap();
    let resumed = fissure(&["evaluate", "--resume", "../moved/runs/a"]).current_dir(&elsewhere).output().unwrap();
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert!(fs::read(&path).unwrap() == whole);
}

#[test]
fn a_cut_run_and_edited_findings_are_refused() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    fs::create_dir(&run).unwrap();
    for name in ["run.jsonl", "findings.json"] {
        fs::copy(LAB.join("run").join(name), run.join(name)).unwrap();
    }
    let place = run.to_str().unwrap();
    done(&["gate", place, "--rule", "accuracy >= 0"]);
    let found = fs::read_to_string(run.join("findings.json")).unwrap();
    fs::write(run.join("findings.json"), found.replacen("\"seed\": 0", "\"seed\": 1", 1)).unwrap();
    for words in [&["gate", place, "--rule", "accuracy >= 0"][..], &["report", place, "--format", "json"]] {
        let said = refusal(words);
        assert!(said.contains("was changed after it was written") && said.contains("--resume"), "{said}");
    }
    fs::write(run.join("findings.json"), found).unwrap();
    let whole = fs::read(run.join("run.jsonl")).unwrap();
    fs::write(run.join("run.jsonl"), &whole[..whole.len() / 2]).unwrap();
    for words in [&["gate", place, "--rule", "accuracy >= 0"][..], &["report", place, "--format", "json"]] {
        let said = refusal(words);
        assert!(said.contains("cut, or changed") && said.contains("--resume"), "{said}");
    }
    // One byte in the middle, in a run that has no findings to compare with.
    fs::remove_file(run.join("findings.json")).unwrap();
    let mut damaged = whole.clone();
    let at = whole.len() / 2 + whole[whole.len() / 2..].iter().position(|byte| byte.is_ascii_digit()).unwrap();
    damaged[at] = if damaged[at] == b'7' { b'8' } else { b'7' };
    fs::write(run.join("run.jsonl"), &damaged).unwrap();
    for words in [&["gate", place, "--rule", "accuracy >= 0"][..], &["explore", place, "--no-open"]] {
        let said = refusal(words);
        assert!(said.contains("damaged") && said.contains("--resume"), "{said}");
    }
    let said = String::from_utf8(done(&["evaluate", "--resume", place]).stderr).unwrap();
    assert!(said.contains("run.jsonl.damaged-1") && said.contains("samples are asked again"), "{said}");
    assert!(fs::read(run.join("run.jsonl")).unwrap() == whole);
    assert!(fs::read(run.join("run.jsonl.damaged-1")).unwrap() == damaged);
}

#[test]
fn of_two_evaluations_at_once_one_wins() {
    for round in 0..4 {
        let folder = TempDir::new().unwrap();
        let (model, data, out) = (lab("model"), lab("reviews/test.jsonl"), folder.path().join("run"));
        let words = [
            "evaluate",
            "--model",
            &model,
            "--data",
            &data,
            "--task",
            "sa",
            "--suite",
            "typos",
            "--limit",
            "40",
            "--out",
            out.to_str().unwrap(),
        ];
        let both = [fissure(&words).spawn().unwrap(), fissure(&words).spawn().unwrap()];
        let mut won = 0;
        for child in both {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            match output.status.code() {
                Some(0) => won += 1,
                Some(2) => assert!(said.contains("already holds a run") || said.contains("another run"), "{said}"),
                code => panic!("{code:?}: {said}"),
            }
        }
        assert_eq!(won, 1, "round {round}");
        done(&["gate", out.to_str().unwrap(), "--rule", "accuracy >= 0"]);
    }
}
