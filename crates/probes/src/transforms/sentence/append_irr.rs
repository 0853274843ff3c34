use std::borrow::Cow;

use fissure_core::{Dice, Edit, EditSample, Field, Proposal, Resources, Sample, Skip, Text, choices, layer, transform};
use fissure_text::chinese::script::script_of;
use fissure_text::{Penn, Tag, Upos, analyse};

use crate::support::new_tokens::TokenLabels;
use crate::support::{agreement, chinese};

transform! {
    /// Adds a sentence that has nothing to do with the text, before or after it.
    ///
    /// Texts that are compared get the same sentence. A hypothesis and a question get none: what is added to a premise
    /// or a passage leaves the answer as it was, but nothing supports a hypothesis that claims more.
    pub struct AppendIrr {
        /// Where the sentence goes.
        place: Place = Place::After;
        /// How many different sentences to add.
        sentences: usize = 1, in 1..=5;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        languages: &[English, Chinese],
        does: &[AddsTaggedSentences],
        aliases: &["AppendIrr"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.4.1"),
        human: Some(HumanScores { plausibility: (3.73, 3.66), grammaticality: (3.77, 3.74) }),
    }
    examples: [
        "The soup was hot." => "The soup was hot. The lamp on the desk has a long cord.",
        { place = "before", seed = "1" } "The soup was hot." => "The office opens after breakfast. The soup was hot.",
        { sentences = "2" } "The soup was hot"
            => "The soup was hot. The lamp on the desk has a long cord. The post arrives around noon.",
        { seed = "1" } "[Rain|token:NOUN] [fell|token:VERB] [.|token:PUNCT]"
            => "[Rain|token:NOUN] [fell|token:VERB] [.|token:PUNCT] [The|token:DET] [office|token:NOUN] [opens|token:VERB] [after|token:ADP] [breakfast|token:NOUN] [.|token:PUNCT]",
        "It rained (" => "It rained (",
        "这家酒店很好" => "这家酒店很好。桌上的台灯有一根长长的电线。",
    ]
}

choices! {
    /// Where an irrelevant sentence goes.
    pub enum Place { Before = "before", After = "after", Either = "either" }
}

impl EditSample for AppendIrr {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let mut chosen = dice.choose(SENTENCES.len(), self.sentences);
        dice.shuffle(&mut chosen);
        let added = match &chosen[..] {
            [at] => Cow::Borrowed(SENTENCES[*at]),
            _ => chosen.iter().map(|at| SENTENCES[*at]).collect::<Vec<_>>().join(" ").into(),
        };
        let before = match self.place {
            Place::Before => true,
            Place::After => false,
            Place::Either => dice.chance(0.5),
        };
        // A text that was cut off behind an open bracket would take the sentence into it.
        let is_cut = |text: &str| !before && text.trim_end().ends_with(['(', '[', '{', '（', '「', '《', '“', '‘']);
        let takes = |field: &Field| {
            field.open && !agreement::is_claim(field) && !field.text.trim().is_empty() && !is_cut(&field.text)
        };
        let fields = sample.fields.iter().enumerate().filter(|(_, field)| takes(field));
        if let Some(labels) = TokenLabels::of(sample)? {
            let Some((index, field)) = fields.into_iter().next() else { return Ok(Vec::new()) };
            return tagged(&labels, field, &chosen, before).map(|edit| vec![edit.on(index)]);
        }
        let put = if before { put_before } else { put_after };
        // A text that is a line of tokens has no spaces between others either, whether it came as a list or as words.
        let is_of_tokens = |index: usize| sample.layer(layer::TOKEN).any(|(_, mark)| mark.field == index);
        Ok(fields
            .map(|(index, field)| match chinese::is_chinese(&field.text) {
                true => {
                    let added: String = chosen.iter().map(|at| CHINESE[*at]).collect();
                    let spaced = field.from_tokens
                        || (field.text.contains(char::is_whitespace) && is_of_tokens(index))
                        || is_spaced(&field.text);
                    put_chinese(field, &added, before, spaced).on(index)
                }
                false if is_of_tokens(index) && field.text.contains(char::is_whitespace) => {
                    put(&Field { from_tokens: true, ..field.clone() }, &added).on(index)
                }
                false => put(field, &added).on(index),
            })
            .collect())
    }
}

/// The sentences as tokens with tags.
fn tagged(labels: &TokenLabels<'_>, field: &Field, chosen: &[usize], before: bool) -> Result<Edit, Skip> {
    if labels.has_heads() || chinese::is_chinese(&field.text) {
        return Err(Skip("the words of a new sentence would need more than tags".into()));
    }
    let mut words: Vec<(&str, Tag)> = chosen.iter().flat_map(|at| tagged_words(*at)).collect();
    if before {
        let start = field.text.len() - field.text.trim_start().len();
        return Ok(Edit::put(start..start, labels.words(&words, false)));
    }
    let text = field.text.trim_end();
    if text.ends_with(char::is_alphanumeric) {
        words.insert(0, (".", Tag { upos: Upos::Punct, penn: Penn::FullStop }));
    }
    Ok(Edit::put(text.len()..text.len(), labels.words(&words, true)))
}

/// The sentences as the field is written: in a list of tokens a full stop is a token.
fn spelled<'a>(field: &Field, added: &'a str) -> Cow<'a, str> {
    if field.from_tokens { added.replace('.', " .").into() } else { added.into() }
}

fn put_before(field: &Field, added: &str) -> Edit {
    let added = spelled(field, added);
    Edit::insert(field.text.len() - field.text.trim_start().len(), format!("{added} "))
}

pub(crate) fn put_after(field: &Field, added: &str) -> Edit {
    let (text, added) = (field.text.trim_end(), spelled(field, added));
    // A text that stops without a full stop would run into the sentence.
    let stop = match text.ends_with(char::is_alphanumeric) {
        true if field.from_tokens => " .",
        true => ".",
        false => "",
    };
    Edit::insert(text.len(), [stop, " ", &added].concat())
}

/// Whether the words of a Chinese text have spaces between them: nearly each of them stands alone, marks as well.
fn is_spaced(text: &Text) -> bool {
    let pieces = text.split_whitespace().count();
    // Most texts need no cut to be known for what they are.
    let short = pieces > 2 && text.chars().filter(|c| !c.is_whitespace()).count() <= 4 * pieces;
    short && 5 * pieces >= 4 * text.remember(analyse).chinese_words().len()
}

/// The sentences in a Chinese text, in its script; with spaces between words or characters if the text is `spaced` so.
fn put_chinese(field: &Field, added: &str, before: bool, spaced: bool) -> Edit {
    let added = script_of(&field.text).write(added);
    let (added, gap) = if spaced { (as_tokens(&field.text, &added).into(), " ") } else { (added, "") };
    if before {
        return Edit::insert(field.text.len() - field.text.trim_start().len(), format!("{added}{gap}"));
    }
    let text = field.text.trim_end();
    let stop = if text.ends_with(char::is_alphanumeric) { format!("{gap}。") } else { String::new() };
    Edit::insert(text.len(), format!("{stop}{gap}{added}"))
}

/// Chinese sentences as tokens like those of a text: its characters, or its words.
fn as_tokens(text: &str, added: &str) -> String {
    let by_character = text.split_whitespace().all(|token| token.chars().count() == 1);
    let tokens: Vec<&str> = if by_character {
        added.char_indices().map(|(at, c)| &added[at..at + c.len_utf8()]).collect()
    } else {
        fissure_text::chinese::cut(added).into_iter().map(|span| &added[span]).collect()
    };
    tokens.join(" ")
}

/// Written for this project: plain statements without praise or blame, numbers, names, or a word that points back.
const SENTENCES: [&str; 32] = [
    "The river runs north of the village.",
    "A kettle takes a few minutes to boil.",
    "Some trees lose their leaves in autumn.",
    "The bus stops in front of the library.",
    "Most windows are made of glass.",
    "The shop on the corner sells paint.",
    "Rain is expected towards the weekend.",
    "Bricks are usually red or brown.",
    "A clock hangs above the kitchen door.",
    "The harbour lies on the eastern side of the island.",
    "Bread is baked in the early morning.",
    "The bridge was painted green last spring.",
    "A ladder leans against the garden wall.",
    "The office opens after breakfast.",
    "Sand is carried by the wind.",
    "The train crosses a valley on the way to the coast.",
    "Maps are kept in the lower drawer.",
    "A fence divides the two fields.",
    "The museum has a back entrance.",
    "Candles are sold in boxes.",
    "Geese fly south before winter.",
    "The path behind the mill leads to a pond.",
    "Paper can be made from cotton.",
    "The lamp on the desk has a long cord.",
    "Apples are stored in the cellar.",
    "A carpet covers the floor of the hall.",
    "The post arrives around noon.",
    "Salt dissolves in water.",
    "The roof of the barn is made of tin.",
    "A road sign stands near the crossing.",
    "Pencils are sharpened at both ends in some schools.",
    "The tide changes during the night.",
];

/// The same in Chinese, one for one.
const CHINESE: [&str; 32] = [
    "河在村子的北边流过。",
    "烧开一壶水要几分钟。",
    "有些树在秋天落叶。",
    "公共汽车停在图书馆门前。",
    "大多数窗户是玻璃做的。",
    "街角的商店卖油漆。",
    "周末前后可能会下雨。",
    "砖头通常是红色或棕色的。",
    "厨房门上挂着一个时钟。",
    "港口在岛的东边。",
    "面包是清晨烤的。",
    "那座桥去年春天漆成了绿色。",
    "花园的墙边靠着一架梯子。",
    "办公室早饭后开门。",
    "沙子会被风吹走。",
    "火车在去海边的路上穿过一个山谷。",
    "地图放在下面的抽屉里。",
    "一道篱笆把两块田隔开。",
    "博物馆有一个后门。",
    "蜡烛是成盒卖的。",
    "大雁在冬天之前飞往南方。",
    "磨坊后面的小路通向一个池塘。",
    "纸可以用棉花做。",
    "桌上的台灯有一根长长的电线。",
    "苹果存放在地窖里。",
    "大厅的地上铺着地毯。",
    "邮件中午前后送到。",
    "盐会溶解在水里。",
    "谷仓的屋顶是铁皮做的。",
    "路口附近立着一块路牌。",
    "有的学校把铅笔两头都削尖。",
    "潮水在夜里会变。",
];

/// The Penn tags of the words of each English sentence, checked by hand: taggers take `Geese fly south` for nouns.
const TAGS: [&str; 32] = [
    "DT NN VBZ RB IN DT NN .",
    "DT NN VBZ DT JJ NNS TO VB .",
    "DT NNS VBP PRP$ NNS IN NN .",
    "DT NN VBZ IN NN IN DT NN .",
    "JJS NNS VBP VBN IN NN .",
    "DT NN IN DT NN VBZ NN .",
    "NN VBZ VBN IN DT NN .",
    "NNS VBP RB JJ CC JJ .",
    "DT NN VBZ IN DT NN NN .",
    "DT NN VBZ IN DT JJ NN IN DT NN .",
    "NN VBZ VBN IN DT JJ NN .",
    "DT NN VBD VBN JJ JJ NN .",
    "DT NN VBZ IN DT NN NN .",
    "DT NN VBZ IN NN .",
    "NN VBZ VBN IN DT NN .",
    "DT NN VBZ DT NN IN DT NN IN DT NN .",
    "NNS VBP VBN IN DT JJR NN .",
    "DT NN VBZ DT CD NNS .",
    "DT NN VBZ DT JJ NN .",
    "NNS VBP VBN IN NNS .",
    "NNS VBP RB IN NN .",
    "DT NN IN DT NN VBZ IN DT NN .",
    "NN MD VB VBN IN NN .",
    "DT NN IN DT NN VBZ DT JJ NN .",
    "NNS VBP VBN IN DT NN .",
    "DT NN VBZ DT NN IN DT NN .",
    "DT NN VBZ IN NN .",
    "NN VBZ IN NN .",
    "DT NN IN DT NN VBZ VBN IN NN .",
    "DT NN NN VBZ IN DT NN .",
    "NNS VBP VBN IN DT NNS IN DT NNS .",
    "DT NN VBZ IN DT NN .",
];

/// The words of a sentence with their tags in both tag sets.
fn tagged_words(at: usize) -> impl Iterator<Item = (&'static str, Tag)> {
    let (body, stop) = SENTENCES[at].split_at(SENTENCES[at].len() - 1);
    let words = body.split(' ').chain([stop]);
    words.zip(TAGS[at].split(' ').filter_map(Penn::from_name)).map(|(word, penn)| (word, tag(word, penn)))
}

fn tag(word: &str, penn: Penn) -> Tag {
    let upos = match penn {
        _ if ["is", "are", "was", "be", "can"].contains(&word) => Upos::Aux,
        Penn::Dt => Upos::Det,
        Penn::Nn | Penn::Nns => Upos::Noun,
        Penn::In => Upos::Adp,
        Penn::To => Upos::Part,
        Penn::Jj | Penn::Jjr | Penn::Jjs => Upos::Adj,
        Penn::Rb => Upos::Adv,
        Penn::Cc => Upos::Cconj,
        Penn::Cd => Upos::Num,
        Penn::PrpPoss => Upos::Pron,
        Penn::FullStop => Upos::Punct,
        _ => Upos::Verb,
    };
    Tag { upos, penn }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "chinese")]
    fn after(sample: &Sample) -> String {
        let part = AppendIrr::default();
        let edits = part.edit_sample(sample, &mut Dice::new(0, &[]), &Resources::default()).unwrap_or_default();
        fissure_core::splice(&sample.fields[0].text, &edits)
    }

    #[test]
    #[cfg(feature = "chinese")]
    fn a_line_of_tokens_gets_tokens() {
        // A file with the tokens of a row in one string: the text is no list, but has a mark for each.
        let text = "我 在 北 京 工 作";
        let mut sample = Sample::of_text("1", text);
        for (at, c) in text.char_indices().filter(|(_, c)| *c != ' ') {
            let tag = if matches!(c, '北' | '京') { "B-LOC" } else { "O" };
            let span = fissure_core::Span::new(at, at + c.len_utf8());
            sample.marks.push(fissure_core::Mark::new(layer::TOKEN, 0, span, tag, fissure_core::Anchor::Elastic));
        }
        let new = after(&sample);
        assert!(new.starts_with("我 在 北 京 工 作 。 "), "{new}");
        assert!(new.split(' ').all(|token| token.chars().count() == 1), "{new}");
        let words = after(&Sample::of_text("1", "我 喜欢 这 本 书 。"));
        assert!(words.split(' ').all(|word| word.chars().count() < 5) && words.split(' ').count() > 8, "{words}");
        // Spaces in place of marks are none between words.
        let plain = after(&Sample::of_text("1", "房间很干净 服务也不错 下次还来"));
        assert_eq!(plain.split(' ').count(), 3, "{plain}");
    }

    #[test]
    #[cfg(feature = "chinese")]
    fn the_clock_is_one_in_both_scripts() {
        assert!(fissure_text::chinese::script::to_traditional(CHINESE[8]).contains("時鐘"));
    }

    #[test]
    fn every_word_of_the_sentences_has_a_tag() {
        for (at, sentence) in SENTENCES.iter().enumerate() {
            let words: Vec<(&str, Tag)> = tagged_words(at).collect();
            assert_eq!(words.len(), sentence.split(' ').count() + 1, "{sentence}");
            assert_eq!(TAGS[at].split(' ').count(), words.len(), "{sentence}: {}", TAGS[at]);
            let verb = |tag: &Tag| matches!(tag.upos, Upos::Verb | Upos::Aux);
            assert!(words.iter().any(|(_, tag)| verb(tag)), "{sentence} has a verb");
        }
    }
}
