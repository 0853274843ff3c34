use fissure_core::{Aids, Dice, Edit, EditSample, Field, Proposal, Sample, choices, transform};

use crate::support::agreement;

transform! {
    /// Adds a sentence that has nothing to do with the text, before or after it.
    ///
    /// Texts that are compared get the same sentence. A hypothesis and a question get none: what is added to a premise
    /// or a passage leaves the answer as it was, but nothing supports a hypothesis that claims more.
    pub struct AppendIrr {
        /// Where the sentence goes.
        place: Place = Place::After;
        /// How many different sentences to add.
        sentences: usize = 1, in 1..=5;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        languages: &[English],
        // The new words would be tokens without a label.
        does: &[Rewrites],
        aliases: &["AppendIrr"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.4.1"),
        human: Some(HumanScores { plausibility: (3.73, 3.66), grammaticality: (3.77, 3.74) }),
    }
    examples: [
        "The soup was hot." => "The soup was hot. The lamp on the desk has a long cord.",
        { place = "before", seed = "1" } "The soup was hot." => "The office opens after breakfast. The soup was hot.",
        { sentences = "2" } "The soup was hot"
            => "The soup was hot. The lamp on the desk has a long cord. The post arrives around noon.",
    ]
}

choices! {
    /// Where an irrelevant sentence goes.
    pub enum Place { Before = "before", After = "after", Either = "either" }
}

impl EditSample for AppendIrr {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Aids) -> Proposal {
        let mut chosen = dice.choose(SENTENCES.len(), self.sentences);
        dice.shuffle(&mut chosen);
        let added = chosen.into_iter().map(|at| SENTENCES[at]).collect::<Vec<_>>().join(" ");
        let before = match self.place {
            Place::Before => true,
            Place::After => false,
            Place::Either => dice.chance(0.5),
        };
        let takes = |field: &Field| field.open && !agreement::is_claim(field) && !field.text.trim().is_empty();
        let fields = sample.fields.iter().enumerate().filter(|(_, field)| takes(field));
        let put = if before { put_before } else { put_after };
        Ok(fields.map(|(index, field)| put(field, &added).on(index)).collect())
    }
}

fn put_before(field: &Field, added: &str) -> Edit {
    Edit::insert(field.text.len() - field.text.trim_start().len(), format!("{added} "))
}

pub(crate) fn put_after(field: &Field, added: &str) -> Edit {
    let text = field.text.trim_end();
    // A text that stops without a full stop would run into the sentence.
    let stop = if text.ends_with(char::is_alphanumeric) { "." } else { "" };
    Edit::insert(text.len(), format!("{stop} {added}"))
}

/// Written for this project: plain statements without praise or blame, numbers, names, or a word that points back.
const SENTENCES: [&str; 32] = [
    "The river runs north of the village.",
    "A kettle takes a few minutes to boil.",
    "Some trees lose their leaves in autumn.",
    "The bus stops in front of the library.",
    "Most windows are made of glass.",
    "The shop on the corner sells paint.",
    "Rain is expected towards the weekend.",
    "Bricks are usually red or brown.",
    "A clock hangs above the kitchen door.",
    "The harbour lies on the eastern side of the island.",
    "Bread is baked in the early morning.",
    "The bridge was painted green last spring.",
    "A ladder leans against the garden wall.",
    "The office opens after breakfast.",
    "Sand is carried by the wind.",
    "The train crosses a valley on the way to the coast.",
    "Maps are kept in the lower drawer.",
    "A fence divides the two fields.",
    "The museum has a back entrance.",
    "Candles are sold in boxes.",
    "Geese fly south before winter.",
    "The path behind the mill leads to a pond.",
    "Paper can be made from cotton.",
    "The lamp on the desk has a long cord.",
    "Apples are stored in the cellar.",
    "A carpet covers the floor of the hall.",
    "The post arrives around noon.",
    "Salt dissolves in water.",
    "The roof of the barn is made of tin.",
    "A road sign stands near the crossing.",
    "Pencils are sharpened at both ends in some schools.",
    "The tide changes during the night.",
];
