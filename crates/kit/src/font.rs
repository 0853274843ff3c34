//! The font for letters that the typefaces inside the program lack: the user's, or one that is installed.

use std::path::Path;

use fissure_report::{Document, Font};

use crate::notice::note;
use crate::{Error, Result};

/// Fonts with Han characters, where systems keep them; the first that is there is taken.
const INSTALLED: &[&str] = &[
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/wenquanyi/wqy-microhei/wqy-microhei.ttc",
    "/System/Library/Fonts/PingFang.ttc",
    "/System/Library/Fonts/STHeiti Light.ttc",
    "C:\\Windows\\Fonts\\msyh.ttc",
    "C:\\Windows\\Fonts\\simhei.ttf",
];

/// The font that a PDF of this document needs; `None` if it needs none, or none is found. A font that is given is used
/// whatever the texts.
pub fn of(document: &Document, given: Option<&Path>) -> Result<Option<Font>> {
    if let Some(path) = given {
        let bytes = std::fs::read(path).map_err(Error::reading(path.display().to_string()))?;
        return match Font::read(bytes) {
            Some(font) => {
                // That a font was given does not say that it has what the texts need.
                let html = fissure_report::html(document);
                if let Some(letter) = font.lacks(html.chars().filter(is_wide)) {
                    note(&format!(
                        "{} lacks characters of the texts (`{letter}`): the PDF shows boxes in their place",
                        path.display()
                    ));
                }
                Ok(Some(font))
            }
            None => Err(Error::NoFont { path: path.to_owned() }),
        };
    }
    if !needs_han(document) {
        return Ok(None);
    }
    for path in INSTALLED {
        let font = std::fs::read(path).ok().and_then(Font::read);
        if let Some(font) = font {
            note(&format!("the PDF takes its Han characters from {path} (--font FILE to choose)"));
            return Ok(Some(font));
        }
    }
    note("no font with Han characters is installed: the PDF shows boxes in their place; --font FILE gives one");
    Ok(None)
}

/// Whether any text of the report has Han characters, kana or Hangul.
fn needs_han(document: &Document) -> bool {
    fissure_report::html(document).chars().any(|letter| is_wide(&letter))
}

fn is_wide(letter: &char) -> bool {
    fissure_core::is_word_character(*letter) || ('\u{ac00}'..='\u{d7a3}').contains(letter)
}
