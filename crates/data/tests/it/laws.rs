//! Laws over all tasks and all formats.

use std::collections::BTreeSet;

use fissure_core::Choice;
use fissure_data::{Format, Task};

#[test]
fn names_are_unique_and_those_of_the_files() {
    let cards: Vec<_> = fissure_tasks::cards().chain(Format::cards()).collect();
    let names: BTreeSet<&str> = cards.iter().map(|card| card.name).collect();
    assert_eq!(names.len(), cards.len());
    // `explain` finds tasks and readers by their aliases too.
    let called: Vec<&str> = cards.iter().flat_map(|card| card.aliases.iter().chain([&card.name])).copied().collect();
    assert_eq!(called.iter().collect::<BTreeSet<_>>().len(), called.len(), "{called:?}");
    for card in cards {
        assert!(card.file.ends_with(&format!("/{}.rs", card.name)), "{} is in {}", card.name, card.file);
        let summary = card.summary();
        assert!(summary.starts_with(char::is_uppercase) && summary.ends_with('.'), "{}: {summary}", card.name);
        assert!(!card.facts.is_empty(), "{} has no facts", card.name);
    }
    for (name, format) in Format::ALL {
        assert_eq!(format.card().name, *name);
        assert_eq!(Format::find(name).unwrap(), *format);
    }
}

#[test]
fn endings_belong_to_one_format() {
    let mut seen = BTreeSet::new();
    for (_, format) in Format::ALL {
        let (_, endings) = format.card().facts.iter().find(|(what, _)| *what == "endings").unwrap();
        for ending in endings.split_whitespace() {
            assert!(seen.insert(ending), "{ending}");
            for name in [format!("x{ending}"), format!("x.y{}.gz", ending.to_uppercase()), format!("x{ending}.zst")] {
                assert_eq!(Format::of_name(&name), Some(*format), "{name}");
            }
        }
    }
    assert_eq!(Format::of_name("jsonl"), None);
}

#[test]
fn the_card_of_a_task_says_what_its_layout_does() {
    for task in fissure_tasks::ALL {
        let facts: Vec<(String, String)> =
            task.card.facts.iter().map(|(what, how)| ((*what).into(), (*how).into())).collect();
        let mut wanted: Vec<(String, String)> = Vec::new();
        for role in task.roles {
            let what = match role.open {
                Some(true) => format!("field {}", role.name),
                Some(false) if !role.asked => format!("field {} (the answer; not edited)", role.name),
                Some(false) => format!("field {} (not edited)", role.name),
                None => format!("label {}", role.name),
            };
            wanted.push((what, role.names.join(", ")));
        }
        wanted.push(("metric".into(), task.metric.into()));
        assert_eq!(facts, wanted, "{}", task.card.name);
        assert!(task.fields().count() > 0 && names_differ(task), "{}", task.card.name);
    }
    assert_eq!(fissure_tasks::ALL.len(), 14);
}

/// No name means two things in one task.
fn names_differ(task: &Task) -> bool {
    let names: Vec<String> = task.roles.iter().flat_map(|role| role.names).map(|name| name.to_lowercase()).collect();
    names.iter().collect::<BTreeSet<_>>().len() == names.len()
}
