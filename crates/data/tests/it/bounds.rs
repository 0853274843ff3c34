//! What is wrong is said, and what is large costs no more than its size.

use std::io::Write;

use fissure_core::{Edit, apply};
use fissure_data::Format;

use crate::common::{options, read, try_read, written};

fn message(name: &str, bytes: impl Into<Vec<u8>>, task: &str) -> String {
    try_read(name, bytes, options(task, "")).unwrap_err().to_string()
}

#[test]
fn old_mac_line_ends_are_line_ends() {
    let files = [
        ("a.csv", "sa", "text,label\rso good,1\rbad,0\r"),
        ("a.tsv", "sa", "text\tlabel\rso good\t1\rbad\t0\r"),
        ("a.jsonl", "sa", "{\"text\":\"so good\",\"label\":1}\r{\"text\":\"bad\",\"label\":0}\r"),
        ("a.json", "sa", "[{\"text\":\"so good\",\"label\":1},\r{\"text\":\"bad\",\"label\":0}]\r"),
        ("a.txt", "sa", "1 so good\r0 bad\r"),
        ("a.conll", "ner", "so\tO\rgood\tO\r\rbad\tO\r\r"),
    ];
    for (name, task, file) in files {
        let samples = read(name, file, options(task, ""));
        let texts: Vec<&str> = samples.iter().map(|sample| sample.fields[0].text.as_str()).collect();
        assert_eq!(texts, ["so good", "bad"], "{name}");
    }
    let words = |text: &str| text.replace(' ', "\t");
    let tree = words("1 Go _ _ _ _ 0 root _ _\r2 on _ _ _ _ 1 prt _ _\r\r");
    assert_eq!(read("a.conllu", tree, options("dp", ""))[0].fields[0].text.as_str(), "Go on");
    // Beyond the beginning that is looked at, too.
    let many = format!("text,label\r{}", "fine,1\r".repeat(100_000));
    assert_eq!(read("a.csv", many, options("sa", "")).len(), 100_000);
}

#[test]
fn heads_that_are_no_tree_are_faults() {
    for (heads, said) in [
        (["0", "99"], "the head of word 2 is none of the 2 words"),
        (["0", "-1"], "the head of word 2 is none of the 2 words"),
        (["2", "1"], "is its own head"),
        (["0", "2"], "word 2 is its own head"),
    ] {
        let line = |at: usize| format!("{}\tw\t_\t_\t_\t_\t{}\tx\t_\t_\n", at + 1, heads[at]);
        let block = format!("{}{}\n", line(0), line(1));
        for task in ["dp", "pos"] {
            let columns = if task == "dp" { "" } else { "tags=upos" };
            let found = try_read("a.conllu", block.clone(), options(task, columns)).unwrap_err().to_string();
            assert!(found.contains("a.conllu, line 1: column `head`") && found.contains(said), "{task}: {found}");
        }
        let row = format!("{{\"tokens\":[\"a\",\"b\"],\"head\":{heads:?},\"deprel\":[\"x\",\"y\"]}}");
        assert!(message("a.jsonl", row, "dp").contains(said));
    }
    let unknown = "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n2\ton\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    assert_eq!(read("a.conllu", unknown, options("dp", "")).len(), 1);
}

#[test]
fn aspects_that_are_not_where_they_should_be_are_faults() {
    let row = |from: &str, to: &str, more: &str| {
        format!(
            "{{\"text\":\"The food was good\",\"aspects\":[{{\"term\":\"food\",\"polarity\":\"positive\",\"from\":{from},\"to\":{to}{more}}}]}}"
        )
    };
    assert_eq!(read("a.jsonl", row("4", "8", ""), options("absa", "")).len(), 1);
    for (from, to) in [("99", "-5"), ("4", "99"), ("8", "4"), ("-1", "3"), ("4.5", "8"), ("\"x\"", "8"), ("5", "9")] {
        let said = message("a.jsonl", row(from, to, ""), "absa");
        assert!(said.contains("a.jsonl, line 1: column `aspects`"), "{from} {to}: {said}");
    }
    let odd = message("a.jsonl", row("4", "8", ",\"opinion_position\":\"13-17\""), "absa");
    assert!(odd.contains("`opinion_position` is a text"), "{odd}");
}

#[test]
fn names_that_stand_twice_are_faults() {
    let said = message("a.jsonl", "{\"text\":\"a\",\"label\":1,\"label\":0}\n", "sa");
    assert!(said.contains("a.jsonl, line 1: the key `label` occurs twice"), "{said}");
    let inner = "{\"sentence\":\"a b\",\"term_list\":{\"1\":{\"term\":\"a\",\"from\":0,\"to\":1},\"1\":{\"term\":\"b\",\"from\":2,\"to\":3}}}";
    let said = message("a.jsonl", inner, "absa");
    assert!(said.contains("the key `1` occurs twice"), "{said}");
    let squad = "{\"data\":[{\"paragraphs\":[{\"context\":\"a\",\"context\":\"b\",\"qas\":[]}]}]}";
    assert!(message("a.json", squad, "mrc").contains("the key `context` occurs twice"));
    for name in ["a.csv", "a.tsv"] {
        let table = "text,label,label\na,1,0\n".replace(',', if name == "a.csv" { "," } else { "\t" });
        let said = message(name, table, "sa");
        assert!(said.contains("two columns are called `label`"), "{said}");
    }
    // Columns without a name are nobody's: spreadsheets write them at the end.
    assert_eq!(read("a.csv", "text,label,,\na,1,,\n", options("sa", "")).len(), 1);
}

#[test]
fn a_text_in_a_comment_follows_its_words() {
    for (name, format, block) in [
        ("a.conll", Format::Conll, "# sent_id = 1\n# text = Go on\nGo\tO\non\tO\n\n"),
        ("a.conll", Format::Conll, "# sent_id = 1\n#text=Go on\nGo\tO\non\tO\n\n"),
    ] {
        let samples = read(name, block, options("ner", ""));
        assert_eq!(String::from_utf8(written(&samples, format, "ner")).unwrap(), block, "nothing changed");
        let edit = Edit::replace(0..2, "Carry");
        let changed = apply(&samples[0], vec![edit]).unwrap().sample;
        let text = String::from_utf8(written(&[changed], format, "ner")).unwrap();
        assert!(text.contains("# text = Carry on\n") && !text.contains("Go"), "{text}");
    }
}

#[test]
fn wide_tables_and_long_sentences_take_no_more_than_their_size() {
    let count = 200_000;
    let names: Vec<String> = (0..count).map(|at| format!("c{at}")).collect();
    let table = format!("text,label,{}\ngood,1,{}\n", names.join(","), vec!["x"; count].join(","));
    let samples = read("a.csv", table.clone(), options("sa", ""));
    assert_eq!(written(&samples, Format::Csv, "sa"), table.into_bytes());
    let words = 60_000;
    let line = |at: usize| format!("{}\tw{at}\tw\tX\tX\t_\t{}\tdep\t{}:dep\t_\n", at + 1, at, at);
    let tree: String = (0..words).map(line).chain(["\n".into()]).collect();
    for (task, columns) in [("dp", ""), ("pos", "tags=upos")] {
        let samples = read("a.conllu", tree.clone(), options(task, columns));
        assert_eq!(written(&samples, Format::Conllu, task), tree.clone().into_bytes());
    }
}

#[test]
fn rows_that_would_fill_the_memory_are_refused() {
    let digits = format!("{{\"text\":\"a\",\"label\":1,\"x\":[{}1]}}", "1,".repeat(4_000_001));
    assert!(message("a.jsonl", digits, "sa").contains("more than 4000000 values"));
    let separators = ",".repeat(3_000_000);
    assert!(message("a.csv", separators.clone(), "sa").contains("more than 1000000 columns"));
    assert!(message("a.csv", format!("text,label\n{separators}\n"), "sa").contains("1000 cells or more"));
    let tokens = "a\tO\n".repeat(250_001);
    assert!(message("a.conll", tokens, "ner").contains("more than 250000 tokens"));
}

#[test]
fn what_has_to_be_read_whole_has_a_limit() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"PAR1").unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..300 {
        packed.write_all(&zeros).unwrap();
    }
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 10 << 20);
    let said = message("a.parquet.gz", packed, "sa");
    assert!(said.contains("has to be read whole, and is more than 256 MB"), "{said}");
}
