"""Two workers of Ray Data beside one, on as many rows as wanted.

    python benches/python/ray_workers.py [ROWS] [AG_NEWS_TEST.csv]

Rows are the first 1,000 texts of AG News over and over, each with its number, so that none is like another; every worker has
one thread. The time of the clock says what is gained on an idle machine. On a busy one it says nothing; the processor time
of the workers does: if two need no more of it than one for the same rows, they get in each other's way nowhere.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray

import fissure as fs
from bench import SHARED, texts

BATCH = 5_000
STEP = fs.keyboard(rate=0.2).step(column="text", id="id")


class Work:
    """Makes the texts of a batch of numbers, changes them, and says what it cost."""

    def __init__(self, data: list[str]) -> None:
        self.data = data

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        began = time.process_time()
        numbers = batch["id"].tolist()
        table = pa.table({"id": numbers, "text": [f"{self.data[n % len(self.data)]} {n}" for n in numbers]})
        made_at = time.process_time()
        made = STEP(table)
        changed = made["status"].to_pylist().count("changed")
        ended = time.process_time()
        return {
            "rows": [len(numbers)],
            "changed": [changed],
            "step": [ended - made_at],
            "all": [ended - began],
            "worker": [os.getpid()],
        }


def run(workers: int, rows: int, data: list[str]) -> dict[str, float]:
    # Ray itself wants a processor beside the workers.
    ray.init(num_cpus=workers + 1, include_dashboard=False, log_to_driver=False)
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        numbers = ray.data.range(rows, override_num_blocks=max(8, rows // 100_000))
        work = numbers.map_batches(
            Work, fn_constructor_args=(data,), batch_size=BATCH, concurrency=workers, num_cpus=1
        )
        began = time.perf_counter()
        made = work.take_all()
        took = time.perf_counter() - began
    finally:
        ray.shutdown()
    assert sum(row["rows"] for row in made) == rows
    assert len({row["worker"] for row in made}) == workers, "every worker had something to do"
    step, whole = sum(row["step"] for row in made), sum(row["all"] for row in made)
    print(
        f"{workers} worker(s): {rows:,} rows, {took:.1f} s by the clock, {whole:.1f} s of the workers' processors, "
        f"{step:.1f} s of them in the step ({step / rows * 1e6:.2f} us a row, {rows / took:,.0f} rows/s by the clock)",
        flush=True,
    )
    return {"took": took, "whole": whole, "step": step}


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    data = texts(Path(sys.argv[2]) if len(sys.argv) > 2 else SHARED)
    one, two = run(1, rows, data), run(2, rows, data)
    load = os.getloadavg()[0]
    print(f"by the clock {one['took'] / two['took']:.2f} times as fast (load {load:.1f} at the end: it counts below 1)")
    print(f"by processor time 2 workers do {2 * one['whole'] / two['whole']:.2f} times the work of one in the same time")


if __name__ == "__main__":
    main()
