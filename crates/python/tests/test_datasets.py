"""Data sets of Hugging Face: every way that their map calls a chain, and classes by their names."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

import fissure as fs
from test_models import ROWS, scores

datasets = pytest.importorskip("datasets")
datasets.disable_progress_bars()

TEXTS = ["hello there my friend", "a long and dull story", "and so on and on"]
CHAIN = fs.typos(rate=0.5)


@pytest.mark.parametrize("kind", [None, "numpy", "pandas", "arrow"])
@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("streamed", [False, True])
def test_every_map(kind: str | None, batched: bool, streamed: bool) -> None:
    data = datasets.Dataset.from_dict({"text": TEXTS, "n": [1, 2, 3]})
    data = data.to_iterable_dataset() if streamed else data
    if streamed and kind in ("pandas", "arrow") and not batched:
        pytest.skip("a stream gives no rows in these formats")
    made = data.with_format(kind).map(CHAIN, batched=batched)
    rows = [dict(row) for row in (made.with_format(None) if not streamed else made.with_format(None))]
    expected = CHAIN(TEXTS)
    assert [str(row["text"]) for row in rows] == TEXTS
    assert [str(row["changed"]) for row in rows] == [change.text for change in expected]
    assert [str(row["status"]) for row in rows] == [change.status for change in expected]
    assert all({"reason", "edits", "n"} <= set(row) for row in rows)


def test_a_row_by_hand_is_a_row() -> None:
    made = CHAIN({"text": TEXTS[0]})
    assert isinstance(made, fs.ChangedRow) and made["text"] == CHAIN(TEXTS[0]).text


@pytest.mark.parametrize("taken", ["changed", "status", "reason", "edits"])
def test_columns_of_the_user_are_not_replaced(taken: str) -> None:
    data = datasets.Dataset.from_dict({"text": TEXTS, taken: ["mine"] * 3})
    for batched in (False, True):
        for kind in (None, "numpy"):
            with pytest.raises(fs.BadRow, match=f"`{taken}` already"):
                data.with_format(kind).map(CHAIN, batched=batched)
    with pytest.raises(fs.BadRow, match=f"`{taken}` already"):
        list(data.to_iterable_dataset().map(CHAIN))


def test_classes_go_by_their_names(tmp_path: Path, caplog: Any) -> None:
    texts, labels = [row["text"] for row in ROWS], [row["label"] for row in ROWS]
    run: dict[str, Any] = {}
    for first in ("pos", "neg"):
        names = [first, "neg" if first == "pos" else "pos"]
        data = datasets.Dataset.from_dict({"text": texts, "label": [names.index(label) for label in labels]})
        data = data.cast_column("label", datasets.ClassLabel(names=names))
        for kind in (None, "numpy"):
            out = tmp_path / f"{first}-{kind}"
            made = fs.evaluate(scores, data.with_format(kind), task="sa", labels=["neg", "pos"], chains="typos", out=out)
            run[out.name] = made.findings.raw["clean"]
            assert json.loads((out / "data.jsonl").open(encoding="utf-8").readline())["label"] == labels[0]
    assert len({json.dumps(found) for found in run.values()}) == 1
    # A model whose classes have numbers for names is asked about numbers.
    numbered = fs.evaluate(scores, data, task="sa", labels=["LABEL_0", "LABEL_1"], chains="typos", out=tmp_path / "numbers")
    assert json.dumps(numbered.findings.raw["clean"]) == json.dumps(run["neg-None"])
    # Labels that are numbers and nothing else are matched by them, which a plain script shows.
    caplog.clear()
    plain = datasets.Dataset.from_dict({"text": texts, "label": [int(label == "pos") for label in labels]})
    with caplog.at_level(logging.WARNING, logger="fissure"):
        fs.predict(scores, plain, task="sa", labels=["neg", "pos"])
    assert any("labels of" in record.message for record in caplog.records)


def test_tags_go_by_their_names(tmp_path: Path) -> None:
    feature = datasets.Sequence(datasets.ClassLabel(names=["O", "B-PER"]))
    data = datasets.Dataset.from_dict({"tokens": [["Ann", "left"], ["Bob", "came"]], "tags": [[1, 0], [1, 0]]})
    data = data.cast_column("tags", feature)

    @fs.model(task="ner", labels=["B-PER", "O"])
    def tagger(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"tags": ["B-PER" if token in ("Ann", "Bob") else "O" for token in row["tokens"]]} for row in rows]

    run = fs.evaluate(tagger, data, chains="typos", out=tmp_path / "run")
    assert run.findings.raw["clean"][0][1]["value"] == 1.0
    from fissure._slice import _rows

    assert [row["tags"] for row in _rows(data)] == [["B-PER", "O"]] * 2
    assert [row["tags"] for row in _rows(data, numbers=True)] == [[1, 0]] * 2
