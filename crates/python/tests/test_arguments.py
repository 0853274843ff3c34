"""Arguments: what they take, and what is said at once where they take something else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fissure as fs
from test_models import ROWS, scores

TEXTS = [row["text"] for row in ROWS]
CHAIN = fs.typos(rate=0.4)
K: dict[str, Any] = {"task": "sa", "labels": ["neg", "pos"], "progress": False}


def test_a_column_of_rows() -> None:
    rows = [{"body": text, "n": 1} for text in TEXTS[:4]]
    changed = CHAIN(rows, column="body")
    assert [row["body"] for row in changed] == [change.text for change in CHAIN(TEXTS[:4])]
    assert CHAIN(rows[0], column="body")["body"] == changed[0]["body"]
    assert fs.slice("length").measure(rows, column="body") == fs.slice("length").measure(TEXTS[:4])
    assert len(fs.slice("length", share=0.5)(rows, column="body")) == 2


def test_what_a_chain_made_of_a_list_is_kept_or_not() -> None:
    keep, changes = fs.keep("edit_distance>=0.9"), CHAIN(TEXTS)
    expected = keep(TEXTS, [change.text for change in changes])
    assert [change.text for change in keep(changes)] == expected and isinstance(keep(changes), fs.Changes)
    rows = CHAIN([{"text": text} for text in TEXTS])
    assert [row["text"] for row in keep(rows)] == expected
    with pytest.raises(fs.NotOffered, match="give the changed texts, too"):
        keep(TEXTS)


def test_bad_rows_are_skipped_everywhere() -> None:
    texts, keep = [TEXTS[0], None, TEXTS[1]], fs.keep("edit_distance>=0.1")
    assert fs.slice("length").measure(texts, on_bad_row="skip") == [3, None, 3]
    assert fs.slice("length", share=1)(texts, on_bad_row="skip") == [TEXTS[0], TEXTS[1]]
    assert [why is None for why in keep.failures(texts, texts, on_bad_row="skip")] == [True, False, True]
    assert keep(texts, texts, on_bad_row="skip") == [TEXTS[0], TEXTS[1]]
    for work in (fs.slice("length").measure, lambda data, **how: keep(data, data, **how)):
        with pytest.raises(fs.BadRow, match="row 1"):
            work(texts)
        with pytest.raises(fs.NotOffered, match="on_bad_row is"):
            work(texts, on_bad_row="ignore")


def test_conditions_on_labels_of_frames() -> None:
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    rows = [{**row, "id": f"i{at}"} for at, row in enumerate(ROWS)]
    frame, where = pd.DataFrame(rows), 'label == "pos"'
    plain = CHAIN(frame)
    expected = [new if row["label"] == "pos" else row["text"] for new, row in zip(plain.changed, rows)]
    status = ["changed" if row["label"] == "pos" and new != row["text"] else None for new, row in zip(plain.changed, rows)]
    for data in (frame, pl.DataFrame(rows), pa.table(frame), pa.table(frame).to_batches()[0]):
        made = CHAIN(data, where=where)
        assert list(made["changed"].to_pylist() if hasattr(made["changed"], "to_pylist") else made["changed"]) == expected
        found = list(made["status"].to_pylist() if hasattr(made["status"], "to_pylist") else made["status"])
        assert all(a == b for a, b in zip(found, status) if b) and "left out" in found
        texts = made["text"].to_pylist() if hasattr(made["text"], "to_pylist") else list(made["text"])
        assert texts == [row["text"] for row in rows], "the texts stay beside"


def test_chains_of_an_evaluation(tmp_path: Path) -> None:
    run = fs.evaluate(scores, ROWS, chains=CHAIN, out=tmp_path / "one", **K)
    same = fs.evaluate(scores, ROWS, chains="typos", set={"typos.rate": 0.4}, out=tmp_path / "two", **K)
    assert run.findings.raw["parts"] == same.findings.raw["parts"]
    both = fs.evaluate(scores, ROWS, chains=[CHAIN + fs.keyboard(), "contraction"], out=tmp_path / "more", **K)
    assert [part["name"] for part in both.findings.parts.to_dicts()] == ["typos+keyboard", "contraction"]
    seeded = fs.evaluate(scores, ROWS, chains=CHAIN.seeded(5), out=tmp_path / "seeded", **K)
    assert seeded.findings.raw["about"].get("seed", 5) == 5
    for wrong, said in (
        ([CHAIN, fs.typos(rate=0.1)], "twice, with different knobs"),
        ([CHAIN.seeded(1), fs.keyboard().seeded(2)], "a run has one seed"),
    ):
        with pytest.raises(fs.NotOffered, match=said):
            fs.evaluate(scores, ROWS, chains=wrong, out=tmp_path / "wrong", **K)


def test_misspelt_arguments_fail_at_once() -> None:
    with pytest.raises(fs.NotOffered, match="did you mean `suite`"):
        fs.plan(ROWS, pieces=2, task="sa", suit="quick")
    with pytest.raises(fs.NotOffered, match="did you mean `column`"):
        CHAIN.step(colum="text")
    with pytest.raises(fs.NotOffered, match="did you mean `chains`"):
        fs.evaluate(scores, ROWS, chain="typos", **K)


def test_answers_that_are_none_are_refused() -> None:
    import math

    def said(answer: Any, **more: Any) -> str:
        with pytest.raises(fs.ModelFailed) as failed:
            fs.predict(lambda texts: [answer for _ in texts], ROWS, **{**K, **more})
        return str(failed.value)

    for answer in ([math.log(0.3), math.log(0.7)], [math.inf, 0.0], [1.0, 5.0], [-0.5, 1.5]):
        assert "scores are probabilities" in said(answer)
        assert "scores are probabilities" in said({"scores": dict(zip(["neg", "pos"], answer))})
    assert "has none of scores, label" in said({"neg": 0.5, "pos": 0.5})
    assert "has none of scores, label" in said({})


def test_data_of_many_kinds() -> None:
    pd, pl, pa, np = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow", "numpy"))
    expected = fs.predict(scores, TEXTS, **K).to_dicts()
    table = pa.table({"text": TEXTS})
    for data in (
        pd.Series(TEXTS),
        pd.Series(TEXTS, name="body"),
        pl.Series(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS[:2], TEXTS[2:]]),
        (text for text in TEXTS),
        ({"text": text} for text in TEXTS),
        table,
        table.to_batches()[0],
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches()),
        pl.DataFrame({"text": TEXTS}).lazy(),
        fs.Table(table),
    ):
        assert fs.predict(scores, data, **K).to_dicts() == expected, type(data)
    with pytest.raises(fs.NotOffered, match="this is a dict"):
        fs.predict(scores, {"text": TEXTS}, **K)
    for data in (pd.Series(TEXTS), pl.Series(TEXTS), np.array(TEXTS), pa.array(TEXTS)):
        assert fs.slice("length").measure(data) == fs.slice("length").measure(TEXTS)
        assert list(fs.slice("length", share=0.5)(data)) == list(type(data)(fs.slice("length", share=0.5)(TEXTS))) if not (
            isinstance(data, (np.ndarray, pa.Array))
        ) else len(fs.slice("length", share=0.5)(data)) == len(TEXTS) // 2
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    assert len(fs.slice("length", share=0.5)(reader)) == len(TEXTS) // 2
    with pytest.raises(fs.NotOffered, match="collect the lazy frame"):
        fs.slice("length")(pl.DataFrame({"text": TEXTS}).lazy())


class Duck:
    """As scikit-learn would have it."""

    classes_ = ["neg", "pos"]

    def predict_proba(self, texts: list[str]) -> list[list[float]]:
        return scores(texts)


def test_a_classifier_of_one_s_own() -> None:
    assert fs.predict(Duck(), ROWS, task="sa").to_dicts() == fs.predict(scores, ROWS, **K).to_dicts()
    with pytest.raises(fs.NotOffered, match="Duck is a class"):
        fs.predict(Duck, ROWS, task="sa")
    with pytest.raises(fs.NotOffered, match="gives no gradients, which a trigger needs"):
        fs.trigger(Duck(), ROWS, task="sa")


def test_strict_rules() -> None:
    fs.assert_robust(scores, ROWS, "drop(all) <= 1", strict=True, chains="typos", **K)
    with pytest.raises(fs.GateFailed):
        fs.assert_robust(scores, ROWS, "drop(all) <= -1", strict=True, chains="typos", **K)


def test_columns_that_are_numbers() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({0: TEXTS, 1: range(len(TEXTS))})
    named = CHAIN(frame.rename(columns={0: "text", 1: "id"}))
    made = CHAIN(frame, column=0, id=1)
    assert list(made.changed) == list(named.changed)
    assert len(fs.slice("length", share=0.5)(frame, column=0)) == len(TEXTS) // 2
    assert len(fs.keep("edit_distance>=0")(made, column=0)) == len(TEXTS)


def test_tables_in_notebooks() -> None:
    table = fs.Table.of_rows([{"a": f"<b>{at}", "n": at / 3} for at in range(30)])
    shown = table._repr_html_()
    assert shown.startswith("<table>") and "&lt;b&gt;0" in shown and "30 rows" in shown
    assert "0 rows" in table.head(0)._repr_html_()


STOPS = """
import os, signal, sys, threading, time
import fissure as fs
model, what = sys.argv[1:]
data = [{"text": f"a good film of {at} old tales that we loved " * 60, "label": ["neg", "pos"][at % 2]} for at in range(400)]
def stop():
    time.sleep(2.0)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=stop, daemon=True).start()
try:
    getattr(fs, what)(model, data, task="sa", progress=False)
    print("ended")
except KeyboardInterrupt:
    print("heard" if time.monotonic() - sent < 5 else "late")
"""


@pytest.mark.parametrize("what", ["forecast", "trigger"])
def test_ctrl_c_is_heard(what: str, tmp_path: Path) -> None:
    model = fs.train(ROWS * 3, tmp_path / "model", arch="fasttext", task="sa", epochs=2, progress=False)
    done = subprocess.run([sys.executable, "-c", STOPS, model, what], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() in ("heard", "ended"), done.stderr


def test_bad_values_are_named() -> None:
    for work in (
        lambda: fs.predict(scores, ROWS, labels="neg,pos"),
        lambda: fs.plan(ROWS, pieces=1, labels="neg,pos"),  # type: ignore[arg-type]
        lambda: fs.predict(scores, ROWS, **{**K, "progress": "yes"}),
        lambda: CHAIN("a text", columns="text"),  # type: ignore[arg-type]
        lambda: CHAIN("a text", senses="0=entails"),  # type: ignore[arg-type]
        lambda: CHAIN("a text", keep=0.7),  # type: ignore[arg-type]
    ):
        with pytest.raises(fs.NotOffered, match="="):
            work()
    for work in (
        lambda: fs.keep(0.7),  # type: ignore[arg-type]
        lambda: fs.typos(rate=float("nan")),
        lambda: fs.typos(rate=[0.1]),  # type: ignore[arg-type]
        lambda: fs.chain("typos", rate=object()),
    ):
        with pytest.raises(fs.BadKnob):
            work()
    assert not {"Any", "TYPE_CHECKING", "annotations"} & set(dir(fs))
