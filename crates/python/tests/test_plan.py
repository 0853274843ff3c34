"""Evaluations in pieces: shuffled and with one retried, they are the run of one machine."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import fissure as fs
from test_models import ROWS, scores


def load() -> Any:
    return fs.model(lambda rows: scores([row["text"] for row in rows]), labels=["neg", "pos"], name="counts")


def test_merged_pieces_are_the_run(tmp_path: Path, monkeypatch: Any) -> None:
    plan = pickle.loads(pickle.dumps(fs.plan(ROWS, pieces=8, task="sa", suite="typos")))
    pieces = [plan.piece(number, load) for number in range(1, 9)]
    pieces.append(plan.piece(3, load))
    random.Random(4).shuffle(pieces)
    monkeypatch.chdir(tmp_path)
    merged = fs.merge(pieces, tmp_path / "merged")
    (tmp_path / "data.jsonl").write_bytes(plan._rows)
    whole = fs.evaluate(load(), "data.jsonl", task="sa", suite="typos", out=tmp_path / "whole")
    assert (merged.folder / "run.jsonl").read_bytes() == (whole.folder / "run.jsonl").read_bytes()
    assert merged.findings.raw == whole.findings.raw


def test_gaps_and_twins_that_differ_are_named(tmp_path: Path) -> None:
    plan = fs.plan(ROWS, pieces=2, task="sa", suite="typos")
    first = plan.piece(1, load)
    with pytest.raises(fs.Error):
        fs.merge([first], tmp_path / "half")
    with pytest.raises(fs.Error, match="piece 1 came twice"):
        fs.merge([first, {**first, "run": first["run"] + " "}], tmp_path / "twins")
    with pytest.raises(fs.Error, match="no pieces"):
        fs.merge([], tmp_path / "none")
