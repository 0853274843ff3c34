//! Every chart on one page, with made-up numbers, to look at while changing them:
//! `cargo run -p fissure-report --example gallery > gallery.html`

use fissure_evaluate::{Reliability, ReliabilityBin};
use fissure_report::charts::{
    Chart, Curve, Curves, Deciles, DropRow, FamilyRow, GaussianPoint, Heat, Histogram, NARROW, Pair, Pairs, Scatter,
    ScatterPoint, Unit, WIDE, curves, deciles, drops, families, gaussians, heat, histogram, pairs, reliability,
    scatter, style,
};
use fissure_statistics::Estimate;

fn main() {
    let mut page = format!(
        "<!doctype html><meta charset=utf-8><title>Charts</title><style>{}body{{font:16px system-ui;max-width:1500px;\
         margin:auto;padding:1em;background:var(--chart-paper);color:var(--chart-text);display:flex;flex-wrap:wrap;\
         gap:2em}}figure{{margin:0}}</style>",
        style()
    );
    for width in [WIDE, NARROW] {
        for chart in charts(width) {
            page.push_str(&format!("<figure style=\"width:{width}px\">{}</figure>\n", chart.svg));
        }
    }
    println!("{page}");
}

fn near(value: f64, room: f64) -> Estimate {
    Estimate { value, low: value - room, high: value + room * 0.9 }
}

fn charts(width: f64) -> Vec<Chart> {
    let names = ["typos", "contraction+spelling_error", "append_irr", "word_case", "swap_syn_word_embedding", "ocr"];
    let rows: Vec<DropRow> = (names.iter().enumerate())
        .map(|(at, name)| DropRow {
            name: (*name).to_owned(),
            drop: (at != 4).then(|| near(0.14 - 0.04 * at as f64, 0.021)),
            sure: !(2..5).contains(&at),
            samples: 1000 - 70 * at,
        })
        .collect();
    let family = |name: &str, drops: &[f64]| FamilyRow {
        name: name.to_owned(),
        parts: drops.iter().map(|drop| (format!("part {drop}"), near(*drop, 0.02))).collect(),
        mean: (!drops.is_empty()).then(|| near(drops.iter().sum::<f64>() / drops.len() as f64, 0.02)),
        absent: "not measured".to_owned(),
    };
    let family_rows = [
        family("morphology", &[0.12, 0.03, 0.08]),
        family("paradigmatic relations", &[0.05]),
        family("syntax", &[]),
        family("pragmatics", &[-0.01, 0.02]),
        family("model-related", &[0.31, 0.22]),
    ];
    let wave = |at: i32| (f64::from(at) * 12.9898).sin() * 43758.5453;
    let chance = |at: i32| wave(at) - wave(at).floor();
    let lambda: Vec<f64> = (0..700).map(|at| 10f64.powf(-4.0 + 5.0 * (chance(at) + chance(at + 999)) / 2.0)).collect();
    let points: Vec<ScatterPoint> = (lambda.iter().zip(0..))
        .map(|(&x, at)| ScatterPoint {
            id: format!("test-{at}"),
            x,
            y: (x / 20.0).powf(0.6) * (0.4 + chance(at * 7)),
            class: usize::from(chance(at + 5000) < 0.15),
        })
        .collect();
    let tenths: Vec<Estimate> = (0..10).map(|at| near(0.97 - 0.004 * f64::from(at * at), 0.03)).collect();
    let bins = (0..10)
        .map(|at| {
            let low = 0.5 + 0.05 * f64::from(at);
            let accuracy = near(low - 0.06 + 0.01 * f64::from(at % 3), 0.05);
            ReliabilityBin { low, high: low + 0.05, samples: (at * at * 9) as usize, confidence: low + 0.03, accuracy }
        })
        .collect();
    let curve = |name: &str, by: f64| Curve {
        name: name.to_owned(),
        points: (0..8).map(|at| (f64::from(at) / 10.0, near(0.9 - by * f64::from(at), 0.02))).collect(),
    };
    let lines = [curve("plain", 0.06), curve("augmented", 0.03), curve("rolling test set", 0.02)];
    let cells = |a: f64, b: f64| vec![Some(near(a, 0.03)), Some(near(b, 0.03))];
    let salad = [
        ("sort".to_owned(), cells(0.81, 0.92)),
        ("reverse".to_owned(), cells(0.77, 0.98)),
        ("pbsmt".to_owned(), vec![Some(near(0.55, 0.04)), None]),
    ];
    let pair = |name: &str, before: f64, after: f64| Pair {
        name: name.to_owned(),
        before: near(before, 0.02),
        after: near(after, 0.02),
    };
    let both =
        [pair("clean", 0.88, 0.87), pair("typos", 0.74, 0.85), pair("ocr", 0.7, 0.862), pair("word_case", 0.81, 0.82)];
    let plane: Vec<GaussianPoint> = (0..160)
        .map(|at| {
            let side = if at % 2 == 0 { 1.0 } else { -1.0 };
            let (x, y) = (side + chance(at) * 2.4 - 1.2, chance(at + 77) * 3.0 - 1.5);
            GaussianPoint { x, y, value: -x.abs() * 2.0, direction: (1.0, y * 0.3) }
        })
        .collect();
    let log = Histogram { title: "lambda_max", axis: "lambda_max", values: &lambda, bins: 30, log: true };
    vec![
        drops(&rows, "accuracy", width),
        families(&family_rows, "accuracy", width),
        histogram(&log, width),
        scatter(
            &Scatter {
                title: "Fragility",
                x_axis: "lambda_max",
                y_axis: "flip forecast",
                x_log: true,
                y_log: true,
                classes: &["right", "wrong"],
                points: &points,
            },
            width,
        ),
        deciles(
            &Deciles {
                title: "Accuracy by tenth",
                axis: "tenth of the flip forecast, least fragile first",
                score: "accuracy, %",
                values: &tenths,
                overall: Some(0.87),
            },
            width,
        ),
        reliability(&Reliability { ece: near(0.05, 0.01), bins }, width),
        curves(
            &Curves {
                title: "Accuracy as typos grow",
                x_axis: "share of words changed",
                y_axis: "accuracy, %",
                x_log: false,
                unit: Unit::Percent,
                curves: &lines,
            },
            width,
        ),
        heat(
            &Heat {
                title: "Agreement",
                what: "destroyer",
                columns: &["negative".to_owned(), "positive".to_owned()],
                rows: &salad,
                from: 0.5,
            },
            width,
        ),
        pairs(
            &Pairs {
                title: "Before and after",
                axis: "accuracy, %",
                unit: Unit::Percent,
                before: "before",
                after: "after",
                pairs: &both,
            },
            width,
        ),
        gaussians(&plane, "Two Gaussians", "log10 lambda_max", width),
    ]
}
