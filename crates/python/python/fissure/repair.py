"""Repairs: the commands of `fissure repair`, with their flags as arguments."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._call import as_files, call, flags, lent, lines, table
from ._native import Table


def augment(data: Any, **more: Any) -> Table:
    """More training data, changed by the parts that a run found harmful: `augment(train, run=run, share=0.2)`."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder, as_files(data) as files:
        out = Path(folder) / "augmented.jsonl"
        call("repair", "augment", "--data", *files, "--out", str(out), *flags(more))
        return table(lines(out))


def calibrate(model: Any, data: Any, *, labels: Sequence[str] | None = None, **more: Any) -> list[str]:
    """The temperature at which a model's probabilities can be believed: what `fissure repair calibrate` says."""
    with lent(model, labels) as (name, models, _), as_files(data) as files:
        _, printed, notes = call("repair", "calibrate", "--model", name, "--data", *files, *flags(more), models=models)
    return [*printed.splitlines(), *notes]


def certify(model: str, data: Any, test: Any, **more: Any) -> dict[str, Any]:
    """Trains the cnn or fasttext model of a directory with bounds: what is proved of its answers before and after."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder, as_files(data) as files, as_files(test) as tests:
        out = Path(folder) / "certified.json"
        given = ["--model", model, "--data", *files, "--test", *tests, "--out", str(out)]
        call("repair", "certify", *given, *flags(more))
        return dict(json.loads(out.read_text(encoding="utf-8")))


def testset(model: Any, data: Any, *, labels: Sequence[str] | None = None, **more: Any) -> Table:
    """A test set of perturbed fragile examples, or with `attacks=RUN` of the texts that an attack broke."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        out = Path(folder) / "testset.jsonl"
        with lent(model, labels) as (name, models, _), as_files(data) as files:
            call("repair", "testset", "--model", name, "--data", *files, "--out", str(out), *flags(more), models=models)
        return table(lines(out))


def threshold(model: Any, data: Any, *, labels: Sequence[str] | None = None, **more: Any) -> list[str]:
    """The confidence below which nonsense should be refused: what `fissure repair threshold` says."""
    with lent(model, labels) as (name, models, _), as_files(data) as files:
        _, printed, notes = call("repair", "threshold", "--model", name, "--data", *files, *flags(more), models=models)
    return [*printed.splitlines(), *notes]
