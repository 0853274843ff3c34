use fissure_core::{Language, Resources, Sample, Skip, Validator, validator};

use super::{counts, worst};

validator! {
    /// Shared runs of one to four words: BLEU of the changed text, with the original as its reference.
    ///
    /// As sacreBLEU's sentence BLEU: tokens of `13a`, exponential smoothing, orders that the text is too short for left
    /// out (`nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp`), divided by 100.
    pub struct Bleu {}
    card: {
        citation: Some("Papineni et al. 2002; Post 2018 (sacreBLEU)"),
    }
    examples: [
        "The soup was hot, and the bread wasn't. => The soup was warm, and the bread wasn't." => "0.658",
        "good => good film" => "0.500",
        "abc => xyz" => "0.000",
    ]
}

impl Validator for Bleu {
    fn score(&self, before: &Sample, after: &Sample, _: &Resources) -> Result<f64, Skip> {
        worst(before, after, |before, after| Ok(bleu(before, after)))
    }
}

fn bleu(reference: &str, text: &str) -> f64 {
    // As for sacreBLEU, the reference decides how both are cut.
    let by_character = Language::of(reference) == Language::Chinese;
    let (reference, text) = (tokens(reference, by_character), tokens(text, by_character));
    if text.is_empty() {
        return if reference.is_empty() { 1.0 } else { 0.0 };
    }
    let (mut sum, mut orders, mut smoothing, mut any) = (0.0, 0, 1.0, false);
    for order in 1..=4 {
        let Some(total) = (text.len() + 1).checked_sub(order).filter(|total| *total > 0) else { break };
        let known = counts(reference.windows(order));
        let found = counts(text.windows(order));
        let matched: usize = found.iter().map(|(gram, count)| *count.min(known.get(gram).unwrap_or(&0))).sum();
        any |= matched > 0;
        let precision = if matched > 0 {
            matched as f64 / total as f64
        } else {
            smoothing *= 2.0;
            1.0 / (smoothing * total as f64)
        };
        sum += precision.ln();
        orders += 1;
    }
    if !any {
        return 0.0;
    }
    let brevity = (1.0 - reference.len() as f64 / text.len() as f64).min(0.0).exp();
    (brevity * (sum / f64::from(orders)).exp()).min(1.0)
}

/// The tokens of `mteval-v13a`: marks stand alone, but for those between digits. In Chinese texts, characters and full-width
/// signs stand alone as well, as sacreBLEU's `zh` cuts them.
fn tokens(text: &str, by_character: bool) -> Vec<String> {
    let text = text.replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    let text = text.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
    let mut spaced = String::with_capacity(text.len() * 2);
    spaced.push(' ');
    for letter in text.chars() {
        let alone = matches!(letter, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/');
        if alone || by_character && is_wide(letter) {
            spaced.extend([' ', letter, ' ']);
        } else {
            spaced.push(letter);
        }
    }
    spaced.push(' ');
    let is_point = |letter: char| letter == '.' || letter == ',';
    let digit = |letter: char| letter.is_ascii_digit();
    let spaced = pairs(&spaced, |one, two| (!digit(one) && is_point(two)).then(|| format!("{one} {two} ")));
    let spaced = pairs(&spaced, |one, two| (is_point(one) && !digit(two)).then(|| format!(" {one} {two}")));
    let spaced = pairs(&spaced, |one, two| (digit(one) && two == '-').then(|| format!("{one} {two} ")));
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Rewrites pairs of neighbours from left to right; a letter is in one pair at most.
/// Han characters, bopomofo, their marks, and full-width forms.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{2fff}' | '\u{3000}'..='\u{303f}' | '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31ef}'
        | '\u{3200}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{2fa1f}')
}

fn pairs(text: &str, rewrite: impl Fn(char, char) -> Option<String>) -> String {
    let mut new = String::with_capacity(text.len() * 2);
    let mut letters = text.chars().peekable();
    while let Some(one) = letters.next() {
        match letters.peek().and_then(|two| rewrite(one, *two)) {
            Some(pair) => {
                letters.next();
                new.push_str(&pair);
            }
            None => new.push(one),
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of sacreBLEU 2.6.0.
    #[test]
    fn as_sacrebleu_counts() {
        for (reference, text, expected) in [
            ("The soup was hot, and the bread wasn't.", "The soup was warm, and the bread wasn't.", 65.80370064762461),
            ("I can't believe it's not butter.", "I can not believe it is not butter.", 20.164945583740657),
            ("the cat sat on the mat", "the the the", 12.753667906901528),
            ("good", "good film", 50.0),
            ("It cost $3.50 (in 2004), he said.", "It cost $8.60 (in 1989), he said.", 46.59538415189962),
            ("A great film.", "Not a great film.", 39.76353643835252),
            ("one two three four five", "one two three four five", 100.0),
            ("abc", "xyz", 0.0),
            ("He likes tea", "He doesn't like tea at all, does he?", 4.990049701936832),
            ("这部电影很好看，我看了3遍。", "这部电影不好看，我看了5遍。", 57.3122448409426),
            ("我用iPhone拍照，打3.5分！", "我用iPhone拍照，打4.5分！", 70.71067811865478),
            ("房间很小", "房间非常小", 23.643540225079384),
        ] {
            let found = 100.0 * bleu(reference, text);
            assert!((found - expected).abs() < 1e-9, "{text}: {found}, not {expected}");
        }
    }
}
