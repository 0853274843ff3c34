"""Fissure's small models beside PyTorch, run in turns: the ratio of times is what counts, below 1 is faster. On a busy
machine look at the processor time, which waiting does not lengthen.

PyTorch does what a careful user would write: padded batches of texts of like length, masked; packed sequences for the
LSTM; one forward, and C-1 backward passes of z_c - z_0 over the batch.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import time

import torch
from safetensors.torch import load_file
from torch import nn

BATCH = 64


class FastText(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.fc = linear(weights)

    def forward(self, x, lengths, mask):
        return self.fc((x * mask).sum(1) / lengths[:, None])


class Cnn(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(w.shape[1], w.shape[0], w.shape[2]) for w in
                                   (weights[f"convs.{i}.weight"] for i in range(3)))
        self.fc = linear(weights)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x, lengths, mask):
        x = x.transpose(1, 2)
        pooled = []
        for conv in self.convs:
            y = conv(x)
            late = torch.arange(y.shape[2])[None, :] > (lengths - conv.kernel_size[0])[:, None]
            pooled.append(y.masked_fill(late[:, None, :], float("-inf")).amax(2).relu())
        return self.fc(self.dropout(torch.cat(pooled, 1)))


class BiLstm(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.lstm = nn.LSTM(weights["emb.weight"].shape[1], weights["lstm.weight_hh_l0"].shape[1],
                            bidirectional=True, batch_first=True)
        self.fc = linear(weights)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x, lengths, mask):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.fc(self.dropout(out.sum(1) / lengths[:, None]))


def linear(weights):
    return nn.Linear(weights["fc.weight"].shape[1], weights["fc.weight"].shape[0])


def batches(rows, table):
    """Texts of like length together; longest first."""
    rows = sorted(rows, key=lambda row: -len(row["ids"]))
    for start in range(0, len(rows), BATCH):
        part = rows[start:start + BATCH]
        ids = nn.utils.rnn.pad_sequence([torch.tensor(row["ids"]) for row in part], batch_first=True)
        lengths = torch.tensor([len(row["ids"]) for row in part])
        mask = (torch.arange(ids.shape[1])[None, :] < lengths[:, None]).float()[:, :, None]
        yield ids, table[ids], lengths, mask, torch.tensor([row["label"] for row in part])


def pull(model, prepared):
    start = now()
    for _, x, lengths, mask, _ in prepared:
        x = x.detach().requires_grad_()
        logits = model(x, lengths, mask)
        for c in range(1, logits.shape[1]):
            torch.autograd.grad((logits[:, c] - logits[:, 0]).sum(), x, retain_graph=True)
    return [after - before for before, after in zip(start, now())]


def train(model, table, prepared):
    """Seconds per batch; the same optimiser as Fissure's default."""
    embedding = nn.Embedding.from_pretrained(table.clone(), freeze=False, padding_idx=0)
    weights = [*embedding.parameters(), *model.parameters()]
    optimizer = torch.optim.Adam(weights)
    model.train()
    start = now()
    for ids, _, lengths, mask, labels in prepared:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(embedding(ids), lengths, mask), labels).backward()
        optimizer.step()
    return [(after - before) / len(prepared) for before, after in zip(start, now())]


def now():
    return time.perf_counter(), time.process_time()


MODELS = [("fasttext_ag", FastText), ("cnn_ag", Cnn), ("bilstm_imdb", BiLstm)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--golden", type=pathlib.Path, required=True, help="the folder of reference models")
    arguments.add_argument("--binary", type=pathlib.Path, required=True, help="the example bench_small, built for release")
    arguments.add_argument("--count", type=int, default=512)
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = arguments.parse_args()
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for name, kind in MODELS:
            for row in compare(arguments.golden, name, kind, arguments.binary, arguments.count, arguments.rounds, threads):
                print(json.dumps(row), flush=True)


def compare(golden, name, kind, binary, count, rounds, threads):
    weights = load_file(golden / name / "model.safetensors")
    model = kind(weights)
    table = weights.pop("emb.weight")
    model.load_state_dict(weights)
    texts = golden / f"{name}.jsonl"
    rows = [json.loads(line) for line in texts.open()]
    rows = [rows[i % len(rows)] for i in range(count)]
    prepared = list(batches(rows, table))
    ours = subprocess.Popen([binary, golden / name, texts, str(count)],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env={**os.environ, "RAYON_NUM_THREADS": str(threads)})
    for work in ["pull", "train"]:
        model.train(work == "train")
        timed = []
        for _ in range(rounds + 1):
            print(work, file=ours.stdin, flush=True)
            fissure = [float(seconds) for seconds in ours.stdout.readline().split()]
            timed.append((fissure, pull(model, prepared) if work == "pull" else train(model, table, prepared)))
        # The first round warms up; the median forgives a busy machine.
        for place, clock in enumerate(["wall", "processor"]):
            fissure, pytorch = ([row[side][place] for row in timed[1:]] for side in range(2))
            ratios = [f / p for f, p in zip(fissure, pytorch)]
            yield {"model": name, "work": work, "threads": threads, "clock": clock,
                   "fissure": statistics.median(fissure), "pytorch": statistics.median(pytorch),
                   "ratio": statistics.median(fissure) / statistics.median(pytorch),
                   "lowest_ratio": min(ratios), "highest_ratio": max(ratios)}
    ours.stdin.close()
    ours.wait()


if __name__ == "__main__":
    main()
