//! What holds of every chart: well-formed, the same twice, nothing hostile gets out of its place.

use fissure_evaluate::{Reliability, ReliabilityBin};
use fissure_statistics::Estimate;
use proptest::prelude::*;

use super::*;

fn estimate(value: f64) -> Estimate {
    Estimate { value, low: value - 0.03, high: value + 0.02 }
}

/// Every chart there is, with this text wherever a text goes and this number among its numbers.
pub fn every(text: &str, number: f64, width: f64) -> Vec<(&'static str, Chart)> {
    let name = |more: &str| format!("{text}{more}");
    let drop_rows: Vec<DropRow> = ["", "_b", "_c", "_d"]
        .iter()
        .enumerate()
        .map(|(at, more)| DropRow {
            name: name(more),
            drop: [Some(estimate(number)), Some(estimate(0.004)), Some(estimate(-0.05)), None][at],
            sure: at != 1,
            samples: 900 * at + 100,
        })
        .collect();
    let family_rows = [
        FamilyRow {
            name: name(""),
            parts: vec![(name("p"), estimate(number)), (name("q"), estimate(0.1))],
            mean: Some(estimate(0.07)),
            absent: name("?"),
        },
        FamilyRow { name: name("z"), parts: vec![], mean: None, absent: name("?") },
    ];
    let values: Vec<f64> = (1..200).map(|at| f64::from(at).sqrt() * number + 0.01).chain([f64::NAN, 0.0]).collect();
    let points: Vec<ScatterPoint> = (values.iter().enumerate())
        .map(|(at, value)| ScatterPoint { id: name(&at.to_string()), x: *value, y: 1.0 / value, class: at % 2 })
        .collect();
    let curve = |more: &str| Curve {
        name: name(more),
        points: (1..6).map(|x| (f64::from(x), estimate(number * f64::from(x)))).collect(),
    };
    let bin = |low: f64, samples: usize| ReliabilityBin {
        low,
        high: low + 0.1,
        samples,
        confidence: low + 0.05,
        accuracy: estimate(low),
    };
    let pair = |more: &str, after: f64| Pair { name: name(more), before: estimate(number), after: estimate(after) };
    let places: Vec<GaussianPoint> = (0..60)
        .map(f64::from)
        .map(|at| GaussianPoint { x: at.sin(), y: at.cos() * 2.0, value: at * number, direction: (at.cos(), at.sin()) })
        .collect();
    let log = Histogram { title: text, axis: text, values: &values, bins: 20, log: true };
    vec![
        ("drops", drops(&drop_rows, text, width)),
        ("families", families(&family_rows, text, width)),
        ("histogram", histogram(&log, width)),
        ("histogram_straight", histogram(&Histogram { log: false, ..log }, width)),
        (
            "scatter",
            scatter(
                &Scatter {
                    title: text,
                    x_axis: text,
                    y_axis: text,
                    x_log: true,
                    y_log: true,
                    classes: &["right", text],
                    points: &points,
                },
                width,
            ),
        ),
        (
            "deciles",
            deciles(
                &Deciles {
                    title: text,
                    axis: text,
                    score: text,
                    values: &[estimate(0.9), estimate(0.8), estimate(number)],
                    overall: Some(0.83),
                },
                width,
            ),
        ),
        (
            "reliability",
            reliability(
                &Reliability { ece: estimate(number), bins: vec![bin(0.5, 20), bin(0.6, 0), bin(0.9, 700)] },
                width,
            ),
        ),
        (
            "curves",
            curves(
                &Curves {
                    title: text,
                    x_axis: text,
                    y_axis: text,
                    x_log: false,
                    unit: Unit::Plain,
                    curves: &[curve("a"), curve("b")],
                },
                width,
            ),
        ),
        (
            "heat",
            heat(
                &Heat {
                    title: text,
                    what: text,
                    columns: &[name("1"), name("2")],
                    rows: &[(name("r"), vec![Some(estimate(number)), None])],
                    from: 0.5,
                },
                width,
            ),
        ),
        (
            "pairs",
            pairs(
                &Pairs {
                    title: text,
                    axis: text,
                    unit: Unit::Percent,
                    before: text,
                    after: text,
                    pairs: &[pair("a", 0.9), pair("b", 0.91)],
                },
                width,
            ),
        ),
        ("gaussians", gaussians(&places, text, text, width)),
    ]
}

/// XML that holds the elements and attributes of charts, and nothing else.
fn well_formed(svg: &str) -> Result<(), String> {
    let document = roxmltree::Document::parse(svg).map_err(|fault| fault.to_string())?;
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        if !["svg", "title", "desc", "line", "rect", "circle", "path", "text"].contains(&name) {
            return Err(format!("an element of no chart: {name}"));
        }
        if let Some(attribute) = node
            .attributes()
            .find(|attribute| ["style", "href", "id"].contains(&attribute.name()) || attribute.name().starts_with("on"))
        {
            return Err(format!("an attribute of no chart: {}", attribute.name()));
        }
    }
    Ok(())
}

#[test]
fn every_chart_has_words_and_numbers() {
    for width in [NARROW, WIDE] {
        for (name, chart) in every("typos", 0.12, width) {
            well_formed(&chart.svg).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            assert!(chart.svg.contains("<title>") && chart.svg.contains("<desc>"), "{name}");
            assert!(!chart.table.rows.is_empty(), "{name}");
            assert!(chart.table.rows.iter().all(|row| row.len() == chart.table.head.len()), "{name}");
            assert!(!chart.svg.contains("NaN") && !chart.svg.contains("inf"), "{name}");
            assert_eq!(chart, every("typos", 0.12, width).into_iter().find(|other| other.0 == name).unwrap().1);
        }
    }
}

#[test]
fn columns_that_say_nothing_are_left_out() {
    let mut table = ChartTable::new("", &["name", "empty", "half"]);
    table.rows = [["a", DASH, "1"], ["b", DASH, DASH]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
    let short = table.without_empty_columns();
    assert_eq!(short.head, ["name", "half"]);
    assert_eq!(short.rows, [["a", "1"], ["b", DASH]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_text_leaves_its_place(text in "\\PC{0,12}|[<>&\"'/a-z ]{0,30}|\\x00\\x1b.{0,9}", number in any::<f64>(), width in 120.0..2000.0) {
        for (name, chart) in every(&text, number, width) {
            prop_assert!(well_formed(&chart.svg).is_ok(), "{name}: {:?}", well_formed(&chart.svg));
            prop_assert!(chart.svg.chars().all(|letter| letter >= ' ' || letter == '\n'), "{name}");
        }
    }

    #[test]
    fn a_script_stays_text(number in -1.0..1.0) {
        for (name, chart) in every("\"><script>alert(1)</script><a href='javascript:x' onload=x>", number, WIDE) {
            prop_assert!(well_formed(&chart.svg).is_ok(), "{name}");
        }
    }
}
