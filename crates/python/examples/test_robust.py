"""Robustness as a test of pytest: `pytest test_robust.py`."""

import fissure as fs


def model(texts):
    good = [sum(word in text for word in ("good", "fine", "great")) for text in texts]
    return [[1 / (2 + count), (1 + count) / (2 + count)] for count in good]


def test_the_model_is_robust():
    rows = [{"text": f"a {word} film", "label": "pos" if word != "dull" else "neg"} for word in ["good", "dull"] * 20]
    fs.assert_robust(model, rows, "drop(all) <= 0.9", task="sa", labels=["neg", "pos"], suite="typos")
