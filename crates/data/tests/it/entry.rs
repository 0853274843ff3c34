//! What the fuzz targets and the smoke test do with any bytes: read them, and check what the readers promise.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use fissure_core::Sample;
use fissure_data::{Format, OnBadRow, ReadOptions, Samples, Writer};

/// The tasks that files of a format are likely to be for.
pub fn tasks(format: Format) -> &'static [&'static str] {
    match format {
        Format::Csv | Format::Tsv => &["sa", "nli", "coref"],
        Format::Jsonl | Format::Json | Format::Parquet => {
            &["classification", "sm", "ner", "dp", "cws", "mrc", "coref", "re", "absa"]
        }
        Format::JsonObject => &["absa"],
        Format::Conll => &["ner"],
        Format::Conll2012 => &["coref"],
        Format::Conllu => &["dp", "pos"],
        Format::Squad => &["mrc"],
        Format::Semeval => &["re"],
        Format::Lines => &["sa", "cws"],
    }
}

/// Reads the bytes as every likely task. What was read can be written as JSON lines and read again, the same; and what
/// the format itself can hold, it gives back.
pub fn reader(format: Format, bytes: &[u8]) {
    for task in tasks(format) {
        let samples = read(format, task, bytes);
        for back in [Format::Jsonl, format] {
            let Some(copy) = written(back, task, &samples) else { continue };
            let again = read(back, task, &copy);
            // Which column of CoNLL is what, and whether lines have labels, is read off the whole file: a bad row that is
            // gone can change it.
            if matches!(back, Format::Conll | Format::Lines) {
                continue;
            }
            assert_eq!(again.len(), samples.len(), "{task} by way of {back:?}");
            for (one, other) in samples.iter().zip(&again) {
                assert_eq!(texts(one), texts(other), "{task} by way of {back:?}");
                assert_eq!(one.marks.len(), other.marks.len(), "{task} by way of {back:?}");
                for (mark, same) in one.marks.iter().zip(&other.marks) {
                    let [mark, same] = [mark, same].map(|mark| (mark.layer, mark.span, &mark.value));
                    assert_eq!(mark, same, "{task} by way of {back:?}");
                }
                assert_eq!(one.links, other.links, "{task} by way of {back:?}");
            }
        }
    }
}

/// The samples before the first error, without the rows that are bad.
fn read(format: Format, task: &str, bytes: &[u8]) -> Vec<Sample> {
    let Ok(layout) = fissure_tasks::find(task) else { return Vec::new() };
    let options =
        ReadOptions { format: Some(format), on_bad_row: OnBadRow::Skip, unlabelled: true, ..ReadOptions::new(layout) };
    let Ok(samples) = Samples::of_bytes("bytes", Cursor::new(bytes.to_vec()), options) else { return Vec::new() };
    samples.map_while(Result::ok).collect()
}

/// The samples in a format; `None` if it cannot hold them.
fn written(format: Format, task: &str, samples: &[Sample]) -> Option<Vec<u8>> {
    let shelf = Shelf::default();
    let mut writer = Writer::of(shelf.clone(), format, fissure_tasks::find(task).ok()?);
    for sample in samples {
        writer.write(sample).ok()?;
    }
    writer.finish().ok()?;
    let bytes = shelf.0.lock().ok()?;
    Some(bytes.clone())
}

fn texts(sample: &Sample) -> Vec<&str> {
    sample.fields.iter().map(|field| field.text.as_str()).collect()
}

/// Bytes that can still be looked at after a writer has taken them.
#[derive(Debug, Clone, Default)]
pub struct Shelf(pub Arc<Mutex<Vec<u8>>>);

impl Write for Shelf {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().map_err(|_| std::io::Error::other("poisoned"))?.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
