use fissure_core::{Amount, Candidate, Dice, Drawing, Draws, Edit, EditText, Place, Proposal, Span, Text, transform};
use fissure_text::casing;

use crate::support::annotated::Annotated;

mod phrase;
mod words;

use phrase::Phrase;

transform! {
    /// Replaces `a` or `an` with `the`.
    ///
    /// Only where English takes both: where a person, group, place or thing has its part in what happens (`police found
    /// a car`), or where the words behind say which one is meant (`approved a law banning scarves`). What is said of a
    /// kind (`she is a doctor`), of what may be (`if a car comes`) and of one more of what the text has spoken of keeps
    /// its article. `the` never becomes `a`: what is known seldom reads well as one of many.
    pub struct SwapArticle {
        ..Amount { rate: 0.1, min: 1, max: usize::MAX };
        /// How much worse than `a` the new article may fit between the words around it, as a natural logarithm.
        tolerance: f64 = 3.0, in 0.0..=100.0;
    }
    card: {
        level: Some(Word),
        family: Some(Syntax),
        expectation: Some(Kept),
        languages: &[English],
        citation: Some("Geometry Matters: Exploring Language Examples at the Decision Boundary, section 5.3"),
    }
    examples: [
        "She saw a dog near the old bridge." => "She saw the dog near the old bridge.",
        "A driver who had lost his keys asked for help." => "The driver who had lost his keys asked for help.",
        "The council approved a plan to build two schools." => "The council approved the plan to build two schools.",
        "She is a doctor, and it looks like a trap." => "She is a doctor, and it looks like a trap.",
        "The best of the teams trains twice a day." => "The best of the teams trains twice a day.",
    ]
}

impl EditText for SwapArticle {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let annotated = Annotated::of(text);
        let places = self.places(&annotated);
        let chosen = dice.choose(places.len(), self.amount.of(places.len()));
        let span = |at: usize| annotated.analysis().tokens()[at].span.clone();
        Ok(chosen.into_iter().map(|at| Edit::replace(span(places[at].0), places[at].1.as_str())).collect())
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        let annotated = Annotated::of(text);
        let span = |at: usize| annotated.analysis().tokens()[at].span.clone();
        let places = self.places(&annotated).into_iter();
        Some(places.map(|(at, the)| Place::new(span(at), vec![Candidate::new(the)])).collect())
    }

    fn law_around(&self, text: &Text, _: &[Span], draws: &mut Draws) -> Option<Drawing> {
        let annotated = Annotated::of(text);
        let places = self.places(&annotated);
        let wanted = self.amount.of(places.len());
        let mut certain = |(at, the): &(usize, String)| {
            let span = annotated.analysis().tokens()[*at].span.clone();
            draws.place(|_| Some(vec![Edit::replace(span.clone(), the.as_str())]))
        };
        Some(Drawing::new(places.iter().filter_map(&mut certain).collect(), wanted))
    }
}

impl SwapArticle {
    /// The articles that may become definite, with the word for each.
    fn places(&self, annotated: &Annotated) -> Vec<(usize, String)> {
        let definite = |at| definite(annotated, at).filter(|_| annotated.fit(at, "the") >= -self.tolerance);
        (0..annotated.len()).filter_map(|at| Some((at, definite(at)?))).collect()
    }
}

/// `the` for the `a` or `an` that stands there, cased like it, where the words around take both.
fn definite(annotated: &Annotated, at: usize) -> Option<String> {
    let word = annotated.word(at);
    if !["a", "an"].iter().any(|article| article.eq_ignore_ascii_case(word)) {
        return None;
    }
    // A capital inside a sentence belongs to a name: `Serie A`.
    if word.starts_with(char::is_uppercase) && !annotated.starts_sentence(at) {
        return None;
    }
    Phrase::of(annotated, at).filter(Phrase::takes_the)?;
    Some(casing::follow(word, "the").into_owned())
}
