//! Two small parts, alone and in a row.

use super::*;
use crate::{Field, LabelKind, Mark, Texts};

mod shout {
    use crate::{Amount, Dice, EditWord, Word, transform};

    transform! {
        /// Writes words in capitals.
        pub struct Shout {
            ..Amount::all();
        }
        card: { expectation: Some(Kept), aliases: &["Loud"] }
        examples: ["so good" => "SO GOOD"]
    }

    impl EditWord for Shout {
        fn amount(&self) -> Amount {
            self.amount
        }

        fn accepts(&self, _: Word<'_>) -> bool {
            true
        }

        fn edit_word(&self, word: Word<'_>, _: &mut Dice) -> Option<String> {
            Some(word.text.to_uppercase())
        }
    }
}

mod behead {
    use crate::{Dice, Edit, EditText, Proposal, Skip, Text, transform};

    transform! {
        /// Cuts the first word off.
        pub struct Behead {
            /// How many.
            count: usize = 1, in 0..=3;
        }
        card: { expectation: Some(Unsure) }
        examples: ["so good" => " good"]
    }

    impl EditText for Behead {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            if text.is_empty() {
                return Err(Skip("the text is empty".into()));
            }
            Ok(text.words().take(self.count).map(|word| Edit::delete(word.span)).collect())
        }
    }
}

mod idle {
    use crate::{Dice, Edit, EditText, Proposal, Text, transform};

    transform! {
        /// Takes the first letter out and puts it back.
        pub struct Idle {}
        card: { expectation: Some(Kept) }
        examples: []
    }

    impl EditText for Idle {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            Ok(text.get(..1).map_or_else(Vec::new, |first| vec![Edit::delete(0..1), Edit::insert(1, first)]))
        }
    }
}

mod asker {
    use crate::{Dice, Edit, EditSample, Proposal, Resources, Sample, Span, transform};

    transform! {
        /// Puts the best guess in place of the first word.
        pub struct Asker {}
        card: { expectation: Some(Unsure), needs: &[LanguageModel] }
        examples: []
    }

    impl EditSample for Asker {
        fn edit_sample(&self, sample: &Sample, _: &mut Dice, resources: &Resources) -> Proposal {
            let text = &sample.fields[0].text;
            let hidden: Vec<Span> = text.words().take(1).map(|word| word.span).collect();
            let guesses =
                resources.masked_lm.as_ref().expect("the chain checks what it needs").guess(text, &hidden, 1)?;
            Ok(hidden.into_iter().zip(guesses).map(|(span, best)| Edit::replace(span, best[0].0.clone())).collect())
        }
    }
}

mod turn {
    use crate::{Dice, Edit, EditText, Proposal, Text, transform};

    transform! {
        /// Turns bad into good.
        pub struct Turn {}
        card: { expectation: Some(Flipped) }
        examples: ["so bad" => "so good"]
    }

    impl EditText for Turn {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            Ok(text.words().filter(|word| word.text == "bad").map(|word| Edit::replace(word.span, "good")).collect())
        }
    }
}

mod stick {
    use crate::{Dice, Edit, EditText, Proposal, Text, transform};

    transform! {
        /// The last letter of each word sticks.
        pub struct Stick {}
        card: { expectation: Some(Kept), tags: &[Tag::Slip] }
        examples: ["so bad" => "soo badd"]
    }

    impl EditText for Stick {
        fn edit_text(&self, text: &Text, _: &mut Dice) -> Proposal {
            let last = |text: &str| text.chars().next_back().map(String::from).unwrap_or_default();
            Ok(text.words().map(|word| Edit::insert(word.span.end, last(word.text))).collect())
        }
    }
}

static CATALOG: Catalog<dyn Transform> = Catalog::new(
    "transform",
    &[&[&shout::ENTRY, &behead::ENTRY, &idle::ENTRY, &asker::ENTRY, &judge::ENTRY, &turn::ENTRY, &stick::ENTRY]],
);

const TASK: TaskFacts =
    TaskFacts { name: "any", texts: Texts::One, labels: LabelKind::Class, layers: &[], senses: &[] };

fn chain(names: &str, settings: &[(&str, &str)]) -> Result<Chain> {
    let settings: Vec<(String, String)> = settings.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    Chain::build(&CATALOG, names, &settings)
}

fn changed(outcome: Outcome) -> Variant {
    match outcome {
        Outcome::Changed(variant) => *variant,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_chain_records_edits_against_the_original() {
    let sample = Sample::of_text("1", "one two three");
    let Variant { sample: new, trail, .. } = changed(chain("Loud+behead", &[]).unwrap().run(&sample, 0, 0));
    assert_eq!(new.fields[0].text.as_str(), " TWO THREE");
    let edits: Vec<_> = trail.edits.iter().map(|e| (e.start, e.end, &*e.old, &*e.new)).collect();
    assert_eq!(edits, [(0, 3, "one", ""), (4, 7, "two", "TWO"), (8, 13, "three", "THREE")]);
    assert_eq!(trail.undo(&new).unwrap(), ["one two three"]);
    assert_eq!(
        trail.steps.iter().map(|step| (step.part, step.edits)).collect::<Vec<_>>(),
        [("shout", 3), ("behead", 1)]
    );
}

#[test]
fn settings_find_their_part_or_are_named() {
    let of = |result: Result<Chain>| result.map(|chain| chain.name).map_err(|error| error.to_string());
    assert_eq!(of(chain("shout+behead", &[("count", "2"), ("shout.rate", "0.5")])), Ok("shout+behead".into()));
    let message = of(chain("shout+behead", &[("behead.cont", "2")])).unwrap_err();
    assert!(message.contains("`behead` has no knob `cont`; did you mean `count`?"), "{message}");
    let message = of(chain("shout+behead", &[("cuont", "2")])).unwrap_err();
    assert!(message.contains("no knob `cuont`; did you mean `count`?"), "{message}");
    let message = of(chain("behead", &[("count", "7")])).unwrap_err();
    assert!(
        message.contains("knob `count` of `behead` cannot be `7`: it takes a whole number from 0 to 3"),
        "{message}"
    );
    let message = of(chain("shuot", &[])).unwrap_err();
    assert!(message.contains("there is no transform called `shuot`; did you mean `shout`?"), "{message}");
}

#[test]
fn the_three_outcomes_are_told_apart() {
    let run = |names: &str, text: &str| chain(names, &[]).unwrap().run(&Sample::of_text("1", text), 0, 0);
    assert!(matches!(run("shout", "now"), Outcome::Changed(_)));
    assert_eq!(run("shout", "NOW"), Outcome::Unchanged);
    assert_eq!(run("shout", ""), Outcome::Unchanged);
    assert_eq!(run("idle", "now"), Outcome::Unchanged);
    assert_eq!(run("behead", ""), Outcome::Skipped(Skip("the text is empty".into())));
}

#[test]
fn a_part_that_keeps_labels_may_not_lose_one() {
    let mut sample = Sample { fields: vec![Field::open("context", "one two")], ..Sample::default() };
    sample.marks.push(Mark::new("answer", 0, (0..3).into(), "", Anchor::Rigid));
    let kept = changed(chain("shout", &[]).unwrap().run(&sample, 0, 0)).sample;
    assert_eq!(kept.words_of(&kept.marks[0]), "ONE");
    // `behead` promises nothing about the label, so it may: the loss is counted.
    assert_eq!(changed(chain("behead", &[]).unwrap().run(&sample, 0, 0)).trail.dropped, 1);
}

#[test]
fn expectations_add_up() {
    use Expectation::*;
    assert_eq!(chain("shout", &[]).unwrap().expects_on(&TASK), Kept);
    assert_eq!(chain("shout+behead", &[]).unwrap().expects_on(&TASK), Unsure);
    assert_eq!(Kept.then(Flipped), Flipped);
    assert_eq!(Flipped.then(Flipped), Unsure);
    assert_eq!(Unsure.then(Destroyed), Destroyed);
}

#[test]
fn a_part_that_lacks_help_is_skipped_with_the_reason() {
    let sample = Sample::of_text("1", "now");
    let alone = chain("asker", &[]).unwrap();
    assert_eq!(alone.lacks(), Some(("asker", Need::LanguageModel)));
    let Outcome::Skipped(skip) = alone.run(&sample, 0, 0) else { panic!("it asked nobody") };
    assert!(skip.to_string().contains("--language-model"), "{skip}");
    assert_eq!(changed(alone.with(Resources::toy()).run(&sample, 0, 0)).sample.fields[0].text.as_str(), "good");
}

mod judge {
    use crate::{Change, Dice, Edit, Resources, Sample, Skip, Transform, layer, transform};

    transform! {
        /// Turns the first opinion and the polarity of every aspect.
        pub struct Judge {}
        card: { expectation: Some(Relabelled) }
        examples: ["[good|opinion #1] [soup|aspect:positive >opinion=1]" => "[bad|opinion #1] [soup|aspect:negative >opinion=1]"]
    }

    impl Transform for Judge {
        fn propose(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Result<Change, Skip> {
            let Some((_, opinion)) = sample.layer(layer::OPINION).next() else {
                return Err(Skip("no opinion is marked".into()));
            };
            let mut change: Change = Edit::replace(opinion.span, "bad").into();
            for (aspect, _) in sample.layer(layer::ASPECT) {
                change = change.with_value(aspect, "negative");
                change.focus.push(aspect);
            }
            Ok(change)
        }
    }
}

#[test]
fn a_part_sets_labels_and_the_trail_says_so() {
    let before = "[good|opinion #1] [soup|aspect:positive >opinion=1]";
    let sample = crate::example::read(before).unwrap();
    let run = |names: &str| changed(chain(names, &[]).unwrap().run(&sample, 0, 0));
    let alone = run("judge");
    assert_eq!(crate::example::write(&alone.sample), "[bad|opinion #1] [soup|aspect:negative >opinion=1]");
    let label = |old: &str, new: &str| crate::TrailLabel {
        layer: "aspect".into(),
        words: "soup".into(),
        old: Some(old.into()),
        new: Some(new.into()),
    };
    assert_eq!(
        (alone.trail.labels.as_slice(), alone.focus.as_slice()),
        (&[label("positive", "negative")][..], &[1][..])
    );
    // Behind another part, the trail and the marks on trial are still those of the original.
    let after = run("shout+judge");
    assert_eq!(crate::example::write(&after.sample), "[bad|opinion #1] [SOUP|aspect:negative >opinion=1]");
    assert_eq!(after.trail.labels[0].words, "SOUP");
    assert_eq!(after.trail.undo(&after.sample).unwrap(), ["good soup"]);
    assert_eq!(chain("judge+shout", &[]).unwrap().expects_on(&TASK), Expectation::Relabelled);
    assert_eq!(
        chain("judge", &[]).unwrap().run(&Sample::of_text("s", "x"), 0, 0),
        Outcome::Skipped(Skip("no opinion is marked".into()))
    );
}

#[test]
fn another_word_has_no_known_lemma_and_a_slip_keeps_it() {
    let mut sample = crate::example::read("[so|token:ADV] [bad|token:ADJ]").unwrap();
    for mark in &mut sample.marks {
        mark.attributes = ["lemma", "feats", "xpos", "misc"].map(|name| (name.into(), "x".into())).into();
    }
    let left = |names: &str| {
        let marks = changed(chain(names, &[]).unwrap().run(&sample, 0, 0)).sample.marks;
        let names =
            |mark: &Mark| mark.attributes.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>().join(" ");
        marks.iter().map(names).collect::<Vec<_>>()
    };
    let all = "lemma feats xpos misc";
    assert_eq!(left("turn"), [all, "misc"]);
    assert_eq!(left("stick"), [all, all]);
    assert_eq!(left("shout"), [all, all], "another case is the same word");
    assert_eq!(left("turn+stick"), [all, "misc"], "a slip in a new word does not bring the old lemma back");
}

#[test]
fn a_part_that_found_nothing_to_turn_turned_nothing() {
    let chain = chain("turn+stick", &[]).unwrap();
    let expected = |text: &str| chain.expects_of(&TASK, &changed(chain.run(&Sample::of_text("1", text), 0, 0)).trail);
    assert_eq!(chain.expects_on(&TASK), Expectation::Flipped);
    assert_eq!(expected("so bad"), Expectation::Flipped);
    assert_eq!(expected("so far"), Expectation::Kept);
}
