use super::*;
use proptest::prelude::*;

#[test]
fn the_built_in_table() {
    let near: Vec<_> = of("good").map(|(word, _)| word).collect();
    assert_eq!(near.len(), MOST);
    assert!(near.contains(&"better") && !near.contains(&"bad") && !near.contains(&"good"), "{near:?}");
    for (word, opposite) in
        [("increase", "reduction"), ("increase", "decrease"), ("hate", "love"), ("loved", "hated"), ("men", "women")]
    {
        assert!(of(word).all(|(near, _)| near != opposite), "{word} {opposite}");
    }
    assert_eq!((frequency_rank("the"), frequency_rank("zzzz")), (Some(0), None));
    assert!(frequency_rank("film") < frequency_rank("reef"));
    assert_eq!(of("").count() + of("qqqqq").count() + of("Good").count(), 0);
    let table = Table::get();
    assert_eq!(table.words.len(), 40_000);
    for word in table.words.iter() {
        let near: Vec<_> = of(word).collect();
        assert!(near.is_sorted_by(|one, other| one.1 >= other.1), "{word}: {near:?}");
        assert!(
            near.iter().all(|(other, likeness)| *other != word && (0.0..=1.0).contains(likeness)),
            "{word}: {near:?}"
        );
    }
}

fn read(text: &str) -> Result<Vectors, VectorsError> {
    Vectors::read(text.as_bytes())
}

#[test]
fn a_file_of_vectors() {
    // Cosines by hand: (3,4) and (4,3) make 24/25, (3,4) and (0,2) make 4/5, (3,4) and (-3,-4) make -1.
    for file in [
        "a 3 4\nb 4 3\nc 0 2\nd -3 -4\n",
        "4 2\na 3 4\nb 4 3\nc 0 2\nd -3 -4",
        "a 3 4\r\nb 4 3\r\n\r\nc 0 2\r\nd -3 -4 \r\n",
    ] {
        let vectors = read(file).unwrap();
        assert_eq!((vectors.len(), vectors.width()), (4, 2));
        let near = vectors.nearest("a", 3);
        assert_eq!(near.iter().map(|(word, _)| *word).collect::<Vec<_>>(), ["b", "c", "d"]);
        for ((_, likeness), wanted) in near.iter().zip([0.96, 0.8, -1.0]) {
            assert!((likeness - wanted).abs() < 1e-6, "{near:?}");
        }
        assert_eq!(vectors.nearest("a", 100).len(), 3);
        assert!(vectors.nearest("e", 3).is_empty() && vectors.nearest("a", 0).is_empty());
    }
}

#[test]
fn strange_but_right_files() {
    let vectors = read(". . . 1 0\na 0 0\na 1 1\nbig 1e38 1e38\n").unwrap();
    assert_eq!(vectors.get(". . ."), Some(&[1.0, 0.0][..]));
    assert_eq!(vectors.get("a"), Some(&[0.0, 0.0][..]), "the first of two is kept");
    assert!((vectors.similarity("big", ". . .").unwrap() - 0.5_f32.sqrt()).abs() < 1e-6);
    assert_eq!(vectors.nearest("a", 1), [(". . .", 0.0)], "of equals the earlier");
}

#[test]
fn wrong_files_are_told_by_line_and_value() {
    for (file, declared) in [
        ("", "no vectors"),
        ("\n\n", "no vectors"),
        ("3 2\n", "no vectors"),
        ("word\n", "no vectors"),
        ("a 1 x\n", "line 1: \"x\""),
        ("a 1 2\nb 1 x\n", "line 2: \"x\""),
        ("a 1 2\nb 1 NaN\n", "line 2: \"NaN\""),
        ("a 1 2\nb 1 inf\n", "line 2: \"inf\""),
        ("a 1 2\nb 1\n", "line 2: \"b\" has 1 numbers, and the lines before have 2"),
        ("5 3\na 1 2\n", "line 2: \"a\" has 2 numbers, and the lines before have 3"),
        ("a 1 2\nb  2\n", "line 2: \"\" is not"),
    ] {
        let error = read(file).err().unwrap().to_string();
        assert!(error.contains(declared), "{file:?}: {error}");
    }
    let error = Vectors::read(&b"a 1 2\n\xff 1 2\n"[..]).err().unwrap().to_string();
    assert!(error.contains("line 2"), "{error}");
}

proptest! {
    #[test]
    fn nearest_is_what_sorting_gives(rows in proptest::collection::vec(proptest::collection::vec(-5_i8..5, 9), 2..40)) {
        let words: Vec<String> = (0..rows.len()).map(|at| format!("w{at}")).collect();
        let vectors = Vectors::new(&words, 9, rows.concat().into_iter().map(f32::from).collect()).unwrap();
        let mut wanted: Vec<(&str, f32)> = words[1..].iter().map(|word| (&**word, vectors.similarity("w0", word).unwrap())).collect();
        wanted.sort_by(|one, other| other.1.total_cmp(&one.1));
        let found = vectors.nearest("w0", 5);
        prop_assert_eq!(found.iter().map(|(_, likeness)| *likeness).collect::<Vec<_>>(), wanted.iter().take(5).map(|(_, likeness)| *likeness).collect::<Vec<_>>());
    }

    #[test]
    fn any_file_gets_an_answer(bytes: Vec<u8>, text in "([ab] |1|-| |\n|e|.|0.5|nan)*") {
        let _ = Vectors::read(&bytes[..]);
        let _ = Vectors::read(text.as_bytes());
    }
}
