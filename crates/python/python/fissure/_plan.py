"""Evaluating a model on many machines: pieces that workers run, and one run made of them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ._call import alone, by_number, call, flags, lent, of_rows, settled, write
from ._models import listed
from ._run import CHECKSUM, Run, _checksum_of
from ._slice import _rows, _texts
from .errors import Error, NotOffered


class Plan:
    """An evaluation cut into pieces. It pickles with the data, so a worker needs no shared disk."""

    def __init__(self, data: Any, pieces: int, task: str | None, labels: Sequence[str] | None, more: dict[str, Any]) -> None:
        if not isinstance(pieces, int) or pieces < 1:
            raise NotOffered(f"a plan has one piece or more, not {pieces!r}")
        labels = None if labels is None else listed(labels)
        numbers = by_number([], [{"labels": list(labels)}] if labels else [], more)
        if isinstance(data, (str, os.PathLike)):
            self._file, self._rows = os.fspath(data), None
        else:
            with tempfile.TemporaryDirectory(prefix="fissure-") as folder, of_rows():
                path = Path(write(data, Path(folder) / "data.jsonl", numbers))
                self._file, self._rows = "data.jsonl", path.read_bytes()
        # What a command does not take is said here, not by a worker.
        flags("evaluate", settled({"task": task, **more}, {}))
        self.pieces, self._task, self._labels, self._more = pieces, task, labels, more

    def __repr__(self) -> str:
        return f"<fissure.Plan of {self.pieces} pieces>"

    def numbers(self) -> list[dict[str, int]]:
        """A row for each piece, for engines that cut data: `ray.data.from_items(plan.numbers())`."""
        return [{"piece": number} for number in range(1, self.pieces + 1)]

    def worker(self, load: Callable[[], Any]) -> Worker:
        """What an engine maps over partitions of `numbers()`; `load()` gives the model, once a worker."""
        return Worker(self, load)

    def piece(self, number: int, load: Callable[[], Any]) -> dict[str, Any]:
        """Runs a piece, counted from 1, with the model that `load()` gives; a row with its lines."""
        if not 1 <= number <= self.pieces:
            raise NotOffered(f"the pieces of this plan are 1 to {self.pieces}; there is no piece {number}")
        home = os.getcwd()
        with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
            # A run says where it began, seen from its folder; a merged one must not find that place, which is gone by then.
            out, began = Path(folder) / "out" / "piece", Path(folder) / "began"
            began.mkdir()
            if self._rows is not None:
                (began / self._file).write_bytes(self._rows)
            with lent(load(), self._labels) as (words, models, known):
                words += ["--data", self._file, "--out", str(out), "--shard", f"{number}/{self.pieces}"]
                given = flags("evaluate", settled({"task": self._task, **self._more}, known))
                # What tells the model from others goes with each piece: workers may have loaded different ones.
                known_by = _checksum_of(models)
                with alone(), of_rows():
                    # The name of the data is in the header, and must not depend on where a worker runs.
                    os.chdir(began if self._rows is not None else home)
                    call("evaluate", *words, *given, models=models, progress=False)
            run = (out / "run.jsonl").read_text(encoding="utf-8")
            return {"piece": number, "run": run, "model": known_by or ""}


class Worker:
    """Runs the pieces that a partition names, with one model for all of them. It pickles as the plan and how to load."""

    def __init__(self, plan: Plan, load: Callable[[], Any]) -> None:
        self._plan, self._load, self._model = plan, load, None

    def __reduce__(self) -> tuple[Any, ...]:
        return Worker, (self._plan, self._load)

    def __call__(self, batch: Any) -> Any:
        """A partition of `plan.numbers()` with the lines of its pieces, in the shape it came in."""
        from ._frames import comes_from

        if self._model is None:
            self._model = self._load()
        model = self._model
        numbers = _texts(batch["piece"])
        rows = [self._plan.piece(int(number), lambda: model) for number in numbers]
        columns = {name: [row[name] for row in rows] for name in ("piece", "run", "model")}
        if comes_from(batch, "pyarrow"):
            import pyarrow

            shape = pyarrow.schema(
                [("piece", pyarrow.int64()), ("run", pyarrow.large_string()), ("model", pyarrow.string())]
            )
            made = pyarrow.RecordBatch if comes_from(batch, "pyarrow", "RecordBatch") else pyarrow.Table
            return made.from_pydict(columns, schema=shape)
        if comes_from(batch, "pandas"):
            return type(batch)(columns)
        return columns


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


def _anywhere(run: str) -> tuple[dict[str, Any], str]:
    """A run without the folder that its worker began in."""
    header, _, rest = run.partition("\n")
    return {name: value for name, value in json.loads(header).items() if name != "from"}, rest


def merge(pieces: Any, out: str | os.PathLike[str]) -> Run:
    """One run of all pieces, in whatever order they come. The twin of a retried piece is dropped if it is equal.

    `pieces` are what `plan.piece` gave, or a frame or a table of what `plan.worker` gave.
    """
    known: dict[int, str] = {}
    models: dict[str, int] = {}
    for piece in pieces if isinstance(pieces, (list, tuple)) else _rows(pieces):
        number, run = int(piece["piece"]), str(piece["run"])
        models.setdefault(str(piece.get("model") or ""), number)
        if _anywhere(known.setdefault(number, run)) != _anywhere(run):
            raise Error(
                f"piece {number} came twice, with different answers: the model does not answer alike, or the workers have "
                "different versions; run both again on the same kind of machine"
            )
    if not known:
        raise Error("there are no pieces to merge")
    if len(models) > 1:
        first, second = sorted(models.values())[:2]
        raise Error(
            f"the pieces {first} and {second} were answered by different models (by their weights, what they pickle as, their "
            "code or their version): load the same one for every piece, and run the others again"
        )
    if any((Path(out) / CHECKSUM).exists() for model in models if model):
        raise Error(f"there is a file {Path(out) / CHECKSUM} already: give another folder, or move it")
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        folders = []
        for number, run in sorted(known.items()):
            place = Path(folder) / f"piece-{number}"
            place.mkdir()
            (place / "run.jsonl").write_text(run, encoding="utf-8", newline="")
            folders.append(str(place))
        call("merge", *folders, "--out", os.fspath(out))
    for model in models:
        if model:
            (Path(out) / CHECKSUM).write_text(model + "\n", encoding="utf-8")
    return Run(out)
