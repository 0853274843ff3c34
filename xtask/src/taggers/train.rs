//! `cargo xtask train-taggers`: trains every tagger and writes its weights to `lexicons/`.

use std::fs;
use std::path::Path;

use fissure_text::training::{clusters, sentences, tags};

use super::corpora;
use crate::Result;

pub fn train(arguments: &[String]) -> Result<()> {
    let wants = |name: &str| arguments.iter().any(|x| x == name);
    if wants("clusters") {
        let words = corpora::vectors(Path::new(&arguments[1]))?;
        write("clusters.table", &clusters::train(&words).encode())?;
    }
    let treebank = corpora::treebank("train")?;
    if wants("sentences") {
        write("sentences.weights", &sentences::train(&treebank).encode())?;
    }
    if wants("tags") {
        let w = tags::train(&treebank);
        for p in ["dev", "test"] {
            let t = corpora::treebank(p)?;
            let started = std::time::Instant::now();
            let [upos, penn, both] = fissure_text::training::scores::tags(&t, &w);
            let speed = t.words().count() as f64 / started.elapsed().as_secs_f64();
            println!("tags {p} UPOS {:.2}  XPOS {:.2}  both {:.2}   {speed:.0} words a second", upos.f1(), penn.f1(), both.f1());
        }
        write("tags.weights", &w.encode())?;
    }
    if wants("lemmas") {
        let w = fissure_text::training::lemmas::train(&treebank);
        for p in ["dev", "test"] {
            let t = corpora::treebank(p)?;
            println!("lemmas {p} {:.2}", fissure_text::training::scores::lemmas(&t, &w).f1());
        }
        write("lemmas.table", &w.encode())?;
    }
    if wants("entities") {
        use fissure_text::training::{entities::{self, Marked}, scores, weights};
        let silver = Marked::read(&corpora::text(&corpora::folder().join("silver_ner.iob2"))?, 0, 2);
        let dev = Marked::read(&corpora::text(&corpora::folder().join("uner_ewt/en_ewt-ud-dev.iob2"))?, 1, 2);
        let test = Marked::read(&corpora::text(&corpora::folder().join("uner_ewt/en_ewt-ud-test.iob2"))?, 1, 2);
        println!("{} {} {}", silver.len(), dev.len(), test.len());
        for weight in [1, 3, 8] {
            let mut sum = [0.0; 2];
            for fold in 0..2 {
                let (a, b) = dev.split_at(1000);
                let (a, b) = if fold == 0 { (a, b) } else { (b, a) };
                let w = entities::train(&silver, a, weight, weights::tags());
                sum[0] += scores::entities(b, weights::tags(), &w).f1() / 2.0;
                sum[1] += scores::entities(&test, weights::tags(), &w).f1() / 2.0;
            }
            println!("weight {weight} half of dev: dev {:.2} test {:.2}", sum[0], sum[1]);
        }
        let w = entities::train(&silver, &dev, 4, weights::tags());
        let f = scores::entities(&test, weights::tags(), &w);
        println!("entities test F1 {:.2} P {:.2} R {:.2}", f.f1(), f.precision(), f.recall());
        write("entities.weights", &w.encode())?;
    }
    if wants("parse") {
        let started = std::time::Instant::now();
        let jack = tags::jackknife(&treebank, 5);
        println!("jackknife {:?}", started.elapsed());
        let w = fissure_text::training::parse::train(&treebank, jack);
        println!("parse {:?}", started.elapsed());
        for p in ["dev", "test"] {
            let t = corpora::treebank(p)?;
            let started = std::time::Instant::now();
            let [uas, las] = fissure_text::training::scores::parse(&t, fissure_text::training::weights::tags(), &w);
            let speed = t.words().count() as f64 / started.elapsed().as_secs_f64();
            println!("parse {p} UAS {:.2}  LAS {:.2}   {speed:.0} words a second", uas.f1(), las.f1());
        }
        write("parse.weights", &w.encode())?;
    }
    Ok(())
}

fn write(name: &str, bytes: &[u8]) -> Result<()> {
    println!("{name}: {} bytes", bytes.len());
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../lexicons").join(name), bytes)?;
    Ok(())
}
