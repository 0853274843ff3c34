use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, layer, transform};
use fissure_text::inflection::{self, Kind};

use crate::support::annotated::Annotated;
use crate::support::gold_tags;

mod groups;

use groups::GROUPS;

transform! {
    /// Replaces a word that has a prefix with the same word behind another prefix: `exports` for `imports`.
    ///
    /// Both are words of the same part of speech, in the same form, and are built alike, so that the sentence stays a sentence. Few
    /// words have two prefixes that make words, and of these most cannot stand for each other (`review` and `interview`,
    /// `express` and `impress`): about one sentence in two hundred of UD English EWT changes.
    pub struct SwapPrefix {
        ..Amount::share(0.2);
    }
    card: {
        level: Some(Word),
        family: Some(Morphology),
        expectation: Some(Kept),
        requires: &[Has::Tags],
        languages: &[English],
        aliases: &["SwapPrefix"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[They|token:PRP] [exported|token:VBD] [it|token:PRP] [.|token:.]" => "[They|token:PRP] [transported|token:VBD] [it|token:PRP] [.|token:.]",
        "[The|token:DET] [imports|token:NOUN] [fell|token:VERB] [.|token:PUNCT]" => "[The|token:DET] [exports|token:NOUN] [fell|token:VERB] [.|token:PUNCT]",
        { max = "3" } "[They|token:PRP] [exported|token:VBD] [it|token:PRP] [.|token:.]" => "[They|token:PRP] [transported|token:VBD] [it|token:PRP] [.|token:.]",
        "[They|token:PRP] [believe|token:VBP] [it|token:PRP] [.|token:.]" => "[They|token:PRP] [believe|token:VBP] [it|token:PRP] [.|token:.]",
    ]
}

const WORSE: f64 = -3.0;

impl EditSample for SwapPrefix {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        if sample.layer(layer::TOKEN).next().is_none() {
            return Err(Skip("there are no tokens".into()));
        }
        let annotated = Annotated::of(&field.text);
        let mut words: Vec<(usize, Vec<String>)> = Vec::new();
        for word in gold_tags::content(sample, &annotated).into_iter().filter(|word| annotated.may_be_content(word.at))
        {
            let form = |other: &&str| inflection::inflect(other, word.penn.as_str()).map(|form| form.into_owned());
            let lemma = annotated.lemma(word.at);
            let forms: Vec<String> = others(&lemma, word.kind).iter().filter_map(form).collect();
            let fits = |form: &String| {
                !form.contains(' ') && *form != *annotated.small(word.at) && annotated.fit(word.at, form) >= WORSE
            };
            let forms: Vec<String> = forms.into_iter().filter(fits).collect();
            if !forms.is_empty() && !annotated.in_phrase(word.at) {
                words.push((word.at, forms));
            }
        }
        let mut edits: Vec<Edit> = Vec::new();
        for at in dice.choose(words.len(), self.amount.of(words.len())) {
            let (at, forms) = &words[at];
            if let Some(form) = dice.pick(forms) {
                annotated.put(*at, form, &mut edits);
            }
        }
        edits.sort_by_key(|edit| edit.span);
        edits.dedup_by(|next, edit| next.span == edit.span);
        Ok(edits)
    }
}

/// The words that can stand for this one: the same stem behind another prefix.
fn others(lemma: &str, kind: Kind) -> Vec<&'static str> {
    let words = |group: &'static str| group.split(' ');
    let of_kind = GROUPS.iter().filter(|(own, _)| *own == kind).flat_map(|(_, groups)| groups.iter().copied());
    let holding = of_kind.filter(|group| words(group).any(|word| word == lemma));
    holding.flat_map(words).filter(|other| *other != lemma).collect()
}
