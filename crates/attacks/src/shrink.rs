//! Undoes changes that an attack did not need: every success is left with changes of which none can be dropped.

use crate::{Attempt, Result, State};

/// Drops changes one by one while the goal stays reached, the last first. Costs a question for each try.
pub(crate) fn shrink(attempt: &mut Attempt<'_>) -> Result<()> {
    let Some((mut state, mut verdict)) = attempt.found().cloned() else { return Ok(()) };
    loop {
        let mut dropped = false;
        for word in state.words().collect::<Vec<_>>().into_iter().rev() {
            if state.len() == 1 || attempt.questions.left() == 0 {
                break;
            }
            let smaller = state.without(word);
            if !attempt.allows(&smaller, None) {
                continue;
            }
            if let Some(answer) = attempt.ask(std::slice::from_ref(&smaller))?.pop().flatten()
                && attempt.attack.goal.reached(attempt, &smaller, &answer)
            {
                (state, verdict, dropped) = (smaller, answer, true);
            }
        }
        if !dropped {
            break;
        }
    }
    let state: State = state;
    attempt.keep(Some((state, verdict)));
    Ok(())
}
