//! The first stage: what the data looks like.

use super::Tour;
use crate::Result;

pub fn show(tour: &Tour) -> Result<()> {
    let label = |wanted: &str| {
        tour.reviews.iter().filter(|review| review.label.as_ref().is_some_and(|l| l.to_string() == wanted)).count()
    };
    tour.say(&format!(
        "{} short film reviews from a little grammar: {} positive, {} negative. Three of them:\n",
        tour.reviews.len(),
        label("positive"),
        label("negative"),
    ))?;
    for review in tour.reviews.iter().take(3) {
        let label = review.label.as_ref().map_or_else(String::new, ToString::to_string);
        let text = review.text("text").map_or("", |text| text.as_str());
        tour.say(&format!("  {label:>8}  {text}\n"))?;
    }
    Ok(())
}
