"""Fissure's encoder beside PyTorch, run in turns: the ratio of times is what counts, below 1 is faster.

PyTorch does what a careful user would write: batches of 16 texts of like length, padded and masked, with its fused
attention; one forward pass, and as many backward passes of z_c - z_0 as are asked for.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import time

import torch
from torch import nn
from transformers import AutoModelForSequenceClassification, logging

logging.disable_progress_bar()

BATCH = 16
TRAINING_BATCH = 32


def batches(rows, size, shuffled=False):
    if not shuffled:
        rows = sorted(rows, key=lambda row: -len(row["ids"]))
    for start in range(0, len(rows), size):
        part = rows[start:start + size]
        ids = nn.utils.rnn.pad_sequence([torch.tensor(row["ids"]) for row in part], batch_first=True)
        lengths = torch.tensor([len(row["ids"]) for row in part])
        mask = (torch.arange(ids.shape[1])[None, :] < lengths[:, None]).long()
        yield ids, mask, torch.tensor([row["label"] for row in part])


def forward(model, prepared):
    with torch.inference_mode():
        for x, mask in prepared:
            model(inputs_embeds=x, attention_mask=mask)


def pull(model, prepared, gradients):
    for x, mask in prepared:
        x = x.detach().requires_grad_()
        logits = model(inputs_embeds=x, attention_mask=mask).logits
        for c in range(1, gradients + 1):
            torch.autograd.grad((logits[:, c] - logits[:, 0]).sum(), x, retain_graph=c < gradients)


def train(model, prepared):
    model.requires_grad_(True).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, weight_decay=0.01)
    start = time.perf_counter()
    for ids, mask, labels in prepared:
        optimizer.zero_grad()
        model(input_ids=ids, attention_mask=mask, labels=labels).loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.requires_grad_(False).eval()
    return (time.perf_counter() - start) / len(prepared)


def processor_seconds(pid):
    """What a process has used of all processors: on a busy machine this says more than the clock."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--model", type=pathlib.Path, required=True, help="a Hugging Face classifier of the BERT family")
    arguments.add_argument("--texts", type=pathlib.Path, required=True, help="JSON lines with text, ids and label")
    arguments.add_argument("--binary", type=pathlib.Path, required=True, help="the example bench_encoder, built for release")
    arguments.add_argument("--count", type=int, default=64)
    arguments.add_argument("--max-length", type=int, default=64)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments.add_argument("--works", nargs="+", default=["forward", "gradient", "pull", "train"])
    arguments = arguments.parse_args()
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for row in compare(arguments.model, arguments.texts, arguments.binary, arguments.count, arguments.max_length,
                           arguments.rounds, threads, arguments.works):
            print(json.dumps(row), flush=True)


def compare(directory, texts, binary, count, max_length, rounds, threads, works):
    model = AutoModelForSequenceClassification.from_pretrained(directory).eval().requires_grad_(False)
    classes = model.config.num_labels
    table = model.get_input_embeddings().weight.detach()
    rows = [json.loads(line) for line in texts.open()]
    rows = [rows[i % len(rows)] for i in range(count)]
    prepared = [(table[ids], mask) for ids, mask, _ in batches(rows, BATCH)]
    training = list(batches(rows, TRAINING_BATCH, shuffled=True))

    def timed(action, *rest):
        start = time.perf_counter()
        action(model, prepared, *rest)
        return time.perf_counter() - start

    actions = {
        "forward": lambda: timed(forward),
        "gradient": lambda: timed(pull, 1),
        "pull": lambda: timed(pull, classes - 1),
        "train": lambda: train(model, training),
    }
    ours = subprocess.Popen([binary, directory, texts, str(count), str(max_length)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env={**os.environ, "RAYON_NUM_THREADS": str(threads)})
    for work in works:
        times, used = {"fissure": [], "pytorch": []}, []
        for _ in range(rounds + 1):
            before = processor_seconds(ours.pid), time.process_time()
            print(work, file=ours.stdin, flush=True)
            times["fissure"].append(float(ours.stdout.readline()))
            times["pytorch"].append(actions[work]())
            used.append((processor_seconds(ours.pid) - before[0]) / (time.process_time() - before[1]))
        # The first round warms up; the median forgives a busy machine.
        medians = {side: statistics.median(seconds[1:]) for side, seconds in times.items()}
        ratios = [f / p for f, p in zip(times["fissure"][1:], times["pytorch"][1:])]
        yield {"model": directory.name, "work": work, "threads": threads, **medians,
               "ratio": medians["fissure"] / medians["pytorch"],
               "lowest_ratio": min(ratios), "highest_ratio": max(ratios),
               "processor_ratio": statistics.median(used[1:])}
    ours.stdin.close()
    ours.wait()


if __name__ == "__main__":
    main()
