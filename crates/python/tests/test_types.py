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
