//! The law of settings: what is written as flags, or as a file, is read back the same.

use clap::{Args, Command, FromArgMatches};
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;

use fissure_core::Language;

use super::*;
use crate::{ApiName, ChainConfig, Importance, Knobs, MinusOne, OnBadRow, Plain, SliceConfig};

/// Any text that a shell can pass on; flags with a delimiter cannot take commas.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9 =.<>'\"$é\u{4e2d}-]{1,12}", Just("-".to_owned())]
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..3)
}

fn knob_settings() -> impl Strategy<Value = Vec<String>> {
    vec(("[a-z_.]{1,8}", text()).prop_map(|(knob, value)| format!("{knob}={value}")), 0..3)
}

prop_compose! {
    fn data()(
        files in texts(), columns in texts(), id in of(text()), format in of(text()), fields in texts(),
        task in of(prop_oneof![Just("sa".to_owned()), Just("ner".to_owned())]),
        on_bad_row in of(prop_oneof![Just(OnBadRow::Stop), Just(OnBadRow::Skip)]),
        minus_one in of(prop_oneof![Just(MinusOne::None), Just(MinusOne::Label)]), limit in of(1..=usize::MAX),
        language in of(prop_oneof![Just(Language::Chinese), Just(Language::Any)]),
    ) -> DataSource {
        DataSource { files, task, columns, id, format, fields, language, on_bad_row, minus_one, limit }
    }
}

prop_compose! {
    fn changes()(
        set in knob_settings(), variants in of(1usize..=1000), condition in of(text()), keep in texts(),
        seed in of(any::<u64>()),
    ) -> ChangeOptions {
        ChangeOptions { set, knobs: Default::default(), variants, condition, keep, seed }
    }
}

prop_compose! {
    fn resources()(
        importance in of(prop_oneof![Just(Importance::GradXInput), Just(Importance::Ig), Just(Importance::LeaveOneOut)]),
        language_model in of(text()), translator in of(text()), encoder in of(text()), train in texts(),
        donors in texts(), senses in texts(), phrases in of(text()), vectors in of(text()), parts_file in texts(),
    ) -> ResourceFiles {
        ResourceFiles {
            importance, language_model, translator, encoder, train, donors, senses, phrases, vectors, parts_file,
        }
    }
}

prop_compose! {
    fn endpoint()(
        api in of(prop_oneof![Just(ApiName::Fissure), Just(ApiName::Huggingface), Just(ApiName::Chat)]),
        api_model in of(text()), labels in texts(), label_names in texts(), prompt in of(text()), body in texts(),
    ) -> Endpoint {
        Endpoint { api, api_model, labels, label_names, prompt, body }
    }
}

prop_compose! {
    /// Everything that flags can say.
    fn flags_config()(
        model in of(text()), data in data(), label_map in texts(), suite in of(text()), fragility in of(any::<bool>()),
        changes in changes(), resources in resources(), endpoint in endpoint(),
    ) -> RunConfig {
        let selection = Selection { suite, fragility, ..Selection::default() };
        RunConfig { model, data, map: LabelMapping { label_map }, selection, changes, resources, endpoint }
    }
}

fn knobs() -> impl Strategy<Value = Knobs> {
    let plain = prop_oneof![
        any::<bool>().prop_map(Plain::Flag),
        any::<i64>().prop_map(Plain::Whole),
        // A number without a fraction would be read as a whole one from JSON.
        (0.001f64..0.999).prop_map(Plain::Number),
        "[a-z]{1,6}".prop_map(Plain::Text),
    ];
    btree_map("[a-z]{1,5}", plain, 1..3)
}

prop_compose! {
    /// Everything that a file can say.
    fn file_config()(
        mut config in flags_config(), names in vec("[a-z+]{1,8}", 0..2), full in of(("[a-z]{1,5}", of(1usize..9), knobs())),
        slices in of(vec(("[a-z]{1,5}", knobs()), 0..2)), knobs in btree_map("[a-z]{1,5}", knobs(), 0..3),
        seed in of(0..i64::MAX as u64), limit in of(1..i64::MAX as usize),
    ) -> RunConfig {
        let full = full.map(|(parts, variants, knobs)| ChainConfig::Full { parts, variants, knobs });
        config.selection.chains = names.into_iter().map(ChainConfig::Name).chain(full).collect();
        config.selection.slices =
            slices.map(|slices| slices.into_iter().map(|(name, knobs)| SliceConfig::Full { name, knobs }).collect());
        config.changes.knobs = knobs;
        // TOML has whole numbers of 64 bits with a sign.
        config.changes.seed = seed;
        config.data.limit = limit;
        config
    }
}

fn parse(words: &[String]) -> RunConfig {
    let command = RunConfig::augment_args(Command::new("fissure").no_binary_name(true));
    RunConfig::from_arg_matches(&command.get_matches_from(words)).expect("flags that were written can be read")
}

proptest! {
    #[test]
    fn what_is_written_as_flags_is_read_back(config in flags_config()) {
        let words = flags::words(&config).expect("every setting here has a flag");
        prop_assert_eq!(parse(&words), config);
    }

    #[test]
    fn what_is_written_as_a_file_is_read_back(config in file_config()) {
        let text = toml::to_string(&config).expect("settings are plain data");
        let read = RunConfig::from_toml(&text).expect("a file that was written can be read");
        prop_assert_eq!(&read, &config);
        let json = serde_json::to_string(&config).expect("settings are plain data");
        prop_assert_eq!(serde_json::from_str::<RunConfig>(&json).expect("a header can be read"), config);
    }

    #[test]
    fn nothing_overrules_nothing(config in file_config()) {
        let unchanged = config.clone().with_flags(RunConfig::default());
        prop_assert_eq!(&unchanged, &config);
        prop_assert_eq!(RunConfig::default().with_flags(config.clone()), config);
    }
}

#[test]
fn an_unknown_key_is_named_with_the_nearest() {
    let error = RunConfig::from_toml("sead = 7\n").unwrap_err().to_string();
    assert_eq!(error, "there is no setting `sead`; did you mean `seed`?");
}

#[test]
fn a_wrong_value_is_named_with_its_key() {
    let error = RunConfig::from_toml("seed = 7\nlimit = \"ten\"\n").unwrap_err().to_string();
    assert!(error.starts_with("`limit` cannot be \"ten\": invalid type"), "{error}");
}

#[test]
fn a_file_cannot_say_what_a_flag_cannot() {
    for (file, said) in [
        ("variants = 0\n", "`variants` cannot be 0: 0 is not in 1..=1000"),
        ("precision = 1.5\n", "`precision` cannot be 1.5: `1.5` is not between 0 and 1"),
        (
            "chains = [{ parts = \"typos\", variants = 0 }]\n",
            "`variants of typos` cannot be 0: write a number from 1 to",
        ),
    ] {
        let error = RunConfig::from_toml(file).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
    assert!(RunConfig::from_toml("variants = 2\nbudget = 10\n").is_ok());
}

#[test]
fn flags_win_over_the_file_and_add_to_its_lists_of_settings() {
    let file = RunConfig::from_toml(
        "task = \"sa\"\nchains = [\"typos\"]\nset = [\"rate=0.1\"]\n[knobs.typos]\nrate = 0.2\nmax = 3\n",
    )
    .expect("a plain file");
    let mut flags = RunConfig::default();
    flags.selection.suite = Some("quick".into());
    flags.changes.set = vec!["rate=0.5".into()];
    flags.changes.knobs = [("typos".to_owned(), [("rate".to_owned(), Plain::Number(0.9))].into())].into();
    let merged = file.with_flags(flags);
    assert_eq!(merged.selection.suite_name(), "quick", "a suite in the flags replaces the chains of the file");
    assert_eq!(merged.changes.set, ["rate=0.1", "rate=0.5"]);
    let shown: Vec<String> = merged.changes.knob_settings().iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(shown, ["typos.max=3", "typos.rate=0.9", "rate=0.1", "rate=0.5"]);
}

#[test]
fn the_command_repeats_the_run() {
    let mut config = RunConfig::from_toml("model = \"my cnn\"\ndata = [\"a.csv\", \"b.csv\"]\n").expect("a plain file");
    assert_eq!(
        config.command(),
        "fissure evaluate --model 'my cnn' --data a.csv --data b.csv --task classification --suite default --seed 0"
    );
    config.selection.chains = vec![ChainConfig::Name("typos".into())];
    assert!(config.command().contains(" --chains typos "), "{}", config.command());
    config.selection.chains.push(ChainConfig::Full { parts: "ocr".into(), variants: Some(2), knobs: Knobs::new() });
    assert!(config.command().starts_with("fissure evaluate --config run.toml --model"), "{}", config.command());
}
