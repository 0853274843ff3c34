use std::ops::Range;

use fissure_core::{Amount, Dice, Edit, EditSample, Proposal, Resources, Sample, Skip, Text, transform};
use fissure_text::chinese::dictionary;
use fissure_text::inflection::Kind;
use fissure_text::{Penn, casing};

use crate::clauses::{Sentence, conjugate, is_any};
use crate::support::annotated::Annotated;
use crate::support::chinese::{self, Han};
use crate::support::chinese_judging::{DEGREES, is_free, judges_a_thing};

transform! {
    /// Replaces a word that judges with the denial of its opposite: `good` with `not bad`.
    ///
    /// Adjectives change behind a form of `be`, and verbs of liking of the writer (`I love it` to `I don't hate it`); what is
    /// denied, compared or a superlative stays. Most judgements have another form (`a great film`), so most texts stay as they
    /// are: 3 of the 872 sentences of SST-2 dev change, of long reviews more. In Chinese a judgement at the end of a clause changes
    /// together with its word of degree: `很好` to `不差`.
    pub struct DoubleDenial {
        ..Amount { rate: 1.0, min: 1, max: 3 };
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        does: &[Rewrites],
        requires: &[Has::Class, Has::Sense(Sense::Positive)],
        languages: &[English, Chinese],
        aliases: &["DoubleDenial", "SaDoubleDenial"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.26, 3.37), grammaticality: (3.59, 3.49) }),
    }
    examples: [
        "The cast is great. // label:: positive" => "The cast is not bad. // label:: positive",
        "The plot was boring, and I hated the end. // label:: negative" => "The plot was not interesting, and I didn't love the end. // label:: negative",
        "I love it. // label:: positive" => "I don't hate it. // label:: positive",
        "A woman who loves him is not there. // label:: negative" => "A woman who loves him is not there. // label:: negative",
        "服务很好，价格便宜。 // label:: positive" => "服务很好，价格不贵。 // label:: positive",
        "大家好！ // label:: positive" => "大家好！ // label:: positive",
        "服务还没有以前好。 // label:: positive" => "服务还没有以前好。 // label:: positive",
        "It is not good, and the best part is too short. // label:: negative" => "It is not good, and the best part is too short. // label:: negative",
    ]
}

/// Words and the opposites whose denial judges the same way. Written for this project.
const QUALITIES: &[(&str, &str)] = &[
    ("good", "bad"),
    ("great", "bad"),
    ("excellent", "bad"),
    ("wonderful", "bad"),
    ("fantastic", "bad"),
    ("amazing", "bad"),
    ("awesome", "bad"),
    ("superb", "bad"),
    ("terrific", "bad"),
    ("outstanding", "bad"),
    ("brilliant", "bad"),
    ("nice", "bad"),
    ("decent", "bad"),
    ("fabulous", "bad"),
    ("bad", "good"),
    ("terrible", "good"),
    ("awful", "good"),
    ("horrible", "good"),
    ("dreadful", "good"),
    ("atrocious", "good"),
    ("lousy", "good"),
    ("poor", "good"),
    ("mediocre", "good"),
    ("lame", "good"),
    ("pathetic", "good"),
    ("boring", "interesting"),
    ("dull", "interesting"),
    ("tedious", "interesting"),
    ("interesting", "boring"),
    ("entertaining", "boring"),
    ("engaging", "boring"),
    ("exciting", "boring"),
    ("enjoyable", "unpleasant"),
    ("pleasant", "unpleasant"),
    ("unpleasant", "pleasant"),
    ("funny", "unfunny"),
    ("unfunny", "funny"),
    ("stupid", "clever"),
    ("silly", "clever"),
    ("dumb", "clever"),
    ("clever", "stupid"),
    ("smart", "stupid"),
    ("beautiful", "ugly"),
    ("gorgeous", "ugly"),
    ("lovely", "ugly"),
    ("ugly", "beautiful"),
    ("weak", "strong"),
    ("memorable", "forgettable"),
    ("forgettable", "memorable"),
    ("predictable", "surprising"),
    ("believable", "implausible"),
    ("convincing", "unconvincing"),
    ("unconvincing", "convincing"),
    ("impressive", "unimpressive"),
    ("friendly", "unfriendly"),
    ("rude", "polite"),
    ("polite", "rude"),
    ("fresh", "stale"),
    ("stale", "fresh"),
    ("tasty", "tasteless"),
    ("delicious", "bad"),
    ("clean", "dirty"),
    ("dirty", "clean"),
    ("helpful", "unhelpful"),
    ("unhelpful", "helpful"),
    ("comfortable", "uncomfortable"),
    ("uncomfortable", "comfortable"),
    ("disappointing", "satisfying"),
    ("satisfying", "disappointing"),
    ("original", "derivative"),
    ("watchable", "unwatchable"),
    ("unwatchable", "watchable"),
    ("annoying", "pleasant"),
    ("likable", "unlikable"),
    ("unlikable", "likable"),
    ("inventive", "unoriginal"),
    ("effective", "ineffective"),
    ("ineffective", "effective"),
];
const FEELINGS: &[(&str, &str)] = &[
    ("love", "hate"),
    ("like", "dislike"),
    ("enjoy", "dislike"),
    ("adore", "hate"),
    ("hate", "love"),
    ("dislike", "like"),
    ("loathe", "love"),
    ("despise", "love"),
];
/// Words behind which an opposite would say something else.
const BEHIND: &[&str] = &["enough", "as", "than", "for", "at", "to", "that", "if", "but", "luck", "news", "or", "when"];
const DENYING: &[&str] = &[
    "not",
    "n't",
    "n\u{2019}t",
    "never",
    "no",
    "nothing",
    "nobody",
    "hardly",
    "neither",
    "nor",
    "if",
    "would",
    "could",
    "should",
    "might",
    "wish",
    "cannot",
];

impl EditSample for DoubleDenial {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let Some(field) = sample.fields.first().filter(|field| field.open) else {
            return Err(Skip("the text may not be edited".into()));
        };
        let mut found = if chinese::is_chinese(&field.text) { denials(&field.text) } else { qualities(&field.text) };
        if !chinese::is_chinese(&field.text) {
            found.extend(feelings(&field.text));
        }
        let chosen = dice.choose(found.len(), self.amount.of(found.len()));
        let mut edits: Vec<Edit> = chosen.into_iter().flat_map(|at| found[at].clone()).collect();
        edits.sort_by_key(|edit| edit.span);
        Ok(edits)
    }
}

/// Chinese words and the opposites whose denial judges the same way.
const IN_CHINESE: &[(&str, &str)] = &[
    ("好", "差"),
    ("差", "好"),
    ("便宜", "贵"),
    ("贵", "便宜"),
    ("干净", "脏"),
    ("脏", "干净"),
    ("方便", "麻烦"),
    ("麻烦", "方便"),
    ("安静", "吵"),
    ("吵", "安静"),
    ("漂亮", "难看"),
    ("好看", "难看"),
    ("难看", "好看"),
    ("好吃", "难吃"),
    ("难吃", "好吃"),
    ("快", "慢"),
    ("慢", "快"),
    ("近", "远"),
    ("远", "近"),
    ("旧", "新"),
    ("有趣", "无聊"),
    ("容易", "难"),
    ("舒服", "难受"),
];

/// `很好` to `不差`: the word of degree goes, because what is denied cannot be graded.
fn denials(text: &Text) -> Vec<Vec<Edit>> {
    let han = Han::of(text);
    let mut found = Vec::new();
    for at in han.han() {
        let word = han.word(at);
        let Some((_, other)) = IN_CHINESE.iter().find(|(known, _)| *known == word) else { continue };
        let ends = han.after(at).is_empty() || han.after(at).starts_with(|c: char| "，。！；,!;.~、".contains(c));
        let graded = DEGREES.contains(&&*han.before(at));
        let first = at - usize::from(graded);
        if ends && judges_a_thing(&han, first) && is_free(&han, first) && is_plain(&han, first, at) {
            let new = format!("不{other}");
            found.push(vec![Edit::replace(han.span(first).start..han.span(at).end, han.script().write(&new))]);
        }
    }
    found
}

/// Words that compare, weigh, deny or suppose: behind one of them in its clause a judgement says something else.
const WEIGHING: &[&str] = &[
    "没有",
    "没",
    "不",
    "不是",
    "不如",
    "比",
    "相比",
    "还是",
    "更",
    "越",
    "如果",
    "要是",
    "除了",
    "除",
    "像",
    "跟",
    "若",
    "只要",
    "只有",
    "吗",
    "什么",
    "怎么",
    "哪",
    "希望",
    "建议",
    "应该",
    "据说",
    "号称",
    "以为",
    "本以为",
    "说",
    "最好",
    "别",
    "虽然",
    "虽",
    "尽管",
    "把",
    "将",
    "让",
    "弄",
    "搞",
    "变",
    "还",
    "再",
];

/// Verbs that the tagger takes for things, before a judgement of how well they were done or that they are: `包好`.
fn is_plain(han: &Han, first: usize, at: usize) -> bool {
    let graded = first < at;
    let is_mark = |at: &usize| han.written(*at).chars().all(|c| !c.is_alphanumeric());
    let start = (0..first).rev().find(is_mark).map_or(0, |mark| mark + 1);
    let before = han.before(first);
    // Without a word of degree, `好` behind one character mostly ends what that one does.
    let made =
        !graded && before.ends_with(['包', '做', '弄', '搞', '装', '修', '卖', '买', '吃', '写', '看', '说', '谈']);
    // A place is near or not; it is no trouble by itself.
    let placed = before.ends_with("位置") && matches!(&*han.word(at), "方便" | "麻烦");
    // A cut can hide a comparison (`比西|楼`), and what is said of a thing can stand for one (`生动有趣`).
    let clause = han.text().get(han.place(start).start..han.place(first).start).unwrap_or("");
    let compares = clause.replace("比较", "").contains(['比', '没', '挺']);
    let describes = dictionary::tag(&before).starts_with('a');
    !compares
        && !describes
        && (graded || before.chars().count() > 1)
        && !made
        && !placed
        && !(before == "贵" || han.word(first.saturating_sub(2)) == "贵")
        && (start..first).all(|at| !WEIGHING.contains(&&*han.word(at)))
}

/// `is great` to `is not bad`.
fn qualities(text: &Text) -> Vec<Vec<Edit>> {
    let annotated = Annotated::of(text);
    let fits = |at: &usize| {
        let be = is_any(annotated.before(*at), &["is", "was", "are", "were", "'s", "'re"]);
        let ends =
            annotated.word(at + 1).is_empty() || [".", ",", "!", ";", "and", ")"].contains(&annotated.word(at + 1));
        be && ends
            && annotated.penn(*at) == Some(Penn::Jj)
            && annotated.is_plain(*at)
            && !is_any(annotated.after(*at), BEHIND)
    };
    let other = |at: usize| QUALITIES.iter().find(|(word, _)| *word == annotated.small(at)).map(|(_, other)| *other);
    let calm = |at: &usize| {
        let Some(sentence) = annotated.analysis().sentence_of(*at) else { return false };
        let question = annotated.word(sentence.end - 1) == "?";
        !question && !sentence.into_iter().any(|place| is_any(annotated.word(place), DENYING))
    };
    // `is great and funny`: `not` would reach too far.
    let joined =
        |at: usize| is_any(annotated.after(at), &["and", ","]) && annotated.kind(at + 2) == Some(Kind::Adjective);
    // `was bad, and so were the others`
    let echoed = |at: usize| (at + 1..at + 5).any(|place| is_any(annotated.word(place), &["so", "too", "neither"]));
    let span = |at: usize| annotated.analysis().tokens()[at].span.clone();
    (1..annotated.len())
        .filter(fits)
        .filter(|at| !joined(*at) && !echoed(*at) && calm(at))
        .filter_map(|at| Some(vec![Edit::replace(span(at), format!("not {}", other(at)?))]))
        .collect()
}

/// `loves` to `doesn't hate`.
fn feelings(text: &Text) -> Vec<Vec<Edit>> {
    let annotated = Annotated::of(text);
    let analysis = annotated.analysis();
    let other = |lemma: &str| FEELINGS.iter().find(|(word, _)| *word == lemma).map(|(_, other)| *other);
    let has = |tokens: Range<usize>| {
        let calm =
            !tokens.clone().any(|at| is_any(annotated.word(at), DENYING)) && annotated.word(tokens.end - 1) != "?";
        calm && tokens
            .into_iter()
            .any(|at| annotated.kind(at) == Some(Kind::Verb) && other(&annotated.lemma(at)).is_some())
    };
    let mut found = Vec::new();
    for sentence in Sentence::all(analysis, has) {
        for clause in sentence.clauses() {
            let head = clause.head;
            let Some(new) = other(&sentence.base(head)) else { continue };
            let alone = clause.finite == head && clause.rest.is_empty() && clause.own_subject && !clause.inverted;
            // The writer judges; of others (`a woman who loves him`) the text only tells. The main clause, not in quotation marks.
            let speaks = |subject: usize| subject + 1 == head && sentence.is(subject, &["i", "we"]);
            let quoted = (sentence.tokens.start..head).filter(|at| sentence.is(*at, &["\"", "``"])).count() % 2 == 1;
            let subject = clause.subject.is_some_and(speaks) && !quoted;
            // `didn't dislike it much` would say how far.
            let measured =
                (head + 1..sentence.tokens.end).any(|at| sentence.is(at, &["much", "lot", "so", "because", "every"]));
            // `like to`, `loves that`: what is felt is not a thing.
            let thing = matches!(
                sentence.tokens.contains(&(head + 1)).then(|| sentence.penn(head + 1)),
                Some(Penn::Dt | Penn::Prp | Penn::PrpPoss | Penn::Nnp)
            );
            let past = sentence.penn(head) == Penn::Vbd;
            let person = clause.person.or(past.then_some(crate::clauses::Person::Third));
            if let (true, Some(helper)) = (alone && subject && thing && !measured, conjugate("do", past, person)) {
                let word = sentence.word(head);
                let with = format!("{helper}n't {new}");
                let span = sentence.span(head);
                if casing::Case::of(word) == casing::Case::Lower {
                    found.push(vec![Edit::replace(span, with)]);
                }
            }
        }
    }
    found
}
