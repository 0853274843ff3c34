//! The frame of a chart with two axes: grid, ticks, names of the axes.

use super::ink::Ink;
use super::scale::{Scale, Tick};
use super::svg::{Element, Svg, fit, text_width};

/// Two axes laid out in a picture.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    pub x: Scale,
    pub y: Scale,
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
}

/// The size of the words at ticks.
pub const TICK: f64 = 11.0;

/// What stands beside an axis, and its scale.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    pub name: &'a str,
    pub scale: Scale,
}

impl Frame {
    /// Draws the axes into `svg`, in a box `width` wide and `height` high that starts at `top`. What is below the box is
    /// free for a legend.
    pub fn draw(svg: &mut Svg, x: Axis<'_>, y: Axis<'_>, width: f64, top: f64, height: f64) -> Self {
        let widest = y.scale.ticks().iter().map(|tick| text_width(&tick.label, TICK)).fold(0.0, f64::max);
        let (left, right) = (widest + 30.0, width - 14.0);
        let bottom = top + height - 38.0;
        let top = top + 8.0;
        let x_scale = thinned(x.scale.over(left, right));
        let y_scale = y.scale.over(bottom, top);
        for tick in y_scale.ticks() {
            svg.put(Element::line(left, tick.at, right, tick.at).stroke(Ink::Grid, 1.0));
            svg.put(Element::text(left - 6.0, tick.at + 4.0, &tick.label).end().size(TICK).fill(Ink::Muted));
        }
        svg.put(Element::line(left, bottom, right, bottom).stroke(Ink::Axis, 1.0));
        ticks_below(svg, &x_scale.ticks(), bottom);
        name_below(svg, x.name, (left, right), bottom + 32.0);
        let middle = f64::midpoint(top, bottom);
        let name = fit(y.name, 12.0, bottom - top);
        svg.put(Element::text(13.0, middle, &name).middle().fill(Ink::Muted).upright(13.0, middle));
        Self { x: x_scale, y: y_scale, left, right, bottom }
    }
}

/// Ticks and their words below a line.
pub fn ticks_below(svg: &mut Svg, ticks: &[Tick], y: f64) {
    for tick in ticks {
        svg.put(Element::line(tick.at, y, tick.at, y + 4.0).stroke(Ink::Axis, 1.0));
        svg.put(Element::text(tick.at, y + 15.0, &tick.label).middle().size(TICK).fill(Ink::Muted));
    }
}

/// The name of an axis, in the middle below it.
pub fn name_below(svg: &mut Svg, name: &str, (left, right): (f64, f64), y: f64) {
    let name = fit(name, 12.0, right - left + 20.0);
    svg.put(Element::text(f64::midpoint(left, right), y, &name).middle().fill(Ink::Muted));
}

/// The scale with as many ticks as their words have room for.
pub fn thinned(scale: Scale) -> Scale {
    let roomy = |scale: &Scale| {
        scale.ticks().windows(2).all(|pair| {
            let half = |tick: &Tick| text_width(&tick.label, TICK) / 2.0;
            (pair[1].at - pair[0].at).abs() >= half(&pair[0]) + half(&pair[1]) + 6.0
        })
    };
    (1..=8).rev().map(|wish| scale.wishing(wish)).find(roomy).unwrap_or(scale.wishing(1))
}
