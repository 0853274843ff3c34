"""Every part of the catalog, against the command line: the same bytes."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import fissure as fs
from conftest import TEXTS, changed_by_command
from fissure import parts, slices

CARDS = {card["name"]: card for kind in ("transform", "destroyer") for card in fs.catalog(kind)}



def aspect(term: str, start: int, polarity: str, opinion: str, place: int) -> dict[str, Any]:
    """An aspect of a review, with the word that judges it."""
    return {
        "term": term,
        "from": start,
        "to": start + len(term),
        "polarity": polarity,
        "opinion_words": [opinion],
        "opinion_position": [[place, place + len(opinion)]],
    }


#: A few rows for every task that parts are made for.
ROWS: dict[str, list[dict[str, Any]]] = {
    "classification": [{"text": text, "label": at % 2} for at, text in enumerate([*TEXTS, "今天28度，105个人来了。"])],
    "sa": [
        *({"text": text, "label": ["neg", "pos"][at % 2]} for at, text in enumerate(TEXTS)),
        {"text": "In the end Charlie Chaplin saves it.", "label": "pos"},
        {"text": "Tom Hanks tries; Hanks fails.", "label": "neg"},
        {"text": "房间很干净。", "label": "pos"},
    ],
    "nli": [
        {"premise": "Ann bought 12 apples in Paris.", "hypothesis": "Ann bought 12 apples.", "label": "entailment"},
        {"premise": "A man is playing a guitar.", "hypothesis": "No one is playing.", "label": "contradiction"},
        {"premise": "It was cold in 2019.", "hypothesis": "The people were happy.", "label": "neutral"},
    ],
    "ner": [
        {"tokens": ["Ann", "Smith", "left", "Paris", "."], "tags": ["B-PER", "I-PER", "O", "B-LOC", "O"]},
        {"tokens": ["He", "works", "for", "IBM", "."], "tags": ["O", "O", "O", "B-ORG", "O"]},
        *({"tokens": [name, "left", "."], "tags": ["B-PER", "O", "O"]} for name in ("Ruth", "Carl", "Julia", "Peter")),
    ],
    "pos": [
        {"tokens": ["The", "good", "film", "ended"], "tags": ["DET", "ADJ", "NOUN", "VERB"]},
        {"tokens": ["The", "company", "paid", "."], "tags": ["DT", "NN", "VBD", "."]},
        {"tokens": ["I", "like", "this", "store", "."], "tags": ["PRON", "VERB", "DET", "NOUN", "PUNCT"]},
        {"tokens": ["They", "exported", "it", "."], "tags": ["PRP", "VBD", "PRP", "."]},
    ],
    "mrc": [
        {
            "context": "Ann was born in Paris in 1990. She moved to London.",
            "question": "Where was Ann born?",
            "answers": {"text": ["Paris"], "answer_start": [16]},
        },
        {
            "context": "The town is old. Rain is rare. The mill was built in 1850.",
            "question": "When was the mill built?",
            "answers": {"text": ["1850"], "answer_start": [53]},
        },
        {
            "context": "Rain fell. The lawyer built it in Graz.",
            "question": "Where is it?",
            "answers": {"text": ["Graz"], "answer_start": [34]},
        },
    ],
    "sm": [
        {"sentence1": "Ann bought 12 good apples.", "sentence2": "Ann bought 12 good apples today.", "label": "1"},
        {"sentence1": "The film was long.", "sentence2": "The film was short.", "label": "0"},
    ],
    "absa": [
        {
            "sentence": "Great salad and friendly staff.",
            "term_list": {
                "1": aspect("salad", 6, "positive", "Great", 0),
                "2": aspect("staff", 25, "positive", "friendly", 16),
            },
        },
        {"sentence": "The beer was stale.", "term_list": {"1": aspect("beer", 4, "negative", "stale", 13)}},
    ],
    "dp": [
        {
            "tokens": ["Ann", "saw", "the", "old", "house", "in", "Paris", "."],
            "heads": [2, 0, 5, 5, 2, 7, 5, 2],
            "deprels": ["nsubj", "root", "det", "amod", "obj", "case", "nmod", "punct"],
        },
        {
            "tokens": ["He", "left", "for", "Lisbon", "."],
            "upos": ["PRON", "VERB", "ADP", "PROPN", "PUNCT"],
            "heads": [2, 0, 4, 2, 2],
            "deprels": ["nsubj", "root", "case", "obl", "punct"],
        },
        {
            "tokens": ["He", "left", "for", "Lisbon", ",", "although", "it", "rained", "."],
            "upos": ["PRON", "VERB", "ADP", "PROPN", "PUNCT", "SCONJ", "PRON", "VERB", "PUNCT"],
            "heads": [2, 0, 4, 2, 8, 8, 8, 2, 2],
            "deprels": ["nsubj", "root", "case", "obl", "punct", "mark", "nsubj", "advcl", "punct"],
        },
    ],
    "cws": [
        {"tokens": ["我们", "去", "北京", "买", "了", "三千五百", "本", "书"]},
        {"tokens": ["王小明", "看看", "电视"]},
        {"tokens": ["他", "高兴", "地", "走", "了"]},
        {"tokens": ["看", "央视", "新闻"]},
        {"tokens": ["我", "朝", "王小明", "走", "去"]},
        {"tokens": ["他", "突然", "走", "了"]},
        {"tokens": ["我", "去", "洗澡", "。"]},
    ],
    "coref": [
        {
            "sentences": [["Ann", "Smith", "saw", "Bob", "."], ["She", "liked", "him", "."], ["Bob", "was", "seen", "by", "Ann", "."]],
            "clusters": [[[0, 1], [5, 5], [13, 13]], [[3, 3], [7, 7], [9, 9]]],
        },
        {"sentences": [["The", "man", "left", "."], ["He", "was", "tired", "."]], "clusters": [[[0, 1], [4, 4]]]},
        {"sentences": [["Tom", "laughed", "."], ["The", "lamp", "was", "on", "."], ["Tom", "left", "."]], "clusters": [[[0, 0], [8, 8]]]},
        {"sentences": [["Ann", "thanked", "Eve", "because", "she", "helped", "."]], "clusters": [[[0, 0]], [[2, 2], [4, 4]]]},
    ],
    "re": [
        {"text": "<e1>Ann Smith</e1> works for <e2>IBM</e2> in Paris.", "relation": "employer"},
        {"text": "<e1>Rome</e1> is a city in <e2>Italy</e2>.", "relation": "part of"},
        {"text": "<e1>Anna Keller</e1>, born in <e2>Graz</e2>, studied law.", "relation": "born"},
    ],
    "mt": [
        {"source": "He bought 12 apples in 2019.", "target": "Er kaufte 12 Äpfel im Jahr 2019."},
        {"source": "Berlin is large.", "target": "Berlin ist groß."},
    ],
    "wsd": [
        {"tokens": ["The", "bank", "lends", "money"], "senses": [None, "bank%1:14:00::", None, "money%1:21:00::"]},
        {"tokens": ["She", "purchased", "it", "."], "senses": [None, "purchase%2:40:00::", None, None]},
    ],
}


def test_every_part_is_a_typed_function() -> None:
    assert set(parts.__all__) == set(CARDS)
    for name, card in CARDS.items():
        function = getattr(fs, name)
        signature = inspect.signature(function)
        assert [given.rstrip("_") for given in signature.parameters] == [knob["name"] for knob in card["knobs"]], name
        assert card["summary"].split(".")[0].split()[0] in function.__doc__
        assert function() == fs.chain(name), f"the defaults of {name} are those of its card"
    assert set(slices.__all__) == {card["name"] for card in fs.catalog("slice")}
    for name in slices.__all__:
        getattr(slices, name)()


def test_no_part_hides_a_function_of_the_package() -> None:
    own = {"chain", "slice", "keep", "catalog", "explain", "threads", "errors", "model", "predict", "evaluate", "torch"}
    assert not own & set(parts.__all__)


@pytest.mark.parametrize("name", sorted(CARDS))
def test_python_gives_the_bytes_of_the_command_line(name: str, tmp_path: Path) -> None:
    served = 0
    for task, rows in ROWS.items():
        try:
            made = fs.chain(name, seed=5)(rows, task=task)
        except fs.NotOffered as refused:
            assert "does not serve" in str(refused) or "cannot be run" in str(refused)
            continue
        lines = changed_by_command(name, rows, task, tmp_path, "--seed", "5")
        for row, line, old in zip(made, lines, rows, strict=True):
            assert row.status == line["status"] and row.reason == line.get("reason"), (name, task)
            assert dict(row) == {column: line[column] for column in old if column in line}, (name, task)
            assert json.loads(row._trail) == line.get("trail", {}).get("edits", []), (name, task)
        served += 1
        # A part for every task is compared on the first two that it serves.
        if served == 2:
            break
    assert served or CARDS[name]["needs"], "only a part that needs a model or other data serves none of these"
