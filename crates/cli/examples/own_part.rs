//! A transformation of one's own, without touching the catalog: `cargo run -p fissure --example own_part`.

use fissure_core::{Amount, Catalog, Chain, Dice, EditWord, Outcome, Sample, Transform, Word, transform};

mod sticky_key {
    use super::*;

    transform! {
        /// Writes a letter twice, as when a key sticks.
        pub struct StickyKey {
            ..Amount::share(0.2);
        }
        card: { level: Some(Character), family: Some(Morphology), expectation: Some(Kept) }
        examples: [{ rate = "1" } "so good" => "so goood"]
    }

    impl EditWord for StickyKey {
        fn amount(&self) -> Amount {
            self.amount
        }

        fn accepts(&self, word: Word<'_>) -> bool {
            word.letter_count() > 2
        }

        fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
            let letter = word.letter(dice.below(word.letter_count()))?;
            Some(word.text.replacen(letter, &letter.repeat(2), 1))
        }
    }
}

static MINE: Catalog<dyn Transform> = Catalog::new("transform", &[&[&sticky_key::ENTRY]]);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chain = Chain::build(&MINE, "sticky_key", &[("rate".into(), "0.5".into())])?;
    let sample = Sample::of_text("1", "A quiet film that stays with you.");
    if let Outcome::Changed(variant) = chain.run(&sample, 1, 0) {
        println!("{}\n{:#?}", variant.sample.fields[0].text.as_str(), variant.trail.edits);
    }
    Ok(())
}
