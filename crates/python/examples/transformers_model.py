"""A classifier of transformers (here one with random weights): scores from its inside, then an evaluation."""

import sys

import fissure as fs
import fissure.torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

if len(sys.argv) > 1:
    model = AutoModelForSequenceClassification.from_pretrained(sys.argv[1])
    tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
else:
    sys.path.insert(0, str(__import__("pathlib").Path(__file__).parents[1] / "tests"))
    from torch_models import configurations, tokenizer as make

    model, tokenizer = configurations()["distilbert"](), make()

box = fissure.torch.white_box(model, tokenizer)
label = box.labels
rows = [{"text": text, "label": label[at % 2]} for at, text in enumerate(["a good film", "a dull story"] * 10)]
for row in fs.score(box, rows, task="sa").to_dicts()[:2]:
    print(row["predicted"], row["lambda_max"], row["flip_forecast"])
print(fs.evaluate(box, rows, task="sa", suite="typos").verdict)
