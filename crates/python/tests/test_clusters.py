"""Real engines: Ray Data, Dask, Spark. Every partitioning gives the rows of one machine."""

from __future__ import annotations

import hashlib
from typing import Any, Iterable

import pytest

import fissure as fs
from conftest import TEXTS

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
    import json

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


def test_a_step_that_needs_all_of_the_data_is_refused() -> None:
    gathering = [card["name"] for card in fs.catalog("transform") if "donors" in card["needs"]]
    if gathering:
        with pytest.raises(fs.NotOffered, match="as a whole"):
            fs.chain(gathering[0]).step()
