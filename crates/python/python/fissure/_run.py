"""Evaluations: run a model, look at what was found, hold it to rules."""

from __future__ import annotations

import atexit
import difflib
import html
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import _native
from ._call import alone, arranged, as_files, by_number, call, flags, lent, lines, log, named, of_rows, settled, table, write
from ._native import Table
from ._show import heat, html_table, svg_intervals
from .errors import Error, GateFailed, NotOffered, UnknownName


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
            if part is not None and part not in chains:
                near = difflib.get_close_matches(part, chains, 3)
                advice = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(chains)}"
                raise UnknownName(f"the run has no part {part!r}; {advice}", name=part, nearest="\n".join(near))
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
        if not rules and not more.get("rules"):
            raise NotOffered('there is no rule to hold the run to: give some, such as "drop(universal) <= 0.05", or rules=FILE')
        words = flags("gate", {"rule": list(rules), "baseline": baseline, **more})
        code, printed, notes = call("gate", str(self.folder), *words)
        shown = "\n".join([printed, *notes]).strip()
        if code == 1:
            raise GateFailed(shown)
        return shown

    def report(self, path: str | os.PathLike[str] | None = None, *, force: bool = False, **more: Any) -> Path:
        """Writes the report again: `report("report.html")`, or beside the run. `force=True` replaces a file that is there."""
        if path is None:
            call("report", str(self.folder), *flags("report", more))
            return self.folder / "report.html"
        path = Path(path)
        form = path.suffix.lstrip(".")
        if form not in ("html", "pdf", "tex", "json"):
            raise NotOffered(f"a report is .html, .pdf, .tex or .json, not {path.name!r}")
        if not force and os.path.lexists(path) and not _is_same(path, self.folder / f"report.{form}"):
            raise Error(f"there is a file {path} already: give another name, or force=True to replace it")
        call("report", str(self.folder), "--format", form, *flags("report", more))
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _is_same(path, self.folder / f"report.{form}"):
            path.write_bytes((self.folder / f"report.{form}").read_bytes())
        return path

    def compare(self, other: Any, **more: Any) -> str:
        """This run beside an earlier one: the report of both, as the command line writes it, in a folder of its own in this run's
        (`compared-with-yesterday`), unless `out=` names another. The earlier run stays as it is."""
        if more.get("out") is None:
            name = re.sub(r"[^\w.-]+", "-", Path(os.fspath(other)).resolve().name)
            more |= {"out": self.folder / f"compared-with-{name}", "force": True}
        _, printed, notes = call("report", os.fspath(other), str(self.folder), *flags("report", more))
        return "\n".join([printed, *notes]).strip()

    def explore(self, model: Any = None, **more: Any) -> Page:
        """A local page behind a token: `page.url`, `page.close()`.

        Args:
            model: The model of the run, if it is one of this process; others are opened when the page asks them.
            more: Flags of `fissure explore`: `attacks=RUN`, `port=8000`, ...
        """
        words = [str(self.folder), "--no-open", *flags("explore", more)]
        if model is None:
            return Page(["explore", *words])
        with (self.folder / "run.jsonl").open(encoding="utf-8") as file:
            known = str(json.loads(next(file))["config"]["model"])
        if not known.startswith("python:"):
            raise NotOffered(f"the run asked {known}, which the page opens by itself: leave model= out")
        with lent(model, name=known.removeprefix("python:")) as (_, models, _):
            return Page(["explore", *words], models)

    def _repr_html_(self) -> str:
        parts = self.findings.parts.to_dicts()[:30]
        columns = ("name", "changed", "drop", "drop_low", "drop_high", "p_holm")
        rows = [{column: part.get(column) for column in columns} for part in parts]
        drops = [(part["name"], part.get("drop"), part.get("drop_low"), part.get("drop_high")) for part in parts]
        return f"<p>{html.escape(self.verdict)}</p>{svg_intervals(drops)}{html_table(rows)}"


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


class Findings:
    """What was found, as tables: `parts`, `slices`, `salad`, `bias`, `not_run`; `raw` is all of it."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw

    def __reduce__(self) -> tuple[Any, ...]:
        return Findings, (self.raw,)

    def __getattr__(self, name: str) -> Table:
        if name.startswith("__"):
            # Copies and notebooks look for names that no finding has.
            raise AttributeError(name)
        rows = self.raw.get(name)
        if not isinstance(rows, list) or (rows and not isinstance(rows[0], dict)):
            known = [key for key, value in self.raw.items() if isinstance(value, list)]
            raise AttributeError(f"there are no findings called {name!r}; there are {', '.join(known)}")
        return table([flat(row) for row in rows])

    def __repr__(self) -> str:
        return f"<fissure.Findings: {len(self.raw['parts'])} parts, {len(self.raw['slices'])} slices>"


class Page:
    """A local page; `url` opens it, `close()` ends it."""

    def __init__(self, words: list[str], models: Sequence[dict[str, Any]] = ()) -> None:
        self.url, self._end = _served_here(words, models) if models else _served_apart(words)
        # A page does not outlive its program.
        atexit.register(self._end)

    def close(self) -> None:
        atexit.unregister(self._end)
        self._end()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<fissure.Page at {self.url}>"

    def _repr_html_(self) -> str:
        return f"<a href='{html.escape(self.url)}'>{html.escape(self.url)}</a>"


def _served_apart(words: list[str]) -> tuple[str, Callable[[], None]]:
    """A page in a process of its own: its address, and what ends it."""
    command = [sys.executable, "-m", "fissure", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None

    def end() -> None:
        process.terminate()
        process.wait(10)

    said = []
    for line in process.stdout:
        said.append(line)
        found = re.search(r"http://\S+", line)
        if found:
            return found.group(), end
    raise Error(f"the page did not open: {''.join(said).strip()}")


def _served_here(words: list[str], models: Sequence[dict[str, Any]]) -> tuple[str, Callable[[], None]]:
    """A page on a thread of this process, which asks the models: its address, and what ends it."""
    known: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def serve() -> None:
        try:
            _native.explore(["fissure", *words], list(models), log.info, known.put)
            known.put(Error("the page has ended"))
        except BaseException as why:
            known.put(why)

    thread = threading.Thread(target=serve, name="fissure-page", daemon=True)
    # The page is set up as any command is, and serves beside others.
    with alone():
        thread.start()
        opened = known.get()
    if isinstance(opened, BaseException):
        raise opened

    def end() -> None:
        opened.close()
        thread.join(10)

    return opened.url, end


def evaluate(
    model: Any,
    data: Any,
    *,
    task: str | None = None,
    out: str | os.PathLike[str] | None = None,
    labels: Sequence[str] | None = None,
    version: str | None = None,
    exact: bool = False,
    progress: Any = None,
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
        progress: A function of `(done, total, what)`, True or False; if not given, a bar where somebody looks.
        more: Flags of `fissure evaluate`: `suite="quick"`, `limit=1000`, `seed=7`, `keep=[...]`, ...
    """
    folder = Path(out) if out is not None else _free()
    if (folder / "run.jsonl").exists():
        raise Error(
            f"there is a run in {folder} already: give another out=..., or fissure.resume(model, {str(folder)!r}) to go on with it"
        )
    with lent(model, labels, version, exact) as (words, models, known):
        given = flags("evaluate", settled({"task": task, **more}, known))
        known_by = _checksum_of(models)
        with _kept(data, folder, known_by, by_number(words, models, more)) as files:
            call("evaluate", *words, "--data", *files, "--out", str(folder), *given, models=models, progress=progress)
    return Run(folder)


@contextmanager
def _kept(data: Any, folder: Path, known_by: str | None, numbers: bool) -> Iterator[list[str]]:
    """Data as files, kept in the folder of the run if they are none, beside what tells the model from others; nothing is left
    if no run begins, and no file is touched that was there before."""
    files = named(data)
    ours = [folder / name for name, wanted in ((DATA, files is None), (CHECKSUM, known_by)) if wanted]
    taken = next((path for path in ours if os.path.lexists(path)), None)
    if taken is not None:
        raise Error(
            f"there is a file {taken} already, and the run keeps one of its own under this name: give another out=..., or move it"
        )
    # The folders that are made here, the innermost first.
    fresh = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    try:
        if known_by is not None:
            with (folder / CHECKSUM).open("x", encoding="utf-8") as file:
                made.append(folder / CHECKSUM)
                file.write(known_by + "\n")
        if files is not None:
            yield files
        else:
            with of_rows():
                (folder / DATA).touch(exist_ok=False)
                made.append(folder / DATA)
                yield [write(data, folder / DATA, numbers)]
    except BaseException:
        if not (folder / "run.jsonl").exists():
            for path in made:
                path.unlink(missing_ok=True)
            for path in fresh:
                if any(path.iterdir()):
                    break
                path.rmdir()
        raise


#: What data that are no file are kept as, in the folder of their run.
DATA = "data.jsonl"

#: What tells a model of this process from others, beside its run.
CHECKSUM = "model.sha256"


def _checksum_of(models: Sequence[dict[str, Any]]) -> str | None:
    """The checksum of the model of a run; None if it has none. White boxes have theirs in the run itself."""
    found = [model["known_by"]() for model in models if model["known_by"] is not None]
    return found[0] if found else None


def resume(
    model: Any,
    out: str | os.PathLike[str],
    *,
    labels: Sequence[str] | None = None,
    version: str | None = None,
    exact: bool = False,
    same_model: bool = False,
    progress: Any = None,
) -> Run:
    """Goes on with a run that was stopped. The model must be the one that it began with: by its weights, by what it pickles as, by
    the code of a function and the values that it reaches for, or by the `version` that it was given; `same_model=True` says so
    where that is known better than by the machine."""
    with lent(model, labels, version, exact) as (words, models, _):
        asked = [model for model in models if model["known_by"] is not None]
        if asked and not same_model:
            path = Path(out) / CHECKSUM
            _check_same(path.read_text(encoding="utf-8").strip() if path.exists() else None, _checksum_of(asked), os.fspath(out))
        call("evaluate", "--resume", os.fspath(out), *words, models=models, progress=progress)
    return Run(out)


def _check_same(before: str | None, now: str | None, out: str) -> None:
    """Refuses another model than the one of a run, and one of which that cannot be known."""
    if before is not None and before == now:
        return
    if before is not None and now is not None:
        why = "its model was another (by its weights, what it pickles as, its code or its version)"
    else:
        why = "it cannot be known whether its model was this one, which neither pickles nor has a version"
    raise Error(
        f"the run in {out} cannot be resumed: {why}. Put back what it began with, start a new run, or say same_model=True if "
        "it answers alike"
    )


def predict(
    model: Any,
    data: Any,
    *,
    task: str | None = None,
    labels: Sequence[str] | None = None,
    exact: bool = False,
    progress: Any = None,
    **more: Any,
) -> Table:
    """The answers of a model: `id`, `predicted`, `label`, `log_probs`; the flags of `fissure predict`."""
    return table(_lines("predict", model, data, labels, exact, progress, {"task": task, **more}))


def score(
    model: Any,
    data: Any,
    *,
    task: str | None = None,
    labels: Sequence[str] | None = None,
    exact: bool = False,
    progress: Any = None,
    **more: Any,
) -> Scores:
    """How fragile every answer is: lambda_max, the flip forecast and more, a row a text.

    The flags of `fissure score`: `tokens=True` (integrated gradients and more for every token), `eta=True`, `decode=3`
    (substitutions that move a text farthest), `part=["typos"]`, `run=RUN`, ...
    """
    return Scores(_lines("score", model, data, labels, exact, progress, {"task": task, **more}))


class Scores:
    """Scores, a row a text, the order that of the data; a table for pandas, polars, pyarrow and others."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<fissure.Scores of {len(self)} texts>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Scores, (self._rows,)

    @property
    def columns(self) -> list[str]:
        return self.table().columns

    def table(self) -> Table:
        return table(self._rows)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        return self.table().to_pandas()

    def to_polars(self) -> Any:
        return self.table().to_polars()

    def to_pyarrow(self) -> Any:
        return self.table().to_pyarrow()

    def to_dict(self) -> dict[str, list[Any]]:
        return self.table().to_dict()

    def to_dicts(self) -> list[dict[str, Any]]:
        return [dict(row) for row in self._rows]

    def most_fragile(self, count: int = 10) -> Scores:
        """The texts that are most likely to flip, by the forecast, else by doubt."""
        by = "flip_forecast" if any(row.get("flip_forecast") is not None for row in self._rows) else "uncertainty"
        return Scores(sorted(self._rows, key=lambda row: -(row.get(by) or 0.0))[:count])

    def _repr_html_(self) -> str:
        shown = self.most_fragile(20)._rows
        columns = ("id", "predicted", "label", "flip_forecast", "lambda_max", "uncertainty")
        rows = [
            {column: row.get(column) for column in columns}
            | ({"words": heat(row.get("tokens") or row["words"])} if row.get("tokens") or row.get("words") else {})
            for row in shown
        ]
        return f"<p>the {len(shown)} most fragile of {len(self)} texts</p>{html_table(rows, safe=('words',))}"


def words(
    model: Any, data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, progress: Any = None, **more: Any
) -> Table:
    """The words that carry a model's decisions; the flags of `fissure words`."""
    with arranged("words", model, data, {"task": task, **more}, labels) as (given, models):
        _, printed, _ = call("--json", "words", *given, models=models, progress=progress)
    return table([flat(word) for word in json.loads(printed)["words"]])


def forecast(
    model: Any, data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, progress: Any = None, **more: Any
) -> Forecast:
    """What each part would do to a model, without asking about changed texts: `.parts`, and `.texts` with the words that
    threaten each. The model must have gradients. The flags of `fissure forecast`: `parts=["typos"]`, `suite="quick"`, ..."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        out = Path(folder) / "forecast.jsonl"
        with arranged("forecast", model, data, {"task": task, **more}, labels) as (given, models):
            _, printed, _ = call(
                "--json", "forecast", *given, "--out", str(out), models=models, progress=progress
            )
        return Forecast(json.loads(printed), lines(out))


class Forecast:
    """What parts would do to a model; `raw` is all that the command said."""

    def __init__(self, raw: dict[str, Any], texts: list[dict[str, Any]]) -> None:
        self.raw, self._texts = raw, texts

    def __reduce__(self) -> tuple[Any, ...]:
        return Forecast, (self.raw, self._texts)

    @property
    def parts(self) -> Table:
        """A row a part: flips and drop with their intervals, the forecast by margin alone, the calibration."""
        return table([flat(part) for part in self.raw["parts"]])

    @property
    def texts(self) -> Table:
        """A row for each text and part: the probability of a flip, and the edits that threaten most (`threats`, JSON)."""
        rows = []
        for text in self._texts:
            own = {name: value for name, value in text.items() if name != "parts"}
            rows += [flat({**own, **part}) for part in text["parts"]]
        return table(rows)

    def __repr__(self) -> str:
        return f"<fissure.Forecast of {len(self.raw['parts'])} parts on {self.raw['samples']} texts>"

    def _repr_html_(self) -> str:
        parts = [flat(part) for part in self.raw["parts"]]
        columns = ("name", "texts", "flips", "flips_low", "flips_high", "drop", "drop_low", "drop_high")
        flips = [(part["name"], part["flips"], part["flips_low"], part["flips_high"]) for part in parts]
        return svg_intervals(flips) + html_table([{column: part.get(column) for column in columns} for part in parts])


def trigger(
    model: Any, data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, progress: Any = None, **more: Any
) -> Table:
    """A few words that flip the answers when they stand before any text of a label, a row a label; needs gradients. The flags
    of `fissure trigger`: `words=3`, `label="pos"`, ..."""
    with arranged("trigger", model, data, {"task": task, **more}, labels) as (given, models):
        _, printed, _ = call("--json", "trigger", *given, models=models, progress=progress)
    found = json.loads(printed)
    return table([{"label": one["label"], **flat({**one["trigger"], "words": " ".join(one["trigger"]["words"])})} for one in found])


def compare(
    models: Sequence[Any], data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, progress: Any = None, **more: Any
) -> dict[str, Any]:
    """Whether models find the same examples fragile, and which are fragile for all: what `fissure compare` finds."""
    with arranged("compare", list(models), data, {"task": task, **more}, labels) as (given, described):
        _, printed, _ = call("--json", "compare", *given, models=described, progress=progress)
    found: dict[str, Any] = json.loads(printed)
    return found


def explore(
    model: Any, data: Any, *, task: str | None = None, labels: Sequence[str] | None = None, **more: Any
) -> Page:
    """A local page behind a token, where you see why a model is fragile and break it by hand; several models are compared.

    The flags of `fissure explore`. `page.url` opens it and `page.close()` ends it; a model of this process is asked on a
    thread of its own.
    """
    with arranged("explore", model, data, {"task": task, "no_open": True, **more}, labels) as (given, models):
        return Page(["explore", *given], models)


def train(data: Any, out: str | os.PathLike[str], *, task: str | None = None, progress: Any = None, **more: Any) -> str:
    """Trains a small model, or fine-tunes an encoder (`from_=DIR`): its directory, which every function here takes.

    The flags of `fissure train`: `arch="cnn"`, `epochs=5`, ...
    """
    with as_files(data) as files:
        given = ["--data", *files, "--out", os.fspath(out), *flags("train", settled({"task": task, **more}, {}))]
        call("train", *given, progress=progress)
    return os.fspath(out)


def attack(
    model: Any,
    data: Any,
    *,
    recipe: str | None = None,
    task: str | None = None,
    labels: Sequence[str] | None = None,
    progress: Any = None,
    **more: Any,
) -> Table:
    """The smallest changes that turn a model's answers: a row a text; the flags of `fissure attack`, `replay=FILE` among them."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        with arranged("attack", model, data, {"recipe": recipe, "task": task, **more}, labels) as (given, models):
            call("attack", *given, "--out", folder, models=models, progress=progress)
        return table([flat(row) for row in lines(Path(folder) / "attacks.jsonl")])


def assert_robust(model: Any, data: Any, *rules: str, **more: Any) -> None:
    """For pytest: evaluates the model and raises `GateFailed` (an AssertionError) if a rule does not hold. It takes the arguments of
    `evaluate`, and `strict=True`, `allow_unmeasured=True` and `baseline=RUN` of `Run.gate`."""
    held = {name: more.pop(name) for name in ("strict", "allow_unmeasured", "baseline") if name in more}
    if not rules:
        raise NotOffered('there is no rule to hold the model to: give some, such as "drop(all) <= 0.05"')
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        evaluate(model, data, out=Path(folder) / "run", **more).gate(*rules, **held)


def _lines(
    command: str,
    model: Any,
    data: Any,
    labels: Sequence[str] | None,
    exact: bool,
    progress: Any,
    given: dict[str, Any],
) -> list[dict[str, Any]]:
    """What a command writes, line by line."""
    with tempfile.TemporaryDirectory(prefix="fissure-") as folder:
        out = Path(folder) / "out.jsonl"
        with arranged(command, model, data, given, labels, None, exact) as (words, models):
            call(command, *words, "--out", str(out), models=models, progress=progress)
        return lines(out)


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
