use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Text, choices, transform};
use fissure_text::names::instances::Kind;
use fissure_text::names::people;

use crate::clauses::is_any;
use crate::support::annotated::Annotated;
use crate::support::known_names;
use crate::transforms::task::swap_special_ent;

transform! {
    /// Adds a neutral description in brackets behind the first mention of a well-known person, place or film.
    ///
    /// `Chaplin saves it.` becomes `Chaplin (an English comedian and film maker) saves it.` Descriptions are from WordNet,
    /// short, and without any word that judges; of films they are the year and the director. A place is described only where
    /// places stand (`in Venice`). Most reviews name nobody that
    /// these lists know, and stay as they are; texts without capitals, such as SST-2, name nobody at all.
    pub struct AddSum {
        /// What to describe.
        kind: What = What::Both;
        /// How many descriptions to add at most.
        max: usize = 1, in 1..=10;
        /// Longest description, in words.
        longest: usize = 25, in 2..=50;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        does: &[Rewrites],
        requires: &[Has::Class, Has::Sense(Sense::Positive)],
        languages: &[English],
        aliases: &["AddSum", "AddSum-Person", "AddSum-Movie", "SaAddSum"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.39, 3.32), grammaticality: (3.76, 3.59) }),
    }
    examples: [
        "In the end Charlie Chaplin saves it. // label:: positive"
            => "In the end Charlie Chaplin (an English comedian and film maker) saves it. // label:: positive",
        { kind = "film" } "I liked \"Jurassic Park\" more. // label:: positive"
            => "I liked \"Jurassic Park\" (a film by Steven Spielberg from 1993) more. // label:: positive",
        { max = "2" } "In the end Charlie Chaplin and Alfred Hitchcock save it. // label:: positive"
            => "In the end Charlie Chaplin (an English comedian and film maker) and Alfred Hitchcock (an English film director) save it. // label:: positive",
    ]
}

choices! {
    /// What is described.
    pub enum What { Both = "both", Person = "person", Film = "film" }
}

impl EditSample for AddSum {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let found = self.descriptions(&field.text);
        let mut chosen: Vec<(usize, String)> =
            dice.choose(found.len(), self.max.min(found.len())).into_iter().map(|at| found[at].clone()).collect();
        chosen.sort_unstable();
        Ok(chosen.into_iter().map(|(at, said)| Edit::insert(at, format!(" ({said})"))).collect())
    }
}

impl AddSum {
    /// Where a description could go, and which; each name once, at its first mention.
    fn descriptions(&self, text: &Text) -> Vec<(usize, String)> {
        let annotated = Annotated::of(text);
        let mut found: Vec<(usize, String)> = Vec::new();
        let mut said: Vec<String> = Vec::new();
        let mut add = |tokens: std::ops::Range<usize>, description: String| {
            let bytes = annotated.analysis().bytes(tokens.clone());
            let short = description.split(' ').count() <= self.longest;
            if short && !said.contains(&description) && known_names::takes_aside(&annotated, &tokens) {
                found.push((bytes.end, description.clone()));
            }
            said.push(description);
        };
        if self.kind != What::Film {
            for known in known_names::find(text) {
                let told = known.instance.kind == Kind::Person || is_told_as_place(&annotated, &known.tokens);
                if told && (self.kind == What::Both || known.instance.kind == Kind::Person) {
                    add(known.tokens, known.instance.said());
                }
            }
        }
        if self.kind != What::Person {
            for (tokens, film) in swap_special_ent::titles(&annotated) {
                let by = if film.director.is_empty() { String::new() } else { format!(" by {}", film.director) };
                let quoted = annotated.word(tokens.end).starts_with(['"', '\u{201d}', '\'']);
                let tokens = if quoted && tokens.start > 0 { tokens.start - 1..tokens.end + 1 } else { tokens };
                add(tokens, format!("a film{by} from {}", film.year));
            }
        }
        found.sort_unstable();
        found
    }
}

/// Whether a name stands where places do: `in Venice`, but not `Arlington said`, `wrote Fargo`, or `Umbrellas of Cherbourg`.
fn is_told_as_place(annotated: &Annotated, tokens: &std::ops::Range<usize>) -> bool {
    const PLACING: &[&str] =
        &["in", "from", "to", "of", "at", "near", "across", "through", "around", "into", "outside"];
    let the = tokens.start.checked_sub(1).filter(|at| is_any(annotated.word(*at), &["the", "northern", "southern"]));
    let Some(before) = the.unwrap_or(tokens.start).checked_sub(1) else { return false };
    let titled = |at: usize| annotated.word(at).starts_with(char::is_uppercase) && !annotated.starts_sentence(at);
    let in_title = before.checked_sub(1).is_some_and(titled);
    let first_name = tokens.len() == 1 && people::is_first_name(annotated.word(tokens.start));
    is_any(annotated.word(before), PLACING) && !in_title && !first_name && annotated.word(tokens.end) != ":"
}
