//! Data sets are hostile: script in texts, labels, ids, column names, file names and models' names must stay text.

use fissure_core::Label;
use fissure_data::{ReadOptions, Samples};
use fissure_explorer::{Planted, Setup, Subject};
use serde_json::json;

use crate::served::{Served, network};

const ZAP: &str = "\"><zap onload=alert(1)></script><script>zap()</script>'`${zap}\u{0}&lt;zap";

fn hostile() -> Setup {
    let lines: String = (0..12)
        .map(|at| {
            let label = format!("{}{ZAP}", at % 2);
            format!("{}\n", json!({ "text": format!("a good film {at} {ZAP}"), "label": label, "id": format!("{at}{ZAP}"), ZAP: ZAP }))
        })
        .collect();
    let task = fissure_tasks::find("sa").unwrap();
    let mut samples = Samples::of_bytes("x.jsonl", std::io::Cursor::new(lines.into_bytes()), ReadOptions::new(task))
        .unwrap()
        .batch(100)
        .unwrap();
    samples[0].label = Some(Label(ZAP.into()));
    let (zero, one) = (format!("0{ZAP}"), format!("1{ZAP}"));
    let subject = |name: &str| Subject {
        name: format!("{name}{ZAP}"),
        model: network([zero.as_str(), one.as_str()], 40, 1),
        gold: (0..samples.len()).map(|at| Some(at % 2)).collect(),
    };
    let subjects = vec![subject("a"), subject("b")];
    let planted = vec![Planted { word: ZAP.into(), label: ZAP.into() }];
    Setup {
        title: format!("{ZAP}.csv"),
        task,
        samples,
        pairs: vec![(0, 1), (2, 3)],
        subjects,
        training: None,
        planted,
        findings: None,
        attacks: None,
        shelf: None,
        seed: 0,
    }
}

#[test]
fn nothing_is_unescaped() {
    let served = Served::new(hostile());
    served.finished();
    let draft = json!({ "text": format!("good {ZAP}") });
    let with = |extra: serde_json::Value| {
        let mut body = draft.clone();
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body.to_string()
    };
    let kept = served.ask(
        "POST",
        "/basket/keep",
        &json!({ "example": 0, "steps": [draft], "label": format!("1{ZAP}") }).to_string(),
    );
    assert_eq!(kept.status, 200, "{}", kept.body);
    let query = "q=%22%3E%3Czap%3E&label=%22%3E%3Czap%3E&view=%3Czap%3E&sort=%3Czap%3E&lambda_from=%22%3E%3Czap%3E&model=%3Czap%3E&page=%3Czap%3E";
    let pages = ["/", "/list", "/list?view=file", "/example/0", "/example/5?model=1", "/pairs", "/models", "/basket"];
    let mut replies: Vec<_> = pages.iter().map(|page| (page.to_string(), served.get(page))).collect();
    replies.extend(
        ["/", "/list", "/example/3", "/pairs", "/models"]
            .map(|page| (page.to_string(), served.get(&format!("{page}?{query}")))),
    );
    for (path, body) in [
        ("/fragment/answer", with(json!({ "example": 0, "model": 1 }))),
        ("/fragment/view", with(json!({ "example": 0, "heat": "ig" }))),
        ("/fragment/word", with(json!({ "start": 0, "end": 4 }))),
        ("/fragment/along", with(json!({ "reach": "any" }))),
        ("/fragment/together", with(json!({ "kind": "neighbour" }))),
    ] {
        replies.push((path.to_owned(), served.ask("POST", path, &body)));
    }
    for (page, reply) in replies {
        assert_eq!(reply.status, 200, "{page}: {}", reply.body);
        assert!(!reply.body.contains("<zap") && !reply.body.contains("</zap"), "{page} lets a tag through");
        assert!(!reply.body.contains("<script>"), "{page} has an inline script");
        assert!(!reply.body.contains("\"><zap"), "{page} lets an attribute end");
    }
    // What cannot be markup need not be escaped, and must say so.
    let refused = served.get("/example/%3Czap%3E");
    assert_eq!(refused.status, 400);
    assert!(refused.header("content-type").unwrap().starts_with("text/plain"));
    let truth = served.ask("POST", "/truth", &json!({ "predicted": 0, "drafts": [{ "text": ZAP }] }).to_string());
    assert!(truth.header("content-type").unwrap().starts_with("application/json"));
    // The data themselves are sacred: they leave as they came.
    let exported: serde_json::Value =
        serde_json::from_str(served.get("/basket.jsonl").body.lines().next().unwrap()).unwrap();
    assert_eq!(exported["text"], format!("good {ZAP}"));
    assert_eq!(exported[ZAP], ZAP);
}
