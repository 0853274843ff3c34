"""Models of every kind, and everything that is asked of them."""

from __future__ import annotations

import json
import logging
import pickle
from pathlib import Path
from typing import Any

import pytest

import fissure as fs
from conftest import fissure

GOOD = ["a good film", "a fine story", "great fun", "not bad, rather good", "I like this fine film"]
BAD = ["a bad film", "a dull story", "no fun", "not good, rather bad", "I hate this dull film"]
ROWS = [{"text": text, "label": "pos"} for text in GOOD] + [{"text": text, "label": "neg"} for text in BAD]
ROWS = [{**row, "id": f"r{at}"} for at, row in enumerate(ROWS * 4)]


def scores(texts: list[str]) -> list[list[float]]:
    """A model that counts words."""
    found = []
    for text in texts:
        words = text.lower().split()
        good = sum(word.strip(",.") in ("good", "fine", "great", "like") for word in words)
        bad = sum(word.strip(",.") in ("bad", "dull", "no", "hate") for word in words)
        found.append([(1 + bad) / (2 + good + bad), (1 + good) / (2 + good + bad)])
    return found


def test_a_function_is_a_model() -> None:
    made = fs.predict(scores, ROWS, labels=["neg", "pos"], task="sa").to_dicts()
    assert [row["id"] for row in made] == [row["id"] for row in ROWS]
    assert made[0]["predicted"] == "pos" and made[5]["predicted"] == "neg"
    assert len(made[0]["log_probs"]) == 2
    def says(texts: list[str]) -> list[str]:
        return ["pos" if "good" in text else "neg" for text in texts]

    unlabelled = [{"id": row["id"], "text": row["text"]} for row in ROWS]
    with pytest.raises(fs.ModelFailed, match="give labels="):
        fs.predict(says, unlabelled, task="sa")
    for labels in (None, ["neg", "pos"]):  # without any, those of the data
        more = {} if labels is None else {"labels": labels}
        made = fs.predict(says, ROWS, task="sa", **more).to_dicts()
        assert {row["predicted"] for row in made} == {"neg", "pos"}


def test_a_model_that_answers_wrongly_is_told_before_the_run(tmp_path: Path) -> None:
    def asked(model: Any, **more: Any) -> str:
        with pytest.raises(fs.Error) as failed:
            fs.evaluate(model, ROWS, task="sa", out=tmp_path / "run", suite="quick", **more)
        assert not (tmp_path / "run" / "run.jsonl").exists(), "nothing half-written"
        return str(failed.value)

    assert "answers to" in asked(lambda texts: scores(texts)[:-1] if len(texts) > 1 else [], labels=["neg", "pos"])
    assert "give labels=" in asked(scores)
    assert "has 3 labels" in asked(scores, labels=["a", "b", "c"])
    assert "NaN" in asked(lambda texts: [[float("nan"), 0.5] for _ in texts], labels=["neg", "pos"])
    assert "no model" in asked(3)


def test_the_exception_of_a_model_comes_back_as_itself(tmp_path: Path) -> None:
    class Mine(Exception):
        pass

    def broken(texts: list[str]) -> list[list[float]]:
        raise Mine("out of order")

    with pytest.raises(fs.ModelFailed, match="out of order") as failed:
        fs.predict(broken, ROWS, labels=["neg", "pos"], task="sa")
    assert isinstance(failed.value.__cause__, Mine)


def test_an_evaluation_with_everything_behind_it(tmp_path: Path, caplog: Any) -> None:
    with caplog.at_level(logging.INFO, logger="fissure"):
        run = fs.evaluate(scores, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run")
    assert caplog.records, "notes go to logging"
    parts = run.findings.parts.to_dicts()
    assert parts and {"name", "changed", "drop", "drop_low", "drop_high", "p"} <= set(parts[0])
    cases = run.cases(parts[0]["name"]).to_dicts()
    assert cases and all(case["text"] != case["text_changed"] for case in cases)
    assert all(case["flipped"] for case in run.cases(flipped=True).to_dicts())
    assert "accuracy" in run.verdict and "<script" not in run._repr_html_()
    assert pickle.loads(pickle.dumps(run)).verdict == run.verdict
    assert run.gate("score >= 0.5")
    with pytest.raises(fs.GateFailed) as failed:
        run.gate("score <= 0.1")
    assert isinstance(failed.value, AssertionError) and "score" in str(failed.value)
    assert run.report(tmp_path / "mine.html").read_text(encoding="utf-8").startswith("<!")
    again = fs.evaluate(scores, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "again")
    same = [(folder / "run.jsonl").read_text().splitlines()[1:2] for folder in (run.folder, again.folder)]
    assert same[0] == same[1]
    with pytest.raises(fs.Error, match="there is no run"):
        fs.Run(tmp_path / "none")


def test_the_command_line_gives_the_same_run(tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    program.write_text(
        "import json, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_models import scores\n"
        "json.loads(input())\n"
        "print(json.dumps({'labels': ['neg', 'pos']}), flush=True)\n"
        "for line in sys.stdin:\n"
        "    question = json.loads(line)\n"
        "    found = scores([question['fields']['text']])[0]\n"
        "    print(json.dumps({'scores': dict(zip(['neg', 'pos'], found))}), flush=True)\n"
    )
    import sys

    run = fs.evaluate(scores, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "python")
    data = tmp_path / "python" / "data.jsonl"
    done = fissure(
        "evaluate", "--model", f"process:{sys.executable} {program}", "--data", str(data), "--task", "sa",
        "--suite", "typos", "--out", str(tmp_path / "command"),
    )
    assert done.returncode == 0, done.stderr

    def answers(folder: Path) -> list[Any]:
        # The seals hash the header, in which the two models have different names.
        lines = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()[1:]]
        return [line for line in lines if "seal" not in line]

    assert answers(tmp_path / "python") == answers(tmp_path / "command")
    ours, theirs = (json.loads((folder / "findings.json").read_text()) for folder in (run.folder, tmp_path / "command"))
    assert ours["parts"] == theirs["parts"] and ours["clean"] == theirs["clean"]


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    asked = []

    def stops(texts: list[str]) -> list[list[float]]:
        asked.append(len(texts))
        if len(asked) == 2:
            raise KeyboardInterrupt
        return scores(texts)

    with pytest.raises(KeyboardInterrupt):
        fs.evaluate(stops, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run")
    run = fs.resume(fs.model(scores_of_rows, labels=["neg", "pos"], name=stops.__qualname__), tmp_path / "run", same_model=True)
    assert run.findings.raw["about"]["data"]["samples"] == len(ROWS)


def scores_of_rows(rows: list[dict[str, Any]]) -> list[list[float]]:
    return scores([row["text"] for row in rows])


def test_rows_of_other_tasks(tmp_path: Path) -> None:
    rows = [
        {"tokens": ["Ann", "Smith", "left", "Paris"], "tags": ["B-PER", "I-PER", "O", "B-LOC"]},
        {"tokens": ["He", "works", "for", "IBM"], "tags": ["O", "O", "O", "B-ORG"]},
    ] * 5

    @fs.model(task="ner", labels=["B-PER", "O"])
    def tagger(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"tags": ["B-PER" if token[0].isupper() else "O" for token in row["tokens"]]} for row in rows]

    run = fs.evaluate(tagger, rows, suite="quick", out=tmp_path / "run")
    assert run.findings.raw["about"]["task"] == "ner" and run.findings.parts.to_dicts()


def test_words_and_attacks_of_a_function(tmp_path: Path) -> None:
    found = fs.words(scores, ROWS, task="sa", labels=["neg", "pos"], least=1).to_dicts()
    assert {"good", "dull"} & {row["word"] for row in found}
    rows = fs.attack(scores, ROWS[:6], recipe="textbugger", task="sa", labels=["neg", "pos"], without="encoder").to_dicts()
    assert len(rows) == 6


def test_a_model_may_use_the_package_itself(tmp_path: Path, limit: None) -> None:
    chain = fs.typos(rate=0.5)

    def inner(texts: list[str]) -> list[list[float]]:
        return scores([str(text) for text in chain(texts * 20)][: len(texts)])

    fs.threads(1)
    assert len(fs.predict(inner, ROWS, labels=["neg", "pos"], task="sa")) == len(ROWS)
    with pytest.raises(fs.NotOffered, match="before or after"):
        fs.predict(lambda texts: fs.predict(scores, ROWS), ROWS, labels=["neg", "pos"], task="sa")
    fs.threads(0)


def test_scikit_learn(tmp_path: Path) -> None:
    sklearn = pytest.importorskip("sklearn")
    del sklearn
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts, labels = [row["text"] for row in ROWS], [row["label"] for row in ROWS]
    pipeline = make_pipeline(CountVectorizer(), LogisticRegression()).fit(texts, labels)
    pd = pytest.importorskip("pandas")
    run = fs.evaluate(pipeline, pd.DataFrame(ROWS), task="sa", suite="typos", out=tmp_path / "run")
    assert run.findings.raw["about"]["model"]["labels"] == ["neg", "pos"]
    # A copy whose stop words have another place in memory is the same one.
    copy = pickle.loads(pickle.dumps(pipeline))
    copy.steps[0][1]._stop_words_id = 12345
    fs.resume(copy, run)
    copy.steps[1][1].coef_ = -copy.steps[1][1].coef_
    with pytest.raises(fs.Error, match="same_model=True"):
        fs.resume(copy, run)
    fs.assert_robust(pipeline, ROWS, "score >= 0.5", task="sa", suite="typos")
    with pytest.raises(fs.GateFailed):
        fs.assert_robust(pipeline, ROWS, "score <= 0.1", task="sa", suite="typos")


def test_repairs(tmp_path: Path) -> None:
    run = fs.evaluate(scores, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run")
    more = fs.repair.augment(ROWS, run=run, share=0.5, task="sa").to_dicts()
    assert len(more) > len(ROWS) and {row["label"] for row in more} == {"neg", "pos"}
    found = fs.repair.calibrate(scores, ROWS, labels=["neg", "pos"], task="sa")
    assert found.temperature > 0 and "temperature" in repr(found)
    assert fs.repair.threshold(scores, ROWS, labels=["neg", "pos"], task="sa")


def test_a_model_that_is_trained_here(tmp_path: Path) -> None:
    model = fs.train(ROWS, tmp_path / "model", arch="fasttext", epochs=3, task="sa")
    assert len(fs.predict(model, ROWS, task="sa")) == len(ROWS)
    assert fs.forecast(model, ROWS, task="sa", parts=["typos"]).parts.to_dicts()[0]["name"] == "typos"
    assert fs.compare([model, scores], ROWS, task="sa", labels=["neg", "pos"])["examples"] == len(ROWS)


def test_spacy() -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PER", "pattern": "Ann"}])
    from fissure._models import adapt

    model = adapt(nlp)
    assert isinstance(model, fs.Model)
    question = {"task": "ner", "fields": {"text": "Ann left"}, "tokens": ["Ann", "left"]}
    assert model.ask([question]) == [{"tags": ["B-PER", "O"]}]


def test_answers_that_are_none_of_the_labels(tmp_path: Any) -> None:
    def refused(answer: Any) -> str:
        with pytest.raises(fs.ModelFailed) as failed:
            fs.evaluate(lambda texts: answer(texts), ROWS, task="sa", labels=["neg", "pos"], out=tmp_path / "run", suite="typos")
        assert not (tmp_path / "run").exists(), "nothing is left"
        return str(failed.value)

    assert "answered `bad`, which is none of its labels (neg, pos)" in refused(lambda texts: ["bad"] * len(texts))
    assert "answered `0`, which is none" in refused(lambda texts: [0] * len(texts))
    assert "answered `x`" in refused(lambda texts: [{"label": "x"}] * len(texts))
    assert "gave None; it must give a list" in refused(lambda texts: None)
    assert "gave 'pos'; it must give a list" in refused(lambda texts: "pos")


def test_a_run_knows_its_model(tmp_path: Path) -> None:
    def other(texts: list[str]) -> list[list[float]]:
        return scores(texts)

    run = fs.evaluate(scores, ROWS, task="sa", labels=["neg", "pos"], suite="typos", version="1", out=tmp_path / "run")
    assert fs.resume(scores, run, labels=["neg", "pos"], version="1").folder == run.folder
    with pytest.raises(fs.Error, match="same_model=True"):
        fs.resume(scores, run, labels=["neg", "pos"], version="2")
    fs.resume(scores, run, labels=["neg", "pos"], version="2", same_model=True)
    with pytest.raises(fs.Error, match="same_model=True"):
        fs.resume(scores, run, labels=["neg", "pos"])  # whatever its code is, it is not version 1


def test_an_exception_in_the_middle_of_a_run_is_named(tmp_path: Path) -> None:
    asked = 0

    def fails(texts: list[str]) -> list[str]:
        nonlocal asked
        asked += len(texts)
        if asked > 45:
            raise ZeroDivisionError("later")
        return ["pos"] * len(texts)

    with pytest.raises(fs.ModelFailed, match="the model raised ZeroDivisionError: later") as failed:
        fs.evaluate(fails, ROWS, task="sa", labels=["neg", "pos"], suite="quick", out=tmp_path / "run")
    assert isinstance(failed.value.__cause__, ZeroDivisionError)


def test_what_is_asked_of_a_run_is_checked(tmp_path: Path) -> None:
    run = fs.evaluate(scores, ROWS, task="sa", labels=["neg", "pos"], suite="typos", out=tmp_path / "run")
    with pytest.raises(fs.UnknownName, match="did you mean 'typos'") as unknown:
        run.cases("typoz")
    assert unknown.value.nearest == ["typos"]
    with pytest.raises(fs.NotOffered, match="there is no rule"):
        run.gate()
    assert run.report(tmp_path / "new" / "report.json").exists()
    with pytest.raises(fs.NotOffered, match="not a builtins.int"):
        fs.evaluate(scores, 5, task="sa", labels=["neg", "pos"], out=tmp_path / "none")
    for pieces in (0, "two"):
        with pytest.raises(fs.NotOffered, match="one piece or more"):
            fs.plan(ROWS, pieces=pieces, task="sa")  # type: ignore[arg-type]
    with pytest.raises(fs.NotOffered, match="there is no piece 3"):
        fs.plan(ROWS, pieces=2, task="sa").piece(3, lambda: scores)


def test_frames_are_answers_row_by_row() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    wanted = fs.predict(scores, ROWS, task="sa", labels=["neg", "pos"]).to_dicts()
    for frame in (pd.DataFrame, lambda rows: pl.DataFrame(rows, orient="row")):
        assert fs.predict(lambda texts: frame(scores(texts)), ROWS, task="sa", labels=["neg", "pos"]).to_dicts() == wanted


def test_advice_has_no_flags(tmp_path: Path) -> None:
    with pytest.raises(fs.Error, match='give encoder=DIR, or run without it with `without="encoder"`'):
        fs.attack(scores, ROWS[:2], recipe="textfooler", task="sa", labels=["neg", "pos"])
    with pytest.raises(fs.UnknownName, match="there are .*transform.*slice"):
        fs.catalog("foo")
    with pytest.raises(fs.BadRow, match="an int where a text is needed"):
        fs.typos()(["a", 5])  # type: ignore[list-item]
