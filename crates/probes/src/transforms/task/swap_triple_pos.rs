use fissure_core::{Change, Dice, Edit, Piece, Resources, Sample, Skip, Span, Transform, choices, layer, transform};

use crate::clauses::is_any;
use crate::support::annotated::Annotated;

transform! {
    /// Turns the order of subject and object by a paraphrase that keeps their relation.
    ///
    /// `X, born in Y, studied` becomes `Born in Y, X studied` (`birth`), `X, 49, said` becomes `At 49, X said` or `X, who is
    /// 49, said` (`age`), `Y chief X said` becomes `X, chief of Y, said` (`employee`). Sentences of other forms are left
    /// alone: data without births, ages and titles, such as SemEval-2010, has almost none.
    pub struct SwapTriplePos {
        /// Which paraphrase.
        kind: Which = Which::Auto;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Kept),
        does: &[Rewrites],
        requires: &[Has::Layer(layer::SUBJECT), Has::Layer(layer::OBJECT)],
        languages: &[English],
        aliases: &["SwapTriplePos", "SwapBirth", "SwapAge", "SwapEmployee", "SwapTriplePos-Birth", "SwapTriplePos-Age", "SwapTriplePos-Employee"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.52, 3.53), grammaticality: (3.91, 3.86) }),
    }
    examples: [
        "[Anna Keller|subject], born in [Graz|object], studied law. // label:: born" => "Born in [Graz|object], [Anna Keller|subject] studied law. // label:: born",
        "[Anna Keller|subject], [49|object], said nothing. // label:: age" => "At [49|object], [Anna Keller|subject] said nothing. // label:: age",
        "On Monday [Anna Keller|subject], [49|object], left. // label:: age" => "On Monday [Anna Keller|subject], who is [49|object], left. // label:: age",
        { kind = "employee" } "[Acme|object] chairman [Anna Keller|subject] resigned. // label:: employer" => "[Anna Keller|subject], chairman of [Acme|object], resigned. // label:: employer",
        "[Anna Keller|subject] likes [Graz|object]. // label:: other" => "[Anna Keller|subject] likes [Graz|object]. // label:: other",
    ]
}

choices! {
    /// Which paraphrase turns the order.
    pub enum Which { Auto = "auto", Birth = "birth", Age = "age", Employee = "employee" }
}

/// What somebody can be of an organisation.
const TITLES: &[&str] = &[
    "chief",
    "chairman",
    "chairwoman",
    "president",
    "director",
    "spokesman",
    "spokeswoman",
    "manager",
    "founder",
    "editor",
    "analyst",
    "professor",
    "coach",
    "executive",
    "secretary",
    "leader",
    "commissioner",
    "official",
    "researcher",
    "lawyer",
    "head",
    "owner",
    "ceo",
    "captain",
    "economist",
];

/// The sentence that is turned, with its marks.
struct Turned<'s> {
    sample: &'s Sample,
    text: &'s str,
    subject: Span,
    object: Span,
    /// How a comma is written: tokens have a space before it.
    comma: &'static str,
}

impl Transform for SwapTriplePos {
    fn propose(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let argument = |layer: &str| sample.layer(layer).find(|(_, mark)| mark.field == 0).map(|(_, mark)| mark.span);
        let (Some(subject), Some(object)) = (argument(layer::SUBJECT), argument(layer::OBJECT)) else {
            return Err(Skip("subject or object is not marked".into()));
        };
        let comma = if field.from_tokens { " ," } else { "," };
        let turned = Turned { sample, text: &field.text, subject, object, comma };
        let may = |which: Which| self.kind == Which::Auto || self.kind == which;
        let annotated = Annotated::of(&field.text);
        let change = (may(Which::Birth).then(|| turned.birth()).flatten())
            .or_else(|| may(Which::Age).then(|| turned.age(&annotated)).flatten())
            .or_else(|| may(Which::Employee).then(|| turned.employee(&annotated)).flatten());
        Ok(change.unwrap_or_default())
    }
}

impl Turned<'_> {
    fn cut(&self, span: Span) -> Piece {
        Piece::cut(self.sample, 0, span)
    }

    /// The text between two places, without spaces around it.
    fn between(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or("").trim()
    }

    /// The place behind the comma that follows `from`, and the start of the next word.
    fn behind_comma(&self, from: usize) -> Option<usize> {
        let rest = self.text.get(from..)?;
        let after = rest.trim_start().strip_prefix(',')?;
        let start = self.text.len() - after.trim_start().len();
        (!after.trim_start().is_empty()).then_some(start)
    }

    /// `X, born in Y, studied` to `Born in Y, X studied`.
    fn birth(&self) -> Option<Change> {
        let between = self.between(self.subject.end, self.object.start);
        let said = between.strip_prefix(',')?.trim();
        let born = ["born in", "born on", "born at", "born", "a native of", "born and raised in"].contains(&said);
        let next = self.behind_comma(self.object.end)?;
        let starts = self.text[..self.subject.start].trim().is_empty();
        let follows = self.text[next..].starts_with(|first: char| first.is_lowercase());
        if !born || !starts || !follows {
            return None;
        }
        let said = fissure_text::casing::title(said).into_owned();
        let piece = Piece::words(format!("{said} "))
            + self.cut(self.object)
            + format!("{} ", self.comma)
            + self.cut(self.subject)
            + " ";
        Some(Edit::put(self.subject.start..next, piece).into())
    }

    /// `X, 49, said` to `At 49, X said`, or to `X, who is 49, said` inside a sentence.
    fn age(&self, annotated: &Annotated) -> Option<Change> {
        let number = self.object.of(self.text);
        let age: u32 = number.parse().ok()?;
        let next = self.behind_comma(self.object.end)?;
        if !(1..=110).contains(&age) || self.between(self.subject.end, self.object.start) != "," {
            return None;
        }
        let follows = self.text[next..].starts_with(|first: char| first.is_lowercase());
        let before = self.text[..self.subject.start].trim_end();
        let opens = before.is_empty() || before.ends_with(['.', '!', '?']);
        let verb = annotated.analysis().tokens().iter().position(|token| token.span.start == next)?;
        use fissure_text::Penn;
        let acts = matches!(annotated.penn(verb), Some(Penn::Vbd | Penn::Vbz | Penn::Vbp | Penn::Md | Penn::Rb));
        if opens && follows && acts {
            let piece =
                Piece::words("At ") + self.cut(self.object) + format!("{} ", self.comma) + self.cut(self.subject) + " ";
            return Some(Edit::put(self.subject.start..next, piece).into());
        }
        Some(Edit::insert(self.object.start, "who is ").into())
    }

    /// `Y chief X said` to `X, chief of Y, said`.
    fn employee(&self, annotated: &Annotated) -> Option<Change> {
        let (person, group) = if self.object.end <= self.subject.start {
            (self.subject, self.object)
        } else {
            (self.object, self.subject)
        };
        let title = self.between(group.end, person.start);
        let words: Vec<&str> = title.split_whitespace().collect();
        let titled = words.last().is_some_and(|last| is_any(last, TITLES)) && words.len() <= 3;
        let plain = words.iter().all(|word| word.chars().all(|sign| sign.is_lowercase() || sign == '-'));
        let at = annotated.analysis().tokens().iter().position(|token| token.span.start == group.start)?;
        let next = annotated.analysis().tokens().iter().position(|token| token.span.start >= person.end)?;
        use fissure_text::Penn;
        let acts = matches!(annotated.penn(next), Some(Penn::Vbd | Penn::Vbz | Penn::Vbp | Penn::Md));
        // `the Acme chief`, `former Acme chief`: what stands before belongs to the title.
        let bare = annotated.starts_sentence(at) || is_any(annotated.before(at), &[",", "that", "and", "when", "but"]);
        if !titled || !plain || !acts || !bare {
            return None;
        }
        let comma = self.comma;
        let piece = self.cut(person) + format!("{comma} {title} of ") + self.cut(group) + comma;
        Some(Edit::put(group.start..person.end, piece).into())
    }
}
