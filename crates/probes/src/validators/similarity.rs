use fissure_core::{Resources, Sample, Skip, Validator, validator};

use super::worst;

validator! {
    /// How much of the meaning is left: the cosine between the vectors of the two texts, at least 0.
    ///
    /// The vectors come from a sentence encoder of the user's (`--encoder DIR`, for instance all-MiniLM-L6-v2).
    pub struct Similarity {}
    card: {
        needs: &[SentenceEncoder],
        citation: Some("Reimers and Gurevych 2019"),
    }
    examples: [
        "the soup was hot => the soup was cold" => "0.750",
        "the soup was hot => the soup was hot" => "1.000",
        "the soup was hot => an icy night" => "0.000",
    ]
}

impl Validator for Similarity {
    fn score(&self, before: &Sample, after: &Sample, resources: &Resources) -> Result<f64, Skip> {
        let Some(similarity) = &resources.similarity else { return Err(Skip("no sentence encoder was given".into())) };
        worst(before, after, |before, after| {
            let cosine = similarity.cosine(before, after)?;
            if cosine.is_nan() { Err(Skip("the encoder gives no number".into())) } else { Ok(cosine.clamp(0.0, 1.0)) }
        })
    }
}
