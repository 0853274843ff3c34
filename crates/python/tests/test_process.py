"""Forks, spawned processes, threads, Ctrl-C, import time: nothing hangs and nothing is dragged in."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import fissure as fs

TEXTS = ["a rather long text with many words that could be changed"] * 2000
CHAIN = fs.typos(rate=0.3)


def count(seed: int) -> int:
    return len({str(text) for text in CHAIN.seeded(seed)(TEXTS, id=list(range(len(TEXTS))))})


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_forked_children_work(limit: None) -> None:
    here = count(1)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(count, [1, 1]) == [here, here]
    assert count(1) == here, "and so does the parent"


def test_spawned_children_work(limit: None) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(count, [1, 1]) == [count(1)] * 2


def threads(_: int) -> int:
    return fs.threads()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_worker_among_others_has_one_thread(limit: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    for way in ("fork", "spawn"):
        with multiprocessing.get_context(way).Pool(2) as pool:
            assert pool.map(threads, [0, 0]) == [1, 1], way
    code = "import fissure; print(fissure.threads(), fissure.threads(3), fissure.threads(0))"
    counts = {}
    for said in ({}, {"OMP_NUM_THREADS": "2"}, {"OMP_NUM_THREADS": "4,2"}, {"RAYON_NUM_THREADS": "5", "OMP_NUM_THREADS": "2"}):
        clean = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
        ran = subprocess.run([sys.executable, "-c", code], env={**clean, **said}, capture_output=True, text=True, timeout=60)
        counts[" ".join(said.values())] = [int(count) for count in ran.stdout.split()]
    cores = counts[""][0]
    assert counts == {"": [cores, 3, cores], "2": [2, 3, 2], "4,2": [4, 3, 4], "5 2": [5, 3, 5]}


def test_threads_work_at_once(limit: None) -> None:
    found: list[int] = []
    workers = [threading.Thread(target=lambda: found.append(count(1))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert found == [count(1)] * 4


def test_ctrl_c_is_heard(limit: None) -> None:
    code = """
        import fissure as fs, sys
        texts = ["a rather long text with many words, and it is not short: 12 apples"] * 1_000_000
        print("ready", flush=True)
        try:
            fs.chain("typos+keyboard+ocr", rate=1)(texts)
        except KeyboardInterrupt:
            print("heard", flush=True)
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(3)
    began = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "heard\n" and time.monotonic() - began < 10


def test_nothing_is_imported_that_the_user_did_not_import() -> None:
    code = "import sys, fissure; print(sorted(m for m in sys.modules if m.split('.')[0] in ('numpy','pandas','pyarrow','torch','polars')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_the_wheel_brings_the_command() -> None:
    from conftest import fissure

    shown = fissure("--version")
    assert shown.returncode == 0 and shown.stdout.split()[1] == fs.__version__
    assert fissure("transform", "typo").returncode == 2
    assert "keyboard" in fissure("list", "transforms").stdout


COMMAND = """
    import fissure as fs, os, sys, tempfile
    rows = [{"text": f"a good film number {at}, and not a dull one", "label": ["neg", "pos"][at % 2]} for at in range(400)]
    folder = tempfile.mkdtemp()
    model = fs.train(rows, folder + "/model", arch="fasttext", epochs=2, task="sa")
    here = os.getcwd()
    print("ready", flush=True)
    try:
        while True:
            run = fs.evaluate(model, rows * 5, task="sa", suite="typos", fragility=False, out=tempfile.mkdtemp() + "/run")
    except KeyboardInterrupt:
        print("heard", os.getcwd() == here, flush=True)
    print(len(fs.predict(model, rows, task="sa")))
"""


def test_ctrl_c_ends_a_command_that_asks_no_model_of_python(limit: None) -> None:
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(COMMAND)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=100)
    assert out == "heard True\n400\n", "and the next command works"


def model(texts: list[str]) -> list[list[float]]:
    return [[0.25, 0.75] for _ in texts]


def answers(_: int) -> int:
    return len(fs.predict(model, [{"text": "one"}, {"text": "two"}], task="sa", labels=["neg", "pos"]))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_forked_children_run_commands_while_the_parent_runs_one(limit: None) -> None:
    found: list[int] = []

    def forks(texts: list[str]) -> list[list[float]]:
        # The parent is in the middle of a command, and holds what one command at a time holds.
        if not found:
            found.append(0)
            thread = threading.Thread(target=fork)
            thread.start()
            thread.join(60)
        return model(texts)

    def fork() -> None:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            found[0] = pool.map(answers, [0])[0]

    assert answers(0) == 2
    fs.predict(forks, [{"text": "one"}], task="sa", labels=["neg", "pos"])
    assert found == [2]


def test_workers_of_a_data_loader_change_texts(limit: None) -> None:
    data = pytest.importorskip("torch.utils.data")
    loader = data.DataLoader(TEXTS[:64], batch_size=16, num_workers=2, collate_fn=lambda batch: list(CHAIN(batch)))
    assert [text for batch in loader for text in batch] == list(CHAIN(TEXTS[:64]))
