"""Commands of the program, run in this process: keyword arguments are its flags, frames become files, files tables."""

from __future__ import annotations

import json
import logging
import math
import os
import re
import reprlib
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import _native
from ._chain import Chain
from ._frames import comes_from
from ._models import Model, adapt, listed
from ._native import Table
from ._progress import hears
from ._slice import _rows
from .errors import BadRow, NotOffered, UnknownName

log = logging.getLogger("fissure")

#: One command at a time: what it prints goes to whoever called it.
_ONE = threading.RLock()


def _renew() -> None:
    """A child of `fork` has no thread that could give the lock back."""
    global _ONE
    _ONE = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


@contextmanager
def alone() -> Iterator[None]:
    """The only command at work; afterwards the working folder is what it was (a run is read from where it began)."""
    with _ONE:
        try:
            here = os.getcwd()
        except OSError:
            # A folder that is gone cannot be gone back to.
            here = None
        try:
            yield
        finally:
            if here is not None:
                os.chdir(here)


def call(*words: str, models: Sequence[dict[str, Any]] = (), progress: Any = None) -> tuple[int, str, list[str]]:
    """Runs a command: its exit code, what it printed, and its notes, which also go to `logging`."""
    notes: list[str] = []

    def note(text: str) -> None:
        notes.append(text)
        # How labels were matched without their names is shown by a plain script, too: it may be wrong, and nothing else says so.
        is_match = text.startswith(("labels of ", '{"label_match"'))
        guessed = is_match and ("by number" in text or "by the convention" in text)
        (log.warning if guessed else log.info)(text)

    with alone():
        code, printed = _native.call(["fissure", *words], list(models), note, hears(progress))
    return code, printed, notes


def flags(command: str, given: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as flags of a command: `top=5` is `--top 5`, True is the flag alone, a dict is NAME=VALUE,...

    `set={"rate": 0.3}` and lists give the flag once for each.
    """
    words: list[str] = []
    known = dict(_native.arguments(command.split()))
    for name, value in given.items():
        name = name.rstrip("_")
        if name not in known:
            raise unknown(command, name, known)
        flag = f"--{name.replace('_', '-')}"
        if value is None or (value is False and not known[name]):
            continue
        if value is True and not known[name]:
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


def unknown(command: str, name: str, known: Mapping[str, Any]) -> NotOffered:
    """An argument that a command does not have."""
    import difflib

    near = difflib.get_close_matches(name, known, 1)
    advice = f"did you mean `{near[0]}`?" if near else f"the flags of `fissure {command} --help` are its arguments"
    return NotOffered(f"there is no argument `{name}` of `fissure.{command.replace(' ', '.')}`; {advice}")


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


@contextmanager
def lent(
    model: Any,
    labels: Sequence[str] | None = None,
    version: str | None = None,
    exact: bool = False,
    name: str | None = None,
) -> Iterator[tuple[list[str], list[dict[str, Any]], dict[str, Any]]]:
    """Models as a command takes them: its words, what it asks in this process, and what else they say about the task.

    `name` is what a run calls the model, if it has one.
    """
    words: list[str] = []
    asked: list[Model] = []
    more: dict[str, Any] = {}
    labels = None if labels is None else listed(labels)
    for one in list(model) if isinstance(model, (list, tuple)) else [model]:
        adapted = adapt(one, labels, version)
        if isinstance(adapted, str):
            words += ["--model", adapted]
            more |= {"labels": list(labels)} if labels else {}
            continue
        adapted = adapted.called(name or _free_name(adapted.name, asked))
        asked.append(adapted)
        words += ["--model", f"python:{adapted.name}"]
        more |= {"task": adapted.task} if adapted.task else {}
    before = [(model, model.exact, getattr(model.inside, "batch_tokens", None)) for model in asked]
    try:
        for one in asked if exact else []:
            one.exact = True
            if one.inside is not None:
                one.inside.batch_tokens = 1
        yield words, [described(one) for one in asked], more
    finally:
        for one, was, tokens in before:
            one.exact = was
            if one.inside is not None:
                one.inside.batch_tokens = tokens


def _free_name(name: str, taken: Sequence[Model]) -> str:
    """The name, with a number behind it if another model has it."""
    names = {model.name for model in taken}
    return next(free for free in [name, *(f"{name}-{at}" for at in range(2, len(taken) + 3))] if free not in names)


@contextmanager
def arranged(
    command: str,
    model: Any,
    data: Any,
    given: Mapping[str, Any],
    labels: Sequence[str] | None = None,
    version: str | None = None,
    exact: bool = False,
) -> Iterator[tuple[list[str], list[dict[str, Any]]]]:
    """The words of a command that asks models about data, without its name, and the models."""
    with lent(model, labels, version, exact) as (words, models, more):
        # Wrong arguments are said before any data are read.
        named = flags(command, settled(given, more))
        with as_files(data, by_number(words, models, given)) as files:
            yield [*words, "--data", *files, *named], models


def by_number(words: Sequence[str], models: Sequence[Mapping[str, Any]], given: Mapping[str, Any]) -> bool:
    """Whether labels must stay numbers: the models have no other names for their classes, or the user speaks of numbers."""
    meant = given.get("label_map")
    if isinstance(meant, Mapping) and meant:
        return all(str(label).lstrip("-").isdigit() for label in meant)
    known = [model["labels"] for model in models]
    for place in words[1::2]:
        try:
            config = json.loads((Path(place) / "config.json").read_text(encoding="utf-8"))
            known.append(list(config["id2label"].values()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # No directory, or one that names no classes.
            continue
    return bool(known) and all(labels and all(re.fullmatch(r"(LABEL_)?\d+", str(one)) for one in labels) for labels in known)


def settled(given: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """What the user says, and where nothing is said what the model says; `column=` names the texts."""
    found = {**more, **{name: value for name, value in given.items() if value is not None}}
    column = found.pop("column", None)
    if column is not None:
        found["columns"] = {"text": column, **found.get("columns", {})}
    for name in ("chains", "parts", "part"):
        if name in found:
            found |= by_name(name, found[name], found)
    return found


def by_name(argument: str, value: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Chains among the parts of an argument, as a command takes them: their names, and knobs, seed and resources beside."""
    ones = list(value) if isinstance(value, (list, tuple)) else [value]
    chains = [one for one in ones if isinstance(one, Chain)]
    if not chains:
        return {}
    found: dict[str, Any] = {argument: [one.name if isinstance(one, Chain) else one for one in ones]}
    knobs: dict[str, tuple[tuple[str, str], ...]] = {}
    for name, own in (part for chain in chains for part in chain._parts):
        if knobs.setdefault(name, own) != own:
            raise NotOffered(f"`{name}` is in {argument}= twice, with different knobs: give those in a file: config=FILE")
    settings = {f"{name}.{knob}": setting for name, own in knobs.items() for knob, setting in own}
    if settings:
        found["set"] = {**settings, **dict(given.get("set") or {})}
    seeds = {chain.seed for chain in chains if chain.seed}
    if "seed" not in given and len(seeds) > 1:
        raise NotOffered(f"a run has one seed, and these chains have {', '.join(map(str, sorted(seeds)))}: give seed=N")
    if "seed" not in given and seeds:
        found["seed"] = seeds.pop()
    for name, resource in (lent for chain in chains for lent in chain._lent):
        if found.setdefault(name, given.get(name, resource)) != resource and name not in given:
            raise NotOffered(f"these chains were given different things as {name}=: a run has one")
    return found


def described(model: Model) -> dict[str, Any]:
    return {
        "name": f"python:{model.name}",
        "ask": model.ask,
        "labels": model.labels,
        # A run writes that of a white box down itself; others are asked for theirs where a run is kept.
        "checksum": model.checksum if model.inside is not None else None,
        "known_by": None if model.inside is not None else lambda: model.checksum,
        "inside": model.inside,
    }


def named(data: Any) -> list[str] | None:
    """The names of files, if the data are nothing else."""
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, (list, tuple)) and data and all(isinstance(one, (str, os.PathLike)) for one in data):
        files = [os.fspath(one) for one in data]
        # Otherwise it is a list of texts.
        return files if all(os.path.exists(file) for file in files) else None
    return None


@contextmanager
def as_files(data: Any, numbers: bool = False) -> Iterator[list[str]]:
    """Data as files of the command line: names stay names, frames and rows are written down."""
    files = named(data)
    if files is not None:
        yield files
        return
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder, of_rows():
        yield [write(data, Path(folder) / "data.jsonl", numbers)]


@contextmanager
def of_rows() -> Iterator[None]:
    """Errors name the row of the frame, not the line of the file that it was written to."""
    try:
        yield
    except BadRow as bad:
        if bad.line is None:
            raise
        row = bad.line - 1
        raise BadRow(f"row {row}: {_unfiled(bad)}", line=str(row), column=bad.column, value=bad.value) from None
    except UnknownName as unknown:
        raise UnknownName(_unfiled(unknown), name=unknown.name, nearest="\n".join(unknown.nearest)) from None


def _unfiled(error: Exception) -> str:
    """What is said, without the file that the user never saw."""
    return re.sub(r"`?[^`\s]*data\.jsonl`?(, line \d+)?: ", "", str(error), count=1)


def write(data: Any, path: Path, numbers: bool = False) -> str:
    """Writes rows as JSON lines, with the numbers of classes of `datasets` if they are wanted, else their names."""
    rows = _rows(data, numbers)
    if not rows:
        raise NotOffered("the data have no rows")
    if isinstance(rows[0], str):
        rows = [{"text": one} for one in rows]
    if not isinstance(rows[0], dict):
        raise NotOffered(f"data are a file, a frame, or a list of rows (dicts) or texts, not of {type(rows[0]).__name__}")
    with path.open("wb") as out:
        for number, row in enumerate(rows):
            out.write(_line(number, row) + b"\n")
    return str(path)


def _line(number: int, row: Any) -> bytes:
    """A row as a line of JSON."""
    try:
        written = json.dumps(row, ensure_ascii=False, allow_nan=False, default=_json)
    except (TypeError, ValueError):
        # A key that is no text, a number that JSON does not have.
        written = json.dumps(_clean(row), ensure_ascii=False)
    try:
        return written.encode()
    except UnicodeEncodeError:
        column = next((str(name) for name, value in row.items() if not _is_text(value)), None)
        # As an error of the file that is written here: `of_rows` makes a row of the line.
        raise BadRow(
            f"column `{column}` holds half of a character (a lone surrogate), which is no text",
            line=str(number + 1),
            column=column,
        ) from None


def _is_text(value: Any) -> bool:
    try:
        str(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def _json(value: Any) -> Any:
    """A value that JSON does not have, as one that it has. What no task reads (bytes, sets, decimals) is named by its type, as
    chains name it: a column that is only carried along must not keep a frame from being evaluated."""
    if comes_from(value, "pandas", "NAType", "NaTType"):
        return None
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    kind = type(value)
    return {f"{kind.__module__}.{kind.__qualname__}": reprlib.repr(value)}


def _clean(value: Any, depth: int = 0) -> Any:
    """The same with texts for keys, and nothing where a number is none (NaN, infinite)."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    if depth > DEEPEST:
        raise NotOffered(f"a value is nested more than {DEEPEST} deep")
    if isinstance(value, Mapping):
        return {str(key): _clean(one, depth + 1) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(one, depth + 1) for one in value]
    return _clean(_json(value), depth + 1)


#: Values may be nested this deep; a list that holds itself would never end.
DEEPEST = 64


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(rows: list[dict[str, Any]]) -> Table:
    return Table.of_rows(rows)
