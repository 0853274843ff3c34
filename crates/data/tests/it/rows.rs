//! Every layout, by hand: what becomes of a row, and the row that comes back, before and after an edit.

use fissure_core::{Edit, Sample, apply};
use fissure_data::Row;
use serde_json::{Value, json};

fn sample(task: &str, row: &Value) -> Sample {
    let row: Row = serde_json::from_value(row.clone()).unwrap();
    fissure_tasks::find(task).unwrap().sample(row).unwrap()
}

fn row(task: &str, sample: &Sample) -> Value {
    serde_json::to_value(fissure_tasks::find(task).unwrap().row(sample)).unwrap()
}

/// Reads a row, sees that it comes back as it was, edits its first field and gives what comes back then.
fn edited(task: &str, before: Value, edits: &[(&str, &str)]) -> Value {
    let sample = sample(task, &before);
    let back = row(task, &sample);
    assert_eq!(back.to_string(), before.to_string(), "{task}: the keys and their order too");
    let text = sample.fields[0].text.as_str();
    let edit = |(old, new): &(&str, &str)| {
        let at = text.find(old).unwrap();
        Edit::replace(at..at + old.len(), *new)
    };
    row(task, &apply(&sample, edits.iter().map(edit).collect::<Vec<_>>()).unwrap().sample)
}

fn fault(task: &str, row: Value) -> String {
    let row: Row = serde_json::from_value(row).unwrap();
    fissure_tasks::find(task).unwrap().sample(row).unwrap_err().to_string()
}

fn marks(sample: &Sample) -> Vec<(&str, &str, &str)> {
    sample.marks.iter().map(|mark| (mark.layer, sample.words_of(mark), &*mark.value)).collect()
}

#[test]
fn classes_keep_their_type_and_their_place() {
    let before = json!({"id": 7, "y": 1, "x": "so good", "stars": 4.5});
    assert_eq!(edited("sa", before, &[("good", "bad")]), json!({"id": 7, "y": 1, "x": "so bad", "stars": 4.5}));
    assert_eq!(sample("sa", &json!({"id": 7, "y": 1, "x": "so good"})).id, "7");
    for none in [json!(null), json!(-1), json!("-")] {
        let before = json!({"premise": "a", "hypothesis": "b", "label": none});
        let sample = sample("nli", &before);
        assert_eq!((sample.label.clone(), row("nli", &sample)), (None, before));
    }
    assert_eq!(
        fault("sa", json!({"text": "a", "label": [1]})),
        "column `label`: a list where a class is needed: `[1]`"
    );
}

#[test]
fn tokens_come_back_as_tokens() {
    let before = json!({"x": ["EU", "rejects", "German", "call"], "y": ["B-ORG", "O", "B-MISC", "O"], "id": 3});
    let read = sample("ner", &before);
    assert_eq!(read.fields[0].text.as_str(), "EU rejects German call");
    assert_eq!(marks(&read)[2], ("token", "German", "B-MISC"));
    // An entity of two words now, and words that were not there.
    assert_eq!(
        edited("ner", before, &[("EU", "European Union"), ("call", "call now")]),
        json!({"x": ["European", "Union", "rejects", "German", "call", "now"],
               "y": ["B-ORG", "I-ORG", "O", "B-MISC", "O", "O"], "id": 3})
    );
    let inserted = apply(&read, vec![Edit::insert(0, "The ")]).unwrap().sample;
    assert_eq!(row("ner", &inserted)["x"][0], "The");
    assert_eq!(row("ner", &inserted)["y"][0], "O");
    // What no scheme allows, tokens with spaces and empty tokens come back.
    let odd = json!({"tokens": ["New York", "", "x\u{a0}y"], "ner_tags": ["I-LOC", "E-", "?"]});
    assert_eq!(edited("ner", odd.clone(), &[]), odd);
    // Four spellings of tags.
    for (tags, after) in [
        (json!([3, 0]), json!([3, 3, 0])),
        (json!("S-PER O"), json!("B-PER E-PER O")),
        (json!(["B-PER", "E-PER"]), json!(["B-PER", "M-PER", "E-PER"])),
        (json!("[\"U-X\",\"O\"]"), json!("[\"B-X\",\"L-X\",\"O\"]")),
    ] {
        let before = json!({"tokens": ["Ann", "left"], "tags": tags});
        assert_eq!(edited("ner", before, &[("Ann", "Ann Lee")])["tags"], after);
    }
    assert_eq!(
        edited("pos", json!({"x": "so good", "y": "ADV ADJ"}), &[("good", "very good")]),
        json!({"x": "so very good", "y": "ADV ADJ ADJ"})
    );
    let wrong = fault("ner", json!({"tokens": ["a", "b"], "tags": ["O"]}));
    assert_eq!(wrong, "column `tags`: 1 values for 2 tokens: `O`");
}

#[test]
fn heads_follow_their_words() {
    let before = json!({
        "word": ["They", "do", "not", "go"], "postag": ["PRP", "VB", "RB", "VB"],
        "head": ["4", "4", "4", "0"], "deprel": ["nsubj", "aux", "neg", "root"]});
    assert_eq!(
        edited("dp", before.clone(), &[("They", "The men"), ("do not", "don't")]),
        json!({"word": ["The", "men", "don't", "go"], "postag": ["PRP", "PRP", "VB", "VB"],
               "head": ["4", "1", "4", "0"], "deprel": ["nsubj", "_", "aux", "root"]})
    );
    // The root goes: those that hung on it hang nowhere.
    assert_eq!(edited("dp", before, &[("go", "")])["head"], json!(["_", "_", "_"]));
    let numbers = json!({"tokens": ["a", "b"], "head": [2, 0], "deprel": ["x", "root"]});
    assert_eq!(edited("dp", numbers, &[("b", "")])["head"], json!([null]));
    let unknown = json!({"tokens": ["a", "b"], "head": ["_", "0"], "deprel": ["x", "root"]});
    assert_eq!(edited("dp", unknown.clone(), &[]), unknown);
}

#[test]
fn words_of_a_text_without_spaces() {
    let before = json!({"x": "迈向 充满  希望 的", "y": []});
    let read = sample("cws", &before);
    assert_eq!(read.fields[0].text.as_str(), "迈向充满希望的");
    assert_eq!(read.marks.iter().map(|mark| &*mark.value).collect::<String>(), "BEBEBES");
    assert_eq!(edited("cws", before, &[("希望", "梦")]), json!({"x": "迈向 充满  梦 的", "y": []}));
    let list = json!({"words": ["迈向", "的"], "tags": ["B", "E", "S"]});
    assert_eq!(
        edited("cws", list, &[("的", "大的")]),
        json!({"words": ["迈向", "大的"], "tags": ["B", "E", "B", "E"]})
    );
    let characters = json!({"x": ["迈", "向"], "y": ["B", "E"]});
    assert_eq!(edited("cws", characters, &[("迈", "A B")])["y"], json!(["B", "M", "M", "E"]));
    let plain = json!({"x": "迈向的", "y": ["M", "M", "?"]});
    assert_eq!(edited("cws", plain, &[("向", "")]), json!({"x": "迈的", "y": ["M", "?"]}));
    assert!(fault("cws", json!({"x": "迈向 的", "y": ["S", "S", "S"]})).contains("do not go with the tags"));
    assert!(fault("cws", json!({"x": "迈向/v 充满/v 希望/n", "y": []})).contains("carry tags of their own (`迈向/v`)"));
}

#[test]
fn answers_move_with_their_words() {
    let context = "Zoë lives in Köln.";
    for answers in [
        json!([{"text": "Köln", "answer_start": 13}, {"answer_start": 0, "text": "Zoë"}]),
        json!({"text": ["Köln", "Zoë"], "answer_start": [13, 0]}),
    ] {
        let before = json!({"context": context, "question": "Where?", "answers": answers, "is_impossible": false});
        let after = edited("mrc", before, &[("lives", "still lives"), ("Köln", "Bonn")]);
        assert_eq!(after["context"], "Zoë still lives in Bonn.");
        let (text, start) = match &after["answers"] {
            Value::Array(list) => (&list[0]["text"], &list[0]["answer_start"]),
            lists => (&lists["text"][0], &lists["answer_start"][0]),
        };
        assert_eq!((text, start), (&json!("Bonn"), &json!(19)));
    }
    let wrong =
        fault("mrc", json!({"context": context, "question": "?", "answers": [{"text": "Köln", "answer_start": 12}]}));
    assert_eq!(
        wrong,
        "column `answers`: the answer `Köln` does not stand at character 12 of the passage; there stands: ` Köl`"
    );
    assert!(
        fault("mrc", json!({"context": "", "question": "", "answers": [{"text": "a", "answer_start": -1}]}))
            .contains("0 or more")
    );
}

#[test]
fn aspects_and_opinions_move_with_their_words() {
    let term = |term: &str, from: usize, to: usize, word: &str, at: [usize; 2]| {
        json!({"id": "1_0", "polarity": "positive", "term": term, "from": from, "to": to,
               "opinion_words": [word], "opinion_position": [at], "note": 5})
    };
    let before = json!({"sentence": "Très good soup here", "term_list": {"1_0": term("soup", 10, 14, "good", [5, 9])}});
    let after = edited("absa", before.clone(), &[("Très", "Very very"), ("soup", "hot soup")]);
    let wanted = term("hot soup", 15, 23, "good", [10, 14]);
    assert_eq!(after, json!({"sentence": "Very very good hot soup here", "term_list": {"1_0": wanted}}));
    // An edit that would cut a term is not made.
    assert_eq!(edited("absa", before.clone(), &[("good soup", "x")]), before);
    assert_eq!(edited("absa", before, &[("good", "")])["term_list"]["1_0"]["opinion_words"], json!([]));
    let list = json!({"text": "good soup", "aspects": [{"term": "soup", "from": 5, "to": 9, "polarity": "positive"}]});
    assert_eq!(edited("absa", list.clone(), &[]), list);
    let wrong = json!({"text": "good soup", "aspects": [{"term": "soup", "from": 4, "to": 9}]});
    assert!(fault("absa", wrong).contains("stands ` soup`, not: `\"soup\"`"));
}

#[test]
fn subject_and_object_move_with_their_words() {
    let before = json!({"x": ["Ann", "Lee", "founded", "Acme"], "subj": [0, 1], "obj": [3, 3], "y": "founder"});
    let after = edited("re", before, &[("founded", "once founded"), ("Acme", "Acme Corp")]);
    assert_eq!(
        after,
        json!({"x": ["Ann", "Lee", "once", "founded", "Acme", "Corp"], "subj": [0, 1], "obj": [4, 5], "y": "founder"})
    );
    let tacred = json!({"id": "a", "relation": "org:founded_by", "token": ["Ann", "founded", "Acme"], "subj_start": 2, "subj_end": 2,
                        "obj_start": 0, "obj_end": 0, "stanford_pos": ["NNP", "VBD", "NNP"], "stanford_head": [2, 0, 2]});
    let after = edited("re", tacred, &[("Ann", "Ann Lee")]);
    assert_eq!((&after["subj_start"], &after["obj_end"]), (&json!(3), &json!(1)));
    assert_eq!(after["stanford_head"], json!([3, 3, 0, 3]));
    assert_eq!(after["stanford_pos"], json!(["NNP", "NNP", "VBD", "NNP"]));
    let tagged = json!({"sentence": "The <e1>child</e1> < in the <e2>cradle</e2>.", "relation": "Other"});
    let after = edited("re", tagged, &[("The", "A small"), ("cradle", "bed")]);
    assert_eq!(after["sentence"], "A small <e1>child</e1> < in the <e2>bed</e2>.");
    assert!(
        fault("re", json!({"x": ["a"], "subj": [0, 1], "obj": [0, 0], "y": ""}))
            .contains("first and the last of 1 tokens: `[0,1]`")
    );
    assert!(fault("re", json!({"sentence": "<e1>a</e1> b", "relation": ""})).contains("must both be there"));
}

#[test]
fn mentions_move_with_their_words() {
    let before = json!({
        "doc_key": "d", "sentences": [["Ann", "left", "."], ["She", "was", "tired", "."]],
        "speakers": [["A", "A", "A"], ["B", "B", "B", "B"]], "clusters": [[[0, 0], [3, 3]]],
        "ner": [[0, 0, "PER"]]});
    assert_eq!(sample("coref", &before).id, "d");
    let after = edited("coref", before, &[("Ann", "Ann Lee"), ("left", ""), ("tired", "very tired")]);
    assert_eq!(
        after,
        json!({
        "doc_key": "d", "sentences": [["Ann", "Lee", "."], ["She", "was", "very", "tired", "."]],
        "speakers": [["A", "A", "A"], ["B", "B", "B", "B", "B"]], "clusters": [[[0, 1], [3, 3]]],
        "ner": [[0, 1, "PER"]]})
    );
    let gap = json!({"ID": "g", "Text": "Zoë met Ann; she smiled", "Pronoun": "she", "Pronoun-offset": "13", "A": "Zoë", "A-offset": "0",
                     "A-coref": "TRUE", "B": "Ann", "B-offset": "8", "B-coref": "FALSE", "URL": "u"});
    let after = edited("coref", gap.clone(), &[("met", "often met"), ("Ann", "Bea Ray")]);
    assert_eq!(
        (&after["B"], &after["B-offset"], &after["Pronoun-offset"]),
        (&json!("Bea Ray"), &json!("14"), &json!("23"))
    );
    let clusters: Vec<String> = sample("coref", &gap).marks.into_iter().map(|mark| mark.value).collect();
    assert_eq!(clusters, ["0", "0", "2"]);
}

#[test]
fn schemas_senses_and_translations_follow_their_words() {
    let schema = json!({"text": "Ann thanked Eve because she helped.", "pronoun": "she", "options": ["Ann", "Eve"], "answer": "Eve"});
    let read = sample("coref", &schema);
    let clusters: Vec<(&str, &str)> =
        read.marks.iter().map(|mark| (read.words_of(mark), mark.value.as_str())).collect();
    assert_eq!(clusters, [("she", "0"), ("Ann", "1"), ("Eve", "0")]);
    let after = edited("coref", schema, &[("Eve", "Ruth")]);
    assert_eq!(
        after,
        json!({"text": "Ann thanked Ruth because she helped.", "pronoun": "she", "options": ["Ann", "Ruth"], "answer": "Ruth"})
    );
    let numbered = json!({"text": "Ann thanked Eve because she helped.", "pronoun": "she", "options": ["Ann", "Eve"], "answer": 1});
    assert_eq!(edited("coref", numbered, &[("thanked", "praised")])["answer"], json!(1));

    let senses = json!({"tokens": ["the", "bank", "closed"], "senses": [null, "bank%1:14:00::", "close%2:35:00::"]});
    assert_eq!(sample("wsd", &senses).layer("sense").count(), 2);
    let after = edited("wsd", senses, &[("the", "an old")]);
    assert_eq!(
        after,
        json!({"tokens": ["an", "old", "bank", "closed"], "senses": [null, null, "bank%1:14:00::", "close%2:35:00::"]})
    );

    let pair = json!({"source": "He has 3 cats.", "target": "Er hat 3 Katzen.", "id": "a"});
    let read = sample("mt", &pair);
    assert_eq!(read.fields.iter().map(|field| field.open).collect::<Vec<_>>(), [true, false]);
    let question = fissure_tasks::find("mt").unwrap().question(&read).to_json();
    assert_eq!(question["fields"], json!({"source": "He has 3 cats."}), "a model does not see the translation");
    assert_eq!(edited("mt", pair, &[("3", "5")])["source"], json!("He has 5 cats."));
}

#[test]
fn columns_joined_by_plus_are_written_apart() {
    let read =
        |bytes: &str| crate::common::read("a.csv", bytes, crate::common::options("classification", "text=2+3,label=1"));
    let samples = read("3,A title,\"The, text\"\n4,,only\n");
    assert_eq!(samples[0].fields[0].text.as_str(), "A title The, text");
    assert_eq!(samples[1].fields[0].text.as_str(), " only");
    let edit = |sample: &Sample, edit| apply(sample, vec![edit]).unwrap().sample;
    let written = |sample: Sample| {
        String::from_utf8(crate::common::written(&[sample], fissure_data::Format::Csv, "classification")).unwrap()
    };
    assert_eq!(written(samples[0].clone()), "3,A title,\"The, text\"\n");
    assert_eq!(written(samples[1].clone()), "4,,only\n");
    assert_eq!(written(edit(&samples[0], Edit::replace(2..7, "name"))), "3,A name,\"The, text\"\n");
    assert_eq!(written(edit(&samples[0], Edit::insert(17, "!"))), "3,A title,\"The, text!\"\n");
    assert_eq!(written(edit(&samples[0], Edit::insert(0, "Hm. "))), "3,Hm. A title,\"The, text\"\n");
    assert_eq!(written(edit(&samples[0], Edit::delete(8..17))), "3,A title ,\n");
}

#[test]
fn a_sample_from_nowhere_gets_the_common_names() {
    let mut made = Sample::of_text("s", "so good");
    made.label = Some("pos".into());
    assert_eq!(row("sa", &made), json!({"text": "so good", "label": "pos"}));
    made.extra.push(("id".into(), "s".into()));
    assert_eq!(row("sa", &made)["id"], "s");
}
