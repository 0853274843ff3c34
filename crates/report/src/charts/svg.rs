//! A small writer of SVG: elements with colours by meaning, every text escaped, every number written one way.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;

use super::ink::Ink;
use crate::escape::label;

/// A picture in the making.
#[derive(Debug)]
pub struct Svg {
    width: f64,
    body: String,
}

impl Svg {
    pub fn new(width: f64) -> Self {
        Self { width, body: String::new() }
    }

    #[allow(clippy::needless_pass_by_value, reason = "an element is made where it is put")]
    pub fn put(&mut self, element: Element) {
        element.write(&mut self.body);
    }

    /// The whole picture, with words for those who cannot see it.
    pub fn finish(self, height: f64, title: &str, description: &str) -> String {
        let (width, height) = (number(self.width), number(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"system-ui, Helvetica, Arial, sans-serif\" \
             font-size=\"12\" aria-label=\"{title}. {description}\"><title>{title}</title><desc>{description}</desc>\n\
             {}</svg>\n",
            self.body,
            title = label(title),
            description = label(description),
        )
    }
}

/// One shape or text.
#[derive(Debug)]
pub struct Element {
    tag: &'static str,
    attributes: String,
    fill: Option<Ink>,
    classes: Vec<String>,
    content: String,
    tip: Option<String>,
}

impl Element {
    fn new(tag: &'static str) -> Self {
        Self { tag, attributes: String::new(), fill: None, classes: Vec::new(), content: String::new(), tip: None }
    }

    pub fn line(x1: f64, y1: f64, x2: f64, y2: f64) -> Self {
        Self::new("line").with("x1", x1).with("y1", y1).with("x2", x2).with("y2", y2)
    }

    pub fn rect(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self::new("rect").with("x", x).with("y", y).with("width", width.max(0.0)).with("height", height.max(0.0))
    }

    pub fn circle(x: f64, y: f64, radius: f64) -> Self {
        Self::new("circle").with("cx", x).with("cy", y).with("r", radius)
    }

    /// A path through points; `closed` joins the last to the first.
    pub fn path(points: &[(f64, f64)], closed: bool) -> Self {
        let mut way = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let _ = write!(way, "{}{} {}", if at == 0 { "M" } else { "L" }, number(*x), number(*y));
        }
        if closed {
            way.push('Z');
        }
        let mut element = Self::new("path").data("d", &way);
        if !closed {
            element.attributes.push_str(" fill=\"none\"");
        }
        element
    }

    pub fn text(x: f64, y: f64, text: &str) -> Self {
        let mut element = Self::new("text").with("x", x).with("y", y).fill(Ink::Text);
        element.content = label(text);
        element
    }

    fn with(mut self, name: &str, value: f64) -> Self {
        let _ = write!(self.attributes, " {name}=\"{}\"", number(value));
        self
    }

    /// An attribute with any text: `data-id` and the like.
    pub fn data(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.attributes, " {name}=\"{}\"", label(value));
        self
    }

    pub fn fill(mut self, ink: Ink) -> Self {
        self.fill = Some(ink);
        self
    }

    /// A colour that means a value, the same by day and by night.
    pub fn colour(self, hex: &str) -> Self {
        self.data("fill", hex)
    }

    pub fn stroke(mut self, ink: Ink, width: f64) -> Self {
        self.classes.push(format!("s-{}", ink.class()));
        let _ = write!(self.attributes, " stroke=\"{}\"", ink.light());
        self.with("stroke-width", width)
    }

    pub fn dash(self, dash: &str) -> Self {
        if dash.is_empty() { self } else { self.data("stroke-dasharray", dash) }
    }

    pub fn faint(self, opacity: f64) -> Self {
        self.data("fill-opacity", &format!("{opacity:.2}"))
    }

    pub fn end(self) -> Self {
        self.data("text-anchor", "end")
    }

    pub fn middle(self) -> Self {
        self.data("text-anchor", "middle")
    }

    pub fn bold(self) -> Self {
        self.data("font-weight", "600")
    }

    pub fn size(self, size: f64) -> Self {
        self.with("font-size", size)
    }

    /// Keeps lines behind it from running through its letters.
    pub fn halo(self) -> Self {
        self.stroke(Ink::Paper, 4.0).data("paint-order", "stroke").data("stroke-linejoin", "round")
    }

    /// Turned by a quarter, to be read from below.
    pub fn upright(self, x: f64, y: f64) -> Self {
        self.data("transform", &format!("rotate(-90 {} {})", number(x), number(y)))
    }

    /// A class of its own, for pages that look for it.
    pub fn class(mut self, class: &str) -> Self {
        self.classes.push(class.to_owned());
        self
    }

    /// The text of its tooltip.
    pub fn tip(mut self, text: &str) -> Self {
        self.tip = Some(label(text));
        self
    }

    fn write(&self, out: &mut String) {
        let _ = write!(out, "<{}{}", self.tag, self.attributes);
        let mut classes = self.classes.clone();
        if let Some(ink) = self.fill {
            let _ = write!(out, " fill=\"{}\"", ink.light());
            classes.push(format!("f-{}", ink.class()));
        }
        if !classes.is_empty() {
            let _ = write!(out, " class=\"{}\"", classes.join(" "));
        }
        match (&self.tip, self.content.is_empty()) {
            (None, true) => out.push_str("/>\n"),
            (tip, _) => {
                out.push('>');
                if let Some(tip) = tip {
                    let _ = write!(out, "<title>{tip}</title>");
                }
                let _ = writeln!(out, "{}</{}>", self.content, self.tag);
            }
        }
    }
}

/// A coordinate: one decimal is finer than any screen, and keeps files small.
pub fn number(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// About how wide a text is in a plain sans-serif face; wide faces (DejaVu, Verdana) are the measure, for a label that is
/// cut is worse than some white.
pub fn text_width(text: &str, size: f64) -> f64 {
    let units: f64 = text
        .chars()
        .map(|letter| match letter {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.33,
            '[' | ']' | '(' | ')' | 't' | 'f' | 'r' | '-' => 0.42,
            'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.97,
            'A'..='Z' => 0.72,
            '+' | '−' | '<' | '>' | '=' => 0.84,
            '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' => 0.0,
            letter if (letter as u32) < 0x1100 => 0.63,
            _ => 1.05,
        })
        .sum();
    units * size
}

/// The text, or as much of it as fits with an ellipsis.
pub fn fit(text: &str, size: f64, room: f64) -> String {
    // Far more than fits anywhere; a hostile name of ten megabytes is not measured to its end.
    let text: String = text.graphemes(true).take(200).collect();
    if text_width(&text, size) <= room {
        return text;
    }
    let mut kept = String::new();
    for grapheme in text.graphemes(true) {
        if text_width(&kept, size) + text_width(grapheme, size) + text_width("…", size) > room {
            break;
        }
        kept.push_str(grapheme);
    }
    kept + "…"
}
