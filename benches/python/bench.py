"""What Python costs, and what peers do: words changed per second of processor time, on the same texts.

    maturin build --release -m crates/python/Cargo.toml && pip install target/wheels/*.whl pandas pyarrow nlpaug
    python benches/python/bench.py [AG_NEWS_TEST.csv]

A word counts as changed if it differs from the word at the same place; texts that grow or shrink count by the smaller
number of words. nlpaug and TextAttack are measured if they are installed.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path
from typing import Any, Callable

import fissure as fs

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "ag_news" / "test.csv"
COUNT = 1000


def texts(path: Path) -> list[str]:
    if not path.exists():
        sys.exit(f"there is no {path}: give the test set of AG News")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return [" ".join(row[-2:]) for row in rows[1 : COUNT + 1]]


def changed_words(before: list[str], after: list[str]) -> int:
    return sum(a != b for old, new in zip(before, after) for a, b in zip(old.split(), new.split()))


def best(work: Callable[[], Any], rounds: int = 5) -> tuple[float, Any]:
    """The least processor time of several rounds, and what came of the last."""
    least, made = float("inf"), None
    for _ in range(rounds):
        began = time.process_time()
        made = work()
        least = min(least, time.process_time() - began)
    return least, made


def show(name: str, took: float, before: list[str], after: list[str]) -> None:
    words = changed_words(before, [str(text) for text in after])
    print(f"{name:34} {len(before) / took:>12,.0f} texts/s {words / took:>12,.0f} words changed/s ({words} words)")


def main() -> None:
    data = texts(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED)
    fs.threads(1)
    one = fs.contraction()
    one([""])
    took, _ = best(lambda: [one._native.texts([], None, HOW) for _ in range(1000)])
    print(f"crossing, an empty list: {took * 1e3:.1f} us")
    parts = {"keyboard": fs.keyboard(), "typos": fs.typos(), "swap_syn_wordnet": fs.swap_syn_wordnet()}
    for name, chain in parts.items():
        chain(data[:10])
        took, made = best(lambda: chain(data))
        show(f"fissure {name}, list", took, data, made)
        try:
            import pandas as pd
        except ImportError:
            continue
        frame = pd.DataFrame({"text": data})
        took, made = best(lambda: chain(frame))
        show(f"fissure {name}, pandas", took, data, list(made.changed))
        try:
            import pyarrow as pa
        except ImportError:
            continue
        table = pa.table({"text": data})
        took, made = best(lambda: chain(table))
        show(f"fissure {name}, pyarrow", took, data, made["changed"].to_pylist())
        took, made = best(lambda: [chain(table.slice(at, 100)) for at in range(0, COUNT, 100)])
        print(f"{'  in batches of 100':34} {COUNT / took:>12,.0f} texts/s")
    peers(data[:100])


HOW = {"seed": 0, "keep": [], "where": None, "senses": [], "whole": True, "alone": True, "skip_bad": False}


def peers(data: list[str]) -> None:
    try:
        import nlpaug.augmenter.char as char
        import nlpaug.augmenter.word as word
    except ImportError:
        print("nlpaug: not measured, it is not installed")
    else:
        augmenters = {"keyboard": char.KeyboardAug()}
        try:
            augmenters["synonyms"] = word.SynonymAug(aug_src="wordnet")
        except Exception as why:
            print(f"nlpaug synonyms: not measured, {why}")
        for name, augmenter in augmenters.items():
            took, made = best(lambda: augmenter.augment(data), 2)
            show(f"nlpaug {name}", took, data, made)
    try:
        from textattack.augmentation import CharSwapAugmenter, WordNetAugmenter
    except Exception as why:
        print(f"TextAttack: not measured, {type(why).__name__}: {why}")
        return
    for name, maker in {"CharSwap": CharSwapAugmenter, "WordNet": WordNetAugmenter}.items():
        augmenter = maker()
        took, made = best(lambda: [augmenter.augment(text)[0] for text in data[:20]], 1)
        show(f"TextAttack {name}", took, data[:20], made)


if __name__ == "__main__":
    main()
