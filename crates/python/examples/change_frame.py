"""A frame of pandas: misspelled, with every edit written down, and only the changes that stay close."""

import fissure as fs
import pandas as pd

frame = pd.DataFrame({"body": ["I do not like it.", "It is a great film!", "We are not sure."], "stars": [1, 5, 3]})
chain = (fs.contraction() + fs.typos(rate=0.2)).seeded(7)
made = chain(frame, column="body")
print(made[["stars", "changed", "status"]])
print(fs.keep("edit_distance>=0.7")(made, column="body"))

# Labels move with their words.
rows = [
    {"tokens": ["Ann", "Smith", "left", "Paris"], "tags": ["B-PER", "I-PER", "O", "B-LOC"]},
    {"tokens": ["Peter", "saw", "Rome"], "tags": ["B-PER", "O", "B-LOC"]},
]
print(fs.swap_ent()(rows, task="ner"))
