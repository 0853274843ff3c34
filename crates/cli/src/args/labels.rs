//! What labels of the data mean; the same for every command that compares them with a model's.

use clap::Args as ClapArgs;

#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Labels {
    /// What labels of the data mean to the model, if names and numbers do not tell: 1=World,2=Sports. `1=` leaves
    /// samples with the label 1 out of the score
    #[arg(long, value_name = "LABEL=MODEL_LABEL,...")]
    pub label_map: Vec<String>,
}
