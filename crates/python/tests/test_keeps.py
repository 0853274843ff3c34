"""What must stay: files of the user's, earlier runs, and the model that a run began with."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import fissure as fs
from test_models import ROWS, scores, scores_of_rows

K: dict[str, Any] = {"task": "sa", "labels": ["neg", "pos"], "chains": "typos", "progress": False}


def refuses(texts: list[str]) -> list[list[float]]:
    raise ValueError("no")


def test_files_of_the_user_stay(tmp_path: Path) -> None:
    out = tmp_path / "run"
    for name in ("data.jsonl", "model.sha256", "findings.json"):
        out.mkdir()
        (out / name).write_text("mine", encoding="utf-8")
        for model, more in (
            (scores, {}),
            (scores, {"chain": "typos"}),
            (scores, {"chains": "typo"}),
            (refuses, {}),
            (str(tmp_path / "nowhere"), {}),
        ):
            with pytest.raises(fs.Error):
                fs.evaluate(model, ROWS, out=out, **{**K, **more})
            if name != "model.sha256":
                with pytest.raises(fs.Error):
                    fs.evaluate(model, [], out=out, **{**K, **more})
            assert (out / name).read_text(encoding="utf-8") == "mine"
            assert [path.name for path in out.iterdir()] == [name], "nothing else is left"
        (out / name).unlink()
        out.rmdir()
    with pytest.raises(fs.ModelFailed):
        fs.evaluate(refuses, ROWS, out=tmp_path / "deep" / "er", **K)
    assert not list(tmp_path.iterdir()), "folders that were made for it are gone"


def twin(texts: list[str]) -> list[list[float]]:
    return scores(texts)


def test_another_function_does_not_go_on(tmp_path: Path) -> None:
    def by(factor: float) -> Any:
        return lambda texts: [[1 - factor * pos, factor * pos] for _, pos in scores(texts)]

    run = fs.evaluate(by(1.0), ROWS, out=tmp_path / "run", **K)
    fs.resume(by(1.0), run, labels=["neg", "pos"])
    for other in (by(0.5), scores, twin):
        with pytest.raises(fs.Error, match="same_model=True"):
            fs.resume(fs.model(lambda rows, other=other: other([row["text"] for row in rows]), name=K["task"]), run)
        with pytest.raises(fs.Error, match="its model was another"):
            fs.resume(other, run, labels=["neg", "pos"])
    with pytest.raises(fs.Error, match="its model was another"):
        fs.resume(by(1.0), run, labels=["neg", "pos"], version="2")

    lock = __import__("threading").Lock()

    def unknowable(texts: list[str]) -> list[list[float]]:
        with lock:
            return scores(texts)

    run = fs.evaluate(unknowable, ROWS, out=tmp_path / "other", **K)
    assert not (run.folder / "model.sha256").exists()
    with pytest.raises(fs.Error, match="cannot be known"):
        fs.resume(unknowable, run, labels=["neg", "pos"])
    fs.resume(unknowable, run, labels=["neg", "pos"], same_model=True)


def test_pieces_of_different_models_do_not_merge(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    plan = fs.plan(ROWS, pieces=2, task="sa", labels=["neg", "pos"], chains="typos")
    first, second = (plan.piece(number, lambda: scores) for number in (1, 2))
    named = fs.model(refuses, name="scores")
    named._answer = lambda rows: scores_of_rows([row["fields"] for row in rows])
    other = plan.piece(2, lambda: named)
    with pytest.raises(fs.Error, match="pieces 1 and 2 were answered by different models"):
        fs.merge([first, other], tmp_path / "mixed")
    run = fs.merge([first, second], tmp_path / "run")
    Path("data.jsonl").write_bytes(plan._rows)
    fs.resume(scores, run, labels=["neg", "pos"])
    with pytest.raises(fs.Error, match="its model was another"):
        fs.resume(named, run, labels=["neg", "pos"])


def test_reports_replace_nothing(tmp_path: Path) -> None:
    run = fs.evaluate(scores, ROWS, out=tmp_path / "today", **K)
    earlier = fs.evaluate(scores, ROWS, out=tmp_path / "yesterday", seed=2, **K)
    mine = tmp_path / "mine.json"
    mine.write_text("mine", encoding="utf-8")
    with pytest.raises(fs.Error, match="force=True"):
        run.report(mine)
    assert mine.read_text(encoding="utf-8") == "mine"
    assert json.loads(run.report(mine, force=True).read_text(encoding="utf-8"))
    run.report(run.folder / "report.json")
    before = sorted(path.name for path in earlier.folder.iterdir())
    run.compare(earlier, format="json")
    run.compare(str(earlier.folder), format="json")
    assert sorted(path.name for path in earlier.folder.iterdir()) == before
    assert (run.folder / "compared-with-yesterday").is_dir()


@fs.model(task="sa", labels=["neg", "pos"])
def decorated(rows: list[dict[str, Any]]) -> Any:
    return scores_of_rows(rows)


def test_a_model_pickles() -> None:
    again = pickle.loads(pickle.dumps(decorated))
    assert again.labels == decorated.labels and again.task == "sa" and again.name == decorated.name
    assert fs.predict(again, ROWS).to_dicts() == fs.predict(decorated, ROWS).to_dicts()
    assert pickle.loads(pickle.dumps(fs.model(scores_of_rows, version="3"))).checksum == "3"
