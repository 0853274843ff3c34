"""A scikit-learn pipeline: evaluated as it is, and held to a rule."""

import fissure as fs
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

good = ["a good film", "a fine story", "great fun", "I like it", "a great and moving story"]
bad = ["a bad film", "a dull story", "no fun", "I hate it", "a boring and silly story"]
rows = [{"text": text, "label": label} for label, texts in (("pos", good), ("neg", bad)) for text in texts * 6]

model = make_pipeline(TfidfVectorizer(), LogisticRegression())
model.fit([row["text"] for row in rows], [row["label"] for row in rows])

run = fs.evaluate(model, rows, task="sa", suite="typos")
print(run.verdict)
for part in run.findings.parts.to_dicts():
    print(part["name"], part["changed"], part["drop"], part["drop_low"], part["drop_high"])
run.gate("score >= 0.5")
