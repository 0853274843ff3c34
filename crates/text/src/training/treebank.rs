//! Reads treebanks (CoNLL-U) and rebuilds the raw text that their sentences were cut from.

use std::ops::Range;

use crate::{Penn, Relation, Upos};

/// A word of a treebank.
#[derive(Debug, Clone)]
pub struct GoldWord {
    pub form: String,
    pub lemma: String,
    pub upos: Upos,
    pub penn: Penn,
    /// The place of its head in the sentence; `None` for the root.
    pub head: Option<usize>,
    pub relation: Relation,
    /// The bytes it covers in the raw text of the treebank; empty if the form differs from what is written there.
    pub span: Range<usize>,
}

/// A treebank: its raw text, and its sentences with offsets into that text.
#[derive(Debug, Clone, Default)]
pub struct Treebank {
    pub text: String,
    pub sentences: Vec<Vec<GoldWord>>,
}

/// What one sentence of the file holds, before the raw text is built.
#[derive(Default)]
struct Pending {
    opens_paragraph: bool,
    words: Vec<GoldWord>,
    /// Written units in order: their form, how many words they hold, and whether a space follows.
    units: Vec<(String, usize, bool)>,
    /// Words of the current unit that are still to come.
    inside: usize,
}

impl Treebank {
    /// Reads the text of a CoNLL-U file. Lines that cannot be read are errors that name the line.
    pub fn read(conllu: &str) -> Result<Self, String> {
        let mut treebank = Self::default();
        let mut pending = Pending::default();
        let mut glued = false;
        for (number, line) in conllu.lines().enumerate() {
            if line.is_empty() {
                glued = treebank.close(&mut pending, glued);
            } else if let Some(comment) = line.strip_prefix('#') {
                let comment = comment.trim_start();
                pending.opens_paragraph |= comment.starts_with("newdoc") || comment.starts_with("newpar");
            } else {
                pending.line(line).map_err(|reason| format!("line {}: {reason}: {line:?}", number + 1))?;
            }
        }
        treebank.close(&mut pending, glued);
        Ok(treebank)
    }

    /// The first sentences, with the text that they cover.
    pub fn first(&self, count: usize) -> Self {
        let sentences: Vec<_> = self.sentences.iter().take(count).cloned().collect();
        let end = sentences.iter().flatten().map(|word| word.span.end).max().unwrap_or(0);
        Self { text: self.text[..end].to_owned(), sentences }
    }

    pub fn words(&self) -> impl Iterator<Item = &GoldWord> {
        self.sentences.iter().flatten()
    }

    /// Adds a sentence to the text; returns whether the next one follows without a space.
    fn close(&mut self, pending: &mut Pending, mut glued: bool) -> bool {
        let mut done = std::mem::take(pending);
        if done.words.is_empty() {
            pending.opens_paragraph = done.opens_paragraph;
            return glued;
        }
        if done.opens_paragraph {
            self.text.push_str("\n\n");
        } else if !glued {
            self.text.push(' ');
        }
        let mut words = done.words.iter_mut();
        for (form, count, space) in &done.units {
            let mut at = self.text.len();
            self.text.push_str(form);
            for word in words.by_ref().take(*count) {
                if self.text[at..].starts_with(&word.form) {
                    word.span = at..at + word.form.len();
                    at = word.span.end;
                }
            }
            glued = !space;
            if *space {
                self.text.push(' ');
            }
        }
        // The space after the last unit is the one between the sentences.
        if !glued {
            self.text.pop();
        }
        self.sentences.push(done.words);
        glued
    }
}

impl Pending {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, form, lemma, upos, penn, _, head, relation, _, misc] = fields[..] else {
            return Err("a word needs ten columns");
        };
        let space = !misc.contains("SpaceAfter=No");
        if let Some((first, last)) = id.split_once('-') {
            let (first, last) = (first.parse::<usize>(), last.parse::<usize>());
            self.inside = last
                .ok()
                .zip(first.ok())
                .and_then(|(last, first)| (last + 1).checked_sub(first))
                .ok_or("wrong range")?;
            self.units.push((form.to_owned(), self.inside, space));
            return Ok(());
        }
        if id.contains('.') {
            // Words that are only understood, not written.
            return Ok(());
        }
        if self.inside > 0 {
            self.inside -= 1;
        } else {
            self.units.push((form.to_owned(), 1, space));
        }
        let head: usize = head.parse().map_err(|_| "the head is not a number")?;
        self.words.push(GoldWord {
            form: form.to_owned(),
            lemma: lemma.to_owned(),
            upos: Upos::from_name(upos).ok_or("unknown universal tag")?,
            penn: Penn::from_name(penn).ok_or("unknown Penn tag")?,
            head: head.checked_sub(1),
            relation: Relation::from_name(relation).ok_or("unknown relation")?,
            span: 0..0,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_raw_text_and_its_offsets_come_back() {
        let file = "# newdoc id = a\n# text = I can't.\n1\tI\tI\tPRON\tPRP\t_\t4\tnsubj\t_\t_\n2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\
            2\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_\n3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n4\t.\t.\tPUNCT\t.\t_\t0\troot\t_\t_\n\n\
            1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_\n\n";
        let treebank = Treebank::read(file).unwrap();
        assert_eq!(treebank.text, "\n\nI can't. Go!");
        let spans: Vec<&str> = treebank.words().map(|word| &treebank.text[word.span.clone()]).collect();
        assert_eq!(spans, ["I", "ca", "n't", ".", "Go", "!"]);
        assert_eq!(treebank.sentences[0][0].head, Some(3));
        assert_eq!(treebank.sentences[0][3].head, None);
        assert!(Treebank::read("1\tx").unwrap_err().contains("line 1"));
    }
}
