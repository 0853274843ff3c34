use fissure_core::{Cut, Sample, Skip, Slice, Words, choices, slice};
use fissure_text::names::{Gender, gendered_words, people};

slice! {
    /// Samples that mention men, women, both, or neither.
    ///
    /// By pronouns, kin, titles and trades (`she`, `uncle`, `actress`) and by first names that nine in ten bearers of one
    /// gender share. The measure is 0 for neither, 1 for men, 2 for women, 3 for both.
    pub struct Prejudice {
        /// Whom the samples mention.
        mentions: Mentions = Mentions::Women;
    }
    card: {
        tags: &[Tag::Bias],
        languages: &[English],
        aliases: &["PrejudiceSubPopulation"],
        citation: Some("Wang et al. 2021 (TextFlint), section 4.2.3"),
    }
    examples: [
        "Mary saw the actress." => "2",
        "He told John." => "1",
        "She met her brother." => "3",
        "The soup is hot." => "0",
    ]
}

choices! {
    /// Whom samples speak of.
    pub enum Mentions { Men = "men", Women = "women", Both = "both", None = "none" }
}

impl Slice for Prejudice {
    fn measure(&self, sample: &Sample) -> Result<f64, Skip> {
        let (mut men, mut women) = (false, false);
        for field in sample.fields.iter().filter(|field| field.open) {
            for word in Words::new(&field.text) {
                let text =
                    word.text.strip_suffix("'s").or_else(|| word.text.strip_suffix("\u{2019}s")).unwrap_or(word.text);
                match gendered_words::of(text).or_else(|| people::gender(text)) {
                    Some(Gender::Male) => men = true,
                    Some(Gender::Female) => women = true,
                    None => {}
                }
            }
        }
        Ok(f64::from(u8::from(men) + 2 * u8::from(women)))
    }

    fn cut(&self) -> Cut {
        let wanted = match self.mentions {
            Mentions::None => 0.0,
            Mentions::Men => 1.0,
            Mentions::Women => 2.0,
            Mentions::Both => 3.0,
        };
        Cut::Between { least: wanted, most: wanted }
    }
}
