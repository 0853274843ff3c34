//! What must hold of every output on real data.

use fissure_core::{Card, Field, LabelKind, Need, Sample, Variant, layer};
use fissure_tasks::Task;
use fissure_text::articles;

type Verdict = Result<(), String>;

fn holds(yes: bool, fault: impl FnOnce() -> String) -> Verdict {
    if yes { Ok(()) } else { Err(fault()) }
}

pub fn output(task: &'static Task, card: &Card, sample: &Sample, variant: &Variant) -> Verdict {
    let new = &variant.sample;
    holds(new.fields != sample.fields || new.label != sample.label || new.marks != sample.marks, || {
        "nothing changed".into()
    })?;
    reads_back(task, new)?;
    // Sentences of other samples come as they were written there, and slips may be anywhere.
    let careful = card.file.contains("/task/") || !card.does.is_empty();
    if careful && !card.needs.contains(&Need::Donors) {
        for field in &new.fields {
            odd_places(&field.text, field.from_tokens, &sample.fields)?;
        }
    }
    answers_stay(sample, new)?;
    if !card.file.contains("/task/") {
        // Slips and other names reach the terms as well.
        return Ok(());
    }
    terms_stay(sample, new)
}

/// The row that is written is read as the same sample.
pub fn reads_back(task: &'static Task, new: &Sample) -> Verdict {
    let again = task.sample(task.row(new)).map_err(|fault| format!("does not read back: {}", fault.why))?;
    let texts = |sample: &Sample| sample.fields.iter().map(|field| field.text.to_string()).collect::<Vec<_>>();
    holds(texts(&again) == texts(new), || format!("reads back as {:?}", texts(&again)))?;
    holds(again.label == new.label, || "the label reads back as another".into())?;
    let marks = |sample: &Sample, layer: &str| {
        let mut found: Vec<(usize, usize, String)> =
            sample.layer(layer).map(|(_, mark)| (mark.span.start, mark.span.end, mark.value.clone())).collect();
        found.sort();
        found
    };
    for layer in
        [layer::ASPECT, layer::OPINION, layer::ANSWERS, layer::ENTITY, layer::SUBJECT, layer::OBJECT, layer::MENTION]
    {
        let (mut back, mut now) = (marks(&again, layer), marks(new, layer));
        if layer == layer::MENTION {
            // What a cluster is called does not matter, only who is in it.
            [&mut back, &mut now].into_iter().for_each(|marks| number_clusters(marks));
        }
        holds(back == now, || format!("the layer {layer} reads back as {back:?}, not {now:?}"))?;
    }
    // The boundaries of words: one tag for each character, and those that the words say.
    if task.facts.labels == LabelKind::Characters {
        let (back, now) = (marks(&again, layer::TOKEN), marks(new, layer::TOKEN));
        holds(back == now, || format!("the boundaries read back as {back:?}, not {now:?}"))?;
    }
    if new.links.iter().any(|link| link.layer == layer::ROOT) {
        let roots = again.links.iter().filter(|link| link.layer == layer::ROOT).count();
        let heads = again.links.iter().filter(|link| link.layer == layer::HEAD).count();
        let tokens = again.layer(layer::TOKEN).count();
        holds(roots == 1 && heads + 1 == tokens, || format!("{roots} roots and {heads} heads for {tokens} tokens"))?;
        let known = again.links.iter().all(|link| !link.value.is_empty() && link.value != "_");
        holds(known, || "a relation is not known".into())?;
    }
    Ok(())
}

/// Numbers the clusters of mentions by their first mention.
fn number_clusters(mentions: &mut [(usize, usize, String)]) {
    let mut known: Vec<String> = Vec::new();
    for (_, _, cluster) in mentions {
        let number = known.iter().position(|name| name == cluster).unwrap_or(known.len());
        if number == known.len() {
            known.push(cluster.clone());
        }
        *cluster = number.to_string();
    }
}

pub fn answers_stay(sample: &Sample, new: &Sample) -> Verdict {
    let words = |sample: &Sample| {
        let mut words: Vec<String> =
            sample.layer(layer::ANSWERS).map(|(_, mark)| sample.words_of(mark).to_owned()).collect();
        words.sort();
        words
    };
    holds(words(sample) == words(new), || format!("answers {:?} become {:?}", words(sample), words(new)))
}

/// Aspects and the arguments of relations keep their words.
fn terms_stay(sample: &Sample, new: &Sample) -> Verdict {
    for layer in [layer::ASPECT, layer::SUBJECT, layer::OBJECT] {
        for (_, mark) in sample.layer(layer) {
            let words = sample.words_of(mark);
            let there = new.layer(layer).any(|(_, mark)| new.words_of(mark).eq_ignore_ascii_case(words));
            holds(there, || format!("`{words}` is gone"))?;
        }
    }
    Ok(())
}

/// Not more reads oddly than in any of the old texts, or only what is copied from them as it was.
fn odd_places(text: &str, from_tokens: bool, old: &[Field]) -> Verdict {
    let odd = |text: &str| odd(text, from_tokens);
    let most = old.iter().map(|field| odd(&field.text).len()).max().unwrap_or(0);
    let new: Vec<String> =
        odd(text).into_iter().filter(|place| !old.iter().any(|field| field.text.contains(place.as_str()))).collect();
    holds(new.is_empty() || odd(text).len() <= most, || format!("these read oddly: {new:?}"))
}

/// Doubled spaces, spaces before marks, and `a` or `an` that is wrong by our own rule, each with the word before.
fn odd(text: &str, from_tokens: bool) -> Vec<String> {
    let signs: &[&str] = if from_tokens { &["  "] } else { &["  ", " ,", " .", "( ", ",,", ".."] };
    let mut places = Vec::new();
    for sign in signs {
        for (at, _) in text.match_indices(sign) {
            let start = text[..at].trim_end().rfind(char::is_whitespace).map_or(0, |space| space + 1);
            places.push(text[start..at + sign.len()].trim_start().to_owned());
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    for pair in words.windows(2) {
        let next = pair[1].trim_matches(|sign: char| !sign.is_alphanumeric());
        let wrong = match pair[0] {
            "a" => !next.is_empty() && articles::takes_an(next),
            "an" => !next.is_empty() && !articles::takes_an(next),
            _ => false,
        };
        if wrong {
            places.push(format!("{} {next}", pair[0]));
        }
    }
    places
}
