"""A torch module of one's own: how fragile is each answer?"""

import fissure as fs
import fissure.torch
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = torch.nn.Embedding(1000, 16), torch.nn.Linear(16, 2)

    def forward(self, input_ids, attention_mask):
        rows = self.table(input_ids) * attention_mask[..., None]
        return self.out(rows.sum(1) / attention_mask.sum(1, keepdim=True))


def inputs(texts):
    words = [text.split() or ["-"] for text in texts]
    ids = [[sum(map(ord, word)) % 999 + 1 for word in row] for row in words]
    longest = max(map(len, ids))
    ids = [row + [0] * (longest - len(row)) for row in ids]
    return {"input_ids": ids, "attention_mask": [[int(id > 0) for id in row] for row in ids]}


net = Net()
box = fissure.torch.white_box(net, embedding=net.table, inputs=inputs, labels=["neg", "pos"])
print(fs.score(box, ["a good film", "a rather bad one"], task="sa").to_dicts()[0]["lambda_max"])
