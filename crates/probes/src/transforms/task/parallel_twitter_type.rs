use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, choices, transform};

use crate::support::parallel;

transform! {
    /// Adds the same handle or link to a text and to its translation.
    pub struct ParallelTwitterType {
        /// What is added.
        kind: What = What::Either;
        /// Where it goes.
        place: Place = Place::Start;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Relabelled),
        requires: &[Has::Translation],
        opens: &["target"],
        aliases: &["ParallelTwitterType"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        { kind = "handle" } "source:: He has 3 cats. // (target):: Er hat 3 Katzen." => "source:: @up63yz59 He has 3 cats. // (target):: @up63yz59 Er hat 3 Katzen.",
        { kind = "link", place = "end" } "source:: It rains. // (target):: Es regnet." => "source:: It rains. https://t.co/up63yz59 // (target):: Es regnet. https://t.co/up63yz59",
        "source:: It rains. // (target):: Es regnet." => "source:: https://t.co/p63yz59l It rains. // (target):: https://t.co/p63yz59l Es regnet.",
    ]
}

choices! {
    /// What is added to both texts.
    pub enum What { Either = "either", Handle = "handle", Link = "link" }
}

choices! {
    /// Where it is added.
    pub enum Place { Start = "start", End = "end" }
}

impl EditSample for ParallelTwitterType {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let texts = parallel::texts(sample)?;
        let handle = match self.kind {
            What::Handle => true,
            What::Link => false,
            What::Either => dice.chance(0.5),
        };
        let letters: String =
            (0..8).map(|_| char::from(b"abcdefghijklmnopqrstuvwxyz0123456789"[dice.below(36)])).collect();
        let added = if handle { format!("@{letters}") } else { format!("https://t.co/{letters}") };
        let edit = |(index, field): (usize, &&fissure_core::Field)| {
            let text = field.text.as_str();
            match self.place {
                Place::Start => Edit::insert(text.len() - text.trim_start().len(), format!("{added} ")).on(index),
                Place::End => Edit::insert(text.trim_end().len(), format!(" {added}")).on(index),
            }
        };
        if texts.iter().any(|field| field.text.trim().is_empty()) {
            return Ok(Vec::new());
        }
        Ok(texts.iter().enumerate().map(edit).collect())
    }
}
