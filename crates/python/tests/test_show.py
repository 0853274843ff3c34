"""What is shown: progress while work goes on, and pages and pictures of what was found."""

from __future__ import annotations

import pickle
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import fissure as fs
from fissure import _progress
from test_models import ROWS, scores


def slow(texts: list[str]) -> list[list[float]]:
    time.sleep(0.02 * len(texts))
    return scores(texts)


def test_progress_goes_to_a_function(tmp_path: Path) -> None:
    heard: list[tuple[int, int | None, str]] = []

    def hear(done: int, total: int | None, what: str) -> None:
        heard.append((done, total, what))

    fs.evaluate(slow, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run", progress=hear)
    done = [done for done, _, what in heard if what == "samples"]
    assert done and done == sorted(done) and done[-1] == len(ROWS), "it ends with all of them"
    assert all(total == len(ROWS) for _, total, what in heard if what == "samples")


def test_an_exception_of_the_listener_comes_back(tmp_path: Path) -> None:
    def hear(done: int, total: int | None, what: str) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(fs.Error) as failed:
        fs.evaluate(slow, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run", progress=hear)
    assert isinstance(failed.value.__cause__, ZeroDivisionError) and not isinstance(failed.value, fs.ModelFailed)
    assert str(failed.value) == "progress= raised ZeroDivisionError: mine"


def test_bars_and_lines(monkeypatch: Any, capsys: Any) -> None:
    assert _progress.hears(False) is None
    made: list[Any] = []

    class Tqdm:
        def __init__(self, **given: Any) -> None:
            self.n, self.closed, self.given = 0, False, given
            made.append(self)

        def update(self, count: int) -> None:
            self.n += count

        def close(self) -> None:
            self.closed = True

    bar = _progress.Bar(Tqdm)
    bar("samples", 3, 10, False)
    bar("samples", 10, 10, True)
    bar("batches", 1, None, False)
    assert [(one.n, one.closed, one.given["total"]) for one in made] == [(10, True, 10), (1, False, None)]
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    lines = _progress.hears(True)
    assert isinstance(lines, _progress.Lines)
    lines._next = 0.0
    lines("samples", 3, 10, False)
    lines("samples", 4, 10, False)
    assert capsys.readouterr().err == "3 of 10 samples\n", "one line a second"


def test_tqdm_is_used_where_it_is_installed() -> None:
    pytest.importorskip("tqdm")
    assert isinstance(_progress.hears(True), _progress.Bar)


def test_pictures_have_no_scripts(tmp_path: Path) -> None:
    rows = [{"text": "<script>alert(1)</script> a good film", "label": "pos"}, *ROWS]
    run = fs.evaluate(scores, rows, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run")
    found = fs.score(scores, rows, task="sa", labels=["neg", "pos"], tokens=True)
    for shown in (run, found, fs.typos(rate=1)(rows[0]["text"]), fs.typos(rate=1)(rows)[0]):
        page = shown._repr_html_()
        assert "<script" not in page and "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "<svg" in run._repr_html_() and "<span style='background" in found._repr_html_()
    assert len(found) == len(rows) and pickle.loads(pickle.dumps(found)).to_dicts() == found.to_dicts()


def test_a_page_shows_a_run_and_closes(tmp_path: Path, limit: None) -> None:
    run = fs.evaluate(scores, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run")
    with run.explore() as page:
        assert page.url.startswith("http://127.0.0.1:")
        assert "Fissure" in read(page.url)
    with pytest.raises(OSError):
        read(page.url)


def test_a_page_asks_a_model_of_this_process(tmp_path: Path, limit: None) -> None:
    asked: list[str] = []

    def watched(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        return scores(texts)

    with fs.explore(watched, ROWS, task="sa", labels=["neg", "pos"]) as page:
        assert "Fissure" in read(page.url)
        until(lambda: len(asked) >= len(ROWS))
        # Other commands go on beside it.
        assert len(fs.predict(scores, ROWS, task="sa", labels=["neg", "pos"])) == len(ROWS)
        assert "Fissure" in read(page.url)
    with pytest.raises(OSError):
        read(page.url)
    with pytest.raises(fs.Error, match="labels"):
        fs.explore(scores, ROWS, task="sa")


def read(url: str) -> str:
    import http.cookiejar
    import urllib.request

    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    with opener.open(url, timeout=30) as page:
        return str(page.read().decode())


def until(holds: Any) -> None:
    """Waits until something holds; the limit of the test ends it otherwise."""
    while not holds():
        time.sleep(0.05)
