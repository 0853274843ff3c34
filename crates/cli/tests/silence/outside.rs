//! Faults that somebody has found from outside: answers that go to other samples, files of the user's that go, advice that fails.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::support::{done, fissure, refusal};
use super::{copies, lab, program, refs, told, with_model, words};

/// A translator that greets before it reads, quickly or after its first text came.
const GREETS: [&str; 2] = [
    "import sys\nprint('loading model...', flush=True)\nfor l in sys.stdin: print(l, end='', flush=True)\n",
    "import sys, time\ntime.sleep(1)\nprint('loading model...', flush=True)\ntime.sleep(1)\n\
     for l in sys.stdin: print(l, end='', flush=True)\n",
];
/// One that writes a line too many now and then.
const STUTTERS: &str = "import sys\nfor n, l in enumerate(sys.stdin):\n    print(l, end='', flush=True)\n    \
                        if n == 30: print('30 done', flush=True)\n";
/// The same, too late to be seen before the next text is sent.
const STUTTERS_AT_THE_END: &str = "import sys, time\nfor n, l in enumerate(sys.stdin):\n    print(l, end='', flush=True)\n\
                                   if n > 30: print('all done', flush=True)\n";

#[test]
fn a_line_too_many_of_a_translator_stops_the_command() {
    let (_folder, at) = copies();
    let transform = "transform back_trans --data @d.jsonl --task sa --limit 40 --out @bt.jsonl";
    for code in [GREETS[0], GREETS[1], STUTTERS, STUTTERS_AT_THE_END] {
        fs::write(at("tr.py"), code).unwrap();
        let translator = format!("python3 {}", at("tr.py"));
        let said = refusal(&[&refs(&words(transform, &at))[..], &["--translator", &translator]].concat());
        assert!(said.contains("wrote more lines than it was asked for") && said.contains("tr.py"), "{said}");
        for left in ["bt.jsonl", "bt.jsonl.unfinished"] {
            assert!(!fs::exists(at(left)).unwrap(), "{left}: texts of other samples are not kept");
        }
    }
    // What writes one line for each is used as before.
    fs::write(at("tr.py"), "import sys\nfor l in sys.stdin: print(l.replace('good', 'fine'), end='', flush=True)\n")
        .unwrap();
    let translator = format!("python3 {}", at("tr.py"));
    done(&[&refs(&words(transform, &at))[..], &["--translator", &translator]].concat());
    assert_eq!(fs::read_to_string(at("bt.jsonl")).unwrap().matches("a fine film").count(), 20);
}

/// A part of the user's that is this program.
fn part(at: &impl Fn(&str) -> String, code: &str) -> String {
    fs::write(at("part.py"), code).unwrap();
    let part = "[[part]]\nname = \"own_late\"\ndocs = \"Says fine.\"\nlabel = \"kept\"\n";
    fs::write(at("own.toml"), format!("{part}program = 'python3 {}'\n", at("part.py"))).unwrap();
    at("own.toml")
}

const FINE: &str = "import json, sys\nfor n, line in enumerate(sys.stdin):\n    asked = json.loads(line)\n    \
                    said = json.dumps({'text': asked['text'].replace('good', 'fine')})\n";

#[test]
fn a_line_too_many_of_a_part_stops_the_command() {
    let (_folder, at) = copies();
    for (more, findings) in [
        // A stray print, an answer that comes twice, one that comes twice in the end.
        ("    print('asked', flush=True)\n    print(said, flush=True)\n", false),
        ("    print(said, flush=True)\n    print(said, flush=True)\n", false),
        ("    print(said, flush=True)\n    if n == 100: print(said, flush=True)\n", true),
    ] {
        let parts = part(&at, &format!("{FINE}{more}"));
        let transform = "transform own_late --data @d.jsonl --task sa --out @late.jsonl";
        let said = refusal(&[&refs(&words(transform, &at))[..], &["--parts-file", &parts]].concat());
        assert!(said.contains("wrote more lines than it was asked for") && said.contains("part.py"), "{said}");
        let evaluate = "evaluate --model @m --data @d.jsonl --task sa --chains own_late --out @late";
        let said = refusal(&[&refs(&words(evaluate, &at))[..], &["--parts-file", &parts]].concat());
        assert!(said.contains("wrote more lines") && said.contains("start the run again"), "{said}");
        assert!(!said.contains("what was done is kept"), "{said}");
        assert!(!fs::exists(at("late/run.jsonl")).unwrap() && !fs::exists(at("late/findings.json")).unwrap());
        let aside = fs::read_to_string(at("late/run.jsonl.mixed")).unwrap();
        assert_eq!(aside.lines().count() > 1, findings, "what is seen at once was written down nowhere");
        fs::remove_dir_all(at("late")).unwrap();
    }
    let parts = part(&at, &format!("{FINE}    print(said, flush=True)\n"));
    let transform = "transform own_late --data @d.jsonl --task sa --out @late.jsonl";
    done(&[&refs(&words(transform, &at))[..], &["--parts-file", &parts]].concat());
    assert_eq!(fs::read_to_string(at("late.jsonl")).unwrap().matches("a fine film").count(), 100);
}

/// A model without numbers in its answers that gives one answer twice, or writes a log line among them.
#[test]
fn a_line_too_many_of_a_model_stops_the_command() {
    let (_folder, at) = copies();
    let model = |often: &str, line: &str, id: &str| {
        let code = format!(
            "import json, sys\nn = 0\nfor line in sys.stdin:\n    asked = json.loads(line)\n    if 'hello' in asked:\n        \
             print('{{\"labels\": [\"neg\", \"pos\"]}}', flush=True)\n        continue\n    n += 1\n    \
             said = {{'label': 'pos' if 'good' in asked['fields']['text'] else 'neg'{id}}}\n    \
             print(json.dumps(said), flush=True)\n    if {often}: print({line}, flush=True)\n"
        );
        fs::write(at("model.py"), code).unwrap();
        format!("process:python3 {}", at("model.py"))
    };
    let twice = "json.dumps(said)";
    for (often, line) in
        [("n == 1", twice), ("n == 25", twice), ("n == 40", twice), ("n == 25", "'{\"level\": \"info\"}'")]
    {
        let model = model(often, line, "");
        for command in
            ["evaluate --chains typos --out @mixed", "predict --out @mixed.jsonl", "score --out @mixed.jsonl", "words"]
        {
            let words = with_model(&model, &format!("{command} --data @d.jsonl --task sa --limit 40"), &at);
            let said = refusal(&refs(&words));
            assert!(said.contains("wrote more answers than it was asked for"), "{often}: {command}: {said}");
            assert!(!said.contains("is kept: ") && !said.contains("Continue with"), "{often}: {command}: {said}");
            for left in ["mixed.jsonl", "mixed.jsonl.unfinished", "mixed/run.jsonl", "mixed/findings.json"] {
                assert!(!fs::exists(at(left)).unwrap(), "{often}: {command} left {left}");
            }
            let _ = fs::remove_dir_all(at("mixed"));
        }
    }
    // Answers with numbers go nowhere else, and chatter that is no JSON is no answer.
    for (line, id) in
        [(twice, ", 'id': asked['id']"), ("'{\"level\": \"info\"}'", ", 'id': asked['id']"), ("'ready'", "")]
    {
        let model = model("n % 7 == 0", line, id);
        let command = "predict --data @d.jsonl --task sa --limit 40 --out @sound.jsonl --force";
        let output = done(&refs(&with_model(&model, command, &at)));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("accuracy 1.0000"), "{line}: {said}");
    }
}

/// With `--on-bad-row skip` the rest is read, and everybody who reads of it hears how much is missing.
#[test]
fn rows_that_are_passed_over_are_counted() {
    let (_folder, at) = copies();
    let good: String = fs::read_to_string(at("d.jsonl")).unwrap().split_inclusive('\n').take(40).collect();
    fs::write(at("cut.jsonl"), good + &"{\"id\":\"x\",\"text\":\"a go\n".repeat(20)).unwrap();
    let bad = "20 rows could not be read and were left out";
    let evaluate = "evaluate --model @m --data @cut.jsonl --task sa --chains typos --on-bad-row skip --out @cut";
    assert!(told(evaluate, &at).contains(bad));
    let found: Value = serde_json::from_slice(&fs::read(at("cut/findings.json")).unwrap()).unwrap();
    assert_eq!((&found["about"]["data"]["samples"], &found["about"]["data"]["bad_rows"]), (&40.into(), &20.into()));
    let words_of = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let gate = fissure(&refs(&words("gate @cut --rule accuracy>=0.1", &at))).output().unwrap();
    let said = words_of(String::from_utf8([gate.stdout, gate.stderr].concat()).unwrap());
    assert!(said.contains("readable >= 0.95") && said.contains("20 of 60 rows could not be read"), "{said}");
    assert!(said.contains("1 rule met, 1 inconclusive") || said.contains("1 met, 1 inconclusive"), "{said}");
    let train = "train --arch fasttext --data @cut.jsonl --task sa --on-bad-row skip --out @of-some";
    assert!(told(train, &at).contains(bad));
    let forecast = "forecast --model @m --data @cut.jsonl --task sa --parts typos --on-bad-row skip";
    assert!(told(forecast, &at).contains(bad));
}

/// Data in the classes -1 and 1: what is read as no label is counted out, and the way to read it as one is named.
#[test]
fn advice_about_labels_does_not_leave_half_of_the_data_out() {
    let (_folder, at) = copies();
    let row = |n: usize| format!("a {} film number {n},{}\n", ["good", "bad"][n % 2], ["1", "-1"][n % 2]);
    fs::write(at("signed.csv"), "text,label\n".to_owned() + &(0..60).map(row).collect::<String>()).unwrap();
    let predict = "predict --model @m --data @signed.csv --task sa --out @signed.jsonl";
    let said = refusal(&refs(&words(predict, &at))).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("30 rows labelled -1 are taken for rows without a label"), "{said}");
    assert!(said.contains("--minus-one label") && !said.contains("of 40 samples"), "{said}");
    let said = told(&format!("{predict} --minus-one label --label-map=-1=neg,1=pos"), &at);
    assert!(said.contains("60 samples; accuracy"), "{said}");
}

#[test]
fn a_suite_is_named_as_one() {
    let (_folder, at) = copies();
    let said = refusal(&refs(&words("transform universal --data @d.jsonl --task sa --out @u.jsonl", &at)));
    assert!(said.contains("`universal` is a suite") && said.contains("--suite universal --out DIR"), "{said}");
}

/// What a tour says to try, but for the page, in a directory of its own.
#[test]
fn what_the_tour_says_to_try_works() {
    let folder = tempfile::TempDir::new().unwrap();
    let here = |name: &str| folder.path().join("fissure-demo").join(name);
    let tour = |more: &[&str]| {
        let output = fissure(&[&["demo"], more].concat()).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (said, _) = tour(&[]);
    // The worst of the parts of a usual tour has a setting.
    let next = said.split("Try next").nth(1).unwrap().replace("\\\n", " ");
    let commands: Vec<&str> = next.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let own = |command: &&&str| !["explore", " DIR ", "process:"].iter().any(|word| command.contains(word));
    let mut tried = 0;
    for command in commands.iter().filter(own) {
        let output = std::process::Command::new("sh")
            .args(["-c", command])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let shut = command.contains(" gate ") && output.status.code() == Some(1);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() || shut, "{command}: {said}");
        assert!(!said.contains("the parts that hurt most are those of"), "a calibration makes no other model: {said}");
        tried += 1;
    }
    assert_eq!(tried, 3, "{commands:?}");
    let parts: Vec<String> = fs::read_to_string(here("more.jsonl"))
        .unwrap()
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["augmented_by"].as_str().map(str::to_owned))
        .collect();
    assert!(parts.iter().any(|part| part.contains('=')), "a change has its settings in its name");

    // The tour once more: what it wrote is replaced, what was changed since is kept and named.
    let row = "{\"text\":\"my own\",\"label\":\"positive\"}\n";
    let mine = fs::read_to_string(here("reviews/train.jsonl")).unwrap() + row;
    fs::write(here("reviews/train.jsonl"), &mine).unwrap();
    let findings = fs::read(here("run/findings.json")).unwrap();
    fs::write(here("run/run.jsonl"), "my run").unwrap();
    let calibration = fs::read(here("model/calibration.json")).unwrap();
    let (_, said) = tour(&["--limit", "200"]);
    for kept in ["reviews/train.jsonl.before-1", "model.before-1", "run.before-1"] {
        assert!(said.contains(kept), "{kept}: {said}");
    }
    assert_eq!(fs::read_to_string(here("reviews/train.jsonl.before-1")).unwrap(), mine);
    assert_eq!(fs::read(here("model.before-1/calibration.json")).unwrap(), calibration);
    assert!(here("model.before-1/model.safetensors").exists() && !here("model/calibration.json").exists());
    assert_eq!(fs::read_to_string(here("run.before-1/run.jsonl")).unwrap(), "my run");
    assert_eq!(fs::read(here("run.before-1/findings.json")).unwrap(), findings);
    // And nothing of a tour that nobody touched.
    let (_, said) = tour(&["--limit", "200"]);
    assert!(!said.contains("before-"), "{said}");
}

#[test]
fn a_calibration_that_came_is_named_and_makes_no_other_model() {
    let (_folder, at) = copies();
    let run = "evaluate --model @m --data @d.jsonl --task sa --chains word_case --limit 60 --out @two";
    done(&refs(&words(run, &at)));
    let file = at("two/run.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    let stop = || {
        let most: String = whole.split_inclusive('\n').take(20).collect();
        fs::write(&file, most).unwrap();
        fs::remove_file(at("two/findings.json")).unwrap();
    };
    done(&refs(&words("repair calibrate --model @m --data @d.jsonl --task sa", &at)));
    stop();
    let said = refusal(&["evaluate", "--resume", &at("two")]);
    assert!(said.contains("calibration.json") && said.contains("was not there, and now is there"), "{said}");
    fs::remove_file(at("m/calibration.json")).unwrap();
    done(&["evaluate", "--resume", &at("two")]);
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
}

#[test]
fn every_row_without_a_label_is_counted() {
    let (_folder, at) = copies();
    let row = |at: usize| {
        let label = ["\"pos\"", "\"neg\"", "null", "\"\"", "\"-\"", "\"neg\""][at % 6];
        let word = if label == "\"pos\"" { "good" } else { "bad" };
        format!("{{\"text\":\"a {word} film {at}\",\"label\":{label}}}\n")
    };
    fs::write(at("some.jsonl"), (0..60).map(row).collect::<String>()).unwrap();
    let said = told("train --arch fasttext --data @some.jsonl --task sa --epochs 1 --out @some", &at);
    assert!(said.contains("30 rows without a label"), "{said}");
    assert!(!said.contains("--minus-one"), "there is no -1 in these: {said}");
}

#[test]
fn ids_that_come_again_are_spoken_of() {
    let (_folder, at) = copies();
    let same = fs::read_to_string(at("d.jsonl")).unwrap().lines().take(60).fold(String::new(), |all, line| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        row["id"] = "same".into();
        format!("{all}{row}\n")
    });
    fs::write(at("same.jsonl"), same).unwrap();
    for command in [
        "transform append_irr --data @same.jsonl --task sa --out @irr.jsonl",
        "predict --model @m --data @same.jsonl --task sa --out @p.jsonl",
        "score --model @m --data @same.jsonl --task sa --out @s.jsonl",
        "evaluate --model @m --data @same.jsonl --task sa --chains typos --out @r",
    ] {
        let said = told(command, &at).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("59 of") && said.contains("the id of one before them"), "{command}: {said}");
        assert!(said.contains("--id content"), "{command}: {said}");
    }
    let said = told("transform append_irr --data @d.jsonl --task sa --out @own.jsonl", &at);
    assert!(!said.contains("the id of one before"), "{said}");
}

#[test]
fn what_other_data_cost_is_not_laid_to_the_bounds() {
    let (_folder, at) = copies();
    // A model that knows many words, and few of them in the data that it is trained on with bounds.
    let row = |at: usize| {
        let good = at.is_multiple_of(2);
        let word = format!("{}{}", ["glad", "sad"][at % 2], (at / 2) % 100);
        format!("{{\"text\":\"{word} {word} film\",\"label\":\"{}\"}}\n", if good { "pos" } else { "neg" })
    };
    fs::write(at("many.jsonl"), (0..600).map(row).collect::<String>()).unwrap();
    fs::write(at("test.jsonl"), (200..400).map(row).collect::<String>()).unwrap();
    done(&refs(&words("train --arch cnn --data @many.jsonl --task sa --epochs 20 --out @knows", &at)));
    let certify = "repair certify --model @knows --data @many.jsonl --test @test.jsonl --task sa --limit 24 --epochs 4";
    let said = told(&format!("{certify} --weight 0"), &at).replace('\n', " ");
    assert!(said.contains("no bounds to lose it by") && !said.contains("A lower --weight"), "{said}");
    let said = told(&format!("{certify} --weight 0.01"), &at).replace('\n', " ");
    assert!(said.contains("Trained on the same 24 samples without bounds"), "{said}");
}

#[test]
fn two_runs_begun_at_once_have_directories_of_their_own() {
    let (_folder, at) = copies();
    let model = program(&at, "slow.py", r#"{"labels": ["neg", "pos"]}"#, r#"{"label": "pos"}"#);
    let command = "evaluate --data @d.jsonl --task sa --chains typos --limit 5";
    let begin = || {
        let words = with_model(&model, command, &at);
        fissure(&refs(&words)).current_dir(at(".")).spawn().unwrap()
    };
    let both = [begin(), begin(), begin()].map(|run| run.wait_with_output().unwrap());
    for output in both {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut runs: Vec<String> = fs::read_dir(at("fissure-runs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    runs.sort();
    assert_eq!(runs, ["1", "2", "3"]);
    // A run that cannot begin leaves no directory.
    let bad = fissure(&refs(&words("evaluate --model @m --data @d.jsonl --task sa --chains nothing_such", &at)))
        .current_dir(at("."))
        .output()
        .unwrap();
    assert_eq!(bad.status.code(), Some(2));
    assert_eq!(fs::read_dir(at("fissure-runs")).unwrap().count(), 3);
    assert!(fs::exists(lab("m")).unwrap());
}

/// What a command says that is stopped after a moment, and whether it was.
#[cfg(unix)]
fn stopped(command: &str, at: &impl Fn(&str) -> String, sign: &str) -> Option<String> {
    let child = fissure(&refs(&words(command, at))).current_dir(at(".")).spawn().unwrap();
    let pid = child.id().to_string();
    // As soon as it is at work.
    for _ in 0..400 {
        let maps = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        if maps.contains("Threads:") && fs::exists(at(sign)).unwrap() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code() == Some(130)).then(|| String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn who_is_stopped_hears_what_is_left_and_can_begin_again() {
    let (_folder, at) = copies();
    let rows: String = (0..4000)
        .map(|at| format!("{{\"text\":\"a good film {at}\",\"label\":\"{}\"}}\n", ["pos", "neg"][at % 2]))
        .collect();
    fs::write(at("long.jsonl"), rows).unwrap();
    let augment = "repair augment --model @m --data @long.jsonl --test @d.jsonl --task sa --parts typos --out @more.jsonl --save @fixed";
    let said = stopped(augment, &at, "more.jsonl.unfinished").unwrap();
    assert!(said.contains("stopped:") && said.contains("more.jsonl is as it was"), "{said}");
    for left in ["more.jsonl", "more.jsonl.unfinished", "fixed"] {
        assert!(!fs::exists(at(left)).unwrap(), "{left}");
    }
    let forecast = "forecast --model @m --data @long.jsonl --task sa --chains typos,keyboard,ocr --out @texts.jsonl";
    let said = stopped(forecast, &at, "texts.jsonl.unfinished").unwrap();
    assert!(said.contains("stopped:") && said.contains("texts.jsonl is as it was"), "{said}");
    assert!(!fs::exists(at("texts.jsonl.unfinished")).unwrap());
}
