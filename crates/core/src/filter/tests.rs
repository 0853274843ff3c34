use proptest::prelude::*;

use super::*;
use crate::Label;

fn sample() -> Sample {
    let mut sample = Sample::of_text("7", "Good soup, bad bread");
    sample.label = Some(Label("pos".into()));
    sample.extra.push(("stars".into(), 4.into()));
    sample.extra.push(("price".into(), "12.5".into()));
    sample.extra.push(("my column".into(), true.into()));
    sample.extra.push(("tags".into(), serde_json::json!(["food", "late"])));
    sample
}

#[test]
fn conditions_are_decided() {
    for (text, holds) in [
        (r#"label == "pos""#, true),
        (r#"label != 'pos'"#, false),
        ("length == 4 and letters > 10", true),
        ("length > 4 or stars >= 4", true),
        ("not (length > 4 or stars >= 4)", false),
        ("not length > 4 and stars == 4", true),
        ("price < 13 and price > 9", true),
        ("id == 7", true),
        ("text contains 'soup' and not text contains 'SOUP'", true),
        ("tags contains \"late\"", true),
        ("`my column`", true),
        ("`my column` == false", false),
        ("label < 'q'", true),
        ("label == null", false),
        ("1 == 1 or missing", true),
        ("-1.5 < +2", true),
    ] {
        assert_eq!(Filter::parse(text).unwrap().holds(&sample()), Ok(holds), "{text}");
    }
}

#[test]
fn errors_name_the_place_and_the_thing() {
    for (text, at, wanted) in [
        ("", 1, "a name"),
        ("label = 1", 7, "write `==`"),
        ("label == \"pos", 10, "not closed"),
        ("(length > 3", 12, "a `)` is missing"),
        ("length > 3 label", 12, "an `and` or an `or`"),
        ("length > and", 10, "a name"),
        ("length # 3", 8, "`#` means nothing"),
        ("length ! 3", 8, "`!=`"),
    ] {
        let error = Filter::parse(text).unwrap_err().to_string();
        assert!(error.contains(&format!("at character {at},")) && error.contains(wanted), "{text}: {error}");
    }
    assert!(Filter::parse(&"(".repeat(100_000)).is_err());
    assert!(Filter::parse(&"not ".repeat(100_000)).is_err());
    let error = Filter::parse("colour == 1").unwrap().holds(&sample()).unwrap_err().to_string();
    assert!(error.contains("`colour`") && error.contains("sample 7") && error.contains("`stars`"), "{error}");
    let error = Filter::parse("label > 3").unwrap().holds(&sample()).unwrap_err().to_string();
    assert!(error.contains("only numbers and texts have an order"), "{error}");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}|([a-z]{1,3}|[()=<>!\"' ]|and |or |not |[0-9.]{1,3}){0,20}") {
        if let Ok(condition) = Filter::parse(&text) {
            let _ = condition.holds(&sample());
        }
    }
}
