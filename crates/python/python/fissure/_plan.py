"""Evaluating a model on many machines: pieces that workers run, and one run made of them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ._call import call, flags, lent, write
from ._run import Run
from .errors import Error


class Plan:
    """An evaluation cut into pieces. It pickles with the data, so a worker needs no shared disk."""

    def __init__(self, data: Any, pieces: int, task: str | None, labels: Sequence[str] | None, more: dict[str, Any]) -> None:
        if isinstance(data, (str, os.PathLike)):
            self._file, self._rows = os.fspath(data), None
        else:
            with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
                path = Path(write(data, Path(folder) / "data.jsonl"))
                self._file, self._rows = "data.jsonl", path.read_bytes()
        self.pieces, self._task, self._labels, self._more = pieces, task, labels, more

    def __repr__(self) -> str:
        return f"<fissure.Plan of {self.pieces} pieces>"

    def piece(self, number: int, load: Callable[[], Any]) -> dict[str, Any]:
        """Runs a piece, counted from 1, with the model that `load()` gives; a row with its lines."""
        with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
            home, out = os.getcwd(), Path(folder) / "piece"
            file = self._file
            if self._rows is not None:
                (Path(folder) / "data.jsonl").write_bytes(self._rows)
            with lent(load(), self._labels, None, self._task) as (name, models, task):
                words = ["--model", name, "--data", file, "--out", str(out), "--shard", f"{number}/{self.pieces}"]
                try:
                    # The name of the data is in the header, and must not depend on where a worker runs.
                    os.chdir(folder if self._rows is not None else home)
                    call("evaluate", *words, *flags({"task": task, **self._more}), models=models)
                finally:
                    os.chdir(home)
            return {"piece": number, "run": (out / "run.jsonl").read_text(encoding="utf-8")}


def plan(data: Any, *, pieces: int, task: str | None = None, labels: Sequence[str] | None = None, **more: Any) -> Plan:
    """Plans an evaluation in pieces: `[plan.piece(n, load) for n in range(1, 9)]`, wherever; then `fissure.merge`.

    Args:
        data: A frame or rows, which travel with the plan, or a file that every worker can read.
        pieces: How many pieces.
        task: What the columns mean.
        labels: The names of the classes.
        more: Flags of `fissure evaluate`.
    """
    return Plan(data, pieces, task, labels, more)


def merge(pieces: Iterable[dict[str, Any]], out: str | os.PathLike[str]) -> Run:
    """One run of all pieces, in whatever order they come. The twin of a retried piece is dropped if it is equal."""
    known: dict[int, str] = {}
    for piece in pieces:
        number, run = int(piece["piece"]), str(piece["run"])
        if known.setdefault(number, run) != run:
            raise Error(
                f"piece {number} came twice, with different answers: the model does not answer alike, or the workers have "
                "different versions; run both again on the same kind of machine"
            )
    if not known:
        raise Error("there are no pieces to merge")
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        folders = []
        for number, run in sorted(known.items()):
            place = Path(folder) / f"piece-{number}"
            place.mkdir()
            (place / "run.jsonl").write_text(run, encoding="utf-8", newline="")
            folders.append(str(place))
        call("merge", *folders, "--out", os.fspath(out))
    return Run(out)
