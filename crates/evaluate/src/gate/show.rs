//! Judgements for other programs: JUnit XML, and annotations for GitHub.

use std::fmt::Write as _;

use super::judge::{Judgement, Outcome, State};

impl Outcome {
    /// What was found, in a sentence.
    pub fn sentence(&self) -> String {
        let of = if self.of.is_empty() { String::new() } else { format!("{}: ", self.of) };
        let Some((left, right)) = self.left.zip(self.right) else { return format!("{of}not measured") };
        let sure = if left.low == left.high {
            String::new()
        } else {
            let widened = match self.widened_for {
                0 | 1 => String::new(),
                several => format!(" widened for {several},"),
            };
            format!(" (95 % interval{widened} {:.4} to {:.4})", left.low, left.high)
        };
        let verdict = match self.state {
            State::Holds => "holds",
            State::MayHold => "may hold: the interval lies on both sides",
            State::Broken => "does not hold",
            State::NotMeasured => "not measured",
        };
        let how = match self.paired {
            Some(true) => ", paired sample by sample",
            Some(false) => ", as between separate runs",
            None => "",
        };
        format!("{of}{:.4}{sure}{how} against {:.4}: {verdict}", left.value, right.value)
    }
}

/// Judgements as JUnit XML: a test case for each thing a rule speaks of.
pub fn junit(judgements: &[Judgement], strict: bool, unmeasured: bool) -> String {
    let outcomes = || judgements.iter().flat_map(|judgement| &judgement.outcomes);
    let failures = outcomes().filter(|outcome| !outcome.passes(strict, unmeasured)).count();
    let idle: usize = judgements.iter().map(|judgement| judgement.left_out.len()).sum();
    let skipped = idle + outcomes().filter(|outcome| outcome.state == State::NotMeasured && unmeasured).count();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuite name=\"fissure gate\" tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\">",
        outcomes().count() + idle
    );
    for judgement in judgements {
        for outcome in &judgement.outcomes {
            let name = if outcome.of.is_empty() { &judgement.rule } else { &outcome.of };
            let _ = write!(xml, "  <testcase classname=\"{}\" name=\"{}\"", escape(&judgement.rule), escape(name));
            let message = escape(&outcome.sentence());
            let _ = match outcome.passes(strict, unmeasured) {
                false => writeln!(xml, ">\n    <failure message=\"{message}\"/>\n  </testcase>"),
                true if outcome.state == State::NotMeasured => {
                    writeln!(xml, ">\n    <skipped message=\"{message}\"/>\n  </testcase>")
                }
                true => writeln!(xml, "/>"),
            };
        }
        for idle in &judgement.left_out {
            let (rule, name) = (escape(&judgement.rule), escape(idle));
            let _ = writeln!(
                xml,
                "  <testcase classname=\"{rule}\" name=\"{name}\">\n    <skipped message=\"nothing to change\"/>\n  </testcase>"
            );
        }
    }
    xml.push_str("</testsuite>\n");
    xml
}

/// Judgements as workflow commands of GitHub: an error for each broken rule, a warning for what was let through unproven.
pub fn annotations(judgements: &[Judgement], strict: bool, unmeasured: bool) -> String {
    let mut lines = String::new();
    for judgement in judgements {
        for outcome in &judgement.outcomes {
            let level = match (outcome.passes(strict, unmeasured), outcome.state) {
                (false, _) => "error",
                (true, State::NotMeasured) => "warning",
                (true, _) => continue,
            };
            let plain = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
            let title = plain(&judgement.rule).replace(':', "%3A").replace(',', "%2C");
            let _ = writeln!(lines, "::{level} title=fissure gate%3A {title}::{}", plain(&outcome.sentence()));
        }
    }
    lines
}

/// A text that may stand in an attribute; what XML cannot hold at all becomes U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' | '\r' => escaped.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
