"""Real engines: Ray Data, Dask, Spark. Every partitioning gives the rows of one machine."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Iterable

import pytest

import fissure as fs
from conftest import TEXTS
from test_catalog import ROWS as CATALOG_ROWS

CHAIN = (fs.contraction() + fs.typos(rate=0.4)).seeded(5)
ROWS = [{"id": at, "text": f"{text} {at}"} for at in range(30) for text in TEXTS]
ROWS = [{**row, "id": at} for at, row in enumerate(ROWS)]


def digest(rows: Iterable[dict[str, Any]]) -> str:
    columns = ("id", "text", "changed", "status", "edits")
    found = sorted(tuple(row[column] for column in columns) for row in rows)
    return hashlib.sha256(repr(found).encode()).hexdigest()


def here() -> str:
    pa = pytest.importorskip("pyarrow")
    return digest(CHAIN(pa.Table.from_pylist(ROWS)).to_pylist())


def test_ray(limit: None) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        for blocks in (1, 7):
            data = ray.data.from_items(ROWS, override_num_blocks=blocks)
            made = data.map_batches(CHAIN.step(column="text", id="id"), batch_format="pyarrow", batch_size=None)
            assert digest(made.take_all()) == here()
    finally:
        ray.shutdown()


def test_dask(limit: None) -> None:
    pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    pd = pytest.importorskip("pandas")
    import dask.dataframe as dd

    with distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster):
            for pieces in (2, 7):
                frame = dd.from_pandas(pd.DataFrame(ROWS), npartitions=pieces)
                step = CHAIN.step(column="text", id="id")
                made = frame.map_partitions(step, meta=step.meta(frame)).compute()
                assert digest(made.to_dict("records")) == here()


def test_spark(limit: None) -> None:
    pytest.importorskip("pyspark")
    import shutil

    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        step = CHAIN.step(column="text", id="id")
        for pieces in (1, 7):
            frame = spark.createDataFrame(ROWS).repartition(pieces)
            made = frame.mapInArrow(step.batches, step.ddl(frame.schema))
            assert digest(row.asDict() for row in made.collect()) == here()
    finally:
        spark.stop()


def test_the_command_line_agrees(tmp_path: Any) -> None:
    from conftest import changed_by_command

    lines = changed_by_command("contraction+typos", ROWS, "classification", tmp_path, "--seed", "5", "--set", "typos.rate=0.4")
    made = [
        {
            "id": int(line["id"]),
            "text": old["text"],
            "changed": line["text"],
            "status": line["status"],
            "edits": json.dumps(line.get("trail", {}).get("edits", []), ensure_ascii=False, separators=(",", ":")),
        }
        for line, old in zip(lines, ROWS)
    ]
    assert digest(made) == here()


def step_of(name: str, task: str, donors: str) -> Any:
    """A part as a step on rows of a task; None if a partition cannot be changed by it."""
    chain, more = fs.chain(name, seed=5), {}
    rows, model = f"{donors}/{task}.jsonl", f"{donors}/{task}-model"
    lent = {"donors": {"donors": [rows]}, "training_data": {"train": [rows]}, "token_importance": {"model": model}}
    for need in CARDS[name]["needs"]:
        if need == "token_importance" and task not in TRAINED:
            return None
        if need == "label_senses":
            more["senses"] = SENSES.get(task)
        elif need in lent:
            chain = chain.lend(**lent[need])
    try:
        step = chain.step(task=task, id="id", **more)
        step([{**row, "id": "0"} for row in CATALOG_ROWS[task]])
    except fs.NotOffered:
        # Made for another task, for data as a whole, or for a model.
        return None
    return step


class EveryPart:
    """Every part on rows of every task that it serves: `id`, `task` and `row` (JSON) give `id` and `made` (JSON)."""

    def __init__(self, donors: str) -> None:
        self.steps: dict[str, dict[str, Any]] = {}
        for task in CATALOG_ROWS:
            found = {name: step_of(name, task, donors) for name in CARDS}
            self.steps[task] = {name: step for name, step in found.items() if step is not None}

    def __call__(self, batch: Any) -> Any:
        import pyarrow as pa

        given = batch.to_pylist()
        made: dict[Any, dict[str, Any]] = {row["id"]: {} for row in given}
        for task, steps in self.steps.items():
            rows = [{**json.loads(row["row"]), "id": str(row["id"])} for row in given if row["task"] == task]
            for name, step in steps.items() if rows else ():
                for row in step(rows):
                    made[int(row["id"])][name] = [row.status, row.reason, dict(row), row._trail]
        found = {"id": [row["id"] for row in given], "made": [json.dumps(made[row["id"]]) for row in given]}
        kind = pa.Table if isinstance(batch, pa.Table) else pa.RecordBatch
        return kind.from_pydict(found, schema=pa.schema([("id", pa.int64()), ("made", pa.string())]))

    def batches(self, batches: Iterable[Any]) -> Iterable[Any]:
        return map(self, batches)


def digests(rows: Iterable[dict[str, Any]]) -> dict[str, str]:
    """A digest for each part, of all rows in the order of their ids."""
    rows = sorted(rows, key=lambda row: int(row["id"]))
    assert [int(row["id"]) for row in rows] == list(range(len(ROWS_OF_PARTS)))
    found: dict[str, Any] = {}
    for row in rows:
        for name, made in json.loads(row["made"]).items():
            found.setdefault(name, hashlib.sha256()).update(json.dumps([row["id"], made]).encode())
    return {name: digest.hexdigest() for name, digest in found.items()}


#: What the labels of rows mean: parts that set labels ask for it.
SENSES = {
    "nli": {"entailment": "entails", "contradiction": "contradicts", "neutral": "neutral"},
    "sm": {"1": "same", "0": "different"},
}
#: The tasks for which a small model is trained, for parts that ask which words carry an answer.
TRAINED = ("classification", "nli")

CARDS = {card["name"]: card for kind in ("transform", "destroyer") for card in fs.catalog(kind)}
ROWS_OF_PARTS = [
    {"task": task, "row": json.dumps(row)} for task, rows in CATALOG_ROWS.items() for row in rows for _ in range(2)
]
ROWS_OF_PARTS = [{"id": at, **row} for at, row in enumerate(ROWS_OF_PARTS)]


@pytest.fixture(scope="module")
def every(tmp_path_factory: Any) -> EveryPart:
    from conftest import fissure

    donors = tmp_path_factory.mktemp("donors")
    for task, rows in CATALOG_ROWS.items():
        lines = "".join(json.dumps({**row, "id": f"d{at}"}) + "\n" for at, row in enumerate(rows))
        (donors / f"{task}.jsonl").write_text(lines, encoding="utf-8")
        if task in TRAINED:
            # Words that carry an answer are asked of a model; how good it is plays no role.
            words = ["--data", str(donors / f"{task}.jsonl"), "--task", task, "--out", str(donors / f"{task}-model")]
            done = fissure("train", "--arch", "fasttext", "--epochs", "1", *words)
            assert done.returncode == 0, done.stderr
    return EveryPart(str(donors))


@pytest.fixture(scope="module")
def wanted(every: EveryPart) -> dict[str, str]:
    """The digests of one machine, one partition."""
    pa = pytest.importorskip("pyarrow")
    return digests(every(pa.Table.from_pylist(ROWS_OF_PARTS)).to_pylist())


def test_every_part_gives_one_digest_for_1_7_and_64_partitions(every: EveryPart, wanted: dict[str, str]) -> None:
    pa = pytest.importorskip("pyarrow")
    # What is left needs a model that is too large for a test.
    assert {name: card["needs"] for name, card in CARDS.items() if name not in wanted} == {
        "mlm_suggestion": ["language_model"],
        "back_trans": ["translator"],
        "mlm": ["language_model"],
    }
    assert len(set(wanted.values())) > 60, "parts differ"
    rows = every(pa.Table.from_pylist(ROWS_OF_PARTS)).to_pylist()
    changed = {name for row in rows for name, made in json.loads(row["made"]).items() if made[0] == "changed"}
    assert set(wanted) == changed, "a digest of rows that a part leaves alone says nothing"
    table = pa.Table.from_pylist(ROWS_OF_PARTS)
    for pieces in (7, 64):
        size = -(-len(table) // pieces)
        made = [every(table.slice(at, size)) for at in range(0, len(table), size)]
        assert digests(pa.concat_tables(reversed(made)).to_pylist()) == wanted


def test_every_part_under_ray(every: EveryPart, wanted: dict[str, str], limit: None) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        for blocks in (1, 7, 64):
            data = ray.data.from_items(ROWS_OF_PARTS, override_num_blocks=blocks)
            made = data.map_batches(every, batch_format="pyarrow", batch_size=None)
            assert digests(made.take_all()) == wanted
    finally:
        ray.shutdown()


def test_every_part_under_dask(every: EveryPart, wanted: dict[str, str], limit: None) -> None:
    distributed = pytest.importorskip("distributed")
    pa = pytest.importorskip("pyarrow")
    with distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            table = pa.Table.from_pylist(ROWS_OF_PARTS)
            for pieces in (1, 7, 64):
                size = -(-len(table) // pieces)
                cut = [table.slice(at, size) for at in range(0, len(table), size)]
                made = client.gather(client.map(every, cut, pure=False))
                assert digests(pa.concat_tables(made).to_pylist()) == wanted


def test_every_part_under_spark(every: EveryPart, wanted: dict[str, str], limit: None) -> None:
    pytest.importorskip("pyspark")
    import shutil

    if shutil.which("java") is None:
        pytest.skip("NOT TESTED: Spark needs Java")
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        for pieces in (1, 7, 64):
            frame = spark.createDataFrame(ROWS_OF_PARTS).repartition(pieces)
            made = frame.mapInArrow(every.batches, "id long, made string").collect()
            assert digests(row.asDict() for row in made) == wanted
    finally:
        spark.stop()


def test_an_evaluation_in_pieces_under_ray(tmp_path: Any, limit: None, monkeypatch: Any) -> None:
    ray = pytest.importorskip("ray")
    from test_models import ROWS as REVIEWS
    from test_plan import load

    plan = fs.plan(REVIEWS, pieces=8, task="sa", suite="typos")
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
    try:
        data = ray.data.from_items(plan.numbers(), override_num_blocks=8)
        made = data.map_batches(plan.worker(load), batch_format="pyarrow", batch_size=None)
        pieces = made.random_shuffle(seed=3).take_all()
        # As the manual has it.
        piece = ray.remote(lambda n: plan.piece(n, load))
        assert ray.get(piece.remote(3)) == next(dict(one) for one in pieces if one["piece"] == 3)
        rows = ray.data.from_items(ROWS)
        step = CHAIN.step(column="text", id="id")
        for given in (rows.map_batches(step), rows.map(step)):
            assert digest(given.take_all()) == here()
            assert set(ROWS[0]) < set(given.take_all()[0]), "the other columns stay"
    finally:
        ray.shutdown()
    monkeypatch.chdir(tmp_path)
    merged = fs.merge([*pieces, pieces[2]], tmp_path / "merged")
    (tmp_path / "data.jsonl").write_bytes(plan._rows)
    whole = fs.evaluate(load(), "data.jsonl", task="sa", suite="typos", out=tmp_path / "whole")
    assert (merged.folder / "run.jsonl").read_bytes() == (whole.folder / "run.jsonl").read_bytes()


def test_a_step_that_needs_all_of_the_data_is_refused() -> None:
    gathering = [card["name"] for card in fs.catalog("transform") if "donors" in card["needs"]]
    if gathering:
        with pytest.raises(fs.NotOffered, match="as a whole"):
            fs.chain(gathering[0]).step()
