//! The pages of made-up findings: what they look like, and that nothing in the data can get out of its place.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use fissure_evaluate::{Findings, Weighted};
use fissure_report::{RunComparison, compare, document, html, json, next_commands, tex};
use fissure_statistics::Estimate;
use proptest::prelude::*;
use serde_json::Value;

/// Plausible numbers that no model gave.
fn made_up() -> Findings {
    serde_json::from_str(include_str!("findings.json")).unwrap()
}

/// The same findings with a text in place of every text that comes from outside.
fn hostile(text: &str) -> Findings {
    fn fill(value: &mut Value, text: &str) {
        match value {
            Value::String(old) => {
                // These are ours, not the data's.
                let ours = [
                    "kept",
                    "flipped",
                    "unsure",
                    "destroyed",
                    "morphology",
                    "paradigmatic",
                    "syntax",
                    "pragmatics",
                    "model",
                ];
                if !ours.contains(&old.as_str()) {
                    *old = format!("{text}{}", old.len());
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| fill(value, text)),
            Value::Object(fields) => fields.values_mut().for_each(|value| fill(value, text)),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(made_up()).unwrap();
    fill(&mut value, text);
    let mut findings: Findings = serde_json::from_value(value).unwrap();
    findings.parts[0].skips.insert(text.to_owned(), 3);
    findings
}

/// The page without its style sheet and pictures, which have tests of their own.
fn words_of(page: &str) -> String {
    let without = |page: String, start: &str, end: &str, sign: &str| {
        let mut out = String::new();
        let mut rest = page.as_str();
        while let Some(from) = rest.find(start) {
            let to = from + rest[from..].find(end).unwrap() + end.len();
            out = out + &rest[..from] + sign;
            rest = &rest[to..];
        }
        out + rest
    };
    let page = without(page.to_owned(), "<style>", "</style>", "[style]");
    let page = without(page, "sha256-", "'", "[hash]'");
    without(page, "<svg", "</svg>\n", "[chart]")
}

/// A page that is XML as well, with none but the elements and attributes of our pages.
fn sound(page: &str) -> Result<(), String> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let parsed = roxmltree::Document::parse_with_options(page, options).map_err(|fault| fault.to_string())?;
    for node in parsed.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        if ["script", "iframe", "object", "embed", "img", "form", "base", "link"].contains(&name) {
            return Err(format!("<{name}>"));
        }
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            if name.starts_with("on") || name == "style" || name == "src" || (name == "href" && !value.starts_with('#'))
            {
                return Err(format!("{name}=\"{value}\""));
            }
        }
    }
    Ok(())
}

#[test]
fn the_page_says_what_was_found() {
    let page = html(&document(&made_up()));
    sound(&page).unwrap();
    insta::assert_snapshot!("html", words_of(&page));
}

#[test]
fn the_tables_for_a_paper() {
    insta::assert_snapshot!("tex", tex(&document(&made_up())));
}

#[test]
fn two_runs_side_by_side() {
    let (first, mut second) = (made_up(), made_up());
    second.about.model.name = "models/fixed".to_owned();
    for part in &mut second.parts {
        if let Some(drop) = part.evidence.as_mut().and_then(|evidence| evidence.drop.as_mut()) {
            *drop = Estimate { value: drop.value / 3.0, low: drop.low / 3.0, high: drop.high / 3.0 };
        }
    }
    let page = html(&compare(&first, &second, &RunComparison::default()));
    sound(&page).unwrap();
    insta::assert_snapshot!("compare", words_of(&page));
}

#[test]
fn a_model_that_always_answers_alike_is_called_so() {
    let mut findings = made_up();
    let share = |value| Estimate { value, low: value, high: value };
    findings.classes = vec![("neg".into(), 10, share(0.0)), ("pos".into(), 12, share(1.0))];
    let says_so = |findings: &Findings| html(&document(findings)).contains("whatever the text says");
    assert_eq!(findings.about.metric, "accuracy");
    assert!(says_so(&findings));
    findings.classes[0].2 = share(0.1);
    assert!(!says_so(&findings));
}

#[test]
fn the_json_is_the_findings() {
    let text = json(&made_up()).unwrap();
    assert_eq!(serde_json::from_str::<Findings>(&text).unwrap(), made_up());
}

#[test]
fn every_field_of_the_json_is_documented() {
    fn names(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| names(value, into)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    if name != "skips" {
                        names(value, into);
                    }
                    into.push(name.clone());
                }
            }
            _ => {}
        }
    }
    let page = include_str!("../../../docs/report.md");
    let mut fields = Vec::new();
    names(&serde_json::to_value(made_up()).unwrap(), &mut fields);
    for field in fields {
        assert!(page.contains(&format!("`{field}`")), "docs/report.md does not say what `{field}` is");
    }
}

#[test]
fn nothing_measured_is_said_to_be_so() {
    let mut findings = made_up();
    findings.clean.clear();
    findings.classes.clear();
    findings.parts.clear();
    findings.salad.clear();
    findings.slices.clear();
    findings.bias.clear();
    findings.interactions.clear();
    findings.telling.clear();
    findings.reliability = None;
    findings.fragility = None;
    let page = html(&document(&findings));
    sound(&page).unwrap();
    assert!(page.contains("No change to the texts was measured"));
    assert!(page.contains("Not measured at all in this run"));
    assert_eq!(page.matches("<dd class=\"note\">not measured</dd>").count(), 5);
    assert!(!page.contains("NaN"));
    tex(&document(&findings));
    next_commands(&findings);
}

/// The same findings of data without labels: only the answers can be compared.
fn unlabelled() -> Findings {
    let mut findings = made_up();
    findings.about.data.labelled = 0;
    findings.clean.clear();
    findings.classes.clear();
    findings.reliability = None;
    findings.weighted = None;
    findings.interactions.clear();
    findings.telling.iter_mut().for_each(|pair| pair.gold = None);
    for evidence in findings.parts.iter_mut().filter_map(|part| part.evidence.as_mut()) {
        (evidence.before, evidence.after, evidence.drop) = (None, None, None);
        (evidence.p, evidence.p_holm) = (None, None);
    }
    findings
}

#[test]
fn without_labels_the_answers_that_move_are_told() {
    let document = document(&unlabelled());
    assert!(
        document.headline.starts_with("Up to 18.1 % of the answers change under 10 changes"),
        "{}",
        document.headline
    );
    let page = html(&document);
    sound(&page).unwrap();
    for said in ["None of the 1000 samples could be scored", "answers changed at most, %", "answers that changed, %"] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("Where a change turns the right answer into its opposite"));
    harmless(&tex(&document)).unwrap();
}

#[test]
fn a_turned_meaning_is_followed_or_not() {
    let page = |after: f64| {
        let mut findings = made_up();
        let turned = findings.parts.iter_mut().find(|part| part.name == "swap_ant").unwrap();
        let evidence = turned.evidence.as_mut().unwrap();
        let around = |value: f64| Estimate { value, low: value - 0.02, high: value + 0.02 };
        (evidence.after, evidence.drop) = (Some(around(after)), Some(around(0.89 - after)));
        words_of(&html(&document(&findings))).replace("<bdi>", "").replace("</bdi>", "")
    };
    assert!(page(0.37).contains("<strong>does not follow</strong>: under <code>swap_ant</code> 37.0"));
    assert!(page(0.51).contains("<strong>may or may not follow: the texts are too few to decide</strong>"));
    assert!(page(0.6).contains("<strong>follows, but less surely than it answers the originals</strong>"));
    assert!(page(0.88).contains("<strong>follows</strong>"));
}

#[test]
fn the_commands_set_what_the_name_of_a_part_says() {
    let mut findings = made_up();
    for part in &mut findings.parts {
        part.name = format!("{} (change=region)", part.name);
    }
    findings.about.reading = vec![("columns".to_owned(), "text=my body".to_owned())];
    let commands = next_commands(&findings);
    assert_eq!(commands[0], "fissure explain ocr");
    let transform = "fissure transform ocr --set change=region --data data/test.csv --task sa --columns 'text=my body'";
    assert!(commands[1].starts_with(transform), "{}", commands[1]);
}

#[test]
fn noise_is_called_noise() {
    let mut findings = made_up();
    let around = |value: f64| Estimate { value, low: value - 0.02, high: value + 0.02 };
    for evidence in findings.parts.iter_mut().filter_map(|part| part.evidence.as_mut()) {
        evidence.p_holm = evidence.p_holm.map(|_| 0.5);
        evidence.drop = evidence.drop.map(|_| around(0.003));
    }
    // One change of few samples has a wide interval: that is said of it, and not of all samples.
    let rare = findings.parts.iter_mut().find(|part| part.name == "swap_num").unwrap();
    let evidence = rare.evidence.as_mut().unwrap();
    (evidence.samples, evidence.drop) = (17, Some(Estimate { value: 0.0, low: -0.19, high: 0.195 }));
    let whole = document(&findings);
    assert!(
        whole.headline.starts_with("No loss of accuracy beyond noise on average under 9 changes"),
        "{}",
        whole.headline
    );
    let page = html(&whole).replace("<bdi>", "").replace("</bdi>", "");
    let said = "The least certain is <code>swap_num</code>: on the 17 samples it changed, a drop of up to 19.5 points";
    assert!(page.contains(said), "{page}");
    // The worst slice and the bias are as noisy as any other row.
    findings.slices.iter_mut().for_each(|slice| slice.p_holm = slice.p_holm.map(|_| 0.2));
    findings.bias.iter_mut().for_each(|bias| bias.p_holm.fill(0.2));
    let page = html(&document(&findings));
    assert!(!page.contains("weakest inside the slice") && !page.contains("when names or gender change"));
}

/// A mean drop has the power that single changes lack, so it writes the headline.
#[test]
fn a_mean_drop_beyond_noise_is_the_headline() {
    let mut findings = made_up();
    for evidence in findings.parts.iter_mut().filter_map(|part| part.evidence.as_mut()) {
        evidence.p_holm = evidence.p_holm.map(|_| 0.5);
    }
    let drop = Estimate { value: 0.021, low: 0.008, high: 0.033 };
    findings.weighted = Some(Weighted { drop, parts: 5, samples: 1000, left_out: 0 });
    let document = document(&findings);
    let said = "Loses 2.1 points of accuracy on average under 5 changes (95 % interval 0.8 to 3.3)";
    assert!(document.headline.starts_with(said), "{}", document.headline);
    let page = html(&document).replace("<bdi>", "").replace("</bdi>", "");
    assert!(page.contains("None of 10 changes alone lowers the score beyond noise, corrected for 11 comparisons."));
    let alone = "By their own intervals only, without correction: <code>ocr</code>, <code>keyboard</code>";
    assert!(page.contains(alone), "{page}");
    assert!(page.contains("own interval only"));
}

/// McNemar's test counts sentences without one wrong tag, which says little of spans.
#[test]
fn spans_are_judged_by_their_interval() {
    let mut findings = made_up();
    findings.about.metric = "span_f1".to_owned();
    for evidence in findings.parts.iter_mut().filter_map(|part| part.evidence.as_mut()) {
        evidence.p_holm = evidence.p_holm.map(|_| 0.5);
    }
    let clear = document(&findings).headline;
    assert!(clear.starts_with("Loses 5.0 points of span_f1"), "{clear}");
    let lowered = |findings: &Findings| words_of(&html(&document(findings))).contains("lower the score beyond noise");
    assert!(lowered(&findings));
    // Each interval leaves out 0 by a hair: not beyond noise after the correction.
    for evidence in findings.parts.iter_mut().filter_map(|part| part.evidence.as_mut()) {
        evidence.drop = Some(Estimate { value: 0.1, low: 0.001, high: 0.199 });
    }
    assert!(!lowered(&findings), "not after the correction");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_text_leaves_its_place(text in "\\PC{0,12}|[<>&\"'/a-z =]{0,30}|[\\x00-\\x1f\\\\{}$%#_^~]{0,12}") {
        let findings = hostile(&text);
        let whole = document(&findings);
        let page = html(&whole);
        prop_assert!(sound(&page).is_ok(), "{:?}", sound(&page));
        let paper = tex(&whole);
        prop_assert!(harmless(&paper).is_ok(), "{:?}", harmless(&paper));
    }
}

#[test]
fn known_tricks_stay_text() {
    for text in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "</style></title><svg onload=alert(1)>",
        "]]><!--",
        "javascript:alert(1)",
        "\\end{table}\\input{/etc/passwd}",
        "\u{202E}\u{2066}abc",
        "\u{0}\u{8}\u{FFFF}",
    ] {
        let findings = hostile(text);
        let page = html(&document(&findings));
        sound(&page).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert!(!page.contains("<script") && !page.contains("<img"), "{text}");
        sound(&html(&compare(&findings, &findings, &RunComparison::default()))).unwrap();
        harmless(&tex(&document(&findings))).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    }
}

/// LaTeX with none but our own commands, and with as many braces opened as closed.
fn harmless(paper: &str) -> Result<(), String> {
    let ours = [
        "begin",
        "end",
        "centering",
        "small",
        "toprule",
        "midrule",
        "bottomrule",
        "caption",
        "textbackslash",
        "textasciicircum",
        "textasciitilde",
        "textless",
        "textgreater",
        "textbar",
        "textquotedbl",
        "shortstack",
        "to",
    ];
    // What makes a table fit opens on one line and closes on another.
    let fitting = ["  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%", "  \\end{tabular}}"];
    let lines = paper.lines().filter(|line| !line.trim_start().starts_with('%'));
    for line in lines.filter(|line| !fitting.contains(line)) {
        let mut depth = 0i32;
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => {
                    let mut name = String::new();
                    while let Some(next) = letters.next_if(char::is_ascii_alphabetic) {
                        name.push(next);
                    }
                    if name.is_empty() {
                        letters.next();
                    } else if !ours.contains(&name.as_str()) {
                        return Err(format!("\\{name} in {line}"));
                    }
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                '%' | '#' | '~' | '^' | '_' => return Err(format!("a bare {letter} in {line}")),
                letter if letter.is_control() => return Err(format!("a control letter in {line:?}")),
                _ => {}
            }
        }
        if depth != 0 {
            return Err(format!("braces in {line}"));
        }
    }
    Ok(())
}

#[cfg(feature = "pdf")]
mod pdf {
    use super::*;

    #[test]
    fn the_pdf_opens_and_is_the_same_twice() {
        let whole = document(&made_up());
        let bytes = fissure_report::pdf(&whole, None).unwrap();
        assert!(bytes.starts_with(b"%PDF-"));
        assert_eq!(bytes, fissure_report::pdf(&whole, None).unwrap());
        let pages = hayro_syntax::Pdf::new(bytes).unwrap().pages().len();
        assert!((4..=9).contains(&pages), "{pages} pages");
    }

    #[test]
    fn without_labels_there_is_a_pdf_too() {
        assert!(fissure_report::pdf(&document(&unlabelled()), None).unwrap().starts_with(b"%PDF-"));
    }

    #[test]
    fn hostile_texts_are_set_as_texts() {
        for text in ["#panic()", "\"); #panic(\"", "\\", "$x", "日本語 \u{202E}\u{0}"] {
            let bytes = fissure_report::pdf(&document(&hostile(text)), None).unwrap();
            assert!(hayro_syntax::Pdf::new(bytes).unwrap().pages().len() > 2, "{text}");
        }
    }
}
