//! What the fuzz targets do, for a few hundred damaged copies of small files, on a stable compiler.

use fissure_core::{Choice, Dice};
use fissure_data::Format;

use crate::entry;

/// A small whole file of each format.
pub fn seed(format: Format) -> Vec<u8> {
    let text = match format {
        Format::Csv => "id,text,label\n1,\"so \"\"good\"\", so\ngood\",1\n2,bad,0\n",
        Format::Tsv => "premise\thypothesis\tlabel\nA man \"sleeps\".\tHe rests\tneutral\nb\tc\tentailment\n",
        Format::Jsonl => {
            "{\"tokens\": [\"EU\", \"New York\", \"é\"], \"ner_tags\": [\"B-ORG\", \"I-\", 3], \"id\": 5}\n{\"x\": \"迈向 的\", \"y\": []}\n\
             {\"context\": \"Zoë lives\", \"question\": \"?\", \"answers\": {\"text\": [\"Zoë\"], \"answer_start\": [0]}}\n\
             {\"sentences\": [[\"Ann\", \"left\"], [\"She\"]], \"clusters\": [[[0, 0], [2, 2]]], \"ner\": [[0, 1, \"P\"]]}\n\
             {\"token\": [\"a\", \"b\"], \"subj_start\": 0, \"subj_end\": 0, \"obj_start\": 1, \"obj_end\": 1, \"relation\": \"r\"}\n\
             {\"word\": [\"a\", \"b\"], \"head\": [\"2\", \"0\"], \"deprel\": [\"x\", \"root\"], \"text\": \"t\", \"label\": -1}\n"
        }
        Format::Json => {
            "[{\"text\": \"a [b] \\\"c\\\"\", \"label\": 1},\n {\"sentence1\": \"a\", \"sentence2\": \"b\", \"label\": null}]"
        }
        Format::JsonObject => {
            "{\"7\": {\"sentence\": \"good soup\", \"term_list\": {\"7_0\": {\"term\": \"soup\", \"from\": 5, \"to\": 9, \
             \"polarity\": \"positive\", \"opinion_words\": [\"good\"], \"opinion_position\": [[0, 4]]}}}}"
        }
        Format::Parquet => return parquet(),
        Format::Conll => "# sent_id = 1\n1\tEU\tB-ORG\t_\n2\trejects\tO\t_\n\n1\t#\tO\t-\n\n",
        Format::Conll2012 => {
            "#begin document (bc/x); part 000\nbc/x 0 0 Ann NNP (NP* - - - S1 (P) (ARG0*) (0\nbc/x 0 1 Lee NNP *) - - - S1 * * 0)\n\n\
             bc/x 0 0 Her PRP$ (NP* - - - - * (2|(0)\nbc/x 0 1 dog NN *) - - - - * 2)\n\n#end document\n"
        }
        Format::Conllu => {
            "# sent_id = 1\n# text = didn't go\n1-2\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdid\tdo\tAUX\t_\t_\t3\taux\t3:aux|3.1:x\t_\n\
             2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_\n3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n3.1\tgo\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        }
        Format::Squad => {
            "{\"version\": \"v2.0\", \"data\": [{\"title\": \"t\", \"paragraphs\": [{\"context\": \"Zoë lives in Köln.\", \"qas\": [\
             {\"id\": \"1\", \"question\": \"Where?\", \"answers\": [{\"text\": \"Köln\", \"answer_start\": 13}], \"is_impossible\": false}]}]}]}"
        }
        Format::Semeval => {
            "1\t\"The <e1>child</e1> in the <e2>cradle</e2>.\"\nOther\nComment: none\n\n2\t\"<e2>a</e2><e1>b</e1>\"\nCause(e1,e2)\n"
        }
        Format::Lines => "1 so good\n0 so bad\n\n1 迈向 的\n",
    };
    text.as_bytes().to_vec()
}

fn parquet() -> Vec<u8> {
    let rows = [("a", 1), ("bé", 0)].map(|(text, label)| {
        let row = serde_json::json!({"text": text, "label": label, "tokens": [text, "x"], "tags": ["O", "B-X"], "o": {"k": [0.5]}});
        fissure_tasks::find("classification").unwrap().sample(serde_json::from_value(row).unwrap()).unwrap()
    });
    crate::common::written(&rows, Format::Parquet, "classification")
}

#[test]
fn damaged_files_get_an_answer() {
    for (name, format) in Format::ALL {
        let seed = seed(*format);
        entry::reader(*format, &seed);
        for round in 0..300 {
            entry::reader(*format, &damaged(&seed, &mut Dice::new(round, &["smoke", name])));
        }
    }
}

#[test]
fn what_a_fuzzer_found() {
    // A list of no words in a cell came back as two quotation marks.
    entry::reader(Format::Csv, b"text\n[]\n");
}

/// A copy with some bytes changed, cut out, doubled, or copied from another place in it.
fn damaged(seed: &[u8], dice: &mut Dice) -> Vec<u8> {
    const TELLING: &[u8] = b"\"\"\t\n\r,,[]{}:#<>-_01 \\\xff\x00";
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.below(4) {
        let start = dice.below(bytes.len() + 1);
        let end = (start + dice.below(9)).min(bytes.len());
        match dice.below(5) {
            0 => bytes.truncate(start),
            1 => drop(bytes.drain(start..end)),
            2 => {
                let part = bytes[start..end].to_vec();
                let at = dice.below(bytes.len() + 1);
                bytes.splice(at..at, part);
            }
            3 => bytes.insert(start, TELLING[dice.below(TELLING.len())]),
            _ => {
                if let Some(byte) = bytes.get_mut(start) {
                    *byte = TELLING[dice.below(TELLING.len())];
                }
            }
        }
    }
    bytes
}
