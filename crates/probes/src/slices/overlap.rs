use fissure_core::{Cut, Sample, Skip, Slice, Text, Words, choices, slice};
use fissure_text::analyse;

slice! {
    /// Pairs of which the second text is made of words of the first: as a bag, in a row, or as one of its phrases.
    ///
    /// The three kinds are those of HANS, from the widest to the narrowest. Case does not matter. The measure is a share
    /// for `lexical`, and 1 or 0 for the others. An example on this card is a pair with a tab between.
    pub struct Overlap {
        /// `lexical` counts words of the second text that the first has; `subsequence` asks whether the second stands in
        /// the first, word for word in a row; `constituent` whether it is a phrase of it that the parse finds.
        kind: Kind = Kind::Lexical;
        /// The least share of words that `lexical` takes.
        least: f64 = 1.0, in 0.0..=1.0;
    }
    card: {
        requires: &[Has::SeveralTexts],
        aliases: &["OverlapSubPopulation"],
        citation: Some("McCoy et al. 2019 (HANS), section 3"),
    }
    examples: [
        "The doctors saw the actor.\tThe actor saw the doctors." => "1",
        { kind = "subsequence" } "The judges heard the actors resigned.\tThe judges heard the actors." => "1",
        { kind = "subsequence" } "The doctors saw the actor.\tThe actor saw the doctors." => "0",
        { kind = "constituent" } "He said that she slept.\tShe slept" => "0",
        "Soup is hot.\tSoup is cold today." => "0.5",
    ]
}

choices! {
    /// How the second text lies in the first.
    pub enum Kind { Lexical = "lexical", Subsequence = "subsequence", Constituent = "constituent" }
}

impl Slice for Overlap {
    fn measure(&self, sample: &Sample) -> Result<f64, Skip> {
        let [first, second, ..] = sample.fields.as_slice() else {
            return Err(Skip("overlap needs a pair of texts".into()));
        };
        let (whole, part) = (words(&first.text), words(&second.text));
        if part.is_empty() {
            return Err(Skip("the second text has no words".into()));
        }
        Ok(match self.kind {
            Kind::Lexical => part.iter().filter(|word| whole.contains(word)).count() as f64 / part.len() as f64,
            Kind::Subsequence => f64::from(whole.windows(part.len()).any(|window| *window == part)),
            Kind::Constituent => f64::from(is_phrase(&first.text, &part)?),
        })
    }

    fn cut(&self) -> Cut {
        let least = if self.kind == Kind::Lexical { self.least } else { 1.0 };
        Cut::Between { least, most: 1.0 }
    }
}

/// Branches of longer texts are not looked at, in tokens: a premise has some hundreds.
const LONGEST: usize = 5_000;

fn words(text: &str) -> Vec<String> {
    Words::new(text).map(|word| word.text.to_lowercase()).collect()
}

/// Whether the words are those of a whole branch of the text's parse.
fn is_phrase(text: &Text, part: &[String]) -> Result<bool, Skip> {
    let analysis = text.remember(analyse);
    if analysis.tokens().len() > LONGEST {
        return Err(Skip("the first text is too long to look for phrases in".into()));
    }
    let dependencies = analysis.dependencies();
    // The first and last token of the branch under each token; a parse without crossing has its branches in one piece.
    let mut bounds: Vec<(usize, usize)> = (0..dependencies.len()).map(|at| (at, at)).collect();
    for at in 0..dependencies.len() {
        let mut up = dependencies[at].head;
        // A branch is no deeper than its sentence is long; the count guards against a circle.
        for _ in 0..dependencies.len() {
            let Some(head) = up else { break };
            bounds[head] = (bounds[head].0.min(at), bounds[head].1.max(at));
            up = dependencies[head].head;
        }
    }
    Ok(bounds.into_iter().any(|(first, last)| {
        let bytes = analysis.bytes(first..last + 1);
        last + 1 - first <= 2 * part.len() + 8 && words(&analysis.text()[bytes]) == part
    }))
}
