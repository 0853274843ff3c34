"""Commands of the program, run in this process: keyword arguments are its flags, frames become files, files tables."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import _native
from ._models import Model, adapt
from ._native import Table
from ._slice import _rows
from .errors import NotOffered

log = logging.getLogger("fissure")

#: One command at a time: what it prints goes to whoever called it.
_ONE = threading.RLock()


def call(*words: str, models: Sequence[dict[str, Any]] = ()) -> tuple[int, str, list[str]]:
    """Runs a command: its exit code, what it printed, and its notes, which also go to `logging`."""
    notes: list[str] = []

    def note(text: str) -> None:
        notes.append(text)
        log.info(text)

    with _ONE:
        code, printed = _native.call(["fissure", *words], list(models), note)
    return code, printed, notes


def flags(given: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as flags: `top=5` is `--top 5`, True is the flag alone, a dict is NAME=VALUE,...

    `set={"rate": 0.3}` and lists give the flag once for each.
    """
    words: list[str] = []
    for name, value in given.items():
        flag = f"--{name.rstrip('_').replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping) and name == "set":
            words += [word for knob, setting in value.items() for word in (flag, f"{knob}={_plain(setting)}")]
        elif isinstance(value, Mapping):
            words += [flag, ",".join(f"{key}={_plain(one)}" for key, one in value.items())]
        elif isinstance(value, (list, tuple)):
            words += [word for one in value for word in (flag, _plain(one))]
        else:
            words += [flag, _plain(value)]
    return words


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


@contextmanager
def lent(
    model: Any,
    labels: Sequence[str] | None,
    version: str | None = None,
    task: str | None = None,
    exact: bool = False,
) -> Iterator[tuple[str, list[dict[str, Any]], str | None]]:
    """The name of a model, the models that the command needs, and its task."""
    adapted = adapt(model, labels, version)
    if isinstance(adapted, str):
        yield adapted, [], task
        return
    if exact:
        adapted.exact = True
        if adapted.inside is not None:
            adapted.inside.batch_tokens = 1
    yield f"python:{adapted.name}", [described(adapted)], task or adapted.task


def described(model: Model) -> dict[str, Any]:
    return {
        "name": f"python:{model.name}",
        "ask": model.ask,
        "labels": model.labels,
        "checksum": model.checksum,
        "inside": model.inside,
    }


@contextmanager
def as_files(data: Any) -> Iterator[list[str]]:
    """Data as files of the command line: names stay names, frames and rows are written down."""
    if isinstance(data, (str, os.PathLike)):
        yield [os.fspath(data)]
        return
    if isinstance(data, (list, tuple)) and data and all(isinstance(one, (str, os.PathLike)) for one in data) and all(
        os.path.exists(one) for one in data
    ):
        yield [os.fspath(one) for one in data]
        return
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        yield [write(data, Path(folder) / "data.jsonl")]


def write(data: Any, path: Path) -> str:
    """Writes rows as JSON lines."""
    rows = _rows(data) if not (isinstance(data, (list, tuple)) and data and isinstance(data[0], str)) else [{"text": one} for one in data]
    if not rows or not isinstance(rows[0], dict):
        raise NotOffered("data are a file, a frame, or a list of rows (dicts) or texts; there is none")
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, default=_json) + "\n")
    return str(path)


def _json(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise NotOffered(f"a value of type {type(value).__qualname__} in a row is neither text, number, list nor dict")


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(rows: list[dict[str, Any]]) -> Table:
    return Table.of_rows(rows)
