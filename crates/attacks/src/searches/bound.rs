use std::collections::HashSet;

use crate::bound::{Branch, Network, Problem, Split, Verdicts, Walk, split};
use crate::{Attempt, Certificate, Change, Goal, NO_CANDIDATE, Result, Search, State, Target};

attack_part! { Search;
    /// The least number of changed words that turns the model, up to a limit, or the proof that none does.
    ///
    /// For a cnn the lead of the right class is bounded over all combinations at once, and combinations that the bound does not
    /// rule out are looked at one by one; so for a bilstm, where the bound is loose and most combinations are computed. This needs
    /// no question. Other models are asked about every text of at most `edits` changes. A text ends as broken, as certified, or
    /// as open if there were too many combinations.
    pub struct Bound {
        /// The most changed words.
        edits: usize = 2, in 1..=100;
        /// The most bounds for a text (32 computed texts of a bilstm count as one), or the most questions to a model that cannot
        /// be bounded; a text that needs more is open.
        work: usize = 2_000, in 1..=10_000_000;
    }
}

/// A word with what may stand there.
type Options = (usize, Vec<Change>);

impl Search for Bound {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let Some(rivals) = attempt.attack.goal.rivals(attempt) else {
            attempt.open = Some("only a goal that is a label can be proved to be out of reach");
            return Ok(());
        };
        let options: Vec<Options> = attempt
            .open_words()
            .into_iter()
            .map(|word| {
                let states = attempt.candidates(&State::default(), word);
                (word, states.iter().filter_map(|state| state.get(word).cloned()).collect())
            })
            .filter(|(_, changes): &Options| !changes.is_empty())
            .collect();
        if options.is_empty() {
            attempt.open = Some(NO_CANDIDATE);
            return Ok(());
        }
        let edits = self.edits.min(attempt.most()).min(options.len());
        let certificate =
            Certificate { edits, places: options.len(), candidates: options.iter().map(|(_, c)| c.len()).sum() };
        let verdict = match Network::of(&attempt.questions) {
            Some(network) => {
                Bounded { network, options: &options, rivals: &rivals, left: self.work }.run(attempt, edits)?
            }
            None => self.one_by_one(attempt, &options, edits)?,
        };
        match verdict {
            Ok(Verdicts::Excluded) => attempt.certificate = Some(certificate),
            Ok(Verdicts::Found) => {}
            Ok(Verdicts::Open) => attempt.open = Some("too many combinations to look at"),
            Err(why) => attempt.open = Some(why),
        }
        Ok(())
    }

    fn refuses(&self, goal: &dyn Goal, target: &Target<'_>) -> Option<&'static str> {
        if target.answers_otherwise() {
            return Some(
                "it proves that no other label wins, and this task has none for a whole text: take `pwws`, `deepwordbug` or another \
                 attack that only asks",
            );
        }
        (!goal.is_a_label())
            .then_some("it can prove only that a label is out of reach: leave --goal out, or take `jump`")
    }

    fn proves(&self) -> bool {
        true
    }
}

/// What came of it, or why nothing can be said.
type Ending = std::result::Result<Verdicts, &'static str>;

impl Bound {
    /// Asks about every text of at most `edits` changes, fewer changes first.
    fn one_by_one(&self, attempt: &mut Attempt<'_>, options: &[Options], edits: usize) -> Result<Ending> {
        let mut left = self.work;
        let mut before: Vec<(usize, State)> = vec![(0, State::default())];
        for _ in 0..edits {
            let mut level: Vec<(usize, State)> = Vec::new();
            for (from, state) in &before {
                for (number, (word, changes)) in options.iter().enumerate().skip(*from) {
                    level.extend(changes.iter().map(|change| (number + 1, state.with(*word, change.clone()))));
                }
                if level.len() > left {
                    return Ok(Ok(Verdicts::Open));
                }
            }
            left -= level.len();
            // Texts that a constraint on several words forbids are no examples, but the next change may make them one.
            for states in level.chunks(64) {
                let allowed: Vec<State> = states
                    .iter()
                    .map(|(_, state)| state)
                    .filter(|state| attempt.allows(state, None))
                    .cloned()
                    .collect();
                let scores = attempt.attack(&allowed)?;
                if attempt.found().is_some() {
                    return Ok(Ok(Verdicts::Found));
                }
                if scores.contains(&None) {
                    return Ok(Err(if attempt.is_over() { "budget" } else { "the model could not answer" }));
                }
            }
            before = level;
        }
        Ok(Ok(Verdicts::Excluded))
    }
}

/// The search with bounds.
struct Bounded<'a, 'm> {
    network: Network<'m>,
    options: &'a [Options],
    rivals: &'a [usize],
    left: usize,
}

impl<'m> Bounded<'_, 'm> {
    fn run(mut self, attempt: &mut Attempt<'m>, edits: usize) -> Result<Ending> {
        let root = match split(&attempt.questions, self.network, &attempt.victim, &State::default(), self.options)? {
            Ok(root) => root,
            Err(why) => return Ok(Err(why)),
        };
        // Many changes at once are sometimes ruled out by the bounds alone, which no search through that many texts could do.
        if edits > 1 && root.movers.is_empty() && self.ruled_out_at_once(attempt.gold, &root.problem, edits) {
            return Ok(Ok(Verdicts::Excluded));
        }
        for level in 1..=edits {
            let mut seen = HashSet::new();
            match self.texts(attempt, &root, &State::default(), level, &mut seen)? {
                Ok(Verdicts::Excluded) => {}
                other => return Ok(other),
            }
        }
        Ok(Ok(Verdicts::Excluded))
    }

    fn ruled_out_at_once(&mut self, gold: usize, problem: &Problem, edits: usize) -> bool {
        let (rivals, left) = (self.rivals, &mut self.left);
        match self.network {
            Network::Windows(windows) => {
                Branch { windows, problem, gold, rivals, left, turns: &mut |_| Ok(false) }.ruled_out_at_once(edits)
            }
            Network::Recurrent(network) => Walk::new(network, problem, gold, rivals, left).ruled_out(&[], edits),
        }
    }

    /// Looks at everything that `edits` more changes make of a text: candidates that keep their place together, each candidate
    /// that does not as the beginning of another text.
    fn texts(
        &mut self,
        attempt: &mut Attempt<'m>,
        root: &Split,
        base: &State,
        edits: usize,
        seen: &mut HashSet<State>,
    ) -> Result<Ending> {
        if edits == 0 {
            return Ok(Ok(if turns(attempt, base, None)? { Verdicts::Found } else { Verdicts::Excluded }));
        }
        let own;
        let split = if base.is_empty() {
            root
        } else {
            match split(&attempt.questions, self.network, &attempt.victim, base, self.options)? {
                Ok(split) => {
                    own = split;
                    &own
                }
                Err(why) => return Ok(Err(why)),
            }
        };
        match self.in_place(attempt, &split.problem, base, edits)? {
            Verdicts::Excluded => {}
            other => return Ok(Ok(other)),
        }
        for (word, change) in &split.movers {
            let next = base.with(*word, change.clone());
            if seen.insert(next.clone()) {
                if self.left == 0 {
                    return Ok(Ok(Verdicts::Open));
                }
                match self.texts(attempt, root, &next, edits - 1, seen)? {
                    Ok(Verdicts::Excluded) => {}
                    other => return Ok(other),
                }
            }
        }
        Ok(Ok(Verdicts::Excluded))
    }

    fn in_place(
        &mut self,
        attempt: &mut Attempt<'m>,
        problem: &Problem,
        base: &State,
        edits: usize,
    ) -> Result<Verdicts> {
        let (gold, rivals) = (attempt.gold, self.rivals);
        match self.network {
            Network::Windows(windows) => {
                let saved = windows.save(&problem.ids);
                let mut check = |taken: &[(usize, usize)]| {
                    let logits = windows.logits(&saved, &problem.ids_with(taken));
                    let lead = rivals.iter().map(|rival| logits[gold] - logits[*rival]).fold(f32::INFINITY, f32::min);
                    turns(attempt, &problem.state(base, taken), Some(lead))
                };
                Branch { windows, problem, gold, rivals, left: &mut self.left, turns: &mut check }.run(edits)
            }
            Network::Recurrent(network) => {
                let mut check = |taken: &[(usize, usize)]| turns(attempt, &problem.state(base, taken), None);
                Walk::new(network, problem, gold, rivals, &mut self.left).run(edits, &mut check)
            }
        }
    }
}

/// Whether a text is allowed and reaches the goal; if so it is kept. `lead` is that of the right class by our own sums: the model
/// is asked in full only if it is small.
fn turns(attempt: &mut Attempt<'_>, state: &State, lead: Option<f32>) -> Result<bool> {
    if lead.is_some_and(|lead| lead > 1e-3) || !attempt.allows(state, None) {
        return Ok(false);
    }
    let Some(verdict) = attempt.questions.ask_afresh(&state.question(&attempt.victim))? else { return Ok(false) };
    if !attempt.attack.goal.reached(attempt, state, &verdict) {
        return Ok(false);
    }
    let counts = usize::from(attempt.questions.left() > 0);
    attempt.questions.counts.questions += counts;
    attempt.keep(Some((state.clone(), verdict)));
    Ok(true)
}
