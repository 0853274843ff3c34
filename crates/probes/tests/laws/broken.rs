//! Parts that are wrong on purpose, one fault each: what the laws must catch.

use fissure_core::{
    Anchor, Change, Dice, Edit, EditSample, EditText, End, Label, Mark, Piece, Proposal, Resources, Sample, Skip, Text,
    Transform, Words, layer, slice, transform,
};

/// Declares a part that edits one text, with a card on which only what the test is about is wrong.
macro_rules! broken_text {
    ($module:ident, $Name:ident, $docs:literal, expectation $expectation:ident, $edit:expr) => {
        pub mod $module {
            use super::*;

            transform! {
                #[doc = $docs]
                pub struct $Name {}
                card: { level: Some(Sentence), expectation: Some($expectation) }
                examples: []
            }

            impl EditText for $Name {
                fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
                    let edit: fn(&Text) -> Vec<Edit> = $edit;
                    Ok(edit(text))
                }
            }
        }
    };
}

broken_text!(misfiled, Misfiled, "Lives in a file of another name.", expectation Kept, |_| Vec::new());
broken_text!(sleeping, Sleeping, "Never does anything.", expectation Kept, |_| Vec::new());
broken_text!(overlapping, Overlapping, "Edits the same bytes twice.", expectation Kept, |text| {
    Words::new(text).flat_map(|word| [Edit::delete(word.span), Edit::replace(word.span, "x")]).collect()
});
broken_text!(idle, Idle, "Takes a letter out and puts it back.", expectation Kept, |text| {
    let first = text.chars().next();
    first.map_or_else(Vec::new, |first| {
        let span = 0..first.len_utf8();
        vec![Edit::delete(span.clone()), Edit::insert(span.end, first)]
    })
});
broken_text!(sweeping, Sweeping, "Rewrites the whole text to change its end.", expectation Unsure, |text| {
    vec![Edit::replace(0..text.len(), format!("{}!", text.as_str()))]
});
broken_text!(cutting, Cutting, "Cuts words out and says that the label is kept.", expectation Kept, |text| {
    Words::new(text).map(|word| Edit::delete(word.span)).collect()
});
broken_text!(counting, Counting, "Counts the texts it has seen.", expectation Kept, |_| {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    vec![Edit::insert(0, SEEN.fetch_add(1, Ordering::Relaxed).to_string())]
});

/// Declares a part that changes labels, with one fault.
macro_rules! broken_labels {
    ($module:ident, $Name:ident, $docs:literal, expectation $expectation:ident, $change:expr) => {
        pub mod $module {
            use super::*;

            transform! {
                #[doc = $docs]
                pub struct $Name {}
                card: { level: Some(Sentence), expectation: Some($expectation) }
                examples: []
            }

            impl Transform for $Name {
                fn propose(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Result<Change, Skip> {
                    let change: fn(&Sample) -> Option<Change> = $change;
                    Ok(change(sample).unwrap_or_default())
                }
            }
        }
    };
}

broken_labels!(misplacing, Misplacing, "Moves a mark to other words.", expectation Relabelled, |sample| {
    let (at, mark) = sample.layer(layer::ASPECT).next()?;
    let mut piece = Piece::cut(sample, mark.field, mark.span) + " thing";
    piece.labels.marks.iter_mut().for_each(|brought| brought.mark.span = (piece.text.len() - 5..piece.text.len()).into());
    let _ = at;
    Some(Edit::put(mark.span, piece).on(mark.field).into())
});
broken_labels!(tagless, Tagless, "Adds words without a token to a list of tokens.", expectation Relabelled, |sample| {
    let field = sample.fields.first().filter(|field| field.from_tokens)?;
    Some(Edit::insert(field.text.len(), " indeed").into())
});
broken_labels!(two_roots, TwoRoots, "Adds a second root to a tree.", expectation Relabelled, |sample| {
    sample.links.iter().find(|link| link.layer == layer::ROOT)?;
    let mark = Mark::new(layer::TOKEN, 0, (1..5).into(), "INTJ", Anchor::Elastic);
    let piece = Piece::words(" well").mark(mark).link(layer::ROOT, End::Brought(0), End::Brought(0), "root");
    Some(Edit::put(sample.fields[0].text.len()..sample.fields[0].text.len(), piece).into())
});
broken_labels!(misspelling, Misspelling, "Sets a class that the file does not have.", expectation Relabelled, |sample| {
    sample.label.as_ref()?;
    Some(Change::from(Edit::insert(0, "Not: ")).with_label(Label::from("Contradicts!")))
});
broken_labels!(secretive, Secretive, "Sets a class and says that it is kept.", expectation Kept, |sample| {
    sample.label.as_ref()?;
    Some(Change::from(Edit::insert(0, "Not: ")).with_label(Label::from("contradiction")))
});

pub mod mumbling {
    use super::*;

    transform! {
        /// does something to the text
        pub struct Mumbling {
            /// how much
            force: usize = 1;
        }
        card: {}
        examples: []
    }

    impl EditText for Mumbling {
        fn edit_text(&self, _: &Text, _: &mut Dice) -> Proposal {
            Ok(Vec::new())
        }
    }
}

pub mod boastful {
    use super::*;

    transform! {
        /// Adds one exclamation mark and shows two.
        pub struct Boastful {}
        card: { expectation: Some(Kept) }
        examples: ["so good" => "so good!!"]
    }

    impl EditText for Boastful {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            Ok(vec![Edit::insert(text.len(), "!")])
        }
    }
}

pub mod out_of_range {
    use super::*;

    transform! {
        /// Has a default that no user could set.
        pub struct OutOfRange {
            /// How much.
            force: usize = 7, in 0..=3;
        }
        card: { expectation: Some(Kept) }
        examples: []
    }

    impl EditText for OutOfRange {
        fn edit_text(&self, _: &Text, _: &mut Dice) -> Proposal {
            Ok(Vec::new())
        }
    }
}

pub mod rateless {
    use super::*;
    use fissure_core::Amount;

    transform! {
        /// Has a rate and does not look at it.
        pub struct Rateless {
            ..Amount::share(0.1);
        }
        card: { expectation: Some(Kept) }
        examples: []
    }

    impl EditText for Rateless {
        fn edit_text(&self, _: &Text, _: &mut Dice) -> Proposal {
            Ok(vec![Edit::insert(0, "x")])
        }
    }
}

pub mod trespassing {
    use super::*;

    transform! {
        /// Edits every field, whether or not it is open.
        pub struct Trespassing {}
        card: { expectation: Some(Kept) }
        examples: []
    }

    impl EditSample for Trespassing {
        fn edit_sample(&self, _: &Sample, _: &mut Dice, _: &Resources) -> Proposal {
            Ok(vec![Edit::insert(0, "x")])
        }
    }
}

pub mod one_sided {
    use super::*;

    transform! {
        /// Renames in the first text alone, and says that the label is kept.
        pub struct OneSided {}
        card: { expectation: Some(Kept), renames: true }
        examples: []
    }

    impl EditSample for OneSided {
        fn edit_sample(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Proposal {
            let Some(field) = sample.fields.first().filter(|field| field.open) else { return Ok(Vec::new()) };
            let names = ["Mary", "Johnson", "Paris", "Hanks", "Spanish", "Robert"];
            let known = Words::new(&field.text).filter(|word| names.contains(&word.text));
            Ok(known.map(|word| Edit::replace(word.span, "Zebedee")).collect())
        }
    }
}

pub mod careless {
    use super::*;

    transform! {
        /// Doubles the first letter of every word, whether or not it carries a label.
        pub struct Careless {}
        card: { level: Some(Character), expectation: Some(Kept) }
        examples: []
    }

    impl EditText for Careless {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            let doubled = |word: fissure_core::Word<'_>| {
                word.letter(0).map(|letter| Edit::insert(word.span.start + letter.len(), letter))
            };
            Ok(Words::new(text).filter_map(doubled).collect())
        }
    }
}

pub mod favouring {
    use super::*;
    use fissure_core::{Amount, EditWord, Word};

    transform! {
        /// Says that every word is as likely and changes early words more often.
        pub struct Favouring {
            ..Amount::share(0.2);
        }
        card: { level: Some(Word), expectation: Some(Kept) }
        examples: []
    }

    impl EditWord for Favouring {
        fn amount(&self) -> Amount {
            self.amount
        }

        fn accepts(&self, _: Word<'_>) -> bool {
            true
        }

        fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
            // The law draws at each place until it takes a change, so it does not see that late words refuse some of the time.
            let refuses = word.span.start > 40 && dice.chance(0.2);
            (!refuses).then(|| format!("{}x", word.text))
        }
    }
}

pub mod unlisted {
    use super::*;
    use fissure_core::{Amount, Candidate, EditWord, Word};

    transform! {
        /// Lists one thing and draws another.
        pub struct Unlisted {
            ..Amount::share(0.2);
        }
        card: { level: Some(Word), expectation: Some(Kept) }
        examples: []
    }

    impl EditWord for Unlisted {
        fn amount(&self) -> Amount {
            self.amount
        }

        fn accepts(&self, _: Word<'_>) -> bool {
            true
        }

        fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
            Some(vec![Candidate::new(format!("{}x", word.text))])
        }

        fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
            // One time in ten, so that only many seeds show it.
            Some(format!("{}{}", word.text, if dice.chance(0.1) { "y" } else { "x" }))
        }
    }
}

pub mod blank_lists {
    use super::*;
    use fissure_core::{Candidate, Place};

    transform! {
        /// Lists a candidate that cuts a letter in two.
        pub struct BlankLists {}
        card: { level: Some(Word), expectation: Some(Kept) }
        examples: []
    }

    impl EditText for BlankLists {
        fn edit_text(&self, _: &Text, _: &mut Dice) -> Proposal {
            Ok(Vec::new())
        }

        fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
            let along = vec![Edit::delete(0..text.len() + 1)];
            Some(vec![Place::new(0..0, vec![Candidate { along, ..Candidate::new("x") }])])
        }
    }
}

pub mod english_only {
    use super::*;

    transform! {
        /// Adds an English word to every text, and says that it knows every language.
        pub struct EnglishOnly {}
        card: { level: Some(Sentence), expectation: Some(Kept), languages: &[Any] }
        examples: []
    }

    impl EditText for EnglishOnly {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            Ok(vec![Edit::insert(text.len(), " indeed")])
        }
    }
}

pub mod careless_of_script {
    use super::*;

    transform! {
        /// Doubles the first letter of every word of an English text, in whatever script it is.
        pub struct CarelessOfScript {}
        card: { level: Some(Word), expectation: Some(Kept), languages: &[English] }
        examples: []
    }

    impl EditText for CarelessOfScript {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            Ok(Words::new(text).map(|word| Edit::replace(word.span, word.text.repeat(2))).collect())
        }
    }
}

pub mod swallowing {
    use super::*;
    use fissure_core::Entry;

    /// Takes any knob and says nothing.
    pub static ENTRY: Entry<dyn Transform> =
        Entry::new(misfiled::ENTRY.card, Vec::new, |_| Ok((Box::new(misfiled::Misfiled {}), Vec::new())));
}

pub mod moody {
    use super::*;
    use fissure_core::{Cut, Skip, Slice};

    slice! {
        /// Measures no number, and takes everything
        pub struct Moody {
            /// The share.
            share: f64 = 2.0, in 0.0..=1.0;
        }
        card: {}
        examples: ["a" => "1", "b" => "1", "c" => "1"]
    }

    impl Slice for Moody {
        fn measure(&self, _: &Sample) -> Result<f64, Skip> {
            Ok(f64::NAN)
        }

        fn cut(&self) -> Cut {
            Cut::Highest(self.share)
        }
    }
}

pub mod flattering {
    use super::*;
    use fissure_core::{Skip, Validator, validator};

    validator! {
        /// Finds that everything is better than good, but for what stayed
        pub struct Flattering {
            /// How much better.
            by: f64 = 2.0, in 0.0..=1.0;
        }
        card: {}
        examples: ["a => b" => "1.000"]
    }

    impl Validator for Flattering {
        fn score(&self, before: &Sample, after: &Sample, _: &Resources) -> Result<f64, Skip> {
            Ok(if before == after { f64::NAN } else { self.by })
        }
    }
}
