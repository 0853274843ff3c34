use crate::{Attempt, Constraint};

attack_part! { Constraint;
    /// Only one field of a sample is changed, if the sample has it: the hypothesis of a pair.
    pub struct Column {
        /// The name of the field.
        name: String = "hypothesis".into();
    }
}

impl Constraint for Column {
    fn word(&self, attempt: &Attempt<'_>, word: usize) -> bool {
        let fields = &attempt.victim.sample.fields;
        *fields[attempt.victim.words[word].field].name == *self.name
            || !fields.iter().any(|field| *field.name == *self.name)
    }
}
