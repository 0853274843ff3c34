//! A text and its translation.

use fissure_core::Column;
use serde_json::Value;

use crate::metrics::{Bleu, ChrF};
use crate::row_builder::RowBuilder;
use crate::sample_builder::SampleBuilder;
use crate::{Answers, Fault};

super::task! {
    /// Translation: a text, and what it says in another language.
    ///
    /// Models see the text alone and answer with a translation, which is compared with the one in the file. Most parts edit
    /// the text only; those made for translations change both alike.
    fields: {
        "source" (open) = ["source", "src", "src_text", "source_text", "en", "x"],
        "target" (answer) = ["target", "tgt", "tgt_text", "target_text", "translation", "reference", "y"],
    }
    labels: {}
    texts: Translation,
    labelled: Text,
    aliases: &["nmt", "translation", "machine_translation"],
    metric: "chrF and BLEU",
    metrics: |_| vec![Box::new(ChrF), Box::new(Bleu)],
    read: read,
    write: write,
    answers: Answers::Text,
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    sample_builder.text("source")?;
    sample_builder.text("target")
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    row_builder.text(column)
}
