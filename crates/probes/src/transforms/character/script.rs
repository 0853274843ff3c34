use fissure_core::{Dice, Edit, EditText, Proposal, Text, choices, transform};
use fissure_text::chinese::script::{Script as Written, script_of, to_simplified};

use crate::support::chinese::{Han, replacement};

transform! {
    /// Writes a Chinese text in the other script: `後來皇后` for `后来皇后`.
    ///
    /// Words decide where a simplified character stands for several traditional ones (`头发` is `頭髮`, `发现` is `發現`). What
    /// both scripts share stays, so that a text may be left as it is.
    pub struct Script {
        /// The script to write in.
        to: To = To::Other;
    }
    card: {
        level: Some(Character),
        family: Some(Morphology),
        expectation: Some(Kept),
        languages: &[Chinese],
        citation: Some("Own; after the SIGHAN tasks, which give both scripts"),
    }
    examples: [
        "他发现头发长了，后来皇后也来了。" => "他發現頭髮長了，後來皇后也來了。",
        "這間酒店環境和服務態度亦算不錯" => "这间酒店环境和服务态度亦算不错",
        { to = "traditional" } "这里的面条很好吃。" => "這裡的麵條很好吃。",
        { to = "traditional" } "這間酒店" => "這間酒店",
    ]
}

choices! {
    /// A script of Chinese.
    pub enum To { Other = "other", Simplified = "simplified", Traditional = "traditional" }
}

impl EditText for Script {
    fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
        let to = match (self.to, script_of(text)) {
            (To::Simplified, _) | (To::Other, Written::Traditional) => Written::Simplified,
            (To::Traditional, _) | (To::Other, Written::Simplified) => Written::Traditional,
        };
        let mut edits: Vec<Edit> = Vec::new();
        if to == Written::Simplified {
            edits.extend(replacement(0, text, &to_simplified(text)));
        } else {
            // Word by word: the characters of two words next to each other are no word.
            let han = Han::of(text);
            edits.extend(
                han.han().flat_map(|at| replacement(han.span(at).start, han.written(at), &to.write(han.written(at)))),
            );
        }
        Ok(edits)
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<fissure_core::Place>> {
        let edits = self.edit_text(text, &mut Dice::new(0, &[])).ok()?;
        let place = |edit: Edit| fissure_core::Place::new(edit.span, vec![fissure_core::Candidate::new(edit.with)]);
        Some(edits.into_iter().map(place).collect())
    }
}
