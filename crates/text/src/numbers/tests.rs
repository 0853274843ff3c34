use super::*;
use proptest::prelude::*;

#[test]
fn one_number_and_how_another_is_written_in_its_place() {
    for (text, units, scale, other, written) in [
        ("5", 5, 0, 7, "7"),
        ("3.50", 350, 2, 1725, "17.25"),
        ("3.50", 350, 2, 5, "0.05"),
        (".5", 5, 1, 25, "2.5"),
        (".5", 5, 1, 7, ".7"),
        ("1,200", 1200, 0, 45_000, "45,000"),
        ("1,200", 1200, 0, 999, "999"),
        ("12,345,678.9", 123_456_789, 1, 987_654_321, "98,765,432.1"),
        ("007", 7, 0, 42, "042"),
        ("-4", -4, 0, 9, "9"),
        ("+4", 4, 0, 9, "+9"),
        ("2nd", 2, 0, 111, "111th"),
        ("2nd", 2, 0, 103, "103rd"),
        ("five", 5, 0, 21, "twenty-one"),
        ("Five", 5, 0, 21, "Twenty-one"),
        ("FIVE", 5, 0, 21, "TWENTY-ONE"),
        ("twenty one", 21, 0, 40, "forty"),
        ("Two hundred and five", 205, 0, 1_000_012, "One million and twelve"),
        ("two hundred five", 205, 0, 312, "three hundred twelve"),
        ("a hundred", 100, 0, 1000, "a thousand"),
        ("a hundred", 100, 0, 200, "two hundred"),
        ("twenty-first", 21, 0, 12, "twelfth"),
        ("twentieth", 20, 0, 130, "one hundred thirtieth"),
        ("two million three hundred thousand", 2_300_000, 0, 9, "nine"),
        ("zero", 0, 0, 8, "eight"),
        ("ten", 10, 0, -8, "minus eight"),
    ] {
        let number = parse(text).unwrap_or_else(|| panic!("{text} is a number"));
        assert_eq!((number.units, number.scale), (units, scale), "{text}");
        assert_eq!(number.write(other), written, "{text}");
    }
}

#[test]
fn what_is_not_one_number() {
    for text in [
        "",
        "-",
        ".",
        ",",
        "1,20",
        "1,2000",
        "12,",
        "1.2.3",
        "1990s",
        "10:30",
        "2th",
        "11st",
        "3.5th",
        "IV",
        "and",
        "a",
        "hundred",
        "ten men",
        "ten ten",
        "twenty-eleven",
        "one two",
        "fiveth",
        "oneth",
        "twentyth",
        "five hundred-six",
        "hundred and",
        "99999999999999999999",
        "١٢",
        "½",
        "five million million",
        "twenty ",
        " five",
        "five\u{301}",
        "first second",
        "tenth ten",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn years() {
    assert!(parse("1998").unwrap().looks_like_year());
    for text in ["1,998", "1998th", "998", "2100", "19.98", "nineteen"] {
        assert!(!parse(text).unwrap().looks_like_year(), "{text}");
    }
}

#[test]
fn numbers_in_running_text() {
    let cases: [(&str, &[&str]); 17] = [
        ("He paid $3.50 for 12 apples.", &["3.50", "12"]),
        ("In 1998, twenty-one of them; the 2nd won.", &["1998", "twenty-one", "2nd"]),
        ("at 10:30 on 3/4 from 192.168.0.1 by B2B in the 1990s, 24-hour", &[]),
        ("It fell -3.5, then 7-3 (-2).", &["-3.5", "-2"]),
        ("one hundred and five and six", &["one hundred and five", "six"]),
        ("Two hundred and a half", &["Two hundred"]),
        ("one two three", &["one", "two", "three"]),
        ("a hundred a day", &["a hundred"]),
        ("no-one saw one's two-door car, someone did", &[]),
        ("up 10% to 5kg, 1,200.", &["10", "5", "1,200"]),
        (".5 and 0.5", &[".5", "0.5"]),
        ("five", &["five"]),
        ("the first and the Second", &["first", "Second"]),
        ("x1 1x #5 v2.0", &["1"]),
        ("٣ ½ ² 漢5", &[]),
        ("", &[]),
        ("twenty\u{2013}thirty", &["twenty", "thirty"]),
    ];
    for (text, wanted) in cases {
        let found: Vec<_> = find(text).into_iter().map(|(range, _)| &text[range]).collect();
        assert_eq!(found, wanted, "{text}");
    }
}

proptest! {
    #[test]
    fn words_there_and_back(value in 0..i64::MAX as u64, and: bool) {
        for value in [value, value % 1000, value % 1_000_000] {
            let number = parse(&cardinal(value, and)).unwrap();
            prop_assert_eq!(number.units, value as i64);
            prop_assert_eq!(number.write(value as i64), cardinal(value, and && matches!(number.style, Style::Words { and: true, .. })));
            let number = parse(&ordinal(value, and)).unwrap();
            prop_assert!(number.is_ordinal());
            prop_assert_eq!(number.units, value as i64);
        }
    }

    #[test]
    fn digits_there_and_back(units in -1_000_000_000_000_i64..1_000_000_000_000, scale in 0..5_u8, grouped: bool) {
        let style = Style::Digits { grouped, ordinal: false, width: 1, plus: false };
        let text = Number { units, scale, style }.write(units);
        let number = parse(&text).unwrap();
        prop_assert_eq!((number.units, number.scale), (units, scale));
        prop_assert_eq!(number.write(units), text);
    }

    #[test]
    fn any_text_gets_an_answer(text in "([ ,.+-]|one|a|and|two|hundred|th|twenty|1|23|é|\\PC)*") {
        let mut last = 0;
        for (range, number) in find(&text) {
            prop_assert!(range.start >= last && range.end > range.start);
            last = range.end;
            prop_assert_eq!(parse(&text[range]), Some(number));
        }
        parse(&text);
    }
}
