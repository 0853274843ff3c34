//! The outcome of a gate for other programs: JUnit XML, and annotations for GitHub.

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
            State::Pass => "pass",
            State::Inconclusive if left.low == left.high && right.low == right.high => "inconclusive",
            State::Inconclusive => "inconclusive, the interval lies on both sides",
            State::Fail => "fail",
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

impl State {
    /// As it is written in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Inconclusive => "inconclusive",
            Self::Fail => "fail",
            Self::NotMeasured => "not_measured",
        }
    }
}

/// How the second line of the XML begins: by it a file is known as one of ours.
pub const JUNIT_SUITE: &str = "<testsuite name=\"fissure gate\"";

/// Judgements as JUnit XML: a test case for each thing a rule speaks of, with its state as a property.
pub fn junit(judgements: &[Judgement], strict: bool, unmeasured: bool) -> String {
    let outcomes = || judgements.iter().flat_map(|judgement| &judgement.outcomes);
    let failures = outcomes().filter(|outcome| !outcome.passes(strict, unmeasured)).count();
    let idle: usize = judgements.iter().map(|judgement| judgement.left_out.len()).sum();
    let skipped = idle + outcomes().filter(|outcome| outcome.state == State::NotMeasured && unmeasured).count();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "{JUNIT_SUITE} tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\">",
        outcomes().count() + idle
    );
    for judgement in judgements {
        for outcome in &judgement.outcomes {
            let name = if outcome.of.is_empty() { &judgement.rule } else { &outcome.of };
            let _ = write!(xml, "  <testcase classname=\"{}\" name=\"{}\"", escape(&judgement.rule), escape(name));
            let (message, state) = (escape(&outcome.sentence()), outcome.state.name());
            let _ = writeln!(xml, ">\n    <properties><property name=\"state\" value=\"{state}\"/></properties>");
            let _ = match outcome.passes(strict, unmeasured) {
                false => writeln!(xml, "    <failure type=\"{state}\" message=\"{message}\"/>"),
                true if outcome.state == State::NotMeasured => writeln!(xml, "    <skipped message=\"{message}\"/>"),
                true => writeln!(xml, "    <system-out>{message}</system-out>"),
            };
            xml.push_str("  </testcase>\n");
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

/// Judgements as workflow commands of GitHub: an error for what fails, a warning for what was not measured and a notice for
/// what is inconclusive, where either is let through.
pub fn annotations(judgements: &[Judgement], strict: bool, unmeasured: bool) -> String {
    let mut lines = String::new();
    for judgement in judgements {
        for outcome in &judgement.outcomes {
            let level = match (outcome.passes(strict, unmeasured), outcome.state) {
                (false, _) => "error",
                (true, State::NotMeasured) => "warning",
                (true, State::Inconclusive) => "notice",
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
