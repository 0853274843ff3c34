"""Every transformation and destroyer of the catalog.

Made by `cargo xtask generate` from the cards; do not edit.
"""

from __future__ import annotations

from typing import Literal

from ._chain import Chain, part

__all__ = [
    "digit_to_char",
    "homophones",
    "keyboard",
    "nasal",
    "ocr",
    "script",
    "similar_shape",
    "typos",
    "contraction",
    "insert_adv",
    "mlm_suggestion",
    "prejudice",
    "spelling_error",
    "swap_ant_wordnet",
    "swap_article",
    "swap_name_in_text",
    "swap_named_ent",
    "swap_neighbour",
    "swap_num",
    "swap_random_vocab",
    "swap_syn_word_embedding",
    "swap_syn_wordnet",
    "tense",
    "word_case",
    "append_irr",
    "back_trans",
    "punctuation",
    "reverse_neg",
    "twitter_type",
    "add_diff",
    "add_sent",
    "add_sent_diverse",
    "add_sub_tree",
    "add_sum",
    "concat_sent",
    "delete_sub_tree",
    "double_denial",
    "ent_typos",
    "extent_adjust",
    "insert_clause",
    "insert_relative_clause",
    "mlm",
    "modify_pos",
    "num_word",
    "overlap",
    "parallel_twitter_type",
    "perturb_answer",
    "perturb_question",
    "reduplication",
    "rev_non",
    "rev_tgt",
    "rnd_delete",
    "rnd_insert",
    "rnd_repeat",
    "rnd_replace",
    "rnd_shuffle",
    "sentence_order_swap",
    "swap_ant",
    "swap_contraction",
    "swap_ent",
    "swap_gender",
    "swap_multi_pos",
    "swap_name",
    "swap_names",
    "swap_num_long",
    "swap_parallel_num",
    "swap_parallel_same_word",
    "swap_prefix",
    "swap_special_ent",
    "swap_syn",
    "swap_target",
    "swap_triple_pos",
    "swap_verb",
    "switch_voice",
    "sort",
    "reverse",
    "shuffle",
    "copy_sort",
    "drop",
    "repeat",
    "replace",
    "copy_one",
    "pbsmt",
]


def digit_to_char(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Writes numbers of a Chinese text in characters: `二十八度` for `28度`.

    `105` is `一百零五`, years are read digit by digit (`2008年` is `二〇〇八年`), `3.5` is `三点五`, `30%` is `百分之三十`, and two of
    something is `两` (`2个`), the second `第二个`. Telephone numbers, codes (`A4`, `007`, `邮编100084`), times (`12:30`), years of two
    digits and what is called by one (`98年`, `90后`), days that are remembered (`3·15晚会`), sums of money with a sign and
    groups of thousands (`72，000`) stay. A date or a span changes as a whole or not at all.

    Label: kept. Tasks: any but ner, pos, dp, cws, coref, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.1.5

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "今天28度，105个人来了。" -> "今天二十八度，一百零五个人来了。"
        "2008年有2本书涨了3.5%。" -> "二〇〇八年有两本书涨了百分之三点五。"
        "他跑了100米，用了12.5秒。" -> "他跑了一百米，用了十二点五秒。"
        "请打13912345678，用A4纸，12:30见。" -> "请打13912345678，用A4纸，12:30见。"
        "第2天的第2个人用了2小时。" -> "第二天的第二个人用了两小时。"
        "90后在邮编100084看3·15晚会，来了72，000名观众。" -> "90后在邮编100084看3·15晚会，来了72，000名观众。"
    """
    return part("digit_to_char", rate=rate, min=min, max=max)


def homophones(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    labelled: bool = False,
) -> Chain:
    """Replaces a Chinese character with another that is read alike, the tone included: `服物` for `服务`.

    The new word is no other word of the dictionary, the new character is a common one. A character whose reading is in
    doubt stays; words decide (`银行`, `行走`). A character that stands alone changes only into what people confuse it
    with (`的`, `地` and `得`). `rate` is a share of the words of Chinese characters; a traditional text stays traditional.

    Label: kept. Tasks: any.
    Source: Wang et al. 2021 (TextFlint), section 3.1.5

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        labelled: Whether words that carry a label (an answer, a term, a mention) may be hit too. It takes true or false.

    Examples:
        "酒店的服务很好。" -> "九店的服务很好。"
        "我们明天再来北京。" -> "我们明天在来北京。"
        "这里的环境安静，价格便宜。" -> "浙里的环敬安径，价格便宜。" (rate=0.5)
    """
    return part("homophones", rate=rate, min=min, max=max, labelled=labelled)


def keyboard(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    layout: Literal["qwerty", "qwertz", "azerty"] = "qwerty",
    min_length: int | None = 4,
    signs: bool = False,
    labelled: bool = False,
) -> Chain:
    """Replaces a letter with one from a neighbouring key.

    One letter of a word changes, and never into another English word (`cone` for `done`). With shift held the
    neighbour has shift held too, so a capital stays a capital. A Chinese word is mistyped in pinyin: a neighbouring key is hit
    for a letter of one syllable, and a common character of that syllable takes the place of the right one.

    Label: kept. Tasks: any.
    Source: Wang et al. 2021 (TextFlint), section 3.1.5

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        layout: The keyboard on which the finger slips. It takes one of `qwerty`, `qwertz`, `azerty`.
        min_length: Words with fewer letters are left alone. It takes a whole number, 1 or more.
        signs: Whether a digit or a sign may be hit as well as a letter. It takes true or false.
        labelled: Whether words that carry a label (an answer, a term, a mention) may be hit too. It takes true or false.

    Examples:
        "A wonderful story, told with patience and humour." -> "A wlnderful story, told with patience and humour."
        "A story, told with patience." -> "A story, told with pétience." (layout=azerty, seed=6)
        "LONDON calling: the match is cancelled." -> "LLNDON callijg: the match is cancelled." (rate=0.5)
        "The waiter brought us cold coffee." -> "The wait3r brought us cold coffee." (signs=true, seed=1)
        "It is 2004, not the 1980's." -> "It is 2004, not the 1980's."
        "Mail jo@example.org &quot;now&quot;" -> "Maol jo@example.org &quot;now&quot;" (rate=1)
        "酒店的服务很好，价格便宜。" -> "纽店的服务很好，价格便宜。"
    """
    return part("keyboard", rate=rate, min=min, max=max, layout=layout, min_length=min_length, signs=signs, labelled=labelled)


def nasal(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    labelled: bool = False,
) -> Chain:
    """Replaces a Chinese character with one of the other nasal: `盆友` for `朋友`.

    Many speakers do not tell `en` and `eng`, `in` and `ing`, `an` and `ang` apart. The new word is no other word of the
    dictionary; a character whose reading is in doubt stays. `rate` is a share of the words of Chinese characters.

    Label: kept. Tasks: any.
    Source: Wang et al. 2021 (TextFlint), section 3.1.5

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        labelled: Whether words that carry a label (an answer, a term, a mention) may be hit too. It takes true or false.

    Examples:
        "我的朋友喜欢安静。" -> "我的盆友喜欢安静。"
        "这里的环境和平时一样。" -> "这里的环进和平时一样。"
        "银行今天关门，请明天再来。" -> "盈行经天关朦，请民天再来。" (rate=0.5)
    """
    return part("nasal", rate=rate, min=min, max=max, labelled=labelled)


def ocr(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    min_length: int | None = 3,
    labelled: bool = False,
) -> Chain:
    """Replaces a character or a pair of them with what a scanner would read: `1` for `l`, `m` for `rn`.

    What is read is never another English word (`lock` for `look`) or another number (`186` for `136`).

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.1.5

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        min_length: Words with fewer letters are left alone. It takes a whole number, 1 or more.
        labelled: Whether words that carry a label (an answer, a term, a mention) may be hit too. It takes true or false.

    Examples:
        "A modern kitchen, clean and well lit." -> "A rnodern kitchen, clean and well lit." (seed=7)
        "The bill came to 1250 dollars in all." -> "The bill came to 125o dollars in all." (seed=1)
        "A modern kitchen, clean and well lit." -> "A moderu kitcnen, clean aud well lit." (rate=0.5, seed=5)
    """
    return part("ocr", rate=rate, min=min, max=max, min_length=min_length, labelled=labelled)


def script(
    *,
    to: Literal["other", "simplified", "traditional"] = "other",
) -> Chain:
    """Writes a Chinese text in the other script: `後來皇后` for `后来皇后`.

    Words decide where a simplified character stands for several traditional ones (`头发` is `頭髮`, `发现` is `發現`). What
    both scripts share stays, so that a text may be left as it is.

    Label: kept. Tasks: any.
    Source: Own; after the SIGHAN tasks, which give both scripts

    Args:
        to: The script to write in. It takes one of `other`, `simplified`, `traditional`.

    Examples:
        "他发现头发长了，后来皇后也来了。" -> "他發現頭髮長了，後來皇后也來了。"
        "這間酒店環境和服務態度亦算不錯" -> "这间酒店环境和服务态度亦算不错"
        "这里的面条很好吃。" -> "這裡的麵條很好吃。" (to=traditional)
        "這間酒店" -> "這間酒店" (to=traditional)
    """
    return part("script", to=to)


def similar_shape(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    labelled: bool = False,
) -> Chain:
    """Replaces a Chinese character with one that looks like it: `己经` for `已经`.

    The new word is no other word of the dictionary, and characters that stand alone stay. `rate` is a share of the words of
    Chinese characters.

    Label: kept. Tasks: any.
    Source: Liu et al. 2011, Visually and phonologically similar characters in incorrect Chinese words

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        labelled: Whether words that carry a label (an answer, a term, a mention) may be hit too. It takes true or false.

    Examples:
        "我们已经住在城市里了。" -> "我们己经住在城市里了。"
        "他每天清晨练习钢琴。" -> "他每天情晨练习钢琴。"
        "电脑的价格比较便宜。" -> "电恼的价烙比较便谊。" (rate=0.5)
    """
    return part("similar_shape", rate=rate, min=min, max=max, labelled=labelled)


def typos(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    mode: Literal["random", "replace", "swap", "insert", "delete"] = "random",
    min_length: int | None = 4,
    keep_first: bool = True,
    keep_last: bool = True,
    labelled: bool = False,
) -> Chain:
    """Replaces, swaps, inserts or deletes one letter inside a word.

    The word is never the same afterwards, nor another English word (`fee` for `free`): letters that are alike are not
    swapped, and a letter is replaced by another one in the same case. In scripts other than Latin the new letter comes
    from the word itself. A Chinese word is mistyped in pinyin: a letter of one syllable slips (`shen` for `sheng`), and a common
    character of that syllable takes the place of the right one.

    Label: kept. Tasks: any.
    Source: Wang et al. 2021 (TextFlint), section 3.1.5

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        mode: What happens to the letter; `random` takes any of the four. It takes one of `random`, `replace`, `swap`, `insert`, `delete`.
        min_length: Words with fewer letters are left alone. It takes a whole number, 1 or more.
        keep_first: Whether the first letter stays as it is. It takes true or false.
        keep_last: Whether the last letter stays as it is. It takes true or false.
        labelled: Whether words that carry a label (an answer, a term, a mention) may be hit too. It takes true or false.

    Examples:
        "A wonderful story, told with patience and humour." -> "A wonderful siory, told with patience and humour."
        "The waiter brought us cold coffee." -> "The wiater brought us cold coffee." (mode=swap)
        "The waiter brought us cold coffee." -> "The witer broght us cold coffee." (mode=delete, rate=0.5)
        "Ireland has won the second game." -> "Irelkand has won the second game." (mode=insert, seed=2)
        "Aaaah, I see." -> "Aaaah, I see." (mode=swap)
        "It seemed free: see www.free.org." -> "It semed fre: see www.free.org." (mode=delete, rate=1)
        "酒店的服务很好，价格便宜。" -> "酒断的服务很好，价格便宜。"
    """
    return part("typos", rate=rate, min=min, max=max, mode=mode, min_length=min_length, keep_first=keep_first, keep_last=keep_last, labelled=labelled)


def contraction(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
    expand: bool = True,
    contract: bool = True,
    ambiguous: bool = False,
) -> Chain:
    """Expands contractions and contracts what can be contracted: `can't` to `cannot`, `will not` to `won't`.

    The case of the words is kept, and so is the kind of apostrophe the text uses. A possessive (`the cook's`) is
    never touched. A question keeps its order: `Don't you agree?` becomes `Do you not agree?`. Where English does
    not contract (`Yes, I am.`, `what it is about`) neither does this. In data with tokens, which part `do` and `n't`, tokens
    are replaced, and none is joined or split.

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.1.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        expand: Whether contractions are expanded. It takes true or false.
        contract: Whether phrases are contracted. It takes true or false.
        ambiguous: Whether to expand also where `'s` or `'d` can be read in two ways: `'s` before a participle as `is`, and `'d` as `had` before `better` or a participle, else as `would`. It takes true or false.

    Examples:
        "I can't go, and she won't ask." -> "I cannot go, and she will not ask."
        "We will not stop. No, I do not." -> "We won't stop. No, I don't."
        "Don't you agree? It's great." -> "Do you not agree? It is great."
        "DON'T PANIC, I AM HERE." -> "DO NOT PANIC, I'M HERE."
        "I'm sure they are late." -> "I am sure they are late." (contract=false)
        "I'm sure they are late." -> "I'm sure they're late." (expand=false)
        "It's been a while; the cook's soup is cold." -> "It has been a while; the cook's soup is cold."
        "Yes, I am. He's left." -> "Yes, I am. He's left."
        "[I|token:PRON] [do|token:AUX] [n't|token:PART] [know|token:VERB] [.|token:PUNCT]" -> "[I|token:PRON] [do|token:AUX] [not|token:PART] [know|token:VERB] [.|token:PUNCT]"
        "[Ann|token:B-PER] [can|token:O] [not|token:O] [go|token:O]" -> "[Ann|token:B-PER] [ca|token:O] [n't|token:O] [go|token:O]"
        "I'd better go: he's wanted." -> "I had better go: he is wanted." (ambiguous=true)
    """
    return part("contraction", rate=rate, min=min, max=max, expand=expand, contract=contract, ambiguous=ambiguous)


def insert_adv(
    *,
    rate: float = 0.3,
    min: int | None = 1,
    max: int | None = 10,
) -> Chain:
    """Puts an adverb before a verb, behind its auxiliaries: `has quietly left`.

    Which adverb depends on the verb: `firmly believe`, `officially announced`, `really love`; most verbs take `actually`,
    which stresses and adds no claim. Verbs of saying are left alone: `police actually said` doubts them.
    A verb that is negated, has an adverb already, or stands behind `to` is left alone. A hypothesis stays as it is:
    with an adverb it could claim more than its premise says. In Chinese `确实`, `的确`, `真的` and, by what follows, `实在`, `其实` or `真心` go between a subject and
    what is said of it: before its word of degree, its denial, or a verb of thinking, being or being able. Questions stay.

    Label: kept; unsure on sm. Tasks: any but cws, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.3.2

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "She has left the house." -> "She has actually left the house." (seed=2)
        "The committee rejected the plan, and its chairman will resign." -> "The committee rejected the plan, and its chairman will actually resign."
        "I think that they were hoping for rain." -> "I really think that they were sincerely hoping for rain." (rate=1)
        "We ordered the soup, police said." -> "We actually ordered the soup, police said." (rate=1, seed=3)
        "It took all my will power." -> "It actually took all my will power."
        "The film will be made." -> "The film will actually be made." (seed=2)
        "She did not leave. To err is human." -> "She did not leave. To err is human."
        "我觉得这里的服务太差。" -> "我真的觉得这里的服务太差。"
        "房间很干净，你呢？" -> "房间实在很干净，你呢？"
        "奥运会在北京开幕。" -> "奥运会在北京开幕。"
        "[She|token:PRON] [has|token:AUX] [left|token:VERB] [.|token:PUNCT]" -> "[She|token:PRON] [has|token:AUX] [actually|token:ADV] [left|token:VERB] [.|token:PUNCT]" (seed=2)
        "context:: [She left the party|answers]. // (question):: What happened?" -> "context:: [She left the party|answers]. // (question):: What happened?" (rate=1)
        "As you know, he was suddenly being watched." -> "As you know, he was suddenly being watched." (rate=1)
    """
    return part("insert_adv", rate=rate, min=min, max=max)


def mlm_suggestion(
    *,
    rate: float = 0.2,
    min: int | None = 1,
    max: int | None = 10,
    guesses: int = 20,
) -> Chain:
    """Replaces a word with what a masked language model suggests there.

    Nouns, verbs, adjectives and adverbs are replaced, by a word of the same part of speech and form, never by a piece
    of a word or by another form of the same one. Names, numbers and function words stay. Each place is guessed with
    the rest of the text as it was. Models read Chinese by characters: all characters of a word are hidden at once, and the
    guesses have to make a word of the dictionary with as many.

    Label: unsure. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3.1

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        guesses: How many of the model's guesses to look through for one that fits. It takes a whole number from 1 to 1000.

    Examples:
        "It is cold." -> "It is good."
        "They are dogs." -> "They are people."
        "He did it slowly." -> "He made it quickly." (rate=1)
        "我的朋友经常帮助他。" -> "我的电影常常喜欢他。" (rate=1)
        "In 1999 Mary and John were in it." -> "In 1999 Mary and John were in it."
    """
    return part("mlm_suggestion", rate=rate, min=min, max=max, guesses=guesses)


def prejudice(
    *,
    change: Literal["gender", "region"] = "gender",
    to: Literal["men", "women", "swap"] = "swap",
    region: Literal["other", "africa", "asia", "europe", "north_america", "south_america", "oceania"] = "other",
) -> Chain:
    """Exchanges men and women, or the places of one region and those of another.

    Names, titles, kin, trades and pronouns change together, so that the text agrees with itself: `his` becomes `her`,
    and `her` becomes `his` or `him` as its place asks. A person who is named twice gets one new name, in all texts of a
    sample. Surnames stay, and so does a word that is no mention of a person (`Oh my god`). A place becomes one of
    the same kind, as often spoken of, with as many words; adjectives (`French`) go with their countries.

    Where texts are compared, or a question is asked about one, a sample in which a person would stay a man or a woman
    beside others that change, or a place would leave its country or continent, is left alone.

    In Chinese, words for men and women change with the names that are known for a man's or a woman's. A place becomes another
    of the same kind with as many characters: a country or a city abroad goes to another part of the world, a place in China
    to another in China. With a `region`, cities of China go there as well, and provinces and counties stay.

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.4.2

    Args:
        change: What to change. It takes one of `gender`, `region`.
        to: Whom to speak of where `change` is `gender`: `men` and `women` change the others, `swap` changes both. It takes one of `men`, `women`, `swap`.
        region: Where to go if `change` is `region`; `other` is any region but the place's own. It takes one of `other`, `africa`, `asia`, `europe`, `north_america`, `south_america`, `oceania`.

    Examples:
        "Mary gave her brother his book, and he thanked her." -> "George gave his sister her book, and she thanked him."
        "Mary loves her job and so does Ann." -> "George loves his job and so does Keith." (to=men)
        "The actors met Mr. Smith and his wife." -> "The actresses met Mrs. Smith and her wife." (to=women)
        "An Italian chef moved from Italy to Kenya." -> "A Taiwanese chef moved from Taiwan to Ukraine." (change=region)
        "She flew from Berlin to Madrid." -> "She flew from Seoul to Gaza." (change=region, region=asia)
        "他的爸爸是老师，她喜欢弟弟。" -> "她的妈妈是老师，他喜欢妹妹。"
        "他从日本去了东京，又回到浙江。" -> "他从波兰去了雅典，又回到浙江。" (change=region, region=europe)
        "他用他的剑打败了敌人。" -> "她用她的剑打败了敌人。"
        "I like actors like Sunny Deol and Akshay Kumar." -> "I like actors like Sunny Deol and Akshay Kumar."
        "Yuri played for his club." -> "Yuri played for his club."
        "We met at Jerry's." -> "We met at Jerry's."
        "Oh my god, the king of Spain waved." -> "Oh my god, the queen of Spain waved."
    """
    return part("prejudice", change=change, to=to, region=region)


def spelling_error(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    labelled: bool = False,
) -> Chain:
    """Replaces a word with a common misspelling: `definately` for `definitely`.

    The misspelling is never another right word, and follows the case of the word. In a Chinese word a character is replaced
    with a common one that is typed alike on a pinyin keyboard, whatever the tone: `服勿` for `服务`.

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.1.5

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        labelled: Whether words that carry a label (an answer, a term, a mention) may be hit too. It takes true or false.

    Examples:
        "We will definitely receive a separate invoice." -> "We will definately receive a separate invoice." (seed=4)
        "We will definitely receive a separate invoice." -> "We eill defenitely recieve a seperate invoice." (rate=0.5)
        "RECEIVE the committee's recommendation tomorrow." -> "RECIEVE the committee's recommendation tomorrow." (seed=6)
        "酒店的服务很好，价格便宜。" -> "酒店得服务很好，价格便宜。"
    """
    return part("spelling_error", rate=rate, min=min, max=max, labelled=labelled)


def swap_ant_wordnet(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
    words: Literal["judging", "any"] = "judging",
    clear: float = 0.7,
) -> Chain:
    """Replaces words with their opposites, in the same form: `hated` for `loved`.

    There are two promises. With `words=judging` every word that judges is swapped, or its denial taken away, and a small network
    reads the text and its clauses before and after: only if it sees the judgement of the whole text turn is the text changed, so
    that the label of a review flips. With `words=any` words that have an opposite in WordNet are swapped, also in texts that judge nothing;
    what happens to the label is unsure. Chinese words turn by lists of our own; with `judging` a text turns if all of its words
    that judge do and none weighs them, which is so of few: 27 of 9,600 reviews of hotels, books and computers change, since
    nearly every one also tells, weighs or advises.

    Label: unsure; flipped on sa. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.2.2

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        words: Which words give way to their opposites. It takes one of `judging`, `any`.
        clear: With `judging`, how clear the judgement must be before and, the other way, after: the least logarithm of the odds that the scorer gives. Higher changes fewer texts, more surely. It takes a number from 0 to 100.

    Examples:
        "Great food and a lovely view." -> "Awful food and an ugly view."
        "The service was good." -> "The service was bad."
        "It is the worst movie of the year." -> "It is the best movie of the year."
        "房间干净，服务热情。" -> "房间肮脏，服务冷淡。"
        "房间很大，环境优美，交通方便。" -> "房间很小，环境恶劣，交通麻烦。"
        "He sold the old house before winter." -> "He bought the old house before winter." (words=any, rate=0.3)
        "The acting is good, but the plot is a disaster." -> "The acting is good, but the plot is a disaster."
        "The food was great and never a bad experience." -> "The food was great and never a bad experience."
        "We love this store and were served great soup, but no bread." -> "We love this store and were served great soup, but no bread."
        "Good Friends is a great bar." -> "Good Friends is an awful bar."
        "It is not worth the money." -> "It is worth the money."
        "Really liked it, so we came here too!" -> "Really liked it, so we came here too!"
        "Great service, the waitress was on the ball." -> "Great service, the waitress was on the ball."
        "The good salads come from a farm." -> "The good salads come from a farm."
    """
    return part("swap_ant_wordnet", rate=rate, min=min, max=max, words=words, clear=clear)


def swap_article(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = None,
    tolerance: float = 3.0,
) -> Chain:
    """Replaces `a` or `an` with `the`.

    Only where English takes both: where a person, group, place or thing has its part in what happens (`police found
    a car`), or where the words behind say which one is meant (`approved a law banning scarves`). What is said of a
    kind (`she is a doctor`), of what may be (`if a car comes`) and of one more of what the text has spoken of keeps
    its article. `the` never becomes `a`: what is known seldom reads well as one of many.

    Label: kept. Tasks: any but cws.
    Source: Geometry Matters: Exploring Language Examples at the Decision Boundary, section 5.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        tolerance: How much worse than `a` the new article may fit between the words around it, as a natural logarithm. It takes a number from 0 to 100.

    Examples:
        "She saw a dog near the old bridge." -> "She saw the dog near the old bridge."
        "A driver who had lost his keys asked for help." -> "The driver who had lost his keys asked for help."
        "The council approved a plan to build two schools." -> "The council approved the plan to build two schools."
        "She is a doctor, and it looks like a trap." -> "She is a doctor, and it looks like a trap."
        "The best of the teams trains twice a day." -> "The best of the teams trains twice a day."
    """
    return part("swap_article", rate=rate, min=min, max=max, tolerance=tolerance)


def swap_name_in_text(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
) -> Chain:
    """Replaces a person with another of the same text: one actress for another of the same review.

    Every mention of the chosen person gets the name of the other, the surname alone as well as the full name. On
    data with tags of names (`B-PER`), the tags say who is a person. The texts of a sample change alike.

    Label: unsure. Tasks: any but cws.
    Source: Geometry Matters: Exploring Language Examples at the Decision Boundary, section 4.2.1

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "Kirsten Dunst shines, and Megan Fox is fine. Dunst also sings." -> "Kirsten Dunst shines, and Kirsten Dunst is fine. Dunst also sings."
        "Kirsten Dunst shines, and Megan Fox is fine. Dunst also sings." -> "Megan Fox shines, and Megan Fox is fine. Fox also sings." (seed=1)
        "Anna told Peter that Mary had left." -> "Anna told Peter that Peter had left." (seed=2)
        "Anna told nobody." -> "Anna told nobody."
    """
    return part("swap_name_in_text", rate=rate, min=min, max=max)


def swap_named_ent(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
    persons: bool = True,
    places: bool = True,
    organisations: bool = True,
) -> Chain:
    """Replaces a name with another person, place or organisation of the same kind.

    The new name is about as well known, of as many words, and a first name stays with its gender. Every mention of
    a name gets the same new one and no other name gets it, the surname alone as well as the full name, and with a
    country its adjective: `Iraq` and `Iraqi`. A city moves within its country, or with it. Names that the lists of
    the toolbox do not have are left alone. On data with tags of names (`B-PER`), the tags say what is a name.

    All texts of a sample change alike, a question about the passage included. A name that cannot be changed alike
    wherever it occurs stays as it is. In Chinese, people with a known surname and given name and places of the list get
    names of as many characters.

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.2.4

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        persons: Whether persons are swapped. It takes true or false.
        places: Whether places are swapped. It takes true or false.
        organisations: Whether organisations are swapped. It takes true or false.

    Examples:
        "John Smith met Angela in Paris, and Smith paid." -> "James Hall met Joyce in Helsinki, and Hall paid."
        "An Iraqi judge left Iraq for Germany on Monday." -> "A Vietnamese judge left Vietnam for Russia on Monday."
        "Microsoft said that Mary Johnson would leave." -> "Nvidia said that Mary Johnson would leave." (persons=false)
        "Mary Johnson moved from Boston to Chicago." -> "Anna Allen moved from Boston to Chicago." (places=false)
        "他从杭州去上海。" -> "他从漯河去北京。"
        "印度教和新墨西哥州。" -> "印度教和新墨西哥州。"
        "The company spent a Hollywood budget on it." -> "The company spent a Hollywood budget on it."
        "He flew to Ouagadougouville." -> "He flew to Ouagadougouville."
        "BASRA, Iraq - They won." -> "BASRA, Iraq - They won."
        "Many ethnic Albanians left Albania." -> "Many ethnic Albanians left Albania."
        "North Korea met South Korea, and both Koreas talked." -> "North Korea met South Korea, and both Koreas talked."
        "We ate at Denny's." -> "We ate at Denny's."
        "Madrid is where Real Madrid play." -> "Madrid is where Real Madrid play."
        "They had Brussels sprouts in Brussels." -> "They had Brussels sprouts in Brussels."
        "From PANAMA CITY he went down the Amazon." -> "From PANAMA CITY he went down the Amazon."
    """
    return part("swap_named_ent", rate=rate, min=min, max=max, persons=persons, places=places, organisations=organisations)


def swap_neighbour(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = None,
    threshold: float = 0.6,
    nearest: int = 10,
    skip: int | None = 150,
) -> Chain:
    """Replaces a word with one that is used alike: a near neighbour in a space of word vectors.

    Any neighbour will do, whatever it means: `north` for `south`, `Tuesday` for `Monday`. Where the meaning has to
    stay, take `swap_syn_word_embedding`. The neighbours are a built-in table (GloVe, the 40,000 most frequent words,
    without antonyms), or those of the vectors given with `--vectors`.

    Label: unsure. Tasks: any but cws.
    Source: Geometry Matters: Exploring Language Examples at the Decision Boundary, section 4.2.1

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        threshold: Least likeness of a neighbour: the cosine of the two vectors. It takes a number from 0 to 1.
        nearest: How many of the nearest to draw from. It takes a whole number from 1 to 10.
        skip: How many of the most frequent words (`the`, `of`, `was`) are left alone, and never put in. It takes a whole number, 0 or more.

    Examples:
        "The film opens on Monday in London." -> "The adaptation opens on Monday in London."
        "Her father bought a bicycle." -> "Her son purchased a bike." (nearest=1, rate=1)
        "Rain fell on Monday in London." -> "Rains slipped on Tuesday in Sydney." (nearest=1, rate=1)
        "The film opens in London." -> "The film opens in London." (threshold=1)
    """
    return part("swap_neighbour", rate=rate, min=min, max=max, threshold=threshold, nearest=nearest, skip=skip)


def swap_num(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Replaces a number with another of the same kind: `3.5`, `1,200`, `five`, `2nd`.

    The new number has as many digits, as many of them zeros at the end, and is written in as many words. Years
    stay years, days stay days of a month, hours stay hours, shares stay within 100 percent, a year keeps its four
    quarters; `a` and `an` stay right; `from 2 to 5` still rises; a number that is repeated is replaced by the same
    one. `one` and `zero` are left alone, and so are `first` and `second`: they are seldom only numbers. So is the
    number of a name (`Boeing 747`, `Chapter 11`, `the Big Three`) and of a phrase (`a day or two`, `out of ten`).
    A number that several texts of a sample share is changed alike in all of them, or stays. In Chinese only numbers that count
    something change, in digits or in characters (`三个` to `七个`); dates, orders and ranges stay, and so do
    counts of what the text then names (`两个字：失望`); an age stays within its stage of life.

    Label: unsure. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.2.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "She paid $3.50 for 1,200 sheets." -> "She paid $8.60 for 8,800 sheets."
        "On May 31, 2004, five men came 2nd." -> "On May 13, 1989, two men came 8th."
        "Twenty-five people and two hundred dogs waited at 5 pm." -> "Eighty-eight people and six hundred dogs waited at 2 pm."
        "An 18 percent fall and a 5 percent gain." -> "An 86 percent fall and a 6 percent gain."
        "One of them was first." -> "One of them was first."
        "只有两个字：失望！" -> "只有两个字：失望！"
        "我买了3本书，两个人看了第二本。" -> "我买了8本书，九个人看了第二本。"
        "Sales rose from $2 to $5 in the third quarter, by Sept. 28." -> "Sales rose from $6 to $8 in the fourth quarter, by Sept. 15."
        "A Boeing 747 left Gate 4 in a day or two, after Season Five, and agent 007 gave it 9 out of 10 there." -> "A Boeing 747 left Gate 4 in a day or two, after Season Five, and agent 007 gave it 4 out of 10 there."
    """
    return part("swap_num", rate=rate, min=min, max=max)


def swap_random_vocab(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = None,
    vocabulary: int = 10000,
) -> Chain:
    """Replaces a word with a random one: chance as the measure of every other change.

    The new word is any of the most frequent ones of English, each as likely, and follows the case of the old.

    Label: unsure. Tasks: any but cws.
    Source: Geometry Matters: Exploring Language Examples at the Decision Boundary, section 4.3.1

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        vocabulary: How many of the most frequent words to draw from. It takes a whole number from 2 to 40000.

    Examples:
        "The plot is thin, and the jokes are old." -> "Bashir plot is thin, and the jokes are old."
        "The plot is thin, and the jokes are old." -> "Bashir plot is thin, six the speedway are old." (rate=0.3)
        "The plot is thin, and the jokes are old." -> "So plot is thin, to the most are old." (vocabulary=100, rate=0.3)
    """
    return part("swap_random_vocab", rate=rate, min=min, max=max, vocabulary=vocabulary)


def swap_syn_word_embedding(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    risk: float = 0.1,
    confirmed: bool = True,
) -> Chain:
    """Replaces a word with a near neighbour in vector space, of the same part of speech and form.

    Words that are used alike need not mean the same (`north` and `south`, `Monday` and `Tuesday`), so the lexicon of
    substitutions has to confirm the neighbour, as in `swap_syn_wordnet`. The neighbours are a built-in table (GloVe, the
    40,000 most frequent words), or those of the vectors given with `--vectors`. `rate` is a share of all words of a text. There is
    no built-in table for Chinese: it needs `--vectors`, of simplified words.

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.2.1

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        risk: The greatest chance that a swap reads badly, as in `swap_syn_wordnet`. It takes a number from 0 to 1.
        confirmed: Whether the lexicon has to confirm that the meaning stays; false trusts the vectors from a cosine of 0.6 on, antonyms left out, and leaves words alone that another text of the sample has too. Most such swaps read badly. It takes true or false.

    Examples:
        "The investigation of the film was nearly over." -> "The probe of the film was nearly over."
        "She attempted to react to a huge movie." -> "She tried to react to an enormous flick." (rate=1)
        "They came from the north on Monday with two cats." -> "They came from the area on Monday with two cats." (confirmed=false)
        "They went north on Monday." -> "They went north on Monday."
        "Altogether, it is near." -> "Altogether, it is near."
    """
    return part("swap_syn_word_embedding", rate=rate, min=min, max=max, risk=risk, confirmed=confirmed)


def swap_syn_wordnet(
    *,
    rate: float = 0.1,
    min: int | None = 1,
    max: int | None = 10,
    risk: float = 0.1,
) -> Chain:
    """Replaces a word with a synonym in the same form: `likes` for `loves`.

    Synonyms come from a lexicon of pairs that were reviewed one by one with texts in which the word stands: some fit
    always, some only between certain words (`attempt` for `try` only before `to`). A higher `risk` adds pairs from
    WordNet that were not reviewed. `a` and `an` stay right, words of set phrases (`prime minister`) stay, and a word that
    is repeated becomes the same synonym wherever it fits. `rate` is a share of all words of a text. Chinese words give way to
    words of as many characters, from a reviewed list of its own; a `risk` from 0.3 on adds pairs of the Chinese Open Wordnet.

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), section 3.2.1

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        risk: The greatest chance that a swap reads badly. From 0.02 pairs that fit always are taken, from 0.05 those that fit between certain words, above about 0.25 the likeliest of those that were not reviewed, at 1 all that WordNet has. It takes a number from 0 to 1.

    Examples:
        "The lawyer purchased two automobiles." -> "The attorney purchased two automobiles."
        "An enormous film began, and the film nearly ended." -> "An enormous flick started, and the flick almost ended." (rate=1)
        "Doctors attempted to conceal it." -> "Physicians tried to conceal it." (rate=1)
        "The prime minister made a speech." -> "The prime minister made a speech."
        "图书馆很大。" -> "图书馆很大。" (rate=1)
        "老板突然走了，我们确实很高兴。" -> "老板忽然走了，我们确实很高兴。"
    """
    return part("swap_syn_wordnet", rate=rate, min=min, max=max, risk=risk)


def tense(
    *,
    target: Literal["past", "present", "future", "random"] = "random",
    rate: float = 1.0,
) -> Chain:
    """Puts the verbs of a text into another tense, agreeing with their subjects and helpers.

    A sentence moves as a whole or not at all: `He said he was ill` becomes `He says he is ill`, and in the future
    only the main clause takes `will`. A sentence stays as it is where a verb could not be placed with certainty, or
    where a time (`yesterday`, `next week`) contradicts the new tense. What could not be put in another tense without
    another meaning (`may`, `should`) is left alone.

    Two texts that are compared move together: all verbs of both go from one tense to the same other tense, or the
    sample is left alone. A question about a passage stays as it is, so there the label is unsure.

    Label: kept; unsure on mrc. Tasks: any but ner, pos, dp, cws, coref, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.1.2

    Args:
        target: The tense to move to; `random` takes one that the text is not in, the same for the whole text. It takes one of `past`, `present`, `future`, `random`.
        rate: Share of the sentences to move; 0 moves none. Texts that are compared move as a whole. It takes a number from 0 to 1.

    Examples:
        "She likes the soup, but they don't want it." -> "She liked the soup, but they didn't want it." (target=past)
        "He said that the trains were late, but the drivers didn't agree." -> "He says that the trains are late, but the drivers don't agree." (target=present)
        "He always sings when he is happy." -> "He will always sing when he is happy." (target=future)
        "I'm ready. Did they call?" -> "I'll be ready. Will they call?" (target=future)
        "The shop will open at noon, and it won't close." -> "The shop opened at noon, and it didn't close." (target=past)
        "They sold the house last year." -> "They sold the house last year." (target=present)
        "Glavine placed on disabled list." -> "Glavine placed on disabled list." (target=future)
        "You come early and snag a spot." -> "You come early and snag a spot." (target=past)
        "If the right actors were chosen, it could have had the potential." -> "If the right actors were chosen, it could have had the potential." (target=present)
        "They did what they could." -> "They did what they could." (target=future)
        "It was the best thing I ate." -> "It was the best thing I ate." (target=future)
        "The jokes bore no relation to the plot." -> "The jokes bore no relation to the plot." (target=past)
    """
    return part("tense", target=target, rate=rate)


def word_case(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
    mode: Literal["upper", "lower", "title", "random"] = "upper",
) -> Chain:
    """Writes words in capitals, in lower case, with a capital first, or in letters of either case by chance.

    Addresses and markup stay as they are, as for every part that changes words.

    Label: kept. Tasks: any but cws.
    Source: Wang et al. 2021 (TextFlint), Table 1

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        mode: `upper` SHOUTS, `lower` whispers, `title` Gives Each Word A Capital and leaves the rest of it, `random` thRoWs a coin for each letter. It takes one of `upper`, `lower`, `title`, `random`.

    Examples:
        "The soup at McDonald's was hot." -> "THE SOUP AT MCDONALD'S WAS HOT."
        "NASA says No." -> "nasa says no." (mode=lower)
        "the soup at McDonald's was hot" -> "The Soup At McDonald's Was Hot" (mode=title)
        "the soup was hot" -> "tHE Soup wAS HoT" (mode=random, seed=3)
        "The soup was hot, and so was the bread." -> "The SOUP was hot, and SO WAS the bread." (rate=0.3)
        "all is quiet" -> "all is quiet" (mode=lower)
        "see www.example.org/Page &amp; <i>ask</i> @jo" -> "SEE www.example.org/Page &amp; <i>ASK</i> @jo"
    """
    return part("word_case", rate=rate, min=min, max=max, mode=mode)


def append_irr(
    *,
    place: Literal["before", "after", "either"] = "after",
    sentences: int = 1,
) -> Chain:
    """Adds a sentence that has nothing to do with the text, before or after it.

    Texts that are compared get the same sentence. A hypothesis and a question get none: what is added to a premise
    or a passage leaves the answer as it was, but nothing supports a hypothesis that claims more.

    Label: kept. Tasks: any but dp, cws, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.4.1

    Args:
        place: Where the sentence goes. It takes one of `before`, `after`, `either`.
        sentences: How many different sentences to add. It takes a whole number from 1 to 5.

    Examples:
        "The soup was hot." -> "The soup was hot. The lamp on the desk has a long cord."
        "The soup was hot." -> "The office opens after breakfast. The soup was hot." (place=before, seed=1)
        "The soup was hot" -> "The soup was hot. The lamp on the desk has a long cord. The post arrives around noon." (sentences=2)
        "[Rain|token:NOUN] [fell|token:VERB] [.|token:PUNCT]" -> "[Rain|token:NOUN] [fell|token:VERB] [.|token:PUNCT] [The|token:DET] [office|token:NOUN] [opens|token:VERB] [after|token:ADP] [breakfast|token:NOUN] [.|token:PUNCT]" (seed=1)
        "It rained (" -> "It rained ("
        "这家酒店很好" -> "这家酒店很好。桌上的台灯有一根长长的电线。"
    """
    return part("append_irr", place=place, sentences=sentences)


def back_trans() -> Chain:
    """Translates a text into another language and back, and takes over the words that come back changed.

    What comes back the same stays byte for byte as it was, spaces and line breaks too, so that labels keep their
    words. The translator is the user's: `--translator apertium`, or any command that reads a line and writes one.

    Label: kept. Tasks: any but ner, pos, dp, cws, coref, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.5

    Examples:
        "hot soup" -> "soup hot"
        "the soup was the best" -> "best the was soup the"
        "level level" -> "level level"
        "one two three" -> "three two one"
    """
    return part("back_trans")


def punctuation(
    *,
    mode: Literal["add", "strip", "wrap", "random"] = "add",
) -> Chain:
    """Adds punctuation at the end, strips the text of it, or wraps the text in brackets or quotes.

    Stripping takes the marks that end a word: apostrophes, decimal points, the dots of `U.S.` and whatever stands
    within a word stay. A Chinese text gets marks at full width, and loses them wherever they stand.

    Label: kept. Tasks: any but ner, pos, dp, cws, coref, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.4.1

    Args:
        mode: What to do; `random` takes any of the three. It takes one of `add`, `strip`, `wrap`, `random`.

    Examples:
        "The soup was hot." -> "The soup was hot.!!"
        "Well, Dr. Brown paid $3.50; the U.S. team didn't. Why?!" -> "Well Dr. Brown paid $3.50 the U.S. team didn't Why" (mode=strip)
        "The soup was hot." -> "{The soup was hot.}" (mode=wrap, seed=3)
        "汤很热。" -> "汤很热。！！"
        "汤很热，价格3.5元！" -> "汤很热价格3.5元" (mode=strip)
        "..." -> "..." (mode=strip)
        "A &quot;hot&quot; soup, at last; see." -> "A &quot;hot&quot; soup at last see" (mode=strip)
    """
    return part("punctuation", mode=mode)


def reverse_neg(
    *,
    form: Literal["short", "long"] = "short",
    add: bool = True,
    remove: bool = True,
    rate: float = 1.0,
) -> Chain:
    """Negates what a text says, or takes its negation away: `likes` to `doesn't like` and back.

    The main clause of each sentence is turned round, and what is joined to it by `and` or `but`; in `I think it
    isn't good` the clause that is negated already. Agreement, helpers and word order follow: `Did you like it?`
    becomes `Didn't you like it?`, `Go!` becomes `Don't go!`, and `A great film.` becomes `Not a great film.` A
    sentence stays as it is where a word would not go with the turn (`hardly`, `nobody`, `at all`) or where the verb
    was not understood with certainty.

    Label: unsure. Tasks: any but ner, pos, dp, cws, coref, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.2.2

    Args:
        form: How to write a new negation: `short` is `doesn't`, `long` is `does not`. It takes one of `short`, `long`.
        add: Whether negations are added. It takes true or false.
        remove: Whether negations are taken away. It takes true or false.
        rate: Share of the sentences to turn round; 0 turns none. It takes a number from 0 to 1.

    Examples:
        "John lives in Ireland." -> "John doesn't live in Ireland."
        "I didn't like the soup." -> "I liked the soup."
        "They are late, but the train has already left." -> "They are late, but the train has already left."
        "The food was good and the waiters smiled." -> "The food wasn't good and the waiters didn't smile."
        "Did you see it? Watch this film!" -> "Didn't you see it? Don't watch this film!"
        "He can sing, and she has some money." -> "He cannot sing, and she does not have any money." (form=long)
        "I think it isn't worth the price." -> "I think it is worth the price."
        "A great film." -> "Not a great film."
        "A rebel counteroffensive swept through Iraq." -> "A rebel counteroffensive swept through Iraq."
        "He never really embraces the joy of it." -> "He never really embraces the joy of it."
        "I mean, he sings." -> "I mean, he sings."
        "What are some of the methods?" -> "What are some of the methods?"
        "I hope he sings." -> "I hope he sings."
        "The space was small and crowded." -> "The space wasn't small and crowded."
        "Just completely unprofessional and disappointing." -> "Just completely unprofessional and disappointing."
    """
    return part("reverse_neg", form=form, add=add, remove=remove, rate=rate)


def twitter_type(
    *,
    mode: Literal["random", "mention", "link", "hashtag", "abbreviate", "all"] = "random",
) -> Chain:
    """Makes a post of the text: someone is addressed, a link or a hashtag added, words shortened.

    Words are shortened wherever they stand (`you` to `u`, `by the way` to `btw`), and follow the case of the phrase
    where that is all capitals; names (`Great Britain`) stay. A hashtag is made of a word that says something.

    Label: kept. Tasks: any but ner, pos, dp, cws, coref, mt.
    Source: Wang et al. 2021 (TextFlint), section 3.4.1

    Args:
        mode: What to do: `mention` puts `@name` first, `link` puts a link last, `hashtag` makes one of a word, `abbreviate` shortens all words that it can, `random` does one of these, `all` does all four. It takes one of `random`, `mention`, `link`, `hashtag`, `abbreviate`, `all`.

    Examples:
        "By the way, I think you are great." -> "btw, I think ur gr8." (mode=abbreviate)
        "The people of Great Britain are really great." -> "The ppl of Great Britain r rly gr8." (mode=abbreviate)
        "The soup was hot." -> "@tiny_meadow99 The soup was hot." (mode=mention)
        "The soup was hot." -> "The soup was hot. https://t.co/Fy9av43N0Q" (mode=link)
        "The restaurant was quiet." -> "The restaurant was #quiet." (mode=hashtag)
        "She never said which well-made thing; see www.quiet.org" -> "She never said which well-made thing; see www.quiet.org" (mode=hashtag)
        "THANK YOU for your visit to the restaurant!" -> "@north_anvil0 THX for ur visit to the #restaurant! https://t.co/v43N0QrFBF" (mode=all)
    """
    return part("twitter_type", mode=mode)


def add_diff(
    *,
    aspect: str = "",
    clauses: int = 1,
    place: Literal["end", "start"] = "end",
) -> Chain:
    """Adds clauses about other aspects with the opposite polarity, taken from other reviews.

    The aspect on trial keeps its words and its polarity; the new aspects come with their own. A clause has a subject and
    a finite verb and names nothing that the review names already. It follows `, but`, or a semicolon if there is a `but`
    already; behind a question it is a sentence of its own.

    Label: relabelled. Tasks: absa.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Xing et al. 2020 (ARTS)

    Args:
        aspect: The aspect on trial, by its key in the file or by its term; empty for one that is drawn. It takes a text.
        clauses: How many clauses to add. It takes a whole number from 1 to 3.
        place: Where they go. It takes one of `end`, `start`.

    Examples:
        "[Great|opinion #1] [salad|aspect:positive >opinion=1]." -> "[Great|opinion #1] [salad|aspect:positive >opinion=1], but the [service|aspect:negative >opinion=2] was [slow|opinion #2]."
        "The [salad|aspect:positive >opinion=1] was [great|opinion #1]." -> "The [service|aspect:negative >opinion=1] was [slow|opinion #1], but the [salad|aspect:positive >opinion=2] was [great|opinion #2]." (place=start)
        "Is the [salad|aspect:positive >opinion=1] not [great|opinion #1]?" -> "Is the [salad|aspect:positive >opinion=1] not [great|opinion #1]? But the [service|aspect:negative >opinion=2] was [slow|opinion #2]."
    """
    return part("add_diff", aspect=aspect, clauses=clauses, place=place)


def add_sent(
    *,
    to: Literal["hypothesis", "premise"] = "hypothesis",
) -> Chain:
    """Adds a sentence that is always true to the hypothesis: the label stays what it was.

    A premise can get one as well.

    Label: kept. Tasks: nli.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        to: Which text gets the sentence. It takes one of `hypothesis`, `premise`.

    Examples:
        "premise:: A dog sleeps. // hypothesis:: A cat sleeps // label:: contradiction" -> "premise:: A dog sleeps. // hypothesis:: A cat sleeps. Iron is a metal. // label:: contradiction" (seed=3)
        "premise:: A man runs. // hypothesis:: A man moves. // label:: entailment" -> "premise:: A man runs. // hypothesis:: A man moves. Copper is a metal. // label:: entailment"
        "premise:: A man runs. // hypothesis:: A man moves. // label:: entailment" -> "premise:: A man runs. Copper is a metal. // hypothesis:: A man moves. // label:: entailment" (to=premise)
    """
    return part("add_sent", to=to)


def add_sent_diverse(
    *,
    place: Literal["before", "end", "random"] = "before",
) -> Chain:
    """Adds a sentence that looks like the answer and speaks of something else.

    The question becomes a statement about another person, place, year or thing, with a made-up answer of the same form:
    `Where was Tesla born?` gives `Edison was born in Graz.` At least one name, number, noun or adjective of the question is
    another one, so the passage still answers the question as before. Nouns become others only where both cannot be true (`brother`
    and `son`): an army is a corps as well, and a sentence about it would answer the question. Left alone are questions whose order as a statement is
    not sure, whose answer is neither a name nor a number (another noun seldom makes an answer that a reader would believe), and
    those of which no word has another of its kind: of the answerable questions of SQuAD about one in seventeen changes.

    Label: kept. Tasks: mrc.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Jia and Liang 2017; Wang and Bansal 2018

    Args:
        place: Where the sentence goes. It takes one of `before`, `end`, `random`.

    Examples:
        "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?" -> "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1905. // (question):: Who invented the radio in 1911?"
        "context:: Robert drove them out. He landed with [30,000|answers] men. // (question):: How many men were in Robert's army?" -> "context:: Robert drove them out. He landed with [30,000|answers] men. // (question):: How many men were in Robert's army?"
        "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?" -> "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1905. // (question):: Who invented the radio in 1911?" (place=end)
        "context:: In 1911 [Peter Brown|answers] invented it. // (question):: Who invented the radio in 1911?" -> "context:: In 1911 [Peter Brown|answers] invented it. Bruce Garza invented the radio in 1905. // (question):: Who invented the radio in 1911?" (place=random)
    """
    return part("add_sent_diverse", place=place)


def add_sub_tree(
    *,
    kind: Literal["either", "clause", "apposition"] = "either",
) -> Chain:
    """Adds a relative clause or an apposition behind a well-known name, with tags, heads and relations for its words.

    `for London .` becomes `for London , which is the capital and largest city of England .` The new words are one subtree
    that hangs on the name; all other heads stay. Relations are named as the file names them, or as Universal Dependencies
    do. Descriptions are from WordNet; only sentences that name a person or place that it describes can change, about one
    in sixty of UD English EWT.

    Label: relabelled. Tasks: dp.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        kind: What is added. It takes one of `either`, `clause`, `apposition`.

    Examples:
        "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [.|token:PUNCT >head=1:punct]" -> "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [,|token:PUNCT >head=3:punct] [which|token:PRON >head=3:nsubj] [is|token:AUX >head=3:cop] [the|token:DET >head=3:det] [capital|token:NOUN #3 >head=2:acl:relcl] [and|token:CCONJ >head=4:cc] [largest|token:ADJ >head=4:amod] [city|token:NOUN #4 >head=3:conj] [and|token:CCONJ >head=7:cc] [economic|token:ADJ #5 >head=7:amod] [and|token:CCONJ >head=6:cc] [cultural|token:ADJ #6 >head=5:conj] [center|token:NOUN #7 >head=3:conj] [of|token:ADP >head=8:case] [Portugal|token:PROPN #8 >head=7:nmod] [.|token:PUNCT >head=1:punct]" (kind=clause)
        "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [.|token:PUNCT >head=1:punct]" -> "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [for|token:ADP >head=2:case] [Lisbon|token:PROPN #2 >head=1:obl] [,|token:PUNCT >head=3:punct] [the|token:DET >head=3:det] [capital|token:NOUN #3 >head=2:appos] [and|token:CCONJ >head=4:cc] [largest|token:ADJ >head=4:amod] [city|token:NOUN #4 >head=3:conj] [and|token:CCONJ >head=7:cc] [economic|token:ADJ #5 >head=7:amod] [and|token:CCONJ >head=6:cc] [cultural|token:ADJ #6 >head=5:conj] [center|token:NOUN #7 >head=3:conj] [of|token:ADP >head=8:case] [Portugal|token:PROPN #8 >head=7:nmod] [.|token:PUNCT >head=1:punct]" (kind=apposition)
        "[Lisbon|token:PROPN >head=1:nsubj] [grew|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]" -> "[Lisbon|token:PROPN #1 >head=8:nsubj] [,|token:PUNCT >head=2:punct] [which|token:PRON >head=2:nsubj] [is|token:AUX >head=2:cop] [the|token:DET >head=2:det] [capital|token:NOUN #2 >head=1:acl:relcl] [and|token:CCONJ >head=3:cc] [largest|token:ADJ >head=3:amod] [city|token:NOUN #3 >head=2:conj] [and|token:CCONJ >head=6:cc] [economic|token:ADJ #4 >head=6:amod] [and|token:CCONJ >head=5:cc] [cultural|token:ADJ #5 >head=4:conj] [center|token:NOUN #6 >head=2:conj] [of|token:ADP >head=7:case] [Portugal|token:PROPN #7 >head=6:nmod] [,|token:PUNCT >head=2:punct] [grew|token:VERB #8 >root=8:root] [.|token:PUNCT >head=8:punct]"
    """
    return part("add_sub_tree", kind=kind)


def add_sum(
    *,
    kind: Literal["both", "person", "film"] = "both",
    max: int = 1,
    longest: int = 25,
) -> Chain:
    """Adds a neutral description in brackets behind the first mention of a well-known person, place or film.

    `Chaplin saves it.` becomes `Chaplin (an English comedian and film maker) saves it.` Descriptions are from WordNet,
    short, and without any word that judges; of films they are the year and the director. A place is described only where
    places stand (`in Venice`). Most reviews name nobody that
    these lists know, and stay as they are; texts without capitals, such as SST-2, name nobody at all.

    Label: kept. Tasks: sa.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        kind: What to describe. It takes one of `both`, `person`, `film`.
        max: How many descriptions to add at most. It takes a whole number from 1 to 10.
        longest: Longest description, in words. It takes a whole number from 2 to 50.

    Examples:
        "In the end Charlie Chaplin saves it. // label:: positive" -> "In the end Charlie Chaplin (an English comedian and film maker) saves it. // label:: positive"
        "I liked \\"Jurassic Park\\" more. // label:: positive" -> "I liked \\"Jurassic Park\\" (a film by Steven Spielberg from 1993) more. // label:: positive" (kind=film)
        "In the end Charlie Chaplin and Alfred Hitchcock save it. // label:: positive" -> "In the end Charlie Chaplin (an English comedian and film maker) and Alfred Hitchcock (an English film director) save it. // label:: positive" (max=2)
    """
    return part("add_sum", kind=kind, max=max, longest=longest)


def concat_sent(
    *,
    count: int = 1,
) -> Chain:
    """Joins other samples to this one, with their labels.

    Words, tags, entities and mentions of the donors come along; clusters of mentions get numbers of their own. Only
    samples that come as lists of tokens can be joined.

    Label: relabelled. Tasks: ner, pos, coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        count: How many samples to add. It takes a whole number from 1 to 10.

    Examples:
        "[Rain|token:NOUN]" -> "[Rain|token:NOUN] [Anna|token:B-PER] [lives|token:O] [in|token:O] [Graz|token:B-LOC] [.|token:O]"
        "[Rain|token:NOUN] [fell|token:VERB]" -> "[Rain|token:NOUN] [fell|token:VERB] [Anna|token:B-PER] [lives|token:O] [in|token:O] [Graz|token:B-LOC] [.|token:O]" (count=2)
        "[Peter|token:B-PER] [Blackburn|token:I-PER]" -> "[Peter|token:B-PER] [Blackburn|token:I-PER] [Anna|token:B-PER] [lives|token:O] [in|token:O] [Graz|token:B-LOC] [.|token:O]"
    """
    return part("concat_sent", count=count)


def delete_sub_tree(
    *,
    max: int = 1,
    longest: bool = True,
) -> Chain:
    """Deletes a whole subtree between commas, such as a relative clause, with its commas.

    What goes is an adverbial or relative clause, an apposition, an aside, or an adverbial phrase at the edge of its
    clause: never an argument or what is joined by `and`. What is left is one tree, and a new first word gets a capital.
    Few sentences have such a subtree: about one in eleven of UD English EWT.
    Chinese writes other commas, and its clauses are joined without a word that says how: its sentences are left alone.

    Label: relabelled. Tasks: dp.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        max: How many subtrees to delete at most. It takes a whole number from 1 to 5.
        longest: Whether the longest goes first; else one that is drawn. It takes true or false.

    Examples:
        "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [,|token:PUNCT >head=2:punct] [although|token:SCONJ >head=2:mark] [it|token:PRON >head=2:nsubj] [rained|token:VERB #2 >head=1:advcl] [.|token:PUNCT >head=1:punct]" -> "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]"
        "[Bob|token:PROPN #1 >head=3:nsubj] [,|token:PUNCT >head=2:punct] [a|token:DET >head=2:det] [friend|token:NOUN #2 >head=1:appos] [,|token:PUNCT >head=2:punct] [left|token:VERB #3 >root=3:root] [.|token:PUNCT >head=3:punct]" -> "[Bob|token:PROPN >head=1:nsubj] [left|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]"
        "[After|token:SCONJ >head=1:mark] [eating|token:VERB #1 >head=2:advcl] [,|token:PUNCT >head=2:punct] [he|token:PRON >head=2:nsubj] [left|token:VERB #2 >root=2:root] [.|token:PUNCT >head=2:punct]" -> "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]"
    """
    return part("delete_sub_tree", max=max, longest=longest)


def double_denial(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = 3,
) -> Chain:
    """Replaces a word that judges with the denial of its opposite: `good` with `not bad`.

    Adjectives change behind a form of `be`, and verbs of liking of the writer (`I love it` to `I don't hate it`); what is
    denied, compared or a superlative stays. Most judgements have another form (`a great film`), so most texts stay as they
    are: 3 of the 872 sentences of SST-2 dev change, of long reviews more. In Chinese a judgement at the end of a clause changes
    together with its word of degree: `很好` to `不差`.

    Label: kept. Tasks: sa.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "The cast is great. // label:: positive" -> "The cast is not bad. // label:: positive"
        "The plot was boring, and I hated the end. // label:: negative" -> "The plot was not interesting, and I didn't love the end. // label:: negative"
        "I love it. // label:: positive" -> "I don't hate it. // label:: positive"
        "A woman who loves him is not there. // label:: negative" -> "A woman who loves him is not there. // label:: negative"
        "服务很好，价格便宜。 // label:: positive" -> "服务很好，价格不贵。 // label:: positive"
        "大家好！ // label:: positive" -> "大家好！ // label:: positive"
        "服务还没有以前好。 // label:: positive" -> "服务还没有以前好。 // label:: positive"
        "It is not good, and the best part is too short. // label:: negative" -> "It is not good, and the best part is too short. // label:: negative"
    """
    return part("double_denial", rate=rate, min=min, max=max)


def ent_typos(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
    slip: Literal["random", "replace", "swap", "insert", "delete"] = "random",
    keep_first: bool = True,
) -> Chain:
    """Makes one typo in a word of each entity.

    The result is no other word and no other name (`Iceland` for `Ireland`); numbers and initials stay as they are. The
    first letter stays by default. In a Chinese name one character is replaced with one that is read alike or looks alike,
    whatever `slip` and `keep_first` say.

    Label: kept. Tasks: ner.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        slip: What happens to the letter. It takes one of `random`, `replace`, `swap`, `insert`, `delete`.
        keep_first: Whether the first letter stays as it is. It takes true or false.

    Examples:
        "He met [Angela Merkel|entity:PER] in [Berlin|entity:LOC]." -> "He met [Angea Merkel|entity:PER] in [Berin|entity:LOC]." (slip=delete)
        "[Microsoft|entity:ORG] grew." -> "[TMicrosoft|entity:ORG] grew." (slip=insert, keep_first=false)
        "[Shanghai|entity:LOC] grows." -> "[Sahnghai|entity:LOC] grows." (slip=swap)
        "他在[北京|entity:LOC]见到[王小明|entity:NAME]。" -> "他在[北京|entity:LOC]见到[王小铭|entity:NAME]。"
        "[U.N.|entity:ORG] staff left in [1999|entity:DATE]." -> "[U.N.|entity:ORG] staff left in [1999|entity:DATE]."
    """
    return part("ent_typos", rate=rate, min=min, max=max, slip=slip, keep_first=keep_first)


def extent_adjust(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = 3,
) -> Chain:
    """Strengthens the judgements of a Chinese review: `非常好` for `很好`, `相当不错` for `不错`.

    A word of degree is replaced with another that is not weaker, and one is put before a judgement that has none; it is never
    doubled. What is denied, compared or weighed (`不太好`, `更好`, `有点贵`) stays.

    Label: kept. Tasks: sa.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "房间很干净。 // label:: positive" -> "房间十分干净。 // label:: positive"
        "我觉得价格挺便宜！ // label:: positive" -> "我觉得价格十分便宜！ // label:: positive"
        "服务不太好，更贵。 // label:: negative" -> "服务不太好，更贵。 // label:: negative"
        "读起来很让人开心。 // label:: positive" -> "读起来很让人开心。 // label:: positive"
        "早餐不错，位置方便。 // label:: positive" -> "早餐特别不错，位置相当方便。 // label:: positive"
    """
    return part("extent_adjust", rate=rate, min=min, max=max)


def insert_clause(
    *,
    kind: Literal["either", "description", "mention"] = "either",
) -> Chain:
    """Adds a clause behind the subject or the object of a relation, which says nothing about the relation.

    A well-known person or place gets a description from WordNet (`Paris, the capital of France, signed ...`), anything
    else a clause that says no more than that it exists (`which had been mentioned before`). Nothing is added inside a
    longer phrase, or if the description names the other argument.

    Label: kept. Tasks: re.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        kind: What is added. It takes one of `either`, `description`, `mention`.

    Examples:
        "[Lisbon|subject] signed [Anna Keller|object]. // label:: member" -> "[Lisbon|subject], the capital and largest city and economic and cultural center of Portugal, signed [Anna Keller|object]. // label:: member"
        "The [child|subject] was wrapped in a [cradle|object]. // label:: content" -> "The [child|subject], who was named in the report, was wrapped in a [cradle|object]. // label:: content" (kind=mention)
        "They aged [maize|subject] [spirits|object]. // label:: product" -> "They aged [maize|subject] [spirits|object]. // label:: product"
        "The [child|subject] was wrapped in a [cradle|object]. // label:: content" -> "The [child|subject], who was named in the report, was wrapped in a [cradle|object]. // label:: content" (seed=2)
    """
    return part("insert_clause", kind=kind)


def insert_relative_clause() -> Chain:
    """Adds a relative clause behind a person that a text mentions: `Ann, who had just come back, thanked Eve`.

    The clause says nothing that tells who is meant by a pronoun, and mentions nobody. It stands only behind a name that is
    the subject of the verb right behind it.

    Label: kept. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020

    Examples:
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." -> "[Ann|mention:1], who had just come back, thanked [Eve|mention:0] because [she|mention:0] helped."
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." -> "[Ann|mention:1], who had arrived early, thanked [Eve|mention:0] because [she|mention:0] helped." (seed=1)
        "The man knew that [Tom Brown|mention:0] left. [He|mention:0] was ill." -> "The man knew that [Tom Brown|mention:0], who had just come back, left. [He|mention:0] was ill."
        "[Ann|mention:1] and [Eve|mention:0] left." -> "[Ann|mention:1] and [Eve|mention:0] left."
    """
    return part("insert_relative_clause")


def mlm(
    *,
    rate: float = 0.2,
    min: int | None = 1,
    max: int | None = 10,
    guesses: int = 20,
) -> Chain:
    """Replaces words of a segmented text with what a masked language model suggests there: one word for one word.

    Nouns, verbs, adjectives and adverbs of two or three characters give way to words of the dictionary with as many characters and the
    same part of speech, so the boundaries stay where they are. The model is asked about all characters of a word at once, with
    the rest of the text as it was. The text may say something else afterwards; how it is cut stays right.

    Label: kept. Tasks: cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        guesses: How many of the model's guesses for each character to look through. It takes a whole number from 1 to 1000.

    Examples:
        "[他|token:S][帮|token:B][助|token:E][我|token:S]" -> "[他|token:S][喜|token:B][欢|token:E][我|token:S]"
        "[朋|token:B][友|token:E][来|token:S][了|token:S]" -> "[电|token:B][影|token:E][来|token:S][了|token:S]"
        "[他|token:S][突|token:B][然|token:E][走|token:S][了|token:S]" -> "[他|token:S][经|token:B][常|token:E][走|token:S][了|token:S]"
        "[我|token:B][们|token:E][去|token:S][北|token:B][京|token:E]" -> "[我|token:B][们|token:E][去|token:S][北|token:B][京|token:E]"
    """
    return part("mlm", rate=rate, min=min, max=max, guesses=guesses)


def modify_pos(
    *,
    what: Literal["either", "answer", "other"] = "either",
    to: Literal["first", "last", "random"] = "first",
    careful: bool = True,
) -> Chain:
    """Moves the sentence with the answer, or another one, to another place of the passage.

    With `either`, another one goes to the end, or if none can to the front, if the sentence with the answer has to stay.
    All answers travel with their words. A sentence that rests on the one before it (`He`, `However`, `Indeed`, `Notable examples
    include`, what points to `these`, what was announced by `the following`) moves with that one or stays; the first sentence often names the topic and stays. `careful=false`
    moves any sentence by itself.

    Label: kept. Tasks: mrc.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        what: Which sentence moves. It takes one of `either`, `answer`, `other`.
        to: Where it goes. It takes one of `first`, `last`, `random`.
        careful: Whether sentences that refer to others stay where they are. It takes true or false.

    Examples:
        "context:: The town is old. Rain is rare. The mill was built in [1850|answers]. // (question):: When was the mill built?" -> "context:: The town is old. The mill was built in [1850|answers]. Rain is rare. // (question):: When was the mill built?" (what=other, to=last)
        "context:: The town is old. The mill was built in [1850|answers]. The bridge is new. // (question):: When was the mill built?" -> "context:: The mill was built in [1850|answers]. The town is old. The bridge is new. // (question):: When was the mill built?"
        "context:: 小镇很古老。磨坊建于[1850年|answers]。桥是新的。 // (question):: 磨坊建于哪一年？" -> "context:: 磨坊建于[1850年|answers]。小镇很古老。桥是新的。 // (question):: 磨坊建于哪一年？"
        "context:: Towns grew. This means that [mills|answers] can be built. Indeed, this can be done at once. // (question):: What can be built?" -> "context:: Towns grew. This means that [mills|answers] can be built. Indeed, this can be done at once. // (question):: What can be built?"
        "context:: The town is old. The mill was built in [1850|answers]. The bridge is new. // (question):: When was the mill built?" -> "context:: The town is old. The bridge is new. The mill was built in [1850|answers]. // (question):: When was the mill built?" (to=last)
        "context:: The mill is old. It was built in [1850|answers]. The bridge is new. // (question):: When was the mill built?" -> "context:: The bridge is new. The mill is old. It was built in [1850|answers]. // (question):: When was the mill built?"
        "context:: The mill is old. It was built in [1850|answers]. // (question):: When was the mill built?" -> "context:: The mill is old. It was built in [1850|answers]. // (question):: When was the mill built?"
    """
    return part("modify_pos", what=what, to=to, careful=careful)


def num_word(
    *,
    pair: Literal["either", "shared", "copy"] = "either",
) -> Chain:
    """Changes a number in the second text of a pair, so that the two contradict each other.

    If the second text follows from the first, or means the same, and both name a number, it changes in the second.
    Of other pairs the second text becomes the first with one number changed. Only exact counts change: not dates,
    names with numbers, or what follows `at least` or `about`. The new label is spelled as the file spells it.

    Label: relabelled. Tasks: nli, sm.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        pair: Which pairs to make: with a number that both texts share, with a copy of the first text, or either. It takes one of `either`, `shared`, `copy`.

    Examples:
        "first:: Five men ran. // second:: The men ran. // label:: same" -> "Five men ran. // Nine men ran. // label:: different" (pair=copy, seed=1)
        "premise:: She has 10 dogs. // hypothesis:: She has 10 pets. // label:: entailment" -> "premise:: She has 10 dogs. // hypothesis:: She has 60 pets. // label:: contradiction"
        "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral" -> "premise:: She has 10 dogs. // hypothesis:: She has 60 dogs. // label:: contradiction"
        "premise:: 桌上有两本书。 // hypothesis:: 有两本书。 // label:: entailment" -> "premise:: 桌上有两本书。 // hypothesis:: 有七本书。 // label:: contradiction"
        "premise:: 有三条道路，即水路、公路和铁路。 // hypothesis:: 有三条道路，即水路、公路和铁路。 // label:: entailment" -> "premise:: 有三条道路，即水路、公路和铁路。 // hypothesis:: 有三条道路，即水路、公路和铁路。 // label:: entailment"
        "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral" -> "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral" (pair=shared)
        "premise:: She has at least 10 dogs. // hypothesis:: She has dogs. // label:: entailment" -> "premise:: She has at least 10 dogs. // hypothesis:: She has dogs. // label:: entailment"
    """
    return part("num_word", pair=pair)


def overlap(
    *,
    family: Literal["all", "lexical", "subsequence", "constituent"] = "all",
    from_: Literal["templates", "sentence"] = "templates",
) -> Chain:
    """Makes a pair whose words overlap and whose label is known, though the overlap does not tell it.

    `The judge near the artist slept` does not say that the artist slept. With `templates`, both texts are new: swapped
    subject and object, the passive, dropped embeddings, `if`, `or` and adverbs, half of them pairs in which the second
    text does follow. Such pairs have nothing to do with the sample: compare the score with chance, not with the score of
    the originals. With `sentence`, the second text is made from the first one of the sample itself: its subject and
    object change places.

    Label: relabelled. Tasks: nli, sm.
    Source: Wang et al. 2021 (TextFlint), section 3.3; McCoy et al. 2019 (HANS)

    Args:
        family: Which overlap misleads: of single words, of a stretch of words, or of a whole clause. It takes one of `all`, `lexical`, `subsequence`, `constituent`.
        from_: What the pair is made from. It takes one of `templates`, `sentence`.

    Examples:
        "premise:: A man runs. // hypothesis:: He moves. // label:: entailment" -> "premise:: The engineer was admired by the nurse who smiled. // hypothesis:: The engineer smiled. // label:: neutral"
        "premise:: A man runs. // hypothesis:: He moves. // label:: entailment" -> "premise:: The engineer who admired the nurse smiled. // hypothesis:: The nurse smiled. // label:: neutral" (family=subsequence)
        "premise:: 一个男人在跑步。 // hypothesis:: 他在动。 // label:: entailment" -> "premise:: 科学家身后的教授感谢了作家。 // hypothesis:: 科学家感谢了作家。 // label:: neutral"
        "premise:: The judge saw the artist. // hypothesis:: He moves. // label:: entailment" -> "premise:: The judge saw the artist. // hypothesis:: The artist saw the judge. // label:: neutral" (from=sentence)
    """
    return part("overlap", family=family, from_=from_)


def parallel_twitter_type(
    *,
    kind: Literal["either", "handle", "link"] = "either",
    place: Literal["start", "end"] = "start",
) -> Chain:
    """Adds the same handle or link to a text and to its translation.

    Label: relabelled. Tasks: mt.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        kind: What is added. It takes one of `either`, `handle`, `link`.
        place: Where it goes. It takes one of `start`, `end`.

    Examples:
        "source:: He has 3 cats. // (target):: Er hat 3 Katzen." -> "source:: @up63yz59 He has 3 cats. // (target):: @up63yz59 Er hat 3 Katzen." (kind=handle)
        "source:: It rains. // (target):: Es regnet." -> "source:: It rains. https://t.co/up63yz59 // (target):: Es regnet. https://t.co/up63yz59" (kind=link, place=end)
        "source:: It rains. // (target):: Es regnet." -> "source:: https://t.co/p63yz59l It rains. // (target):: https://t.co/p63yz59l Es regnet."
    """
    return part("parallel_twitter_type", kind=kind, place=place)


def perturb_answer(
    *,
    rate: float = 0.3,
    min: int | None = 1,
    max: int | None = 10,
    hard: bool = False,
    risk: float = 0.1,
) -> Chain:
    """Replaces words of the sentence that holds the answer with synonyms; the answer stays.

    Names and numbers stay, and so do the words by which the question finds the sentence, unless `hard` is set. Synonyms
    are those of `swap_syn_wordnet`. A sentence in which no word has a synonym that fits stays as it is.

    Label: kept. Tasks: mrc.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        hard: Whether words that the question has may change as well. It takes true or false.
        risk: The greatest chance that a swap reads badly, as for `swap_syn_wordnet`. It takes a number from 0 to 1.

    Examples:
        "context:: Rain fell. The lawyer built it in [Graz|answers]. // (question):: Where is it?" -> "context:: Rain fell. The attorney built it in [Graz|answers]. // (question):: Where is it?"
        "context:: The film nearly ended in [1950|answers]. // (question):: When did it end?" -> "context:: The flick almost ended in [1950|answers]. // (question):: When did it end?" (rate=1)
        "context:: 下雨了。他突然在[北京|answers]出现。 // (question):: 他在哪里出现？" -> "context:: 下雨了。他忽然在[北京|answers]出现。 // (question):: 他在哪里出现？"
        "context:: The lawyer built it in [Graz|answers]. // (question):: Where did the lawyer build it?" -> "context:: The attorney built it in [Graz|answers]. // (question):: Where did the lawyer build it?" (hard=true)
        "context:: Every problem has a solution. The average case complexity of the problem is [low|answers]. // (question):: What is it like?" -> "context:: Every problem has a solution. The average case complexity of the problem is [low|answers]. // (question):: What is it like?"
        "context:: The lawyer built it in [Graz|answers]. // (question):: Where did the lawyer build it?" -> "context:: The lawyer built it in [Graz|answers]. // (question):: Where did the lawyer build it?"
    """
    return part("perturb_answer", rate=rate, min=min, max=max, hard=hard, risk=risk)


def perturb_question(
    *,
    rate: float = 0.3,
    min: int | None = 1,
    max: int | None = 10,
    by: Literal["either", "synonyms", "syntax", "back_trans", "mlm"] = "either",
    risk: float = 0.1,
) -> Chain:
    """Puts the question of a passage into other words; names, numbers and what is asked for stay.

    `synonyms` replaces words as `swap_syn_wordnet` does, `syntax` puts the asking phrase in other words (`At which place
    was it held?` for `Where was it held?`, `什么地方` for `哪里`), `either` the first of them that can. `mlm` and `back_trans` ask a language
    model or a translator. A question without a word that has a fitting synonym and without a phrase that
    can be put in other words stays as it is.

    Label: kept. Tasks: mrc.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        by: How the question is put in other words. It takes one of `either`, `synonyms`, `syntax`, `back_trans`, `mlm`.
        risk: The greatest chance that a swap reads badly, as for `swap_syn_wordnet`. It takes a number from 0 to 1.

    Examples:
        "context:: The fair was held in [Graz|answers]. // (question):: Where was the fair held?" -> "context:: The fair was held in [Graz|answers]. // (question):: In which place was the fair held?"
        "context:: The film ended in [1950|answers]. // (question):: When did the film nearly end?" -> "context:: The film ended in [1950|answers]. // (question):: When did the film almost end?" (by=synonyms, rate=1)
        "context:: It fell in [1950|answers]. // (question):: When did the tower fall?" -> "context:: It fell in [1950|answers]. // (question):: At what point in time did the tower fall?" (by=syntax)
        "context:: 会议在[北京|answers]举行。 // (question):: 会议在哪里举行？" -> "context:: 会议在[北京|answers]举行。 // (question):: 会议在什么地方举行？"
        "context:: 他[去年|answers]突然走了。 // (question):: 他什么时候突然走了？" -> "context:: 他[去年|answers]突然走了。 // (question):: 他什么时候忽然走了？" (by=synonyms, rate=1)
        "context:: It fell in [1950|answers]. // (question):: Did the tower fall?" -> "context:: It fell in [1950|answers]. // (question):: Did the tower fall?" (by=syntax)
    """
    return part("perturb_question", rate=rate, min=min, max=max, by=by, risk=risk)


def reduplication(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Doubles words of a segmented text: `高高兴兴` for `高兴`, `讨论讨论` for `讨论`, `一座座` for `一座`, `刚刚` for `刚`.

    Only words that are doubled in common use change. An adjective changes before `地`, `的` or behind `得`, never behind `很` or another word of
    degree; a verb changes where somebody wants or ought to do something; an adverb, a classifier behind `一` or `每年` only
    if the other samples of the file have such forms, which are cut as they cut them. Few words can be doubled and still make
    sense: about 3 in 100 paragraphs of the People's Daily change, and 1 of 500 sentences of UD Chinese GSD.

    Label: relabelled. Tasks: cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "[他|token:S][高|token:B][兴|token:E][地|token:S][走|token:S][了|token:S]" -> "[他|token:S][高|token:B][高|token:M][兴|token:M][兴|token:E][地|token:S][走|token:S][了|token:S]"
        "[她|token:S][认|token:B][真|token:E][地|token:S][写|token:S]" -> "[她|token:S][认|token:B][认|token:M][真|token:M][真|token:E][地|token:S][写|token:S]"
        "[孩|token:B][子|token:E][们|token:S][整|token:B][齐|token:E][地|token:S][坐|token:S][着|token:S]" -> "[孩|token:B][子|token:E][们|token:S][整|token:B][整|token:M][齐|token:M][齐|token:E][地|token:S][坐|token:S][着|token:S]"
        "[他|token:S][很|token:S][高|token:B][兴|token:E]" -> "[他|token:S][很|token:S][高|token:B][兴|token:E]"
    """
    return part("reduplication", rate=rate, min=min, max=max)


def rev_non(
    *,
    aspect: str = "",
    how: Literal["either", "antonym", "negation"] = "either",
) -> Chain:
    """Turns what a review says of the other aspects, while one aspect keeps its opinion and its polarity.

    Aspects that are judged like the target turn round, with their polarity; those that are judged the other way already
    are judged more strongly (`very`, `really`), and beside a neutral target all are. Words that judge the target too are
    never turned, but one judgement of several things can be parted (`great food but terrible service`), or the others are taken
    out of it: `The food, but not the service, was great`. Only the target is on trial. Many reviews name one aspect only. And
    what a review says besides its judgements often argues for one of them: a reason, advice, a plan, praise of the whole (`I
    come back for the food`). So opinions turn round only in reviews that do no more than report (`The food is great and the
    staff is friendly`). In others a judgement that is a clause of its own, on which nothing else hangs, turns mildly (`the staff
    is not that friendly`), and the rest is made stronger or stays: about one aspect in five of SemEval-2014 restaurants can be
    the target.

    Label: relabelled. Tasks: absa.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Xing et al. 2020 (ARTS)

    Args:
        aspect: The aspect that keeps its opinion, by its key in the file or by its term; empty for one that is drawn. It takes a text.
        how: How to turn an opinion. It takes one of `either`, `antonym`, `negation`.

    Examples:
        "[Friendly|opinion #1] [staff|aspect:positive >opinion=1] and [good|opinion #2] [beer|aspect:positive >opinion=2]." -> "[Friendly|opinion #1] [staff|aspect:positive >opinion=1] but [bad|opinion #2] [beer|aspect:negative >opinion=2]." (aspect=staff)
        "The [staff|aspect:positive >opinion=1] was [friendly|opinion #1] but the [beer|aspect:negative >opinion=2] was [bad|opinion #2]." -> "The [staff|aspect:positive >opinion=1] was [friendly|opinion #1] but the [beer|aspect:negative >opinion=2] was really [bad|opinion #2]." (aspect=staff, seed=1)
        "The [wine|aspect:negative >opinion=1] was [awful|opinion #1] and the [soup|aspect:negative >opinion=2] was [cold|opinion #2]." -> "The [wine|aspect:negative >opinion=1] was [awful|opinion #1] but the [soup|aspect:positive >opinion=2] was [warm|opinion #2]." (aspect=wine)
        "[[Great|opinion #1]|opinion #2] [food|aspect:positive >opinion=1] and [service|aspect:positive >opinion=2]." -> "[Great|opinion #1] [food|aspect:positive >opinion=1] but [terrible|opinion #2] [service|aspect:negative >opinion=2]." (aspect=food)
        "[[Great|opinion #1]|opinion #2] [food|aspect:positive >opinion=1] and [service|aspect:positive >opinion=2]." -> "[Terrible|opinion #1] [food|aspect:negative >opinion=1] but [great|opinion #2] [service|aspect:positive >opinion=2]." (aspect=service)
        "The [food|aspect:positive >opinion=1] and [service|aspect:positive >opinion=2] were [[great|opinion #1]|opinion #2]." -> "The [food|aspect:positive >opinion=1] was [great|opinion #1] but the [service|aspect:negative >opinion=2] was [terrible|opinion #2]." (aspect=food)
        "[[Try|opinion #1]|opinion #2] the [soup|aspect:positive >opinion=1] and the [fish|aspect:positive >opinion=2]." -> "[Try|opinion #1] the [soup|aspect:positive >opinion=1] but [not|opinion #2] the [fish|aspect:negative >opinion=2]." (aspect=soup)
        "We were [[impressed|opinion #1]|opinion #2] with the [food|aspect:positive >opinion=1] and [wine|aspect:positive >opinion=2]." -> "We were [disappointed|opinion #1] with the [food|aspect:negative >opinion=1] but [impressed|opinion #2] with the [wine|aspect:positive >opinion=2]." (aspect=wine)
        "The [food|aspect:positive >opinion=1] is [great|opinion #1] and the [shakes|aspect:positive >opinion=2] are even [better|opinion #2]!" -> "The [food|aspect:positive >opinion=1] is [great|opinion #1] but the [shakes|aspect:negative >opinion=2] are [bad|opinion #2]!" (aspect=food)
        "[[Creamy|opinion #1] soup|aspect:positive >opinion=1], [bad|opinion #2] [wine|aspect:negative >opinion=2]." -> "[[Creamy|opinion #1] soup|aspect:positive >opinion=1], [bad|opinion #2] [wine|aspect:negative >opinion=2]." (aspect=wine)
        "The [food|aspect:positive >opinion=1] and [drinks|aspect:positive >opinion=2] were [[great|opinion #1]|opinion #2] when we came back." -> "The [food|aspect:positive >opinion=2], but [not|opinion #1] the [drinks|aspect:negative >opinion=1], was [great|opinion #2] when we came back." (aspect=food)
        "The [food|aspect:positive >opinion=1] and [drinks|aspect:positive >opinion=2] were [[great|opinion #1]|opinion #2] when we came back." -> "The [drinks|aspect:positive >opinion=2], but [not|opinion #1] the [food|aspect:negative >opinion=1], were [great|opinion #2] when we came back." (aspect=drinks)
        "We [[love|opinion #1]|opinion #2] the [food|aspect:positive >opinion=1] and [drinks|aspect:positive >opinion=2] at this place!" -> "We [love|opinion #1] the [food|aspect:positive >opinion=1], but [not|opinion #2] the [drinks|aspect:negative >opinion=2], at this place!" (aspect=food)
        "The [food|aspect:positive >opinion=1] is [good|opinion #1] and the [staff|aspect:positive >opinion=2] is [friendly|opinion #2], I will be back." -> "The [food|aspect:positive >opinion=1] is [good|opinion #1] but the [staff|aspect:negative >opinion=2] is not that [friendly|opinion #2], I will be back." (aspect=food)
        "The [food|aspect:positive >opinion=1] is [good|opinion #1] and the [staff|aspect:positive >opinion=2] is [friendly|opinion #2], which makes us come back." -> "The [food|aspect:positive >opinion=1] is [good|opinion #1] and the [staff|aspect:positive >opinion=2] is [friendly|opinion #2], which makes us come back." (aspect=food)
        "For a [savory|opinion #1] take on [noodles|aspect:positive >opinion=1], [try|opinion #2] the [soup|aspect:positive >opinion=2]." -> "For a [savory|opinion #1] take on [noodles|aspect:positive >opinion=1], [try|opinion #2] the [soup|aspect:positive >opinion=2]." (aspect=soup)
        "The [tuna|aspect:positive >opinion=1] and [liver|aspect:positive >opinion=2] are my [[favorites|opinion #1]|opinion #2]!" -> "The [tuna|aspect:positive >opinion=1] and [liver|aspect:positive >opinion=2] are my [[favorites|opinion #1]|opinion #2]!" (aspect=liver)
        "[Friendly|opinion #1] [staff|aspect:positive >opinion=1]." -> "[Friendly|opinion #1] [staff|aspect:positive >opinion=1]."
    """
    return part("rev_non", aspect=aspect, how=how)


def rev_tgt(
    *,
    aspect: str = "",
    how: Literal["either", "antonym", "negation"] = "either",
) -> Chain:
    """Turns the opinion of one aspect of a review round, and its polarity with it.

    `Tasty burgers` becomes `Tasteless burgers`; `and` and `but` between it and what is said of others are set right.
    All aspects that the same words judge turn together. An aspect whose opinions cannot all be turned with certainty is
    left alone, and so are neutral ones, those in a sentence that weighs one thing against another (`although`, `if`), and
    those that other words of the sentence judge once more: 555 of the 847 aspects with opinions of SemEval-2014
    restaurants can be turned.

    Label: relabelled. Tasks: absa.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Xing et al. 2020 (ARTS)

    Args:
        aspect: The aspect to turn, by its key in the file or by its term; empty for one that can be turned, drawn. It takes a text.
        how: How to turn an opinion. It takes one of `either`, `antonym`, `negation`.

    Examples:
        "[Tasty|opinion #1] [burgers|aspect:positive >opinion=1], and [crispy|opinion #2] [fries|aspect:positive >opinion=2]." -> "[Tasteless|opinion #1] [burgers|aspect:negative >opinion=1], but [crispy|opinion #2] [fries|aspect:positive >opinion=2]." (aspect=burgers)
        "The [staff|aspect:positive >opinion=1] was [attentive|opinion #1]." -> "The [staff|aspect:negative >opinion=1] was [inattentive|opinion #1]."
        "The [staff|aspect:positive >opinion=1] was very [kind|opinion #1]." -> "The [staff|aspect:negative >opinion=1] was not very [kind|opinion #1]." (how=negation)
        "I [recommend|opinion #1] the [soup|aspect:positive >opinion=1]." -> "I don't [recommend|opinion #1] the [soup|aspect:negative >opinion=1]."
        "I [trust|opinion #1] the [people|aspect:positive >opinion=1] at Go Sushi, it never disappoints." -> "I [trust|opinion #1] the [people|aspect:positive >opinion=1] at Go Sushi, it never disappoints."
        "Although the [soup|aspect:positive >opinion=1] was [good|opinion #1], we left." -> "Although the [soup|aspect:positive >opinion=1] was [good|opinion #1], we left."
    """
    return part("rev_tgt", aspect=aspect, how=how)


def rnd_delete(
    *,
    rate: float = 0.2,
) -> Chain:
    """Deletes sentences of a document, with their mentions.

    A cluster of which one mention is left vanishes. One sentence stays always; so does a sentence with a mention that
    the file must have (the pronoun and the names of GAP).

    Label: relabelled. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the sentences to delete, at least one. It takes a number from 0 to 1.

    Examples:
        "[Ann|mention:0] came. Rain fell. [She|mention:0] sat down." -> "Ann came. Rain fell."
        "[Ann|mention:0] came. Rain fell. [She|mention:0] sat down." -> "She sat down." (rate=1, seed=2)
        "[Ann|mention:0] came. [She|mention:0] sat down. Rain fell." -> "[Ann|mention:0] came. [She|mention:0] sat down."
    """
    return part("rnd_delete", rate=rate)


def rnd_insert(
    *,
    rate: float = 0.2,
) -> Chain:
    """Inserts sentences of other documents, which mention nothing of this one.

    A sentence with a pronoun of the third person is never taken: it could refer to someone here.

    Label: relabelled. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the sentences after which one is inserted, at least one. It takes a number from 0 to 1.

    Examples:
        "[Tom|mention:1] laughed." -> "[Tom|mention:1] laughed. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC]."
        "[Tom|mention:1] laughed." -> "[Tom|mention:1] laughed. The [service|aspect:negative] was [slow|opinion]." (rate=1, seed=2)
        "[Ann|mention:0] came. [She|mention:0] sat down." -> "[Ann|mention:0] came. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC]. [She|mention:0] sat down."
    """
    return part("rnd_insert", rate=rate)


def rnd_repeat(
    *,
    rate: float = 0.2,
) -> Chain:
    """Says sentences of a document once more, at a later place, with their mentions in the same clusters.

    Label: relabelled. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the sentences to repeat, at least one. It takes a number from 0 to 1.

    Examples:
        "[Tom|mention:1] laughed. Rain fell. [He|mention:1] left." -> "[Tom|mention:1] laughed. Rain fell. [Tom|mention:1] laughed. [He|mention:1] left."
        "[Tom|mention:1] laughed. Rain fell. [He|mention:1] left." -> "[Tom|mention:1] laughed. Rain fell. [He|mention:1] left. [Tom|mention:1] laughed. Rain fell. [He|mention:1] left." (rate=1, seed=2)
        "[I|mention:0] came. [I|mention:0] saw." -> "[I|mention:0] came. [I|mention:0] came. [I|mention:0] saw."
    """
    return part("rnd_repeat", rate=rate)


def rnd_replace(
    *,
    rate: float = 0.2,
    careful: bool = True,
) -> Chain:
    """Replaces sentences of a document with sentences of others, which mention nothing of this one.

    Mentions in a replaced sentence go; a cluster of which one mention is left vanishes.

    Label: relabelled. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the sentences to replace, at least one. It takes a number from 0 to 1.
        careful: Whether a sentence stays if the next one refers back to it. It takes true or false.

    Examples:
        "[Tom|mention:1] laughed. Rain fell. The lamp was on." -> "[Tom|mention:1] laughed. Rain fell. The [service|aspect:negative] was [slow|opinion]."
        "[Tom|mention:1] laughed. Rain fell. The lamp was on." -> "[Tom|mention:1] laughed. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC]. [Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC]." (rate=1, seed=2)
        "[Ann|mention:0] came. [She|mention:0] sat down. Rain fell." -> "[Ann|mention:0] came. [She|mention:0] sat down. The [service|aspect:negative] was [slow|opinion]."
    """
    return part("rnd_replace", rate=rate, careful=careful)


def rnd_shuffle(
    *,
    rate: float = 0.2,
    careful: bool = True,
) -> Chain:
    """Exchanges pairs of sentences of a document, with their mentions.

    Sentences with a pronoun of the third person stay where they are: it would come before its name.

    Label: relabelled. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the sentences to move, at least one pair. It takes a number from 0 to 1.
        careful: Whether sentences that refer to others stay where they are. It takes true or false.

    Examples:
        "[Tom|mention:1] laughed. The lamp was on." -> "The lamp was on. [Tom|mention:1] laughed."
        "[Tom|mention:1] laughed. The lamp was on." -> "The lamp was on. [Tom|mention:1] laughed." (rate=1, seed=2)
        "[Ann|mention:0] came. Rain fell. [Ann|mention:0] left." -> "Rain fell. [Ann|mention:0] came. [Ann|mention:0] left."
        "[Ann|mention:0] came. [She|mention:0] left." -> "[Ann|mention:0] came. [She|mention:0] left."
    """
    return part("rnd_shuffle", rate=rate, careful=careful)


def sentence_order_swap() -> Chain:
    """Puts the sentences of a text into another order.

    Every sentence stays as it is, with its labels; a last one without a full stop keeps its place. A text of one sentence is
    left alone.

    Label: kept. Tasks: sa.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Examples:
        "The food was good. We will come again. // label:: positive" -> "We will come again. The food was good. // label:: positive"
        "房间很大。服务也好！ // label:: positive" -> "服务也好！房间很大。 // label:: positive"
        "一楼吵。二楼安静。早餐不错 // label:: positive" -> "二楼安静。一楼吵。早餐不错 // label:: positive"
        "价格便宜。&#20013;服务好。 // label:: positive" -> "&#20013;服务好。价格便宜。 // label:: positive"
        "房间很大 // label:: positive" -> "房间很大 // label:: positive"
    """
    return part("sentence_order_swap")


def swap_ant(
    *,
    pair: Literal["either", "shared", "copy"] = "either",
) -> Chain:
    """Replaces a word of the second text of a pair with its opposite, so that the two contradict each other.

    If the second text follows from the first, or means the same, and both have the word, it turns in the second. Of other
    pairs the second text becomes the first with one word turned. Opposites are pairs that exclude each other (`young`,
    `old`), from a list of ours, and words with a denying prefix (`unhappy`), where only one of the two can be true: three days are
    no nights, and lost lives are never won. A text that denies, compares, asks or supposes something, or has both words, is left
    alone. In Chinese, adjectives turn where they say how a thing is (`价格很高`), and titles
    stay.

    Label: relabelled. Tasks: nli, sm.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        pair: Which pairs to make: with a word that both texts share, with a copy of the first text, or either. It takes one of `either`, `shared`, `copy`.

    Examples:
        "premise:: A tall man runs. // hypothesis:: A tall man moves. // label:: entailment" -> "premise:: A tall man runs. // hypothesis:: A short man moves. // label:: contradiction"
        "first:: The door was open. // second:: The open door was red. // label:: different" -> "The door was open. // The door was closed. // label:: different" (pair=copy)
        "premise:: An old dog sleeps. // hypothesis:: It rains. // label:: neutral" -> "premise:: An old dog sleeps. // hypothesis:: A young dog sleeps. // label:: contradiction"
        "premise:: 一个男孩在跑步。 // hypothesis:: 男孩在运动。 // label:: entailment" -> "premise:: 一个男孩在跑步。 // hypothesis:: 女孩在运动。 // label:: contradiction"
        "premise:: 这个女人怀孕了。 // hypothesis:: 一个女人怀孕了。 // label:: entailment" -> "premise:: 这个女人怀孕了。 // hypothesis:: 一个女人怀孕了。 // label:: entailment"
        "premise:: An old dog sleeps. // hypothesis:: It rains. // label:: neutral" -> "premise:: An old dog sleeps. // hypothesis:: It rains. // label:: neutral" (pair=shared)
        "premise:: The celebration lasted three days. // hypothesis:: The party lasted three days. // label:: entailment" -> "premise:: The celebration lasted three days. // hypothesis:: The party lasted three days. // label:: entailment"
        "premise:: They sued the firm for failing to pay. // hypothesis:: A court met. // label:: neutral" -> "premise:: They sued the firm for failing to pay. // hypothesis:: A court met. // label:: neutral"
        "premise:: A tall man and a short man run. // hypothesis:: A tall man runs. // label:: entailment" -> "premise:: A tall man and a short man run. // hypothesis:: A tall man runs. // label:: entailment"
    """
    return part("swap_ant", pair=pair)


def swap_contraction(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Writes out short names in a segmented text: `中央 电视台` for `央视`.

    The words are those of a list, cut as most standards cut them; if the other samples of the file have the full name as one
    word, it is one word.

    Label: relabelled. Tasks: cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "[看|token:S][央|token:B][视|token:E][新|token:B][闻|token:E]" -> "[看|token:S][中|token:B][央|token:E][电|token:B][视|token:M][台|token:E][新|token:B][闻|token:E]"
        "[他|token:S][考|token:B][上|token:E][北|token:B][大|token:E]" -> "[他|token:S][考|token:B][上|token:E][北|token:B][京|token:E][大|token:B][学|token:E]"
        "[国|token:B][企|token:E][改|token:B][革|token:E]" -> "[国|token:B][有|token:E][企|token:B][业|token:E][改|token:B][革|token:E]"
    """
    return part("swap_contraction", rate=rate, min=min, max=max)


def swap_ent(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
    kind: Literal["same", "longer", "rare", "ambiguous"] = "same",
) -> Chain:
    """Replaces entities with others of the same type, taken from other samples.

    The new name is written in the same case pattern, `a` and `an` stay right, and all mentions of one entity change
    alike. Names that have `the` before them stand for each other (`the United States`, `the Netherlands`), and so do those without. `longer` takes names of three words or more, `rare` names that are seen once, `ambiguous` names that are
    seen with another type as well, or that people, places and organisations share (`Jordan`, `Florence`, `Ford`).

    Label: kept. Tasks: ner.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        kind: Which names to take. It takes one of `same`, `longer`, `rare`, `ambiguous`.

    Examples:
        "[Ruth|entity:PER] left." -> "[Carl|entity:PER] left." (kind=rare)
        "[Ruth|entity:PER] left. [Ruth|entity:PER] was glad." -> "[Carl|entity:PER] left. [Carl|entity:PER] was glad."
        "She saw [Rome|entity:LOC]." -> "She saw [Trinidad and Tobago|entity:LOC]." (kind=longer)
        "She met [Ruth|entity:PER]." -> "She met [Savannah|entity:PER]." (kind=ambiguous)
        "I saw the [United States|entity:LOC]." -> "I saw the [United States|entity:LOC]." (seed=3)
        "It cost [5 euros|entity:MONEY]." -> "It cost [5 euros|entity:MONEY]."
    """
    return part("swap_ent", rate=rate, min=min, max=max, kind=kind)


def swap_gender() -> Chain:
    """Makes the men of a text women and the women men: names, pronouns and words such as `brother`.

    Both candidates of the pronoun have its gender before and after, so it refers as it did. A text stays as it is if the
    gender of one of the candidates is not known, is not that of the pronoun, or if somebody in it is called by a name whose
    gender the lists do not know.

    Label: kept. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020

    Examples:
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." -> "[Aaron|mention:1] thanked [Jesse|mention:0] because [he|mention:0] helped."
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." -> "[Gregory|mention:1] thanked [Benjamin|mention:0] because [he|mention:0] helped." (seed=1)
        "[Tom|mention:1] told [Carl|mention:0] that [his|mention:0] brother had left." -> "[Julia|mention:1] told [Jane|mention:0] that [her|mention:0] sister had left."
        "[Tom|mention:1] told [Carl|mention:0] that King Philip knew [his|mention:0] brother." -> "[Tom|mention:1] told [Carl|mention:0] that King Philip knew [his|mention:0] brother."
        "[Tom|mention:1] told [Carl|mention:0] that [his|mention:0] brother was a newsman." -> "[Tom|mention:1] told [Carl|mention:0] that [his|mention:0] brother was a newsman."
    """
    return part("swap_gender")


def swap_multi_pos(
    *,
    rate: float = 0.2,
    min: int | None = 1,
    max: int | None = 10,
    tag: Literal["any", "noun", "verb", "adjective", "adverb"] = "any",
) -> Chain:
    """Replaces a word with one that can be several parts of speech and has the tag of the old one here.

    The new word takes the same place in a sentence (another shop, another attack, another way to repair things), is a
    frequent word, and at least a tenth of its uses are as another part of speech: `store`, `raid`, `repair`. It stands in the
    form that the gold tag asks for, and `a` and `an` stay right. Words that are joined to other nouns, that say of what
    (`amounts of`), or that belong to a set phrase stay, and so do words for which no frequent word of several parts of speech
    fits: fewer than one sentence in five of UD English EWT changes, since freer choices read badly.

    Label: kept. Tasks: pos.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        tag: Which words to replace. It takes one of `any`, `noun`, `verb`, `adjective`, `adverb`.

    Examples:
        "[I|token:PRON] [like|token:VERB] [this|token:DET] [store|token:NOUN] [.|token:PUNCT]" -> "[I|token:PRON] [like|token:VERB] [this|token:DET] [shop|token:NOUN] [.|token:PUNCT]"
        "[The|token:DT] [restaurants|token:NNS] [are|token:VBP] [open|token:JJ] [.|token:.]" -> "[The|token:DT] [shops|token:NNS] [are|token:VBP] [open|token:JJ] [.|token:.]" (seed=1)
        "[I|token:PRON] [like|token:VERB] [this|token:DET] [store|token:NOUN] [.|token:PUNCT]" -> "[I|token:PRON] [like|token:VERB] [this|token:DET] [shop|token:NOUN] [.|token:PUNCT]" (tag=noun)
    """
    return part("swap_multi_pos", rate=rate, min=min, max=max, tag=tag)


def swap_name(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Gives people of a segmented text names that run into the words around them: `我朝向明` for `我朝小明`.

    The new surname makes a word of the dictionary with the character before the name (`朝向`), or the last character of the
    new given name with the character behind it; the boundaries stay where they are. A file that cuts surnames off
    (`江 泽民`) keeps doing so. Only people with a common given name of two characters are renamed.

    Label: relabelled. Tasks: cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "[我|token:S][朝|token:S][王|token:B][小|token:M][明|token:E][走|token:S][去|token:S]" -> "[我|token:S][朝|token:S][向|token:B][小|token:M][明|token:E][走|token:S][去|token:S]"
        "[会|token:B][议|token:E][由|token:S][李|token:B][建|token:M][国|token:E][主|token:B][持|token:E][。|token:S]" -> "[会|token:B][议|token:E][由|token:S][于|token:B][建|token:M][国|token:E][主|token:B][持|token:E][。|token:S]"
        "[他|token:S][向|token:S][张|token:B][晓|token:M][华|token:E][学|token:B][习|token:E][。|token:S]" -> "[他|token:S][向|token:S][阳|token:B][炳|token:M][文|token:E][学|token:B][习|token:E][。|token:S]"
        "[在|token:S][莫|token:B][斯|token:M][科|token:E][举|token:B][行|token:E]" -> "[在|token:S][莫|token:B][斯|token:M][科|token:E][举|token:B][行|token:E]"
        "[这|token:S][条|token:S][长|token:S][龙|token:S][静|token:B][静|token:E][地|token:S][排|token:S][着|token:S]" -> "[这|token:S][条|token:S][长|token:S][龙|token:S][静|token:B][静|token:E][地|token:S][排|token:S][着|token:S]"
        "[反|token:S][马|token:B][克|token:M][思|token:E][主|token:B][义|token:E]" -> "[反|token:S][马|token:B][克|token:M][思|token:E][主|token:B][义|token:E]"
    """
    return part("swap_name", rate=rate, min=min, max=max)


def swap_names(
    *,
    with_: Literal["new", "each_other"] = "new",
) -> Chain:
    """Gives the two people that a pronoun may refer to other names, or exchanges their names, wherever they stand.

    New names are of the same gender. The pronoun still refers to the same place of the text. Only people with a first name
    that is known, alone or with a surname, change, and only if both have the gender of the pronoun.

    Label: kept. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020

    Args:
        with_: Which names the two get. It takes one of `new`, `each_other`.

    Examples:
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." -> "[Eve|mention:1] thanked [Ann|mention:0] because [she|mention:0] helped." (with=each_other)
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." -> "[Brenda|mention:1] thanked [Deborah|mention:0] because [she|mention:0] helped."
        "[Tom Brown|mention:1] met [Carl Keller|mention:0]. Brown left when [he|mention:0] came." -> "[Frank Walker|mention:1] met [John Garcia|mention:0]. Walker left when [he|mention:0] came."
    """
    return part("swap_names", with_=with_)


def swap_num_long(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Replaces numbers of a segmented text with longer ones: `八百九十九` for `九百`.

    The new number is a little smaller and has a digit at every place, so it is one word of more characters. Numbers below
    twenty have none that is longer and near. Numbers beside other numbers stay, since the file may cut them, and so do round
    ones and those in titles and quotations. Most texts write larger numbers in digits, so fewer than 1 in 100 paragraphs of
    the People's Daily change.

    Label: relabelled. Tasks: cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "[来|token:S][了|token:S][九|token:B][百|token:E][人|token:S]" -> "[来|token:S][了|token:S][八|token:B][百|token:M][九|token:M][十|token:M][九|token:E][人|token:S]"
        "[他|token:S][有|token:S][三|token:B][十|token:E][本|token:S][书|token:S]" -> "[他|token:S][有|token:S][二|token:B][十|token:M][九|token:E][本|token:S][书|token:S]"
        "[花|token:S][了|token:S][两|token:B][千|token:E][元|token:S]" -> "[花|token:S][了|token:S][一|token:B][千|token:M][九|token:M][百|token:M][九|token:M][十|token:M][九|token:E][元|token:S]"
        "[名|token:B][列|token:E][全|token:B][球|token:E][五|token:B][百|token:E][强|token:S][。|token:S]" -> "[名|token:B][列|token:E][全|token:B][球|token:E][五|token:B][百|token:E][强|token:S][。|token:S]"
        "[四|token:B][十|token:E][出|token:B][头|token:E][的|token:S][他|token:S]" -> "[四|token:B][十|token:E][出|token:B][头|token:E][的|token:S][他|token:S]"
        "[《|token:S][五|token:B][千|token:E][年|token:S][故|token:B][事|token:E][》|token:S]" -> "[《|token:S][五|token:B][千|token:E][年|token:S][故|token:B][事|token:E][》|token:S]"
    """
    return part("swap_num_long", rate=rate, min=min, max=max)


def swap_parallel_num(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Replaces a number that a text and its translation share with the same other number in both.

    Only numbers in digits that stand as often in one as in the other. Whole numbers, numbers with a decimal point and
    years keep their kind.

    Label: relabelled. Tasks: mt.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "source:: He has 3 cats. // (target):: Er hat 3 Katzen." -> "source:: He has 4 cats. // (target):: Er hat 4 Katzen."
        "source:: It was 1998. // (target):: Es war 1998." -> "source:: It was 1993. // (target):: Es war 1993."
        "source:: 25 of 70 came. // (target):: 25 von 70 kamen." -> "source:: 57 of 30 came. // (target):: 57 von 30 kamen." (seed=1)
        "source:: It was 3.5 long. // (target):: Es war 3,5 lang." -> "source:: It was 3.5 long. // (target):: Es war 3,5 lang."
    """
    return part("swap_parallel_num", rate=rate, min=min, max=max)


def swap_parallel_same_word(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Replaces a name that a text and its translation share with the same unknown name in both.

    The new name is made up, of as many letters, so that no model has seen it, and can be read aloud. Only words with a
    capital that stand as often in one text as in the other and are no common word.

    Label: relabelled. Tasks: mt.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "source:: Merkel came. // (target):: Merkel kam." -> "source:: Imateb came. // (target):: Imateb kam."
        "source:: Then Berlin grew. // (target):: Dann wuchs Berlin." -> "source:: Then Ziketa grew. // (target):: Dann wuchs Ziketa." (seed=1)
        "source:: I met Paolo. // (target):: Ich traf Paolo." -> "source:: I met Litif. // (target):: Ich traf Litif." (seed=2)
        "source:: The cat sleeps. // (target):: Die Katze schläft." -> "source:: The cat sleeps. // (target):: Die Katze schläft."
    """
    return part("swap_parallel_same_word", rate=rate, min=min, max=max)


def swap_prefix(
    *,
    rate: float = 0.2,
    min: int | None = 1,
    max: int | None = 10,
) -> Chain:
    """Replaces a word that has a prefix with the same word behind another prefix: `exports` for `imports`.

    Both are words of the same part of speech, in the same form, and are built alike, so that the sentence stays a sentence. Few
    words have two prefixes that make words, and of these most cannot stand for each other (`review` and `interview`,
    `express` and `impress`): about one sentence in two hundred of UD English EWT changes.

    Label: kept. Tasks: pos.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "[They|token:PRP] [exported|token:VBD] [it|token:PRP] [.|token:.]" -> "[They|token:PRP] [transported|token:VBD] [it|token:PRP] [.|token:.]"
        "[The|token:DET] [imports|token:NOUN] [fell|token:VERB] [.|token:PUNCT]" -> "[The|token:DET] [exports|token:NOUN] [fell|token:VERB] [.|token:PUNCT]"
        "[They|token:PRP] [exported|token:VBD] [it|token:PRP] [.|token:.]" -> "[They|token:PRP] [transported|token:VBD] [it|token:PRP] [.|token:.]" (max=3)
        "[They|token:PRP] [believe|token:VBP] [it|token:PRP] [.|token:.]" -> "[They|token:PRP] [believe|token:VBP] [it|token:PRP] [.|token:.]"
    """
    return part("swap_prefix", rate=rate, min=min, max=max)


def swap_special_ent(
    *,
    kind: Literal["both", "person", "film"] = "both",
) -> Chain:
    """Replaces a person or a film that a review names with another.

    People become film people of the same gender, alike wherever they are named: `Tom Hanks tries; Hanks fails.` Titles
    change only where they are quoted or followed by a year, never where a film is what another is measured by (`worse
    than ...`). Reviews that name nobody stay as they are: none of the
    sentences of SST-2 dev, which have no capitals, changes.

    Label: kept. Tasks: sa.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        kind: What to replace. It takes one of `both`, `person`, `film`.

    Examples:
        "Tom Hanks tries; Hanks fails. // label:: negative" -> "Fred Schepisi tries; Schepisi fails. // label:: negative"
        "I saw \\"Jurassic Park\\" twice. // label:: positive" -> "I saw \\"Snow Dogs\\" twice. // label:: positive" (kind=film)
        "The film by Anna Keller is long. // label:: negative" -> "The film by Jane Campion is long. // label:: negative" (kind=person)
        "It is worse than \\"Jurassic Park\\". // label:: negative" -> "It is worse than \\"Jurassic Park\\". // label:: negative" (kind=film)
    """
    return part("swap_special_ent", kind=kind)


def swap_syn(
    *,
    rate: float = 0.2,
    min: int | None = 1,
    max: int | None = 10,
    risk: float = 0.1,
) -> Chain:
    """Replaces words of a segmented text with synonyms: `忽然` for `突然`.

    One word gives way to one word of as many characters, so the boundaries stay where they are. Pairs were reviewed one by one;
    a higher `risk` adds pairs of the Chinese Open Wordnet that were not.

    Label: kept. Tasks: cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.
        risk: The greatest chance that a swap reads badly: from 0.02 pairs that were reviewed are taken, from 0.3 those of the wordnet that share all senses and a character, at 1 all that the wordnet has. It takes a number from 0 to 1.

    Examples:
        "[他|token:S][突|token:B][然|token:E][走|token:S][了|token:S]" -> "[他|token:S][忽|token:B][然|token:E][走|token:S][了|token:S]"
        "[我|token:B][们|token:E][经|token:B][常|token:E][见|token:B][面|token:E]" -> "[我|token:B][们|token:E][常|token:B][常|token:E][见|token:B][面|token:E]"
        "[虽|token:B][然|token:E][下|token:B][雨|token:E]" -> "[尽|token:B][管|token:E][下|token:B][雨|token:E]"
    """
    return part("swap_syn", rate=rate, min=min, max=max, risk=risk)


def swap_target(
    *,
    max: int = 1,
) -> Chain:
    """Replaces a word whose sense is marked with another word of the same sense, and its key with that word's.

    `she purchased it` becomes `she bought it`: the sense is the same, and the key names the new word. The new word is in
    the form of the old one, is met in this sense in the texts that WordNet was counted in, and is not rare.

    Label: relabelled. Tasks: wsd.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        max: How many marked words to replace at most. It takes a whole number from 1 to 20.

    Examples:
        "She [purchased|sense:purchase%2:40:00::] it." -> "She [bought|sense:buy%2:40:00::] it."
        "They [begin|sense:begin%2:30:01::] now." -> "They [start|sense:start%2:30:01::] now."
        "The [autos|sense:auto%1:06:00::] stopped." -> "The [cars|sense:car%1:06:00::] stopped."
        "She [purchased|sense:buy%2:40:00::] it." -> "She [purchased|sense:buy%2:40:00::] it."
        "The [bank|sense:bank%1:17:01::] is steep." -> "The [bank|sense:bank%1:17:01::] is steep."
    """
    return part("swap_target", max=max)


def swap_triple_pos(
    *,
    kind: Literal["auto", "birth", "age", "employee"] = "auto",
) -> Chain:
    """Turns the order of subject and object by a paraphrase that keeps their relation.

    `X, born in Y, studied` becomes `Born in Y, X studied` (`birth`), `X, 49, said` becomes `At 49, X said` or `X, who is
    49, said` (`age`), `Y chief X said` becomes `X, chief of Y, said` (`employee`). Sentences of other forms are left
    alone: data without births, ages and titles, such as SemEval-2010, has almost none.

    Label: kept. Tasks: re.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        kind: Which paraphrase. It takes one of `auto`, `birth`, `age`, `employee`.

    Examples:
        "[Anna Keller|subject], born in [Graz|object], studied law. // label:: born" -> "Born in [Graz|object], [Anna Keller|subject] studied law. // label:: born"
        "[Anna Keller|subject], [49|object], said nothing. // label:: age" -> "At [49|object], [Anna Keller|subject] said nothing. // label:: age"
        "On Monday [Anna Keller|subject], [49|object], left. // label:: age" -> "On Monday [Anna Keller|subject], who is [49|object], left. // label:: age"
        "[Acme|object] chairman [Anna Keller|subject] resigned. // label:: employer" -> "[Anna Keller|subject], chairman of [Acme|object], resigned. // label:: employer" (kind=employee)
        "[Anna Keller|subject] likes [Graz|object]. // label:: other" -> "[Anna Keller|subject] likes [Graz|object]. // label:: other"
    """
    return part("swap_triple_pos", kind=kind)


def swap_verb(
    *,
    rate: float = 1.0,
    min: int | None = 1,
    max: int | None = None,
) -> Chain:
    """Doubles verbs of a segmented text or takes them apart: `看一看` for `看`, `洗个澡` for `洗澡`.

    `看一看`, `看看` and `了解一下` are cut as the other samples of the file cut such forms; what they do not show is left
    alone. Verbs with an object of their own are taken apart into three words, whatever the standard. Denied verbs, and
    those with `着` or a result behind them, stay. The forms speak of brief deeds that somebody wants or ought to do, and
    news and reference texts seldom tell of such: about 1 in 300 paragraphs of the People's Daily change, and 3 of
    5,000 sentences of UD Chinese GSD.

    Label: relabelled. Tasks: cws.
    Source: Wang et al. 2021 (TextFlint), section 3.3

    Args:
        rate: Share of the eligible words to touch; 0 touches none. It takes a number from 0 to 1.
        min: Change at least N words, if the text has them. It takes a whole number, 0 or more.
        max: Change at most N words of a text. It takes a whole number, 0 or more.

    Examples:
        "[我|token:S][去|token:S][洗|token:B][澡|token:E][。|token:S]" -> "[我|token:S][去|token:S][洗|token:S][个|token:S][澡|token:S][。|token:S]"
        "[大|token:B][家|token:E][一|token:B][起|token:E][吃|token:B][饭|token:E][吧|token:S]" -> "[大|token:B][家|token:E][一|token:B][起|token:E][吃|token:S][个|token:S][饭|token:S][吧|token:S]"
        "[我|token:B][们|token:E][去|token:S][散|token:B][步|token:E][，|token:S]" -> "[我|token:B][们|token:E][去|token:S][散|token:S][个|token:S][步|token:S][，|token:S]"
        "[他|token:S][已|token:B][经|token:E][毕|token:B][业|token:E][。|token:S]" -> "[他|token:S][已|token:B][经|token:E][毕|token:S][了|token:S][业|token:S][。|token:S]"
        "[不|token:S][洗|token:B][澡|token:E]" -> "[不|token:S][洗|token:B][澡|token:E]"
        "[要|token:S][握|token:B][手|token:E][话|token:B][别|token:E][。|token:S]" -> "[要|token:S][握|token:B][手|token:E][话|token:B][别|token:E][。|token:S]"
    """
    return part("swap_verb", rate=rate, min=min, max=max)


def switch_voice() -> Chain:
    """Turns a clause from the active to the passive.

    `Ann thanked Eve because she helped.` becomes `Eve was thanked by Ann because she helped.`
    The mentions move with their words. Only a clause of a name or noun phrase, a verb in the present or past and its
    object turns; pronouns, helpers, objects with more behind them and verbs that have no passive are left alone: about one in sixty passages of GAP has such a
    clause.

    Label: kept. Tasks: coref.
    Source: Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020

    Examples:
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." -> "[Eve|mention:0] was thanked by [Ann|mention:1] because [she|mention:0] helped."
        "The lawyer visited [Tom|mention:0]. [He|mention:0] was ill." -> "[Tom|mention:0] was visited by the lawyer. [He|mention:0] was ill."
        "[Ann|mention:1] knows the teachers. [She|mention:1] left." -> "The teachers are known by [Ann|mention:1]. [She|mention:1] left."
        "[She|mention:1] thanked [Eve|mention:0]." -> "[She|mention:1] thanked [Eve|mention:0]."
        "During [his|mention:0] acceptance speech for the Heisman Trophy, Alabama running back [Mark Ingram|mention:0] thanked [Irvin|mention:1] for helping [him|mention:0]." -> "During [his|mention:0] acceptance speech for the Heisman Trophy, Alabama running back [Mark Ingram|mention:0] thanked [Irvin|mention:1] for helping [him|mention:0]."
        "The women cleaned the grills, drank blended meat and prepped a side of beef. [Carrie|mention:0] told [Ann|mention:1] that [she|mention:0] won." -> "The women cleaned the grills, drank blended meat and prepped a side of beef. [Carrie|mention:0] told [Ann|mention:1] that [she|mention:0] won."
        "She wanted the will in favour of [Daisy|mention:0] declared invalid. Jane told Daisy that [she|mention:0] lost." -> "She wanted the will in favour of [Daisy|mention:0] declared invalid. Jane told Daisy that [she|mention:0] lost."
        "[Flair|mention:0] betrayed [Styles|mention:1] during [his|mention:0] contest with Hardy." -> "[Styles|mention:1] was betrayed by [Flair|mention:0] during [his|mention:0] contest with Hardy."
    """
    return part("switch_voice")


def sort(
    *,
    texts: Literal["second", "first", "both"] = "second",
) -> Chain:
    """Sorts the words of a text alphabetically.

    Words keep their case, which does not count in the order; punctuation and spaces stay where they are, so that a
    final full stop stays last.

    Label: destroyed. Tasks: classification, sa, nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2

    Args:
        texts: Which text of a pair to destroy. It takes one of `second`, `first`, `both`.

    Examples:
        "Making certain distinctions is imperative in looking back on the past." -> "back certain distinctions imperative in is looking Making on past the."
        "The soup was hot." -> "hot soup The was."
        "We came. // The soup was hot." -> "We came. // hot soup The was."
        "We came. // The soup was hot." -> "came We. // hot soup The was." (texts=both)
        "ok" -> "ok"
    """
    return part("sort", texts=texts)


def reverse(
    *,
    texts: Literal["second", "first", "both"] = "second",
) -> Chain:
    """Reverses the order of the words of a text.

    Words keep their case; punctuation and spaces stay where they are.

    Label: destroyed. Tasks: classification, sa, nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2

    Args:
        texts: Which text of a pair to destroy. It takes one of `second`, `first`, `both`.

    Examples:
        "The soup was hot." -> "hot was soup The."
        "Well, it's a by-the-numbers effort!" -> "effort, by-the-numbers a it's Well!"
        "We came. // The soup was hot." -> "came We. // The soup was hot." (texts=first)
        "ok" -> "ok"
    """
    return part("reverse", texts=texts)


def shuffle(
    *,
    texts: Literal["second", "first", "both"] = "second",
) -> Chain:
    """Shuffles the words of a text so that no two of them follow each other as before, if that is possible.

    A random order is repaired word by word, and searched for if that is not enough; a text such as `no no no` has
    no such order, and gets the one with the fewest old neighbours that was found. Words keep their case; punctuation
    and spaces stay where they are.

    Label: destroyed. Tasks: classification, sa, nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2

    Args:
        texts: Which text of a pair to destroy. It takes one of `second`, `first`, `both`.

    Examples:
        "The soup was hot." -> "The hot was soup."
        "There is no clear beginning and end, it's a continuous cycle." -> "a it's end is cycle continuous and, no beginning There clear." (seed=1)
        "We came. // The soup was hot." -> "We came. // The hot was soup."
        "no no no" -> "no no no"
    """
    return part("shuffle", texts=texts)


def copy_sort(
    *,
    into: Literal["second", "first"] = "second",
) -> Chain:
    """Overwrites the second text of a pair with the words of the first, sorted.

    A model that looks for the same words in both texts finds them all, and says that one follows from the other:
    agreement is measured with that answer.

    Label: destroyed. Tasks: nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2

    Args:
        into: Which text of the pair to overwrite. It takes one of `second`, `first`.

    Examples:
        "The soup was hot. // We came." -> "The soup was hot. // hot soup The was."
        "Who was it? // Was it him?" -> "Who was it? // it was Who?"
        "We came. // The soup was hot." -> "hot soup The was. // The soup was hot." (into=first)
        "one text" -> "one text"
    """
    return part("copy_sort", into=into)


def drop(
    *,
    rate: float = 0.5,
    texts: Literal["second", "first", "both"] = "second",
) -> Chain:
    """Drops the words that matter least to the model.

    At least one word is left. The space before a dropped word goes with it, punctuation stays.

    Label: destroyed. Tasks: classification, sa, nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 3

    Args:
        rate: The share of the words to drop. It takes a number from 0 to 1.
        texts: Which text of a pair to destroy. It takes one of `second`, `first`, `both`.

    Examples:
        "The kettle on it was boiling, again." -> "kettle boiling, again."
        "The kettle on it was boiling, again." -> "The kettle it was boiling, again." (rate=0.2)
        "We came. // The kettle was boiling." -> "We came. // kettle boiling."
        "ok" -> "ok"
    """
    return part("drop", rate=rate, texts=texts)


def repeat(
    *,
    rate: float = 0.5,
    top: int = 3,
    texts: Literal["second", "first", "both"] = "second",
) -> Chain:
    """Writes the words that matter most to the model over those that matter least.

    Label: destroyed. Tasks: classification, sa, nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 3

    Args:
        rate: The share of the words to overwrite. It takes a number from 0 to 1.
        top: How many of the most important words to draw from. It takes a whole number from 1 to 1000.
        texts: Which text of a pair to destroy. It takes one of `second`, `first`, `both`.

    Examples:
        "The kettle on it was boiling, again." -> "boiling kettle boiling boiling boiling boiling, again." (top=1)
        "The kettle on it was boiling, again." -> "again kettle again kettle kettle boiling, again."
        "We came. // The kettle was boiling." -> "We came. // kettle kettle kettle boiling."
        "ok" -> "ok"
    """
    return part("repeat", rate=rate, top=top, texts=texts)


def replace(
    *,
    rate: float = 0.5,
    texts: Literal["second", "first", "both"] = "second",
) -> Chain:
    """Writes random words over those that matter least to the model.

    The words are drawn evenly from the vocabulary of the built-in model of English.

    Label: destroyed. Tasks: classification, sa, nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 3

    Args:
        rate: The share of the words to overwrite. It takes a number from 0 to 1.
        texts: Which text of a pair to destroy. It takes one of `second`, `first`, `both`.

    Examples:
        "The kettle on it was boiling, again." -> "maces kettle portrayed braised educated boiling, again."
        "The kettle on it was boiling, again." -> "The kettle maces it was boiling, again." (rate=0.2)
        "We came. // The kettle was boiling." -> "We came. // maces kettle portrayed boiling."
        "ok" -> "ok"
    """
    return part("replace", rate=rate, texts=texts)


def copy_one(
    *,
    into: Literal["second", "first"] = "second",
) -> Chain:
    """Leaves in the second text of a pair a single word: the one of the first that matters most to the model.

    A model that looks for the same words in both texts says that one follows from the other: agreement is measured
    with that answer.

    Label: destroyed. Tasks: nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 3

    Args:
        into: Which text of the pair to overwrite. It takes one of `second`, `first`.

    Examples:
        "The kettle was hot. // We came." -> "The kettle was hot. // kettle"
        "The kettle was hot. // A kettle was there." -> "The kettle was hot. // kettle"
        "We came. // The kettle was hot." -> "kettle // The kettle was hot." (into=first)
        "one text" -> "one text"
    """
    return part("copy_one", into=into)


def pbsmt(
    *,
    into: Literal["second", "first"] = "second",
) -> Chain:
    """Overwrites the second text with what a phrase-based translator, learned from texts of the same label, makes of the
    first.

    The translator has seen little and knows no grammar: it writes phrases that often go with the label, and no
    sense. In a single text the first half is translated, and takes the place of the second half.

    Label: destroyed. Tasks: classification, sa, nli, sm.
    Source: Gupta, Kvernadze and Srikumar 2021 (Word Salad), section PBSMT

    Args:
        into: Which text of a pair to overwrite. It takes one of `second`, `first`.

    Examples:
        "We had a soup that was very hot." -> "We had a soup soup a had We."
        "The soup was hot. // We came." -> "The soup was hot. // hot. was soup The"
        "We came. // The soup was hot." -> "hot. was soup The // The soup was hot." (into=first)
        "ok" -> "ok"
    """
    return part("pbsmt", into=into)
