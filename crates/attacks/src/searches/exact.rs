use crate::exact::{Exact as Found, Place, least_edits};
use crate::{Attempt, Certificate, Change, Goal, NO_CANDIDATE, Resource, Result, Search, State, Target};

attack_part! { Search;
    /// The least number of changed words that turns a fasttext model, or the proof that no combination of the candidates does.
    ///
    /// Needs no question: the model is a sum over words and bigrams, so the best combination is computed. What it finds is asked
    /// about once. Constraints that look at more than one word at a time can leave a text open.
    pub struct Exact {}
}

impl Search for Exact {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let Some(bag) = attempt.questions.bag() else { return Ok(()) };
        let text = &attempt.victim.sample.fields[0].text;
        let (mut places, mut words): (Vec<Place>, Vec<usize>) = (Vec::new(), Vec::new());
        for word in attempt.open_words() {
            let changes = attempt.changes(&State::default(), word);
            let alone = |change: &&Change| {
                change.along.is_empty() && attempt.allows(&State::default().with(word, (*change).clone()), Some(word))
            };
            let candidates: Vec<Box<str>> = changes.iter().filter(alone).map(|change| (*change.with).into()).collect();
            if !candidates.is_empty() {
                places.push(Place { span: attempt.victim.words[word].span, candidates });
                words.push(word);
            }
        }
        if places.is_empty() {
            attempt.open = Some(NO_CANDIDATE);
            return Ok(());
        }
        match least_edits(bag, text, &places, attempt.gold, attempt.most()) {
            Found::Broken(picks) => {
                let mut state = State::default();
                for (place, candidate) in picks {
                    state = state.with(words[place], Change::new(&*places[place].candidates[candidate]));
                }
                match attempt.allows(&state, None) {
                    true => _ = attempt.attack(&[state])?,
                    false => attempt.open = Some("a constraint on several words forbids the least change"),
                }
            }
            Found::Certified => {
                let candidates = places.iter().map(|place| place.candidates.len()).sum();
                let edits = attempt.most().min(places.len());
                attempt.certificate = Some(Certificate { edits, places: places.len(), candidates });
            }
            Found::Open(why) => attempt.open = Some(why),
        }
        Ok(())
    }

    fn refuses(&self, goal: &dyn Goal, _: &Target<'_>) -> Option<&'static str> {
        let any_other = goal.is_a_label() && !goal.wants_target();
        (!any_other).then_some(
            "it computes what turns the answer to any other label, and no other goal: leave --target and --goal out, or take `jump`, or \
             `bound` for a proof about one label",
        )
    }

    fn wants_one_text(&self) -> bool {
        true
    }

    fn proves(&self) -> bool {
        true
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Additive]
    }
}
