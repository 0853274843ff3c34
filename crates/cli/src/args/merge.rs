//! The arguments of `fissure merge`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub struct Merge {
    /// The directories of all pieces, in any order
    #[arg(value_name = "DIR", required = true)]
    pub pieces: Vec<PathBuf>,
    /// The directory of the whole run
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
}
