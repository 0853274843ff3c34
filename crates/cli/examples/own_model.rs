//! A model of one's own, asked about every sample of a file:
//! `cargo run -p fissure --example own_model -- reviews.csv`.

use fissure_core::Sample;
use fissure_data::{ReadOptions, Samples};
use fissure_evaluate::{ModelAbout, Respondent, Response, Unavailable};

/// Answers by one word.
#[derive(Debug)]
struct ByOneWord(ModelAbout);

impl Respondent for ByOneWord {
    fn about(&self) -> &ModelAbout {
        &self.0
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        let answer = |sample: &&Sample| {
            let text = sample.text("text").ok_or("the sample has no text")?;
            let label = if text.contains("good") { "positive" } else { "negative" };
            Ok(Response::class(label))
        };
        Ok(samples.iter().map(answer).collect())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let labels = vec!["negative".into(), "positive".into()];
    let about = ModelAbout { name: "by one word".into(), labels, ..ModelAbout::default() };
    let model = ByOneWord(about);
    let file = std::env::args().nth(1).ok_or("give a file of reviews")?;
    let samples =
        Samples::open([file], ReadOptions::new(fissure_tasks::find("sa")?))?.collect::<Result<Vec<_>, _>>()?;
    let answers = model.respond(&samples.iter().collect::<Vec<_>>()).map_err(|gone| gone.0)?;
    for (sample, answer) in samples.iter().zip(answers) {
        println!("{}\t{}", sample.id, answer.map_or_else(|why| why, |answer| answer.shown()));
    }
    Ok(())
}
