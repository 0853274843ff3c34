//! What the network is trained on: texts with how much they approve, from 0 to 1.

use std::collections::BTreeMap;

use fissure_text::sentiment::words_in;

pub struct Example {
    pub words: Vec<String>,
    pub approves: f32,
    pub weight: f32,
}

impl Example {
    fn new(text: &str, approves: f32, weight: f32) -> Self {
        Self { words: words(text), approves, weight }
    }
}

/// The words of a text as the network reads them.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    words_in(text, |word| {
        if word != "." || found.last().is_some_and(|last| last != ".") {
            found.push(word.to_owned());
        }
    });
    found
}

/// The words of a table of opposites.
pub fn listed(table: &str) -> Vec<String> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split([' ', '_', '-'])).filter(|word| word.len() > 1).map(str::to_owned).collect()
}

/// The same numbers every time.
pub struct Draw(u64);

impl Draw {
    pub fn new() -> Self {
        Self(88_172_645_463_325_252)
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u32 << 24) as f32
    }

    pub fn below(&mut self, count: usize) -> usize {
        ((self.share() * count as f32) as usize).min(count.saturating_sub(1))
    }
}

/// SST-2: a phrase and its label in each line.
pub fn phrases(table: &str) -> Vec<Example> {
    let rows = table.lines().skip(1).filter_map(|line| line.split_once('\t'));
    rows.filter_map(|(text, label)| Some(Example::new(text, label.trim().parse().ok()?, 1.0))).collect()
}

/// Yelp: up to six sentences of each review and one pair, but for three stars.
pub fn stars(table: &str, draw: &mut Draw) -> Vec<Example> {
    let mut found = Vec::new();
    for row in rows(table, ',').iter().skip(1) {
        let [text, .., stars] = &row[..] else { continue };
        let Some(stars) = stars.chars().find_map(|char| char.to_digit(10)).filter(|stars| *stars != 3) else {
            continue;
        };
        let sure = if [1, 5].contains(&stars) { 0.9 } else { 0.8 };
        some_of(text, stars > 3, [sure, 0.95], (6, 0.6), draw, &mut found);
    }
    found
}

/// IMDb: up to three sentences of a review and one pair.
pub fn review(text: &str, approves: bool, draw: &mut Draw) -> Vec<Example> {
    let mut found = Vec::new();
    some_of(text, approves, [0.8, 0.87], (3, 0.4), draw, &mut found);
    found
}

/// Sentences with the label of their text: `sure` says how much one is believed, and two together.
fn some_of(
    text: &str,
    approves: bool,
    sure: [f32; 2],
    (most, weight): (usize, f32),
    draw: &mut Draw,
    found: &mut Vec<Example>,
) {
    let mut sentences = sentences(text);
    let [one, two] = sure.map(|sure| if approves { sure } else { 1.0 - sure });
    if sentences.len() > 1 {
        let at = draw.below(sentences.len() - 1);
        found.push(Example::new(&sentences[at..at + 2].join(" "), two, weight));
    }
    for _ in 0..most.min(sentences.len()) {
        let at = draw.below(sentences.len());
        found.push(Example::new(&sentences.swap_remove(at), one, weight));
    }
}

/// CAD: reviews that people turned round with few changes. Sentences that differ have the labels of their texts; those that stayed
/// are undecided.
pub fn revisions(table: &str) -> Vec<Example> {
    let mut pairs: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
    for row in rows(table, '\t').iter().skip(1) {
        if let [label, text, batch] = &row[..] {
            pairs.entry(batch.clone()).or_default()[usize::from(label == "Positive")] = Some(text.clone());
        }
    }
    let mut found = Vec::new();
    for [against, approving] in pairs.into_values() {
        let (Some(against), Some(approving)) = (against, approving) else { continue };
        let (against, approving) = (sentences(&against), sentences(&approving));
        for (one, other, approves) in [(&approving, &against, 1.0), (&against, &approving, 0.0)] {
            for sentence in one {
                let stays = other.contains(sentence);
                if !stays {
                    found.push(Example::new(sentence, approves, 1.0));
                } else if approves > 0.5 {
                    found.push(Example::new(sentence, 0.5, 0.5));
                }
            }
        }
    }
    found
}

/// Sentences of 3 to 60 words.
fn sentences(text: &str) -> Vec<String> {
    let text = text.replace("<br />", "\n").replace("\\n", "\n");
    let mut found = Vec::new();
    let mut sentence = String::new();
    let mut ends = false;
    for char in text.chars() {
        if char == '\n' || ends && char.is_whitespace() {
            found.push(std::mem::take(&mut sentence));
            ends = false;
            continue;
        }
        ends = matches!(char, '.' | '!' | '?') || ends && matches!(char, '"' | '\'' | ')');
        sentence.push(char);
    }
    found.push(sentence);
    let whole = found.iter().map(|sentence| sentence.split_whitespace().collect::<Vec<_>>());
    whole.filter(|words| (3..=60).contains(&words.len())).map(|words| words.join(" ")).collect()
}

/// The rows of a table whose cells may be quoted.
fn rows(table: &str, comma: char) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = table.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ if !quoted && char == comma => row.push(std::mem::take(&mut cell)),
            _ => cell.push(char),
        }
    }
    if !cell.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_hold_quotes_and_commas() {
        assert_eq!(rows("a,\"b, \"\"c\"\"\nd\",e\nf", ','), [vec!["a", "b, \"c\"\nd", "e"], vec!["f"]]);
    }

    #[test]
    fn sentences_end_where_they_end() {
        let found = sentences("It was a good film. \"Was it so?\" Yes.<br />Why it failed is a riddle");
        assert_eq!(found, ["It was a good film.", "\"Was it so?\"", "Why it failed is a riddle"]);
    }

    #[test]
    fn what_a_revision_leaves_is_undecided() {
        let found = revisions(
            "Sentiment\tText\tbatch_id\nNegative\tI saw it once. It was bad.\t1\nPositive\tI saw it once. It was good.\t1\n",
        );
        let told: Vec<_> = found.iter().map(|one| (one.words[2].as_str(), one.approves)).collect();
        assert_eq!(told, [("it", 0.5), ("good", 1.0), ("bad", 0.0)]);
    }
}
