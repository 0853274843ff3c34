//! Our own charts drawn on the page: the elements that `charts/svg.rs` writes, and no other SVG.

use roxmltree::{Document, Node};

use super::breaks::{clean, is_right_to_left};
use super::faces::{Face, Faces, width};
use super::galley::{Colour, Galley, Op, Run, Shape, Step, Stroke, rectangle};

/// The chart as wide as asked for; nothing if the text is no picture.
pub fn picture(faces: &Faces<'_>, svg: &str, wide: f32) -> Galley {
    let Ok(document) = Document::parse(svg) else { return Galley::default() };
    let root = document.root_element();
    let (width, height) = (number(root, "width", 1.0), number(root, "height", 1.0));
    let pen = Pen { faces, scale: wide / width.max(1.0), size: number(root, "font-size", 12.0) };
    let mut galley = Galley::new(wide, height * pen.scale);
    for node in root.children().filter(Node::is_element) {
        pen.draw(node, &mut galley);
    }
    galley
}

struct Pen<'f> {
    faces: &'f Faces<'f>,
    scale: f32,
    /// The size of letters where an element does not say.
    size: f32,
}

impl Pen<'_> {
    fn draw(&self, node: Node<'_, '_>, galley: &mut Galley) {
        let at = |name: &str| number(node, name, 0.0) * self.scale;
        let steps = match node.tag_name().name() {
            "line" => vec![Step::Move(at("x1"), at("y1")), Step::Line(at("x2"), at("y2"))],
            "rect" => rectangle(at("x"), at("y"), at("width"), at("height")),
            "circle" => circle(at("cx"), at("cy"), at("r")),
            "path" => self.path(node.attribute("d").unwrap_or_default()),
            "text" => return self.text(node, galley),
            _ => return,
        };
        let fill = if node.tag_name().name() == "line" { None } else { colour(node, "fill") };
        let opacity = (number(node, "fill-opacity", 1.0) * 100.0).round().clamp(0.0, 100.0) as u8;
        galley.ops.push(Op::Shape(Shape { steps, fill, opacity, stroke: self.stroke(node) }));
    }

    fn stroke(&self, node: Node<'_, '_>) -> Option<Stroke> {
        let dashes = node.attribute("stroke-dasharray").unwrap_or_default().split([' ', ',']);
        let dash = dashes.filter_map(|part| part.parse::<f32>().ok()).map(|part| part * self.scale).collect();
        Some(Stroke { colour: colour(node, "stroke")?, width: number(node, "stroke-width", 1.0) * self.scale, dash })
    }

    /// Lines from point to point: `M1 2L3 4Z`.
    fn path(&self, way: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut rest = way;
        while let Some(sign) = rest.chars().next() {
            let begin = sign.len_utf8();
            let end = rest[begin..].find(['M', 'L', 'Z']).map_or(rest.len(), |at| begin + at);
            let mut numbers = rest[begin..end].split([' ', ',']).filter_map(|part| part.parse::<f32>().ok());
            let mut next = || numbers.next().unwrap_or(0.0) * self.scale;
            steps.push(match sign {
                'M' => Step::Move(next(), next()),
                'L' => Step::Line(next(), next()),
                _ => Step::Close,
            });
            rest = &rest[end..];
        }
        steps
    }

    fn text(&self, node: Node<'_, '_>, galley: &mut Galley) {
        let words: String = node.children().filter(Node::is_text).filter_map(|node| node.text()).collect();
        let words = clean(&words);
        let face = if node.has_attribute("font-weight") { Face::Strong } else { Face::Sans };
        let size = number(node, "font-size", self.size) * self.scale;
        let from_right = words.chars().any(is_right_to_left);
        let mut parts: Vec<_> = (self.faces.split(face, &words).into_iter())
            .map(|(face, part)| (face, self.faces.shape(face, part, part.chars().any(is_right_to_left))))
            .collect();
        if from_right {
            parts.reverse();
        }
        let whole: f32 = parts.iter().map(|(_, glyphs)| width(glyphs)).sum::<f32>() * size / 1000.0;
        let before = match node.attribute("text-anchor") {
            Some("end") => whole,
            Some("middle") => whole / 2.0,
            _ => 0.0,
        };
        let upright = node.attribute("transform").is_some_and(|turn| turn.starts_with("rotate(-90"));
        let halo = node.attribute("paint-order").and_then(|_| colour(node, "stroke"));
        let halo = halo.map(|colour| (colour, number(node, "stroke-width", 0.0) * self.scale));
        let colour = colour(node, "fill").unwrap_or_default();
        let (x, y) = (number(node, "x", 0.0) * self.scale, number(node, "y", 0.0) * self.scale);
        let mut along = -before;
        for (face, glyphs) in parts {
            let (x, y) = if upright { (x, y - along) } else { (x + along, y) };
            along += width(&glyphs) * size / 1000.0;
            galley.ops.push(Op::Run(Run { x, y, face, size, colour, glyphs, upright, halo }));
        }
    }
}

fn circle(x: f32, y: f32, r: f32) -> Vec<Step> {
    // The handle that makes four curves a circle to the eye.
    let k = r * 0.552_285;
    vec![
        Step::Move(x + r, y),
        Step::Curve([x + r, y + k, x + k, y + r, x, y + r]),
        Step::Curve([x - k, y + r, x - r, y + k, x - r, y]),
        Step::Curve([x - r, y - k, x - k, y - r, x, y - r]),
        Step::Curve([x + k, y - r, x + r, y - k, x + r, y]),
        Step::Close,
    ]
}

fn number(node: Node<'_, '_>, name: &str, otherwise: f32) -> f32 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// `#rrggbb`; none if it says `none`, black if it says nothing of the fill.
fn colour(node: Node<'_, '_>, name: &str) -> Option<Colour> {
    let Some(text) = node.attribute(name) else { return (name == "fill").then_some([0; 3]) };
    let value = u32::from_str_radix(text.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some([red, green, blue])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg width=\"100\" height=\"50\" font-size=\"10\"><title>t</title>\
        <line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\" stroke=\"#ff0000\" stroke-dasharray=\"3 2\"/>\
        <path d=\"M1 2L-3.5 4Z\" fill=\"#00689f\" fill-opacity=\"0.25\"/>\
        <circle cx=\"5\" cy=\"5\" r=\"2\"/><text x=\"50\" y=\"20\" text-anchor=\"end\" fill=\"#1d2330\">ab</text></svg>";

    #[test]
    fn the_elements_of_our_charts_are_drawn() {
        let galley = picture(&Faces::open(None).unwrap(), SVG, 200.0);
        assert_eq!((galley.width, galley.height), (200.0, 100.0));
        let [Op::Shape(line), Op::Shape(path), Op::Shape(circle), Op::Run(text)] = &galley.ops[..] else {
            panic!("{:?}", galley.ops);
        };
        assert_eq!(line.stroke, Some(Stroke { colour: [255, 0, 0], width: 2.0, dash: vec![6.0, 4.0] }));
        assert_eq!(line.fill, None);
        assert_eq!(path.steps, [Step::Move(2.0, 4.0), Step::Line(-7.0, 8.0), Step::Close]);
        assert_eq!((path.fill, path.opacity, &path.stroke), (Some([0, 0x68, 0x9f]), 25, &None));
        assert_eq!((circle.fill, circle.steps[0]), (Some([0; 3]), Step::Move(14.0, 10.0)));
        let end = text.x + width(&text.glyphs) * text.size / 1000.0;
        assert!((end - 100.0).abs() < 1e-3 && text.y == 40.0, "{end} {}", text.y);
    }

    #[test]
    fn what_is_no_picture_is_left_out() {
        assert_eq!(picture(&Faces::open(None).unwrap(), "<svg", 200.0), Galley::default());
    }
}
