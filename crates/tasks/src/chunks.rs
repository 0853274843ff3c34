//! Chunks: what tags on tokens say about spans.

/// A span of tokens, first and last included, and its type.
pub(crate) type Chunk<'a> = (usize, usize, &'a str);

/// The chunks that tags describe, read as the CoNLL-2000 evaluation reads them: B, I, E, S and O, with M for I, L for E
/// and U for S (so IOB1, IOB2, BMES, BIOES and BILOU are all read). What a scheme does not allow is read kindly: a chunk
/// that starts with I starts there, and one whose type changes ends. A tag without a prefix is a type by itself.
pub(crate) fn chunks<'a>(tags: &[&'a str]) -> Vec<Chunk<'a>> {
    let mut chunks = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut last = Tag { place: Place::Outside, kind: "" };
    for (at, tag) in tags.iter().map(|tag| Tag::read(tag)).chain([Tag { place: Place::Outside, kind: "" }]).enumerate()
    {
        if let Some((first, kind)) = open.filter(|_| last.ends_before(tag)) {
            chunks.push((first, at - 1, kind));
            open = None;
        }
        if tag.starts_after(last) {
            open = Some((at, tag.kind));
        }
        last = tag;
    }
    chunks
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Begin,
    Inside,
    End,
    Single,
    Outside,
}

#[derive(Clone, Copy)]
struct Tag<'a> {
    place: Place,
    kind: &'a str,
}

impl<'a> Tag<'a> {
    fn read(tag: &'a str) -> Self {
        let (prefix, kind) = tag.split_once(['-', '_']).unwrap_or((tag, ""));
        let place = match prefix {
            "B" => Place::Begin,
            "I" | "M" => Place::Inside,
            "E" | "L" => Place::End,
            "S" | "U" => Place::Single,
            "O" | "" => Place::Outside,
            _ => return Self { place: Place::Inside, kind: tag },
        };
        Self { place, kind: if place == Place::Outside { "" } else { kind } }
    }

    /// Whether a chunk that reached this tag ends here when `next` follows.
    fn ends_before(self, next: Self) -> bool {
        use Place::{Begin, End, Inside, Outside, Single};
        match (self.place, next.place) {
            (Outside, _) => false,
            (End | Single, _) | (Begin | Inside, Begin | Single | Outside) => true,
            _ => self.kind != next.kind,
        }
    }

    /// Whether a chunk starts here when `last` came before.
    fn starts_after(self, last: Self) -> bool {
        use Place::{Begin, End, Outside, Single};
        match (self.place, last.place) {
            (Outside, _) => false,
            (Begin | Single, _) | (_, End | Single | Outside) => true,
            _ => self.kind != last.kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tags: &str) -> Vec<(usize, usize, String)> {
        let tags: Vec<&str> = tags.split_whitespace().collect();
        chunks(&tags).into_iter().map(|(first, last, kind)| (first, last, kind.to_owned())).collect()
    }

    #[test]
    fn every_scheme_reads_the_same_two_names() {
        let expected = [(1, 2, "PER".to_owned()), (4, 4, "LOC".to_owned())];
        for tags in [
            "O B-PER I-PER O B-LOC",
            "O I-PER I-PER O I-LOC",
            "O B-PER E-PER O S-LOC",
            "O B-PER L-PER O U-LOC",
            "O PER PER O LOC",
        ] {
            assert_eq!(read(tags), expected, "{tags}");
        }
    }

    #[test]
    fn what_a_scheme_does_not_allow_is_read_kindly() {
        assert_eq!(read("I-PER I-LOC"), [(0, 0, "PER".into()), (1, 1, "LOC".into())]);
        assert_eq!(read("B-PER B-PER"), [(0, 0, "PER".into()), (1, 1, "PER".into())]);
        assert_eq!(read("B-PER I-LOC I-LOC"), [(0, 0, "PER".into()), (1, 2, "LOC".into())]);
        assert_eq!(read("O O"), []);
        assert_eq!(read(""), []);
    }

    #[test]
    fn words_of_bmes_tags() {
        let words: Vec<_> = read("B E S B M E").into_iter().map(|(first, last, _)| (first, last)).collect();
        assert_eq!(words, [(0, 1), (2, 2), (3, 5)]);
        // A word that never ends, and one that never began.
        let words: Vec<_> = read("B M B E M").into_iter().map(|(first, last, _)| (first, last)).collect();
        assert_eq!(words, [(0, 1), (2, 3), (4, 4)]);
    }
}
