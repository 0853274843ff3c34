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

#: A few rows for every task that parts are made for.
ROWS: dict[str, list[dict[str, Any]]] = {
    "classification": [{"text": text, "label": at % 2} for at, text in enumerate(TEXTS)],
    "sa": [{"text": text, "label": ["neg", "pos"][at % 2]} for at, text in enumerate(TEXTS)],
    "nli": [
        {"premise": "Ann bought 12 apples in Paris.", "hypothesis": "Ann bought 12 apples.", "label": "entailment"},
        {"premise": "A man is playing a guitar.", "hypothesis": "No one is playing.", "label": "contradiction"},
        {"premise": "It was cold in 2019.", "hypothesis": "The people were happy.", "label": "neutral"},
    ],
    "ner": [
        {"tokens": ["Ann", "Smith", "left", "Paris", "."], "tags": ["B-PER", "I-PER", "O", "B-LOC", "O"]},
        {"tokens": ["He", "works", "for", "IBM", "."], "tags": ["O", "O", "O", "B-ORG", "O"]},
    ],
    "pos": [{"tokens": ["The", "good", "film", "ended"], "tags": ["DET", "ADJ", "NOUN", "VERB"]}],
    "mrc": [
        {
            "context": "Ann was born in Paris in 1990. She moved to London.",
            "question": "Where was Ann born?",
            "answers": {"text": ["Paris"], "answer_start": [16]},
        }
    ],
}


def test_every_part_is_a_typed_function() -> None:
    assert set(parts.__all__) == set(CARDS)
    for name, card in CARDS.items():
        function = getattr(fs, name)
        signature = inspect.signature(function)
        assert list(signature.parameters) == [knob["name"] for knob in card["knobs"]], name
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
        return
    # Parts for other tasks, and those that need a model: the function is there, and says what it lacks.
    assert CARDS[name]["requires"] or CARDS[name]["needs"], name
