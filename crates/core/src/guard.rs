//! Keeps every part off texts in a language that its card does not name.
//!
//! The one place for it: whatever is built from a catalog goes through here, so no part has to ask, and none can forget.

use crate::{
    Card, Change, Cut, Dice, Draws, Language, Law, Place, Resources, Sample, Skip, Slice, Transform, Validator,
};

/// What a catalog can build. A trait of parts that never see a text of the user's own needs no guard.
pub trait Part {
    /// The part, kept off texts in other languages than its card names.
    fn guarded(self: Box<Self>, _: &Card) -> Box<Self> {
        self
    }
}

impl Card {
    /// Whether the part knows the language of a text.
    pub fn knows(&self, text: Language) -> bool {
        knows(self.languages, text)
    }
}

fn knows(languages: &[Language], text: Language) -> bool {
    languages.iter().any(|language| language.serves(text))
}

/// A part with what it knows.
#[derive(Debug)]
struct Guarded<T: ?Sized> {
    name: &'static str,
    languages: &'static [Language],
    part: Box<T>,
}

impl<T: ?Sized> Guarded<T> {
    fn new(part: Box<T>, card: &Card) -> Self {
        Self { name: card.name, languages: card.languages, part }
    }

    fn is_foreign(&self, sample: &Sample, field: usize) -> bool {
        sample.fields.get(field).is_some_and(|field| !knows(self.languages, field.text.language()))
    }

    /// The open texts that the part does not know; an error if there is no other text for it.
    fn foreign(&self, sample: &Sample) -> Result<Vec<usize>, Skip> {
        let open = |field: &usize| sample.fields[*field].open;
        let foreign: Vec<usize> =
            (0..sample.fields.len()).filter(open).filter(|field| self.is_foreign(sample, *field)).collect();
        let Some(first) = foreign.first() else { return Ok(foreign) };
        // A text without a letter is in no language: it is no work for a part that leaves the others alone.
        let is_work =
            |field: usize| !foreign.contains(&field) && sample.fields[field].text.contains(char::is_alphabetic);
        if (0..sample.fields.len()).filter(open).any(is_work) { Ok(foreign) } else { Err(self.refusal(sample, *first)) }
    }

    fn refusal(&self, sample: &Sample, field: usize) -> Skip {
        let known: Vec<&str> = self.languages.iter().map(|language| language.name()).collect();
        let language = sample.fields[field].text.language().name();
        Skip(format!("the text is {language}; `{}` knows {}", self.name, known.join(" and ")).into())
    }
}

/// The sample with these fields closed.
fn closed(sample: &Sample, fields: &[usize]) -> Sample {
    let mut view = sample.clone();
    for field in fields {
        view.fields[*field].open = false;
    }
    view
}

impl Transform for Guarded<dyn Transform> {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let foreign = self.foreign(sample)?;
        let change = if foreign.is_empty() {
            self.part.propose(sample, dice, resources)?
        } else {
            self.part.propose(&closed(sample, &foreign), dice, resources)?
        };
        // A part may open closed texts; what it does not know stays closed to it all the same.
        match change.edits.iter().find(|edit| self.is_foreign(sample, edit.field)) {
            Some(edit) => Err(self.refusal(sample, edit.field)),
            None => Ok(change),
        }
    }

    fn candidates(&self, sample: &Sample, resources: &Resources) -> Option<Vec<Place>> {
        match self.foreign(sample) {
            Ok(foreign) if foreign.is_empty() => self.part.candidates(sample, resources),
            Ok(foreign) => self.part.candidates(&closed(sample, &foreign), resources),
            Err(_) => Some(Vec::new()),
        }
    }

    fn law(&self, sample: &Sample, resources: &Resources, draws: &mut Draws) -> Option<Law> {
        match self.foreign(sample) {
            Ok(foreign) if foreign.is_empty() => self.part.law(sample, resources, draws),
            Ok(foreign) => self.part.law(&closed(sample, &foreign), resources, draws),
            Err(_) => Some(Law::default()),
        }
    }
}

impl Slice for Guarded<dyn Slice> {
    fn measure(&self, sample: &Sample) -> Result<f64, Skip> {
        self.foreign(sample)?;
        self.part.measure(sample)
    }

    fn cut(&self) -> Cut {
        self.part.cut()
    }
}

impl Validator for Guarded<dyn Validator> {
    fn score(&self, before: &Sample, after: &Sample, resources: &Resources) -> Result<f64, Skip> {
        self.foreign(before)?;
        self.part.score(before, after, resources)
    }
}

/// A part that knows every language needs no guard.
macro_rules! guard {
    ($($Trait:ident),+) => {$(
        impl Part for dyn $Trait {
            fn guarded(self: Box<Self>, card: &Card) -> Box<Self> {
                if card.knows_all() { self } else { Box::new(Guarded::new(self, card)) }
            }
        }
    )+};
}

guard!(Transform, Slice, Validator);

impl Card {
    fn knows_all(&self) -> bool {
        self.languages.contains(&Language::Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edit, EditSample, Entry, Field, Kind, Proposal};

    /// Marks every text, closed or not.
    #[derive(Debug)]
    struct Marks;

    impl EditSample for Marks {
        fn edit_sample(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Proposal {
            let open = (0..sample.fields.len()).filter(|field| sample.fields[*field].open || sample.id == "all");
            Ok(open.map(|field| Edit::insert(0, "x").on(field)).collect())
        }
    }

    fn proposed(languages: &'static [Language], id: &str, texts: &[&str]) -> Result<Vec<usize>, String> {
        let card = Card { languages, ..Card::new(Kind::Transform, "marks", "Marks.", "", 0) };
        let entry = Entry::<dyn Transform>::new(card, Vec::new, |_| Ok((Box::new(Marks), Vec::new())));
        let (part, _) = entry.build(&[]).unwrap();
        let fields = texts.iter().map(|text| Field::open("text", *text)).collect();
        let sample = Sample { id: id.into(), fields, ..Sample::default() };
        let change = part.propose(&sample, &mut Dice::new(0, &[]), &Resources::default());
        change.map(|change| change.edits.iter().map(|edit| edit.field).collect()).map_err(|skip| skip.to_string())
    }

    #[test]
    fn a_text_in_another_language_is_left_alone_with_the_reason() {
        const ENGLISH: &[Language] = &[Language::English];
        assert_eq!(proposed(ENGLISH, "1", &["so good"]), Ok(vec![0]));
        let refused = Err("the text is Chinese; `marks` knows English".to_owned());
        assert_eq!(proposed(ENGLISH, "1", &["很好看"]), refused);
        assert_eq!(proposed(&[Language::English, Language::Chinese], "1", &["很好看"]), Ok(vec![0]));
        assert_eq!(proposed(&[Language::Any], "1", &["很好看"]), Ok(vec![0]));
        // Of two texts the one that it knows; one without letters is no work.
        assert_eq!(proposed(ENGLISH, "1", &["很好看", "so good"]), Ok(vec![1]));
        assert_eq!(proposed(ENGLISH, "1", &["很好看", "..."]), refused);
        assert_eq!(proposed(ENGLISH, "all", &["很好看", "so good"]), refused);
        assert_eq!(
            proposed(ENGLISH, "1", &["Хорошо"]),
            Err("the text is in Cyrillic letters; `marks` knows English".to_owned())
        );
    }
}
