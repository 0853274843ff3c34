"""Repairs: the commands of `fissure repair`, with their flags as arguments."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._call import arranged, as_files, call, flags, lines, settled, table
from ._native import Table


class Calibration:
    """How far a model's probabilities can be believed, before and after; `raw` is all that the command found."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw

    @property
    def temperature(self) -> float:
        """What logits are to be divided by."""
        return float(self.raw["temperature"])

    def __repr__(self) -> str:
        errors = [self.raw[when]["ece"]["value"] for when in ("before", "after")]
        return f"<fissure.Calibration: temperature {self.temperature:.3f}, error {errors[0]:.3f} before and {errors[1]:.3f} after>"


def augment(data: Any, *, run: Any = None, progress: Any = None, **more: Any) -> Table:
    """More training data, changed by the parts that a run found harmful: `augment(train, run=run, share=0.2)`."""
    if run is not None:
        more["findings"] = Path(run) / "findings.json"
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder, as_files(data) as files:
        out = Path(folder) / "augmented.jsonl"
        given = flags("repair augment", settled(more, {}))
        call("repair", "augment", "--data", *files, "--out", str(out), *given, progress=progress)
        return table(lines(out))


def calibrate(
    model: Any, data: Any, *, labels: Sequence[str] | None = None, progress: Any = None, **more: Any
) -> Calibration:
    """The temperature at which a model's probabilities can be believed."""
    return Calibration(_found("calibrate", model, data, labels, progress, more))


def certify(model: str, data: Any, test: Any, *, progress: Any = None, **more: Any) -> dict[str, Any]:
    """Trains the cnn or fasttext model of a directory with bounds: what is proved of its answers before and after."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder, as_files(data) as files, as_files(test) as tests:
        out = Path(folder) / "certified.json"
        given = ["--model", model, "--data", *files, "--test", *tests, "--out", str(out)]
        call("repair", "certify", *given, *flags("repair certify", settled(more, {})), progress=progress)
        return dict(json.loads(out.read_text(encoding="utf-8")))


def testset(
    model: Any, data: Any, *, labels: Sequence[str] | None = None, progress: Any = None, **more: Any
) -> Table:
    """A test set of perturbed fragile examples, or with `attacks=RUN` of the texts that an attack broke."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        out = Path(folder) / "testset.jsonl"
        with arranged("repair testset", model, data, more, labels) as (given, models):
            call("repair", "testset", *given, "--out", str(out), models=models, progress=progress)
        return table(lines(out))


def threshold(
    model: Any, data: Any, *, labels: Sequence[str] | None = None, progress: Any = None, **more: Any
) -> dict[str, Any]:
    """The confidence below which nonsense should be refused, and what that costs."""
    return _found("threshold", model, data, labels, progress, more)


def _found(
    command: str, model: Any, data: Any, labels: Sequence[str] | None, progress: Any, more: dict[str, Any]
) -> dict[str, Any]:
    with arranged(f"repair {command}", model, data, more, labels) as (given, models):
        _, printed, _ = call("--json", "repair", command, *given, models=models, progress=progress)
    found: dict[str, Any] = json.loads(printed)
    return found
