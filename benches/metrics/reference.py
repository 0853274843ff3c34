"""Random answers scored by other people's scorers: the fixture of crates/evaluate/tests/reference.rs.

    python -m venv venv && venv/bin/pip install scikit-learn==1.9.1 seqeval==1.2.2 transformers==4.57.1 scorch==0.2.0
    venv/bin/python benches/metrics/reference.py > crates/evaluate/tests/fixtures/metrics.json

scikit-learn scores classes and relations, seqeval names and words, transformers carries the SQuAD script, and scorch is
a scorer for CoNLL-2012. Each case holds the samples as Fissure reads them, the answers, and the expected values.
"""

import json
import random

from scorch import scores
from seqeval.metrics import f1_score as span_f1, precision_score as span_precision, recall_score as span_recall
from sklearn.metrics import accuracy_score, f1_score
from transformers.data.metrics.squad_metrics import compute_exact, compute_f1

dice = random.Random(5)


def answered(right, others, share):
    """The right answer with the given chance, else any."""
    return right if dice.random() < share else dice.choice(others)


def classes(labels, count):
    gold = [dice.choice(labels) for _ in range(count)]
    said = [answered(label, labels, 0.6) for label in gold]
    each = f1_score(gold, said, labels=labels, average=None, zero_division=0)
    return {
        "task": "classification",
        "labels": labels,
        "rows": [{"text": "x", "label": label} for label in gold],
        "answers": said,
        "expected": {"accuracy": accuracy_score(gold, said), "macro_f1": f1_score(gold, said, average="macro")},
        "each": {label: value for label, value in zip(labels, each) if label in gold or label in said},
    }


def relations(count):
    labels = ["no_relation", "born_in", "works_for", "part_of"]
    gold = [dice.choice(labels) for _ in range(count)]
    said = [answered(label, labels, 0.6) for label in gold]
    row = {"tokens": ["a", "b", "c"], "subj": [0, 0], "obj": [2, 2]}
    return {
        "task": "re",
        "labels": labels,
        "rows": [{**row, "relation": label} for label in gold],
        "answers": said,
        "expected": {
            "relation_f1": f1_score(gold, said, labels=labels[1:], average="micro"),
            "accuracy": accuracy_score(gold, said),
        },
    }


def names(prefixes, count):
    """Tags at random, legal or not: the reading of broken schemes is part of the comparison."""
    tags = ["O"] * 3 + [f"{prefix}-{kind}" for prefix in prefixes for kind in ("PER", "LOC")]
    gold = [[dice.choice(tags) for _ in range(dice.randint(1, 9))] for _ in range(count)]
    said = [[answered(tag, tags, 0.7) for tag in tagged] for tagged in gold]
    flat = [(a, b) for one, two in zip(gold, said) for a, b in zip(one, two)]
    return {
        "task": "ner",
        "labels": [],
        "rows": [{"tokens": ["w"] * len(tagged), "ner_tags": tagged} for tagged in gold],
        "answers": said,
        "expected": {
            "span_f1": span_f1(gold, said),
            "span_precision": span_precision(gold, said),
            "span_recall": span_recall(gold, said),
            "token_accuracy": sum(a == b for a, b in flat) / len(flat),
        },
    }


def questions(count):
    stock = ["The", "a", "an", "tower", "Tower,", "Paris", "(France)", "in", "1889", "U.S.", "the-end", "été", "—a—", "Of"]
    rows, said, exact, f1 = [], [], [], []
    for _ in range(count):
        context = " ".join(dice.choice(stock) for _ in range(12))
        words = context.split(" ")
        answers = []
        for _ in range(dice.randint(0, 3)):
            first = dice.randrange(len(words))
            last = min(len(words), first + dice.randint(1, 3))
            start = len(" ".join(words[:first])) + (1 if first else 0)
            answers.append({"text": " ".join(words[first:last]), "answer_start": start})
        first = dice.randrange(len(words))
        answer = answered(
            answers[0]["text"].lower() if answers else "", ["", " ".join(words[first : first + 2])], 0.4
        )
        rows.append({"context": context, "question": "?", "answers": answers})
        said.append(answer)
        # As the script for SQuAD 2 does: answers of articles and signs alone do not count; none left means no answer.
        gold = [each["text"] for each in answers if compute_exact(each["text"], "") == 0] or [""]
        exact.append(max(compute_exact(text, answer) for text in gold))
        f1.append(max(compute_f1(text, answer) for text in gold))
    return {
        "task": "mrc",
        "labels": [],
        "rows": rows,
        "answers": said,
        "expected": {"exact_match": sum(exact) / count, "f1": sum(f1) / count},
    }


def documents(count):
    """One document a case: scorers of corpora pool sums, and so do we, but scorch scores a partition at a time."""
    cases = []
    for _ in range(count):
        length = dice.randint(6, 30)
        mentions = dice.sample(range(length), dice.randint(4, min(length, 20)))

        def clusters():
            groups = {}
            for mention in mentions:
                if dice.random() < 0.85:
                    groups.setdefault(dice.randrange(5), []).append([mention, mention])
            return list(groups.values())

        key, said = clusters(), clusters()
        if not key or not said:
            continue
        sets = [[{tuple(mention) for mention in cluster} for cluster in side] for side in (key, said)]
        expected = {
            "muc": scores.muc(*sets)[2],
            "b_cubed": scores.b_cubed(*sets)[2],
            "ceaf_e": scores.ceaf_e(*sets)[2],
        }
        expected["conll_f1"] = sum(expected.values()) / 3
        cases.append(
            {
                "task": "coref",
                "labels": [],
                "rows": [{"sentences": [["w"] * length], "clusters": key}],
                "answers": [said],
                "expected": expected,
            }
        )
    return cases


if __name__ == "__main__":
    cases = [
        classes(["neg", "pos"], 40),
        classes(["a", "b", "c", "d", "e"], 30),
        relations(40),
        names("BI", 30),
        names("BIES", 30),
        questions(60),
        *documents(12),
    ]
    print("[")
    print(",\n".join(json.dumps(case, ensure_ascii=False) for case in cases))
    print("]")
