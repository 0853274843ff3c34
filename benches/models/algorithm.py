"""The papers' Algorithm 1 as written: for one text at a time, a backward pass for each class, the whole matrix
G = sum_c p_c J_c J_c^T of n*d x n*d numbers, and its eigendecomposition. `eigh` is taken, which knows that G is symmetric:
the reading that is kindest to the algorithm.
"""

import json
import statistics
import subprocess
import time

import torch
from safetensors.torch import load_file

TOKENS = 60
TEXTS = 2


def largest_eigenvalue(model, x):
    x = x.detach().requires_grad_()
    lengths = torch.tensor([x.shape[1]])
    log_p = torch.log_softmax(model(x, lengths, torch.ones(1, x.shape[1], 1)), 1)[0]
    matrix = torch.zeros(x.numel(), x.numel())
    for c in range(len(log_p)):
        gradient = torch.autograd.grad(log_p[c], x, retain_graph=True)[0].flatten()
        matrix += log_p[c].exp().detach() * torch.outer(gradient, gradient)
    return torch.linalg.eigh(matrix).eigenvalues[-1].item()


def compare(golden, name, kind, binary):
    """Seconds per text of TOKENS tokens. Ours are timed over many copies of the same texts, after a warm-up."""
    weights = load_file(golden / name / "model.safetensors")
    model = kind(weights).eval()
    table = weights.pop("emb.weight")
    model.load_state_dict(weights)
    records = [json.loads(line) for line in (golden / f"{name}.jsonl").open()]
    # fasttext reads bigrams as further rows; its words are as many as the others'.
    long = [row for row in records if len(row["words"]) >= TOKENS][:TEXTS]
    texts = [" ".join(row["words"][:TOKENS]) for row in long]
    ours = subprocess.Popen([binary, golden / name, "-", "512"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            text=True, env={"RAYON_NUM_THREADS": "1"})
    ours.stdin.write("".join(json.dumps({"text": text}) + "\n" for text in texts) + "\n")
    seconds = []
    for _ in range(4):
        print("pull", file=ours.stdin, flush=True)
        seconds.append(float(ours.stdout.readline().split()[0]) / 512)
    ours.stdin.close()
    ours.wait()
    theirs = []
    for row in long:
        start = time.perf_counter()
        found = largest_eigenvalue(model, table[torch.tensor(row["ids"][:TOKENS])][None])
        theirs.append(time.perf_counter() - start)
        assert found > 0
    fissure, other = statistics.median(seconds[1:]), statistics.median(theirs)
    return {"model": name, "work": f"Algorithm 1, {TOKENS} tokens", "threads": 1, "fissure": fissure, "pytorch": other,
            "ratio": fissure / other}
