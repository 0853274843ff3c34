//! That parts keep to the languages that their cards name.

use fissure_core::{Language, Level, Outcome, Protected, Sample, Text, Words};

use crate::{Part, Verdict, for_each_outcome, holds, nasty};

/// Sentences in other scripts, and the letters that stand for those of the plain texts.
const SCRIPTS: [(Language, &str, &str); 8] = [
    (
        Language::Chinese,
        "这部电影很好看，我看了3遍，下次还来。",
        "的一是了我不人在他有这个上们来到时大地为子中你说生国",
    ),
    (
        Language::Chinese,
        "這部電影很好看，iPhone拍的。𠮷野家也不錯！",
        "𠮷龍鳳麗門開關東書畫長車馬魚鳥電風飛頭髮體國學覺聽",
    ),
    (
        Language::Japanese,
        "この映画はとても面白かったです。2回見ました。",
        "あいうえおかきくけこさしすせそたちつてとなにぬねのはひ",
    ),
    (Language::Cyrillic, "Фильм очень хороший, я смотрел его 3 раза.", "абвгдежзийклмнопрстуфхцчшщъыь"),
    (Language::Arabic, "هذا الفيلم جيد جدا، شاهدته 3 مرات.", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    (Language::Devanagari, "यह फिल्म बहुत अच्छी है, मैंने इसे 3 बार देखा।", "कखगघचछजझटठडढणतथदधनपफबभमयरलव"),
    (Language::Thai, "หนังเรื่องนี้ดีมาก ดูมา 3 รอบแล้ว", "กขคงจฉชซญฐณดตถทธนบปผพภมยรลว"),
    (Language::Korean, "이 영화는 정말 좋아요. 3번 봤어요.", "가나다라마바사아자차카타파하거너더러머버서어저처커터"),
];

/// What the part has something to do with, in the letters of another script, and a sentence in that script.
fn foreign(entry: &'static Part, (language, sentence, alphabet): (Language, &str, &str)) -> Vec<Sample> {
    let mut samples = nasty::plain_for(entry);
    samples.iter_mut().for_each(|sample| rewrite(sample, alphabet));
    samples.push(Sample::of_text("sentence", sentence));
    for sample in &samples {
        let recognised = sample.fields[0].text.language();
        assert_eq!(recognised, language, "{}", sample.fields[0].text.as_str());
    }
    samples
}

/// Writes the texts of a sample in other letters; marks stay on their words.
fn rewrite(sample: &mut Sample, alphabet: &str) {
    let letters: Vec<char> = alphabet.chars().collect();
    for (index, field) in sample.fields.iter_mut().enumerate() {
        let mut new = String::new();
        // Where each byte of the old text is in the new one.
        let mut places = vec![0; field.text.len() + 1];
        for (at, letter) in field.text.char_indices() {
            places[at] = new.len();
            let number = letter.to_ascii_lowercase() as usize;
            new.push(if letter.is_alphabetic() { letters[number % letters.len()] } else { letter });
        }
        places[field.text.len()] = new.len();
        for mark in sample.marks.iter_mut().filter(|mark| mark.field == index) {
            mark.span = (places[mark.span.start]..places[mark.span.end]).into();
        }
        field.text = Text::from(new);
    }
}

/// A part skips a text in a language that its card does not name, with the reason; what it adds to any other is written as
/// that text is.
pub fn other_languages_are_left_alone(entry: &'static Part) -> Verdict {
    for script in SCRIPTS {
        let language = script.0;
        for_each_outcome(entry, &foreign(entry, script), |sample, outcome| match outcome {
            Outcome::Skipped(skip) if !entry.card.knows(language) => {
                let why = format!("the text is {}; `{}` knows", language.name(), entry.card.name);
                holds(skip.0.starts_with(&why), || format!("the reason is {:?}", skip.0))
            }
            _ if !entry.card.knows(language) => Err(format!("a text that is {} gives {outcome:?}", language.name())),
            Outcome::Changed(variant) => variant.trail.edits.iter().try_for_each(|edit| {
                let known = |word: &str| sample.fields.iter().any(|field| field.text.contains(word));
                let protected = Protected::of(&edit.new);
                let mut words = Words::new(&edit.new).filter(|word| !protected.covers(word.span));
                let foreign = words.find(|word| !language.writes(word.text) && !known(word.text));
                holds(foreign.is_none(), || format!("{foreign:?} comes into a text that is {}", language.name()))
            }),
            _ => Ok(()),
        })?;
    }
    Ok(())
}

/// Names in other scripts within an English text.
const MIXED: [&str; 3] = [
    "Anna Keller definitely met 习近平 and 王小明 in 北京 when she was twenty-five, but she didn't like it.",
    "The film Левиафан by Звягинцев was great, and the soup at Ресторан was hot; we paid 25 dollars.",
    "They really visited 東京タワー and the قاهرة hotel in Paris on May 31, 2004.",
];

/// In an English text, parts that change letters or words leave words of other scripts as they are.
pub fn words_of_other_scripts_stay(entry: &'static Part) -> Verdict {
    let by_word = matches!(entry.card.level, Some(Level::Character | Level::Word));
    if !by_word || !entry.card.requires.is_empty() || entry.card.knows(Language::Thai) {
        return Ok(());
    }
    let samples: Vec<Sample> =
        MIXED.iter().enumerate().map(|(at, text)| Sample::of_text(format!("mixed{at}"), *text)).collect();
    for_each_outcome(entry, &samples, |_, outcome| {
        let Outcome::Changed(variant) = outcome else { return Ok(()) };
        let foreign = variant.trail.edits.iter().find(|edit| !Language::English.writes(&edit.old));
        holds(foreign.is_none(), || format!("{foreign:?} is no English word"))
    })
}
