//! Changes the texts of a CSV file: `cargo run -p fissure --example change_csv -- reviews.csv changed.csv`.

use fissure_core::{Chain, Outcome};
use fissure_data::{Existing, ReadOptions, Samples, Writer};
use fissure_probes::TRANSFORMS;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (from, to) = arguments.next().zip(arguments.next()).ok_or("give a CSV file to read and one to write")?;
    let task = fissure_tasks::find("sa")?;
    let chain = Chain::build(&TRANSFORMS, "contraction+typos", &[("typos.rate".into(), "0.2".into())])?;
    let mut writer = Writer::create(to.as_ref(), None, task, Existing::Refuse)?;
    for sample in Samples::open([from], ReadOptions::new(task))? {
        let sample = sample?;
        match chain.run(&sample, 7, 0) {
            Outcome::Changed(variant) => writer.write(&variant.sample)?,
            Outcome::Unchanged | Outcome::Skipped(_) | Outcome::Filtered(_) => writer.write(&sample)?,
        }
    }
    writer.finish()?;
    Ok(())
}
