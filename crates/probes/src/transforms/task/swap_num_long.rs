use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};
use fissure_text::chinese::numbers;

use crate::support::segmented::Segmented;

transform! {
    /// Replaces numbers of a segmented text with longer ones: `八百九十九` for `九百`.
    ///
    /// The new number is a little smaller and has a digit at every place, so it is one word of more characters. Numbers below
    /// twenty have none that is longer and near. Numbers beside other numbers stay, since the file may cut them, and so do round
    /// ones and those in titles and quotations. Most texts write larger numbers in digits, so fewer than 1 in 100 paragraphs of
    /// the People's Daily change.
    pub struct SwapNumLong {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Boundaries],
        languages: &[Chinese],
        aliases: &["SwapNum-CWS", "CnSwapNum"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[来|token:S][了|token:S][九|token:B][百|token:E][人|token:S]" => "[来|token:S][了|token:S][八|token:B][百|token:M][九|token:M][十|token:M][九|token:E][人|token:S]",
        "[他|token:S][有|token:S][三|token:B][十|token:E][本|token:S][书|token:S]" => "[他|token:S][有|token:S][二|token:B][十|token:M][九|token:E][本|token:S][书|token:S]",
        "[花|token:S][了|token:S][两|token:B][千|token:E][元|token:S]" => "[花|token:S][了|token:S][一|token:B][千|token:M][九|token:M][百|token:M][九|token:M][十|token:M][九|token:E][元|token:S]",
        "[名|token:B][列|token:E][全|token:B][球|token:E][五|token:B][百|token:E][强|token:S][。|token:S]" => "[名|token:B][列|token:E][全|token:B][球|token:E][五|token:B][百|token:E][强|token:S][。|token:S]",
        "[四|token:B][十|token:E][出|token:B][头|token:E][的|token:S][他|token:S]" => "[四|token:B][十|token:E][出|token:B][头|token:E][的|token:S][他|token:S]",
        "[《|token:S][五|token:B][千|token:E][年|token:S][故|token:B][事|token:E][》|token:S]" => "[《|token:S][五|token:B][千|token:E][年|token:S][故|token:B][事|token:E][》|token:S]",
    ]
}

/// What makes a number a round one, behind it or before it.
const ROUND: &[char] = &['多', '余', '来', '几', '数', '近', '约', '第', '上'];
/// Words behind a number that is a round one, a part of a longer one or of a name: `三十大几`, `五百强`, `五十中学`, `七十有八`.
const NO_COUNT: &[&str] = &[
    "大几", "出头", "开外", "上下", "左右", "强", "标准", "指数", "弟子", "行", "中学", "号", "班", "级", "有", "至",
    "到", "、", "”", "』",
];

impl Transform for SwapNumLong {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let is_number = |word: &str| !word.is_empty() && word.chars().all(numbers::is_numeral);
        let found: Vec<(usize, String)> = (0..segmented.len())
            .filter(|at| !is_number(segmented.before(*at)) && !is_number(segmented.word(at + 1)))
            // `九十年代` is no count.
            .filter(|at| !segmented.word(at + 1).starts_with("年代"))
            // `四百多` is a round number.
            .filter(|at| !segmented.word(at + 1).starts_with(ROUND) && !segmented.before(*at).ends_with(ROUND))
            .filter(|at| !NO_COUNT.contains(&segmented.word(at + 1)) && segmented.before(*at) != "、")
            .filter(|at| !is_age(&segmented, *at) && !segmented.is_quoted(*at))
            .filter_map(|at| Some((at, longer(segmented.word(at))?)))
            .collect();
        let mut change = Change::default();
        for at in dice.choose(found.len(), self.amount.of(found.len())) {
            let (place, new) = &found[at];
            segmented.put(*place, &[new], &mut change);
        }
        Ok(change)
    }
}

/// `两千年来`, `五十年一遇`: nobody counts the years.
fn is_age(segmented: &Segmented<'_>, at: usize) -> bool {
    segmented.word(at + 1) == "年" && ["来", "一"].iter().any(|start| segmented.word(at + 2).starts_with(start))
}

/// A number of more characters, a little below `word`.
fn longer(word: &str) -> Option<String> {
    let number = numbers::read(word).filter(|number| (20..=9_999).contains(number))?;
    // The largest number below without a zero: one less than the round number, then any that is left becomes a nine.
    let below = (1..=1_111).map(|less| number - less).find(|number| !number.to_string().contains('0'))?;
    let new = numbers::write(below)?;
    (new.chars().count() > word.chars().count()).then_some(new)
}
