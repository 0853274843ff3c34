//! Texts that break careless code, and plain ones of ours that every part has something to do with.

use fissure_core::{Anchor, Field, Has, Language, Level, Mark, Need, Sample, Span, Words, layer};

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
    let knows_chinese = entry.card.knows(Language::Chinese);
    if needs(Has::Boundaries) {
        return SEGMENTED.iter().enumerate().map(segmented).collect();
    }
    if entry.card.languages == [Language::Chinese] {
        let label = needs(Has::Class).then(|| "positive".into());
        let sample = |(at, text): (usize, &&str)| Sample {
            label: label.clone(),
            ..Sample::of_text(format!("plain{at}"), *text)
        };
        return CHINESE.iter().enumerate().map(sample).collect();
    }
    if entry.card.needs.contains(&Need::LabelSenses) {
        // The numbers of the plain texts come first.
        let turned = |mut pair: Sample| {
            pair.fields.reverse();
            pair
        };
        let mut pairs: Vec<Sample> = pairs().into_iter().map(turned).collect();
        pairs.extend(read(&TURNABLE));
        pairs
    } else if needs(Has::Pair) {
        pairs()
    } else if needs(Has::Layer(layer::ASPECT)) {
        read(&REVIEWS)
    } else if needs(Has::Layer(layer::HEAD)) {
        read(&TREES)
    } else if needs(Has::Layer(layer::SENSE)) {
        read(&["She [purchased|sense:purchase%2:40:00::] it."])
    } else if needs(Has::Layer(layer::SUBJECT)) {
        read(&RELATIONS)
    } else if needs(Has::Tags) {
        read(&TAGGED)
    } else if needs(Has::Translation) {
        read(&TRANSLATIONS)
    } else if needs(Has::Sense(fissure_core::Sense::Positive))
        && entry.card.level == Some(Level::Sentence)
        && knows_chinese
    {
        read(&["The cast is great. I liked it. // label:: positive"])
    } else if needs(Has::Sense(fissure_core::Sense::Positive)) {
        read(&JUDGED)
    } else if needs(Has::Layer(layer::ANSWERS)) {
        let mut passages = read(&PASSAGES);
        passages.push(passage());
        passages
    } else if needs(Has::Layer(layer::MENTION)) {
        let mut documents = read(&DOCUMENTS);
        documents.push(document());
        documents
    } else if needs(Has::Layer(layer::ENTITY)) || needs(Has::Layer(layer::TOKEN)) {
        plain().into_iter().map(tagged).collect()
    } else {
        plain()
    }
}

/// A sample whose words are written with spaces between them; each character carries its tag.
fn segmented((at, words): (usize, &&str)) -> Sample {
    let mut sample = Sample::of_text(format!("segmented{at}"), words.replace(' ', ""));
    let mut start = 0;
    for word in words.split(' ') {
        let count = word.chars().count();
        for (place, c) in word.chars().enumerate() {
            let tag = match (place, place + 1 == count) {
                (0, true) => "S",
                (0, false) => "B",
                (_, true) => "E",
                _ => "M",
            };
            let span = Span::new(start, start + c.len_utf8());
            sample.marks.push(Mark::new(layer::TOKEN, 0, span, tag, Anchor::Elastic));
            start = span.end;
        }
    }
    sample
}

/// Chinese sentences, and each part for Chinese finds something in one of them.
const CHINESE: [&str; 6] = [
    "酒店的服务很好，房间干净，价格也便宜。",
    "我觉得2008年的电影不错，看了3遍！",
    "我的朋友已经到北京了，但是银行今天不开门",
    "這間酒店環境和服務態度亦算不錯，下次再來。",
    "早餐难吃。位置方便！下次还来",
    "iPhone的屏幕清晰，电池能用12.5小时，涨了3.5%。",
];

const SEGMENTED: [&str; 5] = [
    "我 朝 王小明 走 去 。",
    "来 了 九百 人 ， 花 了 三十 元",
    "我们 去 洗澡 ， 他 高兴 地 唱歌",
    "央视 突然 说 北大 经常 考试",
    "老师 确实 很 高兴",
];

/// Whether a sample lacks what a part needs, or is in a language that it does not know: then it may say so.
pub fn lacks(entry: &'static Part, sample: &Sample) -> bool {
    let has = |has: &Has| match has {
        Has::Class => true,
        Has::Pair | Has::SeveralTexts => sample.fields.len() > 1,
        Has::Layer(layer::HEAD) => sample.links.iter().any(|link| link.layer == layer::ROOT),
        Has::Layer(layer) => sample.layer(layer).next().is_some(),
        Has::Tags => sample.layer(layer::TOKEN).next().is_some(),
        Has::Boundaries => sample.layer(layer::TOKEN).any(|(_, mark)| matches!(&*mark.value, "B" | "M" | "E" | "S")),
        Has::Translation => sample.text("target").is_some(),
        Has::Sense(_) => sample.label.is_some(),
    };
    let is_foreign = |field: &Field| !entry.card.knows(field.text.language());
    // There are no built-in vectors of Chinese words.
    let no_vectors = entry.card.name == "swap_syn_word_embedding"
        && sample.fields.iter().any(|field| field.text.language() == Language::Chinese);
    no_vectors || !entry.card.requires.iter().all(has) || sample.fields.iter().any(is_foreign)
}

fn pairs() -> Vec<Sample> {
    let pair = |(at, [first, second]): (usize, &[&str; 2])| {
        let fields = vec![Field::open("first", *first), Field::open("second", *second)];
        Sample { id: format!("pair{at}"), fields, label: Some("entailment".into()), ..Sample::default() }
    };
    PLAIN.as_chunks::<2>().0.iter().enumerate().map(pair).collect()
}

/// Samples in the notation of examples.
fn read(notations: &[&str]) -> Vec<Sample> {
    let read = |(at, notation): (usize, &&str)| {
        let read = fissure_core::example::read(notation).expect("a sample");
        Sample { id: format!("read{at}"), ..read }
    };
    notations.iter().enumerate().map(read).collect()
}

const TURNABLE: [&str; 1] =
    ["premise:: A tall man walks to the old house. // hypothesis:: A tall man walks. // label:: entailment"];
const REVIEWS: [&str; 2] = [
    "[Tasty|opinion #1] [burgers|aspect:positive >opinion=1], and the [staff|aspect:positive >opinion=2] was [friendly|opinion #2].",
    "The [soup|aspect:negative >opinion=1] was an [awful|opinion #1] mess, but the [beer|aspect:positive >opinion=2] was [cold|opinion #2]!",
];
const TREES: [&str; 2] = [
    "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [Lisbon|token:PROPN >head=1:obj] [,|token:PUNCT >head=2:punct] [although|token:SCONJ >head=2:mark] [it|token:PRON >head=2:nsubj] [rained|token:VERB #2 >head=1:advcl] [.|token:PUNCT >head=1:punct]",
    "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [.|token:PUNCT >head=1:punct]",
];
const RELATIONS: [&str; 3] = [
    "[Anna Keller|subject], born in [Graz|object], studied law. // label:: born",
    "The [child|subject] was wrapped in a [cradle|object]. // label:: content",
    "[Acme|object] chairman [Anna Keller|subject] resigned. // label:: employer",
];
const TAGGED: [&str; 4] = [
    "[The|token:DT] [company|token:NN] [paid|token:VBD] [.|token:.]",
    "[The|token:DT] [company|token:NN] [wants|token:VBZ] [good|token:JJ] [money|token:NN] [now|token:RB] [.|token:.]",
    "[They|token:PRP] [exported|token:VBD] [the|token:DT] [old|token:JJ] [house|token:NN] [quickly|token:RB] [.|token:.]",
    "[I|token:PRON] [like|token:VERB] [this|token:DET] [store|token:NOUN] [.|token:PUNCT]",
];
const JUDGED: [&str; 3] = [
    "The cast is great. // label:: positive",
    "Tom Hanks tries hard, and in the end Charlie Chaplin saves \"Jurassic Park\". // label:: positive",
    "The plot was boring and I hated the end. // label:: negative",
];
const TRANSLATIONS: [&str; 2] = [
    "source:: He has 37 cats. // (target):: Er hat 37 Katzen.",
    "source:: Zubrowka is far. // (target):: Zubrowka ist weit.",
];
const PASSAGES: [&str; 2] = [
    "context:: The town is old. The lawyer nearly built the mill in [1850|answers] in Boston. // (question):: When did the lawyer in Paris build the mill?",
    "context:: Rain fell. Peter Brown met Anna Keller in [Boston|answers]. // (question):: Where was Peter Brown born?",
];
const DOCUMENTS: [&str; 2] = [
    "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped.",
    "[Tom Brown|mention:1] met [Carl Keller|mention:0]. Brown left when [he|mention:0] came.",
];

/// A token on each word between spaces, and an entity on each with a capital inside a sentence.
fn tagged(mut sample: Sample) -> Sample {
    let text = sample.fields[0].text.to_string();
    let start = text.as_ptr() as usize;
    for (at, word) in text.split_whitespace().enumerate() {
        let from = word.as_ptr() as usize - start;
        let name = at > 0 && word.starts_with(char::is_uppercase) && word.len() > 2;
        let span = Span::new(from, from + word.len());
        let tag = if name { "B-PER" } else { "O" };
        sample.marks.push(Mark::new(layer::TOKEN, 0, span, tag, Anchor::Elastic));
        if name {
            sample.marks.push(Mark::new(layer::ENTITY, 0, span, "PER", Anchor::Elastic));
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
    let marks = vec![Mark::new(layer::ANSWERS, 0, Span::new(at, at + 4), "", Anchor::Rigid)];
    Sample { id: "passage".into(), fields, marks, ..Sample::default() }
}

/// Sentences with mentions of two people.
fn document() -> Sample {
    let text = "Ann met Tom. Rain fell on the town. Tom laughed. Ann went home. She was tired. The lamp was on.";
    let mut sample = Sample::of_text("document", text);
    for (name, cluster) in [("Ann", "0"), ("Tom", "1"), ("She", "0")] {
        for (at, _) in text.match_indices(name) {
            let span = Span::new(at, at + name.len());
            sample.marks.push(Mark::new(layer::MENTION, 0, span, cluster, Anchor::Rigid));
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
        "我们都喜欢去北京看电影不高兴的时候也会来".repeat(200),
        "他说：“好。”服务员很热情，价格3.5元。".repeat(100),
        // Without marks, beyond the basic plane, with kana, in the other script, with letters and emoji, and much of one thing.
        "我们都喜欢去北京看电影不高兴的时候也会来王小明说".repeat(1_500),
        "\u{20bb7}野家的\u{21ff0}\u{2000b}很好吃我们常去\u{2a6a5}龘".repeat(300),
        "私は北京へ行きました，味道很好ですね，东京タワー不错。".repeat(200),
        "這間酒店環境和服務態度亦算不錯，下次再來。".repeat(200),
        "iPhone手机👍🏽屏幕Ｈ２Ｏ清晰，battery能用12.5小时😀!!".repeat(200),
        "一二三四五六七八九十百千万".repeat(600),
        "，。！？".repeat(4_000),
        "王小明李伟张丽北京上海".repeat(600),
        "好 ".repeat(8_000),
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
                sample.marks.push(Mark::new("token", index, word.span, word.text, Anchor::Elastic));
                if at % 3 == 0 {
                    sample.marks.push(Mark::new("answer", index, word.span, word.text, Anchor::Rigid));
                }
            }
        }
    }
    samples
}

const FIXED: [&str; 35] = [
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
    "我用iPhone\u{1F600}拍照，很nice，打了13912345678，见www.a.com，@小明",
    "\u{20BB7}野家和\u{9F98}\u{2A6A5}都不错\u{FF01}\u{3007}一二三",
    "這間酒店環境和服務態度亦算不錯，但房間空間太小。",
    "我喜欢东京のラーメン和寿司，真的很好吃",
    "一二三四五六七八九十百千万亿零〇两100万3.5亿",
];
