//! The colours, by what they mean. Chosen so that every two that meet differ for colour-blind eyes too (after Okabe and
//! Ito), and darkened or lightened until text in them can be read on its ground.

/// A colour by its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Text,
    Muted,
    Axis,
    Grid,
    /// The ground itself: for hollow marks.
    Paper,
    Worse,
    Better,
    Unclear,
    /// The colours of lines and classes, in order; after the last comes the first again.
    Series(usize),
}

/// (class, light, dark)
const PALETTE: &[(&str, &str, &str)] = &[
    ("text", "#1d2330", "#e8eaf0"),
    ("muted", "#566072", "#a5afc0"),
    ("axis", "#8791a1", "#74808f"),
    ("grid", "#e4e7ec", "#2b323e"),
    ("paper", "#ffffff", "#151920"),
    ("worse", "#c04a00", "#ff9a52"),
    ("better", "#00689f", "#62bdf2"),
    ("unclear", "#6d7686", "#8f99a9"),
    ("series0", "#00689f", "#62bdf2"),
    ("series1", "#c04a00", "#ff9a52"),
    ("series2", "#007a5a", "#3ccba3"),
    ("series3", "#94447a", "#e6a0cb"),
    ("series4", "#7a6200", "#e8d447"),
];

/// How many colours of lines there are.
const SERIES: usize = 5;

impl Ink {
    fn entry(self) -> &'static (&'static str, &'static str, &'static str) {
        let at = match self {
            Self::Text => 0,
            Self::Muted => 1,
            Self::Axis => 2,
            Self::Grid => 3,
            Self::Paper => 4,
            Self::Worse => 5,
            Self::Better => 6,
            Self::Unclear => 7,
            Self::Series(number) => 8 + number % SERIES,
        };
        &PALETTE[at]
    }

    pub fn class(self) -> &'static str {
        self.entry().0
    }

    pub fn light(self) -> &'static str {
        self.entry().1
    }
}

/// The style sheet that gives the charts of a page its light or dark colours: by the system's wish, or by
/// `data-theme="light"` / `"dark"` on the page's root.
pub fn style() -> String {
    let variables = |dark: bool| -> String {
        PALETTE
            .iter()
            .map(|(class, light, night)| format!("--chart-{class}:{};", if dark { night } else { light }))
            .collect()
    };
    let classes: String = PALETTE
        .iter()
        .map(|(class, ..)| {
            format!(".chart .f-{class}{{fill:var(--chart-{class})}}.chart .s-{class}{{stroke:var(--chart-{class})}}\n")
        })
        .collect();
    format!(
        ":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n\
         @media screen{{:root[data-theme=dark]{{{dark}}}}}\n\
         .chart{{display:block;width:100%;height:auto;font-family:inherit}}\n{classes}",
        light = variables(false),
        dark = variables(true),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG's relative luminance.
    fn luminance(hex: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn text_and_marks_can_be_read_on_their_ground() {
        let (_, paper, night) = Ink::Paper.entry();
        let contrast = |a: &str, b: &str| {
            let (a, b) = (luminance(a), luminance(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for (class, light, dark) in PALETTE {
            let wanted = match *class {
                "grid" | "paper" => continue,
                "axis" => 3.0,
                _ => 4.5,
            };
            assert!(contrast(light, paper) >= wanted, "{class} {light}: {:.2}", contrast(light, paper));
            assert!(contrast(dark, night) >= wanted, "{class} {dark}: {:.2}", contrast(dark, night));
        }
    }
}
