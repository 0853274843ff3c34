//! A font of the user's, for the letters that the typefaces inside the program lack: Han above all.

use rustybuzz::ttf_parser::{Face as Parsed, fonts_in_collection, name_id};

/// A font file (`.ttf`, `.otf`, `.ttc`), and which of its faces is used.
#[derive(Debug, Clone)]
pub struct Font {
    pub(super) bytes: Vec<u8>,
    /// The face, if the file is a collection.
    pub(super) index: u32,
    pub(super) name: String,
}

impl Font {
    /// The font in a file; `None` if it is none. Of a collection, the face for simplified Chinese if there is one.
    pub fn read(bytes: Vec<u8>) -> Option<Self> {
        let faces = fonts_in_collection(&bytes).unwrap_or(1);
        let is_simplified = |index: &u32| family(&bytes, *index).is_some_and(|name| name.ends_with(" SC"));
        let index = (0..faces).find(is_simplified).unwrap_or(0);
        let face = Parsed::parse(&bytes, index).ok()?;
        // A font without outlines that can be cut down cannot be put into the file.
        if face.tables().glyf.is_none() && face.tables().cff.is_none() {
            return None;
        }
        let name = named(&face, name_id::POST_SCRIPT_NAME).unwrap_or_else(|| "Given".to_owned());
        let name = name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        Some(Self { bytes, index, name })
    }

    /// The first of these letters that the font does not have.
    pub fn lacks(&self, letters: impl IntoIterator<Item = char>) -> Option<char> {
        let face = Parsed::parse(&self.bytes, self.index).ok()?;
        letters.into_iter().find(|letter| face.glyph_index(*letter).is_none())
    }
}

fn family(bytes: &[u8], index: u32) -> Option<String> {
    named(&Parsed::parse(bytes, index).ok()?, name_id::FAMILY)
}

/// A name of the face, in Latin letters if there is one.
fn named(face: &Parsed<'_>, id: u16) -> Option<String> {
    let names = face.names().into_iter().filter(|name| name.name_id == id && name.is_unicode());
    names.filter_map(|name| name.to_string()).find(|name| name.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_font_is_none() {
        assert!(Font::read(b"no font".to_vec()).is_none());
        assert!(Font::read(Vec::new()).is_none());
        let sans = include_bytes!("../../../fonts/sans.ttf").to_vec();
        let font = Font::read(sans).unwrap();
        assert_eq!((font.index, font.name.as_str()), (0, "NotoSans-Regular"));
        assert_eq!((font.lacks("Report".chars()), font.lacks("ab酒店".chars())), (None, Some('酒')));
    }
}
