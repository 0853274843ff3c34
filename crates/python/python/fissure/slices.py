"""Every slice of the catalog.

Made by `cargo xtask generate` from the cards; do not edit.
"""

from __future__ import annotations

from typing import Literal

from ._slice import Slice, slice

__all__ = [
    "length",
    "overlap",
    "perplexity",
    "phrase",
    "prejudice",
]


def length(
    *,
    take: Literal["shortest", "longest", "between"] = "longest",
    share: float = 0.2,
    least: int | None = 0,
    most: int | None = None,
    unit: Literal["words", "letters"] = "words",
) -> Slice:
    """The shortest or the longest samples, or those of a given length.

    The length of a sample is that of all its open texts together.
    Source: Wang et al. 2021 (TextFlint), section 4.2.3

    Args:
        take: Which samples to take; `between` takes those from `least` to `most`, both included. It takes one of `shortest`, `longest`, `between`.
        share: The share of the samples that `shortest` and `longest` take. It takes a number from 0 to 1.
        least: The shortest length that `between` takes. It takes a whole number, 0 or more.
        most: The longest length that `between` takes. It takes a whole number, 0 or more.
        unit: What is counted; words need spaces between them, so Chinese is counted in `letters`. It takes one of `words`, `letters`.

    Examples:
        "The soup was hot, and the bread wasn't." -> "8"
        "naïve 👩\\u{200d}👩\\u{200d}👧" -> "7" (unit=letters)
        "" -> "0"
    """
    return slice("length", take=take, share=share, least=least, most=most, unit=unit)


def overlap(
    *,
    kind: Literal["lexical", "subsequence", "constituent"] = "lexical",
    least: float = 1.0,
) -> Slice:
    """Pairs of which the second text is made of words of the first: as a bag, in a row, or as one of its phrases.

    The three kinds are those of HANS, from the widest to the narrowest. Case does not matter. The measure is a share
    for `lexical`, and 1 or 0 for the others. An example on this card is a pair with a tab between.
    Source: McCoy et al. 2019 (HANS), section 3

    Args:
        kind: `lexical` counts words of the second text that the first has; `subsequence` asks whether the second stands in the first, word for word in a row; `constituent` whether it is a phrase of it that the parse finds. It takes one of `lexical`, `subsequence`, `constituent`.
        least: The least share of words that `lexical` takes. It takes a number from 0 to 1.

    Examples:
        "The doctors saw the actor.\\tThe actor saw the doctors." -> "1"
        "The judges heard the actors resigned.\\tThe judges heard the actors." -> "1" (kind=subsequence)
        "The doctors saw the actor.\\tThe actor saw the doctors." -> "0" (kind=subsequence)
        "He said that she slept.\\tShe slept" -> "0" (kind=constituent)
        "Soup is hot.\\tSoup is cold today." -> "0.5"
    """
    return slice("overlap", kind=kind, least=least)


def perplexity(
    *,
    take: Literal["most_fluent", "least_fluent"] = "least_fluent",
    share: float = 0.2,
) -> Slice:
    """The most or the least fluent samples, by the perplexity of a language model.

    The models are the built-in ones, n-gram models of order 3: of English words, and of simplified Chinese characters.
    The perplexity of a sample is the highest of its open texts.
    Source: Wang et al. 2021 (TextFlint), section 3.5

    Args:
        take: Which samples to take: the most fluent have the lowest perplexity. It takes one of `most_fluent`, `least_fluent`.
        share: The share of the samples to take. It takes a number from 0 to 1.

    Examples:
        "He went to the house." -> "24"
        "House the to went he." -> "839"
        "" -> "1"
    """
    return slice("perplexity", take=take, share=share)


def phrase(
    *,
    find: Literal["negation", "question", "list"] = "negation",
    phrases: str = "",
    take: Literal["with", "without"] = "with",
) -> Slice:
    """Samples with a negation, a question, or one of your own phrases.

    In a Chinese text negations are 不, 没 and their like, but not in 不错 or 是不是; a question ends with 吗 or asks 什么.
    Source: Wang et al. 2021 (TextFlint), section 4.2.3

    Args:
        find: What to look for: `negation` is `not`, `n't`, `never`, `no` and their like; `question` is a question mark or a text that starts as questions do; `list` is what `phrases` says. It takes one of `negation`, `question`, `list`.
        phrases: The phrases of `list`, with a comma between them; case does not matter, and words are matched whole. It takes a text.
        take: Whether to take the samples with it or those without. It takes one of `with`, `without`.

    Examples:
        "I don't like it, and never will." -> "2"
        "Is it good? Who knows?" -> "2" (find=question)
        "Soup with Hot Bread, not souper." -> "2" (find=list, phrases=soup, hot bread)
        "The soup is hot." -> "0"
        "我不喜欢，也没去过；味道不错。" -> "2"
    """
    return slice("phrase", find=find, phrases=phrases, take=take)


def prejudice(
    *,
    mentions: Literal["men", "women", "both", "none"] = "women",
) -> Slice:
    """Samples that mention men, women, both, or neither.

    By pronouns, kin, titles and trades (`she`, `uncle`, `actress`) and by first names that nine in ten bearers of one
    gender share. The measure is 0 for neither, 1 for men, 2 for women, 3 for both.
    Source: Wang et al. 2021 (TextFlint), section 4.2.3

    Args:
        mentions: Whom the samples mention. It takes one of `men`, `women`, `both`, `none`.

    Examples:
        "Mary saw the actress." -> "2"
        "He told John." -> "1"
        "She met her brother." -> "3"
        "The soup is hot." -> "0"
    """
    return slice("prejudice", mentions=mentions)
