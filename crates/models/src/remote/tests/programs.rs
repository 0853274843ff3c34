//! Programs that crash, hang, and talk nonsense.

use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::super::*;
use super::{question, sa};

/// A program in the language of the shell: a greeting, then it does what the words of the question say.
const SCRIPT: &str = r#"
echo "loading the model ..."
read hello
echo '{"labels": ["neg", "pos"]}'
while read line; do
  case "$line" in
    *crash*) echo "my last words" >&2; exit 3 ;;
    *babble*) echo 'Traceback: oh dear' ;;
    *hang*) sleep 60 ;;
    *refuse*) echo '{"error": "too long for me"}' ;;
    *wrong-number*) echo '{"id": 99999, "label": "neg"}' ;;
    *good*) echo '{"label": "pos"}' ;;
    *) echo '{"label": "neg"}' ;;
  esac
done
"#;

fn program(folder: &TempDir, script: &str) -> String {
    let path = folder.path().join("model.sh");
    fs::write(&path, script).expect("a script");
    format!("process:sh '{}'", path.display())
}

fn ask(address: &str, texts: &[&str], options: &RemoteOptions) -> Result<Vec<Reply>> {
    let questions: Vec<Question> = texts.iter().map(|text| question(text)).collect();
    connect(address, sa(), options)?.ask(&questions)
}

fn label(reply: &Reply) -> &str {
    reply.as_ref().map_or("", |answer| answer["label"].as_str().unwrap_or_default())
}

#[test]
#[cfg(unix)]
fn a_fault_costs_one_answer_and_is_told() {
    let folder = TempDir::new().expect("a folder");
    let options = RemoteOptions { timeout: Duration::from_millis(1500), ..RemoteOptions::default() };
    let texts = ["good", "crash", "bad", "babble", "good", "refuse", "wrong-number", "hang", "good"];
    let replies = ask(&program(&folder, SCRIPT), &texts, &options).expect("replies");
    let labels: Vec<&str> = replies.iter().map(label).collect();
    assert_eq!(labels, ["pos", "", "neg", "", "pos", "", "", "", "pos"]);
    let why = |at: usize| replies[at].as_ref().expect_err("a reason").as_str();
    assert!(why(1).contains("exited") && why(1).contains("my last words") && why(1).contains('3'), "{}", why(1));
    assert!(why(3).contains("Traceback: oh dear"), "{}", why(3));
    assert_eq!(why(5), "too long for me");
    assert!(why(6).contains("99999"), "{}", why(6));
    assert!(why(7).contains("no answer within"), "{}", why(7));
}

#[test]
#[cfg(unix)]
fn copies_share_the_work_and_change_nothing() {
    let folder = TempDir::new().expect("a folder");
    let texts: Vec<&str> = (0..60).map(|at| if at % 4 == 0 { "good" } else { "bad" }).collect();
    let address = program(&folder, SCRIPT);
    let one = ask(&address, &texts, &RemoteOptions::default()).expect("replies");
    let three = RemoteOptions { concurrency: 3, batch: Some(7), ..RemoteOptions::default() };
    assert_eq!(ask(&address, &texts, &three).expect("replies"), one);
    assert_eq!(label(&one[4]), "pos");
}

#[test]
#[cfg(unix)]
fn a_program_that_cannot_work_is_gone() {
    let folder = TempDir::new().expect("a folder");
    let options = RemoteOptions { start_timeout: Duration::from_secs(5), ..RemoteOptions::default() };
    let error = |script: &str, texts: &[&str]| {
        ask(&program(&folder, script), texts, &options).expect_err("an error").to_string()
    };
    let early = error("echo 'no such file: weights' >&2; exit 1", &["good"]);
    assert!(early.contains("no greeting") && early.contains("no such file: weights"), "{early}");
    let always = error(SCRIPT, &["crash"; 12]);
    assert!(always.contains("8 faults in a row") && always.contains("my last words"), "{always}");
    let missing = connect("process:no-such-program-here x", sa(), &options).expect_err("an error").to_string();
    assert!(missing.contains("cannot start `no-such-program-here`"), "{missing}");
}

#[test]
#[cfg(unix)]
fn a_program_that_dies_by_bad_luck_costs_nothing() {
    let folder = TempDir::new().expect("a folder");
    // The first copy dies at the third question, as one does that is killed from outside.
    let script = SCRIPT.replace("*crash*)", &format!("*unlucky*) [ -e {0}/hit ] || {{ touch {0}/hit; kill -9 $$; }}; echo '{{\"label\": \"neg\"}}' ;;\n    *crash*)", folder.path().display()));
    let replies = ask(&program(&folder, &script), &["good", "bad", "unlucky", "good"], &RemoteOptions::default());
    let replies = replies.expect("replies");
    assert_eq!(replies.iter().map(label).collect::<Vec<_>>(), ["pos", "neg", "neg", "pos"]);
    assert!(folder.path().join("hit").exists());
}

#[test]
#[cfg(unix)]
fn a_program_that_says_more_than_it_was_asked_is_not_believed() {
    let folder = TempDir::new().expect("a folder");
    let twice =
        SCRIPT.replace("*good*)", "*twice*) echo '{\"label\": \"pos\"}'; echo '{\"label\": \"neg\"}' ;;\n    *good*)");
    let channel = connect(&program(&folder, &twice), sa(), &RemoteOptions::default()).expect("a program");
    channel.ask(&[question("good")]).expect("a reply");
    let mut asked = (0..50).map(|_| {
        // The second line may come a moment after the first.
        std::thread::sleep(Duration::from_millis(20));
        channel.ask(&[question("twice")])
    });
    let error = asked.find_map(std::result::Result::err).expect("an error").to_string();
    assert!(error.contains("wrote more answers than it was asked for") && error.contains("`id`"), "{error}");
}

#[test]
#[cfg(unix)]
fn the_greeting_has_one_deadline_whatever_is_printed() {
    let folder = TempDir::new().expect("a folder");
    let options = RemoteOptions { start_timeout: Duration::from_secs(1), ..RemoteOptions::default() };
    let endless = "while :; do printf x; sleep 0.2; done";
    let chatty = "while :; do echo loading; sleep 0.2; done";
    let flood = "while :; do echo flood flood flood >&2; done";
    for script in [endless, chatty, flood, "sleep 100"] {
        let error = connect(&program(&folder, script), sa(), &options).expect_err("no greeting").to_string();
        assert!(error.contains("no greeting: no answer within 1 second; `--timeout`"), "{script}: {error}");
    }
}

/// Whether the process is gone, or only waits to be reaped by another.
#[cfg(target_os = "linux")]
fn is_gone(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X'])),
        Err(_) => true,
    }
}

#[test]
#[cfg(target_os = "linux")]
fn children_of_a_program_end_with_it() {
    let folder = TempDir::new().expect("a folder");
    let pids = folder.path().join("pids");
    let fork = format!("for i in 1 2 3; do sleep 1000 & echo $! >> '{}'; done\n", pids.display());
    let channel = connect(&program(&folder, &(fork + SCRIPT)), sa(), &RemoteOptions::default()).expect("a program");
    assert_eq!(label(&channel.ask(&[question("good")]).expect("replies")[0]), "pos");
    let started = fs::read_to_string(&pids).expect("three numbers");
    assert!(started.lines().count() == 3 && !started.lines().any(is_gone), "{started}");
    drop(channel);
    // They are killed, and leave the table of processes a moment later.
    let gone = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        started.lines().all(is_gone)
    });
    assert!(gone, "{started}");
}

#[test]
#[cfg(unix)]
fn a_token_that_a_program_repeats_is_struck_out() {
    let folder = TempDir::new().expect("a folder");
    let script = SCRIPT
        .replace("my last words", "$(printf '%2100s' hidden-token) my last hidden-token")
        .replace("too long for me", "the key hidden-token is too long")
        .replace("oh dear", "hidden-token");
    let options = RemoteOptions { token: Some("hidden-token".into()), ..RemoteOptions::default() };
    let replies = ask(&program(&folder, &script), &["crash", "refuse", "babble"], &options).expect("replies");
    for reply in replies {
        let why = reply.expect_err("a reason");
        assert!(why.contains("***") && !why.contains("token"), "{why}");
    }
}

#[test]
#[cfg(unix)]
fn lines_behind_a_crash_count_once() {
    let folder = TempDir::new().expect("a folder");
    let options = RemoteOptions::default();
    let replies = ask(&program(&folder, SCRIPT), &["good", "crash", "good", "good", "crash", "good"], &options);
    assert_eq!(replies.expect("replies").iter().filter(|reply| reply.is_err()).count(), 2);
    let asked = options.meter.asked();
    // Six questions, and the two that end the program once more.
    assert_eq!((asked.questions, asked.failures, asked.requests, asked.retries), (6, 2, 8, 2));
}

/// A program that takes batches of at most three, and notes how many questions each line has.
const BATCHES: &str = r#"
import json, sys, pathlib
notes = pathlib.Path(__file__).with_name("sizes")
sys.stdin.readline()
print(json.dumps({"labels": ["neg", "pos"], "batch": 3}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    with notes.open("a") as file:
        file.write(f"{len(asked['questions'])} ")
    texts = [question["fields"]["text"] for question in asked["questions"]]
    if "crash" in texts:
        sys.exit(3)
    answers = [{"error": "no"} if text == "refuse" else {"label": "pos" if text == "good" else "neg"} for text in texts]
    print(json.dumps({"id": asked["id"], "answers": answers}), flush=True)
"#;

#[test]
#[cfg(unix)]
fn a_program_can_take_batches() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("model.py");
    fs::write(&path, BATCHES).expect("a script");
    let address = format!("process:python3 '{}'", path.display());
    let options = RemoteOptions::default();
    let texts = ["good", "bad", "refuse", "good", "crash", "good", "good"];
    let replies = ask(&address, &texts, &options).expect("replies");
    let labels: Vec<&str> = replies.iter().map(label).collect();
    assert_eq!(labels, ["pos", "neg", "", "pos", "", "pos", "pos"]);
    assert_eq!(replies[2], Err("no".into()));
    assert!(replies[4].as_ref().is_err_and(|why| why.contains("exited")), "{:?}", replies[4]);
    // The second batch crashes twice and is taken apart; its second question crashes twice more.
    let sizes = || fs::read_to_string(folder.path().join("sizes")).expect("the notes");
    assert_eq!(sizes(), "3 3 3 1 1 1 1 1 ");
    let asked = options.meter.asked();
    assert_eq!((asked.questions, asked.failures, asked.requests, asked.retries), (7, 2, 8, 2));
    // The user's limit holds as well.
    ask(&address, &["good"; 4], &RemoteOptions { batch: Some(2), ..RemoteOptions::default() }).expect("replies");
    assert_eq!(sizes(), "3 3 3 1 1 1 1 1 2 2 ");
}
