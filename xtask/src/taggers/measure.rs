//! `cargo xtask measure-taggers [dev|test]`: prints how good the taggers are.

use fissure_text::training::scores;

use super::corpora;
use crate::Result;

pub fn measure(arguments: &[String]) -> Result<()> {
    let part = arguments.first().map_or("test", String::as_str);
    let treebank = corpora::treebank(part)?;
    let tokens = fissure_text::tokens(&treebank.text);
    let words = scores::words(&treebank, &tokens);
    println!("words      F1 {:6.2}  precision {:6.2}  recall {:6.2}", words.f1(), words.precision(), words.recall());
    let sentences = fissure_text::sentences(&treebank.text, &tokens);
    let found = scores::sentences(&treebank, &tokens, &sentences);
    println!("sentences  F1 {:6.2}  precision {:6.2}  recall {:6.2}", found.f1(), found.precision(), found.recall());
    let started = std::time::Instant::now();
    let [upos, penn, both] = scores::tags(&treebank, fissure_text::training::weights::tags());
    let speed = treebank.words().count() as f64 / started.elapsed().as_secs_f64();
    println!("tags       UPOS {:.2}  XPOS {:.2}  both {:.2}   {speed:.0} words a second", upos.f1(), penn.f1(), both.f1());
    if arguments.iter().any(|argument| argument == "--errors") {
        let gold: Vec<_> = treebank.words().map(|w| w.span.clone()).filter(|s| !s.is_empty()).collect();
        let starts: std::collections::BTreeSet<usize> = gold.iter().flat_map(|s| [s.start, s.end]).collect();
        let ours: std::collections::BTreeSet<usize> = tokens.iter().flat_map(|t| [t.span.start, t.span.end]).collect();
        let mut seen = std::collections::BTreeMap::new();
        for at in starts.symmetric_difference(&ours) {
            let text = &treebank.text;
            let from = text[..*at].rfind(char::is_whitespace).map_or(0, |x| x + 1);
            let to = text[*at..].find(char::is_whitespace).map_or(text.len(), |x| at + x);
            let g: Vec<&str> =
                gold.iter().filter(|s| s.start >= from && s.end <= to).map(|s| &text[s.clone()]).collect();
            let o: Vec<&str> =
                tokens.iter().filter(|t| t.span.start >= from && t.span.end <= to).map(|t| t.text(text)).collect();
            *seen.entry(format!("{}   OURS {}", g.join("|"), o.join("|"))).or_insert(0) += 1;
        }
        let mut seen: Vec<_> = seen.into_iter().collect();
        seen.sort_by_key(|x| std::cmp::Reverse(x.1));
        for (s, n) in seen {
            println!("{n} {s}");
        }
    }
    Ok(())
}
