//! The analysis of one text: each layer is computed when it is first asked for, and kept.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

use crate::chinese;
use crate::entities::{self, Entity};
use crate::lemmas::lemma;
use crate::parse::{self, Dependency};
use crate::sentences;
use crate::tags::{self, Tag};
use crate::tokens::{Token, TokenKind, tokens};
use crate::word_features::WordFeatures;
use crate::{weights, wordnet};

/// A text with its tokens, sentences, tags, lemmas, parse and entities.
///
/// Each layer is computed at its first use, with the layers that it needs, and then shared: several parts that look at
/// one text tag it once. Layers run over the whole text: the tag at place `i` is that of the token at place `i`.
///
/// ```
/// let analysis = fissure_text::analyse("Mary didn't like Paris.");
/// let words: Vec<&str> = (0..analysis.tokens().len()).map(|at| analysis.word(at)).collect();
/// assert_eq!(words, ["Mary", "did", "n't", "like", "Paris", "."]);
/// assert_eq!(analysis.tags()[3].penn.as_str(), "VB");
/// assert_eq!(&*analysis.lemmas()[1], "do");
/// assert_eq!(analysis.dependencies()[0].head, Some(3));
/// assert_eq!(analysis.entities().len(), 2);
/// ```
#[derive(Debug)]
pub struct Analysis {
    text: Box<str>,
    tokens: OnceLock<Vec<Token>>,
    looks: OnceLock<Vec<WordFeatures>>,
    sentences: OnceLock<Vec<Range<usize>>>,
    /// One more than the code of the tag of each token that was asked about; 0 for the others.
    tagged: OnceLock<Box<[AtomicU16]>>,
    tags: OnceLock<Vec<Tag>>,
    lemmas: OnceLock<Vec<Box<str>>>,
    /// Sentence by sentence: a part that works on few of them has no others parsed.
    parses: OnceLock<Vec<OnceLock<Vec<Dependency>>>>,
    dependencies: OnceLock<Vec<Dependency>>,
    entities: OnceLock<Vec<Entity>>,
    chinese_words: OnceLock<Vec<Range<usize>>>,
    chinese: OnceLock<Vec<chinese::Word>>,
}

/// An analysis of `text`. Nothing is computed yet.
pub fn analyse(text: &str) -> Analysis {
    Analysis {
        text: text.into(),
        tokens: OnceLock::new(),
        looks: OnceLock::new(),
        sentences: OnceLock::new(),
        tagged: OnceLock::new(),
        tags: OnceLock::new(),
        lemmas: OnceLock::new(),
        parses: OnceLock::new(),
        dependencies: OnceLock::new(),
        entities: OnceLock::new(),
        chinese_words: OnceLock::new(),
        chinese: OnceLock::new(),
    }
}

impl Analysis {
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| tokens(&self.text))
    }

    /// The token at place `at` as it is written; empty if there is none.
    pub fn word(&self, at: usize) -> &str {
        self.tokens().get(at).map_or("", |token| token.text(&self.text))
    }

    /// The bytes from the first to the last of some tokens.
    pub fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        match self.tokens().get(tokens) {
            Some([first, .., last]) => first.span.start..last.span.end,
            Some([only]) => only.span.clone(),
            _ => 0..0,
        }
    }

    /// The sentences, as ranges of tokens. Every token is in exactly one.
    pub fn sentences(&self) -> &[Range<usize>] {
        self.sentences.get_or_init(|| sentences::split(&self.text, self.tokens(), self.looks(), weights::sentences()))
    }

    /// The sentence that the token at place `at` is in.
    pub fn sentence_of(&self, at: usize) -> Option<Range<usize>> {
        let sentences = self.sentences();
        sentences.get(sentences.partition_point(|sentence| sentence.end <= at)).cloned()
    }

    /// The part of speech of each token.
    pub fn tags(&self) -> &[Tag] {
        self.tags.get_or_init(|| {
            let mut found = Vec::with_capacity(self.tokens().len());
            tags::with_shipped(|tagger| {
                self.sentences().iter().for_each(|at| tagger.extend(&self.looks()[at.clone()], &mut found));
            });
            found
        })
    }

    /// The part of speech of the token at place `at`: what [`Self::tags`] has there, but no more of the text is read than
    /// that takes. The tagger sees two tags back, so it can start behind any two that are certain.
    pub fn tag(&self, at: usize) -> Option<Tag> {
        if let Some(tags) = self.tags.get() {
            return tags.get(at).copied();
        }
        let count = self.tokens().len();
        let tagged = self.tagged.get_or_init(|| (0..count).map(|_| AtomicU16::new(0)).collect());
        // Two threads that meet here find the same tags, and either may write them.
        let known = |at: usize| Tag::from_code(tagged[at].load(Ordering::Relaxed).checked_sub(1)?);
        if at >= count || known(at).is_some() {
            return tagged.get(at).and_then(|_| known(at));
        }
        let looks = self.looks();
        let sentence = self.sentence_of(at)?;
        let sure = |at: usize| known(at).or_else(|| tags::certain(&looks[at]));
        let may_start = |at: usize| {
            let before = (at.saturating_sub(2)..at).filter(|before| sentence.contains(before));
            before.rev().all(|before| sure(before).is_some())
        };
        let start = (sentence.start..=at).rev().find(|at| may_start(*at))?;
        tags::with_shipped(|tagger| {
            let mut last: Vec<Tag> = Vec::with_capacity(at + 3 - start);
            let before = (start.saturating_sub(2)..start).filter(|before| sentence.contains(before));
            last.extend(before.filter_map(sure));
            for place in start..=at {
                let tag = tagger.next(&looks[sentence.clone()], &last, place - sentence.start);
                tagged[place].store(tag.code() + 1, Ordering::Relaxed);
                last.push(tag);
            }
            last.last().copied()
        })
    }

    /// The same where it costs next to nothing: for a word that can have no other tag.
    pub fn certain_tag(&self, at: usize) -> Option<Tag> {
        self.looks().get(at).and_then(tags::certain)
    }

    /// The dictionary form of each token.
    pub fn lemmas(&self) -> &[Box<str>] {
        let lemma = |(token, tag): (&Token, &Tag)| lemma(token.text(&self.text), *tag);
        self.lemmas.get_or_init(|| self.tokens().iter().zip(self.tags()).map(lemma).collect())
    }

    /// How each token depends on another of its sentence.
    pub fn dependencies(&self) -> &[Dependency] {
        self.dependencies.get_or_init(|| {
            let parsed = (0..self.sentences().len()).map(|number| self.dependencies_of(number));
            parsed.flatten().copied().collect()
        })
    }

    /// The same for the tokens of the sentence of that number alone; heads are places in the text.
    pub fn dependencies_of(&self, number: usize) -> &[Dependency] {
        let parses = self.parses.get_or_init(|| vec![OnceLock::new(); self.sentences().len()]);
        let (Some(parsed), Some(at)) = (parses.get(number), self.sentences().get(number)) else { return &[] };
        parsed.get_or_init(|| {
            let words = parse::parse(&self.looks()[at.clone()], &self.tags()[at.clone()], weights::parse());
            let moved = |word: Dependency| Dependency { head: word.head.map(|head| at.start + head), ..word };
            words.into_iter().map(moved).collect()
        })
    }

    /// The persons, places and organisations that the text names, in order.
    pub fn entities(&self) -> &[Entity] {
        self.entities.get_or_init(|| {
            let looks = self.looks();
            let mut found = Vec::new();
            entities::with_shipped(|finder| {
                for at in self.sentences() {
                    let moved = |entity: Entity| Entity {
                        tokens: at.start + entity.tokens.start..at.start + entity.tokens.end,
                        kind: entity.kind,
                    };
                    let tag = |place: usize| self.tag(at.start + place);
                    found.extend(finder.find(&looks[at.clone()], tag).into_iter().map(moved));
                }
            });
            found
        })
    }

    /// Where the words of a Chinese text are.
    pub fn chinese_words(&self) -> &[Range<usize>] {
        self.chinese_words.get_or_init(|| chinese::cut(&self.text))
    }

    /// The words of a Chinese text with their parts of speech; all layers but this and the one before are of English.
    pub fn chinese(&self) -> &[chinese::Word] {
        self.chinese.get_or_init(|| chinese::tagged(&self.text, self.chinese_words()))
    }

    /// Whether the dictionary has the token at place `at` as part of a phrase with the words around it (`prime minister`,
    /// `give up`, `in spite of`): a phrase loses its meaning with one of its words.
    pub fn in_phrase(&self, at: usize) -> bool {
        let known = |phrase: &str| wordnet::all_senses(phrase).next().is_some();
        let lemma_at = |place: usize| self.tag(place).map_or_else(Box::default, |tag| lemma(self.word(place), tag));
        let is_phrase = |from: usize, to: usize| {
            let in_words =
                (from..=to).all(|place| self.tokens().get(place).is_some_and(|token| token.kind == TokenKind::Word));
            in_words && {
                let written: Vec<&str> = (from..=to).map(|place| self.word(place)).collect();
                let lemmas: Vec<Box<str>> = (from..=to).map(lemma_at).collect();
                known(&written.join(" ")) || known(&written.join("-")) || known(&lemmas.join(" "))
            }
        };
        let least = at.saturating_sub(2);
        (least..=at).any(|from| (at.max(from + 1)..=from + 2).any(|to| is_phrase(from, to)))
    }

    pub(crate) fn looks(&self) -> &[WordFeatures] {
        self.looks.get_or_init(|| self.tokens().iter().map(|token| WordFeatures::of(token.text(&self.text))).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tags::Relation;
    use crate::{EntityKind, Penn, Upos};

    /// The tokens with their Penn tags.
    fn tagged(text: &str) -> String {
        let analysis = analyse(text);
        let words = analysis.tags().iter().enumerate().map(|(at, tag)| format!("{}/{}", analysis.word(at), tag.penn));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sentences_are_tagged() {
        assert_eq!(
            tagged("The old man quickly sold two small houses."),
            "The/DT old/JJ man/NN quickly/RB sold/VBD two/CD small/JJ houses/NNS ./."
        );
        assert_eq!(
            tagged("I can't believe she left him!"),
            "I/PRP ca/MD n't/RB believe/VB she/PRP left/VBD him/PRP !/."
        );
        assert_eq!(tagged("They were eating 3 apples."), "They/PRP were/VBD eating/VBG 3/CD apples/NNS ./.");
    }

    #[test]
    fn layers_agree_on_a_sentence() {
        let analysis = analyse("The cats were chased by a dog. John Smith works for Google in New York.");
        let places: Vec<_> = analysis.sentences().to_vec();
        assert_eq!(places, [0..8, 8..17]);
        assert_eq!(analysis.sentence_of(8), Some(8..17));
        assert_eq!(analysis.sentence_of(17), None);
        let lemmas: Vec<&str> = analysis.lemmas().iter().take(5).map(|lemma| &**lemma).collect();
        assert_eq!(lemmas, ["the", "cat", "be", "chase", "by"]);
        assert_eq!((analysis.tags()[1].upos, analysis.tags()[1].penn), (Upos::Noun, Penn::Nns));
        let dependencies = analysis.dependencies();
        assert_eq!(dependencies[1], Dependency { head: Some(3), relation: Relation::NsubjPass });
        assert_eq!(dependencies[3], Dependency { head: None, relation: Relation::Root });
        assert_eq!(dependencies[8].head, Some(10));
        let entities: Vec<_> = analysis
            .entities()
            .iter()
            .map(|entity| (&analysis.text()[analysis.bytes(entity.tokens.clone())], entity.kind))
            .collect();
        assert_eq!(
            entities,
            [("John Smith", EntityKind::Person), ("Google", EntityKind::Organisation), ("New York", EntityKind::Place)]
        );
    }

    #[test]
    fn analyses_are_shared_between_threads() {
        fn shared<T: Send + Sync>(_: &T) {}
        shared(&analyse(""));
    }

    fn check_layers(text: &str) {
        let analysis = analyse(text);
        let count = analysis.tokens().len();
        // Asked one by one, in whatever order, the tags are the same.
        let lazy = analyse(text);
        (0..count).step_by(7).rev().for_each(|at| _ = lazy.tag(at));
        let one_by_one: Vec<Tag> = (0..count).filter_map(|at| lazy.tag(at)).collect();
        assert_eq!(one_by_one, analysis.tags());
        assert_eq!((lazy.tag(count), lazy.tag(usize::MAX)), (None, None));
        assert_eq!(analysis.lemmas().len(), count);
        assert_eq!(analysis.dependencies().len(), count);
        let mut next = 0;
        for sentence in analysis.sentences() {
            assert!(sentence.start == next && sentence.end > sentence.start);
            next = sentence.end;
            let words = &analysis.dependencies()[sentence.clone()];
            assert_eq!(words.iter().filter(|word| word.head.is_none()).count(), 1, "one root");
            assert!(words.iter().flat_map(|word| word.head).all(|head| sentence.contains(&head)));
        }
        assert_eq!(next, count);
        assert!(
            analysis
                .entities()
                .iter()
                .all(|entity| entity.tokens.start < entity.tokens.end && entity.tokens.end <= count)
        );
    }

    #[test]
    fn strange_texts_have_all_layers() {
        for text in [
            "",
            " \n\n ",
            "👨‍👩‍👧‍👦👍🏽",
            "שלום עולם",
            "e\u{301}\u{302}",
            "\u{0}\u{1}",
            "....",
            "<br /><br />x",
            "我爱北京天安门",
        ] {
            check_layers(text);
        }
        check_layers(&"word ".repeat(20_000));
        check_layers(&"x".repeat(1_000_000));
        check_layers(&"a\n".repeat(10_000));
    }

    proptest! {
        #[test]
        fn any_text_has_all_layers(text in "([A-Za-z]{1,8}|[.!?,'\"()]| |\n|\\PC){0,60}") {
            check_layers(&text);
        }
    }
}
