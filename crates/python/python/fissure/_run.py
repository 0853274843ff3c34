"""Evaluations: run a model, look at what was found, hold it to rules."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._call import as_files, call, flags, lent, lines, table, write
from ._native import Table
from .errors import Error, GateFailed


class Run:
    """A run in its folder. It pickles as its path."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if not (self.folder / "run.jsonl").exists():
            raise Error(f"there is no run in {self.folder}; fissure.evaluate(..., out=...) makes one")

    def __reduce__(self) -> tuple[Any, ...]:
        return Run, (str(self.folder),)

    def __fspath__(self) -> str:
        return str(self.folder)

    def __repr__(self) -> str:
        return f"<fissure.Run in {self.folder}: {self.verdict}>"

    @property
    def findings(self) -> Findings:
        """Everything that was found."""
        return Findings(json.loads((self.folder / "findings.json").read_text(encoding="utf-8")))

    @property
    def verdict(self) -> str:
        """The main metric on the data as they are, and the largest drop."""
        found = self.findings.raw
        shown = [f"{name} {_estimate(value)}" for name, value in found["clean"][:1]]
        drops = [(part["evidence"]["drop"], part["name"]) for part in found["parts"] if (part["evidence"] or {}).get("drop")]
        if drops:
            drop, name = max(drops, key=lambda one: float(one[0]["value"]))
            shown.append(f"largest drop {_estimate(drop)} under {name}")
        return "; ".join(shown) or "not measured: the data have no labels"

    def cases(self, part: str | None = None, *, flipped: bool | None = None) -> Table:
        """A row for every changed text: what it became, and the answers before and after."""
        rows = []
        with (self.folder / "run.jsonl").open(encoding="utf-8") as file:
            header = json.loads(next(file))
            chains = [chain["name"] for chain in header["plan"]["chains"]]
            sample: dict[str, Any] = {}
            for line in file:
                record = json.loads(line)
                if "texts" in record:
                    sample = record
                elif "chain" in record and record["status"] == "changed":
                    row = _case(sample, record, chains[record["chain"]])
                    wanted = part is None or row["part"] == part
                    if wanted and (flipped is None or row["flipped"] == flipped):
                        rows.append(row)
        return table(rows)

    def gate(self, *rules: str, baseline: Any = None, **more: Any) -> str:
        """Holds the run to rules such as `"drop(all) <= 0.05"`; raises `GateFailed` with the table if one does not hold."""
        words = flags({"rule": list(rules), "baseline": baseline, **more})
        code, printed, notes = call("gate", str(self.folder), *words)
        shown = "\n".join([printed, *notes]).strip()
        if code == 1:
            raise GateFailed(shown)
        return shown

    def report(self, path: str | os.PathLike[str] | None = None, **more: Any) -> Path:
        """Writes the report again: `report("report.html")`, or beside the run."""
        if path is None:
            call("report", str(self.folder), *flags(more))
            return self.folder / "report.html"
        path = Path(path)
        form = path.suffix.lstrip(".")
        call("report", str(self.folder), "--format", form, *flags(more))
        path.write_bytes((self.folder / f"report.{form}").read_bytes())
        return path

    def compare(self, other: Any, **more: Any) -> str:
        """This run beside an earlier one: the report of both, as the command line writes it."""
        _, printed, notes = call("report", os.fspath(other), str(self.folder), *flags(more))
        return "\n".join([printed, *notes]).strip()

    def explore(self, *, model: str | None = None, **more: Any) -> Page:
        """A local page behind a token. A model of this process cannot be asked from there; give `model=` a directory."""
        return Page(["explore", str(self.folder), *flags({"model": model, **more})])

    def _repr_html_(self) -> str:
        head = "part changed drop low high p_holm".split()
        rows = []
        for part in self.findings.parts.to_dicts()[:30]:
            shown = [part.get(name) for name in ("name", "changed", "drop", "drop_low", "drop_high", "p_holm")]
            rows.append("".join(f"<td>{_cell(value)}</td>" for value in shown))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        heads = "".join(f"<th>{name}</th>" for name in head)
        return f"<p>{html.escape(self.verdict)}</p><table><tr>{heads}</tr>{body}</table>"


class Findings:
    """What was found, as tables: `parts`, `slices`, `salad`, `bias`, `not_run`; `raw` is all of it."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw

    def __getattr__(self, name: str) -> Table:
        rows = self.raw.get(name)
        if not isinstance(rows, list) or (rows and not isinstance(rows[0], dict)):
            known = [key for key, value in self.raw.items() if isinstance(value, list)]
            raise AttributeError(f"there are no findings called {name!r}; there are {', '.join(known)}")
        return table([flat(row) for row in rows])

    def __repr__(self) -> str:
        return f"<fissure.Findings: {len(self.raw['parts'])} parts, {len(self.raw['slices'])} slices>"


class Page:
    """A local page; `url` opens it, `close()` ends it."""

    def __init__(self, words: list[str]) -> None:
        command = [sys.executable, "-m", "fissure", *words]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            found = re.search(r"http://\S+", line)
            if found:
                self.url = found.group()
                return
        raise Error(f"the page did not open: {''.join(said).strip()}")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return f"<a href='{html.escape(self.url)}'>{html.escape(self.url)}</a>"


def evaluate(
    model: Any,
    data: Any,
    *,
    task: str | None = None,
    out: str | os.PathLike[str] | None = None,
    labels: Sequence[str] | None = None,
    version: str | None = None,
    exact: bool = False,
    **more: Any,
) -> Run:
    """Asks a model about data and their changed forms: everything that `fissure evaluate` does, with its flags as arguments.

    Args:
        model: A function of a list of texts, a pipeline of scikit-learn or transformers, a spaCy pipeline, a white box, a
            directory, or an address.
        data: A frame, rows, texts, or the names of files. What is no file is kept in the folder of the run.
        task: What the columns mean: `fissure.catalog("task")`.
        out: The folder of the run; a new one in `fissure-runs` if not given.
        labels: The names of the classes, in the order of the scores.
        version: Names a model that is a bare function.
        exact: Whether to ask a model of Python one row at a time: slower, and then the last digits of an answer do not
            depend on the rows beside it.
        more: Flags of `fissure evaluate`: `suite="quick"`, `limit=1000`, `seed=7`, `keep=[...]`, ...
    """
    folder = Path(out) if out is not None else _free()
    with lent(model, labels, version, task, exact) as (name, models, task):
        if isinstance(data, (str, os.PathLike)):
            files = [os.fspath(data)]
        else:
            folder.mkdir(parents=True, exist_ok=True)
            files = [write(data, folder / "data.jsonl")]
        words = ["--model", name, "--data", *files, "--out", str(folder)]
        call("evaluate", *words, *flags({"task": task, **more}), models=models)
    return Run(folder)


def resume(model: Any, out: str | os.PathLike[str], *, labels: Sequence[str] | None = None, version: str | None = None) -> Run:
    """Goes on with a run that was stopped."""
    with lent(model, labels, version) as (name, models, _):
        call("evaluate", "--resume", os.fspath(out), "--model", name, models=models)
    return Run(out)


def predict(model: Any, data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, **more: Any) -> Table:
    """The answers of a classifier: `id`, `predicted`, `label`, `log_probs`; the flags of `fissure predict`."""
    return _lines("predict", model, data, task, labels, more)


def score(model: Any, data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, **more: Any) -> Table:
    """How fragile every answer is: lambda_max, the flip forecast and more; the flags of `fissure score` (`tokens=True`)."""
    return _lines("score", model, data, task, labels, more)


def words(model: Any, data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, **more: Any) -> Table:
    """The words that carry a model's decisions; the flags of `fissure words`."""
    with lent(model, labels, None, task) as (name, models, task), as_files(data) as files:
        given = ["--model", name, "--data", *files, *flags({"task": task, **more})]
        _, printed, _ = call("--json", "words", *given, models=models)
    return table([flat(word) for word in json.loads(printed)["words"]])


def attack(
    model: Any, data: Any, *, recipe: str | None = None, task: str | None = None, labels: Sequence[str] | None = None, **more: Any
) -> Table:
    """The smallest changes that turn a model's answers: a row a text; the flags of `fissure attack`, `replay=FILE` among them."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        with lent(model, labels, None, task) as (name, models, task), as_files(data) as files:
            given = ["--model", name, "--data", *files, "--out", folder]
            call("attack", *given, *flags({"recipe": recipe, "task": task, **more}), models=models)
        return table([flat(row) for row in lines(Path(folder) / "attacks.jsonl")])


def assert_robust(model: Any, data: Any, *rules: str, **more: Any) -> None:
    """For pytest: evaluates the model and raises `GateFailed` (an AssertionError) if a rule does not hold."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        evaluate(model, data, out=Path(folder) / "run", **more).gate(*rules)


def _lines(command: str, model: Any, data: Any, task: str | None, labels: Sequence[str] | None, more: dict[str, Any]) -> Table:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        out = Path(folder) / "out.jsonl"
        with lent(model, labels, None, task) as (name, models, task), as_files(data) as files:
            given = ["--model", name, "--data", *files, "--out", str(out)]
            call(command, *given, *flags({"task": task, **more}), models=models)
        return table(lines(out))


def _free() -> Path:
    """The first folder in `fissure-runs` that is not there yet."""
    number = 1
    while (Path("fissure-runs") / str(number)).exists():
        number += 1
    return Path("fissure-runs") / str(number)


def flat(row: dict[str, Any], before: str = "") -> dict[str, Any]:
    """A row without nesting: an estimate becomes `drop`, `drop_low`, `drop_high`; what cannot be flat becomes JSON."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        name = key if not before or key in ("counts",) else f"{before}_{key}"
        if isinstance(value, dict) and set(value) >= {"value", "low", "high"}:
            found |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
        elif isinstance(value, dict) and key in ("counts", "evidence"):
            found |= flat(value)
        elif isinstance(value, (dict, list)):
            found[name] = json.dumps(value, ensure_ascii=False)
        else:
            found[name] = value
    return found


def _case(sample: dict[str, Any], record: dict[str, Any], part: str) -> dict[str, Any]:
    texts = dict(sample["texts"]) if isinstance(sample["texts"], dict) else {name: text for name, text in sample["texts"]}
    names = list(texts)
    changed = dict(texts)
    for field, start, end, new in reversed(record.get("edits", [])):
        old = changed[names[field]].encode()
        changed[names[field]] = (old[:start] + new.encode() + old[end:]).decode()
    before, after = _said(sample.get("said")), _said(record.get("said"))
    row: dict[str, Any] = {"part": part, "id": sample["id"], "variant": record.get("variant", 0)}
    for name in names:
        row |= {name: texts[name], f"{name}_changed": changed[name]}
    gold = sample.get("gold")
    return row | {"gold": gold, "before": before, "after": after, "flipped": None if after is None else before != after}


def _said(said: Any) -> str | None:
    if not said:
        return None
    kind, value = next(iter(said.items()))
    return str(value["label"]) if kind == "class" else json.dumps(value, ensure_ascii=False)


def _estimate(value: dict[str, Any]) -> str:
    return f"{value['value']:.3f} ({value['low']:.3f} to {value['high']:.3f})"


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else html.escape("-" if value is None else str(value))
