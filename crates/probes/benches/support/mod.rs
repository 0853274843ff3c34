//! What the benches share: samples that remember nothing, and processor time.

use fissure_core::{Sample, Text};

/// The same sample with texts that remember nothing.
pub fn unseen(sample: &Sample) -> Sample {
    let mut copy = sample.clone();
    copy.fields.iter_mut().for_each(|field| field.text = Text::from(field.text.as_str()));
    copy
}

/// The processor time of this thread, if the system reports it (Linux); otherwise wall-clock time.
pub fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
