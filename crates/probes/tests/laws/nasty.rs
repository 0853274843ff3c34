//! Texts that break careless code, and plain ones of ours that every part has something to do with.

use fissure_core::{Field, Has, Hold, Mark, Need, Sample, Span, Words, layer};

use crate::Part;

/// Nine sentences, and each part finds something in one of them.
pub const PLAIN: [&str; 9] = [
    "The soup was hot, and the bread wasn't as fresh as we had hoped.",
    "I don't know why, but Dr. Keller paid $3.50 for 1,200 sheets of paper on May 31, 2004!",
    "\u{201c}It\u{2019}s definitely raining,\u{201d} she said; they will not come before tomorrow.",
    "NASA's twenty-five engineers can't believe the 2nd test failed because of a single screw...",
    "By the way, thank you for your letter: it is great, and I am really happy about it.",
    "Isn't it strange that the U.S. team (ranked 11th) has never won an 8 percent share?",
    "We received a separate invoice from the hotel in Zürich, naïve as we are.",
    "ok",
    "Anna Keller told Peter Brown that a new film from France was boring, and the lawyer nearly left the hotel.",
];

/// One sample for each plain text.
pub fn plain() -> Vec<Sample> {
    PLAIN.iter().enumerate().map(|(at, text)| Sample::of_text(format!("plain{at}"), *text)).collect()
}

/// What the part finds something to do with: plain texts, or texts with what its card says it needs.
pub fn plain_for(entry: &'static Part) -> Vec<Sample> {
    let needs = |has: Has| entry.card.requires.contains(&has);
    if entry.card.needs.contains(&Need::LabelSenses) {
        // The numbers of the plain texts come first.
        let turned = |mut pair: Sample| {
            pair.fields.reverse();
            pair
        };
        pairs().into_iter().map(turned).collect()
    } else if needs(Has::Pair) {
        pairs()
    } else if needs(Has::Layer(layer::ANSWERS)) {
        vec![passage()]
    } else if needs(Has::Layer(layer::MENTION)) {
        vec![document()]
    } else if needs(Has::Layer(layer::ENTITY)) || needs(Has::Layer(layer::TOKEN)) {
        plain().into_iter().map(tagged).collect()
    } else {
        plain()
    }
}

/// Whether a sample lacks what a part needs: then it may say so.
pub fn lacks(entry: &'static Part, sample: &Sample) -> bool {
    let has = |has: &Has| match has {
        Has::Class => true,
        Has::Pair | Has::SeveralTexts => sample.fields.len() > 1,
        Has::Layer(layer) => sample.layer(layer).next().is_some(),
        Has::Sense(_) => sample.label.is_some(),
    };
    !entry.card.requires.iter().all(has)
}

fn pairs() -> Vec<Sample> {
    let pair = |(at, [first, second]): (usize, &[&str; 2])| {
        let fields = vec![Field::open("first", *first), Field::open("second", *second)];
        Sample { id: format!("pair{at}"), fields, label: Some("entailment".into()), ..Sample::default() }
    };
    PLAIN.as_chunks::<2>().0.iter().enumerate().map(pair).collect()
}

/// A token on each word between spaces, and an entity on each with a capital inside a sentence.
fn tagged(mut sample: Sample) -> Sample {
    let text = sample.fields[0].text.to_string();
    let start = text.as_ptr() as usize;
    for (at, word) in text.split_whitespace().enumerate() {
        let from = word.as_ptr() as usize - start;
        let name = at > 0 && word.starts_with(char::is_uppercase) && word.len() > 2;
        let span = Span::new(from, from + word.len());
        let tag = if name { "B-PER" } else { "O" };
        sample.marks.push(Mark::new(layer::TOKEN, 0, span, tag, Hold::Widen));
        if name {
            sample.marks.push(Mark::new(layer::ENTITY, 0, span, "PER", Hold::Widen));
        }
    }
    sample.fields[0].from_tokens = true;
    sample
}

/// Sentences with an answer in one of them, and a question.
fn passage() -> Sample {
    let text = "The town is old. The mill was built in 1850. The bridge is new. Its mayor is Ann Lee.";
    let at = text.find("1850").expect("the year");
    let fields = vec![Field::open("context", text), Field { open: false, ..Field::open("question", "When?") }];
    let marks = vec![Mark::new(layer::ANSWERS, 0, Span::new(at, at + 4), "", Hold::Fast)];
    Sample { id: "passage".into(), fields, marks, ..Sample::default() }
}

/// Sentences with mentions of two people.
fn document() -> Sample {
    let text = "Ann met Tom. Rain fell on the town. Tom laughed. Ann went home. She was tired. The lamp was on.";
    let mut sample = Sample::of_text("document", text);
    for (name, cluster) in [("Ann", "0"), ("Tom", "1"), ("She", "0")] {
        for (at, _) in text.match_indices(name) {
            let span = Span::new(at, at + name.len());
            sample.marks.push(Mark::new(layer::MENTION, 0, span, cluster, Hold::Fast));
        }
    }
    sample
}

/// Plain texts and nasty ones.
pub fn all() -> Vec<Sample> {
    let mut samples = plain();
    let fixed = FIXED.iter().map(|text| (*text).to_owned());
    let texts = fixed.chain([
        "a".repeat(100_000),
        "e\u{301}".repeat(20_000),
        "don't ".repeat(5_000),
        "1,234 ".repeat(5_000),
        "word \u{1F469}\u{200D}\u{1F467} 12 ".repeat(2_000),
        ".".repeat(50_000),
        "'".repeat(20_000),
        "-9".repeat(10_000),
    ]);
    samples.extend(texts.enumerate().map(|(at, text)| Sample::of_text(format!("nasty{at}"), text)));
    let fields = ["premise", "hypothesis", "context", "question"].map(|name| Field::open(name, "I can't see 12 men."));
    samples.push(Sample { id: "fields".into(), fields: fields.into(), ..Sample::default() });
    samples.push(Sample { id: "empty field".into(), fields: vec![Field::default()], ..Sample::default() });
    samples
}

/// The same with a mark on each word that widens, and on every third word one that holds fast.
pub fn marked() -> Vec<Sample> {
    let mut samples = all();
    samples.retain(|sample| sample.fields[0].text.len() < 10_000);
    for sample in &mut samples {
        for (index, field) in sample.fields.iter().enumerate() {
            for (at, word) in Words::new(&field.text).enumerate() {
                sample.marks.push(Mark::new("token", index, word.span, word.text, Hold::Widen));
                if at % 3 == 0 {
                    sample.marks.push(Mark::new("answer", index, word.span, word.text, Hold::Fast));
                }
            }
        }
    }
    samples
}

const FIXED: [&str; 30] = [
    "",
    " ",
    "x",
    "word",
    "same same same same same same",
    "aaaa aaaa aaaa",
    "?!... -- ;;; \"'\"",
    "e\u{301}tude \u{0301}\u{0302} Z\u{0351}\u{032B}\u{0343}a\u{0317}lgo",
    "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466} \u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7} \u{1F44D}\u{1F3FD} 1\u{FE0F}\u{20E3}",
    "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{5E2}\u{5D5}\u{5DC}\u{5DD}, \u{645}\u{631}\u{62D}\u{628}\u{627} \u{628}\u{627}\u{644}\u{639}\u{627}\u{644}\u{645} 12",
    "\u{202E}reversed can't\u{202C} 5 men",
    "\u{6211}\u{7231}\u{81EA}\u{7136}\u{8BED}\u{8A00}\u{5904}\u{7406}\u{3002}\u{4ECA}\u{5929}2024\u{5E74}\u{FF01}",
    "nospacesatallinthisverylongwordbutnothugeeither",
    "Latin \u{43A}\u{438}\u{440}\u{438}\u{43B}\u{43B}\u{438}\u{446}\u{430} \u{3B5}\u{3BB}\u{3BB}\u{3B7}\u{3BD}\u{3B9}\u{3BA}\u{3AC} \u{65E5}\u{672C}\u{8A9E} m\u{438}x\u{435}d",
    "line one can't\r\nline two will not\r\n\r\nend 5\r",
    "nul \0 byte\0s in\0side 12\0",
    "zero\u{200B}width\u{200D}join\u{FEFF} don\u{200B}'t",
    "\u{FFFD}\u{FFFD} \u{D7FF}\u{E000} lone \u{10FFFF} surrogates? \u{FFFE}",
    "\t\ttabs\tand  double  spaces \u{A0}nbsp\u{3000}wide\u{2028}line",
    "\u{DF} \u{130}stanbul \u{149} \u{1C5} \u{FB01}nancial STRASSE \u{131}",
    "http://example.com/a?b=1&c=2#d user@example.com C:\\dir\\file.txt #tag @name",
    "''''s n't 't can't't I'''m 's he's's \u{2019}\u{2019}s",
    "99999999999999999999999 9223372036854775807 -9223372036854775808 0.0000000000000000000001 1e400",
    "0 1 00 01 1st 2nd 3rd 11th 0th 1,2 1,23,456 .5 5. -0 +7 1/2 10:30 192.168.0.1 a 8 an 8",
    "one two hundred and a million a hundred first second third zero nine hundred and ninety-nine",
    "<p>Hot &amp; <b>fresh</b></p> #36;10 &#8217;s",
    "A",
    "I",
    "I am",
    "do not",
];
