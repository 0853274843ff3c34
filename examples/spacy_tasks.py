"""spaCy as a model for ner, pos and dp: `fissure evaluate --model 'process:python3 examples/spacy_tasks.py PACKAGE'`.

PACKAGE is an installed pipeline, `en_core_web_sm` if none is named. Names are answered as PER, LOC and ORG; parts of
speech as UPOS; trees with spaCy's own relation names, which are not those of Universal Dependencies, so that only the
unlabelled score says something there.
"""

import json
import sys

import spacy
from spacy.tokens import Doc

NAMES = {"PERSON": "PER", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "ORG": "ORG"}


def tags_of_names(doc):
    tags = ["O"] * len(doc)
    for entity in doc.ents:
        if entity.label_ in NAMES:
            for at in range(entity.start, entity.end):
                tags[at] = ("B-" if at == entity.start else "I-") + NAMES[entity.label_]
    return tags


def answer(task, doc):
    if task == "ner":
        return {"tags": tags_of_names(doc)}
    if task == "pos":
        return {"tags": [token.pos_ for token in doc]}
    # A text that spaCy takes for several sentences has several roots; Fissure compares head by head.
    heads = [0 if token.head is token else token.head.i + 1 for token in doc]
    return {"heads": heads, "deprels": [token.dep_.lower() for token in doc]}


def main():
    pipeline = spacy.load(sys.argv[1] if len(sys.argv) > 1 else "en_core_web_sm")
    greeting = json.loads(input())
    print(json.dumps({"batch": 64}), flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        docs = [Doc(pipeline.vocab, words=one["tokens"]) for one in question["questions"]]
        answers = [answer(greeting["task"], doc) for doc in pipeline.pipe(docs)]
        print(json.dumps({"id": question["id"], "answers": answers}), flush=True)


main()
