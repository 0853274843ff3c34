use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, choices, transform};

mod chinese_words;
mod gender;
mod region;
mod words;

transform! {
    /// Exchanges men and women, or the places of one region and those of another.
    ///
    /// Names, titles, kin, trades and pronouns change together, so that the text agrees with itself: `his` becomes `her`,
    /// and `her` becomes `his` or `him` as its place asks. A person who is named twice gets one new name, in all texts of a
    /// sample. Surnames stay, and so does a word that is no mention of a person (`Oh my god`). A place becomes one of
    /// the same kind, as often spoken of, with as many words; adjectives (`French`) go with their countries.
    ///
    /// Where texts are compared, or a question is asked about one, a sample in which a person would stay a man or a woman
    /// beside others that change, or a place would leave its country or continent, is left alone.
    ///
    /// In Chinese, words for men and women change with the names that are known for a man's or a woman's. A place becomes another
    /// of the same kind with as many characters: a country or a city abroad goes to another part of the world, a place in China
    /// to another in China. With a `region`, cities of China go there as well, and provinces and counties stay.
    pub struct Prejudice {
        /// What to change.
        change: Change = Change::Gender;
        /// Whom to speak of where `change` is `gender`: `men` and `women` change the others, `swap` changes both.
        to: To = To::Swap;
        /// Where to go if `change` is `region`; `other` is any region but the place's own.
        region: Region = Region::Other;
    }
    card: {
        tags: &[Tag::Bias],
        level: Some(Word),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        renames: true,
        languages: &[English, Chinese],
        aliases: &["Prejudice", "SwapPrejudice"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.4.2"),
    }
    examples: [
        "Mary gave her brother his book, and he thanked her." => "George gave his sister her book, and she thanked him.",
        { to = "men" } "Mary loves her job and so does Ann." => "George loves his job and so does Keith.",
        { to = "women" } "The actors met Mr. Smith and his wife." => "The actresses met Mrs. Smith and her wife.",
        { change = "region" } "An Italian chef moved from Italy to Kenya." => "A Taiwanese chef moved from Taiwan to Ukraine.",
        { change = "region", region = "asia" } "She flew from Berlin to Madrid." => "She flew from Seoul to Gaza.",
        "他的爸爸是老师，她喜欢弟弟。" => "她的妈妈是老师，他喜欢妹妹。",
        { change = "region", region = "europe" } "他从日本去了东京，又回到浙江。" => "他从波兰去了雅典，又回到浙江。",
        "他用他的剑打败了敌人。" => "她用她的剑打败了敌人。",
        "I like actors like Sunny Deol and Akshay Kumar." => "I like actors like Sunny Deol and Akshay Kumar.",
        "Yuri played for his club." => "Yuri played for his club.",
        "We met at Jerry's." => "We met at Jerry's.",
        "Oh my god, the king of Spain waved." => "Oh my god, the queen of Spain waved.",
    ]
}

choices! {
    /// What is changed.
    pub enum Change { Gender = "gender", Region = "region" }
}

choices! {
    /// Whom a text speaks of afterwards.
    pub enum To { Men = "men", Women = "women", Swap = "swap" }
}

choices! {
    /// A part of the world to move to.
    pub enum Region {
        Other = "other", Africa = "africa", Asia = "asia", Europe = "europe", NorthAmerica = "north_america",
        SouthAmerica = "south_america", Oceania = "oceania",
    }
}

impl EditSample for Prejudice {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let mut edits = match self.change {
            Change::Gender if chinese_words::is_of_chinese(sample) => chinese_words::genders(sample, self.to, dice)?,
            Change::Region if chinese_words::is_of_chinese(sample) => {
                chinese_words::regions(sample, self.region, dice)?
            }
            Change::Gender => gender::edits(sample, self.to, dice)?,
            Change::Region if sample.compares_mentions() => region::plan(sample, self.region, dice)?,
            Change::Region => region::edits(sample, self.region, dice),
        };
        edits.sort_by_key(|edit| (edit.field, edit.span));
        Ok(edits)
    }
}
