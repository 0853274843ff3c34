"""The types of the package, and those of the part that is written in Rust."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]


def test_mypy_is_content() -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--config-file", str(PACKAGE / "pyproject.toml"), str(PACKAGE / "python/fissure")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_stubs_say_what_is_there() -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "fissure._native", "--ignore-missing-stub", "--ignore-disjoint-bases"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


USER = '''
from __future__ import annotations

import fissure as fs

chain = (fs.contraction() + fs.typos(rate=0.2)).seeded(7)
one = chain("I don't like it.")
text: str = one.text
new: list[str] = [edit.new for edit in one.edits]
first: str = chain(["a", "b"])[0].undo()
row = fs.swap_ent()({"tokens": ["Ann", "left"], "tags": ["B-PER", "O"]}, task="ner")
status: str = row.status


@fs.model(task="nli", labels=["e", "n", "c"])
def mine(rows: list[dict[str, str]]) -> list[dict[str, object]]:
    return [{"label": "e"} for _ in rows]


def score(texts: list[str]) -> list[list[float]]:
    return [[0.5, 0.5] for _ in texts]


run = fs.evaluate(score, [{"text": "a", "label": "neg"}], task="sa", labels=["neg", "pos"], suite="quick")
run.gate("drop(all) <= 0.05")
step = chain.step(column="text")
try:
    fs.chain("typso")
except fs.UnknownName as unknown:
    names: list[str] = unknown.nearest
'''


def test_the_program_of_a_user_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "user.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
