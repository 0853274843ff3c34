//! Whether the heads of a sentence are a tree.

use crate::Fault;

/// Checks heads as they are written: counted from 1, 0 for the root, `_` where a head is not known. A head that is no
/// word of the sentence, and words that hang on one another in a circle, are faults.
pub fn check<H: AsRef<str>>(heads: &[H]) -> Result<(), Fault> {
    let count = heads.len();
    let mut above = Vec::with_capacity(count);
    for (at, head) in heads.iter().map(AsRef::as_ref).enumerate() {
        above.push(match head.parse::<usize>() {
            Ok(0) => None,
            Ok(head) if head <= count => Some(head - 1),
            _ if head == "_" => None,
            _ => {
                let why = format!("the head of word {} is none of the {count} words, nor 0 for the root", at + 1);
                return Err(Fault::at("head", why, head));
            }
        });
    }
    // Each word is walked over once: those that lead to an end are marked on the way back.
    let mut walk = vec![0; count];
    for start in 0..count {
        let mut at = Some(start);
        while let Some(word) = at.filter(|word| walk[*word] == 0) {
            walk[word] = start + 1;
            at = above[word];
        }
        if let Some(word) = at.filter(|word| walk[*word] == start + 1) {
            let why = format!("word {} is its own head, by way of other words or directly", word + 1);
            return Err(Fault::at("head", why, heads[word].as_ref()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_pass_and_circles_do_not() {
        for heads in [&["0"][..], &["2", "0", "2"], &["_", "1"], &["2", "3", "0"], &[], &["0", "0"]] {
            assert!(check(heads).is_ok(), "{heads:?}");
        }
        for (heads, said) in [
            (&["1"][..], "word 1 is its own head"),
            (&["2", "1", "0"], "is its own head"),
            (&["0", "3", "4", "2"], "is its own head"),
            (&["99", "0"], "the head of word 1 is none of the 2 words"),
            (&["0", "-1"], "the head of word 2"),
            (&["0", ""], "the head of word 2"),
            (&["0", "1.5"], "the head of word 2"),
        ] {
            assert!(check(heads).unwrap_err().why.contains(said), "{heads:?}");
        }
    }
}
