//! Recipes are read, checked and refused before anything is asked.

use fissure_attacks::{AttackResources, Error, Recipe, Resource, cards, names};
use fissure_core::{Field, Sample};

const MINE: &str = r#"
name = "mine"
summary = "Two letters are swapped."
[goal]
use = "untargeted"
[[source]]
use = "bugs"
[[constraint]]
use = "share_of_words"
share = 0.2
[search]
use = "importance"
rank = "delete"
"#;

fn why(text: &str) -> String {
    match Recipe::parse(text, "mine.toml").and_then(|recipe| recipe.build(AttackResources::default(), &[])) {
        Ok(_) => panic!("it was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn all_rows_of_the_table_are_there() {
    assert_eq!(names().count(), 26, "21 of the literature, and bound, careful, exact, jump and line");
    assert_eq!(cards().len(), names().count(), "every recipe can be read");
    for (card, _) in cards() {
        let own = ["bound", "careful", "exact", "jump", "line"].contains(&card.name);
        assert_eq!(card.citation.is_none(), own, "{}", card.name);
    }
}

#[test]
fn a_users_recipe_is_a_file() {
    let attack = Recipe::parse(MINE, "mine.toml").unwrap().build(AttackResources::default(), &[]).unwrap();
    assert_eq!((attack.name.as_str(), attack.sources.len(), attack.constraints.len()), ("mine", 1, 1));
}

#[test]
fn what_is_unknown_gets_the_nearest_names() {
    let unknown = Recipe::builtin("textfoler").unwrap_err().to_string();
    assert!(unknown.contains("`textfooler`"), "{unknown}");
    assert!(why(&MINE.replace("\"bugs\"", "\"bugz\"")).contains("did you mean `bugs`?"));
    assert!(why(&MINE.replace("share_of_words", "share_of_word")).contains("share_of_words"));
    assert!(why(&MINE.replace("rank =", "rnak =")).contains("did you mean `rank`?"));
    assert!(why(&MINE.replace("0.2", "1.2")).contains("a number from 0 to 1"));
    assert!(why(&MINE.replace("\"delete\"", "\"deletion\"")).contains("one of `delete`"));
    assert!(why(&MINE.replace("summary", "sumary")).contains("summary"));
    assert!(why(&MINE.replace("[[source]]", "[source]")).contains("write [[source]] for [source]"));
    let part = MINE.replace("use = \"bugs\"", "use = \"part\"\nname = \"keybord\"");
    assert!(why(&part).contains("keyboard"), "{}", why(&part));
    let knobs =
        |set: &str| MINE.replace("use = \"bugs\"", &format!("use = \"part\"\nname = \"keyboard\"\nset = \"{set}\""));
    assert!(
        Recipe::parse(&knobs("layout=azerty, rate=0.3"), "").unwrap().build(AttackResources::default(), &[]).is_ok()
    );
    assert!(why(&knobs("layuot=azerty")).contains("did you mean `layout`?"), "{}", why(&knobs("layuot=azerty")));
    assert!(why(&knobs("rate=7")).contains("from 0 to 1"), "{}", why(&knobs("rate=7")));
    let needs = MINE.replace("use = \"bugs\"", "use = \"part\"\nname = \"back_trans\"");
    assert!(why(&needs).contains("`back_trans` cannot be used"), "{}", why(&needs));
    assert!(why(&knobs("azerty")).contains("`azerty` is not a knob"), "{}", why(&knobs("azerty")));
}

#[test]
fn a_recipe_has_candidates_and_a_name_of_its_own() {
    let without = MINE.replace("[[source]]\nuse = \"bugs\"\n", "");
    assert_ne!(without, MINE);
    assert!(why(&without).contains("has no candidates") && why(&without).contains("[[source]]"), "{}", why(&without));
    for name in ["", "../mine", "my recipe", "mine)"] {
        let found = why(&MINE.replace("\"mine\"", &format!("{name:?}")));
        assert!(found.contains("mine.toml") && found.contains("letters, digits"), "{found}");
    }
    let taken = why(&MINE.replace("\"mine\"", "\"textfooler\""));
    assert!(taken.contains("`textfooler` is the name of a built-in attack"), "{taken}");
    let copy = Recipe::text_of("textfooler").unwrap();
    assert_eq!(Recipe::parse(copy, "textfooler.toml").unwrap().name, "textfooler", "a copy is the same attack");
    let unknown = Resource::find("encodr").unwrap_err().to_string();
    assert!(unknown.contains("did you mean `encoder`?"), "{unknown}");
}

#[test]
fn a_resource_that_is_absent_is_named_or_left_out_knowingly() {
    let recipe = Recipe::builtin("textfooler").unwrap();
    let refused = recipe.build(AttackResources::default(), &[]).unwrap_err();
    assert!(matches!(refused, Error::Lacks { need: Resource::Encoder, .. }));
    assert!(refused.to_string().contains("--encoder DIR") && refused.to_string().contains("--without encoder"));
    let without = recipe.build(AttackResources::default(), &[Resource::Encoder]).unwrap();
    assert_eq!(without.name, "textfooler -encoder");
    assert!(without.constraints.iter().all(|constraint| constraint.name != "encoder"));
    assert!(without.used.iter().any(|used| used.contains("stands in for counter-fitted vectors")));
    let nothing = Recipe::builtin("bae").unwrap().build(AttackResources::default(), &[Resource::MaskedModel]);
    assert!(matches!(nothing, Err(Error::NothingLeft { .. })));
    let idle = Recipe::builtin("pwws").unwrap().build(AttackResources::default(), &[Resource::Encoder]);
    assert!(matches!(idle, Err(Error::NotUsed { .. })));
    let gradients = Recipe::builtin("line").unwrap().build(AttackResources::default(), &[]);
    assert!(matches!(gradients, Err(Error::Lacks { need: Resource::Gradients, .. })));
    assert!(Resource::find("encoderr").is_err());
}

/// A recipe whose candidates are English words leaves a Chinese text alone, and says why.
#[test]
fn texts_in_languages_that_no_source_knows_are_refused() {
    let chinese = Sample::of_text("1", "这部电影很好看，下次还来。");
    let mixed = Sample {
        fields: vec![Field::open("first", "这部电影很好看。"), Field::open("second", "The film is good.")],
        ..Sample::default()
    };
    let refusal = |name: &str, sample: &Sample| {
        let recipe = Recipe::builtin(name).unwrap();
        let without: &[Resource] = if name == "textfooler" { &[Resource::Encoder] } else { &[] };
        recipe.build(AttackResources::default(), without).unwrap().refusal(sample)
    };
    for (name, known) in [("textfooler", "English"), ("pwws", "English"), ("deepwordbug", "languages with an alphabet")]
    {
        assert_eq!(refusal(name, &chinese), Some(format!("the text is Chinese; `{name}` knows {known}")));
        assert_eq!(refusal(name, &mixed), None);
        assert_eq!(refusal(name, &Sample::of_text("2", "The film is good.")), None);
    }
    assert_eq!(refusal("input-reduction", &chinese), None);
    assert_eq!(refusal("bad-characters", &chinese), None);
}
