//! Words that take the same place in a sentence, by what they name and by how they are built: every word on the left can
//! become each on the right. Written for this project; a word on the right counts only where the statistics of tags say
//! that it is of several parts of speech.

use fissure_text::inflection::Kind;

/// How a word must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// Nouns that are counted: in the singular behind an article, a possessive, a number or an adjective.
    Counted,
    /// Nouns that stand without an article, but not behind `a`.
    Mass,
    /// Verbs with a noun phrase right behind them.
    Object,
    /// Verbs with `to` right behind them.
    To,
    /// Wherever the word stands.
    Free,
    /// Adjectives before a noun, or behind `be` at the end of a clause.
    Quality,
    /// Adjectives before a noun.
    Before,
    /// Adverbs at the end of a clause.
    Last,
    /// Adverbs that say how much, before an adjective and behind no denial.
    Degree,
}

/// One class: the kind of word, how it stands, the words that may go and the words that may come.
pub(super) struct Class {
    pub kind: Kind,
    pub frame: Frame,
    pub from: &'static str,
    pub to: &'static str,
}

const fn noun(from: &'static str, to: &'static str) -> Class {
    Class { kind: Kind::Noun, frame: Frame::Counted, from, to }
}

const fn mass(from: &'static str, to: &'static str) -> Class {
    Class { kind: Kind::Noun, frame: Frame::Mass, from, to }
}

const fn verb(from: &'static str, to: &'static str) -> Class {
    Class { kind: Kind::Verb, frame: Frame::Object, from, to }
}

const fn quality(from: &'static str, to: &'static str) -> Class {
    Class { kind: Kind::Adjective, frame: Frame::Quality, from, to }
}

const fn before(from: &'static str, to: &'static str) -> Class {
    Class { kind: Kind::Adjective, frame: Frame::Before, from, to }
}

pub(super) const CLASSES: &[Class] = &[
    noun(
        "teacher dentist manager owner mechanic lawyer attorney waiter waitress server receptionist doctor nurse coach trainer \
         instructor therapist agent contractor technician plumber photographer stylist hairdresser driver chef cook guide \
         host guard clerk assistant salesman consultant accountant employee expert professional surgeon counselor",
        "coach guide host nurse cook guard expert professional",
    ),
    noun(
        "president minister leader politician senator governor mayor commander general officer spokesman chairman director \
         executive official ambassador diplomat",
        "executive official general chair",
    ),
    noun(
        "resident citizen civilian visitor tourist traveler local individual adult guy man woman lady shopper people person",
        "local individual adult",
    ),
    noun("husband wife brother sister boyfriend girlfriend spouse partner friend", "partner"),
    noun("car truck van vehicle bike", "bike truck"),
    noun(
        "soldier fighter insurgent militant terrorist rebel gunman policeman radical extremist guerrilla",
        "guard rebel militant radical",
    ),
    noun(
        "shop store restaurant salon hotel cafe bakery clinic pharmacy supermarket studio gym garage warehouse showroom \
         boutique pub diner market",
        "shop store market",
    ),
    noun("house apartment building condo cottage flat cabin shelter", "house flat shelter"),
    noun("city town village district county province", "state"),
    noun("area location site spot place", "place spot"),
    noun("park garden yard field playground", "park garden field"),
    noun("phone camera laptop computer printer radio monitor watch clock tablet", "phone watch monitor"),
    noun("bag box basket bottle container jar", "box pack bag"),
    noun("shirt dress coat jacket skirt suit sweater hat", "dress coat suit"),
    noun("pizza burger sandwich sushi salad soup steak pasta roast stew curry", "roast stew"),
    noun("discussion conversation debate speech lecture talk interview", "talk debate interview"),
    noun("agreement deal contract treaty proposal offer plan pact", "deal plan offer contract"),
    noun("article letter document email message memo draft report file essay", "report draft file note"),
    noun("question comment suggestion complaint request reply remark answer", "comment request reply"),
    noun("problem issue difficulty concern", "issue concern"),
    noun("attack battle strike raid bombing assault ambush", "attack strike raid assault"),
    noun("price fee cost charge fare", "price cost charge"),
    noun("increase decrease rise decline drop reduction surge", "increase rise decline drop"),
    noun("company firm agency business corporation", "firm"),
    noun("program project process method", "program project process"),
    noun("system", "program process"),
    noun("trip journey", "tour ride"),
    noun("vacation tour visit ride", "trip tour visit ride"),
    noun("picture photo image painting movie film photograph", "film picture"),
    noun("dog cat puppy kitten rabbit horse hamster bird rat snake parrot pet turtle", "pet"),
    noun("tree flower bush shrub plant", "plant"),
    noun("game match race contest tournament", "match race contest"),
    noun("review overview summary survey study", "review survey study"),
    noun("claim statement allegation assertion", "claim"),
    noun("goal aim objective target", "aim target goal"),
    noun("fight struggle conflict dispute quarrel", "fight struggle conflict dispute"),
    noun("list record chart", "list record chart"),
    mass("money cash", "cash credit"),
    mass("help support assistance aid", "help support aid"),
    mass("coffee tea beer wine juice water", "water"),
    mass("food chicken meat", "fish"),
    mass("progress growth", "progress"),
    mass("fear anger panic", "fear panic"),
    verb("buy purchase order", "purchase order"),
    verb("call contact phone", "call phone contact"),
    verb("attack bomb assault raid", "attack bomb raid"),
    verb("fix repair", "fix repair"),
    verb("damage destroy ruin harm wreck", "damage ruin harm wreck"),
    verb("clean wash polish", "clean wash polish"),
    verb("discuss debate", "debate question"),
    verb("review consider study analyze examine evaluate", "review study question"),
    verb("increase raise boost", "boost raise increase"),
    verb("reduce cut decrease", "cut limit"),
    verb("criticize condemn denounce", "blame question"),
    verb("rent lease", "rent lease"),
    verb("organize arrange plan", "plan stage host"),
    verb("protect guard defend shield", "guard shield"),
    verb("punch kick slap", "punch kick hit"),
    verb("change alter modify", "change"),
    verb("demand request require", "demand request"),
    verb("fund finance support", "finance fund support"),
    verb("deliver ship mail", "mail ship"),
    verb("visit tour", "tour visit"),
    verb("monitor check inspect", "monitor check"),
    verb("destroy level", "level"),
    Class { kind: Kind::Verb, frame: Frame::To, from: "want intend hope wish", to: "attempt plan hope" },
    Class { kind: Kind::Verb, frame: Frame::To, from: "try seek", to: "attempt" },
    Class { kind: Kind::Verb, frame: Frame::To, from: "like", to: "love" },
    Class { kind: Kind::Verb, frame: Frame::To, from: "promise pledge vow agree", to: "promise pledge vow" },
    Class { kind: Kind::Verb, frame: Frame::Free, from: "begin", to: "start" },
    Class { kind: Kind::Verb, frame: Frame::Object, from: "enjoy adore", to: "love" },
    quality("friendly polite courteous pleasant", "kind warm calm"),
    quality(
        "great excellent amazing awesome wonderful fantastic superb outstanding terrific fabulous perfect",
        "perfect fine super cool",
    ),
    quality("terrible horrible awful", "foul poor"),
    quality("bad", "poor"),
    quality("good nice", "fine"),
    quality("tidy neat spotless", "clean"),
    quality("quiet peaceful calm", "quiet calm"),
    quality("quick rapid", "fast"),
    quality("safe secure", "secure"),
    quality("hot cold warm cool chilly", "cold warm cool"),
    quality("wet dry", "wet dry"),
    quality("ordinary normal typical standard", "standard average normal"),
    quality("tight narrow", "narrow tight"),
    quality("accurate exact", "correct exact"),
    before("huge massive enormous gigantic big", "giant"),
    before("federal national municipal official", "local public private"),
    before("recent", "current"),
    before("different", "separate"),
    before("entire whole complete", "whole"),
    before("additional further", "extra"),
    before("main chief principal primary", "chief principal"),
    before("important significant", "key"),
    before("separate individual single", "separate individual"),
    before("nuclear biological chemical", "chemical"),
    before("possible likely", "potential"),
    before("annual yearly monthly weekly daily", "weekly monthly daily"),
    before("short lengthy", "brief"),
    before("skilled experienced qualified expert professional", "expert professional"),
    before("suitable appropriate", "ideal"),
    Class { kind: Kind::Adverb, frame: Frame::Last, from: "quickly rapidly", to: "fast" },
    Class { kind: Kind::Adverb, frame: Frame::Degree, from: "very really quite rather fairly extremely", to: "pretty" },
    Class { kind: Kind::Adverb, frame: Frame::Last, from: "early late", to: "early late" },
    Class { kind: Kind::Adverb, frame: Frame::Last, from: "abroad", to: "overseas" },
    Class { kind: Kind::Adverb, frame: Frame::Last, from: "daily weekly monthly annually", to: "daily weekly monthly" },
];
