use super::*;
use proptest::prelude::*;

fn words(senses: impl Iterator<Item = Sense>) -> Vec<&'static str> {
    senses.map(Sense::word).collect()
}

fn first(lemma: &str, kind: Kind) -> Sense {
    senses(lemma, kind).next().unwrap_or_else(|| panic!("{lemma} has a sense"))
}

#[test]
fn synonyms_by_sense() {
    assert_eq!(words(first("car", Kind::Noun).synonyms()), ["auto", "automobile", "machine", "motorcar"]);
    assert_eq!(words(first("buy", Kind::Verb).synonyms()), ["purchase"]);
    assert_eq!(words(first("big", Kind::Adjective).synonyms()), ["large"]);
    assert_eq!(words(first("quickly", Kind::Adverb).synonyms()), ["rapidly", "speedily", "chop-chop", "apace"]);
    assert_eq!(first("give up", Kind::Verb).word(), "give up");
}

#[test]
fn senses_come_in_order_of_frequency() {
    // 14 senses of the verb, the first "go away from a place", tagged 47 times; 3 of the noun.
    assert_eq!(senses("leave", Kind::Verb).count(), 14);
    assert_eq!(senses("leave", Kind::Noun).count(), 3);
    assert_eq!(words(first("leave", Kind::Verb).synonyms()), ["go forth", "go away"]);
    assert!(first("leave", Kind::Verb).frequency() > 20);
    assert_eq!(first("leave", Kind::Verb).rank(), 0);
    let frequencies: Vec<_> = senses("good", Kind::Adjective).map(Sense::frequency).collect();
    assert!(frequencies.is_sorted_by(|one, other| one >= other), "{frequencies:?}");
    for word in ["run", "take", "line", "dog", "break"] {
        let kinds: Vec<_> = all_senses(word).map(Sense::kind).collect();
        assert!(kinds.is_sorted(), "{word}: {kinds:?}");
    }
}

#[test]
fn shares_of_the_uses() {
    let total: f32 = senses("leave", Kind::Verb).map(Sense::share).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
    assert!(first("buy", Kind::Verb).share() > 0.9, "{}", first("buy", Kind::Verb).share());
    // One sense, never met.
    assert_eq!(senses("aardwolf", Kind::Noun).map(Sense::share).collect::<Vec<_>>(), [1.0]);
    let met: Vec<u16> = senses("bank", Kind::Noun).map(Sense::frequency).collect();
    let wanted = (f32::from(met[0]) + 0.5) / met.iter().map(|count| f32::from(*count) + 0.5).sum::<f32>();
    assert_eq!(first("bank", Kind::Noun).share(), wanted);
}

#[test]
fn antonyms_belong_to_the_word_and_the_sense() {
    assert_eq!(words(first("good", Kind::Adjective).antonyms()), ["bad"]);
    assert_eq!(words(first("love", Kind::Verb).antonyms()), ["hate"]);
    assert_eq!(words(first("man", Kind::Noun).antonyms()), ["woman"]);
    assert_eq!(words(first("big", Kind::Adjective).antonyms()), ["little"]);
    assert!(first("sluggish", Kind::Adjective).indirect_antonyms().count() > 0);
    assert!(are_antonyms("good", "bad", Kind::Adjective) && are_antonyms("bad", "Good", Kind::Adjective));
    assert!(!are_antonyms("good", "nice", Kind::Adjective) && !are_antonyms("good", "qqq", Kind::Adjective));
}

#[test]
fn case_of_names() {
    assert_eq!(first("paris", Kind::Noun).word(), "Paris");
    assert_eq!(first("PARIS", Kind::Noun).topic(), "noun.location");
    let turkeys = words(senses("turkey", Kind::Noun));
    assert!(turkeys.contains(&"turkey") && turkeys.contains(&"Turkey"), "{turkeys:?}");
}

#[test]
fn more_general_words() {
    assert_eq!(words(first("car", Kind::Noun).hypernyms()), ["motor vehicle"]);
    let mut sense = first("dog", Kind::Noun);
    let mut steps = 0;
    while let Some(next) = sense.hypernyms().next() {
        sense = next;
        steps += 1;
    }
    assert_eq!(sense.word(), "entity");
    assert!(steps > 5);
    assert_eq!(first("dog", Kind::Noun).topic(), "noun.animal");
}

#[test]
fn the_whole_table_holds_together() {
    let table = Table::get();
    assert_eq!(table.members.len(), 117_659);
    assert_eq!((0..4).map(|kind| table.ends[kind]).collect::<Vec<_>>(), [82_115, 95_882, 114_038, 117_659]);
    for [one, other] in &table.antonyms {
        let (one, other) = (Sense { synset: one.0, place: one.1 }, Sense { synset: other.0, place: other.1 });
        assert!(other.antonyms().any(|back| back == one), "{} {}", one.word(), other.word());
    }
    for synset in 0..table.members.len() as u32 {
        for sense in members(synset) {
            assert!(!sense.word().is_empty() && !sense.word().contains(['_', '(']), "{}", sense.word());
            let senses: Vec<_> = senses(sense.word(), sense.kind()).map(Sense::synset).collect();
            assert_eq!(senses.iter().filter(|number| **number == synset).count(), 1, "{}", sense.word());
        }
        let synonyms = members(synset).next().into_iter().flat_map(Sense::synonyms);
        assert!(synonyms.into_iter().all(|synonym| synonym.synset() == synset));
    }
}

proptest! {
    #[test]
    fn any_word_gets_an_answer(word in "\\PC*") {
        prop_assert!(all_senses(&word).all(|sense| sense.word().to_lowercase() == word.to_lowercase()));
    }
}
