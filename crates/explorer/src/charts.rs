//! The charts of the page, as SVG with everything a brush needs to know about its axes. Each stands beside its numbers
//! in a table. Colours and sizes of type are the style sheet's: the content policy allows no style in the markup.

use fissure_report::Chart;
use fissure_report::charts::NARROW;
use maud::{Markup, PreEscaped, html};

/// The picture's size, in its own units.
pub const WIDTH: f64 = 400.0;
/// The width of the report's charts, drawn for a telephone.
pub const REPORT_WIDTH: f64 = NARROW;
const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 10.0;
const TOP: f64 = 10.0;
/// The most points drawn; more are a cloud anyway.
const DRAWN: usize = 3000;

/// A logarithmic axis: exponents of ten.
#[derive(Debug, Clone)]
pub struct Axis {
    /// What the brush sets: `lambda`, `forecast`, `doubt`.
    pub name: &'static str,
    pub title: &'static str,
    pub from: f64,
    pub to: f64,
}

impl Axis {
    /// Whole decades around the finite values, not below `least`.
    pub fn around(name: &'static str, title: &'static str, values: impl Iterator<Item = f64>, least: f64) -> Self {
        let (from, to) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), value| (from.min(value.max(least)), to.max(value)));
        let (from, to) = if from <= to { (from.floor(), to.ceil()) } else { (-1.0, 0.0) };
        Self { name, title, from, to: to.max(from + 1.0) }
    }

    fn share(&self, value: f64) -> f64 {
        ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    /// Exponents to mark: at most `most` steps between them.
    fn ticks(&self, most: usize) -> Vec<i64> {
        let (from, to) = (self.from as i64, self.to as i64);
        let step = ((to - from) as usize).div_ceil(most.max(1)).max(1);
        (from..=to).rev().step_by(step).collect()
    }

    fn power(exponent: i64) -> String {
        const UP: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        let digits = exponent.unsigned_abs().to_string();
        let raised: String = digits.bytes().map(|digit| UP[usize::from(digit - b'0')]).collect();
        match exponent {
            0 => "1".into(),
            1 => "10".into(),
            ..0 => format!("10⁻{raised}"),
            _ => format!("10{raised}"),
        }
    }
}

/// Two counts for each bin: all, and those chosen.
pub fn histogram(axis: &Axis, all: &[usize], chosen: &[usize], narrowed: bool) -> Markup {
    const BOTTOM: f64 = 210.0;
    let highest = all.iter().copied().max().unwrap_or(0).max(1) as f64;
    let width = (RIGHT - LEFT) / all.len().max(1) as f64;
    let bar = |at: usize, count: usize, class: &'static str| {
        let height = (count as f64 / highest) * (BOTTOM - TOP);
        // A bin with anything in it can be seen.
        let height = if count > 0 { height.max(1.5) } else { 0.0 };
        html! {
            rect class=(class) x=(n(LEFT + at as f64 * width + 0.5)) y=(n(BOTTOM - height))
                width=(n((width - 1.0).max(0.5))) height=(n(height)) {}
        }
    };
    html! {
        svg.plot viewBox=(format!("0 0 {WIDTH} {}", BOTTOM + 42.0)) role="img"
            aria-label=(format!("Distribution of {}; its numbers are in the table below", axis.title))
            data-brush="x" data-left=(LEFT) data-right=(RIGHT) data-top=(TOP) data-bottom=(BOTTOM)
            data-x=(axis.name) data-x-from=(axis.from) data-x-to=(axis.to) {
            (grid_y(highest, BOTTOM))
            (title_y("examples", BOTTOM))
            @for (at, count) in all.iter().enumerate() { (bar(at, *count, if narrowed { "bar pale" } else { "bar" })) }
            @if narrowed { @for (at, count) in chosen.iter().enumerate() { (bar(at, *count, "bar")) } }
            (axis_x(axis, BOTTOM))
        }
        details.numbers {
            summary { "Numbers" }
            div.scroll { table {
                thead {
                    tr {
                        th scope="col" { (axis.title) } th.number scope="col" { "examples" }
                        th.number scope="col" { "chosen" }
                    }
                }
                tbody { @for (at, (count, chosen)) in all.iter().zip(chosen).enumerate() { @if *count > 0 {
                    tr {
                        td {
                            (crate::pages::number(10f64.powf(edge(axis, all.len(), at)))) " to "
                            (crate::pages::number(10f64.powf(edge(axis, all.len(), at + 1))))
                        }
                        td.number { (count) } td.number { (chosen) }
                    }
                } } }
            } }
        }
    }
}

fn edge(axis: &Axis, bins: usize, at: usize) -> f64 {
    axis.from + (axis.to - axis.from) * at as f64 / bins.max(1) as f64
}

/// One example in a scatter plot.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    pub example: usize,
    pub x: f64,
    pub y: f64,
    pub right: Option<bool>,
    pub chosen: bool,
}

/// Points over two logarithmic axes. Wrong answers are crosses, right ones rings: colour is not needed to distinguish them.
pub fn scatter(x: &Axis, y: &Axis, points: &[Point], model: usize) -> Markup {
    const BOTTOM: f64 = 230.0;
    let step = points.len().div_ceil(DRAWN).max(1);
    let class = |point: &Point| match (point.right, point.chosen) {
        (Some(false), true) => "wrong",
        (Some(false), false) => "wrong faint",
        (_, true) => "right",
        (_, false) => "right faint",
    };
    let place = |point: &Point| (LEFT + x.share(point.x) * (RIGHT - LEFT), BOTTOM - y.share(point.y) * (BOTTOM - TOP));
    html! {
        svg.plot viewBox=(format!("0 0 {WIDTH} {}", BOTTOM + 42.0)) role="img"
            aria-label=(format!("{} against {}; its numbers are in the table below", x.title, y.title))
            data-brush="xy" data-left=(LEFT) data-right=(RIGHT) data-top=(TOP) data-bottom=(BOTTOM)
            data-x=(x.name) data-x-from=(x.from) data-x-to=(x.to)
            data-y=(y.name) data-y-from=(y.from) data-y-to=(y.to) {
            @for tick in y.ticks(6) {
                @let at = BOTTOM - y.share(tick as f64) * (BOTTOM - TOP);
                line.grid x1=(LEFT) x2=(RIGHT) y1=(n(at)) y2=(n(at)) {}
                text.tick x=(LEFT - 5.0) y=(n(at + 4.0)) text-anchor="end" { (Axis::power(tick)) }
            }
            (title_y(y.title, BOTTOM))
            @for point in points.iter().step_by(step) {
                @let (cx, cy) = place(point);
                @if point.right == Some(false) {
                    path class=(class(point)) d=(format!("M{} {}l6 6m0-6l-6 6", n(cx - 3.0), n(cy - 3.0))) {}
                } @else {
                    circle class=(class(point)) cx=(n(cx)) cy=(n(cy)) r="2.6" {}
                }
            }
            (axis_x(x, BOTTOM))
        }
        p.legend {
            span.key {
                svg.sign viewBox="0 0 10 10" aria-hidden="true" { circle.right cx="5" cy="5" r="3" {} }
                " right, or no label"
            }
            span.key {
                svg.sign viewBox="0 0 10 10" aria-hidden="true" { path.wrong d="M2 2l6 6m0-6l-6 6" {} } " wrong"
            }
            @if step > 1 { span { "one point in " (step) " is drawn" } }
        }
        details.numbers {
            summary { "Numbers" }
            div.scroll { table {
                thead {
                    tr {
                        th scope="col" { "example" } th.number scope="col" { (x.title) }
                        th.number scope="col" { (y.title) } th scope="col" { "answer" }
                    }
                }
                tbody { @for point in points.iter().filter(|point| point.chosen).take(200) { tr {
                    td { a href=(format!("/example/{}?model={model}", point.example)) { "no. " (point.example + 1) } }
                    td.number { (crate::pages::number(10f64.powf(point.x))) }
                    td.number { (crate::pages::number(10f64.powf(point.y))) }
                    td { (crate::pages::verdict(point.right)) }
                } } }
            } }
            @if points.iter().filter(|point| point.chosen).count() > 200 {
                p.note { "The first 200; the list has them all." }
            }
        }
    }
}

/// A chart of the report, with its numbers beside it.
pub fn of_report(chart: &Chart) -> Markup {
    html! {
        (PreEscaped(&chart.svg))
        details.numbers {
            summary { "Numbers" }
            div.scroll { table {
                caption.hidden { (chart.table.caption) }
                thead { tr { @for name in &chart.table.head { th scope="col" { (name) } } } }
                tbody { @for row in &chart.table.rows { tr { @for cell in row { td { (cell) } } } } }
            } }
        }
    }
}

/// The name of the upright axis.
fn title_y(title: &str, bottom: f64) -> Markup {
    let middle = n((TOP + bottom) / 2.0);
    html! {
        text.title x="12" y=(middle) text-anchor="middle" transform=(format!("rotate(-90 12 {middle})")) { (title) }
    }
}

/// Lines at round counts.
fn grid_y(highest: f64, bottom: f64) -> Markup {
    let step = round_step(highest);
    html! {
        @for tick in (1..).map(|tick| f64::from(tick) * step).take_while(|tick| *tick <= highest) {
            @let at = bottom - tick / highest * (bottom - TOP);
            line.grid x1=(LEFT) x2=(RIGHT) y1=(n(at)) y2=(n(at)) {}
            text.tick x=(LEFT - 5.0) y=(n(at + 4.0)) text-anchor="end" { (format!("{tick:.0}")) }
        }
    }
}

/// A step of 1, 2 or 5 and zeros that goes two to five times into the highest count.
fn round_step(highest: f64) -> f64 {
    let zeros = 10f64.powf((highest / 4.0).max(1.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * zeros).find(|step| highest / step <= 5.0).unwrap_or(highest)
}

fn axis_x(axis: &Axis, bottom: f64) -> Markup {
    html! {
        line.axis x1=(LEFT) x2=(RIGHT) y1=(bottom) y2=(bottom) {}
        @for tick in axis.ticks(6) {
            @let at = LEFT + axis.share(tick as f64) * (RIGHT - LEFT);
            line.axis x1=(n(at)) x2=(n(at)) y1=(bottom) y2=(bottom + 4.0) {}
            text.tick x=(n(at)) y=(bottom + 16.0) text-anchor=(if at > RIGHT - 12.0 { "end" } else { "middle" }) {
                (Axis::power(tick))
            }
        }
        text.title x=(n((LEFT + RIGHT) / 2.0)) y=(bottom + 35.0) text-anchor="middle" { (axis.title) }
    }
}

/// A number of the picture, short.
fn n(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_whole_decades() {
        let axis = Axis::around("lambda", "lambda", [-2.3, 0.4, f64::NEG_INFINITY, f64::NAN].into_iter(), -12.0);
        assert_eq!((axis.from, axis.to), (-3.0, 1.0));
        assert_eq!(axis.ticks(6), [1, 0, -1, -2, -3]);
        assert_eq!(axis.ticks(2), [1, -1, -3]);
        let none = Axis::around("lambda", "lambda", [f64::NAN].into_iter(), -12.0);
        assert_eq!((none.from, none.to), (-1.0, 0.0));
        assert_eq!(Axis::power(-12), "10⁻¹²");
    }

    #[test]
    fn counts_are_marked_at_round_numbers() {
        assert_eq!(
            [1.0, 4.0, 9.0, 66.0, 82.0, 430.0, 2500.0].map(round_step),
            [1.0, 1.0, 2.0, 20.0, 20.0, 100.0, 500.0]
        );
    }

    #[test]
    fn a_point_lies_where_its_numbers_say() {
        let axis = Axis { name: "lambda", title: "l", from: -2.0, to: 0.0 };
        let point = Point { example: 0, x: -1.0, y: -2.0, right: None, chosen: true };
        let shown = scatter(&axis, &axis, &[point], 0).into_string();
        assert!(shown.contains(&format!("cx=\"{:.1}\" cy=\"230.0\"", (LEFT + RIGHT) / 2.0)), "{shown}");
    }

    /// WCAG's relative luminance.
    fn luminance(hex: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn words_can_be_read_on_every_paint() {
        let style = include_str!("../assets/style.css");
        let (light, rest) = style.split_once("@media (prefers-color-scheme: dark)").unwrap();
        let dark = rest.split_once("\n}").unwrap().0;
        for theme in [light, dark] {
            let colour = |name: &str| -> &str {
                let (_, value) = theme.split_once(&format!("--{name}: ")).unwrap();
                &value[..7]
            };
            let ink = luminance(colour("ink"));
            for paint in
                ["share", "pos", "neg"].iter().flat_map(|kind| (1..=5).map(move |step| format!("{kind}{step}")))
            {
                let ground = luminance(colour(&paint));
                let contrast = (ink.max(ground) + 0.05) / (ink.min(ground) + 0.05);
                assert!(contrast >= 4.5, "{paint} {}: {contrast:.2}", colour(&paint));
            }
        }
    }
}
