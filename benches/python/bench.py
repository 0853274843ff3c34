"""What Python costs, and what peers do: words changed per second of processor time, on the same texts.

    maturin build --release -m crates/python/Cargo.toml && pip install target/wheels/*.whl pandas pyarrow nlpaug nltk
    python benches/python/bench.py [AG_NEWS_TEST.csv]

A word of a text counts as changed if the new text has it less often; spaces and punctuation do not count, because nlpaug
puts spaces of its own around punctuation. nlpaug and TextAttack are measured if they are installed, and ours at the rate
that changes nearest to as many words. The last lines are the time to import the package, each in a process of its own.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tempfile
import time
import types
from collections import Counter
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
    words = re.compile(r"\w+").findall
    return sum((Counter(words(old)) - Counter(words(new))).total() for old, new in zip(before, after))


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
    try:
        import pyarrow as pa
    except ImportError:
        print("crossing, a batch of Arrow: not measured, pyarrow is not installed")
    else:
        batch = pa.table({"text": [""]}).to_batches()[0]
        took, _ = best(lambda: [one._native.table(batch, "text", "content", HOW) for _ in range(1000)])
        print(f"crossing, a batch of Arrow with an empty text: {took * 1e3:.1f} us")
    # nlpaug changes 0.3 of the words, at most 10, by default.
    parts = {"keyboard": fs.keyboard(), "keyboard, 0.3": fs.keyboard(rate=0.3, max=10), "typos": fs.typos(), "swap_syn_wordnet": fs.swap_syn_wordnet()}
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
    threads(data)
    fs.threads(1)
    peers(data[:100])
    imports()


def threads(data: list[str]) -> None:
    """What all threads gain by the clock, which counts on an idle machine alone, and what they need of its processors together:
    if that is no more than one thread needs, they do not get in each other's way, busy machine or not."""
    try:
        import pandas as pd
    except ImportError:
        return
    chain, cores = fs.keyboard(rate=0.2), fs.threads(0)
    for rows in (COUNT, 20 * COUNT):
        frame = pd.DataFrame({"text": data * (rows // COUNT)})
        clock, processor = {}, {}
        for _ in range(7):
            for count in (1, cores):
                fs.threads(count)
                chain(frame.head(300))
                at = time.perf_counter(), time.process_time()
                made = chain(frame)
                took = time.perf_counter() - at[0], time.process_time() - at[1]
                clock[count] = min(took[0], clock.get(count, took[0]))
                processor[count] = min(took[1], processor.get(count, took[1]))
        words = changed_words(data, list(made.changed[:COUNT])) * (rows // COUNT)
        print(
            f"{rows:,} rows of pandas, keyboard at rate 0.2: {cores} threads are {clock[1] / clock[cores]:.2f} times as fast by the "
            f"clock ({words / clock[1]:,.0f} and {words / clock[cores]:,.0f} words changed/s) for {processor[cores] / processor[1]:.2f} "
            f"times the processor time (load {os.getloadavg()[0]:.1f})"
        )


IMPORT = "import time; a, b = time.perf_counter(), time.process_time(); import fissure; print(time.perf_counter() - a, time.process_time() - b)"


def imports() -> None:
    """The least time of several imports."""
    found = [subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True).stdout.split() for _ in range(7)]
    wall, processor = (min(float(one[at]) for one in found) for at in (0, 1))
    print(f"import: {wall * 1e3:.1f} ms, {processor * 1e3:.1f} ms of processor time")


HOW = {"seed": 0, "keep": [], "where": None, "senses": [], "whole": True, "alone": True, "skip_bad": False}


def matched(name: str, data: list[str], words: int, **knobs: Any) -> None:
    """Ours in pandas, at the rate that changes nearest to as many words of these texts as a peer did: the same work."""
    import pandas as pd

    def made(rate: float) -> Any:
        return fs.chain(name, rate=rate, **knobs)

    rate = min((step / 20 for step in range(1, 21)), key=lambda rate: abs(changed_words(data, list(made(rate)(data))) - words))
    # Enough texts for a clock: the same ones again.
    many = data * (COUNT // len(data))
    frame, chain = pd.DataFrame({"text": many}), made(rate)
    took, changed = best(lambda: chain(frame))
    show(f"fissure {name}, rate={rate}, pandas", took, many, list(changed.changed))


def without_tagger() -> None:
    """flair, a tagger that TextAttack imports and its augmenters never call, does not load beside recent transformers."""
    modules = {name: types.ModuleType(name) for name in ("flair", "flair.data", "flair.models")}
    modules["flair"].__path__ = []  # type: ignore[attr-defined]
    modules["flair.data"].Tokenizer = object  # type: ignore[attr-defined]
    modules["flair.data"].Sentence = None  # type: ignore[attr-defined]
    modules["flair.models"].SequenceTagger = None  # type: ignore[attr-defined]
    modules["flair"].data = modules["flair.data"]  # type: ignore[attr-defined]
    sys.modules.update(modules)


def peers(data: list[str]) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "peers"))
    import nltk_data

    folder = tempfile.mkdtemp()
    try:
        nltk_data.lend(folder, next((SHARED.parents[1] / "ud_ewt").glob("*train*")))
    except (ImportError, StopIteration) as why:
        print(f"WordNet of NLTK: not measured, {why!r}")
    beside_nlpaug(data)
    beside_textattack(data[:20])


def beside(who: str, data: list[str], work: Callable[[], Any], ours: str, **knobs: Any) -> None:
    work()  # what is loaded at first sight is not counted
    took, made = best(work, 2)
    show(who, took, data, made)
    matched(ours, data, changed_words(data, [str(text) for text in made]), **knobs)


def beside_nlpaug(data: list[str]) -> None:
    try:
        import nlpaug.augmenter.char as char
        import nlpaug.augmenter.word as word
    except ImportError as why:
        print(f"nlpaug: not measured, {why}")
        return
    # One letter of a word, and letters only, as ours.
    letters = {"include_special_char": False, "include_numeric": False, "aug_char_max": 1}
    for share in (0.1, 0.3):
        one = char.KeyboardAug(aug_word_p=share, **letters)
        beside(f"nlpaug keyboard, {share}", data, lambda: one.augment(data), "keyboard")
    for share in (0.1, 0.3):
        try:
            two = word.SynonymAug(aug_src="wordnet", aug_p=share)
            beside(f"nlpaug WordNet, {share}", data, lambda: two.augment(data), "swap_syn_wordnet")
        except Exception as why:
            print(f"nlpaug WordNet: not measured, {why}")


def beside_textattack(data: list[str]) -> None:
    without_tagger()
    try:
        from textattack.augmentation import CharSwapAugmenter, WordNetAugmenter
    except Exception as why:
        print(f"TextAttack: not measured, {type(why).__name__}: {why}")
        return
    for maker, ours in ((CharSwapAugmenter, "typos"), (WordNetAugmenter, "swap_syn_wordnet")):
        try:
            augmenter = maker()
            beside(f"TextAttack {maker.__name__}", data, lambda: [augmenter.augment(text)[0] for text in data], ours)
        except Exception as why:
            print(f"TextAttack {maker.__name__}: not measured, {type(why).__name__}: {why}")


if __name__ == "__main__":
    main()
