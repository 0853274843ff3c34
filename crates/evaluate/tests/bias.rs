//! A planted bias is found, and as large as it was planted.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use fissure_core::Sample;
use fissure_data::demo::{Split, corpus};
use fissure_evaluate::{
    CaseRecord, ModelAbout, RUN_FILE, Respondent, Response, RunConfig, SampleRecord, Unavailable, findings,
};
use support::prepare;
use tempfile::TempDir;

/// Sure of a good review by 0.7; of one that speaks of a woman whom it knows by 0.6.
#[derive(Debug)]
struct Prejudiced(ModelAbout);

const FAIR: f64 = 0.7;
const UNFAIR: f64 = 0.6;

/// Women of the demo corpus. Where men become women these get other names, so the bias shows one way only.
const WOMEN: [&str; 11] =
    ["Mira", "Hattie", "Lucinda", "Petra", "Beatriz", "Ingrid", "Yasmin", "Sofia", "Grace", "sister", "mother"];

fn speaks_of_a_woman(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphabetic()).any(|word| WOMEN.contains(&word))
}

impl Respondent for Prejudiced {
    fn about(&self) -> &ModelAbout {
        &self.0
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        let said = |sample: &&Sample| {
            let woman = speaks_of_a_woman(sample.fields[0].text.as_str());
            let good = if woman { UNFAIR } else { FAIR } as f32;
            Ok(Response::Class {
                label: "positive".into(),
                log_probs: Some(vec![(1.0 - good).ln(), good.ln()]),
                own: None,
            })
        };
        Ok(samples.iter().map(said).collect())
    }
}

#[test]
fn the_bias_suite_measures_what_was_planted() {
    let samples = corpus(3, Split::Test, 1500);
    let about = ModelAbout {
        name: "prejudiced".into(),
        checksum: Some("1".into()),
        labels: vec!["negative".into(), "positive".into()],
        probabilities: true,
        ..ModelAbout::default()
    };
    let config = support::with(RunConfig::default(), |config| {
        config.data.task = Some("sa".into());
        config.selection.suite = Some("bias".into());
    });
    let prepared = prepare(config.clone(), &samples, Box::new(Prejudiced(about.clone()))).unwrap();
    let folder = TempDir::new().unwrap();
    let bytes = support::run(&prepared, &samples, folder.path(), 512);
    let found = findings(&folder.path().join(RUN_FILE)).unwrap();
    let gender = found.bias.iter().find(|row| row.name == "prejudice (change=gender)").unwrap();
    let region = found.bias.iter().find(|row| row.name == "prejudice (change=region)");

    // By hand from the texts: each pair moves by the planted 0.1 one way, the other, or not at all.
    let text = String::from_utf8(bytes).unwrap();
    let mut original = String::new();
    let mut moves = Vec::new();
    for line in text.lines() {
        if let Ok(sample) = serde_json::from_str::<SampleRecord>(line) {
            original = sample.texts[0].1.clone();
        } else if let Ok(case) = serde_json::from_str::<CaseRecord>(line)
            && prepared.plan.written.chains[case.chain].name == gender.name
            && !case.edits.is_empty()
        {
            let mut changed = original.clone();
            for (_, start, end, new) in case.edits.iter().rev() {
                changed.replace_range(*start..*end, new);
            }
            let sure = |text: &str| if speaks_of_a_woman(text) { UNFAIR } else { FAIR };
            moves.push(sure(&changed) - sure(&original));
        }
    }
    assert!(moves.len() > 50 && moves.iter().any(|shift| shift.abs() > 0.05), "{} pairs", moves.len());
    let mean = moves.iter().sum::<f64>() / moves.len() as f64;
    assert_eq!(gender.samples, moves.len());
    let shift = |label: &str| gender.shifts.iter().find(|(name, _)| name == label).unwrap().1;
    let (good, bad) = (shift("positive"), shift("negative"));
    assert!((good.value - mean).abs() < 1e-6 && (bad.value + mean).abs() < 1e-6, "{good:?} against {mean}");
    assert!(good.low <= mean && mean <= good.high && good.high - good.low < 0.1);
    assert!(good.low > 0.0 && bad.high < 0.0, "it is beyond noise: {good:?}");
    // It says `positive` to everybody, so no answer changed; and places move nothing.
    assert_eq!(gender.changed_answers.value, 0.0);
    if let Some(region) = region {
        assert!(region.shifts.iter().all(|(_, shift)| shift.value.abs() < 1e-9), "{region:?}");
        assert_eq!(region.p_holm, [1.0; 2]);
    }
    // Corrected for all rows of the run; of two labels one is a test.
    assert_eq!(gender.p_holm[0], gender.p_holm[1]);
    assert!(gender.p_holm[0] < 0.05, "{:?}", gender.p_holm);

    // Five variants of a text are no more texts, and make the interval hardly narrower.
    let config = support::with(config, |config| {
        config.changes.variants = Some(5);
    });
    let prepared = prepare(config, &samples, Box::new(Prejudiced(about))).unwrap();
    let folder = TempDir::new().unwrap();
    support::run(&prepared, &samples, folder.path(), 512);
    let five = findings(&folder.path().join(RUN_FILE)).unwrap();
    let five = five.bias.iter().find(|row| row.name == gender.name).unwrap();
    assert_eq!(five.samples, gender.samples);
    let more = five.shifts.iter().find(|(name, _)| name == "positive").unwrap().1;
    assert!(more.high - more.low > (good.high - good.low) / 1.5, "{more:?} {good:?}");
    assert_eq!(five.changed_answers, gender.changed_answers, "that no answer changed is seen in as many texts");
}
