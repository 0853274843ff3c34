//! Drops by linguistic family.

use fissure_evaluate::{ENOUGH_FOR_MEAN, Findings};

use crate::charts::{NARROW, WIDE, families};
use crate::document::{Block, Figure, Section, Words};
use crate::interpret::{dropping, family_rows};

pub fn section(findings: &Findings) -> Section {
    let section = Section::new("families", "By linguistic family");
    let dropping = dropping(findings);
    if dropping.is_empty() {
        return section.words("Not measured: no change has a drop to take.".into());
    }
    let rows = family_rows(findings);
    let metric = &findings.about.metric;
    let judged = dropping.iter().filter(|(part, ..)| part.human.is_some()).count();
    let caption = Words::from(format!(
        "Means over the changes of a family, weighted by how acceptable people found the changed texts (published plausibility and grammaticality, changed by original; {judged} of the changes have such scores, the others count as 1); changes of fewer than {ENOUGH_FOR_MEAN} texts are left out if others have more. The interval is the mean of the changes' intervals, which is on the safe side. Chains of changes belong to no family.",
    ));
    section.block(Block::Figures(vec![Figure {
        wide: families(&rows, metric, WIDE),
        narrow: Some(families(&rows, metric, NARROW)),
        caption,
    }]))
}
