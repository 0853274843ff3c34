"""A trivial model of coref for GAP: the pronoun means the last name before it, or else the first behind it.

    fissure evaluate --model 'process:python3 examples/coref_baseline.py' --data gap-development.tsv --task coref

A name is a run of capitalised words that does not start a sentence, or of two or more. It is a baseline to compare with,
and says how far recency alone goes.
"""

import json
import sys

PRONOUNS = {"he", "him", "his", "she", "her", "hers", "himself", "herself"}


def names(tokens):
    """Runs of capitalised words as (first, last)."""
    found, start = [], None
    for at, token in enumerate(tokens + ["."]):
        capital = token[:1].isupper() and token.lower() not in PRONOUNS and token.strip(".,;:'\"()").isalpha()
        if capital and start is None:
            start = at
        elif not capital and start is not None:
            opens = start == 0 or tokens[start - 1][-1:] in ".!?"
            if at - start > 1 or not opens:
                found.append((start, at - 1))
            start = None
    return found


def clusters(tokens):
    mentions = names(tokens)
    if not mentions:
        return []
    clusters = {}
    for at, token in enumerate(tokens):
        if token.lower().strip(".,;:'\"()") in PRONOUNS:
            before = [mention for mention in mentions if mention[1] < at]
            clusters.setdefault((before or mentions)[-1 if before else 0], []).append((at, at))
    return [[list(name), *map(list, pronouns)] for name, pronouns in clusters.items()]


json.loads(input())
print("{}", flush=True)
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], "clusters": clusters(question["tokens"])}), flush=True)
