//! Files as they should not be: a clear answer to each.

use std::io::{Cursor, Read, Write};

use fissure_data::{Format, OnBadRow, Samples};

use crate::common::{options, read, try_read, written};

fn message(name: &str, bytes: impl Into<Vec<u8>>, task: &str) -> String {
    try_read(name, bytes, options(task, "")).unwrap_err().to_string()
}

fn texts(name: &str, bytes: impl Into<Vec<u8>>) -> Vec<String> {
    read(name, bytes, options("sa", "")).iter().map(|sample| sample.fields[0].text.to_string()).collect()
}

#[test]
fn an_empty_file_has_no_samples() {
    let names = ["a.csv", "a.tsv", "a.jsonl", "a.json", "a.conll", "a.conllu", "a.txt", "a"];
    for name in names {
        assert_eq!(try_read(name, "", options("sa", "")).unwrap(), [], "{name}");
    }
    assert!(message("a.parquet", "", "sa").starts_with("`a.parquet` cannot be read as Parquet"));
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_not_text() {
    let table = "\u{feff}text,label\r\n\"so \"\"good\"\"\",1\r\nbad,0\r\n";
    assert_eq!(texts("a.csv", table), ["so \"good\"", "bad"]);
    assert_eq!(
        texts("a.tsv", table.replace("\"so \"\"good\"\"\"", "so \"good\"").replace(',', "\t")),
        ["so \"good\"", "bad"]
    );
    assert_eq!(texts("a.jsonl", "\u{feff}{\"text\": \"a\\r\\n\", \"label\": 1}\r\n\r\n"), ["a\r\n"]);
    assert_eq!(texts("a.txt", "1 so good\r\n0 bad\r\n"), ["so good", "bad"]);
    let tokens = read("a.conll", "\u{feff}EU\tB-ORG\r\nrejects\tO\r\n\r\n", options("ner", ""));
    assert_eq!(tokens[0].fields[0].text.as_str(), "EU rejects");
}

#[test]
fn line_ends_and_nul_bytes_inside_a_text_are_kept() {
    assert_eq!(texts("a.csv", "text,label\n\"two\r\nlines\",1\n\"nul \0 byte\",0\n"), ["two\r\nlines", "nul \0 byte"]);
    assert_eq!(texts("a.tsv", "text\tlabel\nnul \0 byte\t0\n"), ["nul \0 byte"]);
    assert_eq!(texts("a.jsonl", "{\"text\": \"nul \\u0000 byte\", \"label\": 0}\n"), ["nul \0 byte"]);
}

#[test]
fn broken_utf8_names_line_column_and_place() {
    let said = message("a.csv", &b"text,label\nfine,1\ncaf\xe9 au lait,0\n"[..], "sa");
    assert!(said.starts_with("a.csv, line 3: column `text`: byte 3 is not UTF-8"), "{said}");
    assert!(said.contains("caf\u{fffd} au lait") && said.contains("--on-bad-row skip"), "{said}");
    let said = message("a.jsonl", &b"{\"text\": \"\xff\", \"label\": 1}"[..], "sa");
    assert!(said.starts_with("a.jsonl, line 1: byte 10 is not UTF-8"), "{said}");
    let said = message("a.csv", [&[0xff, 0xfe][..], b"t\0e\0x\0t\0"].concat(), "sa");
    assert!(said.contains("is in UTF-16") && said.contains("iconv"), "{said}");
}

/// Files that were joined, or a bracket too many: rows behind the first list are not left out in silence.
#[test]
fn more_behind_the_end_of_a_list_is_an_error() {
    let row = |text: &str| format!("{{\"text\": \"{text}\", \"label\": 1}}");
    let list = format!("[{}]\n", row("a"));
    let object = format!("{{\"version\": 1, \"data\": [{}], \"about\": {{\"b\": 2}}}}\n", row("a"));
    for joined in
        [list.repeat(2), object.repeat(2), format!("{list}]"), format!("{list} and more"), format!("{object}}}")]
    {
        let said = message("a.json", &*joined, "sa");
        assert!(said.contains("there is more behind the end of the rows"), "{joined}: {said}");
    }
    assert!(
        message("a.json", format!("[{},]", row("a")), "sa")
            .contains("line 1: a comma stands before the end of the list")
    );
    let twice = format!("{{\"data\": [{0}], \"data\": [{0}]}}", row("a"));
    assert!(message("a.json", twice, "sa").contains("the key `data` occurs twice"));
    assert!(
        message("a.json", format!("{{\"data\": [{}]", row("a")), "sa").contains("before the last bracket is closed")
    );
    let object = format!("{{\"version\": 1, \"data\": [{}], \"about\": {{\"b\": 2}}}}\n\n", row("a"));
    assert_eq!(texts("a.json", object), ["a"]);
}

#[test]
fn bad_rows_are_named_or_counted() {
    let lines = "{\"text\": \"a\", \"label\": 1}\n{\"text\": 5, \"label\": 1}\n[1]\n{\"text\": \"b\", \"lab\n{\"text\": \"c\", \"label\": 0}\n";
    let said = message("a.jsonl", lines, "sa");
    assert!(said.starts_with("a.jsonl, line 2: column `text`: a number where a text is needed: `5`"), "{said}");

    let mut skipping = options("sa", "");
    skipping.on_bad_row = OnBadRow::Skip;
    let mut samples = Samples::of_bytes("a.jsonl", Cursor::new(lines), skipping).unwrap();
    let texts: Vec<String> = samples.by_ref().map(|sample| sample.unwrap().fields[0].text.to_string()).collect();
    assert_eq!(texts, ["a", "c"]);
    let skipped = samples.skipped();
    let said: Vec<String> = skipped.first.iter().map(ToString::to_string).collect();
    assert_eq!(skipped.count, 3);
    assert!(said[1].starts_with("a.jsonl, line 3: a row must be an object") && said[1].contains("[1]"), "{said:?}");
    assert!(said[2].starts_with("a.jsonl, line 4: not JSON, "), "{said:?}");

    let said = message("a.csv", "text,label\na,1,2\n", "sa");
    assert!(said.starts_with("a.csv, line 2: 3 cells, but there are 2 columns: `a,1,2"), "{said}");
    let said = message("a.csv", "text,label\nfine,1\n\"never closed,1\nnext,0\n", "sa");
    assert!(said.starts_with("a.csv, line 3: a quote that opens here is never closed"), "{said}");
    let said = message("a.csv", "text,label\n\"good film\"x,1\n", "sa");
    assert!(said.starts_with("a.csv, line 2: a cell goes on behind its closing quote"), "{said}");
    let said = message("a.conll", "EU\tB-ORG\nrejects\n", "ner");
    assert!(said.starts_with("a.conll, line 1: 1 columns in line 2 of the sentence"), "{said}");
    let said = message("a.conllu", "1\tEU\n", "pos");
    assert!(said.starts_with("a.conllu, line 1: 2 columns where CoNLL-U has ten"), "{said}");
}

#[test]
fn columns_that_are_missing_or_could_be_two_are_explained() {
    let said = message("a.csv", "text,label1,label2\na,1,2\n", "sa");
    assert!(said.starts_with("`a.csv`: task `sa` needs a column for `label`"), "{said}");
    assert!(said.contains("`text`, `label1`, `label2`") && said.contains("--columns label=label1"), "{said}");
    let said = message("a.jsonl", "{\"text\": \"a\", \"y\": 1, \"sentiment\": 2}", "sa");
    assert!(said.contains("`y`, `sentiment` could all be it") && said.contains("--columns label=y"), "{said}");
    let wrong = try_read("a.csv", "text,label\na,1\n", options("sa", "text=review")).unwrap_err().to_string();
    assert!(wrong.contains("there is no column `review` for `text`"), "{wrong}");
    let wrong = try_read("a.csv", "text,label\na,1\n", options("sa", "lable=x")).unwrap_err().to_string();
    assert!(wrong.contains("task `sa` has no `lable`; did you mean `label`?"), "{wrong}");
    assert!(matches!(fissure_data::Columns::parse("text"), Err(fissure_tasks::Error::Columns { .. })));

    let mut fields = options("nli", "");
    fields.fields = Some(vec!["premis".into()]);
    let wrong = try_read("a.csv", "", fields).unwrap_err().to_string();
    assert_eq!(wrong, "task `nli` has no field `premis` (`premise`?); its fields are `premise`, `hypothesis`");
    assert!(fissure_tasks::find("nlp").unwrap_err().to_string().contains("did you mean `nli`?"));
    assert!(Format::find("jsnl").unwrap_err().to_string().contains("there is no reader called `jsnl`"));
    assert_eq!(Format::find("NDJSON").unwrap(), Format::Jsonl);
}

#[test]
fn a_line_of_fifty_megabytes_is_a_text_like_any_other() {
    let long = "wörd ".repeat(10_000_000);
    assert!(long.len() > 50 << 20);
    let line = format!("{{\"text\": \"{long}\", \"label\": 1}}\n");
    let samples = read("a.jsonl", line, options("sa", ""));
    assert!(samples[0].fields[0].text.as_str() == long);
    let samples = read("a.csv", format!("text,label\n\"{long}\",1\nnext,0\n"), options("sa", ""));
    assert!(samples[0].fields[0].text.as_str() == long && samples[1].fields[0].text.as_str() == "next");
}

#[test]
fn compressed_files_are_told_by_their_first_bytes() {
    let lines = "{\"text\": \"a\", \"label\": 1}\n".repeat(50_000);
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let whole = gzip(lines.as_bytes());
    let zstd = zstd::encode_all(lines.as_bytes(), 0).unwrap();
    // Two gzip files one after the other are one file.
    let twice = [gzip(&lines.as_bytes()[..100]), gzip(&lines.as_bytes()[100..])].concat();
    for bytes in [&whole, &zstd, &twice] {
        assert_eq!(read("no ending", bytes.clone(), options("sa", "")).len(), 50_000);
    }
    for (bytes, cut) in [(&whole, whole.len() / 2), (&whole, whole.len() - 3), (&zstd, zstd.len() / 2)] {
        let mut samples =
            Samples::of_bytes("a.jsonl.gz", Cursor::new(bytes[..cut].to_vec()), options("sa", "")).unwrap();
        let error = samples.find_map(Result::err).unwrap().to_string();
        assert!(
            error.starts_with("`a.jsonl.gz` ends unexpectedly after ") && error.contains("ends too early"),
            "{error}"
        );
        assert!(samples.next().is_none());
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let error = Samples::open(["no/such/file.csv"], options("sa", "")).unwrap_err().to_string();
    assert!(error.starts_with("cannot open `no/such/file.csv`: "), "{error}");
    let error = Samples::open([env!("CARGO_MANIFEST_DIR")], options("sa", "")).unwrap_err().to_string();
    assert!(error.contains("it is a folder"), "{error}");
    let error = try_read("a.parquet", &b"PAR1 and nothing else"[..], options("sa", "")).unwrap_err().to_string();
    assert!(error.starts_with("`a.parquet` cannot be read as Parquet: "), "{error}");
    let error = message("a.json", "{\"data\": [{\"text\": \"a\"", "sa");
    assert!(error.contains("line 1: it ends in the middle"), "{error}");
    let error = message("a.json", "{\"version\": 1}", "mrc");
    assert!(error.contains("no rows in it") || error.contains("needs a column"), "{error}");
}

#[test]
fn batches_do_not_change_what_comes() {
    let lines: String = (0..3000).map(|n| format!("{{\"text\": \"t{n}\", \"label\": {n}}}\n")).collect();
    let all = read("a.jsonl", lines.clone(), options("sa", ""));
    for size in [1, 7, 1000, 5000] {
        let mut samples = Samples::of_bytes("a.jsonl", Cursor::new(lines.clone()), options("sa", "")).unwrap();
        let mut some = Vec::new();
        loop {
            let batch = samples.batch(size).unwrap();
            if batch.is_empty() {
                break;
            }
            assert!(batch.len() <= size);
            some.extend(batch);
        }
        assert!(some == all, "{size}");
    }
}

#[test]
fn a_stream_without_end_is_read_in_constant_memory() {
    /// Rows without end.
    struct Endless(Cursor<Vec<u8>>);

    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            if self.0.position() as usize == self.0.get_ref().len() {
                self.0.set_position(0);
            }
            self.0.read(into)
        }
    }

    for (name, row) in
        [("a.jsonl", "{\"text\": \"a\", \"label\": 1}\n"), ("a.csv", "text,label\n"), ("a.txt", "1 good\n")]
    {
        let endless = Endless(Cursor::new(row.into()));
        let mut samples = Samples::of_bytes(name, endless, options("sa", "")).unwrap();
        let count: usize = (0..20).map(|_| samples.batch(10_000).unwrap().len()).sum();
        assert_eq!(count, 200_000, "{name}");
    }
    let list = Cursor::new(b"[".to_vec()).chain(Endless(Cursor::new(b"{\"text\": \"a\", \"label\": 1},".to_vec())));
    let mut samples = Samples::of_bytes("a.json", list, options("sa", "")).unwrap();
    assert_eq!(samples.batch(50_000).unwrap().len(), 50_000);
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let samples = read("a.jsonl", "{\"text\": \"two\\nlines\", \"label\": 1}", options("sa", ""));
    let shelf = crate::entry::Shelf::default();
    let mut writer = fissure_data::Writer::of(shelf, Format::Lines, fissure_tasks::find("sa").unwrap());
    let error = writer.write(&samples[0]).unwrap_err().to_string();
    assert!(error.starts_with("sample `h"), "{error}");
    assert_eq!(written(&samples, Format::Csv, "sa"), b"text,label\n\"two\nlines\",1\n");
}

#[test]
fn line_ends_are_written_as_they_were_read() {
    use fissure_data::{Format, LineEnd, Samples, Writer};
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let files = [
        ("a.csv", "sa", Format::Csv, "text,label\r\nso good,1\r\n\"two\nlines\",0\r\n"),
        ("a.txt", "sa", Format::Lines, "1 so good\r\n0 bad\r\n"),
        ("a.conll", "ner", Format::Conll, "EU\tB-ORG\r\nrejects\tO\r\n\r\n"),
        ("a.csv", "sa", Format::Csv, "text,label\nso good,1\n"),
        // CoNLL-2003 has spaces, and starts a document with a line that is no sentence.
        (
            "a.conll",
            "ner",
            Format::Conll,
            "-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\nwon VBZ B-VP O\n\nIt PRP B-NP O\n\n",
        ),
        ("a.conll", "ner", Format::Conll, "-DOCSTART-\tO\n\nEU\tB-ORG\n\n-DOCSTART-\tO\n\nIt\tO\n\n"),
        // The first line counts, not what stands inside a cell.
        ("a.csv", "sa", Format::Csv, "text,label\n\"two\r\nlines\",1\n"),
        // GLUE's files have quotes as plain text, at the start of a cell too.
        ("a.tsv", "sa", Format::Tsv, "sentence\tlabel\n\"no\" is said\t1\nso \"good\" , it\t0\n\"open\t1\n"),
        ("a.tsv", "sa", Format::Tsv, "sentence\tlabel\r\nplain\t1\r\n"),
        ("a.tsv", "sa", Format::Tsv, "\"sentence\"\t\"label\"\n\"a \"\"quoted\"\" one\"\t1\n"),
        // A header without quotes stays so, although cells have them.
        ("a.tsv", "sa", Format::Tsv, "sentence\tlabel\nplain\t1\n\"a \"\"quoted\"\" one\"\t1\n"),
        // Spreadsheets write semicolons in much of Europe, and a byte-order mark before UTF-8.
        ("a.csv", "sa", Format::Csv, "text;label\nso good, really;1\n\"two; parts\";0\n"),
        ("a.csv", "sa", Format::Csv, "\u{feff}text,label\r\nschön,1\r\n"),
        ("a.tsv", "sa", Format::Tsv, "\u{feff}text\tlabel\nschön\t1\n"),
    ];
    for (name, task, format, text) in files {
        let options = options(task, "");
        let layout = options.task;
        let mut samples = Samples::of_bytes(name, Cursor::new(text.as_bytes()), options).unwrap();
        let shape = samples.shape().unwrap().clone();
        assert_eq!(shape.line_end == LineEnd::CrLf, text.split('\n').next().unwrap().ends_with('\r'), "{text:?}");
        let kept = Kept::default();
        let mut writer = Writer::of(kept.clone(), format, layout);
        writer.like(&shape);
        for sample in samples.by_ref() {
            writer.write(&sample.unwrap()).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(String::from_utf8(kept.0.lock().unwrap().clone()).unwrap(), text);
    }
}
