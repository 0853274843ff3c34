"""What the tests share: texts, a run of the command line, and a loud list of what was not installed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import pytest

# Workers of Spark run this Python, not the first one on the path.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# Workers of every engine find the modules of these tests.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.path.dirname(__file__), os.environ.get("PYTHONPATH")]))

#: Libraries that tests want, each with what is not tested without it.
WANTED = {
    "pandas": "frames of pandas",
    "polars": "frames of polars",
    "pyarrow": "tables of pyarrow",
    "datasets": "datasets.map",
    "sklearn": "models of scikit-learn",
    "torch": "white boxes",
    "transformers": "pipelines and their models",
    "spacy": "models of spaCy",
    "ray": "Ray Data",
    "dask": "Dask",
    "pyspark": "Spark",
    "mypy": "the types of the package",
    "nbclient": "the notebook",
}

TEXTS = [
    "I don't like it, and it is not good at all.",
    "The film was great! Ann and Peter saw it 3 times in 2019.",
    "A very long and dull story about nothing.",
    "",
    "Straße, café, naïve: ünïcödé 🙂 stays.",
    "She bought 12 apples because they were cheap.",
    "He said: \"The answer is 42.\"",
    "no punctuation here just a few plain words in a row",
]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    missing = [f"{name}: {what}" for name, what in WANTED.items() if importlib.util.find_spec(name) is None]
    if missing:
        terminalreporter.section("NOT TESTED, because it is not installed", sep="!")
        for line in missing:
            terminalreporter.line(line)


@pytest.fixture
def texts() -> list[str]:
    return list(TEXTS)


def fissure(*words: str, data: str | None = None) -> subprocess.CompletedProcess[str]:
    """The command line that is inside the wheel."""
    command = [sys.executable, "-m", "fissure", *words]
    return subprocess.run(command, input=data, capture_output=True, text=True, timeout=300)


def changed_by_command(name: str, rows: list[dict[str, Any]], task: str, folder: Path, *more: str) -> list[dict[str, Any]]:
    """The lines that `fissure transform` writes for rows."""
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out = folder / f"{name}.jsonl"
    done = fissure("transform", name, "--data", str(file), "--task", task, "--out", str(out), "--force", *more)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def limit() -> Iterator[None]:
    """Ends a test that hangs, with a stack of every thread. Engines on a busy machine take minutes; what hangs takes for ever."""
    import faulthandler

    faulthandler.dump_traceback_later(400, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


SHARED = Path(os.environ.get("FISSURE_SHARED", Path(__file__).resolve().parents[4] / "shared"))
