use crate::Constraint;

attack_part! { Constraint;
    /// No word is changed twice.
    pub struct Repeat {}
}

impl Constraint for Repeat {
    fn once(&self) -> bool {
        true
    }
}
