"""A model for Fissure as a program: fissure predict --model "process:python3 examples/process_model.py" --data ..."""
import json, sys

def answer(question):
    words = question["fields"]["text"].lower().split()
    good = (1 + words.count("good")) / (2 + words.count("good") + words.count("bad"))
    return {"scores": {"neg": 1 - good, "pos": good}}

for line in sys.stdin:
    question = json.loads(line)
    said = {"labels": ["neg", "pos"]} if "hello" in question else {"id": question["id"], **answer(question)}
    print(json.dumps(said), flush=True)
