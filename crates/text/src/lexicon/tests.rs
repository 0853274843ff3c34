use super::*;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

#[test]
fn a_table_there_and_back() {
    let mut writer = Writer::default();
    writer.number(300);
    writer.signed(-5);
    writer.words(&["car", "care", "cat", "éclair"]);
    writer.numbers([7, u64::from(u32::MAX)].into_iter());
    let mut reader = Reader::new(&writer.finish()).unwrap();
    assert_eq!(reader.number(), Ok(300));
    assert_eq!(reader.signed(), Ok(-5));
    let words = reader.words().unwrap();
    assert_eq!(words.iter().collect::<Vec<_>>(), ["car", "care", "cat", "éclair"]);
    assert_eq!((words.find("care"), words.find("ca"), words.find("")), (Some(1), None, None));
    assert_eq!((words.get(3), words.get(4)), ("éclair", ""));
    assert_eq!(reader.numbers(), Ok(vec![7, u32::MAX]));
    assert_eq!(reader.finish(), Ok(()));
}

#[test]
fn the_empty_list() {
    let mut writer = Writer::default();
    writer.words::<&str>(&[]);
    let words = Reader::new(&writer.finish()).unwrap().words().unwrap();
    assert!(words.is_empty() && words.find("").is_none() && words.find("a").is_none());
}

#[test]
fn broken_tables_are_refused() {
    assert!(matches!(Reader::new(b"").err(), Some(LexiconError::Compression(_))));
    assert!(matches!(Reader::new(b"not zlib").err(), Some(LexiconError::Compression(_))));
    let mut writer = Writer::default();
    writer.number(9);
    let table = writer.finish();
    assert!(matches!(Reader::new(&table[..table.len() - 2]).err(), Some(LexiconError::Compression(_))));
    assert!(matches!(Reader::new(&table).unwrap().words(), Err(LexiconError::Damaged { .. })));
    assert!(matches!(Reader::new(&table).unwrap().finish(), Err(LexiconError::Damaged { .. })));
    assert!(matches!(Reader::new(&table).unwrap().index(9), Err(LexiconError::Damaged { .. })));
}

proptest! {
    #[test]
    fn words_are_found(words: BTreeSet<String>, other: String) {
        let words: Vec<String> = words.into_iter().collect();
        let mut writer = Writer::default();
        writer.words(&words);
        let mut reader = Reader::new(&writer.finish()).unwrap();
        let list = reader.words().unwrap();
        reader.finish().unwrap();
        for (id, word) in words.iter().enumerate() {
            prop_assert_eq!(list.find(word), Some(id as u32));
            prop_assert_eq!(list.get(id as u32), word);
        }
        prop_assert_eq!(list.find(&other).is_some(), words.contains(&other));
    }

    #[test]
    fn numbers_there_and_back(values: Vec<i64>) {
        let mut writer = Writer::default();
        values.iter().for_each(|value| writer.signed(*value));
        let mut reader = Reader::new(&writer.finish()).unwrap();
        for value in values {
            prop_assert_eq!(reader.signed(), Ok(value));
        }
    }

    #[test]
    fn any_bytes_get_an_answer(stream: Vec<u8>) {
        let mut writer = Writer::default();
        stream.iter().for_each(|byte| writer.number(u64::from(*byte)));
        let table = writer.finish();
        let _ = Reader::new(&stream);
        let _ = Reader::new(&table).unwrap().words();
        let _ = Reader::new(&table).unwrap().numbers();
    }

    #[test]
    fn lists_hold_what_was_put_in(pairs: Vec<(u8, u16)>) {
        let pairs: Vec<(u32, u16)> = pairs.into_iter().map(|(key, item)| (u32::from(key % 10), item)).collect();
        let mut wanted: HashMap<u32, Vec<u16>> = HashMap::new();
        pairs.iter().for_each(|(key, item)| wanted.entry(*key).or_default().push(*item));
        let lists = Lists::from_pairs(9, &pairs);
        for key in 0..9 {
            prop_assert_eq!(lists.get(key), wanted.get(&key).map_or(&[][..], |items| items));
        }
        prop_assert!(lists.get(9).is_empty());
    }
}
