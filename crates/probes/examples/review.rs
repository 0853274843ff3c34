//! Shows what a part does to real texts, for review by reading: every changed text with the words before and after.
//!
//! `cargo run -p fissure-probes --example review -- PART FILE [SEED [COUNT [KNOB=VALUE...]]]` reads one text from each
//! line of FILE and stops after COUNT changed ones (50).

use std::process::ExitCode;

use fissure_core::{Chain, Outcome, Sample, Variant};
use fissure_probes::TRANSFORMS;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [part, file, rest @ ..] = args else { return Err("give the name of a part and a file of texts".into()) };
    let seed = rest.first().map_or(Ok(0), |seed| seed.parse())?;
    let count = rest.get(1).map_or(Ok(50), |count| count.parse())?;
    let settings: Vec<(String, String)> =
        rest.iter().skip(2).filter_map(|set| set.split_once('=')).map(|(knob, to)| (knob.into(), to.into())).collect();
    let chain = Chain::build(&TRANSFORMS, part, &settings)?;
    let (mut shown, mut read) = (0, 0);
    for (at, line) in std::fs::read_to_string(file)?.lines().enumerate() {
        if shown == count {
            break;
        }
        read += 1;
        if let Outcome::Changed(variant) = chain.run(&Sample::of_text(at.to_string(), line), seed, 0) {
            shown += 1;
            println!("{shown:3} {}", marked(line, &variant));
        }
    }
    println!("{shown} of {read} texts were changed");
    Ok(())
}

/// The old text with each change marked where it is: `[old -> new]`.
fn marked(line: &str, variant: &Variant) -> String {
    let (mut page, mut done) = (String::new(), 0);
    for edit in &variant.trail.edits {
        page.push_str(&line[done..edit.start]);
        page.push_str(&format!("[{} -> {}]", edit.old, edit.new));
        done = edit.end;
    }
    page + &line[done..]
}
