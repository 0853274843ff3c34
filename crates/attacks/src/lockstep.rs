//! Many attacks at once whose questions go to the model together.
//!
//! An attack asks about a handful of texts and waits. A local encoder is fast only with full batches, so the questions of
//! several attacks are held until every attack waits for an answer, and asked in one call. An answer depends on its own text
//! alone, so company changes nothing in what is found.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use fissure_ask::{ModelAbout, Respondent, Response, Unavailable};
use fissure_core::Sample;
use fissure_models::WhiteBox;

/// Answers to the texts of one call.
type Answers = Result<Vec<Result<Response, String>>, Unavailable>;

/// A model that several attacks share.
#[derive(Debug)]
pub(crate) struct Lockstep<'m> {
    model: &'m dyn Respondent,
    pool: Mutex<Pool>,
    answered: Condvar,
}

#[derive(Debug, Default)]
struct Pool {
    /// Attacks that are neither waiting nor over.
    running: usize,
    next: usize,
    waiting: Vec<(usize, Vec<Sample>)>,
    answers: HashMap<usize, Answers>,
    /// The calls of the model, and the texts of all of them.
    calls: usize,
    texts: usize,
}

impl<'m> Lockstep<'m> {
    pub fn new(model: &'m dyn Respondent) -> Self {
        Self { model, pool: Mutex::default(), answered: Condvar::new() }
    }

    /// Joins those that are waited for. Everyone joins before the first question is asked.
    pub fn join(&self) {
        self.pool().running += 1;
    }

    /// Leaves: the others no longer wait for this one.
    pub fn leave(&self) {
        let mut pool = self.pool();
        pool.running -= 1;
        drop(self.ask_if_all_wait(pool));
    }

    /// How many texts were asked about, and in how many calls.
    #[cfg(test)]
    pub fn texts_and_calls(&self) -> (usize, usize) {
        let pool = self.pool();
        (pool.texts, pool.calls)
    }

    /// A panic in another thread leaves the lists whole.
    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the model about everything that waits, if nobody is left who could ask for more.
    fn ask_if_all_wait<'a>(&'a self, mut pool: MutexGuard<'a, Pool>) -> MutexGuard<'a, Pool> {
        if pool.running > 0 || pool.waiting.is_empty() {
            return pool;
        }
        let waiting = std::mem::take(&mut pool.waiting);
        pool.running = waiting.len();
        drop(pool);
        let texts: Vec<&Sample> = waiting.iter().flat_map(|(_, texts)| texts).collect();
        let (count, answers) = (texts.len(), self.model.respond(&texts));
        let mut pool = self.pool();
        pool.calls += 1;
        pool.texts += count;
        let mut rest = answers.map(Vec::into_iter);
        for (ticket, texts) in &waiting {
            let own = match &mut rest {
                Ok(rest) => Ok(rest.by_ref().take(texts.len()).collect()),
                Err(gone) => Err(gone.clone()),
            };
            pool.answers.insert(*ticket, own);
        }
        self.answered.notify_all();
        pool
    }
}

impl Respondent for Lockstep<'_> {
    fn about(&self) -> &ModelAbout {
        self.model.about()
    }

    fn respond(&self, samples: &[&Sample]) -> Answers {
        let mut pool = self.pool();
        let ticket = pool.next;
        pool.next += 1;
        pool.waiting.push((ticket, samples.iter().map(|sample| (*sample).clone()).collect()));
        pool.running -= 1;
        let mut pool = self.ask_if_all_wait(pool);
        loop {
            if let Some(answers) = pool.answers.remove(&ticket) {
                return answers;
            }
            pool = self.answered.wait(pool).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn inside(&self) -> Option<&dyn WhiteBox> {
        self.model.inside()
    }
}

/// Leaves when it goes out of scope, also if an attack panics: nobody waits for it in vain.
pub(crate) struct Member<'a, 'm>(pub &'a Lockstep<'m>);

impl Drop for Member<'_, '_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says of each text how long it is.
    #[derive(Debug)]
    struct Lengths(ModelAbout);

    impl Respondent for Lengths {
        fn about(&self) -> &ModelAbout {
            &self.0
        }

        fn respond(&self, samples: &[&Sample]) -> Answers {
            let length = |sample: &&Sample| Ok(Response::class(sample.fields[0].text.len().to_string()));
            Ok(samples.iter().map(length).collect())
        }
    }

    #[test]
    fn questions_of_all_go_together_and_everyone_gets_their_own_answers() {
        let about = ModelAbout { name: "lengths".into(), probabilities: true, ..ModelAbout::default() };
        let model = Lengths(about);
        let lockstep = Lockstep::new(&model);
        (0..5).for_each(|_| lockstep.join());
        std::thread::scope(|scope| {
            for number in 0..5 {
                let lockstep = &lockstep;
                scope.spawn(move || {
                    let _member = Member(lockstep);
                    // The first asks once, the last five times.
                    for round in 0..=number {
                        let texts: Vec<Sample> =
                            (0..=round).map(|at| Sample::of_text("1", "x".repeat(10 * number + at))).collect();
                        let answers = lockstep.respond(&texts.iter().collect::<Vec<_>>()).expect("answers");
                        for (text, answer) in texts.iter().zip(answers) {
                            let label = text.fields[0].text.len().to_string();
                            assert_eq!(answer, Ok(Response::class(label)));
                        }
                    }
                });
            }
        });
        // Rounds of 1, 2, ... texts, by five, four, ... of them.
        assert_eq!(lockstep.texts_and_calls(), (5 + 2 * 4 + 3 * 3 + 4 * 2 + 5, 5));
    }
}
