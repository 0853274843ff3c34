"""A spaCy pipeline that marks entities (here by rules), under changed names and misspellings."""

import fissure as fs
import spacy

nlp = spacy.blank("en")
ruler = nlp.add_pipe("entity_ruler")
ruler.add_patterns([{"label": "PER", "pattern": "Ann"}, {"label": "LOC", "pattern": "Paris"}])

rows = [
    {"tokens": ["Ann", "left", "Paris", "."], "tags": ["B-PER", "O", "B-LOC", "O"]},
    {"tokens": ["Paris", "was", "cold", "when", "Ann", "came"], "tags": ["B-LOC", "O", "O", "O", "B-PER", "O"]},
] * 10
run = fs.evaluate(nlp, rows, task="ner", suite="quick")
print(run.verdict)
