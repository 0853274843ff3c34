use fissure_core::{Cut, Sample, Skip, Slice, choices, slice};

slice! {
    /// The shortest or the longest samples, or those of a given length.
    ///
    /// The length of a sample is that of all its open texts together.
    pub struct Length {
        /// Which samples to take; `between` takes those from `least` to `most`, both included.
        take: Take = Take::Longest;
        /// The share of the samples that `shortest` and `longest` take.
        share: f64 = 0.2, in 0.0..=1.0;
        /// The shortest length that `between` takes.
        least: usize = 0;
        /// The longest length that `between` takes.
        most: usize = usize::MAX;
        /// What is counted; words need spaces between them, so Chinese is counted in `letters`.
        unit: Unit = Unit::Words;
    }
    card: {
        aliases: &["LengthSubPopulation"],
        citation: Some("Wang et al. 2021 (TextFlint), section 4.2.3"),
    }
    examples: [
        "The soup was hot, and the bread wasn't." => "8",
        { unit = "letters" } "naïve 👩‍👩‍👧" => "7",
        "" => "0",
    ]
}

choices! {
    /// Which end of the lengths to take.
    pub enum Take { Shortest = "shortest", Longest = "longest", Between = "between" }
}

choices! {
    /// What a length counts.
    pub enum Unit { Words = "words", Letters = "letters" }
}

impl Slice for Length {
    fn measure(&self, sample: &Sample) -> Result<f64, Skip> {
        let texts = sample.fields.iter().filter(|field| field.open).map(|field| &field.text);
        let lengths = texts.map(|text| match self.unit {
            Unit::Words => text.words().count(),
            Unit::Letters => text.letter_count(),
        });
        Ok(lengths.sum::<usize>() as f64)
    }

    fn cut(&self) -> Cut {
        match self.take {
            Take::Shortest => Cut::Lowest(self.share),
            Take::Longest => Cut::Highest(self.share),
            Take::Between => Cut::Between { least: self.least as f64, most: self.most as f64 },
        }
    }
}
