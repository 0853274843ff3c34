"""All models beside PyTorch, and beside the papers' Algorithm 1 as written, in one run of about five minutes.

    cargo build --release -p fissure-models --examples
    VENV/bin/python benches/models/all.py

It prints a table and writes nothing. Every row compares the same work on the same texts, both sides in turns, and gives
the median of Fissure's time over the other's: below 1 is faster. Run it on a machine that does nothing else; the last
column says how far single rounds were apart.
"""

import argparse
import pathlib
import statistics
import time

import torch

import algorithm
import encoder
import small

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What must hold: time ratios of forward + C-1 input gradients, and of training.
TARGETS = {"fasttext_ag": 0.3, "cnn_ag": 0.25, "bilstm_imdb": 0.6, "minilm_ag": 0.95}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--golden", type=pathlib.Path, default=ROOT.parent / "shared/golden", help="the reference models")
    arguments.add_argument("--binaries", type=pathlib.Path, default=ROOT / "target/release/examples")
    arguments.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--clock", choices=["wall", "processor"], default="wall",
                           help="processor time suffers less from a busy machine")
    arguments = arguments.parse_args()
    for name in ["bench_small", "bench_encoder"]:
        if not (arguments.binaries / name).is_file():
            raise SystemExit(f"{arguments.binaries / name} is missing; cargo build --release -p fissure-models --examples")
    started = time.perf_counter()
    print(f"{'model':<12} {'work':<22} {'threads':>7} {'Fissure, s':>11} {'other, s':>11} {'ratio':>9} {'target':>7}  rounds")
    for row in rows(arguments):
        show(row)
    print(f"\n{time.perf_counter() - started:.0f} s in all; {arguments.clock} time; PyTorch {torch.__version__}")


def rows(arguments):
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for name, kind in small.MODELS:
            for row in small.compare(arguments.golden, name, kind, arguments.binaries / "bench_small",
                                     count=512, rounds=arguments.rounds, threads=threads):
                if row["clock"] == arguments.clock:
                    yield row
        for row in encoder.compare(arguments.golden / "minilm_ag", arguments.golden / "minilm_ag.jsonl",
                                   arguments.binaries / "bench_encoder", count=48, max_length=64,
                                   rounds=max(arguments.rounds - 2, 1), threads=threads, works=["pull", "train"]):
            if arguments.clock == "processor":
                row["ratio"] = row["processor_ratio"]
            yield row
    torch.set_num_threads(1)
    for name, kind in small.MODELS:
        yield algorithm.compare(arguments.golden, name, kind, arguments.binaries / "bench_small")


def show(row):
    target = {"pull": TARGETS.get(row["model"]), "train": 1.0}.get(row["work"], 0.001)
    verdict = "" if row["ratio"] <= target else "  MISSED"
    ratio = f"{row['ratio']:.2f}" if row["ratio"] > 0.01 else f"1/{1 / row['ratio']:,.0f}"
    spread = f"{row['lowest_ratio']:.2g} to {row['highest_ratio']:.2g}" if "lowest_ratio" in row else ""
    print(f"{row['model']:<12} {row['work']:<22} {row['threads']:>7} {row['fissure']:>11.5f} {row['pytorch']:>11.5f} "
          f"{ratio:>9} {target:>7}  {spread}{verdict}", flush=True)


if __name__ == "__main__":
    main()
