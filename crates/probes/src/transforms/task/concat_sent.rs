use fissure_core::{Change, Dice, Edit, Mark, Piece, Resources, Sample, Skip, Span, Transform, layer, transform};

transform! {
    /// Joins other samples to this one, with their labels.
    ///
    /// Words, tags, entities and mentions of the donors come along; clusters of mentions get numbers of their own. Only
    /// samples that come as lists of tokens can be joined.
    pub struct ConcatSent {
        /// How many samples to add.
        count: usize = 1, in 1..=10;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        does: &[JoinsSamples],
        requires: &[Has::Layer(layer::TOKEN)],
        needs: &[Donors],
        aliases: &["ConcatSent", "RndConcat"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (4.14, 3.54), grammaticality: (3.84, 3.81) }),
    }
    examples: [
        "[Rain|token:NOUN]" => "[Rain|token:NOUN] [Anna|token:B-PER] [lives|token:O] [in|token:O] [Graz|token:B-LOC] [.|token:O]",
        { count = "2" } "[Rain|token:NOUN] [fell|token:VERB]" => "[Rain|token:NOUN] [fell|token:VERB] [Anna|token:B-PER] [lives|token:O] [in|token:O] [Graz|token:B-LOC] [.|token:O]",
        "[Peter|token:B-PER] [Blackburn|token:I-PER]"
            => "[Peter|token:B-PER] [Blackburn|token:I-PER] [Anna|token:B-PER] [lives|token:O] [in|token:O] [Graz|token:B-LOC] [.|token:O]",
    ]
}

/// How often a donor is drawn before the sample is given up.
const TRIES: usize = 200;

impl Transform for ConcatSent {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let Some(donors) = &resources.donors else { return Err(Skip("there are no other samples".into())) };
        let field = sample.fields.first().filter(|field| field.open);
        let Some(field) = field else { return Err(Skip("the text may not be edited".into())) };
        if !is_of_tokens(sample) {
            return Err(Skip("only lists of tokens can be joined".into()));
        }
        let mut joined = Piece::default();
        let mut taken: Vec<String> = Vec::new();
        let mut clusters = next_cluster(sample);
        for _ in 0..self.count {
            let fits = |donor: &Sample| is_of_tokens(donor) && !taken.contains(&donor.id) && is_well_formed(donor);
            let Some(donor) = donors.draw(sample, dice, TRIES, fits) else { break };
            taken.push(donor.id.clone());
            let mut piece = Piece::of_donor(donor, 0, Span::new(0, donor.fields[0].text.len()));
            for brought in piece.labels.marks.iter_mut().filter(|brought| brought.mark.layer == layer::MENTION) {
                brought.mark.value = renumbered(&brought.mark, clusters);
            }
            clusters += next_cluster(donor);
            joined = joined + " " + piece;
        }
        if taken.is_empty() {
            return Err(Skip("no other sample can be joined".into()));
        }
        Ok(Edit::put(field.text.len()..field.text.len(), joined).into())
    }
}

/// Whether every word of a text is a token: then others can follow.
fn is_of_tokens(sample: &Sample) -> bool {
    let [field] = &sample.fields[..] else { return false };
    let text = field.text.as_str();
    let covered: usize =
        sample.layer(layer::TOKEN).map(|(_, mark)| mark.span.of(text).split_whitespace().count()).sum();
    covered > 0 && covered == text.split_whitespace().count()
}

/// Whether tags that say where each word or name ends (`B`, `M`, `E`, `S`) do so for each that begins: a fault of the file is not
/// brought into other samples.
fn is_well_formed(donor: &Sample) -> bool {
    let mut tags: Vec<(usize, &str)> =
        donor.layer(layer::TOKEN).map(|(_, mark)| (mark.span.start, &*mark.value)).collect();
    tags.sort_unstable_by_key(|(start, _)| *start);
    let begins = |with: &str| tags.iter().any(|(_, tag)| tag.starts_with(with));
    let is = |one: &str| tags.iter().any(|(_, tag)| *tag == one);
    // Tags without ends (`B-PER`, `I-PER`, `O`) need none.
    if !(begins("M-") || begins("E-") || (is("B") && is("E"))) {
        return true;
    }
    let mut open: Option<&str> = None;
    for (_, tag) in tags {
        let (place, kind) = tag.split_once('-').unwrap_or((tag, ""));
        let inside = matches!(place, "M" | "I" | "E");
        if inside != open.is_some() || open.is_some_and(|begun| begun != kind) {
            return false;
        }
        open = Some(kind).filter(|_| matches!(place, "B" | "M" | "I"));
    }
    open.is_none()
}

/// The first number that no cluster of the sample has.
fn next_cluster(sample: &Sample) -> usize {
    let number = |(_, mark): (usize, &Mark)| mark.value.parse::<usize>().ok();
    sample.layer(layer::MENTION).filter_map(number).max().map_or(0, |most| most + 1)
}

fn renumbered(mention: &Mark, by: usize) -> String {
    mention.value.parse::<usize>().map_or_else(|_| mention.value.clone(), |number| (number + by).to_string())
}

#[cfg(test)]
mod tests {
    use fissure_core::Anchor;

    use super::*;

    #[test]
    fn donors_with_broken_tags_are_left_out() {
        let sample = |tags: &str| {
            let tags: Vec<&str> = tags.split(' ').collect();
            let mut sample = Sample::of_text("1", vec!["x"; tags.len()].join(" "));
            let mark = |(at, tag): (usize, &&str)| {
                Mark::new(layer::TOKEN, 0, Span::new(2 * at, 2 * at + 1), *tag, Anchor::Elastic)
            };
            sample.marks = tags.iter().enumerate().map(mark).collect();
            sample
        };
        for tags in ["O B-ORG M-ORG E-ORG O S-LOC", "B E S B M E", "B-PER I-PER O", "NOUN VERB", "O O"] {
            assert!(is_well_formed(&sample(tags)), "{tags}");
        }
        for tags in ["O B-ORG M-ORG O", "M-ORG E-ORG", "B-ORG E-LOC", "E-ORG O", "B E B", "B-ORG B-ORG E-ORG"] {
            assert!(!is_well_formed(&sample(tags)), "{tags}");
        }
    }
}
